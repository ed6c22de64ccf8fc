"""Pairs of two crisp partitions, counted from their contingency table."""

from collections.abc import Iterator, Sequence
from itertools import chain, groupby
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.measures.tables.pair_table import PairTable
from concordant.partition.partition import Partition
from concordant.sums.contingency import Contingency, counts, sizes_of


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


def crisp_tables(
    partitions: Sequence[Partition], pairs: Sequence[tuple[int, int]]
) -> Iterator[PairTable]:
    """Yield the tables of some pairs of partitions, of one with many others at once."""
    chosen = {*chain.from_iterable(pairs)}
    own = {i: pairs_within(np.bincount(partitions[i].labels)) for i in chosen}
    for i, each in groupby(pairs, itemgetter(0)):
        others = [j for _, j in each]
        n = partitions[i].n_objects
        with_others = _pairs_within_both(partitions[i], [partitions[j] for j in others])
        for j, a in zip(others, with_others, strict=True):
            b, c = own[i] - a, own[j] - a
            yield PairTable(a, b, c, n * (n - 1) // 2 - a - b - c)


def _pairs_within_both(P: Partition, others: Sequence[Partition]) -> list[int]:
    """Count the pairs that P and each of the others join: below 2^63 in all."""
    L = max(Q.n_clusters for Q in others)
    starts = P.n_clusters * L * np.arange(len(others))
    numbers = P.labels.astype(np.int64) * L + np.stack([Q.labels for Q in others])
    numbers += starts[:, np.newaxis]
    cells, sizes = sizes_of(numbers.ravel(), P.n_clusters * L * len(others))
    sizes *= sizes - 1
    found: list[int] = np.add.reduceat(sizes, np.searchsorted(cells, starts)).tolist()
    return [twice // 2 for twice in found]


def pairs_within(sizes: NDArray[Any]) -> int:
    """Count the pairs of objects that share a cell, given the sizes of cells."""
    n = int(sizes.sum())
    if n < 1 << 31:  # squares fit into 64 bits
        return (int(np.vdot(sizes, sizes)) - n) // 2
    return sum(size * (size - 1) // 2 for size in sizes.tolist())
