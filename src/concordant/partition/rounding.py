"""Memberships as tables print them: multiples of a power of ten."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

_FEWEST = 2  # digits that are taken for rounding: with one, 0.3 + 0.3 + 0.3 would pass
_MOST = 12
_MOST_SINGLE = 5  # digits that float32 can tell from its own rounding
_DOUBLE, _SINGLE = 2.0**-50, 2.0**-22  # a few units in the last place of 1
_FURTHEST = 0.5  # from 1: a row of zeros, or with two ones, is no matter of rounding
_BLOCK = 8192  # rows


@dataclass(frozen=True)
class Rounding:
    """
    To how many digits memberships were rounded: all are multiples of 10^-d.

    Rows may then sum to 1 within the slack: K / 2 units of the last digit, less than
    1/2.
    """

    digits: int
    slack: float


def rounding_of(array: NDArray[Any], least: float) -> Rounding | None:
    """
    Find the digits of a table of memberships.

    None if they are not rounded, or to so many digits that no row can be further from 1
    than `least`, the slack that rows have anyway, for that.
    """
    n, n_clusters = array.shape
    digits, single = _FEWEST, True
    with np.errstate(over="ignore", invalid="ignore"):  # rows that nobody checked
        for start in range(0, n, _BLOCK):
            rows = array[start : start + _BLOCK].astype(np.float64)
            singles = rows.astype(np.float32) == rows
            single = single and bool(singles.all())
            while not _are_multiples(rows, singles, digits):
                digits += 1
                if digits > _MOST or n_clusters / 2 * 10.0**-digits <= least:
                    return None
    # With what sums of doubles, or of float32, are off themselves.
    slack = n_clusters * (0.5 * 10.0**-digits + (_SINGLE if single else _DOUBLE))
    return Rounding(digits, min(slack, _FURTHEST - _SINGLE))


def _are_multiples(
    rows: NDArray[np.float64], singles: NDArray[np.bool_], digits: int
) -> bool:
    """Tell whether memberships are multiples of 10^-digits, or float32 of those."""
    power = 10.0**digits
    away = np.abs(rows - np.rint(rows * power) / power)
    near = _SINGLE if digits <= _MOST_SINGLE else _DOUBLE
    return bool((away <= np.where(singles, near, _DOUBLE)).all())
