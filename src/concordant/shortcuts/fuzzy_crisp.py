"""
A fuzzy and a crisp partition: sorts of the memberships, no pairs.

With T the sum of the fuzzy dissimilarities x over all m pairs, W that over the M pairs
within a class, Z and V the same of max(x - 1, 0), m d = W + (m - M) - (T - W) +
2 (Z - V). x passes 1 only where rows sum to more than 1: then Z - V is only known to
lie between 0 and m - M times the largest excess. E[d] needs no more than the mean of x,
as |x - y| is linear in x where y is 0 or 1 and x at most 1.
"""

import math

import numpy as np
from numpy.typing import NDArray

from concordant.execution.engine import Engine
from concordant.partition.partition import Partition
from concordant.shortcuts.crisp import of_counts
from concordant.shortcuts.sorts import (
    RELATIVE_ROUNDOFF,
    Classes,
    sum_of_absolute_differences,
)
from concordant.terms.distribution import UNIT_ROUNDOFF, Bounded, Distribution
from concordant.terms.pair_terms import PairTerms

Vector = NDArray[np.float64]


def largest_excess(columns: Vector) -> float:
    """Bound how far a dissimilarity passes 1: x is at most half of two rows' sizes."""
    sizes = columns if columns.min() >= 0.0 else np.abs(columns)
    excess = float(sizes.sum(axis=0).max()) - 1.0
    # Sums of K memberships are rounded.
    return excess if excess > 4.0 * (len(columns) + 2) * UNIT_ROUNDOFF else 0.0


def fuzzy_crisp(P: Partition, Q: Partition, engine: Engine) -> PairTerms:
    """Return d and the distributions of two partitions of which one is crisp."""
    fuzzy, crisp = (P, Q) if Q.kind == "crisp" else (Q, P)
    classes = Classes.of(crisp.labels)
    columns = fuzzy.columns()
    K = len(columns)
    tasks = ((cluster, within) for within in (False, True) for cluster in range(K))
    found = list(engine.run(_sum_of_cluster, (columns, classes), tasks))
    terms = fuzzy_crisp_terms(
        Bounded(T := math.fsum(found[:K]) / 2, RELATIVE_ROUNDOFF * T),
        Bounded(W := math.fsum(found[K:]) / 2, RELATIVE_ROUNDOFF * W),
        sum(size * (size - 1) // 2 for size in classes.sizes.tolist()),
        fuzzy.n_objects,
        largest_excess(columns),
    )
    return terms if fuzzy is P else exchanged(terms)


def fuzzy_crisp_terms(
    overall: Bounded, within: Bounded, n_within: int, n_objects: int, excess: float
) -> PairTerms:
    """
    Return d and the distributions from sums of the fuzzy dissimilarities.

    Given are T and W, the number of pairs within a class, and the largest excess.
    """
    m, M = n_objects * (n_objects - 1) // 2, n_within
    T, W = overall, within
    if m == M:
        W = T
    # Numbers up to 2 m are added a dozen times.
    rounding = 16.0 * UNIT_ROUNDOFF * (T.value + W.value + (m if m > M else 0))
    beyond = excess * (m - M)
    outside = T.error + W.error if m > M else 0.0
    d = (W.value + (((m - M) - (T.value - W.value)) + beyond)) / m
    d_error = (W.error + outside + beyond + rounding) / m
    mean = T.value / m
    if T.value == 0.0:
        x = Distribution.of_values(np.zeros(1), np.array([m]), T.error / m)
    else:
        ends = np.array([0.0]), np.array([1.0 + excess])
        x = Distribution(
            np.array([m]), *ends, np.array([min(mean, 1.0 + excess)]), T.error / m
        )
    y = of_counts(M, m - M)
    method = "fuzzy-crisp"
    return PairTerms(n_objects, method, m, Bounded(max(d, 0.0), d_error), (x, y))


def exchanged(terms: PairTerms) -> PairTerms:
    """Return the same for Q and P."""
    x, y = terms.distributions or (None, None)
    both = None if x is None or y is None else (y, x)
    return PairTerms(
        terms.n_objects, terms.method, terms.n_pairs, terms.discordance, both
    )


def _sum_of_cluster(
    columns: Vector, classes: Classes, cluster: int, within: bool
) -> float:
    """Sum the differences of one cluster's memberships, over all or within classes."""
    if not within:
        return sum_of_absolute_differences(np.sort(columns[cluster]))
    rows = classes.sorted_within(columns[cluster])
    return math.fsum(map(sum_of_absolute_differences, rows))
