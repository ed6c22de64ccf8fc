"""Two partitions of some hundred objects: all dissimilarities, sorted."""

import math

import numpy as np

from concordant.agreement.result import Concordance, assemble
from concordant.bands import Tiles, unrolled
from concordant.dense import Vector, dissimilarities
from concordant.partition import Partition

# For so many objects sorting takes longer than NumPy, and Numba longer to be imported.
_IN_NUMPY = 1024


def sorted_pairs(P: Partition, Q: Partition) -> Concordance:
    """
    Compute the concordance from the sorted dissimilarities of both partitions.

    Parameters
    ----------
    P, Q : Partition
        Partitions of the same objects.

    Returns
    -------
    Concordance
        Exact up to rounding.

    Notes
    -----
    O(n² (K + log n)) time and `bytes_to_sort` of memory.
    """
    x, y = all_dissimilarities(P), all_dissimilarities(Q)
    return assemble(
        mean_difference(x, y),
        expected_difference(x, y),
        n_objects=P.n_objects,
        method="sorted",
    )


def bytes_to_sort(n: int) -> int:
    """
    Estimate the memory that sorting takes.

    Parameters
    ----------
    n : int
        How many objects there are.

    Returns
    -------
    int
        For both vectors of n (n - 1) / 2 numbers, and as much again three times over.
    """
    return 8 * 8 * (n * (n - 1) // 2)


def all_dissimilarities(partition: Partition) -> Vector:
    """
    Give the dissimilarities of all pairs.

    Parameters
    ----------
    partition : Partition
        A crisp or fuzzy one.

    Returns
    -------
    ndarray of shape (m,)
        In an order that depends on n alone.
    """
    n = partition.n_objects
    if n <= _IN_NUMPY:
        return dissimilarities(partition.columns())
    from concordant.kernels import band_dissimilarities

    columns = unrolled(partition.columns())
    pairs = np.empty(n * (n - 1) // 2)
    start = 0
    tiles = Tiles(n)
    for band in tiles.bands(0, len(tiles)):
        band_dissimilarities(columns, *band, pairs[start : start + band.n_pairs])
        start += band.n_pairs
    return pairs


def mean_difference(x: Vector, y: Vector) -> float:
    """
    Average |x_s - y_s|.

    Parameters
    ----------
    x, y : ndarray of shape (m,)
        Dissimilarities of the same pairs.

    Returns
    -------
    float
        d.
    """
    return math.fsum(np.abs(x - y)) / len(x)


def expected_difference(x: Vector, y: Vector) -> float:
    """
    Average |x_s - y_t| over all s and t.

    Parameters
    ----------
    x, y : ndarray of shape (m,)
        Dissimilarities.

    Returns
    -------
    float
        E[d], the integral of F (1 - G) + G (1 - F) with F and G the distribution
        functions of x and y. No term is negative, so that nothing cancels.
    """
    m = len(x)
    both = np.sort(np.concatenate((x, y)))
    below_x, below_y = (
        np.searchsorted(np.sort(side), both[:-1], side="right") for side in (x, y)
    )
    # Whole numbers, so that exchanging x and y does not change a bit.
    weights = below_x * (m - below_y) + below_y * (m - below_x)
    return math.fsum(np.diff(both) * weights) / m**2
