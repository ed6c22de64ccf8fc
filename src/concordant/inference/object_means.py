"""Means over the pairs of each object, as intervals and local parts need them."""

from dataclasses import dataclass, replace

import numpy as np

from concordant.arrays import Positions, Vector
from concordant.catalogue.lookups import loaded
from concordant.compute import seconds_of_pairs
from concordant.execution.progress import Watch, visible
from concordant.execution.run import Run
from concordant.execution.single_thread import single_blas_thread
from concordant.inference.profiles import Rows, shared_grid
from concordant.inference.sums_by_sorts import LinearSums, is_linear, linear_sums
from concordant.kept import kept
from concordant.nulls.expectation import ObjectMeans
from concordant.pairs.all_pairs import terms_of_all_pairs
from concordant.pairs.at_once import FEW_OBJECTS
from concordant.pairs.dense import (
    objects_of_pairs,
    square_of,
    to_objects,
    values_of_all_pairs,
)
from concordant.pairs.distribution import Distribution
from concordant.pairs.fold_pairs import fold_bands, known_of_objects, visit_tiles
from concordant.pairs.folds import Block, Fold, Need
from concordant.pairs.grid import Grid
from concordant.pairs.pair_terms import WantedTerms
from concordant.pairs.side import Side
from concordant.partition.partition import Partition
from concordant.storage.memory import keep_freed_memory

Sides = tuple[Side, Side]

#: With how many others each of many objects is compared where pairs are sampled.
PARTNERS = 2_000

_KNOTS = 1 << 11  # of mean distances, between which they are nearly linear
_MOST_EXACT = 1 << 12  # where values are multiples, and knots of all of these
# Objects whose own values of P and Q are compared with each other, and with how many.
_BETWEEN, _WITH = 128, 500
_SECONDS_PER_PARTNER = 8e-9  # of an object


@single_blas_thread()
def object_means(
    P: Partition, Q: Partition, run: Run, partners: Positions | None = None
) -> ObjectMeans:
    """
    Average over the pairs of each object, all of them or those with some partners.

    Two crisp partitions take O(n), a fuzzy and a crisp one O(n K log n), others a visit
    to the pairs, after one for the distributions. If all pairs of more than 450 objects
    are visited, `between` is that of some, and of others to first order.
    """
    keep_freed_memory()
    if is_linear(P, Q, run.similarity):
        return _linear(linear_sums(P, Q, run.similarity))
    sides = Side(P, run.similarity), Side(Q, run.similarity)
    if partners is not None:
        return ObjectMeans(*_of_rows(sides, run, partners, [])[1])
    return _of_few(sides) if P.n_objects <= FEW_OBJECTS else _of_all_pairs(sides, run)


@dataclass(frozen=True, eq=False)
class ClusterMeans:
    """
    What chance gives for objects, as in `ObjectMeans`, and for pairs of clusters.

    For clusters k of P and l of Q, `expected` is the mean of |x_ij - y_st| over j and
    t, object i drawn by the memberships of k and object s, independently of it, by
    those of l; NaN where a cluster is empty.
    """

    from_p: Vector
    from_q: Vector
    expected: Vector

    @property
    def expected_discordance(self) -> float:
        """E[d], as the means of objects tell it."""
        return 0.5 * float(self.from_p.mean() + self.from_q.mean())

    def scaled(self, factor: float) -> "ClusterMeans":
        """Multiply all that is expected by a factor."""
        parts = self.from_p, self.from_q, self.expected
        return ClusterMeans(*(factor * part for part in parts))


@single_blas_thread()
def cluster_means(
    P: Partition, Q: Partition, run: Run, partners: Positions | None = None
) -> ClusterMeans:
    """Average over the pairs of each object, and of each cluster by its memberships."""
    keep_freed_memory()
    of_p, of_q = Weights(P), Weights(Q)
    if is_linear(P, Q, run.similarity):
        sums, n_others = linear_sums(P, Q, run.similarity), P.n_objects - 1
        in_p = of_p.means(sums.to_all_p / n_others)
        in_q = of_q.means(sums.to_all_q / n_others)
        means = _linear(sums)
        return ClusterMeans(means.from_p, means.from_q, apart(in_p[:, None], in_q))
    sides = Side(P, run.similarity), Side(Q, run.similarity)
    if partners is None and P.n_objects <= FEW_OBJECTS:
        means = _of_few(sides)
        expected = _between_clusters(*map(_sorted_masses, sides))
        return ClusterMeans(means.from_p, means.from_q, expected)
    weights = [of_p.columns, of_q.columns]
    at, (from_p, from_q), (x, y) = _of_rows(sides, run, partners, weights)
    return ClusterMeans(from_p, from_q, _between_clusters((at, x), (at, y)))


