"""Half the L1 distance of memberships: the dissimilarity of NDC and ACI."""

import math
from fractions import Fraction

import numpy as np

from concordant.arrays import Vector
from concordant.bounded import UNIT_ROUNDOFF
from concordant.pairs.values.pair_value import PairValue
from concordant.partition.partition import Partition

_LEAST = 2.0**-1074  # half of the least doubles is rounded


class L1(PairValue):
    """Half the L1 distance of memberships."""

    title = "the concordance"
    of_itself_0 = True

    @staticmethod
    def columns(P: Partition) -> Vector:
        """Return half of the memberships, K x n: empty clusters change no bit."""
        u = P.columns()
        return 0.5 * u[u.any(axis=1)]

    @staticmethod
    def bounds(u: Vector) -> tuple[float, float]:
        """Return numbers between which all values lie, as computed in any order."""
        ranges = u.max(axis=1) - u.min(axis=1)
        longest = float(np.abs(u).sum(axis=0).max())
        # Sums of K numbers in two orders differ by less than K units of rounding each.
        margin = 1.0 + (len(u) + 2) * 2.0**-51
        return 0.0, min(math.fsum(ranges), 2.0 * longest) * margin

    @staticmethod
    def rounding(u: Vector, mean: float) -> float:
        """
        Bound the mean error of values, given their mean.

        Each difference is rounded once and takes part in at most K - 1 additions of
        numbers that are not negative; one more unit covers products of these errors.
        """
        if mean == 0.0:
            return 0.0
        K = len(u)
        return (K + 1) * UNIT_ROUNDOFF * mean + K * _LEAST

    @staticmethod
    def excess(P: Partition) -> float:
        """Bound how far values pass 1: they are at most half of two rows' sizes."""
        u = P.columns()
        sizes = u if u.min() >= 0.0 else np.abs(u)
        found = float(sizes.sum(axis=0).max()) - 1.0
        # Sums of K memberships are rounded.
        return found if found > 4.0 * (len(u) + 2) * UNIT_ROUNDOFF else 0.0

    @staticmethod
    def exact(u: list[Fraction], v: list[Fraction]) -> Fraction:
        """Return the value of two objects without rounding."""
        return sum((abs(a - b) for a, b in zip(u, v, strict=True)), Fraction(0)) / 2

    @staticmethod
    def off_multiples(away: float) -> float:
        """Bound how far values are off if so far are the memberships of each object."""
        return away

    @staticmethod
    def unit_of(denominator: int, rows_sum_alike: bool) -> float:
        """Return what values are multiples of if memberships are multiples of 1 / D."""
        return 1.0 / (denominator if rows_sum_alike else 2 * denominator)

    @staticmethod
    def of_windows(ones: Vector, others: Vector, out: Vector) -> None:
        """Fill `out` with values of objects, K x h, and others of each, K x h x w."""
        np.subtract(others[0], ones[0, :, None], out=out)
        np.abs(out, out=out)
        more = np.empty_like(out)
        for one, other in zip(ones[1:], others[1:], strict=True):
            np.subtract(other, one[:, None], out=more)
            np.abs(more, out=more)
            out += more
