"""Memberships that are multiples of a fraction 1 / D: shares, votes, rounded tables."""

import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from concordant.partition.partition import Partition

Vector = NDArray[np.float64]

#: The largest D: so many cells stay in the second cache.
MOST = (1 << 15) - 1

# How far doubles may be from a multiple: a few units in the last place of 1. No two
# fractions with denominators up to `MOST` are so close to each other.
_NEAR = 2.0**-50
_MOST_ATTEMPTS = 64
_BLOCK = 1 << 16  # memberships


class Multiples(NamedTuple):
    """
    Memberships are multiples of 1 / D, but for the rounding of doubles.

    `rows_sum_alike` tells whether all rows have the same sum, and `away` bounds how far
    the memberships of one object are from these multiples, added up.
    """

    denominator: int
    rows_sum_alike: bool
    away: float


def multiples_of(partition: Partition) -> Multiples | None:
    """
    Find the least D of which memberships are multiples; None if it is above `MOST`.

    D is the least common multiple of the denominators of memberships that are found not
    to be multiples of what was D before: mostly there are one or two.
    """
    columns = partition.columns()
    denominator = 1
    for _ in range(_MOST_ATTEMPTS):
        value = _no_multiple(columns, denominator)
        if value is None:
            return _multiples(columns, denominator)
        fraction = Fraction(value).limit_denominator(MOST)
        if abs(fraction - Fraction(value)) > _NEAR:
            return None
        before, denominator = denominator, math.lcm(denominator, fraction.denominator)
        if denominator == before or denominator > MOST:
            return None
    return None


def _no_multiple(columns: Vector, denominator: int) -> float | None:
    """Return a membership that is no multiple of 1 / D."""
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


def _multiples(columns: Vector, denominator: int) -> Multiples:
    times = np.rint(columns * denominator)
    sums = times.sum(axis=0)
    away = np.zeros(columns.shape[1])
    for column, whole in zip(columns, times, strict=True):
        # A quotient is rounded by half a unit, and so is what is left.
        nearest = whole / denominator
        away += np.abs(column - nearest) + np.abs(nearest) * 2.0**-53
    alike = bool(sums.min() == sums.max())
    return Multiples(denominator, alike, 1.001 * float(away.max()))