def _sorted_masses(side: Side) -> tuple[Vector, Vector]:
    """Return all values, ascending, and for each cluster the mass at each of them."""
    n = side.partition.n_objects
    values = values_of_all_pairs(side.columns, side.value)
    order = np.argsort(values, kind="stable")
    i, j = (objects[order] for objects in objects_of_pairs(n))
    weights = Weights(side.partition).columns
    return values[order], weights[:, i] + weights[:, j]


def _of_rows(
    sides: Sides, run: Run, partners: Positions | None, weights: list[Vector]
) -> tuple[Vector, Vector, list[Vector]]:
    """
    Visit the pairs of each object, once the distributions are known.

    Values are shared out over knots, which are returned, by the `weights` of clusters.
    """
    grid = knots(sides)
    rows = [Rows(side, partners, grid.edges[0]) for side in sides]
    if partners is None:
        both = _distributions(sides, run)
    else:
        nothing = 2 * [np.zeros(grid.edges.size)]
        ones = 2 * [np.ones((1, rows[0].n))]
        _, masses = _visited(rows, grid, nothing, ones, run, n_visits=2)
        both = tuple(Distribution.of_values(grid.edges, of_all) for (of_all,) in masses)
    tables = [F.mean_distance(grid.edges) for F in both]
    n_visits = 1 if partners is None else 0  # a second one was told with the first
    return grid.edges, *_visited(rows, grid, tables, weights, run, n_visits)


def _visited(
    rows: list[Rows],
    grid: Grid,
    tables: list[Vector],
    weights: list[Vector],
    run: Run,
    n_visits: int,
) -> tuple[Vector, list[Vector]]:
    """
    Return means of objects, and the masses of clusters of P and of Q at knots.

    The means are `from_p` and `from_q`, or without weights all of `ObjectMeans`. How
    long `n_visits` take is told, if there are any.
    """
    means, tasks = [], rows[0].tasks()
    masses = [np.zeros((len(one), grid.edges.size)) for one in weights]
    n, width, n_knots = rows[0].n, rows[0].width, grid.edges.size
    seconds = max(n_visits, 1) * n * (width + n_knots) * _SECONDS_PER_PARTNER
    work = f"comparing each of {n} objects with {width} others" if n_visits else ""
    with visible(run.progress, seconds=seconds, work=work) as tell:
        watch = Watch(tell, n)
        found = run.engine.run(_of_some_rows, (rows, grid, tables, weights), tasks)
        for (_, done), (of_objects, *of_clusters) in zip(tasks, found, strict=True):
            means.append(of_objects)
            for total, part in zip(masses, of_clusters, strict=True):
                total += part
            watch.tell(done)
    return np.concatenate(means, axis=1), masses


def _of_some_rows(
    rows: list[Rows],
    grid: Grid,
    tables: list[Vector],
    weights: list[Vector],
    i0: int,
    i1: int,
) -> list[Vector]:
    n_others = rows[0].n_others[i0:i1]
    values = [one.values(i0, i1) for one in rows]
    masses = [one.masses(z, grid, i0) for one, z in zip(rows, values, strict=True)]
    means = [m @ to / n_others for m, to in zip(masses, tables[::-1], strict=True)]
    if not weights:
        discordance = np.abs(values[0] - values[1]).sum(axis=1) / n_others
        x, y = (np.cumsum(m, axis=1)[:, :-1] / n_others[:, None] for m in masses)
        means = [discordance, *means, apart(x, y) @ grid.widths]
    shared = (w[:, i0:i1] / n_others for w in weights)
    of_clusters = [w @ m for w, m in zip(shared, masses, strict=bool(weights))]
    return [np.stack(means), *of_clusters]


def _between_clusters(
    of_p: tuple[Vector, Vector], of_q: tuple[Vector, Vector]
) -> Vector:
    """Return E|X - Y| for clusters of P and Q, from places and the masses there."""
    gaps, x, y = below(of_p, of_q)
    return np.asarray((x * gaps) @ (1.0 - y).T + ((1.0 - x) * gaps) @ y.T)


