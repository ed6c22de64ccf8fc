"""The discordance of randomly permuted objects, by the plan that suits the kinds."""

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.agreement.beyond_one import largest_excess
from concordant.agreement.roundoff import UNIT_ROUNDOFF
from concordant.agreement.scaling import scaled
from concordant.agreement.spread import spread
from concordant.execution.engine import Engine
from concordant.execution.run import Run
from concordant.families.crisp import crisp_table, pairs_within
from concordant.gather import gathered_concordance
from concordant.partition.equivalence import dissimilarity
from concordant.partition.partition import Partition

Vector = NDArray[np.float64]
Whole = NDArray[np.int64]

#: All permutations of so many objects are visited if that is asked for.
MOST_FOR_ALL = 10

# Permutations times pairs times clusters that take some 20 seconds, and that a sample
# takes if all pairs would take longer.
_WORK = 10**11
_LESS_WORK = 5 * 10**10
_MOST_PAIRS = 1 << 23  # whose dissimilarities are kept
_MOST_OBJECTS = 1 << 17  # that stand in a sample of pairs
_BATCH = 10**7  # pairs times clusters that are visited in one task
_TABLE = 1 << 22  # cells of contingency tables that are held at once
_EXCESS = 1e-6  # beyond 1 of sums of memberships, which a dissimilarity then passes


@dataclass(frozen=True)
class Plan:
    """
    How d of permuted objects is drawn.

    `draw` takes a generator and a number of permutations and gives d of each, in
    batches. Two numbers that differ by no more than `tolerance` are the same but for
    rounding. `expected` is E[d] of the statistic if it is not that of all pairs.
    """

    method: str
    n_pairs: int
    observed: float
    tolerance: float
    draw: Callable[[np.random.Generator, int, Engine], Iterator[Vector]]
    expected: float | None = None


def plan_for(
    P: Partition,
    Q: Partition,
    *,
    n_permutations: int,
    n_pairs: int | None,
    rng: np.random.Generator,
) -> Plan:
    """
    Choose how d of permuted objects is drawn.

    `n_pairs` is how many pairs the statistic should rest on, about; None: as many as
    take some seconds.
    """
    if P.kind == Q.kind == "crisp":
        return _two_crisp(P, Q)
    if "crisp" in (P.kind, Q.kind):
        fuzzy, crisp = (Q, P) if P.kind == "crisp" else (P, Q)
        if largest_excess(fuzzy.columns()) <= _EXCESS:
            return _fuzzy_and_crisp(fuzzy, crisp, n_permutations, n_pairs, rng)
    return _two_fuzzy(P, Q, n_permutations, n_pairs, rng)


def all_permutations(P: Partition, Q: Partition) -> Plan:
    """Visit all n! permutations of few objects."""
    n = P.n_objects
    i, j = np.triu_indices(n, 1)
    x = dissimilarity(P, i, j)
    one, other = np.ogrid[:n, :n]
    y = dissimilarity(Q, one, other)

    def draw(rng: np.random.Generator, count: int, engine: Engine) -> Iterator[Vector]:
        orders = itertools.permutations(range(n))
        while chunk := [*itertools.islice(orders, 5040)]:
            order = np.array(chunk)
            yield np.abs(x - y[order[:, i], order[:, j]]).mean(axis=1)

    clusters = P.n_clusters + Q.n_clusters
    return Plan(
        "all permutations",
        len(i),
        float(np.abs(x - y[i, j]).mean()),
        8.0 * (clusters + len(i)) * UNIT_ROUNDOFF * max(x.max(), y.max()),
        draw,
    )


def _seeds(
    rng: np.random.Generator, count: int, size: int
) -> Iterator[tuple[NDArray[np.uint64]]]:
    """Give a seed for every permutation, `size` of them at a time."""
    for start in range(0, count, size):
        shape = (min(size, count - start), 4)
        yield (rng.integers(1, 2**64 - 1, shape, np.uint64, endpoint=True),)


