"""The soft cross-table as the report shows it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from concordant.partition.naming import printed
from concordant.partition.partition import Partition

Vector = NDArray[np.float64]

#: How many rows and columns are shown at most.
MOST_CLUSTERS = 20


@dataclass(frozen=True)
class Cell:
    """A number and how much of its row it is, in percent."""

    text: str
    share: int


@dataclass(frozen=True)
class CellsView:
    """The rows of a cross-table."""

    columns: list[str]
    rows: list[tuple[str, list[Cell], str]]
    totals: list[str]
    note: str


def cells_view(P: Partition, Q: Partition) -> CellsView:
    """
    Describe the soft cross-table of two partitions.

    Parameters
    ----------
    P, Q : Partition
        Aligned partitions.

    Returns
    -------
    CellsView
        With sums; of more than twenty clusters the largest.
    """
    rows, columns = _largest(_sizes(P)), _largest(_sizes(Q))
    u, v = _columns(P, rows), _columns(Q, columns)
    table = u @ v.T
    mass_p, mass_q = _mass(P), _mass(Q)
    sums = u @ mass_q
    crisp = P.kind == Q.kind == "crisp"

    def text(value: float) -> str:
        return f"{value:,.0f}" if crisp else f"{value:,.2f}"

    def cell(value: float, total: float) -> Cell:
        return Cell(text(value), round(100 * value / total) if total > 0.0 else 0)

    note = ""
    if len(rows) < P.n_clusters or len(columns) < Q.n_clusters:
        note = (
            f"The largest {len(rows)} of {P.n_clusters:,} and {len(columns)} of "
            f"{Q.n_clusters:,} clusters; sums are over all."
        )
    return CellsView(
        columns=[printed(Q.clusters[column]) for column in columns],
        rows=[
            (printed(P.clusters[k]), [*map(cell, row, [total] * len(row))], text(total))
            for k, row, total in zip(rows, table, sums, strict=True)
        ],
        totals=[text(x) for x in (*(v @ mass_p), mass_p @ mass_q)],
        note=note,
    )


def _largest(sizes: Vector) -> list[int]:
    """Give the largest clusters, in their own order."""
    first = np.argsort(-sizes, kind="stable")[:MOST_CLUSTERS]
    return sorted(int(k) for k in first)


def _sizes(P: Partition) -> Vector:
    if P.kind == "crisp":
        return np.bincount(P.labels, minlength=P.n_clusters).astype(np.float64)
    return np.asarray(P.columns().sum(axis=1))


def _columns(P: Partition, clusters: list[int]) -> Vector:
    """Give the memberships in some clusters, one per row."""
    if P.kind == "crisp":
        return np.asarray(np.equal.outer(clusters, P.labels), dtype=np.float64)
    return P.columns()[clusters]


def _mass(P: Partition) -> Vector:
    """Give the sum of each object's memberships."""
    if P.kind == "crisp":
        return np.ones(P.n_objects)
    return np.asarray(P.columns().sum(axis=0))
