"""
The agreement of permuted objects, drawn in the way that suits the partitions.

|x - y| = x + y - 2 min(x, y), and a permutation changes neither the sum of x nor that
of y: all that is drawn is the sum of min(x, y), or what differs from it by a constant.
No term is negative, so that its rounding is relative to itself.
"""

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from concordant.execution.engine import Engine
from concordant.execution.run import Run
from concordant.families.crisp import crisp_table
from concordant.gather import gathered_concordance
from concordant.pairs.dense import square_of, values_of_all_pairs
from concordant.partition.partition import Partition
from concordant.terms.distribution import (
    UNIT_ROUNDOFF,
    Distribution,
    expected_difference,
)
from concordant.terms.side import Side
from concordant.values.l1 import excess

Vector = NDArray[np.float64]
Whole = NDArray[np.int64]
Seeds = NDArray[np.uint64]

#: All permutations of so many objects are visited if that is asked for.
MOST_FOR_ALL = 10

_FEW = 200  # objects whose permutations take no compiled code
_WORK = 15 * 10**9  # permutations times pairs times clusters: a few seconds
_PER_OBJECT = 16  # times as long as a pair takes an object whose label is permuted
_MOST_PAIRS = 1 << 23  # whose dissimilarities are kept
_MOST_OBJECTS = 1 << 17  # that stand in a sample of pairs
_BATCH = 10**7  # pairs times clusters that are visited in one task
_HELD = 1 << 17  # values of few objects that are held at once
_CELLS = 1 << 22  # of contingency tables that are held at once
_MOST_DRAWN = 10**9  # objects that NumPy's hypergeometric distribution takes
_EXCESS = 1e-6  # beyond 1 of sums of memberships, which a dissimilarity then passes


@dataclass(frozen=True)
class Plan:
    """
    How the agreement of permuted objects is drawn.

    `draw` takes a generator, a number of permutations and an engine, and yields the
    agreement of each, in batches. Numbers that differ by no more than `tolerance` are
    the same but for rounding. If agreement is larger by 1, d is smaller by `unit`.
    `work` tells how long a permutation takes, in the time of a pair and a cluster. If
    pairs are sampled, `of_sample` are d and E[d] of these.
    """

    method: str
    n_pairs: int
    observed: float
    tolerance: float
    unit: float
    work: int
    draw: Callable[[np.random.Generator, int, Engine], Iterator[Vector]]
    of_sample: tuple[float, float] | None = None


