"""Two small partitions of any kind: all dissimilarities, sorted."""

import math

import numpy as np

from concordant.agreement.result import Concordance, assemble
from concordant.dense import Vector, dissimilarities
from concordant.partition import Partition


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
    O(n² (K + log n)) time and 2 m numbers of memory.
    """
    x, y = dissimilarities(P.columns()), dissimilarities(Q.columns())
    return assemble(
        mean_difference(x, y),
        expected_difference(x, y),
        n_objects=P.n_objects,
        method="sorted",
    )


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
    both = np.concatenate((x, y))
    order = np.argsort(both)  # in whatever order equal numbers: their gaps are 0
    gaps = np.diff(both[order])
    below_x = np.cumsum(order < m)[:-1]  # m F just after each number but the last
    below_y = np.arange(1, 2 * m) - below_x
    # Whole numbers, so that exchanging x and y does not change a bit.
    weights = below_x * (m - below_y) + below_y * (m - below_x)
    return math.fsum(gaps * weights) / m**2
