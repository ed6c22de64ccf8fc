"""Fuzzy Wallace indices: agreement on pairs that one partition holds together."""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from concordant.arrays import Vector
from concordant.bounded import UNIT_ROUNDOFF, Bounded
from concordant.catalogue.lookups import kernel_of
from concordant.catalogue.terms import Term
from concordant.catalogue.values import T_NORMS
from concordant.compute import gather
from concordant.exact import rounded
from concordant.execution.checkpoint import Job
from concordant.execution.engine import Engine, Threads
from concordant.execution.progress import Watch
from concordant.execution.run import Run
from concordant.measures.adjusted import Score
from concordant.measures.comparing import check_defined
from concordant.measures.ratio import error_of_ratio
from concordant.measures.tables.pair_table import PairTable
from concordant.pairs.bands import unrolled
from concordant.pairs.distribution import Distribution
from concordant.pairs.fold_pairs import fold_all_pairs
from concordant.pairs.folds import Block, ExactSums, Need
from concordant.pairs.side import Side
from concordant.partition.alignment import MatchBy, aligned
from concordant.partition.partition import Partition
from concordant.printing import Readable, Shown, short
from concordant.underflow import tiny_is_zero
from concordant.wording import check_choice, count, pandas_for

if TYPE_CHECKING:
    import pandas


_LEAST_WEIGHT = 2.0**-960  # in which products that are too small are negligible
_ROUNDING = 2.0**-41  # of two sums, in which blocks of 512 x 256 pairs add up in lanes


#: What is printed of a row: whose pairs, and where they are looked for.
_DIRECTIONS = {"wallace_p": "of P in Q", "wallace_q": "of Q in P"}


class WallaceSums(NamedTuple):
    """Sums over pairs, as far as P and as Q hold these: of agreement, and of 1."""

    agreed_in_p: float
    agreed_in_q: float
    held_in_p: float
    held_in_q: float


def of_q(sums: WallaceSums, lost: tuple[float, float]) -> Score:
    """Return the agreement on pairs that Q holds together."""
    return _mean(sums.agreed_in_q, sums.held_in_q, lost[1])


def of_p(sums: WallaceSums, lost: tuple[float, float]) -> Score:
    """Return the agreement on pairs that P holds together."""
    return _mean(sums.agreed_in_p, sums.held_in_p, lost[0])


def _mean(agreed: float, weight: float, lost: float) -> Score:
    """Return a weighted mean; 1 if no pair is held, as far as digits tell."""
    if weight <= lost:
        return Score(1.0, math.inf if lost else 0.0)
    value = agreed / weight
    error = (1.0 + abs(value)) * lost / (weight - lost)
    return Score(value, error + _ROUNDING)


@dataclass(frozen=True)
class WallaceRow:
    """
    Agreement on the pairs that one cluster, or any of a partition, holds together.

    Parameters
    ----------
    index : {"wallace_p", "wallace_q"}
        Of pairs that P holds together, or Q.
    cluster : object
        The name of the cluster; None for all of them together.
    weight : float
        How many pairs it holds together: the sum of their t-norms.
    value : float
        The weighted mean of ``1 - |E_P - E_Q|``; 1 if there is no such pair.
    expected : float
        Its mean over all permutations of the objects.
    adjusted : float
        ``(value - expected) / (1 - expected)``: 1 at most, 0 by chance.
    error : float
        How far `adjusted` may be from its exact value.
    """

    index: str
    cluster: object
    weight: float
    value: float
    expected: float
    adjusted: float
    error: float


@dataclass(frozen=True, repr=False)
class WallaceTable(Readable):
    """
    Fuzzy Wallace indices of two partitions, overall and of each cluster.

    Parameters
    ----------
    t_norm : str
        What makes two memberships in a cluster the weight of a pair.
    n_objects : int
        The number of objects, n.
    rows : tuple of WallaceRow
        Of each cluster of P and overall, then of each cluster of Q and overall.
    """

    t_norm: str
    n_objects: int
    rows: tuple[WallaceRow, ...]

    @property
    def of_p(self) -> WallaceRow:
        """Of all clusters of P, in Q: ``score(P, Q, "wallace_p")``, if by products."""
        return self._overall("wallace_p")

    @property
    def of_q(self) -> WallaceRow:
        """Of all clusters of Q, in P."""
        return self._overall("wallace_q")

    def _overall(self, index: str) -> WallaceRow:
        return next(row for row in reversed(self.rows) if row.index == index)

    def to_frame(self) -> "pandas.DataFrame":
        """
        Return the rows as a data frame.

        Returns
        -------
        pandas.DataFrame
            With the columns ``index``, ``cluster``, ``weight``, ``value``,
            ``expected``, ``adjusted`` and ``error``.
        """
        pd = pandas_for("to_frame()")
        frame: pandas.DataFrame = pd.DataFrame.from_records(map(asdict, self.rows))
        return frame

    def __repr__(self) -> str:
        found = ", ".join(
            f"{_DIRECTIONS[row.index]} {short(row.value)} "
            f"(adjusted {short(row.adjusted)})"
            for row in (self.of_p, self.of_q)
        )
        return f"WallaceTable({self.t_norm}, {found})"

    def _shown(self) -> Shown:
        objects = count(self.n_objects, "object")
        return Shown(
            f"Fuzzy Wallace indices of {objects}, t-norm {self.t_norm}",
            header=("pairs", "cluster", "weight", "value", "expected", "adjusted"),
            rows=[
                [
                    _DIRECTIONS[row.index],
                    "all" if row.cluster is None else str(row.cluster),
                    *map(short, (row.weight, row.value, row.expected, row.adjusted)),
                ]
                for row in self.rows
            ],
        )


