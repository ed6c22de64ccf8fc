"""The paper's expectation: an average over permutations of the dissimilarities."""

import itertools
import math

import numpy as np

from concordant.agreement.result import Concordance, assemble
from concordant.agreement.roundoff import UNIT_ROUNDOFF
from concordant.agreement.scaling import scaled
from concordant.agreement.sorted_pairs import PRECISE, mean_difference
from concordant.agreement.spread import SPREAD_ERROR
from concordant.agreement.twice_precise import twice_precise
from concordant.families.crisp import crisp_table
from concordant.pairs.dense import Vector, dissimilarities, in_order
from concordant.pairs.sampling import student_quantile
from concordant.partition.partition import Partition

#: Up to this many pairs all m! orders are visited: 8! = 40 320.
FEW_PAIRS = 8

_MOST_PAIRS = 10**9  # which NumPy's hypergeometric distribution takes


def permutations(
    P: Partition, Q: Partition, *, n_permutations: int, rng: np.random.Generator
) -> Concordance:
    """
    Compute the concordance with an expectation averaged over permutations.

    Parameters
    ----------
    P, Q : Partition
        Partitions of the same objects.
    n_permutations : int
        h, the number of random permutations if there are more than 8 pairs; else all
        are visited.
    rng : numpy.random.Generator
        Where they come from.

    Returns
    -------
    Concordance
        Whose errors are half widths of 95 % confidence intervals, by Student's t with
        h - 1 degrees of freedom, beside rounding: nothing if all permutations were
        visited or give the same; infinite for E[d] if there is only one, as one tells
        nothing of their spread, so that nothing is known of ACI.

    Notes
    -----
    O(h n²) time, O(n²) memory. Only one side is permuted: permuting both gives the
    same distribution. Of two crisp partitions a permutation is known by how many pairs
    are joined in both, a hypergeometric number, and drawing that takes O(n + h).

    References
    ----------
    Amodio, D'Ambrosio, Iorio, Siciliano (2015), section 4.
    """
    m = P.n_objects * (P.n_objects - 1) // 2
    all_orders = m <= FEW_PAIRS
    if P.kind == Q.kind == "crisp" and not all_orders and m < _MOST_PAIRS:
        discordance, draws, range_of_draws = _random_overlaps(P, Q, n_permutations, rng)
        exponent, constant, rounding = 0, range_of_draws == 0.0, 0.0
    else:
        data = scaled(P, Q)
        exponent, constant = data.exponent, data.one_is_constant
        # In this order, as draws of one seed should not change.
        x, y = (in_order(dissimilarities(u), P.n_objects) for u in (data.p, data.q))
        discordance = mean_difference(x, y, data.upper)
        draws = _all_orders(x, y) if all_orders else _random(x, y, n_permutations, rng)
        range_of_draws = _range_of_draws(x, y)
        rounding = data.rounding(float(x.mean()), float(y.mean()))
    h = len(draws)
    expected = math.fsum(draws) / h
    half_width = 0.0 if all_orders else _half_width(draws, expected, range_of_draws)
    if all_orders and rounding > PRECISE * expected:
        discordance, expected, rounding = twice_precise(data.p, data.q)
    return assemble(
        discordance,
        expected,
        n_objects=P.n_objects,
        method="permutations",
        discordance_error=rounding + 3.0 * UNIT_ROUNDOFF * discordance,
        # A draw is a mean, whose terms NumPy adds up in a tree.
        expected_discordance_error=half_width + rounding + SPREAD_ERROR * expected,
        constant=constant,
        exponent=exponent,
        n_permutations=h,
    )


def _half_width(draws: Vector, mean: float, range_of_draws: float) -> float:
    """Give the half width of the 95 % confidence interval of the mean of draws."""
    h = len(draws)
    if range_of_draws == 0.0:
        return 0.0
    if h == 1:
        return math.inf
    variance = math.fsum((draws - mean) ** 2) / (h - 1)
    if variance == 0.0:  # of others than those h there is a share of less than 3 / h
        return min(1.0, 3.0 / h) * range_of_draws
    return student_quantile(h - 1) * math.sqrt(variance / h)


def _range_of_draws(x: Vector, y: Vector) -> float:
    """Tell how far permutations can be apart: y in the order of x, and against it."""
    if np.ptp(x) == 0.0 or np.ptp(y) == 0.0:
        return 0.0
    x, y = np.sort(x), np.sort(y)
    return float(np.abs(x - y[::-1]).mean() - np.abs(x - y).mean())


def _all_orders(x: Vector, y: Vector) -> Vector:
    orders = np.array(list(itertools.permutations(range(len(x)))))
    return np.asarray(np.abs(x - y[orders]).mean(axis=1))


def _random(x: Vector, y: Vector, h: int, rng: np.random.Generator) -> Vector:
    y = y.copy()
    draws = np.empty(h)
    for draw in range(h):
        rng.shuffle(y)
        draws[draw] = np.abs(x - y).mean()
    return draws


def _random_overlaps(
    P: Partition, Q: Partition, h: int, rng: np.random.Generator
) -> tuple[float, Vector, float]:
    """Give d, d of h permutations and how far these can be apart, from counts."""
    table = crisp_table(P, Q)
    a, b, c, d = (int(x) for x in (table.a, table.b, table.c, table.d))
    m = a + b + c + d
    overlaps = rng.hypergeometric(a + b, c + d, a + c, size=h)
    most, fewest = min(a + b, a + c), max(0, a - d)
    draws = np.asarray((2 * a + b + c - 2 * overlaps) / m)
    return (b + c) / m, draws, 2 * (most - fewest) / m
