"""Two partitions of any size: as many pairs as the wanted precision takes."""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from concordant.agreement.band_sums import BandSums
from concordant.agreement.binned_pairs import first_grid
from concordant.agreement.grid import Grid, expected_difference
from concordant.agreement.result import Concordance, assemble
from concordant.agreement.scaling import scaled
from concordant.archive import Archive
from concordant.bands import unrolled
from concordant.checkpoint import Job
from concordant.engine import Engine
from concordant.exact import rounded
from concordant.partition import Partition
from concordant.progress import Estimate, Watch
from concordant.sampling import groups, half_width, looks

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
) -> Concordance:
    """
    Estimate the concordance from bands of shifts of a random cyclic order.

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

    Returns
    -------
    Concordance
        Whose errors are half widths of 95 % confidence intervals. If the precision
        takes all pairs, it is the exact one.

    Notes
    -----
    Every group of shifts meets every object equally often, so that what makes one
    object agree more than another cancels, and the spread between groups is small.
    """
    n, data = P.n_objects, scaled(P, Q)
    if data.upper == 0.0:
        return assemble(0.0, 0.0, n_objects=n, method="sampled")
    order = rng.permutation(n)
    p, q = unrolled(data.p[:, order]), unrolled(data.q[:, order])
    grid = first_grid(data.p, data.q, data.upper)
    listed = groups(n, rng)
    sample = _Sample(grid, n)
    if job.kept is not None:
        sample.take_up(job.kept)
    with job.keeping(sample.to_archive):
        for look in looks(len(listed)):
            tiles = ((group,) for group in listed[len(sample.outlines) : look])
            for part in engine.run(BandSums.of, (p, q, grid, False), tiles):
                with job.changing():
                    sample.add(part)
                job.offer(sample.to_archive)
                watch.tell(sample.total.n_pairs, sample.aci)
            if len(sample.outlines) > look:
                continue  # an earlier run went on from there
            result = sample.estimate()
            if result.error <= tol:
                break
    return result


class _Sample:
    """The groups that were visited, and what follows from them."""

    def __init__(self, grid: Grid, n_objects: int) -> None:
        self.grid, self.n_objects = grid, n_objects
        self.total = BandSums.nothing(grid)
        self.outlines: list[_Outline] = []

    def add(self, part: BandSums) -> None:
        """Take in another group."""
        self.total.merge(part)
        self.outlines.append(_outline(part, self.grid))

    def estimate(self) -> Concordance:
        """Give the concordance with half widths of 95 % confidence intervals."""
        n, outlines = self.n_objects, self.outlines
        m = n * (n - 1) // 2
        seen = self.total.n_pairs
        d = rounded(self.total.difference) / seen
        histogram = self.total.histogram(self.grid)
        expected, bin_error = expected_difference(self.grid, histogram)
        d_residuals, e_residuals = _residuals(outlines, d)
        weights = [outline.n_pairs for outline in outlines]
        d_width = half_width(d_residuals.tolist(), weights, m)
        e_width = half_width(e_residuals.tolist(), weights, m)
        result = assemble(
            d / 2,
            expected / 2,
            n_objects=n,
            n_pairs=seen,
            method="sampled",
            discordance_error=d_width / 2,
            expected_discordance_error=(e_width + bin_error) / 2,
        )
        if expected == 0.0:
            return result
        # d and E[d] are off together: ACI by the difference of the two.
        aci_residuals = (d / expected * e_residuals - d_residuals) / expected
        width = half_width(aci_residuals.tolist(), weights, m)
        binned = d * bin_error / expected**2
        return replace(result, error=width + binned)

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
        arrays = dict(kept.arrays)
        coarse = arrays.pop("coarse")
        facts = kept.facts
        self.total = BandSums(sum(facts["n_pairs"]), facts["difference"], **arrays)
        sums = zip(facts["differences"], facts["n_pairs"], strict=True)
        self.outlines = [
            _Outline(difference, n_pairs, *cells)
            for (difference, n_pairs), cells in zip(sums, coarse, strict=True)
        ]


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


def _residuals(outlines: list[_Outline], d: float) -> tuple[Vector, Vector]:
    """Tell how far d and E[d] of each group, to first order, are from those of all."""
    counts_p = np.sum([outline.counts_p for outline in outlines], axis=0)
    counts_q = np.sum([outline.counts_q for outline in outlines], axis=0)
    sums_p = np.sum([outline.sums_p for outline in outlines], axis=0)
    sums_q = np.sum([outline.sums_q for outline in outlines], axis=0)
    # E[d] is linear in either distribution: sum of x (2 G(x) - 1) + ..., by cells
    slope_p, level_p = _response(counts_q, sums_q)
    slope_q, level_q = _response(counts_p, sums_p)
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
