"""The Rand index of scaled similarities, and its form adjusted for chance."""

import math
from typing import NamedTuple

import numpy as np

from concordant.arrays import Matrix
from concordant.bounded import UNIT_ROUNDOFF, Bounded
from concordant.measures.adjusted import Score
from concordant.measures.ratio import error_of_ratio
from concordant.measures.tables.crisp import crisp
from concordant.sums.contingency import Contingency
from concordant.sums.products import Moments, sum_of_squares

_ROUNDING = 2.0**-52  # of a quotient and a difference


def fri(found: "Bonds") -> Score:
    """Return 1 - ||N_P - N_Q||² / (n (n - 1))."""
    n, (apart, error), _ = found
    pairs = max(n * (n - 1), 1)
    return Score(1.0 - apart / pairs, error / pairs + _ROUNDING * (1.0 + apart / pairs))


def fari(found: "Bonds") -> Score:
    """Return 1 - ||N_P - N_Q||² / E||N_P - N_Q||²; 1 if no permutation differs."""
    (apart, error), (expected, expected_error) = found.observed, found.expected
    if expected > expected_error:
        value = 1.0 - apart / expected
    else:  # both are constant, as far as digits tell
        value = 1.0 if apart <= error else 0.0
    return Score(value, error_of_ratio(value, error, found.expected))


class Bonds(NamedTuple):
    """
    The squared distance of the matrices N_P and N_Q, and its mean over permutations.

    N_P is UU', multiplied by the number that brings it nearest to a matrix of ones.
    """

    n_objects: int
    observed: Bounded
    expected: Bounded


class _Scatter(NamedTuple):
    """What one partition adds: its mean, and moments around it."""

    mean: Matrix
    length: float  # |mean|²
    spread: float  # the sum of squared distances from the mean
    size: float  # that from where memberships are measured
    excess: Bounded  # |UU'|² - n² |mean|⁴
    inexact: float  # a relative error of the mean


def bonds(sums: Contingency | Moments) -> Bonds:
    """
    Return both distances, from counts of crisp partitions, or else from moments.

    With D and E, the memberships less their means m and w, <UU', VV'> is
    n² |m|² |w|² + 2 n m'D'E w + |D'E|², and likewise for U with itself. What is large
    and equal in all of them is left out, so that nothing cancels near 1/K.
    """
    if isinstance(sums, Contingency):
        return _of_crisp(sums)
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
) -> _Scatter:
    mean = totals / n + (1.0 / len(totals) if fuzzy else 0.0)
    length = sum_of_squares(mean)
    inexact = rounding * math.sqrt(size / (n * length)) + 8.0 * UNIT_ROUNDOFF
    means = np.multiply.outer(mean, mean)
    excess = _excess(around, means, length, rounding * size, n, 2.0 * inexact)
    return _Scatter(mean, length, math.fsum(around.diagonal()), size, excess, inexact)


def _excess(
    around: Matrix, means: Matrix, length: float, error: float, n: int, inexact: float
) -> Bounded:
    """Return 2 n m'A w + |A|², with the error that errors of A, m and w leave."""
    value = 2.0 * n * math.fsum((around * means).ravel()) + sum_of_squares(around)
    norm = math.sqrt(sum_of_squares(around))
    slope = 2.0 * n * length + 2.0 * norm + error
    return Bounded(value, slope * error + 4.0 * inexact * (n * length + norm) * norm)


def _of_crisp(counts: Contingency) -> Bonds:
    """Count the pairs on which crisp partitions differ, each in both orders."""
    table, n = crisp(counts), int(counts.cells.sum())
    a, b, c, d = (int(x) for x in (table.a, table.b, table.c, table.d))
    m, in_p, in_q = a + b + c + d, a + b, a + c
    expected = in_p * (m - in_q) + in_q * (m - in_p)
    mean = 2 * expected / m if m else 0.0
    return Bonds(n, Bounded(2.0 * (b + c), 0.0), Bounded(mean, UNIT_ROUNDOFF * mean))
