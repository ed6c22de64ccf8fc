"""d and E[d] from all dissimilarities, with twice the digits of a double."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from concordant.exact import summed

Vector = NDArray[np.float64]


class _Doubled(NamedTuple):
    """Numbers as unevaluated sums of two doubles, and whether they are exact."""

    high: Vector
    low: Vector
    exact: bool


def twice_precise(p: Vector, q: Vector) -> tuple[float, float, float]:
    """
    Compute d and E[d] where doubles would lose too many digits.

    Parameters
    ----------
    p, q : ndarray of shape (K, n) and (L, n)
        Memberships, one cluster per row.

    Returns
    -------
    tuple of three float
        d, E[d], and a bound of the error of either beyond 4 units of rounding: 0 if all
        dissimilarities are exact, as they are if memberships have a common unit.

    Notes
    -----
    O(n² (K + L + log n)) time, O(n²) memory.
    """
    x, y = _dissimilarities(p), _dissimilarities(q)
    # A sum of 2 K terms of 106 digits, each addition losing at most the last two.
    lost = 0.0
    for columns, side in ((p, x), (q, y)):
        if not side.exact:
            lost += len(columns) * 2.0**-100 * float(side.high.mean())
    m = len(x.high)
    d = summed(np.abs(_difference(x, y))) / m
    if _is_constant(x) or _is_constant(y):
        return d, d, lost  # every permutation gives the same
    return d, _expected_difference(x, y), lost


def _dissimilarities(columns: Vector) -> _Doubled:
    i, j = np.triu_indices(columns.shape[1], 1)
    high, low = np.zeros(len(i)), np.zeros(len(i))
    exact = True
    for column in columns:
        difference, error = _two_sum(column[i], -column[j])
        error *= np.sign(difference)
        high, lost = _two_sum(high, np.abs(difference))
        low, first = _two_sum(low, lost)
        low, second = _two_sum(low, error)
        exact = exact and not (first.any() or second.any())
    high, low = _two_sum(high, low)
    return _Doubled(0.5 * high, 0.5 * low, exact)


def _two_sum(a: Vector, b: Vector) -> tuple[Vector, Vector]:
    """Give a + b as a double, and what rounding took off (Knuth)."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def _difference(x: _Doubled, y: _Doubled) -> Vector:
    high, low = _two_sum(x.high, -y.high)
    return high + (low + (x.low - y.low))


def _is_constant(x: _Doubled) -> bool:
    return bool((x.high == x.high[0]).all() and (x.low == x.low[0]).all())


def _expected_difference(x: _Doubled, y: _Doubled) -> float:
    """Average |x_s - y_t| over all s and t, by the integral of F (1-G) + G (1-F)."""
    m = len(x.high)
    high, low = np.concatenate((x.high, y.high)), np.concatenate((x.low, y.low))
    order = np.lexsort((low, high))
    high, low = high[order], low[order]
    below_x = np.cumsum(order < m)[:-1]
    below_y = np.arange(1, 2 * m) - below_x
    above = _Doubled(high[1:], low[1:], x.exact)
    gaps = _difference(above, _Doubled(high[:-1], low[:-1], x.exact))
    weights = below_x * (m - below_y) + below_y * (m - below_x)
    return summed(gaps * weights) / m**2
