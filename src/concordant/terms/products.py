"""Sums over objects of products of their memberships in two partitions."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue import FREE_SUMS
from concordant.errors import Data, InputError, InputMemoryError, Setting
from concordant.execution.engine import Engine
from concordant.execution.single_thread import single_blas_thread
from concordant.partition.partition import Partition
from concordant.storage.memory import excess

Matrix = NDArray[np.float64]

#: The number of objects whose products are summed at once: they stay in the cache.
BLOCK = 2048
_BLOCKS_PER_TASK = 256
_BYTES = 64  # that a sum takes while it is added up
_SMALL = 1 << 20  # bytes that are always there


@dataclass(frozen=True)
class Products:
    """
    Sums over objects of products of their vectors u_i in P and v_i in Q.

    `cross` is U'V; `sums_p` and `sums_q` are the sums of u_i and v_i, `lifted_p` and
    `lifted_q` those of |v_i|² u_i and |u_i|² v_i, `squares_p`, `squares_q` and
    `squares_both` those of |u_i|², |v_i|² and |u_i|² |v_i|².
    """

    n_objects: int
    cross: Matrix
    sums_p: Matrix
    sums_q: Matrix
    lifted_p: Matrix
    lifted_q: Matrix
    squares_p: float
    squares_q: float
    squares_both: float

    @classmethod
    def of_lifted(cls, sums: Matrix) -> "Products":
        """Take apart the sums of products of (u, |u|², 1) with (v, |v|², 1)."""
        return cls(
            n_objects=int(sums[-1, -1]),
            cross=sums[:-2, :-2],
            sums_p=sums[:-2, -1],
            sums_q=sums[-1, :-2],
            lifted_p=sums[:-2, -2],
            lifted_q=sums[-2, :-2],
            squares_p=float(sums[-2, -1]),
            squares_q=float(sums[-1, -2]),
            squares_both=float(sums[-2, -2]),
        )

    def cardinality(self, sum_over_pairs: float) -> float:
        """Return a sum, or 0 if it is negative by no more than rounding can explain."""
        n = self.n_objects
        least = -(min(n, BLOCK) + 16) * 2.0**-53 * n**2
        return 0.0 if least <= sum_over_pairs < 0.0 else sum_over_pairs


def products(P: Partition, Q: Partition, engine: Engine) -> Products:
    """Return the sums of products of memberships, in O(n K L) time."""
    return Products.of_lifted(product_sums(P, Q, engine))


def directions(P: Partition, Q: Partition, engine: Engine) -> Products:
    """
    Return the sums of products of directions u / |u|.

    Unless a partition is crisp, its directions are measured from that of an object
    near their mean, without loss of accuracy where they are nearly equal.
    """
    _check_no_empty_rows(P, "P")
    _check_no_empty_rows(Q, "Q")
    return Products.of_lifted(_summed(P, Q, _central(P), _central(Q), engine))


def product_sums(P: Partition, Q: Partition, engine: Engine) -> Matrix:
    """Return the sums of products of (u, |u|², 1) with (v, |v|², 1)."""
    return _summed(P, Q, None, None, engine)


def direction_sums(P: Partition, Q: Partition, engine: Engine) -> Matrix:
    """Return the same of directions, measured from that of equal memberships."""
    _check_no_empty_rows(P, "P")
    _check_no_empty_rows(Q, "Q")
    return _summed(P, Q, _equal(P), _equal(Q), engine)


def _summed(
    P: Partition,
    Q: Partition,
    centre_p: Matrix | None,
    centre_q: Matrix | None,
    engine: Engine,
) -> Matrix:
    """Return the same bits for any number of threads, and with P and Q exchanged."""
    K, L = P.n_clusters, Q.n_clusters
    check_fits(K, L, n_sums=(K + 2) * (L + 2))
    exchanged = comes_later(P, Q)
    data = (Q, P, centre_q, centre_p) if exchanged else (P, Q, centre_p, centre_q)
    sums = added(engine.run(_sum_blocks, data, tasks_of(P.n_objects)))
    return sums.T if exchanged else sums


def tasks_of(n_objects: int) -> list[tuple[int, int]]:
    """Cut the objects into runs of blocks, the same for any number of threads."""
    step = BLOCK * _BLOCKS_PER_TASK
    starts = range(0, n_objects, step)
    return [(start, min(start + step, n_objects)) for start in starts]


def _sum_blocks(
    P: Partition,
    Q: Partition,
    centre_p: Matrix | None,
    centre_q: Matrix | None,
    start: int,
    stop: int,
) -> Matrix:
    """Add up the products of some objects, in blocks that do not depend on threads."""
    # Where sums by cluster are many, as many objects, so that clearing them is cheap.
    step = max(BLOCK, P.n_clusters) if P.kind == "crisp" else BLOCK
    size = min(step, stop - start)
    x = np.ones((0 if P.kind == "crisp" else P.n_clusters + 2, size))
    y = np.ones((Q.n_clusters + 2, size))

    def of_block(first: int, last: int) -> Matrix:
        lifted = _lifted(Q, first, last, centre_q, y)
        if P.kind == "crisp":
            return _sums_by_cluster(P, first, last, lifted)
        return np.asarray(_lifted(P, first, last, centre_p, x) @ lifted.T)

    with single_blas_thread():
        return added(
            of_block(first, min(first + step, stop))
            for first in range(start, stop, step)
        )


def _sums_by_cluster(P: Partition, start: int, stop: int, y: Matrix) -> Matrix:
    """Return the sums of products where u is a unit vector."""
    labels = P.labels[start:stop].astype(np.intp)
    sums = np.empty((P.n_clusters + 2, len(y)))
    for column, row in zip(sums.T, y, strict=True):
        column[:-2] = np.bincount(labels, weights=row, minlength=P.n_clusters)
    sums[-2:] = y.sum(axis=1)
    return sums


def _lifted(
    partition: Partition, start: int, stop: int, centre: Matrix | None, ones: Matrix
) -> Matrix:
    """Fill columns with the vectors of objects and their squares, above the last 1."""
    lifted = ones[:, : stop - start]
    vectors = lifted[:-2]
    rows = _rows(partition, start, stop, centre)
    if centre is None:
        vectors[:] = rows.T
    else:
        _turn(rows.T, centre, vectors)
    np.einsum("ki,ki->i", vectors, vectors, out=lifted[-2])
    return lifted


def _turn(u: Matrix, w: Matrix, out: Matrix) -> None:
    """
    Fill columns with u / |u| - w / |w|.

    As (u - w) / |u| - (|u| - |w|) / |u| w / |w|, with |u| - |w| from |u|² - |w|², that
    has full relative accuracy however near u is to w.
    """
    np.subtract(u, w[:, np.newaxis], out=out)
    square = w @ w
    longer = np.einsum("ki,ki->i", out, out) + 2.0 * (w @ out)
    length, own = np.sqrt(square), np.sqrt(square + longer)
    out *= 1.0 / own
    out -= np.multiply.outer(w / length, longer / (own * (own + length)))


def _rows(partition: Partition, start: int, stop: int, centre: Matrix | None) -> Matrix:
    """Return memberships, those of each object multiplied by what directions allow."""
    rows = partition.rows(start, stop)
    if centre is None or partition.kind not in FREE_SUMS:
        return rows
    # Powers of 2 do not round, and squares neither vanish nor drown in others.
    exponents = np.frexp(np.abs(rows).max(axis=1, keepdims=True))[1]
    return np.asarray(np.ldexp(rows, -exponents))


def _equal(partition: Partition) -> Matrix | None:
    """Return equal memberships in all clusters."""
    if partition.kind == "crisp":
        return None
    return np.full(partition.n_clusters, 1.0 / partition.n_clusters)


def _central(partition: Partition) -> Matrix | None:
    """Return the one among the first objects that is nearest to their mean."""
    centre = _equal(partition)
    if centre is None:
        return None
    # The order of sums goes with that of the numbers in memory.
    rows = np.ascontiguousarray(_rows(partition, 0, BLOCK, centre))
    apart = rows - rows.mean(axis=0)
    return np.asarray(rows[(apart * apart).sum(axis=1).argmin()])


def comes_later(P: Partition, Q: Partition) -> bool:
    """Order two partitions: a product of matrices may not have the same bits turned."""
    if "crisp" in (P.kind, Q.kind):
        return P.kind != "crisp"
    if P.n_clusters != Q.n_clusters:
        return P.n_clusters > Q.n_clusters
    for start in range(0, P.n_objects, BLOCK):
        p, q = P.rows(start, start + BLOCK), Q.rows(start, start + BLOCK)
        differ = np.flatnonzero(p.ravel() != q.ravel())
        if differ.size:
            return bool(p.ravel()[differ[0]] > q.ravel()[differ[0]])
    return False


def added(parts: Iterable[Matrix]) -> Matrix:
    """Add matrices in their order, with what each addition loses (Neumaier's sum)."""
    total: Matrix = np.zeros(())
    lost: Matrix = np.zeros(())
    for part in parts:
        more = total + part
        taken = more - total
        lost = lost + ((total - (more - taken)) + (part - taken))
        total = more
    return np.asarray(total + lost)


def sum_of_squares(values: Matrix) -> float:
    """Add up squares in an order-free way."""
    return math.fsum((values * values).ravel())


def difference(x: float, y: float) -> float:
    """Return x - y, or 0 if that is within 2^-48 of them: sums of rounded numbers."""
    return x - y if abs(x - y) > 2.0**-48 * max(abs(x), abs(y)) else 0.0


def check_fits(K: int, L: int, n_sums: int) -> None:
    """Refuse sums that no memory holds, before they are allocated."""
    n_bytes = _BYTES * n_sums
    too_much = excess(n_bytes) if n_bytes > _SMALL else ""
    if too_much:
        raise InputMemoryError(
            f"the products of {K} clusters of ",
            Data("P"),
            f" with {L} of ",
            Data("Q"),
            f" {too_much}; ACI and NDC do without them",
        )


def _check_no_empty_rows(partition: Partition, name: str) -> None:
    """Refuse an object without a direction."""
    if partition.kind not in FREE_SUMS:
        return
    empty = np.flatnonzero(~partition.columns().any(axis=0))
    if empty.size:
        raise InputError(
            f"object {empty[0]} of ",
            Data(name),
            " belongs to no cluster, so that Brouwer's cosine has no value; leave such "
            "objects out, or use ",
            Setting("family", "anderson", "campello"),
        )
