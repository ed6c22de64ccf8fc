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
    """Return a double as a whole number of units, which every double is."""
    numerator, denominator = x.as_integer_ratio()
    return numerator << (_UNIT + 1 - denominator.bit_length())


def rounded(total: int) -> float:
    """Return a sum of units as a double, correctly rounded."""
    return total / (1 << _UNIT)


def summed(values: NDArray[np.float64]) -> float:
    """
    Add up many finite numbers, to the bit the same in any order.

    The sum is within 2^-53 + m 2^-78 of the exact one, in relation to it; if some are
    negative, that holds for these and for the others, whose sums are added then.
    """
    if values.size and values.min() < 0.0:
        return summed(np.maximum(values, 0.0)) - summed(np.maximum(-values, 0.0))
    largest = float(values.max()) if values.size else 0.0
    blocks = (values[i : i + BLOCK] for i in range(0, values.size, BLOCK))
    return math.fsum(part for block in blocks for part in partial_sums(block, largest))


def partial_sums(block: NDArray[np.float64], largest: float) -> tuple[float, float]:
    """
    Add up the leading digits of some numbers, and the following ones.

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