def below(
    of_p: tuple[Vector, Vector], of_q: tuple[Vector, Vector]
) -> tuple[Vector, Vector, Vector]:
    """Return gaps between all places, and the shares of masses up to each of these."""
    (at_p, masses_p), (at_q, masses_q) = of_p, of_q
    at = np.concatenate((at_p, at_q))
    order = np.argsort(at, kind="stable")
    gaps = np.diff(at[order])
    found = []
    for masses, before, behind in ((masses_p, 0, at_q.size), (masses_q, at_p.size, 0)):
        placed = np.pad(masses, ((0, 0), (before, behind)))[:, order]
        up_to = np.cumsum(placed, axis=1)
        found.append(shares(up_to[:, :-1], up_to[:, -1:]))
    x, y = found
    return gaps, x, y


def _linear(sums: LinearSums) -> ObjectMeans:
    """Use that |x - y| is linear in x where y is 0 or 1."""
    discordance, x, y = (part / (len(part) - 1) for part in sums)
    return ObjectMeans(discordance, apart(x, y.mean()), apart(y, x.mean()), apart(x, y))


def apart(x: Vector | float, y: Vector | float | np.floating) -> Vector:
    """Return E|X - Y| of independent X and Y with these means, one of 0 and 1."""
    return np.asarray(x * (1.0 - y) + (1.0 - x) * y)


class Weights:
    """The memberships of each object in the clusters, divided by their sum."""

    def __init__(self, P: Partition) -> None:
        self.P = P

    @kept
    def columns(self) -> Vector:
        """All of them, an array of shape (K, n)."""
        columns = self.P.columns()
        return np.asarray(columns / columns.sum(axis=0))

    def sums(self, values: Vector) -> Vector:
        """Add up values of the objects of each cluster."""
        if self.P.kind == "crisp":
            return np.asarray(np.bincount(self.P.labels, values, self.P.n_clusters))
        return np.asarray(self.columns @ values)

    def sizes(self) -> Vector:
        """Add up the objects of each cluster."""
        return self.sums(np.ones(self.P.n_objects))

    def means(self, values: Vector) -> Vector:
        """Average values over the objects of each cluster; NaN if it is empty."""
        return shares(self.sums(values), self.sizes())

    def cross(self, other: "Weights", values: Vector) -> Vector:
        """Add up values of the objects of each pair of clusters."""
        if other.P.kind != "crisp":
            return np.stack([self.sums(v * values) for v in other.columns], axis=1)
        if self.P.kind != "crisp":
            return np.stack([other.sums(u * values) for u in self.columns])
        K, L = self.P.n_clusters, other.P.n_clusters
        cells = self.P.labels.astype(np.int64) * L + other.P.labels
        return np.asarray(np.bincount(cells, values, K * L).reshape(K, L))


def shares(parts: Vector, wholes: Vector) -> Vector:
    """Divide, with NaN where there is nothing to divide by."""
    nothing = np.full(np.broadcast_shapes(parts.shape, wholes.shape), np.nan)
    return np.asarray(np.divide(parts, wholes, out=nothing, where=wholes > 0.0))


def _of_few(sides: Sides) -> ObjectMeans:
    """Hold all pairs at once, and sort."""
    n = sides[0].partition.n_objects
    x, y = (values_of_all_pairs(side.columns, side.value) for side in sides)
    F, G = (Distribution.of_values(np.sort(z)) for z in (x, y))
    others = ~np.eye(n, dtype=np.bool_)
    return ObjectMeans(
        to_objects(np.abs(x - y), n) / (n - 1),
        to_objects(G.mean_distance(x), n) / (n - 1),
        to_objects(F.mean_distance(y), n) / (n - 1),
        _own_differences(*(square_of(z, n)[others].reshape(n, n - 1) for z in (x, y))),
    )


def _own_differences(x: Vector, y: Vector) -> Vector:
    """Average |x_ij - y_ik| over j and k, for each object i."""
    lowest = np.minimum(x.min(axis=1), y.min(axis=1))[:, None]
    x, y = x - lowest, y - lowest  # close values do not cancel
    both = _sum_of_differences(np.concatenate((x, y), axis=1))
    apart = both - _sum_of_differences(x) - _sum_of_differences(y)
    return np.asarray(np.maximum(apart / x.shape[1] ** 2, 0.0))


