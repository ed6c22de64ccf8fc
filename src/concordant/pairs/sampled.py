"""
Terms of pairs estimated from as many of these as the wanted precision takes.

Pairs come in groups of neighbouring shifts of a random cyclic order. At first groups
have some of the objects; in a whole group every object stands equally often: what makes
one object agree more than another cancels, and the spread between groups is small. All
terms share one order of groups, and each stops at the first look at which it is known
well enough, whatever else is wanted.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Positions, Vector
from concordant.bounded import Bounded
from concordant.catalogue.lookups import loaded
from concordant.catalogue.terms import Term
from concordant.catalogue.values import SIMILARITIES, VALUES
from concordant.errors import InputError, Keyword, Setting
from concordant.exact import rounded
from concordant.execution.checkpoint import Job, check_repeatable
from concordant.execution.progress import Estimate, Watch
from concordant.execution.run import Run
from concordant.measures.tables.pair_table import PairTable
from concordant.pairs.bands import unrolled
from concordant.pairs.distribution import Distribution, expected_difference
from concordant.pairs.fold_pairs import fold_bands, known_of_objects
from concordant.pairs.folds import (
    Cells,
    Difference,
    ExactSums,
    PairSums,
    resume_all,
    states,
)
from concordant.pairs.pair_terms import PairTerms, WantedTerms
from concordant.pairs.sampling import (
    DEFAULT_TOL,
    Groups,
    half_width,
    tasks_of_looks,
)
from concordant.pairs.side import Side
from concordant.partition.partition import Partition
from concordant.storage.archive import Archive

_COARSE = 1 << 10  # cells in which each group is kept, for the spread between groups


def sampled_terms(
    P: Partition, Q: Partition, wanted: WantedTerms, run: Run, watch: Watch
) -> PairTerms:
    """Estimate what is wanted, with half widths of 95 % confidence intervals."""
    values = [
        each.value
        for each in (wanted, *wanted.others)
        if each.discordance or each.distributions
    ]
    refused = [str(term) for term in wanted.sums if term.what != "table"]
    for value in values:
        if value not in SIMILARITIES:
            refused.append(loaded(VALUES[value].defined).title)
    if refused:
        raise InputError(
            f"{refused[0]} takes all pairs of objects; leave out ",
            Keyword("tol"),
            " and ",
            Setting("method", "sampled"),
        )
    rng = run.generator()
    order = rng.permutation(P.n_objects)
    groups = Groups(P.n_objects, rng)
    others, tables = dict[str, PairTerms](), dict[Term, PairTable]()
    for value in values:
        agreement = SampledAgreement((Side(P, value), Side(Q, value)), groups)
        agreement.sample(order, run, watch)
        others[value] = agreement.terms()
    sides = Side(P, wanted.value), Side(Q, wanted.value)
    for term in wanted.sums:
        sums = SampledTable(term, sides, groups)
        sums.sample(order, run, watch)
        tables[term] = sums.table()
    pairs = max((table.n_sampled or 0 for table in tables.values()), default=0)
    own = others.pop(wanted.value, None) or PairTerms(P.n_objects, "sampled", pairs)
    return replace(own, sums=tables, others=others)


class _Sampled:
    """
    What comes from the groups of a sample, and how many tasks were taken in.

    `folds` hold all of them. Of each group exact `sums` are kept, and its values in few
    `cells` if they matter.
    """

    def __init__(
        self, name: str, sides: tuple[Side, Side], folds: list[Any], groups: Groups
    ) -> None:
        self.name, self.sides, self.folds, self.groups = name, sides, folds, groups
        self.sums: list[ExactSums] = []
        self.cells: list[Vector] = []
        self.n_tasks = 0

    def sample(self, order: Positions, run: Run, watch: Watch) -> None:
        """Take in groups of objects in some order until the error is small enough."""
        tol = DEFAULT_TOL if run.tol is None else float(run.tol)
        if run.checkpoint is not None:
            check_repeatable(run.random_state)
        name = f"{self.name}, sample {run.random_state}"
        job = Job(run.checkpoint, name, (s.partition.columns() for s in self.sides))
        known = known_of_objects(self.sides, self.folds)
        # NumPy takes much longer over columns[:, order].
        arrays = [unrolled(np.take(x, order, axis=1)) for x in known.values()]
        given = (*arrays, list(known), [fold.empty() for fold in self.folds])
        if job.kept is not None:
            with job.resuming():
                self.resume(job.kept.facts["sampled"], job.kept.arrays)

        def state() -> Archive:
            facts, arrays = self.state()
            return Archive({"sampled": facts}, arrays)

        n_tasks = 0
        with job.keeping(state):
            for tasks in tasks_of_looks(len(self.groups), order.size):
                left = tasks[max(0, self.n_tasks - n_tasks) :]
                n_tasks += len(tasks)
                todo = ((self.groups.bands(*task),) for task in left)
                runs = zip(left, run.engine.run(fold_bands, given, todo), strict=True)
                for (group, *_), parts in runs:
                    with job.changing():
                        self.add(parts, group)
                    job.offer(state)
                    watch.tell(self.n_pairs, self.look)
                # An earlier run that went further is looked at where that stopped.
                if self.n_tasks <= n_tasks and self.look().error <= tol:
                    break

    def add(self, parts: Sequence[Any], group: int) -> None:
        """Add the folds of more objects of a group, or of the next group."""
        cells = np.array([*map(_coarse, parts[1:])])
        for total, part in zip(self.folds, parts, strict=True):
            total.merge(part)
        if group == len(self.sums):
            self.sums.append(parts[0])
            self.cells.append(cells)
        else:
            self.sums[group].merge(parts[0])
            self.cells[group] += cells
        self.n_tasks += 1

    @property
    def weights(self) -> list[int]:
        """The number of pairs of each group."""
        return [sums.n_pairs for sums in self.sums]

    @property
    def n_pairs(self) -> int:
        """The number of pairs that were visited."""
        n_pairs: int = self.folds[0].n_pairs
        return n_pairs

    def look(self) -> Estimate:
        """Return the index that the sample is for, with its error."""
        raise NotImplementedError

    def width(self, residuals: Sequence[float], largest: float) -> float:
        """Return the half width from what groups say, as `half_width` explains it."""
        part = self.n_pairs / self.groups.n_pairs(len(self.sums))
        # While groups lack objects, those that they have come with several others.
        times = math.sqrt(1.0 + (1.0 - part) * self.groups.width**2)
        return half_width(residuals, self.weights, self.groups.n_all, largest, times)

    def state(self) -> tuple[Any, dict[str, NDArray[Any]]]:
        """Return what a file can keep."""
        totals, arrays = states(self.folds)
        groups, _ = states(self.sums)
        return [self.n_tasks, totals, groups], arrays | {"cells": np.array(self.cells)}

    def resume(self, facts: Any, arrays: dict[str, NDArray[Any]]) -> None:
        """Take up what a file kept."""
        self.n_tasks, totals, groups = facts
        resume_all(self.folds, totals, arrays)
        self.sums = [self.folds[0].empty() for _ in groups]
        resume_all(self.sums, groups, {})
        self.cells = [*arrays["cells"]]


class SampledAgreement(_Sampled):
    """d, E[d] and ACI from the groups of a sample."""

    def __init__(self, sides: tuple[Side, Side], groups: Groups) -> None:
        value = sides[0].value
        cells = (Cells(value, number, side.grid) for number, side in enumerate(sides))
        folds = [Difference(value), *cells]
        super().__init__(f"{value}: agreement", sides, folds, groups)

    def look(self) -> Estimate:
        """Return ACI with the half width of its 95 % confidence interval."""
        found = self.terms()
        expected = found.expected
        if found.discordance is None or expected is None or expected.value == 0.0:
            return Estimate(1.0, 0.0)
        error = found.ratio_error
        return Estimate(
            1.0 - found.discordance.value / expected.value,
            np.inf if error is None else error,
        )

    def terms(self) -> PairTerms:
        """Return d, distributions and E[d], with the error of d / E[d] as well."""
        (p, q), (differences, *cells) = self.sides, self.folds
        (low_p, high_p), (low_q, high_q) = p.ends, q.ends
        F, G = (
            side.displaced(each.distribution())
            for side, each in zip(self.sides, cells, strict=True)
        )
        d, (e, e_error) = differences.mean, expected_difference(F, G)
        of_d, of_e = self._residuals(F, G)
        # How far a pair can be from the mean of these: in |x - y|, and in the mean of
        # |x - Y| + |X - y|, which no more than x and y themselves can differ in.
        in_p, in_q = high_p - low_p, high_q - low_q
        apart = max(high_p - low_q, high_q - low_p)
        rounding = p.rounding(F.average) + q.rounding(G.average) + differences.error
        d_width = self.width(of_d.tolist(), max(d, apart - d))
        e_width = self.width(of_e.tolist(), in_p + in_q)
        found = PairTerms(
            p.partition.n_objects,
            "sampled",
            self.n_pairs,
            Bounded(d, d_width + rounding),
            (F, G),
            expected=Bounded(e, e_width + e_error),
        )
        if e_width + e_error >= e:
            return found
        # d and E[d] are off together: ACI by the difference of the two. To first order;
        # what E[d] is off by itself enters as a factor.
        ratio = d / e
        largest = largest_residual(in_p, in_q, apart, ratio)
        residuals = (ratio * of_e - of_d) / e
        error = self.width(residuals.tolist(), largest / e) / (1.0 - e_width / e)
        error += (rounding + ratio * e_error) / (e - e_error)
        return replace(found, ratio_error=error)

    def _residuals(self, F: Distribution, G: Distribution) -> tuple[Vector, Vector]:
        """Return how far d and E[d] of each group are from the mean, to first order."""
        weights = np.array(self.weights, np.float64)
        of_d = np.array([rounded(sums.sums[0]) for sums in self.sums]) / weights
        of_e = np.zeros(len(weights))
        cells = np.array(self.cells).reshape(len(weights), 2, 2, _COARSE)
        for number, other in enumerate((G, F)):
            counts, sums = cells[:, number, 0], cells[:, number, 1]
            means = np.divide(sums, counts, out=0.0 * sums, where=counts > 0.0)
            distances = other.mean_distance(means.ravel()).reshape(means.shape)
            of_e += (counts * distances).sum(axis=1) / weights
        weights /= weights.sum()
        return of_d - weights @ of_d, of_e - weights @ of_e


def _coarse(cells: Cells) -> Vector:
    """Return counts, and then sums, of values in few cells."""
    cells.done()
    counts = cells.counts
    sums = counts * cells.grid.means(counts, cells.places)
    at = np.arange(0, len(counts), -(-len(counts) // _COARSE))
    found = np.zeros((2, _COARSE))
    found[:, : at.size] = np.add.reduceat(np.stack((counts, sums)), at, axis=1)
    return found


def largest_residual(x: float, y: float, w: float, ratio: float) -> float:
    """
    Bound how much two pairs can differ in what they say of ACI, times E[d].

    Given are bounds of their values in P and Q, and of the difference of these. What
    they say is ``ratio * (mean of |x - Y| + mean of |X - y|) - |x - y|``, and no mean
    changes by more than x or y. If |x - y| changes by w, x and y together change by at
    most twice the largest value, less w.
    """
    return min(ratio * (x + y) + w, 2 * ratio * max(x, y) + max(0.0, 1.0 - ratio) * w)


class SampledTable(_Sampled):
    """A table of a family that is a sum over pairs, from the groups of a sample."""

    def __init__(self, term: Term, sides: tuple[Side, Side], groups: Groups) -> None:
        super().__init__(str(term), sides, [PairSums(term)], groups)
        self.term = term

    def look(self) -> Estimate:
        """Return the adjusted Rand index with its error."""
        table = self.table()
        return Estimate(table.adjusted_rand, table.error)

    def table(self) -> PairTable:
        """Return the table of all pairs, from those of the groups."""
        total, m = self.folds[0], self.groups.n_all
        seen, family, t_norm = total.n_pairs, self.term.of, self.term.t_norm
        sums = np.array([rounded(x) for x in total.sums])

        def table(sums: Vector, n_pairs: int) -> PairTable:
            a, b, c, d = (sums * (m / n_pairs)).tolist()
            return PairTable(a, b, c, d, family, t_norm)

        whole = table(sums, seen)
        if seen == m:
            return replace(whole, n_sampled=seen)
        if len(self.sums) < 2:  # which tell nothing of their spread
            return replace(whole, error=np.inf, n_sampled=seen)
        # One pair more of these, wholly of one of the four kinds
        others = [table(sums + kind, seen + 1) for kind in np.eye(4)]
        parts = [np.array([rounded(x) for x in group.sums]) for group in self.sums]
        widths = []
        for statistic in ("rand", "adjusted_rand"):
            value = getattr(whole, statistic)
            # What the estimate would be without a group tells what the group says.
            residuals = [
                (seen / weight - 1.0)
                * (value - getattr(table(sums - part, seen - weight), statistic))
                for part, weight in zip(parts, self.weights, strict=True)
            ]
            farthest = max(abs(getattr(other, statistic) - value) for other in others)
            widths.append(self.width(residuals, (seen + 1) * farthest))
        return replace(whole, error=max(widths), n_sampled=seen)
