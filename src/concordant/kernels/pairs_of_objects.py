"""Sums over the pairs of each object, from the values of a block."""

import numpy as np

from concordant.arrays import Vector
from concordant.kernels.compiling import kernel


@kernel
def _add(z: Vector, row: int, first: int, out: Vector) -> None:
    """Add values of the pairs of one object to it, and to each of the others."""
    others = out[row + first : row + first + z.size]
    s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
    whole = z.size - z.size % 4
    for t in range(0, whole, 4):
        s0 += z[t]
        s1 += z[t + 1]
        s2 += z[t + 2]
        s3 += z[t + 3]
    for t in range(whole, z.size):
        s0 += z[t]
    out[row] += (s0 + s1) + (s2 + s3)
    for t in range(z.size):
        others[t] += z[t]


@kernel
def _look_up(
    x: Vector,
    starts: Vector,
    lengths: Vector,
    slopes: Vector,
    table: Vector,
    place: Vector,
    z: Vector,
) -> None:
    """Fill `z` with a function of x that is linear between the knots of a grid."""
    for t in range(place.size):
        place[t] = 0.0
    for s in range(slopes.size):
        low, length, slope = starts[s], lengths[s], slopes[s]
        for t in range(place.size):
            place[t] += slope * min(max(x[t] - low, 0.0), length)
    last = table.size - 2
    for t in range(place.size):
        cell = min(int(place[t]), last)
        left = table[cell]
        z[t] = left + (place[t] - cell) * (table[cell + 1] - left)


@kernel
def add_to_objects(
    x: Vector,
    y: Vector,
    row: int,
    first: int,
    width: int,
    starts: Vector,
    lengths: Vector,
    slopes: Vector,
    to_x: Vector,
    to_y: Vector,
    out: Vector,
) -> None:
    """
    Add |x - y|, E|x - Y| and E|X - y| of a block to the objects of each of its pairs.

    `to_x` and `to_y` are the mean distances of X and Y from the knots of a grid. The
    block begins at column `row` of `out`, and its caller makes sure that the columns
    reach to the last object.
    """
    place, z = np.empty(width), np.empty(width)
    for start in range(0, x.size, width):
        a, b = x[start : start + width], y[start : start + width]
        for t in range(width):
            z[t] = abs(a[t] - b[t])
        _add(z, row, first, out[0])
        _look_up(a, starts, lengths, slopes, to_y, place, z)
        _add(z, row, first, out[1])
        _look_up(b, starts, lengths, slopes, to_x, place, z)
        _add(z, row, first, out[2])
        row += 1