def plan_for(
    P: Partition,
    Q: Partition,
    *,
    n_permutations: int,
    n_pairs: int | None,
    rng: np.random.Generator,
) -> Plan:
    """
    Choose how the agreement of permuted objects is drawn.

    `n_pairs` is how many pairs the statistic should rest on, about; None: as many as
    take some seconds.
    """
    n, kinds = P.n_objects, (P.kind, Q.kind)
    if kinds == ("crisp", "crisp") and (
        n > _FEW or P.n_clusters * Q.n_clusters <= _FEW
    ):
        return _two_crisp(P, Q)
    if n <= _FEW and (n_pairs is None or n_pairs >= n * (n - 1) // 2):
        return few_objects(P, Q, all_orders=False)
    if "crisp" in kinds and "fuzzy" in kinds:
        fuzzy, crisp = (Q, P) if P.kind == "crisp" else (P, Q)
        if excess(fuzzy) <= _EXCESS:
            return _fuzzy_and_crisp(fuzzy, crisp, n_permutations, n_pairs, rng)
    return _two_fuzzy(P, Q, n_permutations, n_pairs, rng)


def few_objects(P: Partition, Q: Partition, *, all_orders: bool) -> Plan:
    """Permute few objects in NumPy: at random, or in all n! ways."""
    n = P.n_objects
    m = n * (n - 1) // 2
    x, y = (
        square_of(values_of_all_pairs(Side(X, "l1").columns, "l1"), n) for X in (P, Q)
    )
    i, j = np.triu_indices(n, 1)
    x, y = x[i, j], y.ravel()

    def agreement(order: NDArray[np.intp]) -> Vector:
        pairs = np.take(order * n, i, axis=1)
        pairs += np.take(order, j, axis=1)
        shared = np.take(y, pairs)
        return np.asarray(np.minimum(shared, x, out=shared).sum(axis=1))

    def draw(rng: np.random.Generator, count: int, _: Engine) -> Iterator[Vector]:
        size = max(1, _HELD // max(m, 1))
        if all_orders:
            orders = itertools.permutations(range(n))
            while chunk := [*itertools.islice(orders, size)]:
                yield agreement(np.array(chunk))
            return
        for start in range(0, count, size):
            same = np.tile(np.arange(n), (min(size, count - start), 1))
            yield agreement(rng.permuted(same, axis=1))

    observed = float(agreement(np.arange(n)[None])[0])
    # Of the sums of up to K differences, and of these over pairs, in a tree
    units = 2 * (max(P.n_clusters, Q.n_clusters) + 66)
    return Plan(
        "all permutations" if all_orders else "all pairs",
        m,
        observed,
        units * UNIT_ROUNDOFF * observed,
        2.0 / m,
        4 * m,
        draw,
    )


def _seeds(rng: np.random.Generator, count: int, size: int) -> Iterator[tuple[Seeds]]:
    """Yield a seed for every permutation, `size` of them at a time."""
    for start in range(0, count, size):
        shape = (min(size, count - start), 4)
        yield (rng.integers(1, 2**64 - 1, shape, np.uint64, endpoint=True),)


def _batch(cost: int) -> int:
    return max(1, min(1024, _BATCH // cost))


def _two_crisp(P: Partition, Q: Partition) -> Plan:
    """Draw contingency tables with the sizes of clusters, or labels if many cells."""
    n = P.n_objects
    m = n * (n - 1) // 2
    sizes_p, sizes_q = (np.bincount(one.labels) for one in (P, Q))
    sizes_p, sizes_q = sizes_p[sizes_p > 0], sizes_q[sizes_q > 0]
    n_cells = sizes_p.size * sizes_q.size

    def tables(rng: np.random.Generator, count: int, _: Engine) -> Iterator[Vector]:
        size = max(1, _CELLS // sizes_q.size)
        for start in range(0, count, size):
            h = min(size, count - start)
            yield _joined_in_tables(sizes_p, sizes_q, h, rng).astype(np.float64)

    def labels(rng: np.random.Generator, count: int, run: Engine) -> Iterator[Vector]:
        from concordant.kernels.permuted import joined_pairs

        starts = np.concatenate(([0], np.cumsum(sizes_p)))
        classes = np.unique(Q.labels, return_inverse=True)[1].astype(np.int64)

        def joined(seeds: Seeds) -> Vector:
            out = np.empty(len(seeds), dtype=np.int64)
            joined_pairs(starts, classes, sizes_q.size, seeds, out)
            return out.astype(np.float64)

        yield from run.run(joined, (), _seeds(rng, count, _batch(8 * n)))

    by_tables = n_cells <= max(n // 8, _FEW) and n < _MOST_DRAWN
    return Plan(
        "contingency tables" if by_tables else "permuted labels",
        m,
        float(crisp_table(P, Q).a),
        0.25,  # numbers of pairs are whole
        2.0 / m,
        100 * n_cells if by_tables else 4 * n,
        tables if by_tables else labels,
    )


def _joined_in_tables(
    sizes_p: Whole, sizes_q: Whole, count: int, rng: np.random.Generator
) -> Whole:
    """Count the pairs that share a cell of random tables with these margins."""
    joined = np.zeros(count, np.int64)
    left = np.tile(sizes_q[:, None], (1, count))  # of each column
    for size in sizes_p[:-1].tolist():
        to_place = np.full(count, size)
        others = left.sum(axis=0)
        for column in left:
            others -= column
            cell = rng.hypergeometric(column, others, to_place)
            joined += cell * (cell - 1) // 2
            column -= cell
            to_place -= cell
    joined += (left * (left - 1) // 2).sum(axis=0)
    return joined


def _fuzzy_and_crisp(
    fuzzy: Partition,
    crisp: Partition,
    n_permutations: int,
    n_pairs: int | None,
    rng: np.random.Generator,
) -> Plan:
    """
    Permute labels: all that changes is the sum within classes.

    Memberships stay in order, so that |u_i - u_j| is added up within classes in one
    pass. Pairs are sampled by sampling objects.
    """
    n, K = fuzzy.n_objects, fuzzy.n_clusters
    size = min(n, max(2, _WORK // (_PER_OBJECT * n_permutations * K)))
    if n_pairs is not None:
        size = min(n, max(2, math.ceil((2 * n_pairs) ** 0.5)))
    m = size * (size - 1) // 2
    of_sample = None
    if size < n:
        kept = rng.permutation(n)[:size]
        fuzzy, crisp = fuzzy.take(kept), crisp.take(kept)
        found = gathered_concordance(fuzzy, crisp, Run())
        of_sample = found.discordance, found.expected_discordance
    columns, labels = fuzzy.columns(), crisp.labels
    sizes = np.bincount(labels)
    ranked = np.argsort(columns, axis=1, kind="stable").astype(np.uint32)
    gaps = np.diff(np.take_along_axis(columns, ranked, axis=1), axis=1)

    def sums(seeds: Seeds) -> Vector:
        from concordant.kernels.permuted import sums_of_permutations

        out = np.empty(len(seeds))
        sums_of_permutations(ranked, gaps, labels, sizes, seeds, out)
        return -out

    def draw(rng: np.random.Generator, count: int, run: Engine) -> Iterator[Vector]:
        yield from run.run(sums, (), _seeds(rng, count, _batch(4 * size * K)))

    from concordant.kernels.permuted import sum_within_classes

    within = sum_within_classes(ranked, gaps, labels, sizes)
    return Plan(
        "permuted labels" if size == n else "sampled pairs",
        m,
        -within,
        2 * (size + K + 4) * UNIT_ROUNDOFF * within,
        1.0 / m,  # x within classes is half the sum, and adds what it lacks elsewhere
        _PER_OBJECT * size * K,
        draw,
        of_sample,
    )


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
    # What is permuted is measured anew every time: the one with fewer clusters.
    kept, permuted = sorted(
        (Side(X, "l1").columns for X in (P, Q)), key=len, reverse=True
    )
    n, L = permuted.shape[1], len(permuted)
    m = n * (n - 1) // 2
    wanted = n_pairs
    if wanted is None:
        wanted = min(_WORK // (n_permutations * max(L, 2)), _MOST_PAIRS)
    shifts = np.arange(1, n // 2 + 1)
    size = n
    if wanted < m:
        size = max(3, min(n, _MOST_OBJECTS, wanted))
        base = rng.permutation(n)[:size]
        kept, permuted = kept[:, base], permuted[:, base]
        most = (size - 1) // 2
        n_shifts = min(max(1, round(wanted / size)), most)
        shifts = np.sort(rng.choice(most, n_shifts, replace=False)) + 1
    x, rows = _shifted(kept, shifts), np.ascontiguousarray(permuted.T)
    # The shift by half the objects meets each pair twice.
    count = shifts.size * size - (size // 2 if 2 * int(shifts[-1]) == size else 0)

    def sums(seeds: Seeds) -> Vector:
        from concordant.kernels.permuted import shared_of_permutations

        out = np.empty(len(seeds))
        shared_of_permutations(x, rows, shifts, seeds, out)
        return out

    def draw(rng: np.random.Generator, draws: int, run: Engine) -> Iterator[Vector]:
        yield from run.run(sums, (), _seeds(rng, draws, _batch(count * L)))

    from concordant.kernels.permuted import shared_dissimilarity

    room = np.empty((L + 1, 2 * size))
    observed = shared_dissimilarity(x, rows, shifts, np.arange(size), room)
    units = 2 * (max(len(kept), L) + shifts.size + 8)
    return Plan(
        "all pairs" if count == m else "sampled pairs",
        count,
        observed,
        units * UNIT_ROUNDOFF * observed,
        2.0 / count,
        count * max(L, 2),
        draw,
        None if count == m else _of_sample(x, _shifted(permuted, shifts)),
    )


def _shifted(columns: Vector, shifts: NDArray[np.intp]) -> Vector:
    """Return the dissimilarities of objects i and i + s, a row for every shift."""
    size = columns.shape[1]
    twice = np.concatenate((columns, columns), axis=1)
    found = np.empty((shifts.size, size))
    for row, s in zip(found, shifts.tolist(), strict=True):
        np.abs(columns - twice[:, s : s + size]).sum(axis=0, out=row)
    return found


def _of_sample(x: Vector, y: Vector) -> tuple[float, float]:
    """Return d and E[d] of the pairs of a sample."""
    once = np.ones(x.size, np.int64)
    both = (Distribution.of_values(np.sort(z, axis=None), once) for z in (x, y))
    return float(np.abs(x - y).mean()), expected_difference(*both).value
