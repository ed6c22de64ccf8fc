"""Two clusters with two clusters: sorts and one convolution, no pairs."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from concordant.agreement.result import RELATIVE_ERROR, Concordance, assemble
from concordant.agreement.spread import spread
from concordant.engine import Engine
from concordant.partition import Partition

Vector = NDArray[np.float64]

_GRIDS = (20, 22)  # bits of the grids that are tried
_MOST_SUMS = 1 << 22  # distinct sums p_i + q_k that are sorted rather than binned
_REACH = 8  # cells that linear splitting can bring two sums closer or apart


def has_two_clusters(partition: Partition) -> bool:
    """
    Tell whether a partition is fuzzy and has two clusters that are not empty.

    Parameters
    ----------
    partition : Partition
        Any partition.

    Returns
    -------
    bool
        Whether it has.
    """
    return partition.kind == "fuzzy" and len(_occupied(partition)) == 2


def unevenness(partition: Partition) -> float:
    """
    Tell how far the sums of rows are from each other.

    Parameters
    ----------
    partition : Partition
        A fuzzy one.

    Returns
    -------
    float
        The largest minus the smallest sum, which bounds twice the error of taking half
        the difference of two memberships for the one number that determines both.
    """
    sums = partition.columns().sum(axis=0)
    return float(sums.max() - sums.min())


def two_clusters(P: Partition, Q: Partition, engine: Engine) -> Concordance:
    """
    Compute the concordance of two fuzzy partitions into two clusters each.

    With p and q the halved differences between the first and the second membership
    and S(u) the sum of |u_i - u_j| over all pairs,
    d = (S(p + q) + S(p - q) - S(p) - S(q)) / m, because
    ||a| - |b|| = |a + b| + |a - b| - |a| - |b|. In the same way E[d] follows from the
    mean difference of the n² sums p_i + q_k.

    Parameters
    ----------
    P, Q : Partition
        Two fuzzy partitions of the same objects, for which `has_two_clusters`.
    engine : Engine
        Where numbers are sorted.

    Returns
    -------
    Concordance
        With a certified error: of rows that do not sum to one and the same number,
        and of the grid on which the n² sums are counted.

    Notes
    -----
    O(n log n).
    """
    n = P.n_objects
    m = n * (n - 1) // 2
    p, q = _in_order(_halved_difference(P), _halved_difference(Q))
    uneven = 0.5 * (unevenness(P) + unevenness(Q))
    signs = ((1, 0), (0, 1), (1, 1), (1, -1))
    S_p, S_q, *S_both = engine.run(_spread_of, (p, q), signs)
    together = math.fsum((*S_both, -S_p, -S_q))
    mean, error = _mean_difference_of_sums(np.sort(p), np.sort(q), (S_p + S_q) / m)
    # Of all quadruples i, j, k, l those with i = j or k = l are taken out.
    apart = n**4 * mean - 2 * n * (S_p + S_q)
    expected = (2 * apart - 4 * m * (S_p + S_q)) / (4 * m**2)
    return assemble(
        max(together / m, 0.0),
        max(expected, 0.0),
        n_objects=n,
        method="two-clusters",
        discordance_error=uneven,
        expected_discordance_error=uneven + error * n**4 / (2 * m**2),
    )


def _spread_of(p: Vector, q: Vector, sign_p: int, sign_q: int) -> float:
    if sign_q == 0:
        return spread(np.sort(p))
    if sign_p == 0:
        return spread(np.sort(q))
    return spread(np.sort(p + q if sign_q > 0 else p - q))


def _occupied(partition: Partition) -> list[Vector]:
    return [column for column in partition.columns() if column.any()]


def _halved_difference(partition: Partition) -> Vector:
    first, second = _occupied(partition)
    return np.asarray(0.5 * (first - second))


def _in_order(p: Vector, q: Vector) -> tuple[Vector, Vector]:
    """Put the one first that is smaller where they differ: symmetric to the bit."""
    differ = np.flatnonzero(p != q)
    if differ.size and p[differ[0]] > q[differ[0]]:
        return q, p
    return p, q


def _mean_difference_of_sums(p: Vector, q: Vector, scale: float) -> tuple[float, float]:
    """Average |s - t| over all sums s and t of one p and one q, with a bound."""
    if _n_distinct(p) * _n_distinct(q) <= _MOST_SUMS:
        values_p, counts_p = np.unique(p, return_counts=True)
        values_q, counts_q = np.unique(q, return_counts=True)
        sums = np.add.outer(values_p, values_q).ravel()
        counts = np.multiply.outer(counts_p, counts_q).ravel()
        return _mean_difference(sums, counts), 0.0
    for bits in _GRIDS:
        mean, error = _binned_mean_difference(p, q, bits)
        if error <= 0.25 * RELATIVE_ERROR * scale:
            break
    return mean, error


def _n_distinct(ordered: Vector) -> int:
    return 1 + int(np.count_nonzero(ordered[1:] != ordered[:-1]))


def _mean_difference(values: Vector, counts: NDArray[np.int64]) -> float:
    order = np.argsort(values, kind="stable")
    below = np.cumsum(counts[order])
    total = int(below[-1])
    shares = (below[:-1] / total) * ((total - below[:-1]) / total)
    return 2.0 * math.fsum(np.diff(values[order]) * shares)


@dataclass(frozen=True)
class _Bins:
    """Shares of numbers, each split between the two grid points around it."""

    shares: Vector
    width: float


def _binned_mean_difference(p: Vector, q: Vector, bits: int) -> tuple[float, float]:
    """
    Do so for sums on a grid.

    A number that is split between its two neighbours on the grid keeps its mean, so
    that |s - t| only changes for sums less than four cells apart, and by less than the
    width of a cell on average: it grows. Half of what it can have grown is taken off.
    """
    width = max(p[-1] - p[0], q[-1] - q[0]) / ((1 << bits) - 2)
    bins_p, bins_q = _split(p, width), _split(q, width)
    size = 1 << (len(bins_p.shares) + len(bins_q.shares)).bit_length()
    transformed = np.fft.rfft(bins_p.shares, size) * np.fft.rfft(bins_q.shares, size)
    shares = np.maximum(np.fft.irfft(transformed, size), 0.0)
    up_to = _cumulated(shares)
    padded = np.pad(up_to, _REACH, constant_values=(0.0, up_to[-1]))
    near = padded[2 * _REACH :] - padded[: -2 * _REACH]
    grown = width * float((shares * near).sum())
    mean = 2.0 * width * float((up_to * (up_to[-1] - up_to)).sum())
    # The transforms round each share in proportion to the lengths of the two vectors,
    # the sums once more; over the whole range both weigh with its width.
    lengths = math.sqrt(float((bins_p.shares**2).sum() * (bins_q.shares**2).sum()))
    rounding = 2.0**-52 * (8 * math.log2(size) * lengths * math.sqrt(size) + 64)
    return mean - 0.5 * grown, 0.5 * grown + rounding * width * size


def _cumulated(shares: Vector) -> Vector:
    """Add up in two steps, so that no sum has many terms."""
    rows = shares.reshape(1 << 10, -1)
    sums = np.cumsum(rows, axis=1)
    before = np.cumsum(sums[:, -1])
    sums[1:] += before[:-1, np.newaxis]
    return sums.ravel()


def _split(ordered: Vector, width: float) -> _Bins:
    places = (ordered - ordered[0]) / width
    cells = places.astype(np.int64)
    upper = places - cells
    size = int(cells[-1]) + 2
    shares = np.bincount(cells, weights=1.0 - upper, minlength=size)
    shares[1:] += np.bincount(cells, weights=upper, minlength=size)[:-1]
    return _Bins(shares / len(ordered), width)
