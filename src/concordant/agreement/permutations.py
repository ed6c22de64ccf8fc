"""The paper's expectation: an average over permutations of the dissimilarities."""

import itertools
import math

import numpy as np

from concordant.agreement.result import Concordance, assemble
from concordant.agreement.sorted_pairs import all_dissimilarities, mean_difference
from concordant.dense import Vector
from concordant.partition import Partition

#: Up to this many pairs all m! orders are visited: 8! = 40 320.
FEW_PAIRS = 8

_Z95 = 1.959963984540054  # 97.5 % quantile of the normal distribution


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
    same distribution.

    References
    ----------
    Amodio, D'Ambrosio, Iorio, Siciliano (2015), section 4.
    """
    x, y = all_dissimilarities(P), all_dissimilarities(Q)
    all_orders = len(x) <= FEW_PAIRS
    draws = _all_orders(x, y) if all_orders else _random(x, y, n_permutations, rng)
    h = len(draws)
    expected = math.fsum(draws) / h
    variance = math.fsum((draws - expected) ** 2) / max(h - 1, 1)
    half_width = 0.0 if all_orders else _Z95 * math.sqrt(variance / h)
    return assemble(
        mean_difference(x, y),
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
