"""Pairs by the fuzzy contingency table (Anderson, Bezdek, Popescu and Keller 2010)."""

import math

import numpy as np
from numpy.typing import NDArray

from concordant.bounded import UNIT_ROUNDOFF
from concordant.errors import Data, InputError
from concordant.measures.tables.pair_table import PairTable
from concordant.sums.products import Products, sum_of_squares

_LEAST = 2.0**-900  # products below which rounding is not relative


def anderson(sums: Products) -> PairTable:
    """
    Put N = U'V, scaled to sum to n, into the formulas for crisp contingency tables.

    a = (sum N² - n) / 2, b = (sum of squared row sums - sum N²) / 2, c likewise with
    columns, d = (n² + sum N² - both) / 2: b sums products of two cells of a row, c of a
    column, d of cells that share neither. a can be negative; one object has no pair.
    """
    n, total = sums.n_objects, math.fsum(sums.cross.ravel())
    if total == 0.0:
        raise InputError(
            "no object belongs to any cluster in both ",
            Data("P"),
            " and ",
            Data("Q"),
            ", so that Anderson's contingency table is empty",
        )
    if n < 2:
        return PairTable(0, 0, 0, 0, "anderson")
    power = max(0, -math.frexp(total)[1])  # of 2: n / total may pass all doubles
    N = np.ldexp(sums.cross, power) * (n / math.ldexp(total, power))
    # All four are sums of products of two cells, and no large numbers are subtracted.
    off = 2.0 * sums.rounding + (sum(N.shape) + 16) * UNIT_ROUNDOFF
    off = off * n * n if total > _LEAST else math.inf
    found = (
        (sum_of_squares(N) - n) / 2,
        math.fsum((N * _behind(N, axis=1)).ravel()),
        math.fsum((N * _behind(N, axis=0)).ravel()),
        # From both sides, so that P and Q can be exchanged.
        math.fsum((*_sharing_neither(N), *_sharing_neither(N.T))) / 2,
    )
    return PairTable(*found, "anderson", rounding=(off,) * 4)


def _sharing_neither(cells: NDArray[np.float64]) -> NDArray[np.float64]:
    """Multiply each cell with those of later rows that are not in its column."""
    later = _behind(cells, axis=0)
    return (cells * (_before(later, axis=1) + _behind(later, axis=1))).ravel()


def _behind(cells: NDArray[np.float64], axis: int) -> NDArray[np.float64]:
    """Return for each cell the sum of those behind it in its row or column."""
    return np.flip(_before(np.flip(cells, axis), axis), axis)


def _before(cells: NDArray[np.float64], axis: int) -> NDArray[np.float64]:
    """Return for each cell the sum of those before it in its row or column."""
    shifted = np.insert(np.delete(cells, -1, axis), 0, 0.0, axis)
    return np.asarray(shifted.cumsum(axis))
