"""Two fuzzy partitions of any size: all pairs once, their dissimilarities in bins."""

import math
import threading
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from concordant.agreement.grid import (
    PLACE_BITS,
    Crowd,
    Grid,
    Histogram,
    crowd_of,
    estimated_error,
    expected_difference,
    fitted_grid,
)
from concordant.agreement.result import RELATIVE_ERROR, Concordance, assemble
from concordant.bands import Band, all_bands, bands_per_task, tasks, unrolled
from concordant.engine import Engine
from concordant.partition import Partition
from concordant.progress import Watch

Vector = NDArray[np.float64]
Counts = NDArray[np.int64]
Bins = NDArray[np.uint64]

# Bits, segments and the part of the error aimed at of grids for the first pass, from
# the fastest on: segments take time, and so do more bins than the cache holds.
_FIRST = ((16, 1, 0.5), (14, 4, 0.25), (16, 8, 0.5))
_FINER = ((18, 16), (20, 16), (20, 64), (20, 64))  # bits and segments of later passes
_SAMPLE = 1 << 12


@dataclass
class BandSums:
    """
    What bands of pairs add up to; grows by merging.

    Parameters
    ----------
    differences : list of float
        The sum of |x - y| over each band, where x and y are L1 distances.
    counts_p, counts_q : ndarray of int
        How many distances lie in each cell.
    places_p, places_q : ndarray of int
        The sums of their places within it.
    squares_p, squares_q : ndarray, optional
        The sums of their squared places.
    """

    differences: list[float]
    counts_p: Counts
    counts_q: Counts
    places_p: Counts
    places_q: Counts
    squares_p: Vector | None = None
    squares_q: Vector | None = None

    @classmethod
    def nothing(cls, grid: Grid, squares: bool = False) -> "BandSums":
        """Start with no pair."""
        size = grid.n_cells
        a, b, c, d = (np.zeros(size, dtype=np.int64) for _ in range(4))
        if not squares:
            return cls([], a, b, c, d)
        return cls([], a, b, c, d, np.zeros(size), np.zeros(size))

    @classmethod
    def of(
        cls, p: Vector, q: Vector, grid: Grid, squares: bool, bands: list[Band]
    ) -> "BandSums":
        """Add up some bands of unrolled memberships."""
        from concordant.kernels import band_bins, most_additions, read_bins

        sums = cls.nothing(grid, squares)
        bins_p, bins_q = _empty_bins(grid.cell_bits)
        added = 0
        for band in bands:
            if added + band.n_pairs > most_additions(grid.cell_bits):
                read_bins(bins_p, grid.cell_bits, sums.counts_p, sums.places_p)
                read_bins(bins_q, grid.cell_bits, sums.counts_q, sums.places_q)
                added = 0
            difference = band_bins(
                p, q, *band, grid.slope, *grid.bumps, grid.cell_bits, bins_p, bins_q
            )
            sums.differences.append(difference)
            added += band.n_pairs
            for columns, total in ((p, sums.squares_p), (q, sums.squares_q)):
                if total is not None:
                    total += _squares(columns, grid, band)
        read_bins(bins_p, grid.cell_bits, sums.counts_p, sums.places_p)
        read_bins(bins_q, grid.cell_bits, sums.counts_q, sums.places_q)
        return sums

    def merge(self, other: "BandSums") -> None:
        """Take in what other bands add up to."""
        self.differences += other.differences
        self.counts_p += other.counts_p
        self.counts_q += other.counts_q
        self.places_p += other.places_p
        self.places_q += other.places_q
        if self.squares_p is not None and other.squares_p is not None:
            self.squares_p += other.squares_p
        if self.squares_q is not None and other.squares_q is not None:
            self.squares_q += other.squares_q

    def histogram(self, grid: Grid) -> Histogram:
        """Give the bins as a histogram."""
        unit = 2.0 ** -(PLACE_BITS - grid.cell_bits)
        return Histogram(
            self.counts_p,
            self.counts_q,
            self.places_p.astype(np.float64) * unit,
            self.places_q.astype(np.float64) * unit,
            unit,
            self.squares_p,
            self.squares_q,
        )


