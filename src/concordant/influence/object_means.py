"""
Means over the pairs of each object, as intervals and local parts need them.

They belong to the default model of chance, permutations of the objects: what an object
contributes to E[d] is the mean distance of its values from all of the other partition.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue import VALUES
from concordant.execution.engine import Engine
from concordant.execution.progress import Watch, visible
from concordant.execution.run import Run
from concordant.gather import gathered_concordance
from concordant.influence.differences import (
    is_linear,
    linear_discordance,
    sums_of_distances,
)
from concordant.pairs.dense import square_of, to_objects, values_of_all_pairs
from concordant.partition.partition import Partition
from concordant.terms.all_pairs import terms_of_all_pairs
from concordant.terms.block import Block, in_fours
from concordant.terms.distribution import Distribution
from concordant.terms.folds import Cells
from concordant.terms.grid import Grid, fitted_grid
from concordant.terms.pair_terms import Wanted
from concordant.terms.side import Side
from concordant.values import l1
from concordant.ways import FEW_OBJECTS, takes_long

Vector = NDArray[np.float64]
Positions = NDArray[np.intp]

_BLOCK = 1 << 16  # values of a block of objects
_BETWEEN = 128  # objects whose own values of P and Q are compared with each other
_KNOTS = 1 << 11  # over which the values of clusters are shared out
_NO_CLUSTERS: Vector = np.empty((0, 0))


@dataclass(frozen=True, eq=False)
class ObjectMeans:
    """
    Means over the other objects j, for each of n objects i.

    `discordance` is the mean of |x_ij - y_ij| over j; `from_p` that of |x_ij - y_kl|
    over j and all pairs of Q, `from_q` that of |x_kl - y_ij|, and `between` that of
    |x_ij - y_ik| over j and k. Their means over all objects are d for the first, and
    E[d] for the second and the third.

    `in_clusters` is empty unless it was asked for. For clusters k of P and l of Q it
    holds the mean of |x_ij - y_st| over j and t, object i drawn by the memberships of k
    and object s, independently of it, by those of l; NaN where a cluster is empty.

    `aci_without` computes ACI without an object.
    """

    discordance: Vector
    from_p: Vector
    from_q: Vector
    between: Vector
    in_clusters: Vector
    aci_without: Callable[[int], float] | None = None

    def scaled(self, factor: float) -> "ObjectMeans":
        """Multiply all that is expected by a factor."""
        return ObjectMeans(
            self.discordance,
            factor * self.from_p,
            factor * self.from_q,
            factor * self.between,
            factor * self.in_clusters,
        )

    @property
    def expected(self) -> float:
        """E[d]."""
        return float(0.5 * (self.from_p.mean() + self.from_q.mean()))


def object_means(
    P: Partition,
    Q: Partition,
    run: Run,
    *,
    clusters: bool = False,
    partners: Positions | None = None,
) -> ObjectMeans:
    """
    Average over the pairs of each object, all of them or those with some partners.

    Two crisp partitions take O(n), a fuzzy and a crisp one O(n K log n), others a visit
    to the pairs of each object, after one for the distributions. Beyond 450 objects,
    `between` is that of some objects, corrected for what it is of others to first order.
    """
    if is_linear(P, Q):
        means = _linear(P, Q, clusters)
    elif partners is None and P.n_objects <= FEW_OBJECTS:
        means = _dense(P, Q, clusters)
    else:
        means = _by_rows(P, Q, run, clusters, partners)
    return replace(means, aci_without=_aci_without(P, Q, run))


def means_of_run(P: Partition, Q: Partition, run: Run) -> ObjectMeans:
    """Average over all pairs of each object, as a term of two partitions."""
    return object_means(P, Q, run)


def _aci_without(P: Partition, Q: Partition, run: Run) -> Callable[[int], float]:
    def aci_without(i: int) -> float:
        others = np.delete(np.arange(P.n_objects), i)
        only = Run(engine=run.engine)
        return gathered_concordance(P.take(others), Q.take(others), only).aci

    return aci_without


def _linear(P: Partition, Q: Partition, clusters: bool) -> ObjectMeans:
    """Use that |x - y| is linear in x where y is 0 or 1."""
    x, y = mean_dissimilarities(P), mean_dissimilarities(Q)
    mean_x, mean_y = x.mean(), y.mean()
    in_clusters = _NO_CLUSTERS
    if clusters:
        in_p, in_q = Weights(P).means(x), Weights(Q).means(y)
        in_clusters = _apart(in_p[:, None], in_q[None, :])
    return ObjectMeans(
        linear_discordance(P, Q),
        _apart(x, mean_y),
        _apart(y, mean_x),
        _apart(x, y),
        in_clusters,
    )


def _apart(x: Vector, y: Vector | np.floating) -> Vector:
    """Return the mean |X - Y| of independent X and Y with these means, one of 0 and 1."""
    return np.asarray(x * (1.0 - y) + (1.0 - x) * y)


def mean_dissimilarities(P: Partition) -> Vector:
    """Average the dissimilarities of each object to the others."""
    n = P.n_objects
    if P.kind == "crisp":
        sizes = np.bincount(P.labels, minlength=P.n_clusters)
        return np.asarray((n - sizes[P.labels]) / (n - 1))
    return sums_of_distances(P.columns()) / (n - 1)


class Weights:
    """The memberships of each object in the clusters, divided by their sum."""

    def __init__(self, P: Partition) -> None:
        self.P = P
        self.n_clusters = P.n_clusters
        self._columns: Vector | None = None
        if P.kind != "crisp":
            columns = P.columns()
            self._columns = columns / columns.sum(axis=0)

    def columns(self) -> Vector:
        """Return them as an array of shape (K, n)."""
        return self.P.columns() if self._columns is None else self._columns

    def sums(self, values: Vector) -> Vector:
        """Add up values of the objects of each cluster."""
        if self._columns is None:
            return np.asarray(np.bincount(self.P.labels, values, self.n_clusters))
        return np.asarray(self._columns @ values)

    def sizes(self) -> Vector:
        """Add up the objects of each cluster."""
        return self.sums(np.ones(self.P.n_objects))

    def means(self, values: Vector) -> Vector:
        """Average values over the objects of each cluster; NaN if it is empty."""
        return shares(self.sums(values), self.sizes())

    def cross(self, other: "Weights", values: Vector) -> Vector:
        """Add up values of the objects of each pair of clusters."""
        K, L = self.n_clusters, other.n_clusters
        if self._columns is None and other._columns is None:
            cells = self.P.labels.astype(np.int64) * L + other.P.labels
            return np.asarray(np.bincount(cells, values, K * L).reshape(K, L))
        if other._columns is None:
            return np.stack(
                [np.bincount(other.P.labels, u * values, L) for u in self.columns()]
            )
        return np.stack([self.sums(v * values) for v in other._columns], axis=1)


def shares(parts: Vector, wholes: Vector) -> Vector:
    """Divide, with NaN where there is nothing to divide by."""
    nothing = np.full(np.broadcast_shapes(parts.shape, wholes.shape), np.nan)
    return np.asarray(np.divide(parts, wholes, out=nothing, where=wholes > 0.0))


def _dense(P: Partition, Q: Partition, clusters: bool) -> ObjectMeans:
    """Hold all pairs at once, and sort."""
    n = P.n_objects
    x, y = (values_of_all_pairs(Side(X, "l1").columns, "l1") for X in (P, Q))
    F, G = (Distribution.of_values(np.sort(z)) for z in (x, y))
    rows_x, rows_y = _rows_of(x, n), _rows_of(y, n)
    in_clusters = _NO_CLUSTERS
    if clusters:
        in_clusters = _between_clusters(
            *(_cluster_masses(X, rows) for X, rows in ((P, rows_x), (Q, rows_y)))
        )
    return ObjectMeans(
        to_objects(np.abs(x - y), n) / (n - 1),
        to_objects(G.mean_distance(x), n) / (n - 1),
        to_objects(F.mean_distance(y), n) / (n - 1),
        _own_differences(rows_x, rows_y),
        in_clusters,
    )


def _rows_of(values: Vector, n: int) -> Vector:
    """Return the values of each object with all others, n x (n - 1)."""
    square = square_of(values, n)
    return np.asarray(square[~np.eye(n, dtype=np.bool_)].reshape(n, n - 1))


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


def _cluster_masses(P: Partition, rows: Vector) -> tuple[Vector, Vector]:
    """Return all values, ascending, and for each cluster the mass at each of them."""
    order = np.argsort(rows, axis=None, kind="stable")
    weights = np.repeat(Weights(P).columns(), rows.shape[1], axis=1)
    return rows.ravel()[order], weights[:, order]


def _between_clusters(
    of_p: tuple[Vector, Vector], of_q: tuple[Vector, Vector]
) -> Vector:
    """Return E|X - Y| for clusters of P and Q, from places and the masses there."""
    at = np.concatenate((of_p[0], of_q[0]))
    order = np.argsort(at, kind="stable")
    gaps = np.diff(at[order])
    below = []
    for masses, before, behind in (
        (of_p[1], 0, of_q[0].size),
        (of_q[1], of_p[0].size, 0),
    ):
        placed = np.pad(masses, ((0, 0), (before, behind)))[:, order]
        up_to = np.cumsum(placed, axis=1)
        below.append(shares(up_to[:, :-1], up_to[:, -1:]))
    x, y = below
    return np.asarray((x * gaps) @ (1.0 - y).T + ((1.0 - x) * gaps) @ y.T)


def _by_rows(
    P: Partition, Q: Partition, run: Run, clusters: bool, partners: Positions | None
) -> ObjectMeans:
    """Visit the pairs of each object, after the distributions are known."""
    n = P.n_objects
    sides = Side(P, "l1"), Side(Q, "l1")
    rows = Rows(n, partners)
    columns = [in_fours(rows.laid_out(side.columns), "zeros") for side in sides]
    tasks = rows.tasks()
    with visible(run.progress, long=takes_long(P, Q)) as tell:
        if partners is None:
            both = _distributions(P, Q, run)
        else:
            both = _distributions_of_rows(sides, rows, columns, run.engine)
        coarse = [_coarse_grid(side, F) for side, F in zip(sides, both, strict=True)]
        weights = [Weights(X).columns() if clusters else _NO_CLUSTERS for X in (P, Q)]
        lookups = [
            (*side.grid.ramps[1:], F.mean_distance(side.grid.edges))
            for side, F in zip(sides, both, strict=True)
        ]
        data = (rows, *columns, *weights, lookups, [grid.ramps[1:] for grid in coarse])
        sums = np.empty((n, 3))
        masses = [
            np.zeros((len(w), grid.n_cells + 1))
            for w, grid in zip(weights, coarse, strict=True)
        ]
        watch = Watch(tell, len(tasks))
        found = zip(tasks, run.engine.run(_sums_of_rows, (*data, masses), tasks), strict=True)
        for done, ((i0, i1), (part, more)) in enumerate(found, start=1):
            sums[i0:i1] = part
            for mass, other in zip(masses, more, strict=True):
                mass += other
            watch.tell(done)
    own = rows.meets_itself
    # An object is no partner of its own, and 0 apart from itself in P and in Q.
    at_zero = [float(F.mean_distance(np.zeros(1))[0]) for F in both]
    sums -= own[:, None] * np.array([0.0, at_zero[1], at_zero[0]])
    discordance, from_p, from_q = (sums / (rows.width - own)[:, None]).T
    in_clusters = _NO_CLUSTERS
    if clusters:
        for mass, weight in zip(masses, weights, strict=True):
            mass[:, 0] -= weight[:, own].sum(axis=1)
        places = [grid.edges for grid in coarse]
        in_clusters = _between_clusters((places[0], masses[0]), (places[1], masses[1]))
    to_first_order = from_p + from_q - 0.5 * (from_p.mean() + from_q.mean())
    some = np.arange(0, n, max(1, n // _BETWEEN))
    exactly = _own_differences(*(rows.values_of(side, some) for side in sides))
    between = to_first_order + float((exactly - to_first_order[some]).mean())
    return ObjectMeans(discordance, from_p, from_q, between, in_clusters)


@dataclass(frozen=True, eq=False)
class Rows:
    """
    The pairs of each of n objects: with all others, or with some partners.

    Objects stand once more behind the last, or partners do, so that those of an object
    are neighbours.
    """

    n: int
    partners: Positions | None

    @property
    def width(self) -> int:
        """The number of others that each object has, with itself if it is a partner."""
        return self.n - 1 if self.partners is None else len(self.partners)

    @property
    def meets_itself(self) -> NDArray[np.bool_]:
        """Whether an object is among the partners."""
        if self.partners is None:
            return np.zeros(self.n, np.bool_)
        return np.isin(np.arange(self.n), self.partners)

    def laid_out(self, columns: Vector) -> Vector:
        """Put the others of objects behind them."""
        more = columns[:, :-1] if self.partners is None else columns[:, self.partners]
        return np.concatenate((columns, more), axis=1)

    def tasks(self) -> list[tuple[int, int]]:
        """Cut the objects into runs."""
        height = max(1, (1 << 20) // self.width)
        return [(i, min(i + height, self.n)) for i in range(0, self.n, height)]

    def blocks(self, i0: int, i1: int) -> Iterator[tuple[int, int, int, int]]:
        """List blocks of the pairs of some objects: first object, rows, shift, width."""
        height = max(1, _BLOCK // self.width) if self.partners is None else 1
        for i in range(i0, i1, height):
            shift = 1 if self.partners is None else self.n - i
            yield i, min(height, i1 - i), shift, self.width

    def block(self, columns_p: Vector, columns_q: Vector) -> Block:
        """Return a block that can hold the values of any of these."""
        what = VALUES["l1"].columns
        known = {(what, 0): columns_p, (what, 1): columns_q}
        return Block(known, max(_BLOCK, self.width))

    def values_of(self, side: Side, objects: Positions) -> Vector:
        """Return the values of some objects with all of the others that they have."""
        found = []
        for i in objects.tolist():
            others = np.arange(self.n) if self.partners is None else self.partners
            others = others[others != i][: self.width - 1]
            i_again = np.full(others.size, i)
            found.append(l1.of_some_pairs(side.columns, i_again, others))
        return np.array(found)


def _distributions(
    P: Partition, Q: Partition, run: Run
) -> tuple[Distribution, Distribution]:
    """Return the distributions of all pairs, which `run` may know."""
    exactly = replace(run, method="auto", tol=None, checkpoint=None)
    wanted = Wanted("l1", distributions=True)
    both = terms_of_all_pairs(P, Q, wanted, exactly, Watch(None, 1)).distributions
    if both is None:
        raise ValueError("distributions were wanted")
    return both


def _distributions_of_rows(
    sides: tuple[Side, Side], rows: Rows, columns: list[Vector], engine: Engine
) -> tuple[Distribution, Distribution]:
    """Return the distributions of the pairs with partners."""
    cells = [Cells("l1", number, side.grid) for number, side in enumerate(sides)]
    tasks = rows.tasks()
    for parts in engine.run(_cells_of_rows, (rows, *columns, cells), tasks):
        for fold, part in zip(cells, parts, strict=True):
            fold.merge(part)
    for fold in cells:
        fold.counts[0] -= int(rows.meets_itself.sum())
    return cells[0].distribution(), cells[1].distribution()


def _cells_of_rows(
    rows: Rows, p: Vector, q: Vector, cells: list[Cells], i0: int, i1: int
) -> list[Cells]:
    """Count the values of the pairs of some objects."""
    block, found = rows.block(p, q), [fold.empty() for fold in cells]
    for place in rows.blocks(i0, i1):
        block.move(*place)
        for fold in found:
            fold.add(block)
    return found


def _sums_of_rows(
    rows: Rows,
    p: Vector,
    q: Vector,
    weights_p: Vector,
    weights_q: Vector,
    lookups: Any,
    coarse: Any,
    masses: list[Vector],
    i0: int,
    i1: int,
) -> tuple[Vector, list[Vector]]:
    """Return sums over the pairs of some objects, and the masses of clusters."""
    from concordant.kernels.rows import add_to_clusters, row_sums

    block, sums = rows.block(p, q), np.empty((i1 - i0, 3))
    found = [np.zeros_like(mass) for mass in masses]
    for place in rows.blocks(i0, i1):
        block.move(*place)
        i, height, _, width = place
        values = block.values("l1", 0), block.values("l1", 1)
        part = sums[i - i0 : i - i0 + height]
        row_sums(*values, width, *lookups[0], *lookups[1], part)
        for x, weights, ramps, mass in zip(
            values, (weights_p, weights_q), coarse, found, strict=True
        ):
            if len(weights):
                own = np.ascontiguousarray(weights[:, i : i + height])
                add_to_clusters(x, width, *ramps, own, mass)
    return sums, found


def _coarse_grid(side: Side, F: Distribution) -> Grid:
    """Return few knots that are close where values crowd."""
    if side.grid.n_cells <= _KNOTS:
        return side.grid
    return fitted_grid(F.mean, F.shares, side.ends, most_cells=_KNOTS, most_segments=8)
