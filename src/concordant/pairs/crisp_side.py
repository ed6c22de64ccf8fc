"""
Two crisp partitions, or a fuzzy and a crisp one: sums over objects, no pairs.

With T the sum of the fuzzy values x over all m pairs and W that over the M pairs within
a class, m d = W + (m - M) - (T - W) if all x lie between 0 and 1. Where they leave that
range, as those of rows do that sum to more than 1, |x| or |x - 1| is larger by up to
twice the excess, which is neglected and stated as an error. E[d] needs no more than the
mean of x, as |x - y| is linear in x between 0 and 1 where y is 0 or 1.
"""

import math
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from concordant.arrays import Positions, Vector
from concordant.bounded import UNIT_ROUNDOFF, Bounded
from concordant.catalogue.terms import CRISP_TABLE
from concordant.execution.engine import Engine
from concordant.measures.tables.crisp import crisp_table, pairs_within
from concordant.pairs.distribution import Distribution
from concordant.pairs.pair_terms import PairTerms
from concordant.pairs.sorts import (
    RELATIVE_ROUNDOFF,
    sum_of_absolute_differences,
    weights_of_gaps,
)
from concordant.pairs.values.inner import Inner
from concordant.pairs.values.l1 import L1
from concordant.partition.partition import Partition
from concordant.storage.memory import keep_freed_memory
from concordant.sums.object_sums import BLOCK
from concordant.sums.products import MembershipSums, Products, sum_of_squares


def crisp_terms(P: Partition, Q: Partition) -> PairTerms:
    """Return d, the distributions and the table of two crisp partitions, in O(n)."""
    table = crisp_table(P, Q)
    a, b, c, d = (int(x) for x in (table.a, table.b, table.c, table.d))
    m = a + b + c + d
    both = of_counts(a + b, c + d), of_counts(a + c, b + d)
    found = Bounded((b + c) / m, 0.0)
    return PairTerms(P.n_objects, "crisp", m, found, both, {CRISP_TABLE: table})


def of_counts(together: int, apart: int) -> Distribution:
    """Return the distribution of values of which so many are 0, and so many 1."""
    found = [(value, n) for value, n in ((0.0, together), (1.0, apart)) if n > 0]
    values, counts = zip(*found, strict=True)
    return Distribution.of_values(np.array(values), np.array(counts, dtype=np.int64))


class Sums(NamedTuple):
    """Sums of the fuzzy values over all pairs and within classes, and their range."""

    overall: Bounded
    within: Bounded
    low: float
    high: float


def fuzzy_crisp(P: Partition, Q: Partition, value: str, engine: Engine) -> PairTerms:
    """Return d and the distributions of two partitions of which one is crisp."""
    fuzzy, crisp = (P, Q) if Q.kind == "crisp" else (Q, P)
    sums = _SUMS[value](fuzzy, crisp, engine)
    n_within = pairs_within(np.bincount(crisp.labels))
    return fuzzy_crisp_terms(sums, n_within, fuzzy.n_objects, crisp_first=crisp is P)


def fuzzy_crisp_terms(
    sums: Sums, n_within: int, n_objects: int, *, crisp_first: bool
) -> PairTerms:
    """Return d and the distributions from sums of the fuzzy values."""
    m, M = n_objects * (n_objects - 1) // 2, n_within
    T, W = sums.overall, sums.within
    if m == M:
        W = T
    # Numbers up to 2 m are added a dozen times.
    rounding = 16.0 * UNIT_ROUNDOFF * (T.value + W.value + (m if m > M else 0))
    excess = max(-sums.low, sums.high - 1.0, 0.0)
    beyond = 2.0 * (max(-sums.low, 0.0) * M + max(sums.high - 1.0, 0.0) * (m - M))
    outside = T.error + W.error if m > M else 0.0
    d = (W.value + ((m - M) - (T.value - W.value))) / m
    d_error = (W.error + outside + beyond + rounding) / m
    if sums.low == sums.high or T.value == T.error == 0.0:
        alike = np.array([T.value / m])
        x = Distribution.of_values(alike, np.array([m]), T.error / m)
    else:
        # As if no value left the range from 0 to 1: |x - y| of those that do is larger
        # by up to twice the excess than what the mean of all says.
        mean = np.array([min(max(T.value / m, 0.0), 1.0)])
        moved = T.error / m + 2.0 * excess
        x = Distribution(np.array([m]), np.zeros(1), np.ones(1), mean, moved)
    y = of_counts(M, m - M)
    both = (y, x) if crisp_first else (x, y)
    found = Bounded(max(d, 0.0), d_error)
    return PairTerms(n_objects, "fuzzy-crisp", m, found, both)


def _by_sorts(fuzzy: Partition, crisp: Partition, engine: Engine) -> Sums:
    """Sum half the L1 distances, cluster by cluster."""
    keep_freed_memory()
    columns, K, n = fuzzy.columns(), fuzzy.n_clusters, fuzzy.n_objects
    order, sizes = np.argsort(crisp.labels, kind="stable"), np.bincount(crisp.labels)
    weights = weights_of_gaps(np.array([n])), weights_of_gaps(sizes)
    data = columns, order, [0, *np.cumsum(sizes).tolist()], weights
    tasks = ((cluster, within) for within in (False, True) for cluster in range(K))
    found = list(engine.run(_sum_of_cluster, data, tasks))
    T, W = math.fsum(found[:K]) / 2, math.fsum(found[K:]) / 2
    return Sums(
        Bounded(T, RELATIVE_ROUNDOFF * T),
        Bounded(W, RELATIVE_ROUNDOFF * W),
        0.0,
        1.0 + L1.excess(fuzzy),
    )


def _sum_of_cluster(
    columns: Vector,
    order: Positions,
    bounds: list[int],
    weights: tuple[Vector, Vector],
    cluster: int,
    within: bool,
) -> float:
    """Sum the differences of one cluster's memberships, over all or within classes."""
    if not within:
        return sum_of_absolute_differences(np.sort(columns[cluster]), weights[0])
    by_class = columns[cluster][order]
    for start, stop in pairwise(bounds):
        by_class[start:stop].sort()
    return sum_of_absolute_differences(by_class, weights[1])


def _by_norms(fuzzy: Partition, crisp: Partition, engine: Engine) -> Sums:
    """Sum one minus inner products: over pairs, these are squared norms of sums."""
    n, columns = fuzzy.n_objects, fuzzy.columns()
    M = pairs_within(np.bincount(crisp.labels))
    sums: Products = MembershipSums.of(fuzzy, crisp, engine)
    together = (sum_of_squares(sums.sums_p) - sums.squares_p) / 2
    within = (sum_of_squares(sums.cross) - sums.squares_p) / 2
    # Sums are rounded in relation to sizes, and squared.
    sizes = np.abs(columns).sum(axis=1)
    units = 4.0 * (min(n, BLOCK) + len(columns) + 8) * UNIT_ROUNDOFF
    error = units * (sum_of_squares(sizes) + sums.squares_p)
    return Sums(
        Bounded(n * (n - 1) // 2 - together, error),
        Bounded(M - within, error),
        *Inner.bounds(Inner.columns(fuzzy)),
    )


_SUMS: dict[str, Callable[[Partition, Partition, Engine], Sums]] = {
    "l1": _by_sorts,
    "inner": _by_norms,
}
