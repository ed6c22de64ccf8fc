"""Two partitions of any size: as many pairs as the wanted precision takes."""

import math
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from concordant.agreement.band_sums import BandSums
from concordant.agreement.binned_pairs import added_up, first_grid
from concordant.agreement.grid import (
    Grid,
    Histogram,
    expected_difference,
    mean_distances,
)
from concordant.agreement.result import Concordance, assemble
from concordant.agreement.scaling import Scaled, scaled
from concordant.exact import rounded
from concordant.execution.checkpoint import Job
from concordant.execution.engine import Engine
from concordant.execution.progress import Estimate, Watch
from concordant.pairs.sampling import half_width, looks
from concordant.pairs.strata import Strata, strata
from concordant.partition.partition import Partition
from concordant.storage.archive import Archive
from concordant.terms.table_sums import NO_TABLES

Vector = NDArray[np.float64]

_COARSE = 1 << 10  # cells in which each group is kept, for the spread between groups


class _Outline(NamedTuple):
    """What is kept of a group: sums, and its distances in few cells."""

    difference: float
    n_pairs: int
    counts_p: Vector
    counts_q: Vector
    sums_p: Vector
    sums_q: Vector


def sampled_pairs(
    P: Partition,
    Q: Partition,
    *,
    tol: float,
    rng: np.random.Generator,
    engine: Engine,
    watch: Watch,
    job: Job,
    most_groups: float = math.inf,
) -> Concordance | None:
    """
    Estimate the concordance from pairs of all with a few, and bands of the others.

    Parameters
    ----------
    P, Q : Partition
        Partitions of the same objects.
    tol : float
        The half width of the 95 % confidence interval of ACI at which to stop.
    rng : numpy.random.Generator
        Where the order comes from.
    engine : Engine
        Where bands of pairs are visited.
    watch : Watch
        Told how far it is.
    job : Job
        Where what is done is kept.
    most_groups : float, default=inf
        How many more groups of shifts are worth visiting.

    Returns
    -------
    Concordance or None
        Whose errors are half widths of 95 % confidence intervals. If the precision
        takes all pairs, and there are few, it is the exact one. None if a look shows
        that all groups are needed, or more than are worth it: other algorithms visit
        all pairs sooner.

    Notes
    -----
    The pairs of the rare objects, see `strata`, are visited first, all of them. Every
    group of shifts meets every one of the others equally often, so that what makes one
    object agree more than another cancels, and the spread between groups is small.
    """
    n, data = P.n_objects, scaled(P, Q)
    if data.upper == 0.0:
        return assemble(0.0, 0.0, n_objects=n, method="sampled")
    parts = strata(data.p, data.q, rng)
    p, q = parts.laid_out(data.p), parts.laid_out(data.q)
    grid = first_grid(data.p, data.q, data.upper)
    none = np.empty((2, 0, p.shape[1]))
    arrays = (p, q, *none, grid, False, NO_TABLES, data.sparse)
    listed = parts.groups(rng)
    sample = _Sample(grid, parts, data)
    for part in engine.run(
        BandSums.of, arrays, ((bands,) for bands in parts.rare_bands())
    ):
        sample.rare.merge(part)
    if job.kept is not None:
        sample.take_up(job.kept)
    with job.keeping(sample.to_archive):
        for look in looks(len(listed)):
            tiles = ((group,) for group in listed[len(sample.outlines) : look])
            for part in engine.run(BandSums.of, arrays, tiles):
                with job.changing():
                    sample.add(part)
                job.offer(sample.to_archive)
                watch.tell(sample.n_pairs, sample.aci)
            if len(sample.outlines) > look:
                continue  # an earlier run went on from there
            result = sample.estimate()
            if result.error <= tol:
                break
            needed = sample.groups_needed(tol, len(listed))
            if needed > most_groups or needed == len(listed) - look > 0:
                return None
    return result


