"""Sums of doubles without rounding, so that their order does not matter."""

import math

import numpy as np
from numpy.typing import NDArray

_BITS = 13
#: How many numbers `partial_sums` takes: they stay in the cache, with what is made of
#: them.
BLOCK = 1 << _BITS
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


def summed(values: NDArray[np.float64]) -> float:
    """
    Add up many numbers.

    Parameters
    ----------
    values : ndarray of shape (m,)
        Finite numbers.

    Returns
    -------
    float
        Within 2^-53 + m 2^-78 of the sum, in relation to it, and to the bit the same
        for numbers in any order. If some are negative that holds for these and for the
        others, whose sums are added then.

    Examples
    --------
    >>> import numpy as np
    >>> from concordant.exact import summed
    >>> summed(np.full(10, 0.1))
    1.0
    """
    if values.size and values.min() < 0.0:
        return summed(np.maximum(values, 0.0)) - summed(np.maximum(-values, 0.0))
    largest = float(values.max()) if values.size else 0.0
    blocks = (values[i : i + BLOCK] for i in range(0, values.size, BLOCK))
    return math.fsum(part for block in blocks for part in partial_sums(block, largest))


def partial_sums(block: NDArray[np.float64], largest: float) -> tuple[float, float]:
    """
    Add up the leading digits of some numbers, and the following ones.

    Parameters
    ----------
    block : ndarray of at most `BLOCK`
        Numbers that are not negative.
    largest : float
        None of them is larger.

    Returns
    -------
    tuple of two float
        Without rounding; each number lost at most 2^-78 of the largest.

    Notes
    -----
    What is added to a large power of two, which is then taken off again, keeps so few
    digits that they can be added without rounding. Of what is left the same is done
    once more (Rump, Ogita, Oishi 2008, "Accurate floating-point summation").
    """
    digits, leading = leading_digits(block, largest)
    # What is left is at most half a unit of these, and has a sign.
    power = math.ldexp(1.0, math.frexp(largest)[1] + 2 * _BITS - 52)
    left = block - digits
    np.add(left, power, out=digits)
    digits -= power
    return leading, float(digits.sum())


def leading_digits(
    block: NDArray[np.float64], largest: float
) -> tuple[NDArray[np.float64], float]:
    """Round numbers to 2^-39 of the largest, or less, and add that up exactly."""
    power = math.ldexp(1.0, math.frexp(largest)[1] + _BITS)
    digits = block + power
    digits -= power
    return digits, float(digits.sum())
