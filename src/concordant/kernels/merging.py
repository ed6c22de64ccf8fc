"""E|X - Y| of masses at places, in one walk over both."""

import numpy as np
from numpy.typing import NDArray

from concordant.kernels.compiling import kernel

Vector = NDArray[np.float64]
Counts = NDArray[np.int64]


@kernel
def mean_difference(x: Vector, p: Counts, y: Vector, q: Counts, total: int) -> float:
    """
    Integrate F (1 - G) + G (1 - F), F and G with masses p and q at places x and y.

    Places ascend, and both sides have the same total. Masses up to a place are exact,
    and the sum is compensated: no term is negative, so that few units are lost in all.
    """
    unit = 1.0 / total
    f = g = np.int64(0)
    i = j = 0
    value = lost = 0.0
    at = min(x[0], y[0])
    while i < x.size or j < y.size:
        next_x = x[i] if i < x.size else np.inf
        next_y = y[j] if j < y.size else np.inf
        here = min(next_x, next_y)
        one_side = (f * unit) * ((total - g) * unit)
        part = (here - at) * (one_side + (g * unit) * ((total - f) * unit)) - lost
        more = value + part
        lost = (more - value) - part
        value, at = more, here
        if next_x == here:
            f += p[i]
            i += 1
        if next_y == here:
            g += q[j]
            j += 1
    return value
