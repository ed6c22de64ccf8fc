"""Two crisp partitions as they come: the objects in each pair of clusters."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.agreement.crisp_crisp import crisp_crisp_from
from concordant.agreement.result import Concordance
from concordant.families.crisp import crisp_table_from
from concordant.families.pair_table import PairTable
from concordant.partition.partition import Partition
from concordant.streams.summary import Arrays, Numbers
from concordant.terms.contingency import Contingency


class CrispCounts:
    """
    A contingency table of which only the cells that are not empty are kept.

    Parameters
    ----------
    K, L : int
        How many clusters there are.
    """

    def __init__(self, K: int, L: int) -> None:
        self._shape = (K, L)
        self._table = np.empty((3, 0), dtype=np.int64)  # cluster, cluster, count

    def add(self, P: Partition, Q: Partition) -> None:
        """Count the objects of a chunk."""
        numbers = P.labels.astype(np.int64) * self._shape[1] + Q.labels
        cells, counts = np.unique(numbers, return_counts=True)
        self._append(np.stack((*divmod(cells, self._shape[1]), counts)))

    def renumber(self, p: Numbers, q: Numbers, K: int, L: int) -> None:
        """Make room for K and L clusters."""
        self._shape = (K, L)
        table = self._table.copy()
        for row, numbers in enumerate((p, q)):
            if numbers is not None:
                table[row] = numbers[table[row]]
        self._table = table

    def merge(self, other: "CrispCounts") -> None:
        """Add the counts of another one."""
        self._append(other._table)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Give the table."""
        return {"table": self._table}

    def restore(self, arrays: Arrays) -> None:
        """Take a table."""
        table = arrays["table"]
        sizes = np.array(self._shape)[:, np.newaxis]
        if table.ndim != 2 or len(table) != 3 or table.dtype != np.int64:
            raise ValueError("a contingency table of another shape")
        if not ((table[:2] >= 0) & (table[:2] < sizes)).all() or (table[2] < 1).any():
            raise ValueError("counts of clusters that do not exist")
        self._table = np.empty((3, 0), dtype=np.int64)
        self._append(table)

    @property
    def n_objects(self) -> int:
        """How many objects were counted."""
        return int(self._table[2].sum())

    def table(self) -> PairTable:
        """Give the crisp table."""
        rows, columns, counts = self._table
        return crisp_table_from(
            counts, _totals(rows, counts), _totals(columns, counts), self.n_objects
        )

    def contingency(self) -> Contingency:
        """Give the contingency table."""
        return Contingency.of_counts(self._table, *self._shape)

    def concordance(self) -> Concordance:
        """Give the concordance of two objects or more."""
        return crisp_crisp_from(self.table(), self.n_objects)

    def _append(self, table: NDArray[np.int64]) -> None:
        both = np.concatenate((self._table, table), axis=1)
        both = both[:, np.lexsort((both[1], both[0]))]
        changes = (np.diff(both[:2], prepend=-1) != 0).any(axis=0)
        starts = np.flatnonzero(changes)
        self._table = both[:, starts]
        if starts.size:
            self._table[2] = np.add.reduceat(both[2], starts)


def _totals(clusters: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[Any]:
    totals = np.zeros(int(clusters.max()) + 1, dtype=np.int64)
    np.add.at(totals, clusters, counts)
    return totals
