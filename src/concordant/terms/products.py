"""Cross products of two membership matrices, summed over objects in fixed blocks."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.errors import Data, InputMemoryError
from concordant.execution.engine import Engine
from concordant.execution.run import Run
from concordant.partition.memberships import rows_at_once
from concordant.partition.partition import Partition
from concordant.storage.memory import excess

Matrix = NDArray[np.float64]

_BLOCK = 8192  # objects whose memberships of both sides stay in the cache
_BLOCKS_PER_TASK = 64
_BYTES = 64  # that a sum takes while it is added up
_SMALL = 1 << 20  # bytes that are always there
_MOST_ENTRIES = 1 << 22  # of sums of blocks that wait to be added
_SAMPLE = 1024  # objects of which the one nearest to their mean is the centre
_MOST_IN_NUMPY = 1 << 22  # products, beyond which compiled code is worth its import


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
    outside : ndarray of shape ()
        0 if no membership is negative and, unless directions are taken, no vector is
        longer than 1: then inner products and cosines lie in [0, 1].
    """

    cross: Matrix
    sums_p: Matrix
    sums_q: Matrix
    lifted_p: Matrix
    lifted_q: Matrix
    squares_p: Matrix
    squares_q: Matrix
    squares_both: Matrix
    outside: Matrix

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
            outside=sums[-1, -1],
        )

    def cardinality(self, sum_over_pairs: float) -> float:
        """Leave a sum as it is, but for rounding that makes it negative."""
        return max(sum_over_pairs, 0.0) if self.outside == 0 else sum_over_pairs


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
        origin, without loss of accuracy where they are nearly equal.
    around_equal : bool, default=False
        Whether directions are shifted by that of equal memberships, whatever the data
        are, so that sums over parts of the objects add up.

    Returns
    -------
    Products
        The same bits with P and Q exchanged, for any number of threads and on every
        CPU: the order of the two depends on their content, blocks are fixed and summed
        in a fixed order, and added exactly.

    Notes
    -----
    O(n K L) time, less if one is crisp; O(K L) memory beyond the partitions.
    """
    _check_fits(P.n_clusters, Q.n_clusters)
    centre = _equal_memberships if around_equal else _centre
    centre_p, centre_q = (centre(P), centre(Q)) if directions else (None, None)
    crisp = "crisp" in (P.kind, Q.kind)
    if Q.kind == "crisp" if crisp else _comes_later(P, Q):
        return Products.of_lifted(_in_blocks(Q, P, centre_q, centre_p, engine).T)
    return Products.of_lifted(_in_blocks(P, Q, centre_p, centre_q, engine))


def shared_products(P: Partition, Q: Partition, run: Run) -> Products:
    """Give the products of memberships, summed once for all terms that need them."""
    if "products" not in run.shared:
        run.shared["products"] = products(P, Q, run.engine)
    found: Products = run.shared["products"]
    return found


def _check_fits(K: int, L: int) -> None:
    """Refuse sums that no memory holds, before they are allocated."""
    n_bytes = _BYTES * (K + 2) * (L + 2)
    too_much = excess(n_bytes) if n_bytes > _SMALL else ""
    if too_much:
        raise InputMemoryError(
            f"the products of {K} clusters of ",
            Data("P"),
            f" with {L} of ",
            Data("Q"),
            f" {too_much}; the families frigui, brouwer and anderson need them, the "
            "other indices do not",
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
        q = _rows(Q, first, last, centre_q)
        if crisp:
            labels = P.labels[first:last]
            parts.append(_sums_by_cluster(labels, P.n_clusters, *_lifted(q, centre_q)))
        else:
            p = _rows(P, first, last, centre_p)
            parts.extend(_sums_of_blocks(p, q, centre_p, centre_q))
        if len(parts) * parts[0].size > _MOST_ENTRIES:
            parts = [_added(parts)]
    return _added(parts)


def _sums_of_blocks(
    p: Matrix, q: Matrix, centre_p: Matrix | None, centre_q: Matrix | None
) -> list[Matrix]:
    """Sum the products of (u, |u|², 1) with (v, |v|², 1) in each block."""
    whole = len(p) // _BLOCK * _BLOCK
    parts = [(0, whole, whole // _BLOCK), (whole, len(p), 1)]
    sums: list[Matrix] = []
    for start, stop, n_blocks in parts:
        if start == stop:
            continue
        shape = n_blocks, p.shape[1] + 2, q.shape[1] + 2
        n_products = (stop - start) * shape[1] * shape[2]
        if stop - start < _BLOCK and n_products <= _MOST_IN_NUMPY:
            x, outside_p = _lifted(p[start:stop], centre_p)
            y, outside_q = _lifted(q[start:stop], centre_q)
            # One row at a time: a product of matrices has other bits on other CPUs.
            found = np.stack([(row * y).sum(axis=1) for row in x])
            found[-1, -1] = outside_p or outside_q
            sums.append(found)
        else:
            from concordant.kernels.lifted import lifted_products

            blocks = np.empty(shape)
            centres = _or_none(centre_p), _or_none(centre_q)
            lifted_products(p[start:stop], q[start:stop], *centres, blocks)
            sums.extend(blocks)
    return sums


def _sums_by_cluster(
    labels: NDArray[np.unsignedinteger[Any]],
    n_clusters: int,
    lifted: Matrix,
    outside: bool,
) -> Matrix:
    """Sum the same where u is a unit vector."""
    sums = np.empty((n_clusters + 2, len(lifted)))
    for column, row in zip(sums.T, lifted, strict=True):
        column[:-2] = np.bincount(labels, weights=row, minlength=n_clusters)
    sums[-2:] = lifted.sum(axis=1)
    sums[-1, -1] = outside
    return sums


def _lifted(rows: Matrix, centre: Matrix | None) -> tuple[Matrix, bool]:
    """
    Give the vectors of objects as columns, with |v|² and 1 below.

    The second is whether a membership is negative or, without a centre, a vector is
    longer than 1.
    """
    n, n_clusters = rows.shape
    lifted = np.empty((n_clusters + 2, n))
    lifted[-1] = 1.0
    if _is_large(rows):
        from concordant.kernels.lifted import lift

        return lifted, bool(lift(rows, _or_none(centre), lifted[:-1]))
    lifted[:-2] = rows.T if centre is None else _directions(rows, centre).T
    lifted[-2] = (lifted[:-2] * lifted[:-2]).sum(axis=0)
    longer = centre is None and bool(lifted[-2].max() > 1.0)
    return lifted, longer or bool(rows.min() < 0.0)


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
        Sums of rounded numbers.

    Returns
    -------
    float
        x - y, of either sign, or 0 if that is within 2^-48 of them.
    """
    return x - y if abs(x - y) > 2.0**-48 * max(abs(x), abs(y)) else 0.0