@tiny_is_zero
def wallace(
    P: object,
    Q: object,
    *,
    t_norm: str = "product",
    n_jobs: int | None = None,
    match_by: MatchBy = "position",
) -> WallaceTable:
    """
    Return how far two partitions agree on the pairs of each cluster.

    For a cluster it is the mean of ``1 - |E_P - E_Q|`` over pairs of objects, weighted
    by the t-norm of their memberships in it. For crisp partitions it is the share of
    the pairs in the cluster that the other partition holds together, too.

    Parameters
    ----------
    P, Q : Partition, or anything one can be made from
        Two partitions of the same n objects, crisp or fuzzy.
    t_norm : {"product", "min", "lukasiewicz"}, default="product"
        What makes two memberships in a cluster the weight of a pair.
    n_jobs : int, optional
        Number of threads; see `concordance`. The result is the same to the last bit.
    match_by : {"position", "id", "common"}, default="position"
        How objects are matched: by position, by ids, or only those with common ids.

    Returns
    -------
    WallaceTable
        Values, their exact expectations over all permutations of the objects, and what
        is left when these are corrected for, of each cluster and overall.

    See Also
    --------
    score : With ``"wallace_p"`` or ``"wallace_q"`` the overall values alone.

    Notes
    -----
    O(n^2 (K + L)) time.

    Examples
    --------
    >>> import concordant as cc
    >>> table = cc.wallace([0, 0, 1, 1, 1], ["a", "a", "b", "b", "c"])
    >>> print(table)
    Fuzzy Wallace indices of 5 objects, t-norm product
    pairs      cluster  weight   value  expected  adjusted
    ------------------------------------------------------
    of P in Q        0  1.0000  1.0000    0.2000    1.0000
    of P in Q        1  3.0000  0.3333    0.2000    0.1667
    of P in Q      all  4.0000  0.5000    0.2000    0.3750
    of Q in P        a  1.0000  1.0000    0.4000    1.0000
    of Q in P        b  1.0000  1.0000    0.4000    1.0000
    of Q in P        c  0.0000  1.0000    1.0000    1.0000
    of Q in P      all  2.0000  1.0000    0.4000    1.0000
    """
    check_choice("t_norm", t_norm, tuple(T_NORMS), optional=False)
    engine = Threads(n_jobs)
    p, q = aligned(P, Q, match_by=match_by)
    check_defined(("wallace_p",), p, q, argument="")
    term = Term("distributions", "l1")
    found = gather(p, q, (term,), Run(engine=engine))[term]
    of_p, of_q = Side(p, "l1"), Side(q, "l1")
    sums = _sums((of_p, of_q), t_norm, found, engine)
    F, G = found or (None, None)
    L = q.n_clusters
    x, y = (side.only_value if found else None for side in (of_p, of_q))
    alike = x is not None and x == y
    if alike:
        sums[:, :2] = 0.0
    sides = (
        ("wallace_p", p.clusters, sums[L:], G, p),
        ("wallace_q", q.clusters, sums[:L], F, q),
    )
    rows: list[WallaceRow] = []
    for index, clusters, parts, other, own in sides:
        loss = (0.0, 0.0) if alike else _loss(p, q, other, own)
        of_side = partial(_row, index, loss=loss)
        names = clusters.tolist()
        held = parts[:, 3] > 0.0
        if t_norm == "product":  # which may be too small for a double
            held = np.count_nonzero(own.columns(), axis=1) > 1
        rows += [of_side(*row) for row in zip(names, parts, held.tolist(), strict=True)]
        rows.append(of_side(None, parts.sum(axis=0), bool(held.any())))
    return WallaceTable(t_norm, p.n_objects, tuple(rows))


