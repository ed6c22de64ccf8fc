"""
The agreement of permuted objects, drawn in the way that suits the partitions.

|x - y| = x + y - 2 min(x, y), and a permutation changes neither the sum of x nor that
of y: all that is drawn is the sum of min(x, y), or what differs from it by a constant.
"""

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Counts, Positions, Vector
from concordant.bounded import UNIT_ROUNDOFF
from concordant.catalogue.lookups import loaded
from concordant.catalogue.values import VALUES
from concordant.compute import gathered_concordance
from concordant.errors import Argument, InputError, Keyword
from concordant.execution.run import Run
from concordant.measures.tables.crisp import crisp_table
from concordant.pairs.dense import square_of, values_of_all_pairs
from concordant.pairs.distribution import Distribution, expected_difference
from concordant.pairs.side import Side
from concordant.pairs.values.l1 import L1
from concordant.partition.partition import Partition

Floats = NDArray[np.floating[Any]]

_UNCOUNTED = 50.0  # the logarithm of a number of permutations that nobody visits
_FEW = 100  # objects whose permutations take no compiled code
_WORK = 15 * 10**9  # permutations times pairs times clusters: a few seconds
_PER_OBJECT = 16  # times as long as a pair takes an object whose label is permuted
_MOST_PAIRS = 1 << 23  # whose dissimilarities are kept
_MOST_OBJECTS = 1 << 17  # that stand in a sample of pairs
_BATCH = 10**7  # pairs times clusters that are visited in one task
_HELD = 1 << 17  # values of few objects that are held at once
_CELLS = 1 << 22  # of contingency tables that are held at once
_MOST_DRAWN = 10**9  # objects that NumPy's hypergeometric distribution takes
_EXCESS = 1e-6  # beyond 1 of sums of memberships, which a dissimilarity then passes


