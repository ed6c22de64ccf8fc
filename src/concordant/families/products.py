"""Cross products of two membership matrices, summed over objects in fixed blocks."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from concordant.partition import Partition

_BLOCK = 8192  # objects whose memberships of both sides stay in the cache


@dataclass(frozen=True)
class Products:
    """
    Sums over objects of products of memberships.

    Parameters
    ----------
    n_objects : int
        n.
    cross : ndarray of shape (K, L)
        U'V, whose entry (k, l) is the sum of u_ik v_il.
    sums_p, sums_q : ndarray of shape (K,) and (L,)
        The sums of u_i and of v_i.
    squares_p, squares_q : float
        The sums of |u_i|² and of |v_i|².
    squares_both : float
        The sum of |u_i|² |v_i|².
    """

    n_objects: int
    cross: NDArray[np.float64]
    sums_p: NDArray[np.float64]
    sums_q: NDArray[np.float64]
    squares_p: float
    squares_q: float
    squares_both: float


def products(P: Partition, Q: Partition, *, unit_length: bool = False) -> Products:
    """
    Sum the products of memberships that frigui, brouwer and anderson need.

    Parameters
    ----------
    P, Q : Partition
        Two partitions of the same objects.
    unit_length : bool, default=False
        Whether each object's memberships are first divided by their Euclidean length.

    Returns
    -------
    Products
        The same bits with P and Q exchanged: blocks are fixed, each block's entries
        are dot products of two rows, and blocks are added exactly.

    Notes
    -----
    O(n K L) time, O(K L) memory beyond the partitions.
    """
    if P.kind == "crisp":
        return _grouped_products(P, Q, unit_length)
    if Q.kind == "crisp":
        return _exchanged(_grouped_products(Q, P, unit_length))
    u, v = P.columns(), Q.columns()
    blocks = [
        _block_products(
            u[:, start : start + _BLOCK], v[:, start : start + _BLOCK], unit_length
        )
        for start in range(0, P.n_objects, _BLOCK)
    ]
    return Products(
        P.n_objects,
        _exact_sum([block.cross for block in blocks]),
        _exact_sum([block.sums_p for block in blocks]),
        _exact_sum([block.sums_q for block in blocks]),
        math.fsum(block.squares_p for block in blocks),
        math.fsum(block.squares_q for block in blocks),
        math.fsum(block.squares_both for block in blocks),
    )


def sum_of_squares(values: NDArray[np.float64]) -> float:
    """Add up squares in an order-free way."""
    return math.fsum((values * values).ravel())


def _grouped_products(P: Partition, Q: Partition, unit_length: bool) -> Products:
    """Sum the memberships of Q within each cluster of a crisp P."""
    v = Q.columns()
    lengths = _squared_lengths(v)
    if unit_length:
        v, lengths = v / np.sqrt(lengths), np.ones_like(lengths)
    order = np.argsort(P.labels, kind="stable")
    sizes = np.bincount(P.labels, minlength=P.n_clusters)
    # Segments end with a cluster or a block, so that no sum is long.
    starts = np.cumsum(sizes) - sizes
    cuts = np.union1d(starts[sizes > 0], np.arange(0, P.n_objects, _BLOCK))
    cluster_of_cut = P.labels[order[cuts]]
    first_cuts = np.flatnonzero(np.diff(cluster_of_cut, prepend=-1.0))
    cross = np.zeros((P.n_clusters, Q.n_clusters))
    for cluster, row in enumerate(v):
        segments = np.add.reduceat(row[order], cuts)
        cross[sizes > 0, cluster] = np.add.reduceat(segments, first_cuts)
    total = float(lengths.sum())
    return Products(
        P.n_objects,
        cross,
        sizes.astype(np.float64),
        v.sum(axis=1),
        float(P.n_objects),
        total,
        total,
    )


def _exchanged(sums: Products) -> Products:
    return Products(
        sums.n_objects,
        sums.cross.T,
        sums.sums_q,
        sums.sums_p,
        sums.squares_q,
        sums.squares_p,
        sums.squares_both,
    )


def _block_products(
    u: NDArray[np.float64], v: NDArray[np.float64], unit_length: bool
) -> Products:
    squares_u, squares_v = _squared_lengths(u), _squared_lengths(v)
    if unit_length:
        u, v = u / np.sqrt(squares_u), v / np.sqrt(squares_v)
        squares_u, squares_v = np.ones_like(squares_u), np.ones_like(squares_v)
    return Products(
        u.shape[1],
        # Row by row: a matrix product would not give the same bits transposed.
        np.array([[np.dot(row, other) for other in v] for row in u]),
        u.sum(axis=1),
        v.sum(axis=1),
        float(squares_u.sum()),
        float(squares_v.sum()),
        float((squares_u * squares_v).sum()),
    )


def _squared_lengths(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray((rows * rows).sum(axis=0))


def _exact_sum(parts: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Add arrays entry by entry with one rounding each."""
    if len(parts) == 1:
        return parts[0]
    stacked = np.stack(parts).reshape(len(parts), -1)
    return np.array([math.fsum(entry) for entry in stacked.T]).reshape(parts[0].shape)
