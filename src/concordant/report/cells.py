"""The soft cross-table as the report shows it."""

from dataclasses import dataclass

import numpy as np

from concordant.cross_table import soft_cross_table
from concordant.naming import printed
from concordant.partition import Partition

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
    table = soft_cross_table(P, Q)
    crisp = P.kind == Q.kind == "crisp"
    rows, columns = _largest(table.sum(axis=1)), _largest(table.sum(axis=0))
    sums = table.sum(axis=1)

    def text(value: float) -> str:
        return f"{value:,.0f}" if crisp else f"{value:,.2f}"

    note = ""
    if len(rows) < len(table) or len(columns) < table.shape[1]:
        note = (
            f"The largest {len(rows)} of {len(table)} and {len(columns)} of "
            f"{table.shape[1]} clusters; sums are over all."
        )
    return CellsView(
        columns=[printed(Q.clusters[column]) for column in columns],
        rows=[
            (
                printed(P.clusters[k]),
                [
                    Cell(text(x), round(100 * x / sums[k]) if sums[k] > 0.0 else 0)
                    for x in table[k, columns]
                ],
                text(sums[k]),
            )
            for k in rows
        ],
        totals=[text(x) for x in (*table.sum(axis=0)[columns], table.sum())],
        note=note,
    )


def _largest(sizes: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> list[int]:
    """Give the largest clusters, in their own order."""
    first = np.argsort(-sizes, kind="stable")[:MOST_CLUSTERS]
    return sorted(int(k) for k in first)