class _WeightedSums(ExactSums):
    """Sums of w |x - y|, w E|x - Y|, w and |w|, by clusters of Q, then P."""

    def __init__(
        self, t_norm: str, columns: tuple[Vector, Vector], tables: list[Any]
    ) -> None:
        self._given = t_norm, columns, tables
        super().__init__([Need("l1", 0), Need("l1", 1)], 4 * sum(map(len, columns)))

    def of_block(self, block: Block) -> Sequence[float]:
        """Return the sums over a block."""
        t_norm, (u, v), (F, G) = self._given
        add = kernel_of("concordant.kernels.with_t_norms:weighted", t_norm)
        x, y = map(block.values, self.needs)
        of_q, of_p = np.empty((len(v), 4)), np.empty((len(u), 4))
        add(x, y, *block.place, v, *F, of_q)
        add(y, x, *block.place, u, *G, of_p)
        return [*of_q.ravel().tolist(), *of_p.ravel().tolist()]


def _sums(
    sides: tuple[Side, Side],
    t_norm: str,
    distributions: tuple[Distribution, Distribution] | None,
    engine: Engine,
) -> Vector:
    """Return the weighted sums over all pairs, four of each cluster."""
    u, v = (unrolled(side.partition.columns()) for side in sides)
    tables = [(F.lines, *F.index) for F in distributions or ()]
    fold = _WeightedSums(t_norm, (u, v), tables)
    if tables:
        fold_all_pairs(sides, [fold], engine, Watch(None, 1), Job(None, "", ()))
    return np.reshape([*map(rounded, fold.sums)], (-1, 4))


def _loss(
    P: Partition, Q: Partition, other: Distribution | None, own: Partition
) -> tuple[float, float]:
    """Bound how far weighted means of |x - y| and of E|x - Y| are off, for each w."""
    if other is None:
        return 0.0, 0.0
    rounding = 8.0 * (P.n_clusters + Q.n_clusters + 256) * UNIT_ROUNDOFF
    # A value is off within its own cell alone; values of crisp partitions lie at ends.
    widths = other.high - other.low if own.kind != "crisp" else np.zeros(1)
    cells = float((other.shares * widths).max())
    summed = 2.0 * len(other.mean) * UNIT_ROUNDOFF  # one cell after the other
    return rounding, rounding + summed + cells + other.displacement


def _row(
    index: str,
    cluster: object,
    sums: Any,
    held: bool,
    *,
    loss: tuple[float, float],
) -> WallaceRow:
    """Return a row, given whether the cluster holds a pair to the least degree."""
    differences, by_chance, weight, size = map(float, sums)
    if weight < _LEAST_WEIGHT:
        error = math.inf if held else 0.0
        return WallaceRow(index, cluster, max(weight, 0.0), 1.0, 1.0, 1.0, error)
    d, e = differences / weight, by_chance / weight
    # Memberships below 0 make weights that cancel.
    d_error, e_error = (each * size / weight for each in loss)
    adjusted = 1.0 - d / e if e > 0.0 else 1.0
    error = error_of_ratio(adjusted, d_error, Bounded(e, e_error))
    return WallaceRow(index, cluster, weight, 1.0 - d, 1.0 - e, adjusted, error)


def cardinalities(
    x: Vector, apart_p: Vector, y: Vector, apart_q: Vector
) -> tuple[Vector, Vector, Vector, Vector]:
    """Return what each pair adds to the four sums."""
    agreement, in_p, in_q = 1.0 - np.abs(x - y), 1.0 - apart_p, 1.0 - apart_q
    return agreement * in_p, agreement * in_q, in_p, in_q


def of_crisp(table: PairTable) -> WallaceSums:
    """Return the four sums of two crisp partitions."""
    a, b, c = table.a, table.b, table.c
    return WallaceSums(a, a, a + b, a + c)


def lost_weights(P: Partition, Q: Partition, run: Run) -> tuple[float, float]:
    """
    Bound how far the sums of w_P and of w_Q may be off, beside the rounding of sums.

    A weight is taken from 1, by K products, so that small ones are lost. Those of crisp
    partitions are exact, and those of clusters that hold no two objects are 0.
    """
    m = P.n_objects * (P.n_objects - 1) // 2
    found = []
    for X in (P, Q):
        holds = X.kind != "crisp" and (np.count_nonzero(X.columns(), axis=1) > 1).any()
        found.append((4 * X.n_clusters + 8) * 2.0**-53 * m if holds else 0.0)
    return found[0], found[1]
