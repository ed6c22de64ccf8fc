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
from concordant.exact import BLOCK, leading_digits, partial_sums
from concordant.pairs.dense import Vector, dissimilarities
from concordant.partition.partition import Partition
from concordant.storage.memory import keep_freed_memory
from concordant.terms.own_terms import dissimilarities_of

#: The part of E[d] that rounding may reach before digits are doubled.
PRECISE = 1e-13
# The last bit of a number, in relation to it.
_LAST_BIT = 2.0**-52


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
    keep_freed_memory()
    data = scaled(P, Q)
    both = _dissimilarities(P, Q, data)
    x, y = np.split(both, 2)
    d = mean_difference(x, y, data.upper)
    constant = _is_constant(x) or _is_constant(y)
    means = _mean(x, data.upper), _mean(y, data.upper)
    rounding = data.rounding(*means)
    expected = expected_difference(both)
    cut = _LAST_BIT * (means[0] + means[1])
    if rounding > PRECISE * expected:
        d, expected, rounding = twice_precise(data.p, data.q)
        cut = 0.0
    return assemble(
        d,
        expected,
        constant=constant,
        n_objects=P.n_objects,
        method="sorted",
        discordance_error=rounding + 3.0 * UNIT_ROUNDOFF * d,
        expected_discordance_error=rounding + cut + 8.0 * UNIT_ROUNDOFF * expected,
        exponent=data.exponent,
    )


def sorted_discordance(P: Partition, Q: Partition) -> Discordance:
    """Give d as `sorted_pairs` does, to the bit, without sorting where that will do."""
    data = scaled(P, Q)
    x, y = np.split(_dissimilarities(P, Q, data), 2)
    d = mean_difference(x, y, data.upper)
    rounding = data.rounding(_mean(x, data.upper), _mean(y, data.upper))
    # d is at most 3 E[d]: so its digits are not doubled there either.
    if rounding > PRECISE * d / 4.0:
        return discordance_of(sorted_pairs(P, Q))
    return scaled_back(d, rounding + 3.0 * UNIT_ROUNDOFF * d, data.exponent, "sorted")


def _dissimilarities(P: Partition, Q: Partition, data: Scaled) -> Vector:
    """Give those of all pairs of P, and behind them those of Q, to be overwritten."""
    if data.exponent == 0:
        return np.concatenate((dissimilarities_of(P), dissimilarities_of(Q)))
    m = P.n_objects * (P.n_objects - 1) // 2
    both = np.empty(2 * m)
    dissimilarities(data.p, both[:m])
    dissimilarities(data.q, both[m:])
    return both


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
        For both vectors of n (n - 1) / 2 numbers, and as much again three times over
        where digits are doubled.
    """
    return 8 * 8 * (n * (n - 1) // 2)


def mean_difference(x: Vector, y: Vector, largest: float) -> float:
    """
    Average |x_s - y_s|.

    Parameters
    ----------
    x, y : ndarray of shape (m,)
        Dissimilarities of the same pairs.
    largest : float
        None of them is larger.

    Returns
    -------
    float
        d, the same to the bit for pairs in any order. It loses up to 2^-78 of the
        largest dissimilarity, which is not more than n times the mean of all.
    """
    sums: list[float] = []
    for start in range(0, len(x), BLOCK):
        apart = x[start : start + BLOCK] - y[start : start + BLOCK]
        sums += partial_sums(np.abs(apart, out=apart), largest)
    return math.fsum(sums) / len(x)


def _mean(x: Vector, largest: float) -> float:
    """Average x to some digits, the same to the bit in any order."""
    blocks = (x[start : start + BLOCK] for start in range(0, len(x), BLOCK))
    return math.fsum(leading_digits(block, largest)[1] for block in blocks) / len(x)


def _is_constant(x: Vector) -> bool:
    return bool(x[-1] == x[0] and (x == x[0]).all())


def expected_difference(both: Vector) -> float:
    """
    Average |x_s - y_t| over all s and t.

    Parameters
    ----------
    both : ndarray of shape (2 m,)
        All x and behind them all y, none of them negative; they are sorted, and lose
        their last bit.

    Returns
    -------
    float
        E[d], the integral of F (1 - G) + G (1 - F) with F and G the distribution
        functions of x and y. No term is negative, so that nothing cancels.

    Notes
    -----
    In place of the last bit stands whether it is an x, so that one sort tells how many
    x and y lie below each number.
    """
    m = len(both) // 2
    bits = both.view(np.int64)
    bits[:m] |= 1
    bits[m:] &= ~1
    both.sort()
    numbers = np.arange(float(min(BLOCK, 2 * m)))
    last, n_x = 0.0, 0
    sums: list[float] = []
    for start in range(0, 2 * m, BLOCK):
        values, own_bits = both[start : start + BLOCK], bits[start : start + BLOCK]
        is_x = own_bits & 1
        own_bits -= is_x
        up_to_x = np.cumsum(is_x)
        up_to_x -= is_x
        below_x = up_to_x + float(n_x)
        below_y = numbers[: len(values)] - below_x
        below_y += start
        n_x = int(below_x[-1]) + int(is_x[-1])
        # F (m - G) + G (m - F), times the gap below.
        terms = m - below_y
        terms *= below_x
        np.subtract(m, below_x, out=below_x)
        below_y *= below_x
        terms += below_y
        gaps = np.subtract(values[1:], values[:-1], out=below_x[1:])
        terms[0] *= values[0] - last
        terms[1:] *= gaps
        last = float(values[-1])
        sums += partial_sums(terms, float(terms.max()))
    return math.fsum(sums) / m**2