def _sum_of_differences(rows: Vector) -> Vector:
    """Sum |z_s - z_t| over all pairs of numbers in each row."""
    width = rows.shape[1]
    ranks = 2.0 * np.arange(width) - (width - 1)
    return np.asarray(np.sort(rows, axis=1) @ ranks)


def knots(sides: Sides) -> Grid:
    """Return knots between which mean distances are nearly linear."""
    grid = shared_grid(sides, most_cells=_KNOTS, most_exact=_MOST_EXACT)
    return replace(grid, single=False)


def _of_all_pairs(sides: Sides, run: Run) -> ObjectMeans:
    """Visit all pairs once more, after the distributions are known."""
    P, Q = (side.partition for side in sides)
    n = P.n_objects
    with visible(run.progress, seconds=seconds_of_pairs(P, Q, run)) as tell:
        grid = knots(sides)
        tables = [F.mean_distance(grid.edges) for F in _distributions(sides, run)]
        fold = _ObjectSums(run.similarity, n, (*grid.ramps[1:], *tables))
        watch, known = Watch(tell, n * (n - 1) // 2), known_of_objects(sides, [fold])
        data = [*known.values()], (list(known), [fold.empty()])
        tiles = visit_tiles(run.engine, fold_bands, *data, 0, fixed=True)
        for _, (part,) in tiles:
            fold.merge(part)
            watch.tell(fold.n_pairs)
    sums = fold.sums[:, :n]
    sums[:, : n // 2] += fold.sums[:, n:]
    return _to_first_order(sides, sums / (n - 1))


class _ObjectSums(Fold):
    """|x - y|, E|x - Y| and E|X - y| over the pairs of each object, sums rounded."""

    def __init__(self, value: str, n: int, distances: tuple[Vector, ...]) -> None:
        super().__init__([Need(value, 0), Need(value, 1)])
        self._given = value, n, distances
        self.sums = np.zeros((3, n + n // 2))  # objects once more behind the last

    def empty(self) -> "_ObjectSums":
        """Return the same sums over no pairs."""
        return _ObjectSums(*self._given)

    def add(self, block: Block) -> None:
        """Add a block of pairs."""
        add_to_objects = loaded("concordant.kernels.pairs_of_objects:add_to_objects")
        i, _, first, width = block.place
        values = map(block.values, self.needs)
        add_to_objects(*values, i, first, width, *self._given[2], self.sums)
        self.n_pairs += block.n_pairs

    def merge(self, other: "_ObjectSums") -> None:
        """Add what another one holds."""
        self.sums += other.sums
        self.n_pairs += other.n_pairs


def _distributions(sides: Sides, run: Run) -> tuple[Distribution, ...]:
    """Return the distributions of all pairs, which `run` may know."""
    P, Q = (side.partition for side in sides)
    exactly = replace(run, method="auto", tol=None, checkpoint=None)
    wanted = WantedTerms(run.similarity, distributions=True)
    both = terms_of_all_pairs(P, Q, wanted, exactly, Watch(None, 1)).distributions
    if both is None:
        raise ValueError("distributions were wanted")
    return both


def _to_first_order(sides: Sides, means: Vector) -> ObjectMeans:
    """
    Add `between`, from first-order terms and what these leave in some objects.

    That is predicted for the others by least squares.
    """
    discordance, from_p, from_q = means
    n = len(discordance)
    first_order = from_p + from_q - 0.5 * (from_p.mean() + from_q.mean())
    some = np.arange(0, n, max(1, n // _BETWEEN))
    others = np.arange(0, n, max(1, n // _WITH))
    among = np.stack([others[others != i][: len(others) - 1] for i in some])
    ones = np.repeat(some, among.shape[1])
    x, y = (side.values_of(ones, among.ravel()).reshape(among.shape) for side in sides)
    left = _own_differences(x, y) - first_order[some]
    known = np.stack((discordance, from_p, from_q), axis=1)
    known -= known.mean(axis=0)
    slopes = np.linalg.lstsq(known[some], left - left.mean(), rcond=1e-9)[0]
    predicted = known @ slopes
    between = first_order + (predicted + (left - predicted[some]).mean())
    return ObjectMeans(discordance, from_p, from_q, between)
