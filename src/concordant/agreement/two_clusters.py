"""Two clusters with two clusters: sorts and one convolution, no pairs."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.agreement.few_rows import FEW_ROWS, few_rows
from concordant.agreement.result import RELATIVE_ERROR, Concordance, assemble
from concordant.agreement.roundoff import UNIT_ROUNDOFF
from concordant.agreement.spread import SPREAD_ERROR, spread
from concordant.exact import BLOCK, partial_sums
from concordant.execution.engine import Engine
from concordant.partition.distinct_rows import few_distinct_rows
from concordant.partition.memberships import TOLERANCE
from concordant.partition.partition import Partition

Vector = NDArray[np.float64]

_GRIDS = (20, 22)  # bits of the grids that are tried
_MOST_SUMS = 1 << 22  # distinct sums p_i + q_k that are sorted rather than binned
_ROWS = 1 << 10  # in which shares are added up
_PARTS = 1 << 22  # of a cell, to which places are rounded
_NEGLIGIBLE = 1e-14  # the part of E[d] below which an error need not be known better
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
    if partition.kind != "fuzzy":
        return False
    # The first object nearly always tells.
    if np.count_nonzero(partition.columns()[:, 0]) > 2:
        return False
    return len(_occupied(partition)) == 2


@dataclass(frozen=True)
class Halves:
    """
    One number for each object of a partition into two clusters.

    Half the L1 distance of two objects is the larger of |p_i - p_j| and half of
    |s_i - s_j|, where p is half the difference of the two memberships and s their sum.
    As s is nearly always 1, the first nearly always is the larger.

    Parameters
    ----------
    values : ndarray of shape (n,)
        p, up to a constant.
    uneven : float
        A bound of |s_i - s_j| / 2.
    rounding : float
        A bound of the error of the difference of two values.
    """

    values: Vector
    uneven: float
    rounding: float

    @property
    def width(self) -> float:
        """The largest difference."""
        return float(self.values.max() - self.values.min())

    @property
    def is_constant(self) -> bool:
        """Whether all objects are alike."""
        return self.uneven == self.width == 0.0

    def mean_error(self, ordered: Vector, scale: float) -> float:
        """Bound the mean error of |p_i - p_j|, given p in order and what matters."""
        # Only where p differs by less than s can s make a difference.
        reach = self.uneven + self.rounding
        if reach <= _NEGLIGIBLE * scale:
            return reach
        n = len(ordered)
        near = np.searchsorted(ordered, ordered + reach, side="right")
        n_near = int(near.sum()) - n * (n + 1) // 2
        return self.uneven * n_near / (n * (n - 1) // 2) + self.rounding


def halves(partition: Partition) -> Halves:
    """
    Give the number of each object that determines both memberships, if rows sum to 1.

    Parameters
    ----------
    partition : Partition
        One for which `has_two_clusters`.

    Returns
    -------
    Halves
        Measured from one end of each column, so that memberships which are close to
        each other keep all digits of their differences.
    """
    first, second = _occupied(partition)
    first, second = first - first.min(), second - second.max()
    sums = first + second
    width = float(first.max() - second.min())
    return Halves(
        0.5 * (first - second),
        0.5 * float(sums.max() - sums.min()) + 2.0 * UNIT_ROUNDOFF * width,
        4.0 * UNIT_ROUNDOFF * width,
    )


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
        With a certified error: of rows that do not sum to one and the same number, of
        the grid on which the n² sums are counted, and of rounding. Where rows of
        rounded tables do not, and few of them are distinct, of rounding alone.

    Notes
    -----
    O(n log n), and for rounded tables the pairs of up to 8192 distinct rows.
    """
    m = P.n_objects * (P.n_objects - 1) // 2
    of_p, of_q = _in_order(halves(P), halves(Q))
    uneven = max(of_p.uneven, of_q.uneven) > TOLERANCE
    exact = _from_few_rows(P, Q) if uneven else None
    if exact is not None:
        return exact
    p, q = of_p.values, of_q.values
    signs = ((1, 0), (0, 1), (1, 1), (1, -1))
    S_p, S_q, *S_both = engine.run(_spread_of, (p, q), signs)
    ordered_p, ordered_q = np.sort(p), np.sort(q)
    scale = (S_p + S_q) / m
    mean, error = mean_difference_of_sums(Atoms(ordered_p), Atoms(ordered_q), scale)
    together = math.fsum((*S_both, -S_p, -S_q))
    # Sums and differences of p and q are rounded, and so are spreads.
    sums = 4.0 * UNIT_ROUNDOFF * (of_p.width + of_q.width)
    apart_error = SPREAD_ERROR * (S_p + S_q)
    return two_clusters_from(
        together,
        S_p + S_q,
        mean,
        P.n_objects,
        data_error=of_p.mean_error(ordered_p, scale)
        + of_q.mean_error(ordered_q, scale),
        constant=of_p.is_constant or of_q.is_constant,
        differing=of_p.is_constant != of_q.is_constant,
        mean_error=error + sums,
        together_error=m * sums + SPREAD_ERROR * math.fsum(S_both) + apart_error,
        apart_error=apart_error,
    )


