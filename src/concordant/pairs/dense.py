"""All pairs of few objects at once, as vectors of n (n - 1) / 2 values."""

import numpy as np

from concordant.arrays import Matrix, Positions, Vector
from concordant.catalogue.lookups import loaded
from concordant.catalogue.values import VALUES
from concordant.pairs.bands import unrolled
from concordant.pairs.values.t_norms import on_arrays

_BLOCK = 1 << 15  # numbers at a time: few calls for small partitions, no waste of cache


def values_of_all_pairs(
    columns: Vector, value: str, t_norm: str | None = None
) -> Vector:
    """
    Return a value of all pairs, from what is known of each object, (k, n).

    They are those of each object with the (n - 1) // 2 that follow it, the first again
    behind the last; then, if n is even, with the one opposite to it.
    """
    n = columns.shape[1]
    options = () if t_norm is None else (on_arrays(t_norm),)
    of_windows = loaded(VALUES[value].of_windows)
    followers, found = _followers(columns), np.empty((n, n // 2))
    height = max(1, _BLOCK // max(n // 2, 1))
    for i in range(0, n if n > 1 else 0, height):
        rows = slice(i, i + height)
        of_windows(columns[:, rows], followers[:, rows], *options, found[rows])
    if n % 2:
        return found.ravel()
    return np.concatenate((found[:, :-1].ravel(), found[: n // 2, -1]))


def _followers(columns: Vector) -> Vector:
    """Return, for each object, the n // 2 that follow it: a view, (k, n, n // 2)."""
    k, n = columns.shape
    around = unrolled(columns)
    per_item, per_object = around.strides
    strides = per_item, per_object, per_object
    shape = k, n, n // 2
    return np.ndarray(shape, buffer=around, offset=per_object, strides=strides)


def objects_of_pairs(n: int) -> tuple[Positions, Positions]:
    """Return both objects of all pairs, in the order of their values."""
    shifts = (n - 1) // 2
    i = np.repeat(np.arange(n), shifts)
    j = (i + np.tile(np.arange(1, shifts + 1), n)) % n
    half = np.arange(n // 2 if n % 2 == 0 else 0)
    return np.concatenate((i, half)), np.concatenate((j, half + n // 2))


def to_objects(values: Vector, n: int) -> Vector:
    """Add up values of pairs, in the same order, over the pairs of each object."""
    return np.asarray(square_of(values, n).sum(axis=1))


def square_of(values: Vector, n: int) -> Matrix:
    """Put values of all pairs into a symmetric matrix, zero on the diagonal."""
    square = np.zeros((n, n))
    i, j = objects_of_pairs(n)
    square[i, j] = square[j, i] = values
    return square