def binned_pairs(
    P: Partition, Q: Partition, engine: Engine, watch: Watch
) -> Concordance:
    """
    Compute the concordance by one pass over all pairs, in memory O(n K).

    Parameters
    ----------
    P, Q : Partition
        Partitions of the same objects.
    engine : Engine
        Where bands of pairs are visited.
    watch : Watch
        Told how far it is.

    Returns
    -------
    Concordance
        d is exact up to rounding. E[d] carries a certified error, of at most 1e-9 in
        relation to it: where one grid is too coarse, further passes take finer ones.

    Notes
    -----
    O(n² (K + L)) time. The bins hold integers and the sums of bands are added exactly,
    so that the result does not depend on the number of threads.
    """
    p, q = unrolled(P.columns()), unrolled(Q.columns())
    n = P.n_objects
    m = n * (n - 1) // 2
    upper = max(upper_bound(P), upper_bound(Q))
    if upper == 0.0:
        return assemble(0.0, 0.0, n_objects=n, method="binned")
    grid = first_grid(P.columns(), Q.columns(), upper)
    sums = _sum_of_bands(p, q, grid, False, n, engine, watch)
    discordance = math.fsum(sums.differences) / (2 * m)
    expected, error = expected_difference(grid, sums.histogram(grid))
    for cell_bits, most_segments in _FINER:
        if error <= RELATIVE_ERROR * expected:
            break
        crowd, target = crowd_of(grid, sums.histogram(grid)), RELATIVE_ERROR * expected
        grid = fitted_grid(crowd, upper, cell_bits, most_segments, target / 4)
        sums = _sum_of_bands(p, q, grid, True, n, engine, watch)
        expected, error = expected_difference(grid, sums.histogram(grid))
    return assemble(
        discordance,
        expected / 2,
        n_objects=n,
        method="binned",
        expected_discordance_error=error / 2,
    )


def upper_bound(partition: Partition) -> float:
    """
    Bound the L1 distance of two objects.

    Parameters
    ----------
    partition : Partition
        A crisp or fuzzy one.

    Returns
    -------
    float
        The sum of the ranges of its clusters, or twice the largest sum of a row.
    """
    columns = partition.columns()
    ranges = float((columns.max(axis=1) - columns.min(axis=1)).sum())
    return min(ranges, 2.0 * float(columns.sum(axis=0).max()))


def first_grid(p: Vector, q: Vector, upper: float) -> Grid:
    """
    Choose a grid from a sample of pairs.

    Parameters
    ----------
    p, q : ndarray of shape (K, n) and (L, n)
        Memberships.
    upper : float
        The largest L1 distance.

    Returns
    -------
    Grid
        The fastest that will do.
    """
    # Always the same pairs: the bits of the result depend on the data alone.
    rng = np.random.default_rng(0)
    i = rng.integers(p.shape[1], size=_SAMPLE)
    j = (i + rng.integers(1, p.shape[1], size=_SAMPLE)) % p.shape[1]
    x = np.abs(p[:, i] - p[:, j]).sum(axis=0)
    y = np.abs(q[:, i] - q[:, j]).sum(axis=0)
    places = np.concatenate((x, y))
    order = np.argsort(places, kind="stable")
    share = np.repeat([1.0 / _SAMPLE, 0.0], _SAMPLE)
    crowd = Crowd(places[order], share[order], share[::-1][order])
    error = RELATIVE_ERROR * crowd.expected_difference
    for cell_bits, most_segments, part in _FIRST:
        grid = fitted_grid(crowd, upper, cell_bits, most_segments, part * error)
        if estimated_error(grid, crowd) <= part * error:
            break
    return grid


def _sum_of_bands(
    p: Vector,
    q: Vector,
    grid: Grid,
    squares: bool,
    n: int,
    engine: Engine,
    watch: Watch,
) -> BandSums:
    total = BandSums.nothing(grid, squares)
    arrays = (p, q, grid, squares)
    for part in engine.run(BandSums.of, arrays, tasks(all_bands(n), bands_per_task(n))):
        total.merge(part)
        watch.tell(int(total.counts_p.sum()), lambda: _aci_so_far(total, grid))
    return total


def _aci_so_far(sums: BandSums, grid: Grid) -> float:
    expected, _ = expected_difference(grid, sums.histogram(grid))
    d = math.fsum(sums.differences) / int(sums.counts_p.sum())
    return 1.0 - d / expected if expected > 0.0 else 1.0


_of_this_thread = threading.local()


def _empty_bins(cell_bits: int) -> tuple[Bins, Bins]:
    """Give this thread's bins, which `read_bins` left empty."""
    from concordant.kernels import EXPONENT

    if getattr(_of_this_thread, "cell_bits", None) != cell_bits:
        # Those before the first cell stay untouched, and so take no memory.
        size = (EXPONENT + 1) << cell_bits
        _of_this_thread.bins = np.zeros(size, np.uint64), np.zeros(size, np.uint64)
        _of_this_thread.cell_bits = cell_bits
    bins: tuple[Bins, Bins] = _of_this_thread.bins
    return bins


def _squares(columns: Vector, grid: Grid, band: Band) -> Vector:
    from concordant.kernels import band_squares

    squares = np.zeros(grid.n_cells, dtype=np.uint64)
    band_squares(columns, *band, grid.slope, *grid.bumps, grid.cell_bits, squares)
    return squares.astype(np.float64) * 4.0 ** -(PLACE_BITS - grid.cell_bits)
