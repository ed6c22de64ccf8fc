"""Cardinalities of a block of pairs, for families that are sums over pairs."""

import numpy as np
from numpy.typing import NDArray

from concordant.kernels.compiling import kernel

Values = NDArray[np.float64]
Sums = NDArray[np.float64]  # a, b, c and d, of each shift of the block


@kernel
def _t(t_norm: int, x: float, y: float) -> float:
    # The compiler makes a loop for each.
    if t_norm == 0:
        return min(x, y)
    if t_norm == 1:
        return x * y
    return max(x + y - 1.0, 0.0)


@kernel
def huellermeier(x: Values, y: Values, t_norm: int, sums: Sums) -> None:
    """Add up pairs whose dissimilarities are x in P and y in Q."""
    a, b, c, d = sums[0], sums[1], sums[2], sums[3]
    width = a.size
    for start in range(0, x.size, width):
        in_p, in_q = x[start : start + width], y[start : start + width]
        for t in range(width):
            difference = in_q[t] - in_p[t]
            agreement = 1.0 - abs(difference)
            together = _t(t_norm, 1.0 - in_p[t], 1.0 - in_q[t])
            a[t] += _t(t_norm, agreement, together)
            b[t] += max(difference, 0.0)
            c[t] += max(-difference, 0.0)
            d[t] += _t(t_norm, agreement, 1.0 - together)


@kernel
def campello(
    shared_p: Values,
    apart_p: Values,
    shared_q: Values,
    apart_q: Values,
    t_norm: int,
    sums: Sums,
) -> None:
    """Add up pairs by how far they share a cluster or lie apart, in P and in Q."""
    a, b, c, d = sums[0], sums[1], sums[2], sums[3]
    width = a.size
    for start in range(0, shared_p.size, width):
        stop = start + width
        v, x = shared_p[start:stop], apart_p[start:stop]
        y, z = shared_q[start:stop], apart_q[start:stop]
        for t in range(width):
            a[t] += _t(t_norm, v[t], y[t])
            b[t] += _t(t_norm, v[t], z[t])
            c[t] += _t(t_norm, x[t], y[t])
            d[t] += _t(t_norm, x[t], z[t])