def _from_few_rows(P: Partition, Q: Partition) -> Concordance | None:
    """Visit the pairs of distinct rows, if there are few."""
    p, q = P.columns(), Q.columns()
    joint = few_distinct_rows(np.vstack((p, q)), FEW_ROWS)
    if joint is None:
        return None
    rows = joint.columns
    return few_rows(rows[: len(p)], rows[len(p) :], joint.counts, method="two-clusters")


def two_clusters_from(
    together: float,
    apart: float,
    mean: float,
    n_objects: int,
    *,
    data_error: float,
    mean_error: float,
    together_error: float,
    apart_error: float,
    constant: bool,
    differing: bool = False,
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
    data_error : float
        How far dissimilarities are from differences of p and of q, on average.
    mean_error, together_error, apart_error : float
        Bounds of the errors of the other numbers.
    constant : bool
        Whether all objects are alike in P, or in Q.
    differing : bool, default=False
        Whether they are in one and not in the other.

    Returns
    -------
    Concordance
        With the errors that follow.
    """
    n, m = n_objects, n_objects * (n_objects - 1) // 2
    # Of all quadruples i, j, k, l those with i = j or k = l are taken out.
    expected = (2 * (n**4 * mean - 2 * n * apart) - 4 * m * apart) / (4 * m**2)
    rounding = 16.0 * UNIT_ROUNDOFF * (n**4 * mean / m + (n + m) * apart / m) / m
    return assemble(
        together / m,
        expected,
        n_objects=n,
        method="two-clusters",
        constant=constant,
        differing=differing,
        discordance_error=data_error + together_error / m + rounding,
        expected_discordance_error=(
            data_error
            + mean_error * n**4 / (2 * m**2)
            + (n + m) * apart_error / m**2
            + rounding
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


def _in_order(one: Halves, other: Halves) -> tuple[Halves, Halves]:
    """Put the one first that is smaller where they differ: symmetric to the bit."""
    differ = np.flatnonzero(one.values != other.values)
    if differ.size and one.values[differ[0]] > other.values[differ[0]]:
        return other, one
    return one, other


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
        counts = None
        if len(sums) < p.total * q.total:
            fits = p.total * q.total < 1 << 63
            kind = np.int64 if fits else np.float64
            counts = np.multiply.outer(counts_p, counts_q, dtype=kind).ravel()
        mean = _mean_difference(sums, counts)
        return mean, 8.0 * UNIT_ROUNDOFF * mean
    for bits in _GRIDS:
        mean, error = _binned_mean_difference(p, q, bits)
        if error <= 0.25 * RELATIVE_ERROR * scale:
            break
    return mean, error


def _mean_difference(values: Vector, counts: NDArray[Any] | None) -> float:
    """Average the differences of numbers, each there so many times, or once."""
    if counts is None:
        values.sort()
        total = len(values)
    else:
        order = np.argsort(values)
        values, up_to = values[order], np.cumsum(counts[order])
        total = up_to[-1].item()
    sums: list[float] = []
    for start in range(0, len(values) - 1, BLOCK):
        gaps = np.diff(values[start : start + BLOCK + 1])
        below: NDArray[Any] = np.arange(start + 1.0, start + len(gaps) + 1.0)
        if counts is not None:
            below = up_to[start : start + len(gaps)]
        gaps *= (below / total) * ((total - below) / total)
        sums += partial_sums(gaps, float(gaps.max()))
    return 2.0 * math.fsum(sums)


@dataclass(frozen=True)
class Bins:
    """
    Shares of numbers, each split between the two grid points around it.

    Parameters
    ----------
    shares : ndarray of shape (N,)
        Not negative, with sum 1.
    width : float
        The distance of two grid points.
    error : float
        A bound of the error of a sum of shares.
    """

    shares: Vector
    width: float
    error: float


def _binned_mean_difference(p: Atoms, q: Atoms, bits: int) -> tuple[float, float]:
    """
    Do so for sums on a grid.

    A number that is split between its two neighbours on the grid keeps its mean, so
    that |s - t| only changes for sums less than four cells apart, and by less than the
    width of a cell on average: it grows. Half of what it can have grown is taken off.
    """
    width = grid_width(p, q, bits)
    bins = split(p, width), split(q, width)
    up_to = cumulated(*(one.shares for one in bins))
    error = cumulated_error(*bins)
    shares = np.diff(up_to, prepend=0.0)
    padded = np.pad(up_to, _REACH, constant_values=(0.0, up_to[-1]))
    near = padded[2 * _REACH :] - padded[: -2 * _REACH]
    grown = width * float((shares * near).sum())
    mean = 2.0 * width * float((up_to * (up_to[-1] - up_to)).sum())
    # Two sums that are multiplied, at each of the places; `near` and `shares` are
    # differences of two. Places are rounded to a part of a cell, and to doubles.
    rounding = (4.0 * error + 8.0 * UNIT_ROUNDOFF) * len(up_to) + 4.0 * error
    return mean - 0.5 * grown, 0.5 * grown + (rounding + 4.0 / _PARTS) * width


def cumulated(*factors: Vector) -> Vector:
    """
    Convolve shares, and add the result up.

    Parameters
    ----------
    *factors : ndarray
        Shares of numbers on one grid.

    Returns
    -------
    ndarray
        The shares of their sums up to each place, never descending. It is added up in
        two steps, so that no sum has many terms.
    """
    size = _size(factors)
    transformed = np.fft.rfft(factors[0], size)
    for factor in factors[1:]:
        transformed *= np.fft.rfft(factor, size)
    rows = np.maximum(np.fft.irfft(transformed, size), 0.0).reshape(_ROWS, -1)
    sums = np.cumsum(rows, axis=1)
    before = np.cumsum(sums[:, -1])
    sums[1:] += before[:-1, np.newaxis]
    return sums.ravel()


def cumulated_error(*factors: Bins) -> float:
    """
    Bound the error of what `cumulated` gives, at each place.

    Parameters
    ----------
    *factors : Bins
        The factors.

    Returns
    -------
    float
        The bound.

    Notes
    -----
    A fast Fourier transform of length N is off, in the Euclidean norm, by at most
    tau = c log2 N units of rounding in relation to what it gives (Higham 2002, theorem
    24.2: c is below 8 if the roots of unity are accurate). The transform of shares is
    at most 1 in size, and sqrt(N) times as long as the shares. So the convolution,
    with one inverse transform, is off by tau times the lengths of all factors and of
    their convolution, which is not longer than any of them; a sum of up to N entries
    is off by sqrt(N) times that. Adding up has N / R + R steps, R the number of rows.
    """
    size = _size([factor.shares for factor in factors])
    tau = 8.0 * math.log2(size) * UNIT_ROUNDOFF
    lengths = [math.sqrt(float((factor.shares**2).sum())) for factor in factors]
    convolved = tau * (math.fsum(lengths) + 2.0 * min(lengths)) * math.sqrt(size)
    adding_up = (_ROWS + size / _ROWS) * UNIT_ROUNDOFF
    return convolved + adding_up + math.fsum(factor.error for factor in factors)


def _size(factors: Sequence[Vector]) -> int:
    """Give the length of transforms that convolve without wrapping around."""
    return 1 << sum(map(len, factors)).bit_length()


def grid_width(p: Atoms, q: Atoms, bits: int) -> float:
    """Give the distance of points on a grid that holds the range of either."""
    widest = max(p.values[-1] - p.values[0], q.values[-1] - q.values[0])
    return float(widest) / ((1 << bits) - 2)


def split(atoms: Atoms, width: float) -> Bins:
    """Split each number between the two points around it, keeping its mean."""
    places = (atoms.values - atoms.values[0]) / width
    cells = places.astype(np.int64)
    # In whole parts of a cell, so that sums are exact.
    upper = np.floor((places - cells) * _PARTS) / _PARTS
    size = int(cells[-1]) + 2
    lower = 1.0 - upper
    if atoms.counts is not None:
        lower, upper = lower * atoms.counts, upper * atoms.counts
    shares = np.bincount(cells, weights=lower, minlength=size)
    shares[1:] += np.bincount(cells, weights=upper, minlength=size)[:-1]
    total = atoms.total
    additions = 0
    if total * _PARTS >= 1 << 53:
        additions = 2 * int(np.bincount(cells).max()) + 2
    return Bins(shares / total, width, (additions + 1) * UNIT_ROUNDOFF)
