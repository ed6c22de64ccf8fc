"""
Two clusters with two clusters: sorts and convolutions, no pairs.

Half the L1 distance of two objects is |p_i - p_j|, where p is half the difference of
the two memberships, if rows sum to one and the same number. With S(u) the sum of
|u_i - u_j| over all pairs, m d = S(p + q) + S(p - q) - S(p) - S(q), because
||a| - |b|| = |a + b| + |a - b| - |a| - |b|. The distribution of |p_i - p_j| follows
from the counts of p in equal cells: their autocorrelation counts the pairs by the
number of cells between them.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from concordant.arrays import Vector
from concordant.bounded import UNIT_ROUNDOFF, Bounded
from concordant.execution.engine import Engine
from concordant.pairs.distribution import Distribution, expected_difference
from concordant.pairs.grid import RELATIVE_ERROR
from concordant.pairs.pair_terms import PairTerms
from concordant.pairs.sorts import (
    RELATIVE_ROUNDOFF,
    sum_of_absolute_differences,
    weights_of_gaps,
)
from concordant.partition.partition import Partition
from concordant.storage.memory import keep_freed_memory

#: The distribution of |p_i - p_j|, and how far these are off on average.
Differences = tuple[Distribution, float]

_CELLS = (1 << 17, 1 << 20)  # that are tried


class Halves(NamedTuple):
    """
    One number for each object of a partition into two clusters.

    Half the L1 distance of two objects is the larger of |p_i - p_j| and half of
    |s_i - s_j|, s the sum of both memberships. `uneven` bounds the latter, and
    `rounding` how far |p_i - p_j| is off.
    """

    values: Vector
    uneven: float
    rounding: float


class EqualCells(NamedTuple):
    """
    Numbers in cells of equal width: how many, and the sums of their places.

    Places are distances from the lower end of the cell, and `within` is the sum of the
    differences of all pairs in one cell, with its error: both in widths of a cell.
    """

    counts: Vector
    sums: Vector
    within: Bounded
    width: float


def has_two_clusters(partition: Partition) -> bool:
    """Return whether a partition is fuzzy with two clusters that are not empty."""
    if partition.kind != "fuzzy":
        return False
    return int(partition.columns().any(axis=1).sum()) == 2


def halves(partition: Partition) -> Halves:
    """Return p of each object, up to a constant."""
    columns = partition.columns()
    first, second = columns[columns.any(axis=1)]
    # From one end of each: memberships that are close keep all digits of differences.
    first, second = first - first.min(), second - second.max()
    sums = first + second
    width = float(first.max() - second.min())
    uneven = 0.5 * float(sums.max() - sums.min())
    return Halves(0.5 * (first - second), uneven, 8.0 * UNIT_ROUNDOFF * width)


def two_clusters(P: Partition, Q: Partition, engine: Engine) -> PairTerms:
    """Return d and the distributions of two partitions that `has_two_clusters`."""
    keep_freed_memory()
    p, q = halves(P), halves(Q)
    signs = ((1, 0), (0, 1), (1, 1), (1, -1))
    weights = weights_of_gaps(np.array([P.n_objects]))
    sums = engine.run(_sum_of, (p.values, q.values, weights), signs)
    ranges = float(np.ptp(p.values)) + float(np.ptp(q.values))

    def distributions(n_cells: int) -> Iterable[Differences]:
        return engine.run(_distribution, (), ((p, n_cells), (q, n_cells)))

    return two_clusters_terms(
        P.n_objects,
        [Bounded(S, RELATIVE_ROUNDOFF * S) for S in sums],
        4.0 * UNIT_ROUNDOFF * ranges,  # sums and differences of p and q
        distributions,
    )


def two_clusters_terms(
    n_objects: int,
    sums: Sequence[Bounded],
    rounding: float,
    distributions: Callable[[int], Iterable[Differences]],
) -> PairTerms:
    """
    Return d and the distributions from S of p, q, p + q and p - q.

    `rounding` bounds how far off a value of p + q or p - q is, and `distributions`
    returns those of |p_i - p_j| and |q_i - q_j| by at most so many cells.
    """
    m = n_objects * (n_objects - 1) // 2
    S_p, S_q, plus, minus = (S.value for S in sums)
    d = max(math.fsum((plus, minus, -S_p, -S_q)), 0.0) / m
    for n_cells in _CELLS:
        (F, moved_p), (G, moved_q) = distributions(n_cells)
        found = expected_difference(F, G)
        if found.error <= RELATIVE_ERROR * found.value:
            break
    error = math.fsum(S.error for S in sums) / m + rounding
    error += moved_p + moved_q + 4.0 * UNIT_ROUNDOFF * d
    return PairTerms(
        n_objects, "two-clusters", m, Bounded(d, error), (F, G), expected=found
    )


def _sum_of(p: Vector, q: Vector, weights: Vector, of_p: int, of_q: int) -> float:
    """Sum the differences of a combination of p and q over all pairs."""
    ordered = np.sort(of_p * p + of_q * q)
    # The same bits for q - p as for p - q.
    middles = ordered + ordered[::-1]
    if middles[(middles != 0.0).argmax()] < 0.0:
        ordered = -ordered[::-1]
    return sum_of_absolute_differences(ordered, weights)


def _distribution(numbers: Halves, n_cells: int) -> Differences:
    """Return the distribution of |p_i - p_j| over all pairs."""
    p = np.sort(numbers.values)
    low, reach, n = float(p[0]), float(p[-1] - p[0]), len(p)
    width = reach / n_cells
    if width == 0.0:
        return all_alike(n, numbers.uneven + numbers.rounding + reach)
    at = (p - low) / width
    cells = np.minimum(at.astype(np.int64), n_cells - 1)
    places = at - cells
    counts = np.bincount(cells, minlength=n_cells).astype(np.float64)
    sums = np.bincount(cells, places, minlength=n_cells).astype(np.float64)
    # Two objects of one cell: places in order, each with how many are below and above.
    starts = np.cumsum(counts) - counts
    rank = np.arange(n) - starts[cells]
    within = float(((2.0 * rank - counts[cells] + 1.0) * places).sum())
    rounding = numbers.rounding + 4.0 * UNIT_ROUNDOFF * reach
    cells_of_numbers = EqualCells(counts, sums, Bounded(within, 0.0), width)
    return distribution_of_differences(cells_of_numbers, numbers.uneven, rounding)


def distribution_of_differences(
    cells: EqualCells, uneven: float, rounding: float
) -> Differences:
    """
    Return the distribution of |p_i - p_j| over all pairs, from equal cells.

    `uneven` and `rounding` are as in `Halves`.
    """
    counts, width = cells.counts, cells.width
    n, reach = int(counts.sum()), len(counts) * width
    total = n * (n - 1) // 2
    pairs, distances, lost = _by_lag(counts, cells.sums)
    pairs[0] = float((counts * (counts - 1.0)).sum()) / 2.0
    distances[0] = cells.within.value
    # Only where |p_i - p_j| is smaller does half of |s_i - s_j| count.
    n_near = min(int(uneven / width) + 3, len(counts))
    near = float(pairs[:n_near].sum()) + 2.0 * lost * n_near
    moved = rounding + uneven * min(1.0, near / total)
    held = np.flatnonzero(pairs > 0.5)
    lag, share = held.astype(np.float64), distances[held] / pairs[held]
    ends = np.maximum(lag - 1.0, 0.0) * width, (lag + 1.0) * width
    mean = np.clip((lag + share) * width, *ends)
    # Pairs that rounding may have put elsewhere, and sums of places.
    lost = (abs(float(pairs.sum()) - total) + lost * len(counts)) * reach
    lost += (rounding_of_sums(counts) * held.size + cells.within.error) * width
    whole = np.rint(pairs[held]).astype(np.int64)
    whole[whole.argmax()] += total - int(whole.sum())
    return Distribution(whole, *ends, mean, moved + lost / total), moved


def all_alike(n: int, moved: float) -> Differences:
    """Return what equal numbers of n objects give."""
    pairs = np.array([n * (n - 1) // 2])
    return Distribution.of_values(np.zeros(1), pairs, moved), moved


def _by_lag(counts: Vector, sums: Vector) -> tuple[Vector, Vector, float]:
    """
    Return the pairs, and sums of their distances beyond whole cells, by their lag.

    Counts are whole numbers and rounded to these; the last is how far they may be off
    where rounding of the transforms is too large for that.
    """
    n_cells = len(counts)
    a, b = (np.fft.rfft(z, 2 * n_cells) for z in (counts, sums))
    pairs = np.fft.irfft(a * a.conj())[:n_cells]
    ahead = np.fft.irfft(a.conj() * b)[:n_cells]
    behind = np.fft.irfft(b.conj() * a)[:n_cells]
    lost = rounding_of_sums(counts)
    if lost < 0.4:
        return np.rint(pairs), ahead - behind, 0.0
    return np.where(pairs > lost, pairs, 0.0), ahead - behind, lost


def rounding_of_sums(counts: Vector) -> float:
    """Bound the rounding of an entry of a correlation by fast Fourier transforms."""
    # Each of three transforms loses a few units for each of its levels, in the norm.
    levels = math.log2(2 * len(counts))
    return 12.0 * levels * UNIT_ROUNDOFF * float(counts @ counts)
