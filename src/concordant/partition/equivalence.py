"""The degree to which a partition holds two objects to be equivalent."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.partition.partition import Partition

Positions = NDArray[np.integer[Any]]


def equivalence(P: Partition, i: Positions, j: Positions) -> NDArray[np.float64]:
    """
    Return E(i, j) = 1 - |u_i - u_j| / 2, in the L1 norm, for pairs of objects.

    Positions `i` and `j` broadcast against each other. For a crisp partition it is 1
    for two objects of one cluster and 0 for others.
    """
    return np.asarray(1.0 - dissimilarity(P, i, j))


def dissimilarity(P: Partition, i: Positions, j: Positions) -> NDArray[np.float64]:
    """
    Return D(i, j) = |u_i - u_j| / 2, in the L1 norm, for pairs of objects.

    It is 1 - E(i, j), with all digits even if memberships are close to each other.
    """
    if P.kind == "crisp":
        return np.asarray(P.labels[i] != P.labels[j], dtype=np.float64)
    distances = np.zeros(np.broadcast_shapes(i.shape, j.shape))
    for column in P.columns():
        difference = column[i] - column[j]
        np.abs(difference, out=difference)
        distances += difference
    distances *= 0.5
    return distances
