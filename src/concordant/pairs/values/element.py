"""
One minus the affinity of two objects in a random walk over clusters.

From an object i the walk goes to a cluster k with probability b_ik / r_i, where r_i is
the sum of i's memberships, and from there to an object j with probability b_jk / c_k,
where c_k is the sum of the cluster. With the probability 1 - alpha it starts anew from
i at each step. In the long run it is at j with probability alpha a_ij, and at i itself
with 1 - alpha more. If rows are divided by their sums, the affinity a_ij is the inner
product of vectors z_i and z_j of K numbers each: no matrix of n x n is needed.
"""

import numpy as np

from concordant.arrays import Vector
from concordant.bounded import UNIT_ROUNDOFF
from concordant.execution.single_thread import single_blas_thread
from concordant.pairs.values.inner import Inner
from concordant.pairs.values.pair_value import PairValue
from concordant.partition.partition import Partition

#: How often the walk goes on: that of the index in the catalogue.
ALPHA = 0.9


def _vectors(P: Partition, alpha: float) -> Vector:
    """Return sqrt(1 - alpha) L^-1 w, where w = c^-1/2 u and L L' = 1 - alpha w w'."""
    u = P.columns()
    u = u[u.any(axis=1)]
    u = u / u.sum(axis=0)
    u = u / np.sqrt(u.sum(axis=1, keepdims=True))
    with single_blas_thread():
        inverse = np.linalg.inv(np.linalg.cholesky(np.eye(len(u)) - alpha * (u @ u.T)))
        return np.asarray(np.sqrt(1.0 - alpha) * (inverse @ u))


def affinities(P: Partition, alpha: float) -> tuple[Vector, Vector]:
    """Return two K x n factors of the a_ij, of a partition of any kind."""
    if P.kind != "overlapping":
        z = _vectors(P, alpha)
        return z, z
    b = P.columns()
    b = b[b.any(axis=1)]
    sums, sizes = b.sum(axis=0), np.sqrt(b.sum(axis=1, keepdims=True))
    left, right = b / sums / sizes, b / sizes
    with single_blas_thread():
        inverse = np.linalg.inv(np.eye(len(b)) - alpha * (right @ left.T))
        return (1.0 - alpha) * (inverse.T @ left), right


class Element(PairValue):
    """One minus the affinity of two objects in a random walk over clusters."""

    title = "element-centric similarity"
    of_windows = staticmethod(Inner.of_windows)

    @staticmethod
    def columns(P: Partition) -> Vector:
        """Return the vectors z of which affinities are inner products, K x n."""
        return _vectors(P, ALPHA)

    @staticmethod
    def bounds(u: Vector) -> tuple[float, float]:
        """Return numbers between which all values lie, as computed in any order."""
        longest = float((u * u).sum(axis=0).max(initial=0.0))
        margin = Element.rounding(u, 0.0)
        return 1.0 - longest - margin, 1.0 + longest + margin

    @staticmethod
    def rounding(u: Vector, mean: float) -> float:
        """Bound the error of values: that of K products and differences."""
        longest = float((u * u).sum(axis=0).max(initial=0.0))
        return (2 * len(u) + 2) * UNIT_ROUNDOFF * (1.0 + longest)
