"""Sums over objects of products of their memberships, in two partitions and in one."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Matrix
from concordant.bounded import UNIT_ROUNDOFF
from concordant.catalogue.records import FREE_SUMS
from concordant.errors import Data, InputError, Setting
from concordant.measures.tables.pair_table import Offs, PairTable
from concordant.partition.partition import Partition
from concordant.sums.object_sums import BLOCK, Places, ProductSums


class Products:
    """
    Sums over objects of products of their vectors u in P and v in Q.

    `cross` is U'V; `sums_p` and `sums_q` are the sums of u and v, `squares_p`,
    `squares_q` and `squares_both` those of |u|², |v|² and |u|² |v|². `higher_p` and
    `higher_q` are those of the squares of memberships in each cluster; of directions,
    those of |v|² u and |u|² v. `uneven` tells how far rows are from a sum of 1, and
    memberships from 0 where they are below it.
    """

    def __init__(self, sums: Matrix, uneven: tuple[float, float] = (0.0, 0.0)) -> None:
        self.n_objects = int(sums[-1, -1])
        self.cross = sums[:-2, :-2]
        self.sums_p, self.higher_p = sums[:-2, -1], sums[:-2, -2]
        self.sums_q, self.higher_q = sums[-1, :-2], sums[-2, :-2]
        self.squares_p, self.squares_q = float(sums[-2, -1]), float(sums[-1, -2])
        self.squares_both = float(sums[-2, -2])
        self.uneven = uneven

    @property
    def rounding(self) -> float:
        """The relative error of a sum of memberships that are not negative."""
        # That of a product, of a sum in any order of a block, and of the sum of blocks.
        n: int = min(self.n_objects, max(BLOCK, *self.cross.shape))
        return (n + 4) * UNIT_ROUNDOFF

    def table(self, family: str, sums: Sequence[float], off: Offs) -> PairTable:
        """Return a table, given how far its sums are off at most, if that is known."""
        n = self.n_objects
        if n < 2:
            return PairTable(0, 0, 0, 0, family)
        # What is negative by no more than rounding can explain is 0.
        least = -(min(n, BLOCK) + 16) * UNIT_ROUNDOFF * n**2
        a, b, c, d = kept = [0.0 if least <= x < 0.0 else x for x in sums]
        if off is not None:
            pairs = zip(off, kept, sums, strict=True)
            off = tuple(error + abs(x - y) for error, x, y in pairs)
        return PairTable(a, b, c, d, family, rounding=off)


class Moments:
    """
    Sums over objects of products of x = (u - c, v - e, 1) with itself.

    c and e are equal memberships of fuzzy partitions, from which they are measured, and
    0 for crisp ones: where memberships are nearly equal, no digits are lost. `cross` is
    the sum of (u - c)(v - e)', K x L, and `sizes` are those of |u - c|² and |v - e|².
    """

    def __init__(self, sums: Matrix, K: int, fuzzy: tuple[bool, bool]) -> None:
        self.sums, self.n_clusters_p, self.fuzzy = sums, K, fuzzy
        self.n_objects = int(sums[-1, -1])
        self.cross = sums[:K, K:-1]
        squares = sums.diagonal()[:-1]
        self.sizes = math.fsum(squares[:K]), math.fsum(squares[K:])

    @property
    def rounding(self) -> float:
        """A bound of the error of `cross`, in relation to the roots of `sizes`."""
        n = min(self.n_objects, max(BLOCK, len(self.sums)))
        return (n + 8) * UNIT_ROUNDOFF


class MembershipSums(ProductSums):
    """The soft contingency table, with sums, squares, and what is uneven in rows."""

    @staticmethod
    def block(
        P: Partition, Q: Partition, given: Any, at: range, largest: Matrix
    ) -> Matrix:
        """Return the sums over some objects."""
        sums = np.empty((P.n_clusters + 2, Q.n_clusters + 2))
        v, sums[-1, :-2], sums[-2, :-2], of_q = _summed(Q, at, largest[1:])
        if P.kind == "crisp":
            sums[:-2, :-2], counts = _by_label(P, at, v)
            sums[:-2, -1] = sums[:-2, -2] = counts
            sums[-2, -2] = of_q.sum()
        else:
            u, sums[:-2, -1], sums[:-2, -2], of_p = _summed(P, at, largest)
            sums[:-2, :-2] = u @ v.T
            sums[-2, -2] = of_p @ of_q
        sums[-2, -1], sums[-1, -2] = sums[:-2, -2].sum(), sums[-2, :-2].sum()
        sums[-1, -1] = len(at)
        return sums

    @staticmethod
    def read(sums: Matrix, largest: Matrix, K: int) -> Products:
        """Return the sums by their names."""
        return Products(sums, (float(largest[0]), float(largest[1])))


def _summed(
    partition: Partition, at: range, largest: Matrix
) -> tuple[Matrix, Matrix, Matrix, Matrix]:
    """Return memberships, sums of these and of squares, and |u|² of objects."""
    K = partition.n_clusters
    both = np.empty((2 * K, len(at)))
    u, squares = both[:K], both[K:]
    u[:] = partition.rows(at.start, at.stop).T
    np.multiply(u, u, out=squares)
    totals = both @ np.ones(len(at))
    of_rows = u.sum(axis=0)
    away = max(of_rows.max() - 1.0, 1.0 - of_rows.min())
    if u.min() < 0.0:
        # Cells leave out what is below 0, with the logarithm of so small a cell.
        below = float(np.maximum(-u, 0.0).sum(axis=0).max())
        away += below * (1.0 - math.log(below))
    largest[0] = max(largest[0], away)
    return u, totals[:K], totals[K:], squares.sum(axis=0)


def _by_label(P: Partition, at: range, rows: Matrix) -> tuple[Matrix, NDArray[np.intp]]:
    """Sum rows over the objects of each cluster of a crisp P, and count these."""
    labels, K = P.labels[at.start : at.stop].astype(np.intp), P.n_clusters
    sums = np.empty((K, len(rows)))
    for column, row in zip(sums.T, rows, strict=True):
        column[:] = np.bincount(labels, row, K)
    return sums, np.bincount(labels, minlength=K)


class DirectionSums(ProductSums):
    """
    The sums of products of (u, |u|², 1) with (v, |v|², 1), u and v being directions.

    Unless a partition is crisp, its directions are measured from that of an object near
    their mean, without loss of accuracy where they are nearly equal; those of chunks
    from that of equal memberships.
    """

    @staticmethod
    def given(P: Partition, Q: Partition, *, whole: bool) -> Any:
        """Return from where directions are measured."""
        check_directions(P, Q)
        return _centre(P, whole), _centre(Q, whole)

    @staticmethod
    def block(
        P: Partition, Q: Partition, given: Any, at: range, largest: Matrix
    ) -> Matrix:
        """Return the sums over some objects."""
        y = _lifted(Q, given[1], at)
        if P.kind != "crisp":
            return np.asarray(_lifted(P, given[0], at) @ y.T)
        by_label, _ = _by_label(P, at, y)
        return np.vstack((by_label, *2 * [y.sum(axis=1)]))

    @staticmethod
    def read(sums: Matrix, largest: Matrix, K: int) -> Products:
        """Return the sums by their names."""
        return Products(sums)


def _lifted(partition: Partition, centre: Matrix | None, at: range) -> Matrix:
    """Return columns with the directions of objects and their squares, above 1."""
    lifted = np.ones((partition.n_clusters + 2, len(at)))
    if centre is None:
        lifted[:-2] = partition.rows(at.start, at.stop).T
    else:
        _turn(_scaled(partition, at.start, at.stop).T, centre, lifted[:-2])
    np.einsum("ki,ki->i", lifted[:-2], lifted[:-2], out=lifted[-2])
    return lifted


class MomentSums(ProductSums):
    """The sums of products of (u - c, v - e, 1) with itself, in O(n (K + L)²) time."""

    @staticmethod
    def shape(K: int, L: int) -> tuple[int, int]:
        """Return the shape of the matrix."""
        return K + L + 1, K + L + 1

    @staticmethod
    def block(
        P: Partition, Q: Partition, given: Any, at: range, largest: Matrix
    ) -> Matrix:
        """Return the sums over some objects."""
        largest[:] = [X.kind != "crisp" for X in (P, Q)]
        x, y = (
            np.subtract(X.rows(at.start, at.stop).T, fuzzy / X.n_clusters, order="C")
            for X, fuzzy in zip((P, Q), largest, strict=True)
        )
        K, size = len(x), len(x) + len(y) + 1
        sums = np.empty((size, size))
        sums[:K, :K] = x @ x.T
        # Products of a matrix with itself and with another differ in their order.
        equal = np.array_equal(x, y)
        sums[K:-1, K:-1] = sums[:K, :K] if equal else y @ y.T
        sums[:K, K:-1] = sums[:K, :K] if equal else x @ y.T
        sums[K:-1, :K] = sums[:K, K:-1].T
        sums[-1, :K], sums[-1, K:-1] = x.sum(axis=1), y.sum(axis=1)
        sums[:-1, -1] = sums[-1, :-1]
        sums[-1, -1] = len(at)
        return sums

    @staticmethod
    def exchanged(sums: Matrix, K: int, L: int) -> Matrix:
        """Return the sums of P and Q from those of Q and P."""
        order = np.r_[L : L + K, :L, K + L]
        return np.asarray(sums[np.ix_(order, order)])

    @staticmethod
    def places(p: list[int], q: list[int], K: int, L: int) -> Places:
        """Return where rows and columns stand among those of K and L clusters."""
        places = [*p, *(K + place for place in q), K + L]
        return places, places

    @staticmethod
    def read(sums: Matrix, largest: Matrix, K: int) -> Moments:
        """Return the sums, and which partitions are fuzzy."""
        return Moments(sums, K, (bool(largest[0]), bool(largest[1])))


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


def _scaled(partition: Partition, start: int, stop: int) -> Matrix:
    """Return memberships, those of each object multiplied by what directions allow."""
    rows = partition.rows(start, stop)
    if partition.kind not in FREE_SUMS:
        return rows
    # Powers of 2 do not round, and squares neither vanish nor drown in others.
    exponents = np.frexp(np.abs(rows).max(axis=1, keepdims=True))[1]
    return np.asarray(np.ldexp(rows, -exponents))


def _centre(partition: Partition, whole: bool) -> Matrix | None:
    """Return equal memberships, or those of one of the first nearest to their mean."""
    if partition.kind == "crisp":
        return None
    if not whole:
        return np.full(partition.n_clusters, 1.0 / partition.n_clusters)
    # The order of sums goes with that of the numbers in memory.
    rows = np.ascontiguousarray(_scaled(partition, 0, BLOCK))
    apart = rows - rows.mean(axis=0)
    return np.asarray(rows[(apart * apart).sum(axis=1).argmin()])


def sum_of_squares(values: Matrix) -> float:
    """Add up squares in an order-free way."""
    return math.fsum((values * values).ravel())


def difference(x: float, y: float) -> float:
    """Return x - y, or 0 if that is within 2^-48 of them: sums of rounded numbers."""
    return x - y if abs(x - y) > 2.0**-48 * max(abs(x), abs(y)) else 0.0


def check_directions(P: Partition, Q: Partition) -> None:
    """Refuse an object without a direction."""
    for name, partition in (("P", P), ("Q", Q)):
        if partition.kind not in FREE_SUMS:
            continue
        empty = np.flatnonzero(~partition.columns().any(axis=0))
        if empty.size:
            raise InputError(
                f"object {empty[0]} of ",
                Data(name),
                " belongs to no cluster, so that Brouwer's cosine has no value; leave "
                "such objects out, or use ",
                Setting("family", "anderson", "campello"),
            )
