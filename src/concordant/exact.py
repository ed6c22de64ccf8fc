"""Sums of doubles without rounding, so that their order does not matter."""

import math

_UNIT = 256  # a sum counts units of 2 to the power of minus this


def units(x: float) -> int:
    """
    Give a double as a whole number of units, to be added to others.

    Parameters
    ----------
    x : float
        A finite number.

    Returns
    -------
    int
        Exact, but for what lies below one unit (1e-77).
    """
    return int(math.ldexp(x, _UNIT))


def rounded(total: int) -> float:
    """
    Give a sum of units as a double.

    Parameters
    ----------
    total : int
        The sum.

    Returns
    -------
    float
        Correctly rounded.

    Examples
    --------
    >>> from concordant.exact import rounded, units
    >>> rounded(sum(units(x) for x in (1e16, 1.0, -1e16)))
    1.0
    """
    return total / (1 << _UNIT)
