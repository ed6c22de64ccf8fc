"""The paper's expectation: an average over random permutations of the similarities."""

import itertools
import math

import numpy as np

from concordant.arrays import Vector
from concordant.bounded import SUM_ROUNDOFF
from concordant.execution.run import Run
from concordant.measures.tables.pair_table import PairTable
from concordant.nulls.expectation import Expectation
from concordant.pairs.dense import values_of_all_pairs
from concordant.pairs.pair_terms import PairTerms
from concordant.pairs.sampling import student_quantile
from concordant.pairs.side import Side
from concordant.partition.partition import Partition

#: Up to this many pairs all m! orders are visited: 8! = 40 320.
FEW_PAIRS = 8

_EQUAL = 1e-3  # of what is usual: no more than memberships that are nearly labels vary
_MOST_PAIRS = 10**9  # which NumPy's hypergeometric distribution takes


def expectation(P: Partition, Q: Partition, terms: PairTerms, run: Run) -> Expectation:
    """
    Return E[d] as a mean over permutations: all of up to 8 pairs, else random ones.

    The error is the half width of the 95 % confidence interval, by Student's t, beside
    rounding; infinite if there is only one permutation, which tells nothing of their
    spread. Permuting both sides gives the same distribution as permuting one. Of two
    crisp partitions a permutation is known by how many pairs are joined in both, a
    hypergeometric number.
    """
    m, h = terms.n_objects * (terms.n_objects - 1) // 2, run.n_permutations
    if terms.crisp is not None and FEW_PAIRS < m < _MOST_PAIRS:
        draws, furthest = _random_overlaps(terms.crisp, h, run.generator())
        return _expectation(draws, furthest, terms)
    sides = Side(P, run.similarity), Side(Q, run.similarity)
    x, y = (values_of_all_pairs(side.columns, side.value) for side in sides)
    rounding = sides[0].rounding(float(x.mean())) + sides[1].rounding(float(y.mean()))
    if m <= FEW_PAIRS:
        orders = np.array(list(itertools.permutations(range(m))))
        value = math.fsum(np.abs(x - y[orders]).mean(axis=1)) / len(orders)
        return Expectation(value, rounding + SUM_ROUNDOFF * value, len(orders))
    draws = _random(x, y, h, run.generator())
    found = _expectation(draws, _range_of_draws(x, y), terms)
    error = found.error + rounding + SUM_ROUNDOFF * found.value
    return found._replace(error=error)


def _expectation(draws: Vector, furthest: float, terms: PairTerms) -> Expectation:
    """Return the mean of draws with the half width of its 95 % confidence interval."""
    h = len(draws)
    if furthest == 0.0 and terms.discordance is not None:  # all permutations give d
        return Expectation(*terms.discordance, h)
    mean = math.fsum(draws) / h
    if h == 1:
        return Expectation(mean, math.inf, h)
    # No difference is so small that its square would be 0.
    spread = math.hypot(*(draws - mean)) / math.sqrt(h - 1)
    half_width = student_quantile(h - 1) * spread / math.sqrt(h)
    usual = furthest / terms.n_objects  # about the least standard deviation, if not 0
    if float(np.ptp(draws)) <= _EQUAL * usual:
        # Of permutations that differ from those h there is a share of less than 3 / h.
        half_width += min(1.0, 3.0 / h) * furthest
    return Expectation(mean, half_width, h)


def _range_of_draws(x: Vector, y: Vector) -> float:
    """Return how far permutations can be apart: y in the order of x, and against it."""
    if np.ptp(x) == 0.0 or np.ptp(y) == 0.0:
        return 0.0
    x, y = np.sort(x), np.sort(y)
    return float(np.abs(x - y[::-1]).mean() - np.abs(x - y).mean())


def _random(x: Vector, y: Vector, h: int, rng: np.random.Generator) -> Vector:
    """Draw d of h permutations."""
    y = y.copy()
    draws = np.empty(h)
    for draw in range(h):
        rng.shuffle(y)
        draws[draw] = np.abs(x - y).mean()
    return draws


def _random_overlaps(
    table: PairTable, h: int, rng: np.random.Generator
) -> tuple[Vector, float]:
    """Draw d of h permutations from counts, and return how far these can be apart."""
    a, b, c, d = (int(x) for x in (table.a, table.b, table.c, table.d))
    m = a + b + c + d
    overlaps = rng.hypergeometric(a + b, c + d, a + c, size=h)
    most, fewest = min(a + b, a + c), max(0, a - d)
    return np.asarray((2 * a + b + c - 2 * overlaps) / m), 2 * (most - fewest) / m
