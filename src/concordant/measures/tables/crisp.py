"""Pairs of two crisp partitions, counted from their contingency table."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.measures.tables.pair_table import PairTable
from concordant.partition.partition import Partition
from concordant.sums.contingency import Contingency, counts


def crisp(table: Contingency) -> PairTable:
    """Count pairs with Python integers a, b, c, d that sum to n (n - 1) / 2."""
    n, a = int(table.cells.sum()), pairs_within(table.cells)
    # Sums of counts below 2^53, which doubles hold.
    b = pairs_within(np.bincount(table.rows, table.cells).astype(np.int64)) - a
    c = pairs_within(np.bincount(table.columns, table.cells).astype(np.int64)) - a
    return PairTable(a, b, c, n * (n - 1) // 2 - a - b - c)


def crisp_table(P: Partition, Q: Partition) -> PairTable:
    """Return the table of two crisp partitions."""
    return crisp(counts(P, Q))


def pairs_within(sizes: NDArray[Any]) -> int:
    """Count the pairs of objects that share a cell, given the sizes of cells."""
    n = int(sizes.sum())
    if n < 1 << 31:  # squares fit into 64 bits
        return (int(np.vdot(sizes, sizes)) - n) // 2
    return sum(size * (size - 1) // 2 for size in sizes.tolist())