def _centre(partition: Partition) -> Matrix | None:
    """Find an object near the mean, to whose direction others are compared."""
    if partition.kind == "crisp":
        return None
    origin = np.empty(0)
    step = max(1, partition.n_objects // _SAMPLE)
    sample = np.concatenate(
        [_rows(partition, 0, partition.n_objects, origin)]
        if step == 1
        else [
            _rows(partition, i, i + 1, origin)
            for i in range(0, partition.n_objects, step)
        ]
    )
    apart = sample - sample.mean(axis=0)
    return np.asarray(sample[(apart * apart).sum(axis=1).argmin()])


def _equal_memberships(partition: Partition) -> Matrix | None:
    """Give an object that belongs to all clusters alike."""
    if partition.kind == "crisp":
        return None
    return np.full(partition.n_clusters, 1.0 / partition.n_clusters)


def _rows(partition: Partition, start: int, stop: int, centre: Matrix | None) -> Matrix:
    """Give memberships, each object's multiplied by what its direction allows."""
    rows = partition.rows(start, stop)
    if centre is None or partition.kind != "possibilistic":
        return rows
    # Powers of 2 do not round, and squares neither vanish nor drown in others.
    exponents = np.frexp(np.abs(rows).max(axis=1, keepdims=True))[1]
    return np.asarray(np.ldexp(rows, -exponents))


def _directions(rows: Matrix, centre: Matrix) -> Matrix:
    """
    Give u / |u| - w / |w| for each row u, where w is the centre.

    As (u - w) / |u| - (|u| - |w|) / |u| w / |w|, with |u| - |w| from |u|² - |w|², that
    has full relative accuracy however near u is to w.
    """
    apart = rows - centre
    excess = (apart * (rows + centre)).sum(axis=1, keepdims=True)
    square = (centre * centre).sum()
    length, own = np.sqrt(square), np.sqrt(square + excess)
    share = excess / (own * (own + length))
    return np.asarray(apart / own - share * (centre / length))


def _added(parts: list[Matrix]) -> Matrix:
    """Add matrices entry by entry with one rounding each."""
    if len(parts) == 1:
        return parts[0] + 0.0  # there is one zero, as in sums of several
    flat = np.stack(parts).reshape(len(parts), -1)
    total = np.array([math.fsum(entry) for entry in flat.T])
    return total.reshape(parts[0].shape)
