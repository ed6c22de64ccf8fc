"""How far the similarities of all pairs of objects lie apart in two partitions."""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from concordant.families.crisp import crisp
from concordant.terms.distribution import Bounded
from concordant.terms.products import Moments, sum_of_squares

Matrix = NDArray[np.float64]

_UNIT_ROUNDOFF = 2.0**-53


class Bonds(NamedTuple):
    """
    The squared distance of the matrices N_P and N_Q, and its mean over permutations.

    N_P is UU', multiplied by the number that brings it nearest to a matrix of ones.
    """

    n_objects: int
    observed: Bounded
    expected: Bounded


class _Side(NamedTuple):
    """What one partition adds: its mean, and moments around it."""

    mean: Matrix
    length: float  # |mean|²
    spread: float  # the sum of squared distances from the mean
    size: float  # that from where memberships are measured
    excess: Bounded  # |UU'|² - n² |mean|⁴
    inexact: float  # a relative error of the mean


def bonds(terms: Mapping[str, Any]) -> Bonds:
    """
    Return both distances, from counts of crisp partitions, or else from moments.

    With D and E, the memberships less their means m and w, <UU', VV'> is
    n² |m|² |w|² + 2 n m'D'E w + |D'E|², and likewise for U with itself. What is large
    and equal in all of them is left out, so that nothing cancels near 1/K.
    """
    if "counts" in terms:
        return _of_crisp(terms)
    sums: Moments = terms["moments"]
    n, K = sums.n_objects, sums.n_clusters_p
    if n < 2:
        return Bonds(n, Bounded(0.0, 0.0), Bounded(0.0, 0.0))
    totals = sums.sums[-1, :-1]
    around = sums.sums[:-1, :-1] - np.multiply.outer(totals, totals) / n
    rounding = 4.0 * sums.rounding
    p = _side(around[:K, :K], totals[:K], sums.sizes[0], sums.fuzzy[0], n, rounding)
    q = _side(around[K:, K:], totals[K:], sums.sizes[1], sums.fuzzy[1], n, rounding)
    means = np.multiply.outer(p.mean, q.mean)
    length = math.sqrt(p.length * q.length)
    error = rounding * math.sqrt(p.size * q.size)
    between = _excess(around[:K, K:], means, length, error, n, p.inexact + q.inexact)
    ratio, inverse = p.length / q.length, q.length / p.length
    within = ratio * q.excess.value + inverse * p.excess.value
    by_chance = 2.0 * p.spread * q.spread / (n - 1)
    # N_P and N_Q are multiples of UU' and VV'.
    unit = (n * n) ** 2 / (
        (n * n * p.length + p.excess.value / p.length)
        * (n * n * q.length + q.excess.value / q.length)
    )
    relative = 8.0 * (p.inexact + q.inexact) + (
        p.excess.error / (n * p.length) ** 2 + q.excess.error / (n * q.length) ** 2
    )
    lost = ratio * q.excess.error + inverse * p.excess.error + relative * within
    of_spreads = rounding * (p.size * q.spread + q.size * p.spread)
    of_spreads += rounding * rounding * p.size * q.size
    observed = unit * max(within - 2.0 * between.value, 0.0)
    expected = unit * max(within - by_chance, 0.0)
    more = lost + 2.0 * between.error + relative * 2.0 * abs(between.value)
    other = lost + 2.0 * of_spreads / (n - 1) + relative * by_chance
    grown = unit * (1.0 + relative)
    return Bonds(
        n,
        Bounded(observed, grown * more + relative * observed),
        Bounded(expected, grown * other + relative * expected),
    )


def _side(
    around: Matrix, totals: Matrix, size: float, fuzzy: bool, n: int, rounding: float
) -> _Side:
    mean = totals / n + (1.0 / len(totals) if fuzzy else 0.0)
    length = sum_of_squares(mean)
    inexact = rounding * math.sqrt(size / (n * length)) + 8.0 * _UNIT_ROUNDOFF
    means = np.multiply.outer(mean, mean)
    excess = _excess(around, means, length, rounding * size, n, 2.0 * inexact)
    return _Side(mean, length, math.fsum(around.diagonal()), size, excess, inexact)


def _excess(
    around: Matrix, means: Matrix, length: float, error: float, n: int, inexact: float
) -> Bounded:
    """Return 2 n m'A w + |A|², with the error that errors of A, m and w leave."""
    value = 2.0 * n * math.fsum((around * means).ravel()) + sum_of_squares(around)
    norm = math.sqrt(sum_of_squares(around))
    slope = 2.0 * n * length + 2.0 * norm + error
    return Bounded(value, slope * error + 4.0 * inexact * (n * length + norm) * norm)


def _of_crisp(terms: Mapping[str, Any]) -> Bonds:
    """Count the pairs on which crisp partitions differ, each in both orders."""
    table, n = crisp(terms), int(terms["counts"].cells.sum())
    a, b, c, d = (int(x) for x in (table.a, table.b, table.c, table.d))
    m, in_p, in_q = a + b + c + d, a + b, a + c
    expected = in_p * (m - in_q) + in_q * (m - in_p)
    mean = 2 * expected / m if m else 0.0
    return Bonds(n, Bounded(2.0 * (b + c), 0.0), Bounded(mean, _UNIT_ROUNDOFF * mean))