@dataclass(frozen=True, eq=False)
class Exchange:
    """
    Units of objects, in strata within which units may change their places.

    `order` lists the objects by stratum and unit: each unit has `size` objects, which
    stay together and in this order; stratum s has the units from starts[s] up to
    starts[s + 1]. Without strata and groups, all objects are units of one stratum;
    `by` says by which of both permutations are restricted, if they are.
    """

    order: Positions
    starts: Positions
    size: int = 1
    by: str = ""

    @classmethod
    def of(
        cls, n: int, strata: Positions | None, groups: Positions | None
    ) -> "Exchange":
        """Exchange all n objects, those within strata, or whole groups."""
        if strata is not None and groups is not None:
            raise InputError(
                Argument("strata"),
                " and ",
                Argument("groups"),
                " are two ways to restrict permutations; leave out one of them",
            )
        if strata is not None:
            starts = np.concatenate(([0], np.cumsum(np.bincount(strata))))
            if n > 1 and len(starts) > n:
                raise InputError(
                    Argument("strata"),
                    f" have one object each, {n} of {n}, so that nothing can be "
                    "permuted within them; join strata that are alike",
                )
            return cls(np.argsort(strata, kind="stable"), starts, 1, "strata")
        if groups is None:
            return cls(np.arange(n), np.array([0, n]))
        sizes = np.bincount(groups)
        if n > 1 and len(sizes) == 1:
            raise InputError(
                Argument("groups"),
                f" put all {n} objects into one group, which can trade places with no "
                "other; give at least two, preferably five or more",
            )
        if sizes.min() < sizes.max():
            raise InputError(
                Argument("groups"),
                " trade places as a whole, which requires groups of equal size, "
                f"and they have {sizes.min()} to {sizes.max()} objects; ",
                Keyword("strata"),
                " permutes the objects within them",
            )
        order = np.argsort(groups, kind="stable")
        return cls(order, np.array([0, len(sizes)]), int(sizes[0]), "groups")

    @property
    def n_units(self) -> int:
        """The number of units."""
        return int(self.starts[-1])

    @property
    def n_orders(self) -> float:
        """The number of permutations; infinite if that is beyond counting."""
        sizes = np.diff(self.starts).tolist()
        if sum(math.lgamma(size + 1.0) for size in sizes) > _UNCOUNTED:
            return math.inf
        return math.prod(map(math.factorial, sizes))

    def random(self, rng: np.random.Generator, count: int) -> Positions:
        """Return random permutations of the objects, one in each row."""
        units = np.tile(np.arange(self.n_units), (count, 1))
        for start, stop in itertools.pairwise(self.starts.tolist()):
            units[:, start:stop] = rng.permuted(units[:, start:stop], axis=1)
        return self._of_objects(units)

    def all(self, at_once: int) -> Iterator[Positions]:
        """Yield all permutations of the objects, so many at once, first what is."""
        strata = itertools.pairwise(self.starts.tolist())
        of_strata = [itertools.permutations(range(*stratum)) for stratum in strata]
        found = map(itertools.chain.from_iterable, itertools.product(*of_strata))
        while some := [[*units] for units in itertools.islice(found, at_once)]:
            yield self._of_objects(np.array(some))

    def some(self, rng: np.random.Generator, n_objects: int) -> "Exchange":
        """Return about so many of the objects, whole units drawn at random."""
        units = rng.permutation(self.n_units)[: max(3, n_objects // self.size)]
        strata = np.searchsorted(self.starts, units, side="right")
        units = units[np.argsort(strata, kind="stable")]
        starts = np.concatenate(([0], np.cumsum(np.bincount(strata)[1:])))
        order = self.order.reshape(-1, self.size)[units].ravel()
        return Exchange(order, starts, self.size, self.by)

    def _of_objects(self, units: Positions) -> Positions:
        places = units[:, :, None] * self.size + np.arange(self.size)
        orders = np.empty((len(units), self.order.size), np.intp)
        orders[:, self.order] = self.order[places.reshape(len(units), -1)]
        return orders


@dataclass(frozen=True)
class Plan:
    """
    How the agreement of permuted objects is drawn.

    `draws` yields the agreement of each permutation, in batches. Numbers that differ by
    no more than `tolerance` are the same but for rounding. If agreement is larger by 1,
    d is smaller by `unit`. `work` tells how long a permutation takes, in the time of a
    pair and a cluster. If pairs are sampled, `of_sample` are d and E[d] of these. Draws
    that differ by more than `near` from what was observed may be off by so much.
    """

    method: str
    n_pairs: int
    observed: float
    tolerance: float
    unit: float
    work: int
    draws: Iterator[Vector]
    of_sample: tuple[float, float] | None = None
    near: float = 0.0


@dataclass(frozen=True, eq=False)
class Permutations:
    """Two aligned partitions, and how often objects of one change their places."""

    P: Partition
    Q: Partition
    run: Run
    exchange: Exchange
    n_permutations: int
    rng: np.random.Generator

    def plan(self, n_pairs: int | None) -> Plan:
        """
        Choose how the agreement of permuted objects is drawn.

        `n_pairs` is how many pairs the statistic should rest on, about; None: as many
        as take some seconds.
        """
        P, Q, n = self.P, self.Q, self.P.n_objects
        few_cells = not self.exchange.by and P.n_clusters * Q.n_clusters <= _FEW
        if P.kind == Q.kind == "crisp" and (n > _FEW or few_cells):
            return self._two_crisp()
        if n <= _FEW and (n_pairs is None or n_pairs >= n * (n - 1) // 2):
            return self.few(all_orders=False)
        if {P.kind, Q.kind} == {"crisp", "fuzzy"} and self.run.similarity == "l1":
            fuzzy, crisp = (Q, P) if P.kind == "crisp" else (P, Q)
            if L1.excess(fuzzy) <= _EXCESS:
                return self._fuzzy_and_crisp(fuzzy, crisp, n_pairs)
        return self._two_fuzzy(n_pairs)

    def few(self, *, all_orders: bool) -> Plan:
        """Permute few objects in NumPy: at random, or in all ways."""
        n = self.P.n_objects
        m = n * (n - 1) // 2
        x, y = (
            square_of(values_of_all_pairs(side.columns, side.value), n)
            for side in self._sides
        )
        i, j = np.triu_indices(n, 1)
        x, y = x[i, j], y.ravel()

        def agreement(order: NDArray[np.intp]) -> Vector:
            pairs = np.take(order * n, i, axis=1)
            pairs += np.take(order, j, axis=1)
            shared = np.take(y, pairs)
            return np.asarray(np.minimum(shared, x, out=shared).sum(axis=1))

        size = max(1, _HELD // max(m, 1))
        orders = (self.exchange.random(self.rng, h) for h in self._batches(size))
        observed = float(agreement(np.arange(n)[None])[0])
        return Plan(
            "all permutations" if all_orders else "all pairs",
            m,
            observed,
            self._tolerance(m, observed, 66),  # sums are added up in a tree
            2.0 / m,
            4 * m,
            map(agreement, self.exchange.all(size) if all_orders else orders),
        )

    @property
    def _sides(self) -> tuple[Side, Side]:
        return Side(self.P, self.run.similarity), Side(self.Q, self.run.similarity)

    def _tolerance(self, n_pairs: int, observed: float, n_additions: int) -> float:
        """Bound how far two equal sums of min(x, y) differ by rounding."""
        mean = abs(observed) / n_pairs
        each = max(side.rounding(mean) for side in self._sides)
        return 2.0 * n_pairs * (each + n_additions * UNIT_ROUNDOFF * mean)

    def _batches(self, size: int) -> Iterator[int]:
        """Yield how many permutations are drawn at once."""
        for done in range(0, self.n_permutations, size):
            yield min(size, self.n_permutations - done)

    def _permuted(
        self, statistic: Callable[[Positions], float], exchange: Exchange, cost: int
    ) -> Iterator[Vector]:
        """Draw a statistic of random orders on all threads, a seed for each batch."""
        from concordant.kernels.permuted import random_order

        def of_seed(seed: NDArray[np.int64], count: int) -> Vector:
            rng, out = np.random.default_rng(seed), np.empty(count)
            order = np.empty(exchange.order.size, np.int64)
            for draw, numbers in enumerate(rng.random((count, exchange.n_units))):
                random_order(numbers, exchange.starts, exchange.size, order)
                out[draw] = statistic(order)
            return out

        sizes = self._batches(max(1, min(1024, _BATCH // cost)))
        tasks = ((self.rng.integers(2**63, size=4), size) for size in sizes)
        yield from self.run.engine.run(of_seed, (), tasks)

    def _two_crisp(self) -> Plan:
        """Draw contingency tables with the sizes of clusters, or labels if many."""
        P, Q, exchange, n = self.P, self.Q, self.exchange, self.P.n_objects
        m = n * (n - 1) // 2
        sizes_p, sizes_q = (np.bincount(one.labels) for one in (P, Q))
        sizes_p, sizes_q = sizes_p[sizes_p > 0], sizes_q[sizes_q > 0]
        n_cells = sizes_p.size * sizes_q.size
        by_tables = not exchange.by and n_cells <= max(n // 8, _FEW) and n < _MOST_DRAWN
        draws: Iterator[Vector]
        if by_tables:
            draws = (
                _joined_in_tables(sizes_p, sizes_q, h, self.rng).astype(np.float64)
                for h in self._batches(max(1, _CELLS // sizes_q.size))
            )
        else:
            ends = np.concatenate(([0], np.cumsum(sizes_p)))
            classes = np.unique(Q.labels, return_inverse=True)[1].astype(np.int64)
            members = np.arange(n)
            if exchange.by:
                classes = classes[exchange.order]
                members = np.argsort(P.labels[exchange.order], kind="stable")

            from concordant.kernels.permuted import joined_pairs

            draws = self._permuted(
                lambda order: joined_pairs(ends, members, classes[order], sizes_q.size),
                exchange,
                8 * n,
            )
        return Plan(
            "contingency tables" if by_tables else "permuted labels",
            m,
            float(crisp_table(P, Q).a),
            0.25,  # numbers of pairs are whole
            2.0 / m,
            100 * n_cells if by_tables else 4 * n,
            draws,
        )

    def _fuzzy_and_crisp(
        self, fuzzy: Partition, crisp: Partition, n_pairs: int | None
    ) -> Plan:
        """
        Permute labels: all that changes is the sum within classes.

        Memberships stay in order, so that |u_i - u_j| is added up within classes in one
        pass. Pairs are sampled by sampling objects.
        """
        n, K, exchange = fuzzy.n_objects, fuzzy.n_clusters, self.exchange
        size = min(n, max(2, _WORK // (_PER_OBJECT * self.n_permutations * K)))
        if n_pairs is not None:
            size = min(n, max(2, math.ceil((2 * n_pairs) ** 0.5)))
        if size < n:
            exchange = exchange.some(self.rng, size)
        if size < n or exchange.by:
            fuzzy, crisp = fuzzy.take(exchange.order), crisp.take(exchange.order)
        size = fuzzy.n_objects
        m = size * (size - 1) // 2
        of_sample = None
        if size < n:
            found = gathered_concordance(fuzzy, crisp, Run())
            of_sample = found.discordance, found.expected_discordance
        columns, labels = fuzzy.columns(), crisp.labels
        ranked = np.argsort(columns, axis=1, kind="stable").astype(np.uint32)
        gaps = np.diff(np.take_along_axis(columns, ranked, axis=1), axis=1)

        from concordant.kernels.permuted import sum_within_classes

        sizes = np.bincount(labels)
        within = sum_within_classes(ranked, gaps, labels, sizes)
        return Plan(
            "permuted labels" if size == n else "sampled pairs",
            m,
            -within,
            2 * (size + K + 4) * UNIT_ROUNDOFF * within,
            1.0 / m,  # x in classes is half the sum, and adds what it lacks elsewhere
            _PER_OBJECT * size * K,
            self._permuted(
                lambda order: -sum_within_classes(ranked, gaps, labels[order], sizes),
                exchange,
                4 * size * K,
            ),
            of_sample,
        )

    def _two_fuzzy(self, n_pairs: int | None) -> Plan:
        """
        Permute the objects of one partition, and visit all pairs or a fixed sample.

        Pairs are (i, i + s) for all i and some shifts s, so that each object stands in
        as many of them: all shifts are all pairs.
        """
        value, exchange = self.run.similarity, self.exchange
        # What is permuted is measured anew every time: the one with fewer clusters.
        columns = (side.columns for side in self._sides)
        kept, permuted = sorted(columns, key=len, reverse=True)
        n, L = permuted.shape[1], len(permuted)
        m = n * (n - 1) // 2
        wanted = n_pairs
        if wanted is None:
            wanted = min(_WORK // (self.n_permutations * max(L, 2)), _MOST_PAIRS)
        shifts = np.arange(1, n // 2 + 1)
        if wanted < m:
            exchange = exchange.some(self.rng, max(3, min(n, _MOST_OBJECTS, wanted)))
            most = (exchange.order.size - 1) // 2
            n_shifts = min(max(1, round(wanted / exchange.order.size)), most)
            shifts = np.sort(self.rng.choice(most, n_shifts, replace=False)) + 1
        size = exchange.order.size
        visit = np.arange(size)
        if exchange.by and wanted < m:
            # Neighbours in a stratum are alike, and are no random pairs.
            visit = self.rng.permutation(size)
        kept, permuted = kept[:, exchange.order], permuted[:, exchange.order]
        rows = np.ascontiguousarray(permuted.T)
        x, y = (_shifted(some[:, visit], shifts, value) for some in (kept, permuted))
        # The shift by half the objects meets each pair twice.
        count = shifts.size * size - (size // 2 if 2 * int(shifts[-1]) == size else 0)

        from concordant.kernels.permuted import shared_dissimilarity

        def shared(x: Floats, rows: Floats, order: Positions) -> float:
            inner = value == "inner"
            return float(shared_dissimilarity(x, rows, inner, shifts, order))

        alike = np.minimum(x, y)
        observed = float(alike.sum()) - float(alike.ravel()[count:].sum())
        tolerance = self._tolerance(count, observed, shifts.size + 8)
        near = tolerance + count * _off_in_single(x, rows)
        single = x.astype(np.float32), rows.astype(np.float32)

        def of_order(order: Positions) -> float:
            found = shared(*single, order[visit])
            is_near = abs(found - observed) <= near
            return shared(x, rows, order[visit]) if is_near else found

        return Plan(
            "all pairs" if count == m else "sampled pairs",
            count,
            observed,
            tolerance,
            2.0 / count,
            count * max(L, 2),
            self._permuted(of_order, exchange, count * L),
            None if count == m else _of_sample(x, y),
            near,
        )


def _joined_in_tables(
    sizes_p: Counts, sizes_q: Counts, count: int, rng: np.random.Generator
) -> Counts:
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


def _shifted(columns: Vector, shifts: NDArray[np.intp], value: str) -> Vector:
    """Return the dissimilarities of objects i and i + s, a row for every shift."""
    size = columns.shape[1]
    twice = np.concatenate((columns, columns), axis=1)
    found = np.empty((shifts.size, size))
    of_windows = loaded(VALUES[value].of_windows)
    for row, s in zip(found, shifts.tolist(), strict=True):
        of_windows(columns, twice[:, s : s + size, None], row[:, None])
    return found


def _off_in_single(x: Vector, q: Vector) -> float:
    """
    Bound how far min(x, y) is off that is computed in numbers of 24 bits.

    Each of L clusters rounds two memberships, their difference or product, and a sum.
    """
    size = max(1.0, float(x.max()), float(np.abs(q).sum(axis=1).max()))
    return math.ldexp((2 * q.shape[1] + 8) * size * size, -24)


def _of_sample(x: Vector, y: Vector) -> tuple[float, float]:
    """Return d and E[d] of the pairs of a sample."""
    once = np.ones(x.size, np.int64)
    F, G = (Distribution.of_values(np.sort(z, axis=None), once) for z in (x, y))
    return float(np.abs(x - y).mean()), expected_difference(F, G).value
