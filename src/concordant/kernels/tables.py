"""Sums over the pairs of a block that have no t-norm."""

import numpy as np
from numpy.typing import NDArray

from concordant.kernels.compiling import kernel

Values = NDArray[np.float64]
Sums = tuple[float, float, float, float]


@kernel
def wallace(x: Values, apart_p: Values, y: Values, apart_q: Values, width: int) -> Sums:
    """Add up agreement on pairs, and these, as far as P and as Q hold them together."""
    sums = np.zeros((4, width))
    in_p, in_q, of_p, of_q = sums[0], sums[1], sums[2], sums[3]
    for start in range(0, x.size, width):
        stop = start + width
        a, b = x[start:stop], y[start:stop]
        p, q = apart_p[start:stop], apart_q[start:stop]
        for t in range(width):
            agreement = 1.0 - abs(a[t] - b[t])
            in_p[t] += agreement * (1.0 - p[t])
            in_q[t] += agreement * (1.0 - q[t])
            of_p[t] += 1.0 - p[t]
            of_q[t] += 1.0 - q[t]
    return in_p.sum(), in_q.sum(), of_p.sum(), of_q.sum()


@kernel
def omega(x: Values, y: Values, width: int) -> Sums:
    """Add up the differences of values, 1 at most."""
    found = np.zeros(width)
    for start in range(0, x.size, width):
        a, b = x[start : start + width], y[start : start + width]
        for t in range(width):
            found[t] += min(abs(a[t] - b[t]), 1.0)
    return found.sum(), 0.0, 0.0, 0.0
