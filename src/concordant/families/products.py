"""Cross products of two membership matrices, summed over objects in fixed blocks."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.engine import Engine
from concordant.memberships import rows_at_once
from concordant.memory import excess
from concordant.partition import Partition

Matrix = NDArray[np.float64]

_BLOCK = 8192  # objects whose memberships of both sides stay in the cache
_BLOCKS_PER_TASK = 64
_BYTES = 64  # that a sum takes while it is added up
_PADDING = 8
_MOST_ENTRIES = 1 << 22  # of sums of blocks that wait to be added
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

    cross: Matrix
    sums_p: Matrix
    sums_q: Matrix
    lifted_p: Matrix
    lifted_q: Matrix
    squares_p: Matrix
    squares_q: Matrix
    squares_both: Matrix

    @classmethod
    def of_lifted(cls, sums: Matrix) -> "Products":
        """Take apart the sums of products of (u, |u|², 1) with (v, |v|², 1)."""
        return cls(
            cross=sums[:-2, :-2],
            sums_p=sums[:-2, -1],
            sums_q=sums[-1, :-2],
            lifted_p=sums[:-2, -2],
            lifted_q=sums[-2, :-2],
            squares_p=sums[-2, -1],
            squares_q=sums[-1, -2],
            squares_both=sums[-2, -2],
        )


def products(
    P: Partition,
    Q: Partition,
    engine: Engine,
    *,
    directions: bool = False,
    around_equal: bool = False,
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

    Returns
    -------
    Products
        The same bits with P and Q exchanged and for any number of threads: the order
        of the two depends on their content, blocks are fixed and added exactly.

    Notes
    -----
    O(n K L) time, less if one is crisp; O(K L) memory beyond the partitions.
    """
    _check_fits(P.n_clusters, Q.n_clusters)
    centre = _equal_direction if around_equal else _centre
    centre_p, centre_q = (centre(P), centre(Q)) if directions else (None, None)
    crisp = "crisp" in (P.kind, Q.kind)
    if Q.kind == "crisp" if crisp else _comes_later(P, Q):
        return Products.of_lifted(_in_blocks(Q, P, centre_q, centre_p, engine).T)
    return Products.of_lifted(_in_blocks(P, Q, centre_p, centre_q, engine))


def _check_fits(K: int, L: int) -> None:
    """Refuse sums that no memory holds, before they are allocated."""
    too_much = excess(_BYTES * (K + 2) * (L + 2))
    if too_much:
        raise MemoryError(
            f"the products of {K} clusters of P with {L} of Q {too_much}; the families "
            "frigui, brouwer and anderson need them, the other indices do not"
        )


def _in_blocks(
    P: Partition,
    Q: Partition,
    centre_p: Matrix | None,
    centre_q: Matrix | None,
    engine: Engine,
) -> Matrix:
    n = P.n_objects
    blocks = (
        (start, min(start + _BLOCKS_PER_TASK * _BLOCK, n))
        for start in range(0, n, _BLOCKS_PER_TASK * _BLOCK)
    )
    return _added(list(engine.run(_sum_blocks, (P, Q, centre_p, centre_q), blocks)))


def _sum_blocks(
    P: Partition,
    Q: Partition,
    centre_p: Matrix | None,
    centre_q: Matrix | None,
    start: int,
    stop: int,
) -> Matrix:
    parts: list[Matrix] = []
    crisp = P.kind == "crisp"
    step = _BLOCK if crisp else rows_at_once(_BLOCK, P.n_clusters + Q.n_clusters)
    for first in range(start, stop, step):
        last = min(first + step, stop)
        q = Q.rows(first, last)
        if crisp:
            labels = P.labels[first:last]
            parts.append(_sums_by_cluster(labels, P.n_clusters, _lifted(q, centre_q)))
        else:
            parts.extend(_sums_of_blocks(P.rows(first, last), q, centre_p, centre_q))
        if len(parts) * parts[0].size > _MOST_ENTRIES:
            parts = [_added(parts)]
    return _added(parts)


def _sums_of_blocks(
    p: Matrix, q: Matrix, centre_p: Matrix | None, centre_q: Matrix | None
) -> list[Matrix]:
    """Sum the products of (u, |u|², 1) with (v, |v|², 1) in each block."""
    n_blocks = len(p) // _BLOCK
    sums = np.empty((n_blocks, p.shape[1] + 2, q.shape[1] + 2))
    whole = n_blocks * _BLOCK
    if whole > 0:
        from concordant.kernels import lifted_products

        centres = _or_none(centre_p), _or_none(centre_q)
        lifted_products(p[:whole], q[:whole], *centres, sums)
    if whole == len(p):
        return list(sums)
    rest = _lifted(p[whole:], centre_p) @ _lifted(q[whole:], centre_q).T
    return [*sums, np.asarray(rest)]


def _sums_by_cluster(
    labels: NDArray[np.unsignedinteger[Any]], n_clusters: int, lifted: Matrix
) -> Matrix:
    """Sum the same where u is a unit vector."""
    sums = np.empty((n_clusters + 2, len(lifted)))
    for column, row in zip(sums.T, lifted, strict=True):
        column[:-2] = np.bincount(labels, weights=row, minlength=n_clusters)
    sums[-2:] = lifted.sum(axis=1)
    return sums


def _lifted(rows: Matrix, centre: Matrix | None) -> Matrix:
    """Give the vectors of objects as columns, with |v|² and 1 below."""
    if not _is_large(rows):
        vectors = _vectors(rows, centre).T
        return np.vstack((vectors, (vectors * vectors).sum(axis=0), np.ones(len(rows))))
    from concordant.kernels import lift

    # Rows at a distance of a power of two push each other out of the cache.
    lifted = np.empty((rows.shape[1] + 2, len(rows) + _PADDING))
    lift(rows, _or_none(centre), lifted)
    return lifted[:, : len(rows)]


def _is_large(rows: Matrix) -> bool:
    """Tell whether a block is worth a kernel."""
    return len(rows) >= _BLOCK


def _or_none(centre: Matrix | None) -> Matrix:
    """Say "no centre" as kernels understand it."""
    return np.empty(0) if centre is None else centre


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


def sum_of_squares(values: Matrix) -> float:
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


def _centre(partition: Partition) -> Matrix | None:
    """Find the mean direction of some objects, to shift all by; crisp: none."""
    if partition.kind == "crisp":
        return None
    step = max(1, partition.n_objects // _SAMPLE)
    sample = np.concatenate(
        [partition.rows(i, i + 1) for i in range(0, partition.n_objects, step)]
    )
    origin = np.zeros(partition.n_clusters)
    return np.asarray(_vectors(sample, origin).mean(axis=0))


def _equal_direction(partition: Partition) -> Matrix | None:
    """Give the direction of an object that belongs to all clusters alike."""
    if partition.kind == "crisp":
        return None
    return np.full(partition.n_clusters, partition.n_clusters**-0.5)


def _vectors(rows: Matrix, centre: Matrix | None) -> Matrix:
    """Divide each object's vector by its length, and shift it, if there is a centre."""
    if centre is None:
        return rows
    return np.asarray(rows / np.sqrt((rows * rows).sum(axis=1, keepdims=True)) - centre)


def _added(parts: list[Matrix]) -> Matrix:
    """Add matrices entry by entry with one rounding each."""
    flat = np.stack(parts).reshape(len(parts), -1)
    total = np.array([math.fsum(entry) for entry in flat.T])
    return total.reshape(parts[0].shape)
