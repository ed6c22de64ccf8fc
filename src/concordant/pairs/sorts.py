"""Sums of differences between all numbers, by sorting them."""

import numpy as np

from concordant.arrays import Counts, Vector

#: A bound of the relative error of `sum_of_absolute_differences`: no term is negative,
#: each has five operations, and NumPy adds runs of at most 128 terms in a tree.
RELATIVE_ROUNDOFF = 160 * 2.0**-53


def weights_of_gaps(sizes: Counts) -> Vector:
    """Return how many pairs of a class span the gap behind each number but the last."""
    ends = np.cumsum(sizes)
    below = np.arange(1.0, ends[-1] + 1.0) - np.repeat(ends - sizes, sizes)
    return np.asarray((below * (np.repeat(sizes, sizes) - below))[:-1])


def sum_of_absolute_differences(ordered: Vector, weights: Vector) -> float:
    """
    Sum |u_i - u_j| over all pairs of numbers of a class, which ascend class by class.

    With r + 1 numbers of the n of a class up to u_(r), it is the sum over r of
    (r + 1)(n - 1 - r)(u_(r+1) - u_(r)), weights being those of gaps: no term is
    negative, so that nothing cancels even if the numbers are 1e-12 apart.
    """
    gaps = np.diff(ordered)
    gaps *= weights
    return float(gaps.sum())
