"""The contingency table of two partitions, soft or counted."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Counts, Positions
from concordant.execution.engine import Engine, Threads
from concordant.partition.partition import Partition
from concordant.sums.object_sums import Arrays, Numbers
from concordant.sums.products import MembershipSums, Products


@dataclass(frozen=True)
class Contingency:
    """
    The cells of U'V that are not empty, with their clusters in P and Q.

    They are counts of two crisp partitions, integers, or else sums of products. `shape`
    is the number of clusters of P and of Q, `rounding` the relative error of a cell.
    `n_used` is how many clusters of each have members, even if all their products are
    too small for a double; 0 if they are not products.
    """

    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    cells: NDArray[Any]
    shape: tuple[int, int]
    rounding: float = 0.0
    n_used: tuple[int, int] = (0, 0)

    def dense(self) -> NDArray[np.float64]:
        """Return all cells, an array of shape (K, L)."""
        table = np.zeros(self.shape)
        table[self.rows, self.columns] = self.cells
        return table


def counts(P: Partition, Q: Partition, engine: Engine | None = None) -> Contingency:
    """Count the objects of two crisp partitions in each pair of clusters, in O(n)."""
    K, L = P.n_clusters, Q.n_clusters
    numbers = P.labels.astype(np.int64)
    numbers *= L  # below n^2, which int64 holds up to 3e9 objects
    numbers += Q.labels
    found, sizes = sizes_of(numbers, K * L)
    rows, columns = np.divmod(found, L)
    return Contingency(rows, columns, sizes, (K, L))


def sizes_of(numbers: Counts, n_cells: int) -> tuple[Positions, Counts]:
    """Return the cells that objects are in, ascending, and how many each holds."""
    if max(numbers.size, 1 << 16) < n_cells:
        return np.unique(numbers, return_counts=True)
    table = np.bincount(numbers, minlength=n_cells)
    cells = np.flatnonzero(table)
    return cells, table[cells]


class CountSums:
    """The counts of chunks of objects, of which the empty cells are left out."""

    of = staticmethod(counts)

    def __init__(self, K: int, L: int) -> None:
        self._shape = (K, L)
        self._table = np.empty((3, 0), dtype=np.int64)  # cluster, cluster, count

    def add(self, P: Partition, Q: Partition) -> None:
        """Count the objects of a chunk."""
        chunk = counts(P, Q)
        self._append(np.stack((chunk.rows, chunk.columns, chunk.cells)))

    def merge(self, other: "CountSums") -> None:
        """Add the counts of another one."""
        self._append(other._table)

    def renumbered(self, p: Numbers, q: Numbers, K: int, L: int) -> "CountSums":
        """Return the same among K and L clusters."""
        found = CountSums(K, L)
        found._table = self._table.copy()
        for row, numbers in zip(found._table, (p, q), strict=False):
            if numbers is not None:
                row[:] = numbers[row]
        return found

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the table."""
        return {"table": self._table}

    def restore(self, arrays: Arrays) -> None:
        """Take a table."""
        self._table = arrays["table"]

    def value(self) -> Contingency:
        """Return the contingency table."""
        rows, columns, cells = self._table
        return Contingency(rows, columns, cells, self._shape)

    def _append(self, table: NDArray[np.int64]) -> None:
        both = np.concatenate((self._table, table), axis=1)
        both = both[:, np.lexsort((both[1], both[0]))]
        changes = (np.diff(both[:2], prepend=-1) != 0).any(axis=0)
        starts = np.flatnonzero(changes)
        self._table = both[:, starts]
        if starts.size:
            self._table[2] = np.add.reduceat(both[2], starts)


def contingency(sums: Contingency | Products) -> Contingency:
    """Read the table from the counts of crisp partitions, or else from products."""
    if isinstance(sums, Contingency):
        return sums
    cross, (K, L) = sums.cross, sums.cross.shape
    rows, columns = np.nonzero(cross)
    n_used = int(np.count_nonzero(sums.sums_p)), int(np.count_nonzero(sums.sums_q))
    cells = cross[rows, columns]
    return Contingency(rows, columns, cells, (K, L), sums.rounding, n_used)


def soft_cross_table(P: Partition, Q: Partition) -> NDArray[np.float64]:
    """Return U'V, an array of shape (K, L): counts if both partitions are crisp."""
    if P.kind == Q.kind == "crisp":
        return counts(P, Q).dense()
    products: Products = MembershipSums.of(P, Q, Threads(1))
    return products.cross
