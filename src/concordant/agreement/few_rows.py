"""Many objects with few distinct rows: all pairs of these, with their weights."""

import math
from typing import NamedTuple

import numpy as np

from concordant.agreement.result import Concordance, assemble
from concordant.agreement.roundoff import of_dissimilarities
from concordant.agreement.spread import SPREAD_ERROR
from concordant.partition.distinct_rows import Counts, Vector, few_distinct_rows

#: How many distinct rows, of both sides together, are few.
FEW_ROWS = 1 << 13

_MOST_SORTED = 1 << 11  # distinct rows of one side, whose pairs are sorted
_MOST_OBJECTS = 1 << 32  # whose pairs can be counted in 64 bits
_BLOCK = 1 << 16  # pairs that are held at once


def few_rows(
    p: Vector, q: Vector, counts: Counts, *, method: str
) -> Concordance | None:
    """
    Compute the concordance from the distinct rows of two partitions.

    Parameters
    ----------
    p, q : ndarray of shape (K, k) and (L, k)
        Memberships, one cluster per row: the pairs of a row of P and one of Q that
        occur.
    counts : ndarray of shape (k,)
        How many objects have each.
    method : str
        What the result calls the method.

    Returns
    -------
    Concordance or None
        With a bound of what rounding does; None if one side has more than 2048 distinct
        rows, or there are 2^32 objects or more.

    Notes
    -----
    With c the counts, m d is the sum of c_i c_j |x_ij - y_ij| over pairs of distinct
    rows: two objects with the same rows differ in nothing. E[d] follows from how often
    each x and each y occurs, for which the distinct rows of one side are enough.
    O(k² (K + L)) time.
    """
    n = int(counts.sum())
    if n >= _MOST_OBJECTS:
        return None
    one, other = _dissimilarities(p, counts), _dissimilarities(q, counts)
    if one is None or other is None:
        return None
    m = n * (n - 1) // 2
    d = _sum_of_differences(*_in_order(p, q, counts)) / m
    expected = _expected_difference(one, other, m)
    rounding = math.fsum(
        of_dissimilarities(len(columns), side.mean(m))
        for columns, side in ((p, one), (q, other))
    )
    return assemble(
        d,
        expected,
        n_objects=n,
        method=method,
        constant=one.is_constant or other.is_constant,
        discordance_error=rounding + SPREAD_ERROR * d,
        expected_discordance_error=rounding + SPREAD_ERROR * expected,
    )


class _Distribution(NamedTuple):
    """Numbers in ascending order, and how many pairs have one up to each."""

    values: Vector
    up_to: Counts

    @property
    def is_constant(self) -> bool:
        return bool(self.values[0] == self.values[-1])

    def mean(self, m: int) -> float:
        return float((self.values * np.diff(self.up_to, prepend=0)).sum()) / m

    def below(self, numbers: Vector) -> Counts:
        """Count the pairs up to each of other numbers."""
        places = np.searchsorted(self.values, numbers, side="right")
        return np.concatenate(([0], self.up_to))[places]


def _dissimilarities(columns: Vector, counts: Counts) -> _Distribution | None:
    """Count the dissimilarities of all pairs of objects on one side."""
    rows = few_distinct_rows(columns, _MOST_SORTED, counts)
    if rows is None:
        return None
    i, j = np.triu_indices(rows.counts.size, 1)
    x = np.zeros(i.size)
    for column in rows.columns:
        x += np.abs(column[i] - column[j])
    alike = sum(c * (c - 1) // 2 for c in rows.counts.tolist())
    values, pairs = 0.5 * x, rows.counts[i] * rows.counts[j]
    if alike:
        values, pairs = np.append(values, 0.0), np.append(pairs, alike)
    order = np.argsort(values, kind="stable")
    return _Distribution(values[order], np.cumsum(pairs[order]))


def _in_order(p: Vector, q: Vector, counts: Counts) -> tuple[Vector, Vector, Counts]:
    """Put sides and rows in an order that exchanging P and Q does not change."""
    orders = [np.lexsort(np.vstack(sides)[::-1]) for sides in ((p, q), (q, p))]
    one, other = np.vstack((p, q))[:, orders[0]], np.vstack((q, p))[:, orders[1]]
    differ = np.argwhere(one != other)
    first = tuple(differ[0]) if differ.size else (0, 0)
    if len(p) > len(q) or (len(p) == len(q) and one[first] > other[first]):
        return other[: len(q)], other[len(q) :], counts[orders[1]]
    return one[: len(p)], one[len(p) :], counts[orders[0]]


def _sum_of_differences(p: Vector, q: Vector, counts: Counts) -> float:
    """Sum |x - y| over all pairs of objects."""
    k = counts.size
    sums = []
    start = 0
    while start < k - 1:
        stop = min(start + max(1, _BLOCK // (k - start)), k)
        x, y = (
            sum(np.abs(column[start:stop, None] - column[start:]) for column in columns)
            for columns in (p, q)
        )
        differences = 0.5 * np.abs(x - y) * counts[start:]
        # Of two rows of one block only the pair in order.
        differences[np.tril_indices(stop - start)] = 0.0
        sums.extend((differences.sum(axis=1) * counts[start:stop]).tolist())
        start = stop
    return math.fsum(sums)


def _expected_difference(x: _Distribution, y: _Distribution, m: int) -> float:
    """Average |x_s - y_t| over all s and t, by the integral of F (1-G) + G (1-F)."""
    both = np.sort(np.concatenate((x.values, y.values)))
    below_x, below_y = x.below(both[:-1]), y.below(both[:-1])
    # Whole numbers until they are divided, so that nothing cancels.
    weights = (below_x / m) * ((m - below_y) / m) + (below_y / m) * ((m - below_x) / m)
    return float((np.diff(both) * weights).sum())
