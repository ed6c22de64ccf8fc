"""Memberships that are multiples of a fraction 1 / D: shares, votes, rounded tables."""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from concordant.agreement.spread import spread
from concordant.partition.partition import Partition

Vector = NDArray[np.float64]
Numerators = NDArray[np.uint16]

#: The largest D, as twice that is to be held in 16 bits.
MOST = (1 << 15) - 1

# How far doubles may be from a multiple: a few units in the last place of 1. No two
# fractions with denominators up to `MOST` are so close to each other.
_NEAR = 2.0**-50
_MOST_ATTEMPTS = 64
_BLOCK = 1 << 16  # memberships
_SPLIT = 2.0**27 + 1.0


@dataclass(frozen=True, eq=False)
class Lattice:
    """
    Memberships as whole numbers of one unit.

    Parameters
    ----------
    denominator : int
        D.
    numerators : ndarray of shape (K, n)
        D times the memberships, one cluster per row.
    row_sum : int
        What the numerators of every object sum to; 0 if that is not the same for all.
    memberships : ndarray of shape (K, n)
        As they are.
    """

    denominator: int
    numerators: Numerators
    row_sum: int
    memberships: Vector

    @cached_property
    def noise(self) -> float:
        """
        How far dissimilarities are off on average, because doubles are no fractions.

        A bound of the mean, over all pairs, of the difference between dissimilarities
        of memberships as they are and of their multiples of 1 / D.
        """
        D = self.denominator
        sides = zip(self.memberships, self.numerators, strict=True)
        return math.fsum(_noise(column, whole, D) for column, whole in sides) / D

    @property
    def unit(self) -> int:
        """The denominator of dissimilarities: D, or 2 D if rows do not sum alike."""
        return self.denominator if self.row_sum else 2 * self.denominator

    @cached_property
    def n_distances(self) -> int:
        """No dissimilarity is so many units, or more."""
        longest = self.row_sum or 2 * int(self.numerators.sum(axis=0, dtype=int).max())
        return longest + 1


def lattice_of(partition: Partition) -> Lattice | None:
    """
    Find the coarsest lattice on which memberships lie, but for the rounding of doubles.

    Parameters
    ----------
    partition : Partition
        Crisp or fuzzy.

    Returns
    -------
    Lattice or None
        None if D were larger than `MOST`, or a membership is negative.

    Notes
    -----
    D is the least common multiple of the denominators of memberships that are found not
    to be multiples of what was D before: mostly there are one or two.
    """
    columns = partition.columns()
    denominator = 1
    for _ in range(_MOST_ATTEMPTS):
        value = _no_multiple(columns, denominator)
        if value is None:
            return _on_lattice(columns, denominator)
        fraction = Fraction(value).limit_denominator(MOST)
        if abs(fraction - Fraction(value)) > _NEAR:
            return None
        before, denominator = denominator, math.lcm(denominator, fraction.denominator)
        if denominator == before or denominator > MOST:
            return None
    return None


def _no_multiple(columns: Vector, denominator: int) -> float | None:
    """Give a membership that is no multiple of 1 / D."""
    for column in columns:
        for start in range(0, column.size, _BLOCK):
            values = column[start : start + _BLOCK]
            times = values * denominator
            # The product is rounded by less than what is tolerated of it.
            away = np.abs(times - np.rint(times)) > 0.5 * _NEAR * denominator
            first = int(away.argmax())
            if away[first]:
                return float(values[first])
    return None


def _on_lattice(columns: Vector, denominator: int) -> Lattice | None:
    times = np.rint(columns * denominator)
    if times.min() < 0.0:
        return None
    sums = times.sum(axis=0)
    shortest, longest = int(sums.min()), int(sums.max())
    if longest > MOST:
        return None
    return Lattice(
        denominator,
        times.astype(np.uint16),
        longest if shortest == longest else 0,
        columns,
    )


def _noise(column: Vector, whole: Numerators, denominator: int) -> float:
    """
    Bound the mean of |e_i - e_j| / 2 over all pairs, e what D u is beyond an integer.

    D times the leading half of the digits of u is exact, and so is what is left of it
    if the integer is taken off.
    """
    scaled = column * _SPLIT
    leading = scaled - (scaled - column)
    beyond = (leading * denominator - whole) + (column - leading) * denominator
    n = beyond.size
    if n < 2 or not beyond.any():
        return 0.0
    # A bit more, for all that is rounded here.
    return 0.5 * 1.001 * spread(np.sort(beyond)) / (n * (n - 1) // 2)
