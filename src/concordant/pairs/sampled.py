"""
Terms of pairs estimated from as many of these as the wanted precision takes.

The pairs of a few rare objects are visited first, all of them. The others come in
groups of neighbouring shifts of a random cyclic order. At first groups have some of the
objects; in a whole group every object stands equally often: what makes one object agree
more than another cancels, and the spread between groups is small. All terms share one
order of groups, and each stops at the first look at which it is known well enough,
whatever else is wanted.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Vector
from concordant.bounded import Bounded
from concordant.catalogue.families import FAMILIES
from concordant.catalogue.lookups import loaded
from concordant.catalogue.terms import Term
from concordant.catalogue.values import T_NORMS
from concordant.errors import InputError, Keyword, Setting
from concordant.exact import rounded
from concordant.execution.checkpoint import open_sample
from concordant.execution.progress import Estimate, Watch
from concordant.execution.run import Run
from concordant.measures.tables.pair_table import PairTable
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
from concordant.pairs.grid import Grid
from concordant.pairs.pair_terms import PairTerms, WantedTerms
from concordant.pairs.sampling import (
    DEFAULT_TOL,
    Groups,
    half_width,
    tasks_of_looks,
)
from concordant.pairs.side import Side
from concordant.pairs.strata import Strata, strata
from concordant.partition.partition import Partition
from concordant.storage.archive import Archive

_WEIGHT_BITS = 60  # of the weights of all pairs together
_COARSE = 1 << 10  # cells in which each group is kept, for the spread between groups


def sampled_terms(
    P: Partition, Q: Partition, wanted: WantedTerms, run: Run, watch: Watch
) -> PairTerms:
    """Estimate what is wanted, with half widths of 95 % confidence intervals."""
    for term in (term for term in wanted.sums if term.what != "table"):
        raise InputError(
            f"{term} takes all pairs of objects; leave out ",
            Keyword("tol"),
            " and ",
            Setting("method", "sampled"),
        )
    tol = DEFAULT_TOL if run.tol is None else float(run.tol)
    sides = Side(P, wanted.value), Side(Q, wanted.value)
    rng = run.generator()
    # By the halves of L1 distances, whatever the value: so the order is the same.
    divided = strata(Side(P, "l1").columns, Side(Q, "l1").columns, rng)
    groups = Groups(len(divided.others), rng)
    terms: list[_Sampled] = [
        SampledAgreement((Side(P, each.value), Side(Q, each.value)), divided, groups)
        for each in (wanted, *wanted.others)
        if each.discordance or each.distributions
    ]
    terms += [SampledTable(term, divided, groups) for term in wanted.sums]
    job = open_sample(run.checkpoint, _job_name(wanted), (P, Q), run.random_state)
    all_folds = [fold for term in terms for fold in term.folds]
    known = known_of_objects(sides, all_folds)
    arrays = [divided.laid_out(columns) for columns in known.values()]
    empty = [fold.empty() for fold in all_folds]
    tasks = ((bands,) for bands in divided.rare_bands())
    for parts in run.engine.run(fold_bands, (*arrays, list(known), empty), tasks):
        for fold, part in zip(all_folds, parts, strict=True):
            fold.merge(part)
    if job.kept is not None:
        with job.resuming():
            resume_all(terms, job.kept.facts["terms"], job.kept.arrays)

    def state() -> Archive:
        facts, arrays = states(terms)
        return Archive({"terms": facts}, arrays)

    waiting, n_tasks = terms, 0
    with job.keeping(state):
        for tasks_of_look in tasks_of_looks(len(groups), len(divided.others)):
            before, n_tasks = n_tasks, n_tasks + len(tasks_of_look)
            behind = [term for term in waiting if term.n_tasks < n_tasks]
            first = min((term.n_tasks for term in behind), default=n_tasks)
            folds = [fold.empty() for term in behind for fold in term.folds]
            left = tasks_of_look[first - before :]
            todo = ((divided.shifted(groups.bands(*task)),) for task in left)
            given = (*arrays, list(known), folds)
            runs = zip(left, run.engine.run(fold_bands, given, todo), strict=True)
            for number, ((group, *_), parts) in enumerate(runs, first):
                with job.changing():
                    _share_out(behind, parts, number, group)
                job.offer(state)
                watch.tell(max(term.n_pairs for term in terms), terms[0].look)
            # A term that an earlier run took further is looked at where that stopped.
            waiting = [
                term
                for term in waiting
                if term.n_tasks > n_tasks or term.look().error > tol
            ]
            if not waiting:
                break
    return _found(P, wanted.value, terms)


def _share_out(
    terms: "list[_Sampled]", parts: list[Any], number: int, group: int
) -> None:
    """Add the folds of a task to the terms that have not had it."""
    left = iter(parts)
    for term in terms:
        own = [*islice(left, len(term.folds))]
        if term.n_tasks == number:
            term.add(own, group)


def _found(P: Partition, value: str, terms: "list[_Sampled]") -> PairTerms:
    tables = {t.term: t.table() for t in terms if isinstance(t, SampledTable)}
    others = {
        t.sides[0].value: t.terms() for t in terms if isinstance(t, SampledAgreement)
    }
    pairs = max((table.n_sampled or 0 for table in tables.values()), default=0)
    own = others.pop(value, None) or PairTerms(P.n_objects, "sampled", pairs)
    return replace(own, sums=tables, others=others)


def _job_name(wanted: WantedTerms) -> str:
    parts = ["agreement"] if wanted.discordance or wanted.distributions else []
    others = map(_job_name, wanted.others)
    return f"{wanted.value}: " + ", ".join((*parts, *map(str, wanted.sums), *others))


class _Sampled:
    """
    What comes from the groups of a sample, and how many tasks were taken in.

    `folds` hold the pairs with a rare object. Of each group exact `sums` are kept, and
    its values in few `cells` if they matter.
    """

    def __init__(self, folds: list[Any], divided: Strata, groups: Groups) -> None:
        self.folds, self.divided, self.groups = folds, divided, groups
        self.sums: list[ExactSums] = []
        self.cells: list[Vector] = []
        self.n_tasks = 0

    def add(self, parts: Sequence[Any], group: int) -> None:
        """Add the folds of more objects of a group, or of the next group."""
        sums, cells = parts[0], self.in_few_cells(parts[1:])
        if group == len(self.sums):
            self.sums.append(sums)
            self.cells.append(cells)
        else:
            self.sums[group].merge(sums)
            self.cells[group] += cells
        self.n_tasks += 1

    def in_few_cells(self, cells: Sequence[Cells]) -> Vector:
        """Return counts and sums of values in few cells, of P and then of Q."""
        return np.concatenate([np.empty(0), *map(_coarse, cells)])

    @property
    def weights(self) -> list[int]:
        """The number of pairs of each group."""
        return [sums.n_pairs for sums in self.sums]

    @property
    def n_pairs(self) -> int:
        """The number of pairs that were visited."""
        return self.divided.n_rare_pairs + sum(self.weights)

    def look(self) -> Estimate:
        """Return the index that the sample is for, with its error."""
        raise NotImplementedError

    def width(self, residuals: Sequence[float], largest: float) -> float:
        """Return the half width from what groups say, as `half_width` explains it."""
        weights = self.weights
        part = sum(weights) / self.groups.n_pairs(len(weights))
        # While groups lack objects, those that they have come with several others.
        times = math.sqrt(1.0 + (1.0 - part) * self.groups.width**2)
        return half_width(residuals, weights, self.divided.n_pairs, largest, times)

    def state(self) -> tuple[Any, dict[str, NDArray[Any]]]:
        """Return what a file can keep."""
        said = [sums.state()[0] for sums in self.sums]
        return [self.n_tasks, *said], {"cells": np.array(self.cells)}

    def resume(self, facts: Any, arrays: dict[str, NDArray[Any]]) -> None:
        """Take up what a file kept."""
        self.n_tasks, *said = facts
        self.sums = [self.folds[0].empty() for _ in said]
        resume_all(self.sums, said, {})
        self.cells = [*arrays["cells"]]


class SampledAgreement(_Sampled):
    """d, E[d] and ACI from the groups of a sample."""

    def __init__(
        self, sides: tuple[Side, Side], divided: Strata, groups: Groups
    ) -> None:
        value = sides[0].value
        cells = (Cells(value, number, side.grid) for number, side in enumerate(sides))
        super().__init__([Difference(value), *cells], divided, groups)
        self.sides = sides
        self.reach = sides[0].reach(divided)
        self.totals = [fold.empty() for fold in self.folds]

    def add(self, parts: Sequence[Any], group: int) -> None:
        """Add folds to the totals, and to a group."""
        for total, part in zip(self.totals, parts, strict=True):
            total.merge(part)
        super().add(parts, group)

    def state(self) -> tuple[Any, dict[str, NDArray[Any]]]:
        """Return what a file can keep."""
        facts, arrays = states(self.totals)
        said, cells = super().state()
        return [facts, said], arrays | cells

    def resume(self, facts: Any, arrays: dict[str, NDArray[Any]]) -> None:
        """Take up what a file kept."""
        totals, groups = facts
        resume_all(self.totals, totals, arrays)
        super().resume(groups, arrays)

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
        divided, sides = self.divided, self.sides
        n = len(divided.rare) + len(divided.others)
        m = n * (n - 1) // 2
        share = divided.n_pairs / m
        F, G = self._distributions()
        bins = expected_difference(F, G)
        e = bins.value
        sampled, rare = self.totals[0], self.folds[0]
        d = share * sampled.mean
        if rare.n_pairs:
            d += (1.0 - share) * rare.mean
        if sampled.n_pairs == divided.n_pairs:
            d = rounded(sampled.sums[0] + rare.sums[0]) / m
        of_d, of_e = self._residuals(F, G)

        def width(residuals: Vector, largest: float) -> float:
            return self.width((share * residuals).tolist(), share * largest)

        # How far a pair can be from the mean of these: in |x - y|, and in the mean of
        # |x - Y| + |X - y|, which no more than x and y themselves can differ in.
        in_p, in_q, apart = self.reach
        furthest = max(sampled.mean, apart - sampled.mean)
        rounding = sides[0].rounding(F.average) + sides[1].rounding(G.average)
        rounding += sampled.error + rare.error
        d_width = width(of_d, furthest)
        e_width = width(of_e, in_p + in_q)
        found = PairTerms(
            n,
            "sampled",
            self.n_pairs,
            Bounded(d, d_width + rounding),
            (F, G),
            expected=Bounded(e, e_width + bins.error),
        )
        if e_width + bins.error >= e:
            return found
        # d and E[d] are off together: ACI by the difference of the two. To first order;
        # what E[d] is off by itself enters as a factor.
        ratio = d / e
        largest = largest_residual(in_p, in_q, apart, ratio)
        error = width((ratio * of_e - of_d) / e, largest / e) / (1.0 - e_width / e)
        error += (rounding + ratio * bins.error) / (e - bins.error)
        return replace(found, ratio_error=error)

    def _distributions(self) -> tuple[Distribution, Distribution]:
        """Return the distributions over all pairs: a sampled one stands for several."""
        found = []
        for number, side in enumerate(self.sides, start=1):
            rare, sampled = self.folds[number], self.totals[number]
            unit, weight = self._weights(sampled.n_pairs)
            F = side.grid.distribution(
                unit * rare.counts + weight * sampled.counts,
                float(unit) * rare.places + float(weight) * sampled.places,
            )
            found.append(side.displaced(F))
        return found[0], found[1]

    def _weights(self, n_sampled: int) -> tuple[int, int]:
        """Return whole weights of pairs with a rare object, and of sampled ones."""
        n_pairs = self.divided.n_pairs
        bits = _WEIGHT_BITS - (self.divided.n_rare_pairs + n_pairs).bit_length()
        # The nearest fraction with a denominator d is off by less than 1 / d^2.
        weight = Fraction(n_pairs, n_sampled).limit_denominator(1 << max(0, bits))
        return weight.denominator, weight.numerator

    def _residuals(self, F: Distribution, G: Distribution) -> tuple[Vector, Vector]:
        """Return how far d and E[d] of each group are from the mean, to first order."""
        weights = np.array(self.weights, np.float64)
        of_d = np.array([rounded(sums.sums[0]) for sums in self.sums]) / weights
        of_e = np.zeros(len(weights))
        cells = np.array(self.cells).reshape(len(weights), -1)
        split = 2 * _n_coarse(self.sides[0].grid)
        for part, other in ((cells[:, :split], G), (cells[:, split:], F)):
            counts, sums = np.split(part, 2, axis=1)
            means = np.divide(sums, counts, out=0.0 * sums, where=counts > 0.0)
            distances = other.mean_distance(means.ravel()).reshape(means.shape)
            of_e += (counts * distances).sum(axis=1) / weights
        weights /= weights.sum()
        return of_d - weights @ of_d, of_e - weights @ of_e


def _n_coarse(grid: Grid) -> int:
    """Return into how many cells those of a grid are put together."""
    return -(-grid.n_cells // -(-grid.n_cells // _COARSE))


def _coarse(cells: Cells) -> Vector:
    """Return counts, and then sums, of values in few cells."""
    cells.done()
    counts = cells.counts
    sums = counts * cells.grid.means(counts, cells.places)
    at = np.arange(0, len(counts), -(-len(counts) // _COARSE))
    return np.concatenate([np.add.reduceat(x, at) for x in (counts, sums)])


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

    def __init__(self, term: Term, divided: Strata, groups: Groups) -> None:
        super().__init__([PairSums(term)], divided, groups)
        self.term = term

    def look(self) -> Estimate:
        """Return the adjusted Rand index with its error."""
        table = self.table()
        return Estimate(table.adjusted_rand, table.error)

    def table(self) -> PairTable:
        """Return the table of all pairs, from those with rare objects and groups."""
        rare, m = self.folds[0], self.divided.n_pairs
        total = self.folds[0].empty()
        for group in self.sums:
            total.merge(group)
        seen, n_sampled = total.n_pairs, self.n_pairs
        family, t_norm = self.term.of, self.term.t_norm
        if seen == m:
            total.merge(rare)
            a, b, c, d = map(rounded, total.sums)
            return PairTable(a, b, c, d, family, t_norm, n_sampled=n_sampled)
        known = np.array([rounded(x) for x in rare.sums])
        sums = np.array([rounded(x) for x in total.sums])

        def table(sums: Vector, n_pairs: int) -> PairTable:
            a, b, c, d = (known + sums / n_pairs * m).tolist()
            return PairTable(a, b, c, d, family, t_norm)

        whole = table(sums, seen)
        if len(self.sums) < 2:  # which tell nothing of their spread
            return replace(whole, error=np.inf, n_sampled=n_sampled)
        # One pair more of these, wholly of one of the four kinds, or one kind added.
        others = [table(sums + kind, seen + 1) for kind in np.eye(4)]
        added = [table(sums + kind, seen) for kind in np.eye(4)]
        options = () if t_norm is None else (T_NORMS[t_norm],)
        reach = loaded(FAMILIES[family].reach)(self.divided, *options)
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
            slopes = [abs(getattr(more, statistic) - value) for more in added]
            largest = min((seen + 1) * farthest, seen * float(np.dot(slopes, reach)))
            widths.append(self.width(residuals, largest))
        return replace(whole, error=max(widths), n_sampled=n_sampled)
