"""Cross products of two membership matrices, summed over objects in fixed blocks."""

import math
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from concordant.partition import Partition

_BLOCK = 8192  # objects whose memberships of both sides stay in the cache
_SAMPLE = 1024  # objects whose mean is taken as the centre


@dataclass(frozen=True)
class Products:
    """
    Sums over objects of products of their vectors u_i in P and v_i in Q.

    Parameters
    ----------
    cross : ndarray of shape (K, L)
        U'V, whose entry (k, l) is the sum of u_ik v_il.
    sums_p, sums_q : ndarray of shape (K,) and (L,)
        The sums of u_i and of v_i.
    lifted_p, lifted_q : ndarray of shape (K,) and (L,)
        The sums of |v_i|² u_i and of |u_i|² v_i.
    squares_p, squares_q, squares_both : ndarray of shape ()
        The sums of |u_i|², of |v_i|² and of |u_i|² |v_i|².
    """

    cross: NDArray[np.float64]
    sums_p: NDArray[np.float64]
    sums_q: NDArray[np.float64]
    lifted_p: NDArray[np.float64]
    lifted_q: NDArray[np.float64]
    squares_p: NDArray[np.float64]
    squares_q: NDArray[np.float64]
    squares_both: NDArray[np.float64]

    def exchanged(self) -> "Products":
        """Give the products of Q and P."""
        return Products(
            self.cross.T,
            self.sums_q,
            self.sums_p,
            self.lifted_q,
            self.lifted_p,
            self.squares_q,
            self.squares_p,
            self.squares_both,
        )


def products(P: Partition, Q: Partition, *, directions: bool = False) -> Products:
    """
    Sum the products of memberships that frigui, brouwer and anderson need.

    Parameters
    ----------
    P, Q : Partition
        Two partitions of the same objects.
    directions : bool, default=False
        Whether u_i and v_i are the memberships themselves, or their directions:
        divided by their Euclidean length and, if not crisp, shifted to lie around the
        origin, so that differences between nearly equal directions are not lost.

    Returns
    -------
    Products
        The same bits with P and Q exchanged: blocks are fixed, each block's entries
        are dot products of two rows, and blocks are added exactly.

    Notes
    -----
    O(n K L) time, O(K L) memory beyond the partitions and one row of n numbers.
    """
    if P.kind == "crisp":
        return _grouped_products(P, Q, directions)
    if Q.kind == "crisp":
        return _grouped_products(Q, P, directions).exchanged()
    u, v = P.columns(), Q.columns()
    centre_u, centre_v = _centre(u, directions), _centre(v, directions)
    return _added(
        [
            _block_products(
                _vectors(u[:, start : start + _BLOCK], centre_u),
                _vectors(v[:, start : start + _BLOCK], centre_v),
            )
            for start in range(0, P.n_objects, _BLOCK)
        ]
    )


def sum_of_squares(values: NDArray[np.float64]) -> float:
    """Add up squares in an order-free way."""
    return math.fsum((values * values).ravel())


def difference(x: float, y: float) -> float:
    """
    Subtract two sums, where a difference within their rounding is none.

    Parameters
    ----------
    x, y : float
        Sums of rounded numbers, x not less than y but for their rounding.

    Returns
    -------
    float
        x - y, at least 0.
    """
    return x - y if x - y > 2.0**-48 * max(abs(x), abs(y)) else 0.0


def _centre(rows: NDArray[np.float64], directions: bool) -> NDArray[np.float64] | None:
    """Find the mean direction of some objects, to shift all by; None: no directions."""
    if not directions:
        return None
    step = max(1, rows.shape[1] // _SAMPLE)
    sample = rows[:, ::step]
    return np.asarray((sample / np.sqrt(_squared(sample))).mean(axis=1, keepdims=True))


def _vectors(
    rows: NDArray[np.float64], centre: NDArray[np.float64] | None
) -> NDArray[np.float64]:
    if centre is None:
        return rows
    return rows / np.sqrt(_squared(rows)) - centre


def _block_products(u: NDArray[np.float64], v: NDArray[np.float64]) -> Products:
    squares_u, squares_v = _squared(u), _squared(v)
    return Products(
        # Row by row: a matrix product would not give the same bits transposed.
        np.array([[np.dot(row, other) for other in v] for row in u]),
        u.sum(axis=1),
        v.sum(axis=1),
        np.array([np.dot(row, squares_v) for row in u]),
        np.array([np.dot(row, squares_u) for row in v]),
        squares_u.sum(),
        squares_v.sum(),
        (squares_u * squares_v).sum(),
    )


def _grouped_products(P: Partition, Q: Partition, directions: bool) -> Products:
    """Sum within each cluster of a crisp P, whose vectors are the unit vectors."""
    v = Q.columns()
    v = _vectors(v, None if Q.kind == "crisp" else _centre(v, directions))
    squares_v = _squared(v)
    order = np.argsort(P.labels, kind="stable")
    sizes = np.bincount(P.labels, minlength=P.n_clusters)
    occupied = sizes > 0
    # Segments end with a cluster or a block, so that no sum is long.
    starts = np.cumsum(sizes) - sizes
    cuts = np.union1d(starts[occupied], np.arange(0, P.n_objects, _BLOCK))
    first_cuts = np.flatnonzero(np.diff(P.labels[order[cuts]], prepend=-1.0))

    def by_cluster(row: NDArray[np.float64]) -> NDArray[np.float64]:
        totals = np.zeros(P.n_clusters)
        segments = np.add.reduceat(row[order], cuts)
        totals[occupied] = np.add.reduceat(segments, first_cuts)
        return totals

    sums_q, total = v.sum(axis=1), squares_v.sum()
    return Products(
        cross=np.stack([by_cluster(row) for row in v], axis=1),
        sums_p=sizes.astype(np.float64),
        sums_q=sums_q,
        lifted_p=by_cluster(squares_v),
        lifted_q=sums_q,
        squares_p=np.array(float(P.n_objects)),
        squares_q=total,
        squares_both=total,
    )


def _squared(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give the squared length of each object's vector."""
    return np.asarray((rows * rows).sum(axis=0))


def _added(parts: list[Products]) -> Products:
    """Add products entry by entry with one rounding each."""
    sums = []
    for field in fields(Products):
        entries = np.stack([getattr(part, field.name) for part in parts])
        flat = entries.reshape(len(parts), -1)
        total = np.array([math.fsum(entry) for entry in flat.T])
        sums.append(total.reshape(entries.shape[1:]))
    return Products(*sums)
