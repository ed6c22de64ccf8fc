"""By how much dissimilarities pass 1, where rows sum to more than 1."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.agreement.roundoff import UNIT_ROUNDOFF
from concordant.partition.distinct_rows import Counts, few_distinct_rows
from concordant.partition.memberships import TOLERANCE

Vector = NDArray[np.float64]

# Beyond so many classes they are not looked at one by one.
_MANY_CLASSES = 256
_BLOCK = 1 << 14  # pairs that are held at once: they stay in the second cache
_MOST_ROWS = 1 << 17  # distinct ones that are looked at
_MOST_PAIRS = 10**8  # of them that are visited


@dataclass(frozen=True)
class Excess:
    """
    What max(x - 1, 0) adds up to over some pairs, where x are their dissimilarities.

    Parameters
    ----------
    value : float
        The sum.
    error : float
        How far it may be off.
    """

    value: float = 0.0
    error: float = 0.0

    @classmethod
    def between(cls, low: float, high: float) -> "Excess":
        """Take the middle of two bounds."""
        return cls(0.5 * (low + high), 0.5 * (high - low))


@dataclass(frozen=True)
class BeyondOne:
    """
    The same for all pairs, and for those within a class.

    Parameters
    ----------
    overall, within : Excess
        Sums over pairs.
    """

    overall: Excess = Excess()
    within: Excess = Excess()


def largest_excess(columns: Vector) -> float:
    """
    Bound how far a dissimilarity passes 1, but for rounding.

    Parameters
    ----------
    columns : ndarray of shape (K, n)
        Memberships, one cluster per row.

    Returns
    -------
    float
        x is at most half the sum of the sizes of all memberships of the two objects.
    """
    sizes = columns if columns.min() >= 0.0 else np.abs(columns)
    return max(float(sizes.sum(axis=0).max()) - 1.0, 0.0)


def at_most(excess: float, K: int, n_pairs: int, n_within: int) -> BeyondOne:
    """
    Bound the sums where it is only known how far rows pass 1.

    Parameters
    ----------
    excess : float
        The largest excess.
    K : int
        The number of clusters.
    n_pairs, n_within : int
        How many pairs there are, and how many within a class.

    Returns
    -------
    BeyondOne
        Nothing if the excess may come from rounding alone, else the middle between
        nothing and all of it.
    """
    rounding = _rounding(K)
    if excess <= rounding:
        low, high = 0.0, 2.0 * rounding
        return BeyondOne(Excess(low, high * n_pairs), Excess(low, high * n_within))
    high = excess + rounding
    return BeyondOne(
        Excess.between(0.0, high * n_pairs), Excess.between(0.0, high * n_within)
    )


def _rounding(K: int) -> float:
    """Bound how far rounding may take sums of K memberships, and what follows."""
    return 4.0 * (K + 2) * UNIT_ROUNDOFF


def beyond_one(
    columns: Vector, order: NDArray[np.intp], sizes: NDArray[Any]
) -> BeyondOne:
    """
    Sum max(x - 1, 0) over all pairs, and over those within a class.

    Parameters
    ----------
    columns : ndarray of shape (K, n)
        Memberships, one cluster per row.
    order : ndarray of shape (n,)
        Objects in the order of their classes.
    sizes : ndarray
        How many objects each class has.

    Returns
    -------
    BeyondOne
        Exact up to rounding if rows pass 1 as those of rounded tables do and not too
        many of them are distinct. Otherwise bounds that are close to each other where
        memberships are nearly crisp, and where no two objects are without a common
        cluster.

    Notes
    -----
    With row sums s and o the sum over clusters of the smaller of two memberships,
    x - 1 = (s_i - 1) / 2 + (s_j - 1) / 2 - o. If l is the main cluster of j, o is at
    least the smaller of u_il and u_jl. If the main clusters of i and j differ, o is at
    most what both have beside these. Either way what remains is a sum of a number of i
    and a number of j, whose positive part is summed by a sort: O(n K log n).
    """
    m, within = _pairs(columns.shape[1]), sum(map(_pairs, sizes.tolist()))
    K, excess = len(columns), largest_excess(columns)
    if excess <= _rounding(K):
        return at_most(excess, K, m, within)
    if excess > TOLERANCE:
        labels = np.empty(len(order))
        labels[order] = np.repeat(np.arange(len(sizes)), sizes)
        joint = few_distinct_rows(np.vstack((columns, labels)), _MOST_ROWS)
        exact = None if joint is None else exactly(joint.columns, joint.counts)
        if exact is not None:
            return exact
    rows = _Rows.of(columns)
    low, high = rows.bounds()
    overall = Excess.between(low, high)
    if len(sizes) > _MANY_CLASSES:
        most = min(high, (excess + _rounding(K)) * within)
        return BeyondOne(overall, Excess.between(0.0, most))
    low = high = 0.0
    start = 0
    for size in sizes.tolist():
        parts = rows.take(order[start : start + size]).bounds()
        low, high = low + parts[0], high + parts[1]
        start += size
    return BeyondOne(overall, Excess.between(low, high))


def exactly(joint: Vector, counts: Counts) -> BeyondOne | None:
    """
    Sum max(x - 1, 0) over all pairs, from distinct rows.

    Parameters
    ----------
    joint : ndarray of shape (K + 1, k)
        Distinct rows of memberships, and the class behind them.
    counts : ndarray of shape (k,)
        How many objects have each.

    Returns
    -------
    BeyondOne or None
        With a bound of what rounding does; None if it takes too many pairs.
    """
    found = sums_beyond_one(joint[:-1], joint[-1], counts)
    if found is None:
        return None
    # Each pair is met from both sides.
    Z, between = (0.5 * float((counts * sums).sum()) for sums in found)
    # Half the memberships of two objects are added, and then sums of such sums.
    m = _pairs(int(counts.sum()))
    error = _rounding(len(joint) - 1) * m + 320.0 * UNIT_ROUNDOFF * Z
    return BeyondOne(Excess(Z, error), Excess(max(Z - between, 0.0), 2.0 * error))


def sums_beyond_one(
    rows: Vector, classes: Vector, counts: Counts
) -> tuple[Vector, Vector] | None:
    """
    Sum max(x - 1, 0) over the other objects, for each distinct row.

    Parameters
    ----------
    rows : ndarray of shape (K, k)
        Memberships, one cluster per row.
    classes : ndarray of shape (k,)
        The class of each.
    counts : ndarray of shape (k,)
        How many objects have each.

    Returns
    -------
    tuple of two ndarray of shape (k,), or None
        The sums over all objects and over those of other classes; None if too many
        pairs are left to be visited.

    Notes
    -----
    x passes 1 only if rows sum to more than 1, as those of rounded tables may, and
    hardly share a cluster: if both have e or more in one, where no row sums to more
    than 1 + e, it does not. So rows are put together by the clusters in which they have
    e or more, and only those without a common one are compared.
    """
    patterns, pattern = np.unique(
        rows >= largest_excess(rows), axis=1, return_inverse=True
    )
    in_pattern = np.bincount(pattern)
    if in_pattern.size**2 > _MOST_PAIRS:
        return None
    apart = [~(patterns & held[:, None]).any(axis=0) for held in patterns.T]
    left = zip(in_pattern.tolist(), apart, strict=True)
    if sum(size * int(in_pattern[others].sum()) for size, others in left) > _MOST_PAIRS:
        return None
    overall, between = np.zeros(len(counts)), np.zeros(len(counts))
    for number, others in enumerate(apart):
        j = np.flatnonzero(others[pattern])
        height = max(1, _BLOCK // max(1, j.size))
        members = np.flatnonzero(pattern == number) if j.size else j
        for start in range(0, members.size, height):
            i = members[start : start + height]
            beyond = np.full((i.size, j.size), -1.0)
            for row in rows:
                beyond += 0.5 * np.abs(row[i, None] - row[j])
            np.maximum(beyond, 0.0, out=beyond)
            beyond *= counts[j]
            overall[i] = beyond.sum(axis=1)
            beyond *= classes[i, None] != classes[j]
            between[i] = beyond.sum(axis=1)
    return overall, between


@dataclass(frozen=True)
class _Rows:
    """
    What the bounds need of each object.

    Parameters
    ----------
    columns : ndarray of shape (K, n)
        Memberships.
    main : ndarray of shape (n,)
        The cluster of the largest one.
    most, least : ndarray of shape (n,)
        What an object adds at most, and at least, to x - 1.
    """

    columns: Vector
    main: NDArray[np.intp]
    most: Vector
    least: Vector

    @classmethod
    def of(cls, columns: Vector) -> "_Rows":
        half = 0.5 * (columns.sum(axis=0) - 1.0)
        rounding = _rounding(len(columns))
        negative = np.minimum(columns, 0.0).sum(axis=0)
        main = columns.argmax(axis=0)
        beside = np.maximum(columns, 0.0).sum(axis=0) - columns.max(axis=0)
        return cls(
            columns,
            main,
            half - negative + rounding,
            half - np.maximum(beside, 0.0) - rounding,
        )

    def take(self, objects: NDArray[np.intp]) -> "_Rows":
        return _Rows(
            self.columns[:, objects],
            self.main[objects],
            self.most[objects],
            self.least[objects],
        )

    def bounds(self) -> tuple[float, float]:
        if len(self.most) < 2 or self.most.max() <= 0.0:
            return 0.0, 0.0
        low, high = _positive_sums(self.least), 0.0
        for cluster in np.unique(self.main).tolist():
            members = self.main == cluster
            column, most = self.columns[cluster], self.most[members]
            shared = np.minimum(column, column[members].min())
            own = self.most - np.maximum(shared, 0.0)
            low -= _positive_sums(self.least[members])
            high += _sum_of_positive(own, np.sort(most))
            # No object makes a pair with itself.
            high -= float(np.maximum(own[members] + most, 0.0).sum())
        # Each pair was met from both sides; sums of n terms are rounded.
        margin = 1.0 + 2.0**-40
        return max(low, 0.0) / margin, max(0.5 * high, 0.0) * margin


def _positive_sums(numbers: Vector) -> float:
    """Sum max(a + b, 0) over all pairs of numbers."""
    ordered = np.sort(numbers)
    itself = float(np.maximum(2.0 * ordered, 0.0).sum())
    return 0.5 * (_sum_of_positive(ordered, ordered) - itself)


def _sum_of_positive(one: Vector, ordered: Vector) -> float:
    """Sum max(a + b, 0) over all a of one and all b of the other."""
    one = one[one + ordered[-1] > 0.0]
    first = np.searchsorted(ordered, -one, side="right")
    behind = np.concatenate((np.cumsum(ordered[::-1])[::-1], [0.0]))
    count = len(ordered) - first
    return float((count * one + behind[first]).sum())


def _pairs(n: int) -> int:
    return n * (n - 1) // 2
