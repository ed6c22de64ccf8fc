"""Fuzzy Wallace indices: agreement on pairs that one partition holds together."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue import T_NORMS
from concordant.execution.engine import Engine, Threads
from concordant.execution.run import Run
from concordant.formulas.adjusted import Score, error_of_ratio
from concordant.gather import gather
from concordant.measures.comparing import check_defined, compare
from concordant.partition.alignment import Align, aligned
from concordant.partition.partition import Partition
from concordant.printing import Readable, Shown, short
from concordant.terms.distribution import UNIT_ROUNDOFF, Bounded, Distribution
from concordant.terms.side import Side
from concordant.values.t_norms import on_arrays
from concordant.wording import check_choice, count

if TYPE_CHECKING:
    import pandas

Vector = NDArray[np.float64]

_AT_ONCE = 1 << 18  # pairs
_LEAST_WEIGHT = 2.0**-960  # in which products that are too small are negligible
_ROUNDING = 2.0**-41  # of two sums, in which blocks of 512 x 256 pairs add up in lanes


def wallace_homogeneity(
    P: object,
    Q: object,
    *,
    n_jobs: int | None = None,
    engine: object = None,
    align: Align = "position",
) -> float:
    """
    Return how far both partitions agree on pairs that Q holds together.

    The mean of ``1 - |E_P - E_Q|`` over pairs, weighted by ``v_i . v_j``.

    Parameters
    ----------
    P, Q : Partition, or anything one can be made from
        Two partitions of the same n objects, crisp or fuzzy.
    n_jobs : int, optional
        Number of threads; see `concordance`.
    engine : dask.distributed.Client, optional
        Where to run the work instead; see `concordance`.
    align : {"position", "index", "common"}, default="position"
        How objects are matched: by position, by ids, or only those with common ids.

    Returns
    -------
    float
        From 0 to 1; higher is better. For crisp partitions it is the share of the
        pairs within a cluster of Q that are within a cluster of P (Wallace). It is 1
        where Q holds no pair together.

    Examples
    --------
    >>> import concordant as cc
    >>> cc.wallace_homogeneity([0, 0, 1, 1], [0, 0, 1, 2])
    1.0
    >>> cc.wallace_completeness([0, 0, 1, 1], [0, 0, 1, 2])
    0.5
    """
    name = "wallace_homogeneity"
    return compare(P, Q, indices=[name], n_jobs=n_jobs, engine=engine, align=align)[
        name
    ]


def wallace_completeness(
    P: object,
    Q: object,
    *,
    n_jobs: int | None = None,
    engine: object = None,
    align: Align = "position",
) -> float:
    """
    Return how far both partitions agree on pairs that P holds together.

    The mean of ``1 - |E_P - E_Q|`` over pairs, weighted by ``u_i . u_j``: the
    `wallace_homogeneity` of Q and P.

    Parameters
    ----------
    P, Q : Partition, or anything one can be made from
        Two partitions of the same n objects, crisp or fuzzy.
    n_jobs : int, optional
        Number of threads; see `concordance`.
    engine : dask.distributed.Client, optional
        Where to run the work instead; see `concordance`.
    align : {"position", "index", "common"}, default="position"
        How objects are matched: by position, by ids, or only those with common ids.

    Returns
    -------
    float
        From 0 to 1; higher is better. It is 1 where P holds no pair together.

    Examples
    --------
    >>> import concordant as cc
    >>> P = [[0.9, 0.1], [0.8, 0.2], [0.2, 0.8], [0.3, 0.7]]
    >>> round(cc.wallace_completeness(P, [0, 0, 1, 1]), 6)
    0.748872
    """
    name = "wallace_completeness"
    return compare(P, Q, indices=[name], n_jobs=n_jobs, engine=engine, align=align)[
        name
    ]


def homogeneity(terms: Mapping[str, Any]) -> Score:
    """Return the agreement on pairs that Q holds together."""
    sums, (_, lost) = terms["wallace"], terms["lost weights"]
    return _mean(sums.b, sums.d, lost)


def completeness(terms: Mapping[str, Any]) -> Score:
    """Return the agreement on pairs that P holds together."""
    sums, (lost, _) = terms["wallace"], terms["lost weights"]
    return _mean(sums.a, sums.c, lost)


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
    index : {"homogeneity", "completeness"}
        Of clusters of Q, or of P.
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
        Homogeneity of each cluster of Q and overall, then completeness of each cluster
        of P and overall.
    """

    t_norm: str
    n_objects: int
    rows: tuple[WallaceRow, ...]

    @property
    def homogeneity(self) -> WallaceRow:
        """That of all clusters of Q."""
        return self._overall("homogeneity")

    @property
    def completeness(self) -> WallaceRow:
        """That of all clusters of P."""
        return self._overall("completeness")

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
        import pandas as pd

        return pd.DataFrame.from_records([asdict(row) for row in self.rows])

    def __repr__(self) -> str:
        found = ", ".join(
            f"{row.index}={short(row.value)} (adjusted {short(row.adjusted)})"
            for row in (self.homogeneity, self.completeness)
        )
        return f"WallaceTable({self.t_norm}, {found})"

    def _shown(self) -> Shown:
        objects = count(self.n_objects, "object")
        return Shown(
            f"Fuzzy Wallace indices of {objects}, t-norm {self.t_norm}",
            header=("index", "cluster", "weight", "value", "expected", "adjusted"),
            rows=[
                [
                    row.index,
                    "all" if row.cluster is None else str(row.cluster),
                    *map(short, (row.weight, row.value, row.expected, row.adjusted)),
                ]
                for row in self.rows
            ],
        )


