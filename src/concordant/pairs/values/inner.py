"""One minus the inner product of memberships, the dissimilarity of 13AGRI."""

from fractions import Fraction

import numpy as np

from concordant.arrays import Vector
from concordant.bounded import UNIT_ROUNDOFF
from concordant.pairs.values.pair_value import PairValue
from concordant.partition.partition import Partition


class Inner(PairValue):
    """One minus the inner product of memberships."""

    title = "the concordance of inner products"

    @staticmethod
    def columns(P: Partition) -> Vector:
        """Return the memberships, K x n: empty clusters change no bit."""
        u = P.columns()
        return u[u.any(axis=1)]

    @staticmethod
    def bounds(u: Vector) -> tuple[float, float]:
        """
        Return numbers between which all values lie, as computed in any order.

        A product is at most the longest squared (Cauchy-Schwarz), and negative only
        where memberships are: by what these add up to, times the largest of the other
        object, for both objects. If all objects are alike, there is one value.
        """
        if (u == u[:, :1]).all():
            value = 1.0 - float((u[:, 0] * u[:, 0]).sum())
            return value, value
        longest = float((u * u).sum(axis=0).max())
        margin = Inner.rounding(u, 0.0)
        below = 0.0
        if u.min() < 0.0:
            negative = float(np.maximum(-u, 0.0).sum(axis=0).max())
            below = 2.0 * negative * float(np.abs(u).max())
        return 1.0 - longest - margin, 1.0 + below + margin

    @staticmethod
    def exact(u: list[Fraction], v: list[Fraction]) -> Fraction:
        """Return the value of two objects without rounding."""
        return 1 - sum((a * b for a, b in zip(u, v, strict=True)), Fraction(0))

    @staticmethod
    def rounding(u: Vector, mean: float) -> float:
        """Bound the error of values: K products and differences; 0 of whole numbers."""
        if (u == np.rint(u)).all():
            return 0.0
        return (
            (2 * len(u) + 2) * UNIT_ROUNDOFF * max(1.0, float(abs(u).sum(axis=0).max()))
        )

    @staticmethod
    def off_multiples(away: float) -> float:
        """Bound how far values are off if so far are the memberships of each object."""
        return 2.5 * away

    @staticmethod
    def unit_of(denominator: int, rows_sum_alike: bool) -> float:
        """Return what values are multiples of if memberships are multiples of 1 / D."""
        return 1.0 / denominator**2

    @staticmethod
    def of_windows(ones: Vector, others: Vector, out: Vector) -> None:
        """Fill `out` with values of objects, K x h, and others of each, K x h x w."""
        out[...] = 1.0
        for one, other in zip(ones, others, strict=True):
            out -= one[:, None] * other
