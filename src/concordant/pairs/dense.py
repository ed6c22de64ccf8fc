"""All pairs of a small partition, held as vectors of m = n (n - 1) / 2 numbers."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

_BLOCK = 1 << 16  # numbers at a time: few calls for small partitions, no waste of cache
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


def dissimilarities(columns: Vector) -> Vector:
    """
    Give D(i, j), half the L1 distance of memberships, for all pairs i < j.

    Parameters
    ----------
    columns : ndarray of shape (K, n)
        Memberships, one cluster per row.

    Returns
    -------
    ndarray of shape (m,)
        Pairs (0, 1), (0, 2), ..., (n - 2, n - 1).
    """
    return _over_pairs(columns, _half_l1)


def same_cluster(columns: Vector, t_norm: Callable[[Vector, Vector], Vector]) -> Vector:
    """
    Give max_k t(u_ik, u_jk) for all pairs i < j.

    Parameters
    ----------
    columns : ndarray of shape (K, n)
        Memberships, one cluster per row.
    t_norm : callable
        t, on arrays.

    Returns
    -------
    ndarray of shape (m,)
        To what degree some cluster holds both objects.
    """
    return _over_pairs(
        columns, lambda one, others: np.asarray(t_norm(one, others).max(axis=0))
    )


def _half_l1(one: Vector, others: Vector) -> Vector:
    return np.asarray(0.5 * np.abs(others - one).sum(axis=0))


def _over_pairs(
    columns: Vector, relation: Callable[[Vector, Vector], Vector]
) -> Vector:
    K, n = columns.shape
    pairs = np.empty(n * (n - 1) // 2)
    rows = max(1, _BLOCK // (K * n))
    start = 0
    for first in range(0, n - 1, rows):
        last = min(first + rows, n - 1)
        block = relation(columns[:, first:last, None], columns[:, None, first + 1 :])
        above = block[~np.tri(len(block), block.shape[1], -1, np.bool_)]
        pairs[start : start + above.size] = above
        start += above.size
    return pairs
