"""Two vectors that ascend, merged, and E|X - Y| of masses in one walk over both."""

import numpy as np

from concordant.arrays import Counts, Vector
from concordant.kernels.compiling import kernel

# Of two sides, how many places were passed and the masses there, the last of these
# places, and the integral up to it.
_Walk = tuple[int, int, np.int64, np.int64, float, float]


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
def walk_along(
    x: Vector,
    p: Counts,
    y: Vector,
    q: Counts,
    total: int,
    x2: Vector,
    p2: Counts,
    y2: Vector,
    q2: Counts,
    total2: int,
) -> tuple[_Walk, _Walk]:
    """
    Integrate F (1 - G) + G (1 - F), F and G with masses p and q at places x and y.

    It stops before both sides have a last place, as only the next one is known to be
    there. Places ascend, and both sides have the same total. Masses up to a place are
    exact, and the sum is compensated: no term is negative, so that few units are lost.
    As each step waits for a comparison, other masses are walked along side by side.
    """
    unit, unit2 = 1.0 / total, 1.0 / total2
    f = g = f2 = g2 = np.int64(0)
    i = j = i2 = j2 = 0
    value = lost = value2 = lost2 = 0.0
    at = here = min(x[0], y[0])
    at2 = here2 = min(x2[0], y2[0])
    top, top2 = min(x[x.size - 1], y[y.size - 1]), min(x2[x2.size - 1], y2[y2.size - 1])
    # What is passed is below the last place of its side: so no index leaves its vector.
    while here < top and here2 < top2:
        part = (f * unit) * ((total - g) * unit) + (g * unit) * ((total - f) * unit)
        part = (here - at) * part - lost
        more = value + part
        lost = (more - value) - part
        value, at = more, here
        # Without a branch, as there is no telling which one comes first.
        of_x = int(x[i] <= y[j])
        f += of_x * p[i]
        g += (1 - of_x) * q[j]
        i += of_x
        j += 1 - of_x
        here = min(x[i], y[j])
        part = (f2 * unit2) * ((total2 - g2) * unit2)
        part += (g2 * unit2) * ((total2 - f2) * unit2)
        part = (here2 - at2) * part - lost2
        more = value2 + part
        lost2 = (more - value2) - part
        value2, at2 = more, here2
        of_x = int(x2[i2] <= y2[j2])
        f2 += of_x * p2[i2]
        g2 += (1 - of_x) * q2[j2]
        i2 += of_x
        j2 += 1 - of_x
        here2 = min(x2[i2], y2[j2])
    return (i, j, f, g, at, value), (i2, j2, f2, g2, at2, value2)
