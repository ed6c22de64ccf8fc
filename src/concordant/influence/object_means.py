"""What each object contributes to d and to E[d]: means over its pairs."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from concordant.agreement.beyond_one import largest_excess
from concordant.agreement.computing import computed_concordance
from concordant.execution.engine import Engine
from concordant.execution.progress import Progress, Watch
from concordant.execution.run import Run
from concordant.influence.differences import (
    EXACT_UP_TO,
    linear_discordance,
    sums_of_distances,
)
from concordant.pairs.dense import dissimilarities, in_order
from concordant.partition.memberships import TOLERANCE
from concordant.partition.partition import Partition

Vector = NDArray[np.float64]

# For so many objects all pairs are sorted in NumPy, before Numba is imported.
_IN_NUMPY = 512
_STEPS = 1024  # of equal width
_NEGLIGIBLE = 3e-5  # the part of E[d] that an error may reach with these
_QUANTILES, _UNIFORM = 384, 128  # knots of each kind otherwise
_SLOTS = 4096
_SAMPLE = 1 << 14  # pairs from which quantiles are taken
_ROWS = 128  # objects of a task
_NO_CLUSTERS = np.empty((0, 0))


@dataclass(frozen=True, eq=False)
class ObjectMeans:
    """
    Means over the pairs of each object; x are dissimilarities of P, y those of Q.

    `discordance` is the mean of |x_ij - y_ij| over j; `from_p` that of |x_ij - y_kl|
    over j and all pairs of Q, `from_q` that of |x_kl - y_ij|, and `between` that of
    |x_ij - y_ik| over j and k. Their means over all objects are d for the first, and
    E[d] for the second and the third.

    `in_clusters` is empty unless it was asked for. For clusters k of P and l of Q it
    holds the mean of |x_ij - y_st| over j and t, object i drawn by the memberships of k
    and object s, independently of it, by those of l; NaN where a cluster is empty.

    `aci_without` computes ACI without an object, where all pairs of the others may be
    visited for it.
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


def means_of_run(P: Partition, Q: Partition, run: Run) -> ObjectMeans:
    """Average over all pairs of each object, as a term of two partitions."""
    return object_means(P, Q, run.engine, progress=run.progress)


def object_means(
    P: Partition,
    Q: Partition,
    engine: Engine,
    *,
    clusters: bool = False,
    partners: NDArray[np.intp] | None = None,
    progress: Progress | None = None,
) -> ObjectMeans:
    """
    Average over the pairs of each object, all of them or those with some partners.

    Two crisp partitions take O(n), a fuzzy and a crisp one O(n K log n), others two
    visits to all pairs. Beyond 512 objects dissimilarities of two fuzzy partitions are
    shared out linearly over knots, 1024 or adapted to the data: expectations are then
    right to some five digits.
    """
    if "crisp" in (P.kind, Q.kind) and not _passes_one(P, Q):
        means = _linear(P, Q, clusters)
    elif partners is not None:
        return _on_knots(P, Q, engine, clusters, partners, progress)
    elif P.n_objects <= _IN_NUMPY:
        means = _dense(P, Q, clusters)
    else:
        means = _on_knots(P, Q, engine, clusters, None, progress)

    def aci_without(i: int) -> float:
        others = np.delete(np.arange(P.n_objects), i)
        left = P.take(others), Q.take(others)
        return computed_concordance(*left, Run(engine=engine))[0].aci

    return replace(means, aci_without=aci_without)


def _passes_one(P: Partition, Q: Partition) -> bool:
    """Tell whether rows of a table may be more than 1 apart, and all pairs be seen."""
    return P.n_objects <= EXACT_UP_TO and any(
        partition.kind == "fuzzy" and largest_excess(partition.columns()) > TOLERANCE
        for partition in (P, Q)
    )


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
    """Give the mean |X - Y| of independent X and Y with these means, one of 0 and 1."""
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
        """Give them as an array of shape (K, n)."""
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
    x, y = (in_order(dissimilarities(X.columns()), X.n_objects) for X in (P, Q))
    origin = min(x.min(), y.min())
    x, y = x - origin, y - origin  # close dissimilarities do not cancel
    first, second = np.triu_indices(n, 1)

    def to_objects(values: Vector) -> Vector:
        sums = np.bincount(first, values, n) + np.bincount(second, values, n)
        return np.asarray(sums / (n - 1))

    from_q_at, to_q = _Distances(x, y), _Distances(y, x)
    alike = np.ones(len(x))
    in_clusters = _NO_CLUSTERS
    if clusters:
        in_p = Weights(P)
        in_clusters = np.empty((P.n_clusters, Q.n_clusters))
        for column, v in enumerate(Weights(Q).columns()):
            weights = v[first] + v[second]
            if weights.any():
                placed = to_objects(from_q_at.means(weights))
                in_clusters[:, column] = in_p.means(placed)
            else:
                in_clusters[:, column] = np.nan
    rows_x, rows_y = _rows(x, first, second, n), _rows(y, first, second, n)
    both = _spread(np.concatenate((rows_x, rows_y), axis=1))
    between = (both - _spread(rows_x) - _spread(rows_y)) / (n - 1) ** 2
    return ObjectMeans(
        to_objects(np.abs(x - y)),
        to_objects(from_q_at.means(alike)),
        to_objects(to_q.means(alike)),
        np.maximum(between, 0.0),
        in_clusters,
    )


