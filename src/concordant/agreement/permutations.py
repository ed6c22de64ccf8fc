"""The paper's expectation: an average over permutations of the dissimilarities."""

import itertools
import math

import numpy as np

from concordant.agreement.result import Concordance, assemble
from concordant.agreement.sorted_pairs import all_dissimilarities, mean_difference
from concordant.dense import Vector
from concordant.families.crisp import crisp_table
from concordant.partition import Partition
from concordant.sampling import Z95

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
        Whose errors are half widths of 95 % confidence intervals (1.96 standard
        errors), or 0 if all permutations were visited.

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
        discordance, draws = _random_overlaps(P, Q, n_permutations, rng)
    else:
        x, y = all_dissimilarities(P), all_dissimilarities(Q)
        discordance = mean_difference(x, y)
        draws = _all_orders(x, y) if all_orders else _random(x, y, n_permutations, rng)
    h = len(draws)
    expected = math.fsum(draws) / h
    variance = math.fsum((draws - expected) ** 2) / max(h - 1, 1)
    half_width = 0.0 if all_orders else Z95 * math.sqrt(variance / h)
    return assemble(
        discordance,
        expected,
        n_objects=P.n_objects,
        method="permutations",
        expected_discordance_error=half_width,
        n_permutations=h,
    )


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
) -> tuple[float, Vector]:
    """Give d, and d of h permutations, from counts of pairs."""
    table = crisp_table(P, Q)
    a, b, c, d = (int(x) for x in (table.a, table.b, table.c, table.d))
    m = a + b + c + d
    overlaps = rng.hypergeometric(a + b, c + d, a + c, size=h)
    return (b + c) / m, np.asarray((2 * a + b + c - 2 * overlaps) / m)
