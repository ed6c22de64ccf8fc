"""Sums of doubles without rounding, so that their order does not matter."""

_UNIT = 1074  # a sum counts units of 2 to the power of minus this, the least double


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
        Exact: every double is a whole number of units.
    """
    numerator, denominator = x.as_integer_ratio()
    return numerator << (_UNIT + 1 - denominator.bit_length())


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