class _Sample:
    """The pairs that were visited, and what follows from them."""

    def __init__(self, grid: Grid, parts: Strata, data: Scaled) -> None:
        self.grid, self.parts, self.data = grid, parts, data
        self.rare = BandSums.nothing(grid)
        self.total = BandSums.nothing(grid)
        self.outlines: list[_Outline] = []
        self._spread, self._unseen = math.inf, 0.0  # parts of the width of ACI, squared

    @property
    def n_pairs(self) -> int:
        """How many pairs were visited."""
        return self.rare.n_pairs + self.total.n_pairs

    def add(self, part: BandSums) -> None:
        """Take in another group."""
        self.total.merge(part)
        self.outlines.append(_outline(part, self.grid))

    def estimate(self) -> Concordance:
        """Give the concordance with half widths of 95 % confidence intervals."""
        n, seen = self._n_objects, self.total.n_pairs
        share = self.parts.n_pairs / (n * (n - 1) // 2)
        d, (expected, bin_error) = self._discordance(), self._expected()
        sampled_d = rounded(self.total.difference) / seen
        rare = _outline(self.rare, self.grid)
        d_residuals, e_residuals = _residuals(self.outlines, rare, sampled_d, share)
        weights = [outline.n_pairs for outline in self.outlines]

        def width(residuals: Vector, largest: float) -> float:
            spread = (share * residuals).tolist()
            return half_width(spread, weights, self.parts.n_pairs, share * largest)

        # How far a pair can be from the mean of these: in |x - y|, and in the mean of
        # |x - Y| + |X - y|, which no more than x and y themselves can differ in.
        difference = max(sampled_d, self.parts.largest_difference - sampled_d)
        response = self.parts.largest_p + self.parts.largest_q
        d_width, e_width = width(d_residuals, difference), width(e_residuals, response)
        rounding = self._rounding(d)
        bin_error += rounding
        result = assemble(
            d / 2,
            expected / 2,
            n_objects=n,
            n_pairs=self.n_pairs,
            method="sampled",
            discordance_error=(d_width + rounding) / 2,
            expected_discordance_error=(e_width + bin_error) / 2,
            constant=self.data.one_is_constant,
            exponent=self.data.exponent,
        )
        if e_width + bin_error >= expected or self.data.one_is_constant:
            return result
        # d and E[d] are off together: ACI by the difference of the two.
        ratio = d / expected
        aci_residuals = (ratio * e_residuals - d_residuals) / expected
        parts = self.parts
        bounds = parts.largest_p, parts.largest_q, parts.largest_difference
        largest = largest_residual(*bounds, ratio) / expected
        # To first order; what E[d] is off by itself enters as a factor.
        factor = 1.0 / (1.0 - e_width / expected)
        error = factor * width(aci_residuals, largest)
        self._spread = (factor * width(aci_residuals, 0.0)) ** 2
        self._unseen = error**2 - self._spread
        error += (rounding + ratio * bin_error) / (expected - bin_error)
        return replace(result, error=min(error, result.error))

    def groups_needed(self, tol: float, n_groups: int) -> int:
        """Tell, by the last estimate, how many more groups a tolerance takes."""
        done = len(self.outlines)
        if done == n_groups or not math.isfinite(self._spread):
            return 0  # all were seen, or too few to tell
        for look in looks(n_groups):
            # The spread of a mean goes with 1 / N, what nobody saw with 1 / N².
            share = (n_groups - look) / (n_groups - done)
            part = done / look
            width = share * (self._spread * part + self._unseen * part**2)
            if look > done and width <= tol**2:
                return look - done
        return n_groups - done

    def _rounding(self, d: float) -> float:
        """Bound how far rounding takes |x - y| on average, and the sum of these."""
        histograms = [
            sums.histogram(self.grid)
            for sums in (self.rare, self.total)
            if sums.n_pairs > 0
        ]
        means = zip(
            *(mean_distances(self.grid, one) for one in histograms), strict=True
        )
        return self.data.rounding(*map(max, means)) + added_up(d)

    @property
    def _n_objects(self) -> int:
        return len(self.parts.rare) + len(self.parts.others)

    def _discordance(self) -> float:
        """Give the mean of |x - y| over all pairs, seen or not."""
        n, seen = self._n_objects, self.total.n_pairs
        m = n * (n - 1) // 2
        if seen == self.parts.n_pairs:
            return rounded(self.rare.difference + self.total.difference) / m
        others = rounded(self.total.difference) / seen
        return (rounded(self.rare.difference) + self.parts.n_pairs * others) / m

    def _expected(self) -> tuple[float, float]:
        """Give the mean of |x - y| over all x and y, and a bound of the bins' error."""
        n, rare, total = self._n_objects, self.rare, self.total
        if rare.n_pairs == 0:
            return expected_difference(self.grid, total.histogram(self.grid))
        if total.n_pairs == self.parts.n_pairs:
            whole = BandSums.nothing(self.grid)
            whole.merge(rare)
            whole.merge(total)
            return expected_difference(self.grid, whole.histogram(self.grid))
        # It is linear in the distribution of x, and in that of y.
        share = self.parts.n_pairs / (n * (n - 1) // 2)
        parts = [
            (1.0 - share, rare.histogram(self.grid)),
            (share, total.histogram(self.grid)),
        ]
        expected = error = 0.0
        for share_p, x in parts:
            for share_q, y in parts:
                both = Histogram(
                    x.counts_p, y.counts_q, x.places_p, y.places_q, x.precision
                )
                value, bound = expected_difference(self.grid, both)
                expected += share_p * share_q * value
                error += share_p * share_q * bound
        return expected, error

    def aci(self) -> Estimate:
        """Give ACI by the groups that were visited."""
        found = self.estimate()
        return Estimate(found.aci, found.error)

    def to_archive(self) -> Archive:
        """Give what a file can keep."""
        facts = {
            "difference": self.total.difference,
            "differences": [outline.difference for outline in self.outlines],
            "n_pairs": [outline.n_pairs for outline in self.outlines],
        }
        cells = [outline[2:] for outline in self.outlines]
        coarse = np.array(cells).reshape(-1, 4, _COARSE)
        return Archive(facts, self.total.arrays() | {"coarse": coarse})

    def take_up(self, kept: Archive) -> None:
        """Go on from what a file kept."""
        arrays: dict[str, Any] = dict(kept.arrays)
        coarse = arrays.pop("coarse")
        facts = kept.facts
        self.total = BandSums(sum(facts["n_pairs"]), facts["difference"], **arrays)
        sums = zip(facts["differences"], facts["n_pairs"], strict=True)
        self.outlines = [
            _Outline(difference, n_pairs, *cells)
            for (difference, n_pairs), cells in zip(sums, coarse, strict=True)
        ]


def largest_residual(x: float, y: float, w: float, ratio: float) -> float:
    """
    Bound how much two pairs can differ in what they say of ACI.

    Given are bounds of their distances in P and in Q, and of the difference of these.
    What they say is ``ratio * (mean of |x - Y| + mean of |X - y|) - |x - y|``, and no
    mean changes by more than x or y. If |x - y| changes by w, x and y together change
    by at most twice the largest distance, less w.
    """
    return min(ratio * (x + y) + w, 2 * ratio * max(x, y) + max(0.0, 1.0 - ratio) * w)


def _outline(part: BandSums, grid: Grid) -> _Outline:
    histogram = part.histogram(grid)
    factor = grid.n_cells // _COARSE

    def coarse(cells: NDArray[Any]) -> Vector:
        return np.asarray(cells.reshape(-1, factor).sum(axis=1), dtype=np.float64)

    return _Outline(
        rounded(part.difference),
        part.n_pairs,
        coarse(part.counts_p),
        coarse(part.counts_q),
        coarse(part.counts_p * grid.edges + histogram.places_p * grid.widths),
        coarse(part.counts_q * grid.edges + histogram.places_q * grid.widths),
    )


def _residuals(
    outlines: list[_Outline], rare: _Outline, d: float, share: float
) -> tuple[Vector, Vector]:
    """Tell how far d and E[d] of each group, to first order, are from those of all."""
    seen = sum(outline.n_pairs for outline in outlines)

    def whole(cells: str) -> Vector:
        """Give the distribution of all pairs, of which the groups have a share."""
        total = np.sum([getattr(outline, cells) for outline in outlines], axis=0)
        part = getattr(rare, cells) / max(rare.n_pairs, 1)
        return np.asarray(share * (total / seen) + (1.0 - share) * part)

    # E[d] is linear in either distribution: sum of x (2 G(x) - 1) + ..., by cells
    slope_p, level_p = _response(whole("counts_q"), whole("sums_q"))
    slope_q, level_q = _response(whole("counts_p"), whole("sums_p"))
    d_residuals, e_parts = [], []
    for outline in outlines:
        k = outline.n_pairs
        d_residuals.append(outline.difference / k - d)
        e_parts.append(
            float((slope_p * outline.sums_p + level_p * outline.counts_p).sum()) / k
            + float((slope_q * outline.sums_q + level_q * outline.counts_q).sum()) / k
        )
    weights = np.array([outline.n_pairs for outline in outlines], dtype=np.float64)
    e_residuals = np.array(e_parts)
    e_residuals -= float((weights * e_residuals).sum() / weights.sum())
    return np.array(d_residuals), e_residuals


def _response(counts: Vector, sums: Vector) -> tuple[Vector, Vector]:
    """Give the mean distance of x in each cell to all others as slope x + level."""
    total = counts.sum()
    below = (np.cumsum(counts) - counts) / total
    above = 1.0 - below - counts / total
    sum_below = (np.cumsum(sums) - sums) / total
    sum_above = sums.sum() / total - sum_below - sums / total
    return below - above, sum_above - sum_below
