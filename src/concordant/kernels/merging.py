"""E|X - Y| of masses at places, in one walk over both."""

import numpy as np

from concordant.arrays import Counts, Vector
from concordant.kernels.compiling import kernel


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
    while i < x.size and j < y.size:
        here = min(x[i], y[j])
        one_side = (f * unit) * ((total - g) * unit)
        part = (here - at) * (one_side + (g * unit) * ((total - f) * unit)) - lost
        more = value + part
        lost = (more - value) - part
        value, at = more, here
        # Without a branch, as there is no telling which one comes first.
        first = int(x[i] <= y[j])
        f += first * p[i]
        g += (1 - first) * q[j]
        i += first
        j += 1 - first
    # The other side has nothing beyond.
    rest, masses, h, start = (x, p, f, i) if i < x.size else (y, q, g, j)
    for k in range(start, rest.size):
        part = (rest[k] - at) * ((total - h) * unit) - lost
        more = value + part
        lost = (more - value) - part
        value, at = more, rest[k]
        h += masses[k]
    return value
