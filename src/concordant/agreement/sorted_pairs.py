"""Two partitions of some hundred objects: all dissimilarities, sorted."""

import math

import numpy as np

from concordant.agreement.result import (
    Concordance,
    Discordance,
    assemble,
    discordance_of,
    scaled_back,
)
from concordant.agreement.roundoff import UNIT_ROUNDOFF
from concordant.agreement.scaling import Scaled, scaled
from concordant.agreement.twice_precise import twice_precise
from concordant.pairs.dense import Vector
from concordant.partition.partition import Partition
from concordant.terms.own_terms import (
    all_dissimilarities,
    dissimilarities_of,
    sorted_dissimilarities_of,
)

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
    x, y = _dissimilarities(P, Q, data)
    d = mean_difference(x, y)
    rounding = data.rounding(float(x.mean()), float(y.mean()))
    if data.exponent == 0:
        x, y = sorted_dissimilarities_of(P), sorted_dissimilarities_of(Q)
    else:
        x, y = np.sort(x), np.sort(y)
    expected = expected_difference(x, y)
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


def sorted_discordance(P: Partition, Q: Partition) -> Discordance:
    """Give d as `sorted_pairs` does, to the bit, without sorting where that will do."""
    data = scaled(P, Q)
    x, y = _dissimilarities(P, Q, data)
    d = mean_difference(x, y)
    rounding = data.rounding(float(x.mean()), float(y.mean()))
    # d is at most 3 E[d]: so its digits are not doubled there either.
    if rounding > PRECISE * d / 4.0:
        return discordance_of(sorted_pairs(P, Q))
    error = rounding + 2.0 * UNIT_ROUNDOFF * d
    return scaled_back(d, error, data.exponent, "sorted")


def _dissimilarities(P: Partition, Q: Partition, data: Scaled) -> tuple[Vector, Vector]:
    if data.exponent == 0:
        return dissimilarities_of(P), dissimilarities_of(Q)
    return all_dissimilarities(data.p), all_dissimilarities(data.q)


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
