"""Second moments of the memberships of two partitions, within and between them."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.partition.partition import Partition
from concordant.terms.distribution import UNIT_ROUNDOFF
from concordant.terms.object_sums import BLOCK, Places, ProductSums

Matrix = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Moments:
    """
    Sums over objects of products of x = (u - c, v - e, 1) with itself.

    c and e are equal memberships of fuzzy partitions, from which they are measured, and
    0 for crisp ones: where memberships are nearly equal, no digits are lost.
    """

    sums: Matrix
    n_clusters_p: int
    fuzzy: tuple[bool, bool]

    @property
    def n_objects(self) -> int:
        """The number of objects."""
        return int(self.sums[-1, -1])

    @property
    def cross(self) -> Matrix:
        """The sum of (u - c)(v - e)', K x L."""
        return self.sums[: self.n_clusters_p, self.n_clusters_p : -1]

    @property
    def sizes(self) -> tuple[float, float]:
        """The sums of |u - c|² and |v - e|²."""
        squares, K = self.sums.diagonal()[:-1], self.n_clusters_p
        return math.fsum(squares[:K]), math.fsum(squares[K:])

    @property
    def rounding(self) -> float:
        """A bound of the error of `cross`, in relation to the roots of `sizes`."""
        n = min(self.n_objects, max(BLOCK, len(self.sums)))
        return (n + 8) * UNIT_ROUNDOFF


class _Centred:
    """Sums over blocks of memberships, of fuzzy partitions from equal ones."""

    def __init__(self, P: Partition, Q: Partition, equal: bool, size: int) -> None:
        self._sides, self._equal = (P, Q), equal
        self._room = [np.empty((X.n_clusters, size)) for X in self._sides]
        self.largest = np.array([X.kind != "crisp" for X in self._sides], np.float64)

    def __call__(self, first: int, last: int) -> Matrix:
        """Return the sums over some objects."""
        x, y = (self._measured(number, first, last) for number in (0, 1))
        K, size = len(x), len(x) + len(y) + 1
        sums = np.empty((size, size))
        sums[:K, :K] = x @ x.T
        # Products of a matrix with itself and with another differ in their order.
        sums[K:-1, K:-1] = sums[:K, :K] if self._equal else y @ y.T
        sums[:K, K:-1] = sums[:K, :K] if self._equal else x @ y.T
        sums[K:-1, :K] = sums[:K, K:-1].T
        sums[-1, :K], sums[-1, K:-1] = x.sum(axis=1), y.sum(axis=1)
        sums[:-1, -1] = sums[-1, :-1]
        sums[-1, -1] = last - first
        return sums

    def _measured(self, number: int, first: int, last: int) -> Matrix:
        partition, measured = self._sides[number], self._room[number][:, : last - first]
        equal = self.largest[number] / partition.n_clusters
        np.subtract(partition.rows(first, last).T, equal, out=measured)
        return measured


class MomentSums(ProductSums):
    """The sums of products of (u - c, v - e, 1) with itself, in O(n (K + L)²) time."""

    blocks = _Centred

    @staticmethod
    def shape(K: int, L: int) -> tuple[int, int]:
        """Return the shape of the matrix."""
        return K + L + 1, K + L + 1

    @staticmethod
    def given(P: Partition, Q: Partition, *, whole: bool) -> tuple[Any, ...]:
        """Return whether two partitions have the same memberships."""
        return (
            P.shape == Q.shape
            and all(
                np.array_equal(P.rows(i, i + BLOCK), Q.rows(i, i + BLOCK))
                for i in range(0, P.n_objects, BLOCK)
            ),
        )

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
