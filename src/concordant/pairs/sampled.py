"""
Terms of pairs estimated from as many of these as the wanted precision takes.

The pairs of a few rare objects are visited first, all of them. The others come in
groups of neighbouring shifts of a random cyclic order, in which every object stands
equally often: what makes one object agree more than another cancels, and the spread
between groups is small. All terms share one order of groups, and each stops at the
first look at which it is known well enough, whatever else is wanted.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from typing import Any, NamedTuple

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
    PairSums,
    resume_all,
    states,
    whole_numbers,
)
from concordant.pairs.pair_terms import PairTerms, WantedTerms
from concordant.pairs.sampling import DEFAULT_TOL, half_width, looks
from concordant.pairs.side import Side
from concordant.pairs.strata import Strata, strata
from concordant.partition.partition import Partition
from concordant.storage.archive import Archive, checked

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
    listed = divided.groups(rng)
    terms: list[Any] = [
        SampledAgreement((Side(P, each.value), Side(Q, each.value)), divided)
        for each in (wanted, *wanted.others)
        if each.discordance or each.distributions
    ]
    terms += [SampledTable(term, divided) for term in wanted.sums]
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

    seen = np.cumsum([0, *(sum(band.n_pairs for band in group) for group in listed)])
    waiting = list(terms)
    with job.keeping(state):
        for look in looks(len(listed)):
            behind = [term for term in waiting if len(term.groups) < look]
            folds = [fold.empty() for term in behind for fold in term.folds]
            first = min((len(term.groups) for term in behind), default=look)
            todo = ((group,) for group in listed[first:look])
            given = (*arrays, list(known), folds)
            for number, parts in enumerate(run.engine.run(fold_bands, given, todo)):
                with job.changing():
                    _share_out(behind, parts, first + number)
                job.offer(state)
                pairs = divided.n_rare_pairs + int(seen[first + number + 1])
                watch.tell(pairs, terms[0].look)
            # A term that an earlier run took further is looked at where that stopped.
            waiting = [
                term
                for term in waiting
                if len(term.groups) > look or term.look().error > tol
            ]
            if not waiting:
                break
    return _found(P, wanted.value, terms)


def _share_out(terms: list[Any], parts: list[Any], number: int) -> None:
    """Add the folds of a group to the terms that have not had it."""
    left = iter(parts)
    for term in terms:
        own = [*islice(left, len(term.folds))]
        if len(term.groups) == number:
            term.add(own)


def _found(P: Partition, value: str, terms: list[Any]) -> PairTerms:
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


class _Group(NamedTuple):
    """What is kept of a group: its mean difference, and its values in few cells."""

    n_pairs: int
    difference: float
    cells: Sequence[Vector]  # of P and of Q: counts and means


class SampledAgreement:
    """d, E[d] and ACI from the groups of a sample."""

    def __init__(self, sides: tuple[Side, Side], divided: Strata) -> None:
        self.sides, self.divided = sides, divided
        self.reach = sides[0].reach(divided)
        value = sides[0].value
        self.folds: list[Any] = [
            Difference(value),
            *(Cells(value, number, side.grid) for number, side in enumerate(sides)),
        ]
        self.totals = [fold.empty() for fold in self.folds]
        self.groups: list[_Group] = []

    def add(self, parts: Sequence[Any]) -> None:
        """Add the folds of another group."""
        difference, *cells = parts
        for total, part in zip(self.totals, parts, strict=True):
            total.merge(part)
        coarse = [_coarse(part) for part in cells]
        self.groups.append(_Group(difference.n_pairs, difference.mean, coarse))

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
        weights = [group.n_pairs for group in self.groups]
        of_d, of_e = self._residuals(F, G)

        def width(residuals: Vector, largest: float) -> float:
            spread = (share * residuals).tolist()
            return half_width(spread, weights, divided.n_pairs, share * largest)

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
            divided.n_rare_pairs + sampled.n_pairs,
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
        of_d = np.array([group.difference for group in self.groups])
        of_e = np.zeros(len(self.groups))
        for side, other in ((0, G), (1, F)):
            cells = np.array([group.cells[side] for group in self.groups])
            counts, means = cells[:, 0], cells[:, 1]
            distances = other.mean_distance(means.ravel()).reshape(means.shape)
            of_e += (counts * distances).sum(axis=1) / counts.sum(axis=1)
        weights = np.array([group.n_pairs for group in self.groups], np.float64)
        weights /= weights.sum()
        return of_d - weights @ of_d, of_e - weights @ of_e

    def state(self) -> tuple[Any, dict[str, NDArray[Any]]]:
        """Return what a file can keep."""
        totals, arrays = states(self.totals)
        facts = [totals]
        facts += [[group.n_pairs, group.difference] for group in self.groups]
        for side in (0, 1):
            cells = [group.cells[side] for group in self.groups]
            arrays[f"coarse {side}"] = np.array(cells).reshape(len(cells), 2, -1)
        return facts, arrays

    def resume(self, facts: Any, arrays: dict[str, NDArray[Any]]) -> None:
        """Take up what a file kept."""
        totals, *groups = facts
        resume_all(self.totals, totals, arrays)
        coarse = [
            checked(arrays[f"coarse {side}"], np.float64, len(groups), 2, None)
            for side in (0, 1)
        ]
        self.groups = [
            _Group(whole_numbers([n_pairs], 1)[0], float(difference), cells)
            for (n_pairs, difference), *cells in zip(groups, *coarse, strict=True)
        ]
        sizes = [group.n_pairs for group in self.groups]
        numbers = [group.difference for group in self.groups]
        if 0 in sizes or {total.n_pairs for total in self.totals} != {sum(sizes)}:
            raise ValueError("groups of another number of pairs")
        if not np.isfinite(np.concatenate((numbers, *map(np.ravel, coarse)))).all():
            raise ValueError("groups of what are no numbers")


def _coarse(cells: Cells) -> Vector:
    """Return counts and means of values in few cells."""
    cells.done()
    counts, grid = cells.counts, cells.grid
    sums = counts * grid.means(counts, cells.places)
    step = -(-len(counts) // _COARSE)
    at = np.arange(0, len(counts), step)
    n = np.add.reduceat(counts, at).astype(np.float64)
    total = np.add.reduceat(sums, at)
    middle = grid.edges[at]
    return np.stack((n, np.divide(total, n, out=middle.copy(), where=n > 0.0)))


def largest_residual(x: float, y: float, w: float, ratio: float) -> float:
    """
    Bound how much two pairs can differ in what they say of ACI, times E[d].

    Given are bounds of their values in P and Q, and of the difference of these. What
    they say is ``ratio * (mean of |x - Y| + mean of |X - y|) - |x - y|``, and no mean
    changes by more than x or y. If |x - y| changes by w, x and y together change by at
    most twice the largest value, less w.
    """
    return min(ratio * (x + y) + w, 2 * ratio * max(x, y) + max(0.0, 1.0 - ratio) * w)


@dataclass
class SampledTable:
    """A table of a family that is a sum over pairs, from the groups of a sample."""

    term: Term
    divided: Strata

    def __post_init__(self) -> None:
        self.folds: list[Any] = [PairSums(self.term)]
        self.groups: list[PairSums] = []

    def add(self, parts: Sequence[Any]) -> None:
        """Add the folds of another group."""
        self.groups.append(parts[0])

    def look(self) -> Estimate:
        """Return the adjusted Rand index with its error."""
        table = self.table()
        return Estimate(table.adjusted_rand, table.error)

    def table(self) -> PairTable:
        """Return the table of all pairs, from those with rare objects and groups."""
        rare, m = self.folds[0], self.divided.n_pairs
        total = PairSums(self.term)
        for group in self.groups:
            total.merge(group)
        seen = total.n_pairs
        n_sampled = self.divided.n_rare_pairs + seen
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
        if len(self.groups) < 2:  # which tell nothing of their spread
            return replace(whole, error=np.inf, n_sampled=n_sampled)
        # One pair more of these, wholly of one of the four kinds, or one kind added.
        others = [table(sums + kind, seen + 1) for kind in np.eye(4)]
        added = [table(sums + kind, seen) for kind in np.eye(4)]
        options = () if t_norm is None else (T_NORMS[t_norm],)
        reach = loaded(FAMILIES[family].reach)(self.divided, *options)
        weights = [group.n_pairs for group in self.groups]
        parts = [np.array([rounded(x) for x in group.sums]) for group in self.groups]
        widths = []
        for statistic in ("rand", "adjusted_rand"):
            value = getattr(whole, statistic)
            # What the estimate would be without a group tells what the group says.
            residuals = [
                (seen / weight - 1.0)
                * (value - getattr(table(sums - part, seen - weight), statistic))
                for part, weight in zip(parts, weights, strict=True)
            ]
            farthest = max(abs(getattr(other, statistic) - value) for other in others)
            slopes = [abs(getattr(more, statistic) - value) for more in added]
            largest = min((seen + 1) * farthest, seen * float(np.dot(slopes, reach)))
            widths.append(half_width(residuals, weights, m, largest))
        return replace(whole, error=max(widths), n_sampled=n_sampled)

    def state(self) -> tuple[Any, dict[str, NDArray[Any]]]:
        """Return what a file can keep."""
        return [group.state()[0] for group in self.groups], {}

    def resume(self, facts: Any, arrays: dict[str, NDArray[Any]]) -> None:
        """Take up what a file kept."""
        self.groups = []
        for said in facts:
            group = PairSums(self.term)
            group.resume(said, {})
            self.groups.append(group)