def _two_crisp(P: Partition, Q: Partition) -> Plan:
    """Draw contingency tables with the sizes of clusters, or labels if many cells."""
    n = P.n_objects
    m = n * (n - 1) // 2
    sizes_p, sizes_q = (np.bincount(one.labels) for one in (P, Q))
    sizes_p, sizes_q = sizes_p[sizes_p > 0], sizes_q[sizes_q > 0]
    apart = pairs_within(sizes_p) + pairs_within(sizes_q)

    def discordance(joined: Whole) -> Vector:
        return np.array([(apart - 2 * a) / m for a in joined.tolist()])

    def tables(rng: np.random.Generator, count: int, _: Engine) -> Iterator[Vector]:
        from scipy.stats import random_table

        law = random_table(sizes_p, sizes_q)
        size = max(1, _TABLE // (sizes_p.size * sizes_q.size))
        for start in range(0, count, size):
            cells = law.rvs(min(size, count - start), random_state=rng)
            cells = np.asarray(cells, dtype=np.int64)
            yield discordance((cells * (cells - 1) // 2).sum(axis=(-2, -1)))

    def labels(rng: np.random.Generator, count: int, run: Engine) -> Iterator[Vector]:
        from concordant.kernels.permuted import joined_pairs

        starts = np.concatenate(([0], np.cumsum(sizes_p)))
        classes = np.unique(Q.labels, return_inverse=True)[1].astype(np.int64)

        def joined(seeds: NDArray[np.uint64]) -> Vector:
            out = np.empty(len(seeds), dtype=np.int64)
            joined_pairs(starts, classes, sizes_q.size, seeds, out)
            return discordance(out)

        yield from run.run(joined, (), _seeds(rng, count, _batch(8 * n)))

    def nothing(rng: np.random.Generator, count: int, _: Engine) -> Iterator[Vector]:
        yield discordance(np.full(count, observed))

    few_cells = sizes_p.size * sizes_q.size <= n // 8
    observed = int(crisp_table(P, Q).a)
    draw = tables if few_cells else labels
    if {pairs_within(sizes_p), pairs_within(sizes_q)} & {0, m}:
        draw = nothing  # one cluster, or single objects: no permutation changes d
    return Plan(
        "contingency tables" if few_cells else "permuted labels",
        m,
        (apart - 2 * observed) / m,
        0.25 / m,  # two different numbers of pairs differ by 2 / m
        draw,
    )


def _batch(cost: int) -> int:
    return max(1, min(1024, _BATCH // cost))


def _fuzzy_and_crisp(
    fuzzy: Partition,
    crisp: Partition,
    n_permutations: int,
    n_pairs: int | None,
    rng: np.random.Generator,
) -> Plan:
    """
    Permute labels: all that changes are sums within classes.

    Memberships stay in order, so that |u_i - u_j| is added up class by class in one
    pass. Pairs are sampled by sampling objects.
    """
    n, K = fuzzy.n_objects, fuzzy.n_clusters
    size = min(n, max(2, _WORK // (16 * n_permutations * K)))
    if n_pairs is not None:
        size = min(n, max(2, math.ceil((2 * n_pairs) ** 0.5)))
    kept = np.arange(n)
    if size < n:
        kept = rng.permutation(n)[:size]
    columns = fuzzy.columns()[:, kept]
    columns = columns - columns.min(axis=1, keepdims=True)
    ranked = np.argsort(columns, axis=1, kind="stable").astype(np.uint32)
    sorted_u = np.take_along_axis(columns, ranked, axis=1)
    total = 0.5 * math.fsum(spread(column) for column in sorted_u)
    classes, n_classes = crisp.labels, crisp.n_clusters
    m = size * (size - 1) // 2

    def discordance(within: Vector, joined: Whole) -> Vector:
        return np.asarray((within + ((m - joined) - total)) / m)

    def spreads(seeds: NDArray[np.uint64]) -> Vector:
        from concordant.kernels.permuted import spreads_of_permutations

        sums, joined = np.empty(len(seeds)), np.empty(len(seeds), dtype=np.int64)
        spreads_of_permutations(
            ranked, sorted_u, classes, n_classes, seeds, sums, joined
        )
        return discordance(sums, joined)

    def draw(rng: np.random.Generator, count: int, run: Engine) -> Iterator[Vector]:
        yield from run.run(spreads, (), _seeds(rng, count, _batch(4 * size * K)))

    from concordant.kernels.permuted import spread_within

    within, joined = spread_within(ranked, sorted_u, classes[kept], n_classes)
    # Numbers up to the sum of all memberships are added once per object.
    largest = size * float(sorted_u.sum())
    return Plan(
        "permuted labels" if size == n else "sampled pairs",
        m,
        float(discordance(np.array([within]), np.array([joined]))[0]),
        (8 * size + 32) * UNIT_ROUNDOFF * (largest / m + 1.0),
        draw,
        None if size == n else _expected_of(fuzzy.take(kept), crisp.take(kept)),
    )


def _expected_of(P: Partition, Q: Partition) -> float:
    return gathered_concordance(P, Q, Run()).expected_discordance


def _two_fuzzy(
    P: Partition,
    Q: Partition,
    n_permutations: int,
    n_pairs: int | None,
    rng: np.random.Generator,
) -> Plan:
    """
    Permute the objects of one partition, and visit all pairs or a fixed sample.

    Pairs are (i, i + s) for all i and some shifts s, so that each object stands in as
    many of them: all shifts are all pairs.
    """
    data = scaled(P, Q)
    # What is permuted is measured anew every time: the one with fewer clusters.
    kept, permuted = sorted((data.p, data.q), key=len, reverse=True)
    n, L = permuted.shape[1], len(permuted)
    m = n * (n - 1) // 2
    wanted = _affordable(m, n_permutations * max(L, 2)) if n_pairs is None else n_pairs
    base, shifts = np.arange(n), np.arange(1, n // 2 + 1)
    if wanted < m:
        base = rng.permutation(n)[: max(3, min(n, _MOST_OBJECTS, wanted))]
        most = (base.size - 1) // 2
        n_shifts = min(max(1, round(wanted / base.size)), most)
        shifts = np.sort(rng.choice(most, n_shifts, replace=False)) + 1
    x, rows = _shifted(kept[:, base], shifts), np.ascontiguousarray(permuted.T)
    size = base.size
    count = _n_pairs(shifts, size)

    def sums(seeds: NDArray[np.uint64]) -> Vector:
        from concordant.kernels.permuted import differences_of_permutations

        out = np.empty(len(seeds))
        differences_of_permutations(x, rows, shifts, seeds, out)
        return np.asarray(np.ldexp(out / count, -data.exponent))

    def draw(rng: np.random.Generator, draws: int, run: Engine) -> Iterator[Vector]:
        yield from run.run(sums, (), _seeds(rng, draws, _batch(count * L)))

    from concordant.kernels.permuted import sum_of_differences

    room = np.empty((L + 1, 2 * size))
    observed = sum_of_differences(x, rows, shifts, base, room) / count
    units = 8.0 * (len(kept) + L + shifts.size + 8) * UNIT_ROUNDOFF
    expected = None
    if count < m:
        y = _shifted(permuted[:, base], shifts)
        expected = math.ldexp(_mean_difference(x, y), -data.exponent)
    return Plan(
        "all pairs" if count == m else "sampled pairs",
        count,
        math.ldexp(observed, -data.exponent),
        math.ldexp(units * 0.5 * data.upper, -data.exponent),
        draw,
        expected,
    )


def _affordable(m: int, cost: int) -> int:
    """Give the number of all pairs if they take no more than some 20 seconds."""
    if m * cost <= _WORK and m <= _MOST_PAIRS:
        return m
    return min(_LESS_WORK // cost, _MOST_PAIRS)


def _n_pairs(shifts: NDArray[Any], size: int) -> int:
    """Count pairs; the shift by half the objects meets each pair twice."""
    return shifts.size * size - (size // 2 if 2 * int(shifts[-1]) == size else 0)


def _shifted(columns: Vector, shifts: NDArray[Any]) -> Vector:
    """Give the dissimilarities of objects i and i + s, a row for every shift."""
    size = columns.shape[1]
    twice = np.concatenate((columns, columns), axis=1)
    found = np.empty((shifts.size, size))
    for row, s in zip(found, shifts.tolist(), strict=True):
        np.abs(columns - twice[:, s : s + size]).sum(axis=0, out=row)
    found *= 0.5
    return found


def _mean_difference(x: Vector, y: Vector) -> float:
    """Average |x_s - y_t| over all s and t, by sorts."""
    # A shift by half the objects is all pairs' last one, and never in a sample.
    x, y = np.sort(x, axis=None), np.sort(y, axis=None)
    both = np.sort(np.concatenate((x, y)))
    return (spread(both) - spread(x) - spread(y)) / (x.size * y.size)