def wallace(
    P: object,
    Q: object,
    *,
    t_norm: str = "product",
    n_jobs: int | None = None,
    align: Align = "position",
) -> WallaceTable:
    """
    Return how far two partitions agree on the pairs of each cluster.

    Homogeneity of a cluster of Q is the mean of ``1 - |E_P - E_Q|`` over pairs of
    objects, weighted by the t-norm of their memberships in it; completeness of a
    cluster of P likewise. For crisp partitions it is the share of the pairs in a
    cluster that the other partition holds together, too.

    Parameters
    ----------
    P, Q : Partition, or anything one can be made from
        Two partitions of the same n objects, crisp or fuzzy.
    t_norm : {"product", "min", "lukasiewicz"}, default="product"
        What makes two memberships in a cluster the weight of a pair.
    n_jobs : int, optional
        Number of threads; see `concordance`. The result is the same to the last bit.
    align : {"position", "index", "common"}, default="position"
        How objects are matched: by position, by ids, or only those with common ids.

    Returns
    -------
    WallaceTable
        Values, their exact expectations over all permutations of the objects, and what
        is left when these are corrected for, of each cluster and overall.

    See Also
    --------
    wallace_homogeneity, wallace_completeness : The overall values alone.

    Notes
    -----
    O(n^2 (K + L)) time.

    Examples
    --------
    >>> import concordant as cc
    >>> table = cc.wallace([0, 0, 1, 1, 1], ["a", "a", "b", "b", "c"])
    >>> print(table)
    Fuzzy Wallace indices of 5 objects, t-norm product
    index         cluster  weight   value  expected  adjusted
    ---------------------------------------------------------
    homogeneity         a  1.0000  1.0000    0.4000    1.0000
    homogeneity         b  1.0000  1.0000    0.4000    1.0000
    homogeneity         c  0.0000  1.0000    1.0000    1.0000
    homogeneity       all  2.0000  1.0000    0.4000    1.0000
    completeness        0  1.0000  1.0000    0.2000    1.0000
    completeness        1  3.0000  0.3333    0.2000    0.1667
    completeness      all  4.0000  0.5000    0.2000    0.3750
    """
    check_choice("t_norm", t_norm, tuple(T_NORMS), optional=False)
    engine = Threads(n_jobs)
    p, q = aligned(P, Q, align=align)
    check_defined(("wallace_homogeneity",), p, q)
    term = "distributions (l1)"
    F, G = gather(p, q, (term,), Run(engine=engine))[term] or (None, None)
    sums = _sums(p, q, t_norm, F, G, engine)
    L = q.n_clusters
    x, y = (Side(X, "l1").only_value if F else None for X in (p, q))
    alike = x is not None and x == y
    if alike:
        sums[:, :2] = 0.0
    sides = (
        ("homogeneity", q.clusters, sums[:L], F, q),
        ("completeness", p.clusters, sums[L:], G, p),
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


def _sums(
    P: Partition,
    Q: Partition,
    t_norm: str,
    F: Distribution | None,
    G: Distribution | None,
    engine: Engine,
) -> Vector:
    """Return sums of w |x - y|, w E|x - Y|, w and |w|, by clusters of Q, then P."""
    n, n_clusters = P.n_objects, P.n_clusters + Q.n_clusters
    if F is None or G is None:
        return np.zeros((n_clusters, 4))
    height = max(1, _AT_ONCE // n)
    tasks = ((start, min(start + height, n)) for start in range(0, n - 1, height))
    arrays = (P.columns(), Q.columns(), F, G, t_norm)
    parts = list(engine.run(_of_rows, arrays, tasks))
    by_cluster = zip(*parts, strict=True)
    return np.array([[*map(math.fsum, zip(*x, strict=True))] for x in by_cluster])


def _of_rows(
    p: Vector,
    q: Vector,
    F: Distribution,
    G: Distribution,
    t_norm: str,
    i0: int,
    i1: int,
) -> list[list[float]]:
    """Return the sums over the pairs of some objects with those behind them."""
    from scipy.spatial.distance import cdist

    t = on_arrays(t_norm)
    behind = np.arange(i0, i1)[:, None] < np.arange(i0, p.shape[1])
    x, y = (0.5 * cdist(u.T[i0:i1], u.T[i0:], "cityblock")[behind] for u in (p, q))
    differences = np.abs(x - y)
    found = []
    for columns, by_chance in ((q, F.mean_distance(y)), (p, G.mean_distance(x))):
        for u in columns:
            w = t(u[i0:i1, None], u[None, i0:])[behind]
            sums = (w * differences).sum(), (w * by_chance).sum(), w.sum()
            found.append([*map(float, sums), float(np.abs(w).sum())])
    return found


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
