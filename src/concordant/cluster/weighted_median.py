"""The median of weighted numbers."""

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]


def weighted_median(values: Vector, weights: Vector) -> float:
    """Give the middle of the lower and the upper median; weights are above 0."""
    if (weights == weights[0]).all():
        middle = np.array([(len(values) - 1) // 2, len(values) // 2])
        lower, upper = np.partition(values, middle)[middle]
    else:
        order = np.argsort(values)
        below = np.cumsum(weights[order])
        lower = values[order[np.searchsorted(below, 0.5 * below[-1], "left")]]
        upper = values[order[np.searchsorted(below[:-1], 0.5 * below[-1], "right")]]
    return float(0.5 * lower + 0.5 * upper)
