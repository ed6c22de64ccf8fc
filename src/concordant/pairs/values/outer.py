"""One plus the products of memberships in different clusters, of the full 13AGRI."""

import math
from fractions import Fraction

import numpy as np

from concordant.arrays import Vector
from concordant.execution.run import Run
from concordant.pairs.values.inner import Inner
from concordant.partition.partition import Partition


class Outer(Inner):
    """One plus the products of memberships in different clusters."""

    title = "the generalized Rand index of memberships that need not sum to 1"

    @staticmethod
    def columns(P: Partition) -> Vector:
        """Return the sum of memberships of each object, and the memberships."""
        u = Inner.columns(P)
        return np.concatenate((u.sum(axis=0, keepdims=True), u))

    @staticmethod
    def exact(u: list[Fraction], v: list[Fraction]) -> Fraction:
        """Return the value of two objects without rounding."""
        return sum(u, Fraction(0)) * sum(v, Fraction(0)) + Inner.exact(u, v)

    @staticmethod
    def bounds(u: Vector) -> tuple[float, float]:
        """Return numbers between which all values lie, as computed in any order."""
        largest = float(np.abs(u[1:]).sum(axis=0).max(initial=0.0))
        below = largest**2 if u.size and u.min() < 0.0 else 0.0
        margin = Outer.rounding(u, 0.0)
        return 1.0 - below - margin, 1.0 + largest**2 + margin

    @staticmethod
    def rounding(u: Vector, mean: float) -> float:
        """Bound the error of values: that of sums, and of K + 1 products of these."""
        if (u == np.rint(u)).all():
            return 0.0
        largest = float(np.abs(u[1:]).sum(axis=0).max(initial=0.0))
        return (4 * len(u) + 4) * 2.0**-53 * max(1.0, largest**2)

    @staticmethod
    def of_windows(ones: Vector, others: Vector, out: Vector) -> None:
        """Fill `out` with values of objects, K x h, and others of each, K x h x w."""
        np.multiply(ones[0, :, None], others[0], out=out)
        out += 1.0
        for one, other in zip(ones[1:], others[1:], strict=True):
            out -= one[:, None] * other


def row_products(P: Partition, Q: Partition, run: Run) -> tuple[float, float]:
    """
    Return the means over pairs of products of both objects' sums, of P and of Q.

    A mean is 0 only if all products are, and not where they are too small for a double.
    """
    return _mean_product(P), _mean_product(Q)


def _mean_product(P: Partition) -> float:
    n, sums = P.n_objects, P.columns().sum(axis=0)
    if np.count_nonzero(sums) < 2:
        return 0.0
    total, squares = math.fsum(sums), math.fsum(sums * sums)
    return max((total * total - squares) / (n * (n - 1)), 2.0**-1074)
