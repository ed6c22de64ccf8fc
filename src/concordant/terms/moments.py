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
