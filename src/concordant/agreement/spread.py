"""The sum of all differences between numbers, from one sort."""

import math

import numpy as np
from numpy.typing import NDArray

_BLOCK = 1 << 16

#: A bound of the relative error of `spread`: no term is negative, each has five
#: operations, and NumPy adds a block up in a tree over runs of at most 128 terms.
SPREAD_ERROR = 160 * 2.0**-53


def spread(ordered: NDArray[np.float64]) -> float:
    """
    Sum |u_i - u_j| over all pairs i < j of numbers that are in order.

    Parameters
    ----------
    ordered : ndarray of shape (n,) or (k, n)
        The numbers, ascending; of several rows, pairs within a row are taken.

    Returns
    -------
    float
        The sum over r of (r + 1)(n - 1 - r)(u_(r+1) - u_(r)). No term is negative, so
        that nothing cancels even if the numbers are 1e-12 apart.
    """
    n = ordered.shape[-1]
    blocks = [ordered]
    if ordered.ndim == 2:
        height = max(1, _BLOCK // n)
        blocks = [ordered[top : top + height] for top in range(0, len(ordered), height)]
    if len(ordered) == 1:
        blocks = [ordered.ravel()]  # one dimension is quicker
    total = []
    for start in range(0, n - 1, _BLOCK):
        stop = min(start + _BLOCK, n - 1)
        below = np.arange(start + 1, stop + 1, dtype=np.float64)
        above = below - n
        for block in blocks:
            gaps = block[..., start + 1 : stop + 1] - block[..., start:stop]
            gaps *= below
            gaps *= above
            total.append(-float(np.add.reduce(gaps.ravel())))
    return math.fsum(total)


def mean_differences(
    points: NDArray[np.float64], ordered: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Average |point - number| over all numbers, which ascend, for every point."""
    sums = np.concatenate(([0.0], np.cumsum(ordered)))
    below = np.searchsorted(ordered, points)
    total = points * (2.0 * below - ordered.size) + (sums[-1] - 2.0 * sums[below])
    return np.asarray(total / ordered.size)
