"""A few pairs, always the same: the bits of results depend on the data alone."""

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

_AT_ONCE = 16  # clusters, whose differences stay in the cache


def some_distances(columns: Vector, size: int) -> Vector:
    """
    Give the L1 distances of some pairs of objects.

    Parameters
    ----------
    columns : ndarray of shape (K, n)
        Memberships, one cluster per row.
    size : int
        How many pairs.

    Returns
    -------
    ndarray of shape (size,)
        Of the same pairs for any partition of n objects.
    """
    rng = np.random.default_rng(0)
    n = columns.shape[1]
    i = rng.integers(n, size=size)
    j = (i + rng.integers(1, n, size=size)) % n
    found = np.zeros(size)
    for k in range(0, len(columns), _AT_ONCE):
        some = columns[k : k + _AT_ONCE]
        differences = np.take(some, i, axis=1)
        differences -= np.take(some, j, axis=1)
        found += np.abs(differences, out=differences).sum(axis=0)
    return found
