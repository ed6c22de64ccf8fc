"""Two clusters with two clusters: sorts and one convolution, no pairs."""

import math
from dataclasses import dataclass
from typing import Any

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
    m = P.n_objects * (P.n_objects - 1) // 2
    p, q = _in_order(_halved_difference(P), _halved_difference(Q))
    uneven = 0.5 * (unevenness(P) + unevenness(Q))
    signs = ((1, 0), (0, 1), (1, 1), (1, -1))
    S_p, S_q, *S_both = engine.run(_spread_of, (p, q), signs)
    mean, error = mean_difference_of_sums(
        Atoms(np.sort(p)), Atoms(np.sort(q)), (S_p + S_q) / m
    )
    together = math.fsum((*S_both, -S_p, -S_q))
    return two_clusters_from(
        together, S_p + S_q, mean, P.n_objects, uneven=uneven, mean_error=error
    )


def two_clusters_from(
    together: float,
    apart: float,
    mean: float,
    n_objects: int,
    *,
    uneven: float,
    mean_error: float,
    together_error: float = 0.0,
    apart_error: float = 0.0,
) -> Concordance:
    """
    Compute the concordance from sums of differences.

    Parameters
    ----------
    together, apart : float
        S(p + q) + S(p - q) - S(p) - S(q), and S(p) + S(q).
    mean : float
        The mean difference of the n² sums p_i + q_k.
    n_objects : int
        n, two at least.
    uneven : float
        How much rows that do not sum to one and the same number may change.
    mean_error, together_error, apart_error : float
        Bounds of the errors of the other numbers.

    Returns
    -------
    Concordance
        With the errors that follow.
    """
    n, m = n_objects, n_objects * (n_objects - 1) // 2
    # Of all quadruples i, j, k, l those with i = j or k = l are taken out.
    expected = (2 * (n**4 * mean - 2 * n * apart) - 4 * m * apart) / (4 * m**2)
    return assemble(
        max(together / m, 0.0),
        max(expected, 0.0),
        n_objects=n,
        method="two-clusters",
        discordance_error=uneven + together_error / m,
        expected_discordance_error=(
            uneven + mean_error * n**4 / (2 * m**2) + (n + m) * apart_error / m**2
        ),
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


@dataclass(frozen=True)
class Atoms:
    """
    Numbers in ascending order, each of which may stand for several.

    Parameters
    ----------
    values : ndarray of shape (k,)
        The numbers.
    counts : ndarray of shape (k,), optional
        How many objects have each; one by default.
    """

    values: Vector
    counts: NDArray[np.int64] | None = None

    @property
    def total(self) -> int:
        """How many objects there are."""
        return len(self.values) if self.counts is None else int(self.counts.sum())

    @property
    def n_distinct(self) -> int:
        """How many of the numbers differ."""
        return 1 + int(np.count_nonzero(self.values[1:] != self.values[:-1]))

    def distinct(self) -> tuple[Vector, NDArray[np.int64]]:
        """Give each number once, and how many objects have it."""
        starts = np.flatnonzero(self.values[1:] != self.values[:-1]) + 1
        starts = np.concatenate(([0], starts))
        counts = np.ones(len(self.values), np.int64)
        if self.counts is not None:
            counts = self.counts
        return self.values[starts], np.add.reduceat(counts, starts)


def mean_difference_of_sums(p: Atoms, q: Atoms, scale: float) -> tuple[float, float]:
    """
    Average |s - t| over all sums s and t of one p and one q.

    Parameters
    ----------
    p, q : Atoms
        The numbers.
    scale : float
        In proportion to which the error is to be small.

    Returns
    -------
    tuple of two float
        The mean and a bound of its error.
    """
    if p.n_distinct * q.n_distinct <= _MOST_SUMS:
        values_p, counts_p = p.distinct()
        values_q, counts_q = q.distinct()
        sums = np.add.outer(values_p, values_q).ravel()
        fits = p.total * q.total < 1 << 63
        kind = np.int64 if fits else np.float64
        counts = np.multiply.outer(counts_p, counts_q, dtype=kind).ravel()
        return _mean_difference(sums, counts), 0.0
    for bits in _GRIDS:
        mean, error = _binned_mean_difference(p, q, bits)
        if error <= 0.25 * RELATIVE_ERROR * scale:
            break
    return mean, error


def _mean_difference(values: Vector, counts: NDArray[Any]) -> float:
    order = np.argsort(values, kind="stable")
    below = np.cumsum(counts[order])
    total = below[-1].item()
    shares = (below[:-1] / total) * ((total - below[:-1]) / total)
    return 2.0 * math.fsum(np.diff(values[order]) * shares)


@dataclass(frozen=True)
class Bins:
    """Shares of numbers, each split between the two grid points around it."""

    shares: Vector
    width: float


def _binned_mean_difference(p: Atoms, q: Atoms, bits: int) -> tuple[float, float]:
    """
    Do so for sums on a grid.

    A number that is split between its two neighbours on the grid keeps its mean, so
    that |s - t| only changes for sums less than four cells apart, and by less than the
    width of a cell on average: it grows. Half of what it can have grown is taken off.
    """
    width = grid_width(p, q, bits)
    bins_p, bins_q = split(p, width), split(q, width)
    size = 1 << (len(bins_p.shares) + len(bins_q.shares)).bit_length()
    transformed = np.fft.rfft(bins_p.shares, size) * np.fft.rfft(bins_q.shares, size)
    shares = np.maximum(np.fft.irfft(transformed, size), 0.0)
    up_to = cumulated(shares)
    padded = np.pad(up_to, _REACH, constant_values=(0.0, up_to[-1]))
    near = padded[2 * _REACH :] - padded[: -2 * _REACH]
    grown = width * float((shares * near).sum())
    mean = 2.0 * width * float((up_to * (up_to[-1] - up_to)).sum())
    # The transforms round each share in proportion to the lengths of the two vectors,
    # the sums once more; over the whole range both weigh with its width.
    lengths = math.sqrt(float((bins_p.shares**2).sum() * (bins_q.shares**2).sum()))
    rounding = 2.0**-52 * (8 * math.log2(size) * lengths * math.sqrt(size) + 64)
    return mean - 0.5 * grown, 0.5 * grown + rounding * width * size


def cumulated(shares: Vector) -> Vector:
    """Add up in two steps, so that no sum has many terms."""
    rows = shares.reshape(1 << 10, -1)
    sums = np.cumsum(rows, axis=1)
    before = np.cumsum(sums[:, -1])
    sums[1:] += before[:-1, np.newaxis]
    return sums.ravel()


def grid_width(p: Atoms, q: Atoms, bits: int) -> float:
    """Give the distance of points on a grid that holds the range of either."""
    widest = max(p.values[-1] - p.values[0], q.values[-1] - q.values[0])
    return float(widest) / ((1 << bits) - 2)


def split(atoms: Atoms, width: float) -> Bins:
    """Split each number between the two points around it, keeping its mean."""
    places = (atoms.values - atoms.values[0]) / width
    cells = places.astype(np.int64)
    upper = places - cells
    size = int(cells[-1]) + 2
    lower = 1.0 - upper
    if atoms.counts is not None:
        lower, upper = lower * atoms.counts, upper * atoms.counts
    shares = np.bincount(cells, weights=lower, minlength=size)
    shares[1:] += np.bincount(cells, weights=upper, minlength=size)[:-1]
    return Bins(shares / atoms.total, width)
