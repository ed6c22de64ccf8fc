"""All pairs of a small partition, held as vectors of m = n (n - 1) / 2 numbers."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from concordant.pairs.bands import unrolled

Vector = NDArray[np.float64]
Relation = Callable[[Vector, Vector], Vector]

_BLOCK = 1 << 15  # numbers at a time: few calls for small partitions, no waste of cache
_FEW = 256  # for so many objects NumPy is done before Numba is imported


def few_objects(n: int) -> bool:
    """
    Tell whether all pairs of n objects are best held at once.

    Parameters
    ----------
    n : int
        How many objects there are.

    Returns
    -------
    bool
        Whether they are few.
    """
    return n <= _FEW


def dissimilarities(columns: Vector, out: Vector | None = None) -> Vector:
    """
    Give D(i, j), half the L1 distance of memberships, for all pairs.

    Parameters
    ----------
    columns : ndarray of shape (K, n)
        Memberships, one cluster per row.
    out : ndarray of shape (m,), optional
        Where they are put.

    Returns
    -------
    ndarray of shape (m,)
        Those of each object with the (n - 1) // 2 that follow it, the first again
        behind the last; then, if n is even, with that opposite to it.
    """
    n = columns.shape[1]
    out = np.empty(n * (n - 1) // 2) if out is None else out
    shifts = (n - 1) // 2
    near, opposite = out[: n * shifts].reshape(n, shifts), out[n * shifts :, None]
    height = max(1, _BLOCK // max(shifts, 1))
    scratch = np.empty((min(height, n), max(shifts, 1)))
    windows = _windows(columns)
    for i in range(0, n if shifts else 0, height):
        rows = slice(i, i + height)
        _half_l1(columns[:, rows], windows[:, rows, :shifts], scratch, near[rows])
    if len(opposite):
        rows = slice(n // 2)
        scratch = np.empty((n // 2, 1))
        _half_l1(columns[:, rows], windows[:, rows, shifts:], scratch, opposite)
    return out


def _windows(columns: Vector) -> Vector:
    """Give, for each object, the n // 2 that follow it, the first behind the last."""
    K, n = columns.shape
    if n < 2:
        return np.empty((K, n, 0))
    round_about = unrolled(columns)
    per_cluster, per_object = round_about.strides
    return np.ndarray(
        (K, n, n // 2),
        buffer=round_about,
        offset=per_object,
        strides=(per_cluster, per_object, per_object),
    )


def in_order(pairs: Vector, n: int) -> Vector:
    """Put what `dissimilarities` gives in the order (0, 1), (0, 2), ..., (1, 2), ..."""
    i, j = np.triu_indices(n, 1)
    shifts = (n - 1) // 2
    near, opposite = j - i <= shifts, 2 * (j - i) == n
    before = np.where(near, i * shifts + (j - i), j * shifts + (n - (j - i))) - 1
    return np.asarray(pairs[np.where(opposite, n * shifts + i, before)])


def _half_l1(ones: Vector, others: Vector, scratch: Vector, out: Vector) -> None:
    """Fill `out` with half the distances of some objects from others, each its own."""
    scratch = scratch[: len(out)]
    np.subtract(others[0], ones[0, :, None], out=out)
    np.abs(out, out=out)
    for one, other in zip(ones[1:], others[1:], strict=True):
        np.subtract(other, one[:, None], out=scratch)
        np.abs(scratch, out=scratch)
        out += scratch
    out *= 0.5


class Pairs:
    """
    All pairs of few objects, in the order of `dissimilarities`.

    Parameters
    ----------
    columns : ndarray of shape (K, n)
        What is known of each object; a row is called by its number.
    """

    def __init__(self, columns: Vector) -> None:
        self._n = columns.shape[1]
        self._first, self._second = columns[:, :, None], _windows(columns)

    def both(self, k: int, m: int) -> tuple[Vector, Vector]:
        """Give row k of the first of each pair and row m of the second, n x n // 2."""
        return self._first[k], self._second[m]

    def once(self, found: Vector) -> Vector:
        """Take every pair once of what is known of n x n // 2."""
        if self._n % 2 == 1:
            return found.ravel()
        return np.concatenate((found[:, :-1].ravel(), found[: self._n // 2, -1]))


def same_cluster(pairs: Pairs, n_clusters: int, t_norm: Relation) -> Vector:
    """Give max_k t(u_ik, u_jk), to what degree some cluster holds both objects."""
    most = t_norm(*pairs.both(0, 0))
    for k in range(1, n_clusters):
        np.maximum(most, t_norm(*pairs.both(k, k)), out=most)
    return pairs.once(most)
