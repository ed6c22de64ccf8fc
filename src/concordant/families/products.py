"""Cross products of two membership matrices, summed over objects in fixed blocks."""

import math
from dataclasses import dataclass, fields
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from concordant.engine import Engine
from concordant.partition import Partition

_BLOCK = 8192  # objects whose memberships of both sides stay in the cache
_BLOCKS_PER_TASK = 64
_SAMPLE = 1024  # objects whose mean is taken as the centre


class Wanted(IntEnum):
    """Which products are summed: each includes those before."""

    CROSS = 0
    SQUARES = 1  # and the sums of vectors
    LIFTED = 2


@dataclass(frozen=True)
class Products:
    """
    Sums over objects of products of their vectors u_i in P and v_i in Q.

    Those that were not wanted may be 0.

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


def products(
    P: Partition,
    Q: Partition,
    engine: Engine,
    *,
    directions: bool = False,
    around_equal: bool = False,
    wanted: Wanted = Wanted.LIFTED,
) -> Products:
    """
    Sum the products of memberships that frigui, brouwer and anderson need.

    Parameters
    ----------
    P, Q : Partition
        Two partitions of the same objects.
    engine : Engine
        Where blocks of objects are summed.
    directions : bool, default=False
        Whether u_i and v_i are the memberships themselves, or their directions:
        divided by their Euclidean length and, if not crisp, shifted to lie around the
        origin, so that differences between nearly equal directions are not lost.
    around_equal : bool, default=False
        Whether directions are shifted by that of equal memberships, whatever the data
        are, so that sums over parts of the objects add up.
    wanted : Wanted, default=Wanted.LIFTED
        Which products are summed.

    Returns
    -------
    Products
        The same bits with P and Q exchanged and for any number of threads: the order
        of the two depends on their content, blocks are fixed and added exactly.

    Notes
    -----
    O(n K L) time, O(K L) memory beyond the partitions and one row of n numbers.
    """
    centre = _equal_direction if around_equal else _centre
    centre_p, centre_q = (centre(P), centre(Q)) if directions else (None, None)
    if P.kind == "crisp":
        return _grouped_products(P, Q, centre_q)
    if Q.kind == "crisp":
        return _grouped_products(Q, P, centre_p).exchanged()
    if _comes_later(P, Q):
        return _in_blocks(Q, P, centre_q, centre_p, wanted, engine).exchanged()
    return _in_blocks(P, Q, centre_p, centre_q, wanted, engine)


def _in_blocks(
    P: Partition,
    Q: Partition,
    centre_p: NDArray[np.float64] | None,
    centre_q: NDArray[np.float64] | None,
    wanted: Wanted,
    engine: Engine,
) -> Products:
    n = P.n_objects
    blocks = (
        (start, min(start + _BLOCKS_PER_TASK * _BLOCK, n))
        for start in range(0, n, _BLOCKS_PER_TASK * _BLOCK)
    )
    arrays = (P, Q, centre_p, centre_q, wanted)
    return _added(list(engine.run(_sum_blocks, arrays, blocks)))


def _sum_blocks(
    P: Partition,
    Q: Partition,
    centre_p: NDArray[np.float64] | None,
    centre_q: NDArray[np.float64] | None,
    wanted: Wanted,
    start: int,
    stop: int,
) -> Products:
    # Memory that is had anew for each block costs as much time as the products.
    spare_p = None if centre_p is None else np.empty((_BLOCK, P.n_clusters))
    spare_q = None if centre_q is None else np.empty((_BLOCK, Q.n_clusters))
    parts = []
    for first in range(start, stop, _BLOCK):
        last = min(first + _BLOCK, stop)
        u = _vectors(P.rows(first, last), centre_p, spare_p)
        v = _vectors(Q.rows(first, last), centre_q, spare_q)
        parts.append(_block_products(u, v, wanted))
    return _added(parts)


def _comes_later(P: Partition, Q: Partition) -> bool:
    """Order two partitions: a product of matrices may not have the same bits turned."""
    if P.n_clusters != Q.n_clusters:
        return P.n_clusters > Q.n_clusters
    for start in range(0, P.n_objects, _BLOCK):
        p, q = P.rows(start, start + _BLOCK), Q.rows(start, start + _BLOCK)
        differ = np.flatnonzero(p.ravel() != q.ravel())
        if differ.size:
            return bool(p.ravel()[differ[0]] > q.ravel()[differ[0]])
    return False


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


def _centre(partition: Partition) -> NDArray[np.float64] | None:
    """Find the mean direction of some objects, to shift all by; crisp: none."""
    if partition.kind == "crisp":
        return None
    step = max(1, partition.n_objects // _SAMPLE)
    sample = np.concatenate(
        [partition.rows(i, i + 1) for i in range(0, partition.n_objects, step)]
    )
    origin = np.zeros(partition.n_clusters)
    return np.asarray(_directions(sample, origin).mean(axis=0))


def _equal_direction(partition: Partition) -> NDArray[np.float64] | None:
    """Give the direction of an object that belongs to all clusters alike."""
    if partition.kind == "crisp":
        return None
    return np.full(partition.n_clusters, partition.n_clusters**-0.5)


def _vectors(
    rows: NDArray[np.float64],
    centre: NDArray[np.float64] | None,
    spare: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    return rows if centre is None else _directions(rows, centre, spare)


def _block_products(
    u: NDArray[np.float64], v: NDArray[np.float64], wanted: Wanted
) -> Products:
    zero, zeros_u, zeros_v = np.zeros(()), np.zeros(u.shape[1]), np.zeros(v.shape[1])
    cross = u.T @ v
    if wanted == Wanted.CROSS:
        return Products(cross, zeros_u, zeros_v, zeros_u, zeros_v, zero, zero, zero)
    sums_u, squares_u = _sums_and_squares(u)
    sums_v, squares_v = _sums_and_squares(v)
    lifted = wanted == Wanted.LIFTED
    return Products(
        cross,
        sums_u,
        sums_v,
        squares_v @ u if lifted else zeros_u,
        squares_u @ v if lifted else zeros_v,
        squares_u.sum(),
        squares_v.sum(),
        squares_u @ squares_v,
    )


def _grouped_products(
    P: Partition, Q: Partition, centre: NDArray[np.float64] | None
) -> Products:
    """Sum within each cluster of a crisp P, whose vectors are the unit vectors."""
    rows = Q.rows(0, Q.n_objects)
    rows = _vectors(rows, centre)
    v, squares_v = rows.T, _sums_and_squares(rows)[1]
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


def _sums_and_squares(
    rows: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Give the sum of all vectors, and the squared length of each."""
    if not _is_large(rows):
        return rows.sum(axis=0), (rows * rows).sum(axis=1)
    from concordant.kernels import sums_of_rows

    sums, squares = np.zeros(rows.shape[1]), np.empty(len(rows))
    sums_of_rows(rows, sums, squares)
    return sums, squares


def _directions(
    rows: NDArray[np.float64],
    centre: NDArray[np.float64],
    spare: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Divide each object's vector by its length, and shift it, in spare memory."""
    if not _is_large(rows):
        return np.asarray(
            rows / np.sqrt((rows * rows).sum(axis=1))[:, np.newaxis] - centre
        )
    from concordant.kernels import shifted_directions

    directions = np.empty_like(rows) if spare is None else spare
    shifted_directions(rows, centre, directions)
    return directions


def _is_large(rows: NDArray[np.float64]) -> bool:
    """Tell whether a block is worth a kernel."""
    return len(rows) >= _BLOCK


def _added(parts: list[Products]) -> Products:
    """Add products entry by entry with one rounding each."""
    sums = []
    for field in fields(Products):
        entries = np.stack([getattr(part, field.name) for part in parts])
        flat = entries.reshape(len(parts), -1)
        total = np.array([math.fsum(entry) for entry in flat.T])
        sums.append(total.reshape(entries.shape[1:]))
    return Products(*sums)
