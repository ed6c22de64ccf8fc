"""The value of a pair of objects, and what may be known of it."""

from abc import ABC, abstractmethod
from fractions import Fraction

from concordant.arrays import Vector
from concordant.partition.partition import Partition


class PairValue(ABC):
    """
    How far one partition holds two objects apart.

    The mean difference of the values of two partitions is d. What a value must have is
    abstract; what it may have says by default that there is none.
    """

    #: What it is for, as a refusal of samples names it.
    title: str
    #: Whether an object's value with itself is 0.
    of_itself_0 = False

    @staticmethod
    @abstractmethod
    def columns(P: Partition) -> Vector:
        """Return what values are computed from, one column an object."""

    @staticmethod
    @abstractmethod
    def bounds(u: Vector) -> tuple[float, float]:
        """Return numbers between which all values lie, as computed in any order."""

    @staticmethod
    @abstractmethod
    def rounding(u: Vector, mean: float) -> float:
        """Bound the mean error of values, given their mean."""

    @staticmethod
    @abstractmethod
    def of_windows(ones: Vector, others: Vector, out: Vector) -> None:
        """Fill `out` with values of objects, K x h, and others of each, K x h x w."""

    @classmethod
    def excess(cls, P: Partition) -> float:
        """Bound how far values leave the range from 0 to 1 by more than rounding."""
        u = cls.columns(P)
        low, high = cls.bounds(u)
        found = max(-low, high - 1.0)
        return found if found > 4.0 * cls.rounding(u, 0.0) else 0.0

    @staticmethod
    def exact(u: list[Fraction], v: list[Fraction]) -> Fraction | None:
        """Return the value of two objects without rounding, if there is a formula."""
        return None

    @staticmethod
    def unit_of(denominator: int, rows_sum_alike: bool) -> float | None:
        """Return what values are multiples of if memberships are multiples of 1 / D."""
        return None

    @staticmethod
    def off_multiples(away: float) -> float:
        """Bound the error of a value, given the L1 error of each row."""
        raise NotImplementedError("a value with a unit says how far it may be off")
