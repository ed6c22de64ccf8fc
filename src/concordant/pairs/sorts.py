"""Sums of differences between all numbers, by sorting them."""

import numpy as np

from concordant.arrays import Vector

#: A bound of the relative error of `sum_of_absolute_differences`: no term is negative,
#: each has five operations, and NumPy adds runs of at most 128 terms in a tree.
RELATIVE_ROUNDOFF = 160 * 2.0**-53


def sum_of_absolute_differences(ordered: Vector) -> float:
    """
    Sum |u_i - u_j| over all pairs of numbers that ascend.

    It is the sum over r of (r + 1)(n - 1 - r)(u_(r+1) - u_(r)): no term is negative, so
    that nothing cancels even if the numbers are 1e-12 apart.
    """
    below = np.arange(1.0, ordered.size)
    gaps = np.diff(ordered)
    gaps *= below
    gaps *= below[::-1]
    return float(gaps.sum())
