"""Pairs of two crisp partitions, counted from their contingency table."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.execution.run import Run
from concordant.families.pair_table import PairTable
from concordant.partition.partition import Partition

_BLOCK = 1 << 20  # objects whose cell numbers are held at a time


def crisp_table(P: Partition, Q: Partition) -> PairTable:
    """
    Count pairs from the contingency table, with Python integers.

    Parameters
    ----------
    P, Q : Partition
        Two crisp partitions of the same objects.

    Returns
    -------
    PairTable
        Integers a, b, c, d that sum to n (n - 1) / 2.

    Notes
    -----
    O(n) while K L cells fit beside the labels, O(n log n) beyond.
    """
    return crisp_table_from(
        contingency_counts(P, Q),
        np.bincount(P.labels),
        np.bincount(Q.labels),
        P.n_objects,
    )


def crisp_table_from(
    cells: NDArray[Any], sizes_p: NDArray[Any], sizes_q: NDArray[Any], n_objects: int
) -> PairTable:
    """
    Count pairs from the sizes of cells and clusters.

    Parameters
    ----------
    cells : ndarray of int
        How many objects each pair of clusters has.
    sizes_p, sizes_q : ndarray of int
        How many objects each cluster has.
    n_objects : int
        n.

    Returns
    -------
    PairTable
        Integers a, b, c, d that sum to n (n - 1) / 2.
    """
    a = pairs_within(cells)
    b, c = pairs_within(sizes_p) - a, pairs_within(sizes_q) - a
    return PairTable(a, b, c, n_objects * (n_objects - 1) // 2 - a - b - c)


def contingency_counts(P: Partition, Q: Partition) -> NDArray[np.int64]:
    """
    Count the objects in each pair of clusters.

    Parameters
    ----------
    P, Q : Partition
        Two crisp partitions of the same objects.

    Returns
    -------
    ndarray of int
        The counts in no particular order, zeros possibly left out.
    """
    if _table_fits(P, Q):
        cells = P.n_clusters * Q.n_clusters
        counts = np.zeros(cells, dtype=np.int64)
        for start in range(0, P.n_objects, _BLOCK):
            stop = start + _BLOCK
            counts += np.bincount(_cell_numbers(P, Q, start, stop), minlength=cells)
        return counts
    cell_numbers = _cell_numbers(P, Q, 0, P.n_objects)
    return np.asarray(np.unique(cell_numbers, return_counts=True)[1])


def _table_fits(P: Partition, Q: Partition) -> bool:
    return P.n_clusters * Q.n_clusters <= max(P.n_objects, 1 << 16)


def _cell_numbers(
    P: Partition, Q: Partition, start: int, stop: int
) -> NDArray[np.int64]:
    numbers = P.labels[start:stop].astype(np.int64)
    numbers *= Q.n_clusters  # below n^2, which int64 holds up to 3e9 objects
    numbers += Q.labels[start:stop]
    return numbers


def pairs_within(sizes: NDArray[Any]) -> int:
    """
    Count the pairs of objects that share a cell.

    Parameters
    ----------
    sizes : ndarray of int
        How many objects each cell has.

    Returns
    -------
    int
        A Python integer, which does not overflow.
    """
    distinct, repeats = np.unique(sizes, return_counts=True)
    return sum(
        repeat * (size * (size - 1) // 2)
        for size, repeat in zip(distinct.tolist(), repeats.tolist(), strict=True)
    )


def crisp_family(P: Partition, Q: Partition, t_norm: None, run: Run) -> PairTable:
    """Give the table as every family does; there is no t-norm."""
    return crisp_table(P, Q)
