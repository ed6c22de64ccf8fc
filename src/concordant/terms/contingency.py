"""The soft contingency table of two partitions: how much two clusters share."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from concordant.execution.run import Run
from concordant.partition.partition import Partition
from concordant.terms.products import Products, shared_products


@dataclass(frozen=True)
class Contingency:
    """
    The cells of U'V that are not empty, with what the clusters hold in all.

    `rows` and `columns` tell the clusters of each of the `cells`; `sums_p` and `sums_q`
    are the sums of memberships of all clusters. Counts of crisp partitions are exact.
    """

    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    cells: NDArray[np.float64]
    sums_p: NDArray[np.float64]
    sums_q: NDArray[np.float64]
    is_exact: bool

    @classmethod
    def of_counts(cls, table: NDArray[np.int64], K: int, L: int) -> "Contingency":
        """Take clusters and counts as the rows of a table."""
        rows, columns, counts = table
        cells = counts.astype(np.float64)
        return cls(
            rows,
            columns,
            cells,
            np.bincount(rows, cells, minlength=K).astype(np.float64),
            np.bincount(columns, cells, minlength=L).astype(np.float64),
            is_exact=True,
        )

    @classmethod
    def of_products(cls, sums: Products) -> "Contingency":
        """Take sums of products."""
        rows, columns = np.nonzero(sums.cross)
        return cls(
            rows,
            columns,
            sums.cross[rows, columns],
            sums.sums_p,
            sums.sums_q,
            is_exact=False,
        )


def soft_contingency(P: Partition, Q: Partition, run: Run) -> Contingency:
    """Give the contingency table of two aligned partitions, in O(n K L) at most."""
    if P.kind == Q.kind == "crisp":
        numbers = P.labels.astype(np.int64) * Q.n_clusters + Q.labels
        found, counts = np.unique(numbers, return_counts=True)
        table = np.stack((*divmod(found, Q.n_clusters), counts))
        return Contingency.of_counts(table, P.n_clusters, Q.n_clusters)
    return Contingency.of_products(shared_products(P, Q, run))
