"""Sums of doubles without rounding, so that their order does not matter."""

_UNIT = 1074  # a sum counts units of 2 to the power of minus this, the least double


def units(x: float) -> int:
    """Return a double as a whole number of units, which every double is."""
    numerator, denominator = x.as_integer_ratio()
    return numerator << (_UNIT + 1 - denominator.bit_length())


def rounded(total: int) -> float:
    """Return a sum of units as a double, correctly rounded."""
    return total / (1 << _UNIT)
