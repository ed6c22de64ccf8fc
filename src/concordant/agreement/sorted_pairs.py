"""Two partitions of some hundred objects: all dissimilarities, sorted."""

import math

import numpy as np

from concordant.agreement.result import Concordance, assemble
from concordant.agreement.roundoff import UNIT_ROUNDOFF
from concordant.agreement.scaling import scaled
from concordant.agreement.twice_precise import twice_precise
from concordant.pairs.bands import Tiles, unrolled
from concordant.pairs.dense import Vector, dissimilarities
from concordant.partition.partition import Partition

# For so many objects sorting takes longer than NumPy, and Numba longer to be imported.
_IN_NUMPY = 1024
#: The part of E[d] that rounding may reach before digits are doubled.
PRECISE = 1e-13


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
        With a bound of what rounding does. Where that matters, because nearly all
        dissimilarities are nearly one number, it is computed again with twice the
        digits.

    Notes
    -----
    O(n² (K + log n)) time and `bytes_to_sort` of memory.
    """
    data = scaled(P, Q)
    x, y = all_dissimilarities(data.p), all_dissimilarities(data.q)
    d = mean_difference(x, y)
    x.sort()
    y.sort()
    expected = expected_difference(x, y)
    rounding = data.rounding(float(x.mean()), float(y.mean()))
    if rounding > PRECISE * expected:
        d, expected, rounding = twice_precise(data.p, data.q)
    return assemble(
        d,
        expected,
        constant=bool(x[0] == x[-1] or y[0] == y[-1]),
        n_objects=P.n_objects,
        method="sorted",
        discordance_error=rounding + 2.0 * UNIT_ROUNDOFF * d,
        expected_discordance_error=rounding + 4.0 * UNIT_ROUNDOFF * expected,
        exponent=data.exponent,
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


def all_dissimilarities(columns: Vector) -> Vector:
    """
    Give the dissimilarities of all pairs.

    Parameters
    ----------
    columns : ndarray of shape (K, n)
        Memberships, one cluster per row.

    Returns
    -------
    ndarray of shape (m,)
        In an order that depends on n alone.
    """
    n = columns.shape[1]
    if n <= _IN_NUMPY:
        return dissimilarities(columns)
    from concordant.kernels.visits import band_dissimilarities

    columns = unrolled(columns)
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
        Dissimilarities, ascending.

    Returns
    -------
    float
        E[d], the integral of F (1 - G) + G (1 - F) with F and G the distribution
        functions of x and y. No term is negative, so that nothing cancels.
    """
    m = len(x)
    both = np.sort(np.concatenate((x, y)))
    below_x, below_y = (
        np.searchsorted(side, both[:-1], side="right") for side in (x, y)
    )
    # Whole numbers, so that exchanging x and y does not change a bit.
    weights = below_x * (m - below_y) + below_y * (m - below_x)
    return math.fsum(np.diff(both) * weights) / m**2