class _Distances:
    """The mean distances of points from others, which have weights."""

    def __init__(self, points: Vector, others: Vector) -> None:
        self.points = points
        self.order = np.argsort(others, kind="stable")
        self.others = others[self.order]
        self.below = np.searchsorted(self.others, points, side="right")

    def means(self, weights: Vector) -> Vector:
        """Average |point - other| over the others, for every point."""
        ordered = weights[self.order]
        masses = np.concatenate(([0.0], np.cumsum(ordered)))
        sums = np.concatenate(([0.0], np.cumsum(ordered * self.others)))
        mass, part = masses[self.below], sums[self.below]
        total = self.points * (2.0 * mass - masses[-1]) + (sums[-1] - 2.0 * part)
        return np.asarray(np.maximum(total / masses[-1], 0.0))


def _rows(
    pairs: Vector, first: NDArray[np.intp], second: NDArray[np.intp], n: int
) -> Vector:
    """Give the dissimilarities of each object to all others, n x (n - 1)."""
    square = np.zeros((n, n))
    square[first, second] = square[second, first] = pairs
    return square[~np.eye(n, dtype=np.bool_)].reshape(n, n - 1)


def _spread(rows: Vector) -> Vector:
    """Sum |z_s - z_t| over all pairs of numbers in each row."""
    width = rows.shape[1]
    ranks = 2.0 * np.arange(width) - (width - 1)
    return np.asarray(np.sort(rows, axis=1) @ ranks)


def _on_knots(
    P: Partition,
    Q: Partition,
    engine: Engine,
    clusters: bool,
    partners: NDArray[np.intp] | None,
    progress: Progress | None = None,
) -> ObjectMeans:
    """Share dissimilarities out over knots, for all objects and then for each."""
    n = P.n_objects
    p, q = _fixed(P.columns()), _fixed(Q.columns())
    grid = _grid(p, q)
    knots = grid[0]
    alone = np.full(n, -1, dtype=np.int64)
    if partners is None:
        others_p, others_q = p, q
        alone[:] = np.arange(n)
        starts = np.arange(1, n + 1)  # every pair once
        weights = np.ones(n)
    else:
        others_p, others_q = (_fixed(u[:, partners]) for u in (p, q))
        alone[partners] = np.arange(len(partners))
        starts = np.zeros(n, dtype=np.int64)
        weights = 1.0 / (len(partners) - (alone >= 0))  # every object counts the same
    tasks = [(i, min(i + _ROWS, n)) for i in range(0, n, _ROWS)]
    watch = Watch(progress, 3 * len(tasks))

    def to_knots(u: Vector, others: Vector, before: int) -> Vector:
        arrays = (u, others, alone, starts, weights, *grid)
        masses = np.zeros(1)
        for done, part in enumerate(engine.run(_masses, arrays, tasks), start=1):
            masses = masses + part
            watch.tell(before + done)
        return _from_knots(knots, masses)

    to_p, to_q = to_knots(p, others_p, 0), to_knots(q, others_q, len(tasks))
    none = np.empty((0, n))
    weights_p, weights_q = (
        _fixed(Weights(side).columns() if clusters else none) for side in (P, Q)
    )
    arrays = (
        p, q, others_p, others_q, weights_p, weights_q, alone, *grid, to_p, to_q
    )  # fmt: skip
    means = np.empty((4, n))
    masses_p = np.zeros((len(weights_p), len(knots)))
    masses_q = np.zeros((len(weights_q), len(knots)))
    found = zip(tasks, engine.run(_means, arrays, tasks), strict=True)
    for done, ((i0, i1), (part, in_p, in_q)) in enumerate(found, start=1):
        watch.tell(2 * len(tasks) + done)
        means[:, i0:i1] = part
        masses_p += in_p
        masses_q += in_q
    in_clusters = _NO_CLUSTERS
    if clusters:
        below_p, below_q = (
            shares(np.cumsum(masses, axis=1)[:, :-1], masses.sum(axis=1)[:, None])
            for masses in (masses_p, masses_q)
        )
        widths = np.diff(knots)
        in_clusters = (below_p * widths) @ (1.0 - below_q).T
        in_clusters += ((1.0 - below_p) * widths) @ below_q.T
    discordance, from_p, from_q, between = means
    return ObjectMeans(discordance, from_p, from_q, between, in_clusters)


