"""Second moments of the memberships of two partitions, within and between them."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from concordant.execution.engine import Engine
from concordant.execution.single_thread import single_blas_thread
from concordant.partition.partition import Partition
from concordant.terms.products import (
    BLOCK,
    added,
    check_fits,
    comes_later,
    tasks_of,
)

Matrix = NDArray[np.float64]

_UNIT_ROUNDOFF = 2.0**-53
_OBJECTS = 4 * BLOCK  # that are summed at a time


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
        return (min(self.n_objects, _OBJECTS) + 8) * _UNIT_ROUNDOFF


def moments(P: Partition, Q: Partition, engine: Engine) -> Moments:
    """Return the second moments, in O(n (K + L)²) time."""
    fuzzy = P.kind != "crisp", Q.kind != "crisp"
    return Moments(moment_sums(P, Q, engine), P.n_clusters, fuzzy)


def moment_sums(P: Partition, Q: Partition, engine: Engine) -> Matrix:
    """Return their sums: the same bits for any number of threads, and exchanged."""
    K, L = P.n_clusters, Q.n_clusters
    check_fits(K, L, n_sums=(K + L + 1) ** 2)
    exchanged = comes_later(P, Q)
    # Products of a matrix with itself and with another are not summed in one order.
    equal = not exchanged and _are_equal(P, Q)
    data = (Q, P, equal) if exchanged else (P, Q, equal)
    sums = added(engine.run(_sum_blocks, data, tasks_of(P.n_objects)))
    if not exchanged:
        return sums
    order = np.r_[L : L + K, :L, K + L]
    return np.asarray(sums[np.ix_(order, order)])


def _are_equal(P: Partition, Q: Partition) -> bool:
    """Return whether two partitions have the same memberships."""
    return P.shape == Q.shape and all(
        np.array_equal(P.rows(start, start + BLOCK), Q.rows(start, start + BLOCK))
        for start in range(0, P.n_objects, BLOCK)
    )


def _sum_blocks(
    P: Partition, Q: Partition, equal: bool, start: int, stop: int
) -> Matrix:
    """Add up the moments of some objects, in blocks that do not depend on threads."""
    K, L = P.n_clusters, Q.n_clusters
    size = min(_OBJECTS, stop - start)
    u, v = np.empty((K, size)), np.empty((L, size))

    def of_block(first: int, last: int) -> Matrix:
        x, y = _measured(P, first, last, u), _measured(Q, first, last, v)
        sums = np.empty((K + L + 1, K + L + 1))
        sums[:K, :K] = x @ x.T
        sums[K:-1, K:-1] = sums[:K, :K] if equal else y @ y.T
        sums[:K, K:-1] = sums[:K, :K] if equal else x @ y.T
        sums[K:-1, :K] = sums[:K, K:-1].T
        sums[-1, :K], sums[-1, K:-1] = x.sum(axis=1), y.sum(axis=1)
        sums[:-1, -1] = sums[-1, :-1]
        sums[-1, -1] = last - first
        return sums

    with single_blas_thread():
        blocks = range(start, stop, _OBJECTS)
        return added(of_block(i, min(i + _OBJECTS, stop)) for i in blocks)


def _measured(partition: Partition, first: int, last: int, columns: Matrix) -> Matrix:
    """Fill in the memberships of objects, those of fuzzy partitions from equal ones."""
    measured = columns[:, : last - first]
    equal = 0.0 if partition.kind == "crisp" else 1.0 / partition.n_clusters
    np.subtract(partition.rows(first, last).T, equal, out=measured)
    return measured
