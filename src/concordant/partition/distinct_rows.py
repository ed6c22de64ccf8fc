"""The distinct rows among many, and how many objects have each."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Counts = NDArray[np.int64]

_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)


class DistinctRows(NamedTuple):
    """
    The k distinct rows of n objects.

    `columns` has the shape (K, k), one row per column, in ascending order of the first
    number, then the second, and so on; `counts` says how many objects have each, and
    `which` (n,) which of them each object has.
    """

    columns: Vector
    counts: Counts
    which: NDArray[np.intp]


def distinct_rows(columns: Vector, counts: Counts | None = None) -> DistinctRows:
    """
    Find the distinct rows of a K x n array without NaN, where 0 and -0 are the same.

    `counts` (n,) says how many objects each stands for, one by default. The result is
    the same for objects in any order, but for `which`. Rows are told apart by a number
    that is computed from their bits. If two different ones have the same number, that
    is noticed, and they are sorted as they are.
    """
    return _found(columns, _numbers(columns), counts)


def few_distinct_rows(
    columns: Vector, most: int, counts: Counts | None = None
) -> DistinctRows | None:
    """
    Find the distinct rows as `distinct_rows`, or None if more than `most` are distinct.

    That is mostly known after a look at some of the objects.
    """
    n = columns.shape[1]
    if n > 4 * most and _n_distinct(_numbers(columns[:, :: n // (2 * most)])) > most:
        return None
    numbers = _numbers(columns)
    if _n_distinct(numbers) > most:
        return None
    found = _found(columns, numbers, counts)
    return found if found.counts.size <= most else None


def _found(
    columns: Vector, numbers: NDArray[np.uint64], counts: Counts | None
) -> DistinctRows:
    order = np.argsort(numbers)
    is_first = _are_new(numbers[order])
    which = np.empty(order.size, dtype=np.intp)
    which[order] = np.cumsum(is_first) - 1
    rows = columns[:, order[is_first]] + 0.0
    same = (row[which] == column for row, column in zip(rows, columns, strict=True))
    if not all(both.all() for both in same):
        rows, which = np.unique(columns + 0.0, axis=1, return_inverse=True)
    order = np.lexsort(rows[::-1])
    places = np.empty_like(order)
    places[order] = np.arange(order.size)
    which = places[which]
    if counts is None:
        total = np.bincount(which, minlength=order.size)
    else:
        total = np.zeros(order.size, dtype=np.int64)
        np.add.at(total, which, counts)
    return DistinctRows(rows[:, order], total, which)


def _n_distinct(numbers: NDArray[np.uint64]) -> int:
    return int(np.count_nonzero(_are_new(np.sort(numbers))))


def _are_new(ordered: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Tell which numbers, in order, are not those before them."""
    return np.concatenate(([True], ordered[1:] != ordered[:-1]))


def _numbers(columns: Vector) -> NDArray[np.uint64]:
    """Give a whole number for each row, the same for the same row."""
    numbers = np.zeros(columns.shape[1], dtype=np.uint64)
    for column in columns:
        numbers ^= (column + 0.0).view(np.uint64)
        numbers *= _FACTOR
        numbers ^= numbers >> _SHIFT
    return numbers