def _fixed(columns: Vector) -> Vector:
    """Give columns read-only and row by row: kernels are compiled once for that."""
    fixed = np.ascontiguousarray(columns).view()
    fixed.flags.writeable = False
    return fixed


def _grid(p: Vector, q: Vector) -> tuple[Vector, Vector, NDArray[np.int64]]:
    """
    Choose knots, and give with them one over each width, and slots to find a cell by.

    Knots at equal steps need no slots. Where too many dissimilarities would share a
    cell, knots are values that are frequent in a sample, and some at equal steps.
    """
    n = p.shape[1]
    rng = np.random.default_rng(0)  # knots depend on the data alone
    i = rng.integers(n, size=_SAMPLE)
    j = (i + rng.integers(1, n, size=_SAMPLE)) % n
    x, y = (0.5 * np.abs(u[:, i] - u[:, j]).sum(axis=0) for u in (p, q))
    furthest = max(0.5 * float(np.ptp(u, axis=1).sum()) for u in (p, q))
    end = np.nextafter(furthest, np.inf) if furthest > 0.0 else 1.0
    knots = np.linspace(0.0, end, _STEPS + 1)
    in_x, in_y = (np.histogram(z, knots)[0] / _SAMPLE for z in (x, y))
    shared = float(in_x @ in_y) * end / _STEPS
    if shared <= _NEGLIGIBLE * float(np.abs(x - np.roll(y, 1)).mean()):
        return knots, np.full(_STEPS, _STEPS / end), np.empty(0, np.int64)
    ranks = np.linspace(0, 1, _QUANTILES // 2)
    frequent = [np.quantile(z, ranks, method="inverted_cdf") for z in (x, y)]
    low, high = min(x.min(), y.min()), max(x.max(), y.max())
    steps = np.linspace(low, high, _UNIFORM)
    knots = np.unique(np.concatenate([[0.0, end], steps, *frequent]))
    edges = np.linspace(0.0, end, _SLOTS, endpoint=False)
    cells = np.searchsorted(knots, edges, side="right") - 1
    slots = np.clip(cells, 0, len(knots) - 2).astype(np.int64)
    return knots, 1.0 / np.diff(knots), slots


def _from_knots(knots: Vector, masses: Vector) -> Vector:
    """Give the mean distance of each knot from values that lie on knots."""
    below = np.cumsum(masses)[:-1] / masses.sum()
    widths = np.diff(knots)
    left = np.concatenate(([0.0], np.cumsum(below * widths)))
    right = np.cumsum(((1.0 - below) * widths)[::-1])[::-1]
    return np.asarray(left + np.concatenate((right, [0.0])))


def _masses(
    u: Vector,
    others: Vector,
    alone: NDArray[np.int64],
    starts: NDArray[np.int64],
    weights: Vector,
    knots: Vector,
    per_width: Vector,
    slots: NDArray[np.int64],
    i0: int,
    i1: int,
) -> Vector:
    from concordant.kernels.object_profiles import masses_of_rows

    masses: Vector = masses_of_rows(
        u, others, alone, starts, weights, i0, i1, knots, per_width, slots
    )
    return masses


def _means(
    p: Vector,
    q: Vector,
    others_p: Vector,
    others_q: Vector,
    weights_p: Vector,
    weights_q: Vector,
    alone: NDArray[np.int64],
    knots: Vector,
    per_width: Vector,
    slots: NDArray[np.int64],
    to_p: Vector,
    to_q: Vector,
    i0: int,
    i1: int,
) -> tuple[Vector, Vector, Vector]:
    from concordant.kernels.object_profiles import means_of_rows

    out = np.empty((4, i1 - i0))
    in_p, in_q = (np.zeros((len(u), len(knots))) for u in (weights_p, weights_q))
    means_of_rows(
        p, q, others_p, others_q, weights_p, weights_q, alone, i0, i1,
        knots, per_width, slots, to_p, to_q, out, in_p, in_q,
    )  # fmt: skip
    return out, in_p, in_q
