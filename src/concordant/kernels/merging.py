"""Two vectors that ascend, merged, and E|X - Y| of masses in one walk over both."""

import numpy as np

from concordant.arrays import Counts, Vector
from concordant.kernels.compiling import kernel


@kernel
def merge(x: Vector, y: Vector, out: Vector) -> None:
    """
    Fill `out` with two vectors of the same size that ascend, in order.

    Each comparison waits for the one before: so there are four chains of them, upwards
    from the ends and from `skipped` numbers on, and downwards. None takes more than are
    left of `size`, so that no index leaves its vector.
    """
    size, last = x.size, 2 * x.size - 1
    skipped = size // 2
    first, most = 0, skipped  # of x, among as many that come first
    while first < most:
        half = (first + most) // 2
        if x[half] <= y[skipped - half - 1]:
            first = half + 1
        else:
            most = half
    final, most = 0, skipped  # of x, among as many that come last
    while final < most:
        half = (final + most) // 2
        if x[size - 1 - half] > y[size - skipped + half]:
            final = half + 1
        else:
            most = half
    a, b, c, d = 0, 0, size - 1, size - 1
    e, f, g, h = first, skipped - first, c - final, d - (skipped - final)
    for t in range(size - skipped):
        of_x = x[a] <= y[b]
        out[t] = x[a] if of_x else y[b]
        a += of_x
        b += 1 - of_x
        of_y = x[c] <= y[d]
        out[last - t] = y[d] if of_y else x[c]
        d -= of_y
        c -= 1 - of_y
        of_x = x[e] <= y[f]
        out[skipped + t] = x[e] if of_x else y[f]
        e += of_x
        f += 1 - of_x
        of_y = x[g] <= y[h]
        out[last - skipped - t] = y[h] if of_y else x[g]
        h -= of_y
        g -= 1 - of_y


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
