"""All pairs of a small partition, held as vectors of m = n (n - 1) / 2 numbers."""

import numpy as np
from numpy.typing import NDArray

from concordant.pairs.bands import unrolled

Vector = NDArray[np.float64]

_BLOCK = 1 << 15  # numbers at a time: few calls for small partitions, no waste of cache


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
