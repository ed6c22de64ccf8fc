"""Sums over all pairs of one object, for the objects of a block."""

import numpy as np
from numpy.typing import NDArray

from concordant.kernels.compiling import kernel

Values = NDArray[np.float64]
Vector = NDArray[np.float64]


@kernel
def _places(
    x: Values, starts: Vector, lengths: Vector, slopes: Vector, place: Vector
) -> None:
    """Fill `place` with where values lie on a grid."""
    for t in range(place.size):
        place[t] = slopes[0] * min(max(x[t] - starts[0], 0.0), lengths[0])
    for s in range(1, slopes.size):
        low, length, slope = starts[s], lengths[s], slopes[s]
        for t in range(place.size):
            place[t] += slope * min(max(x[t] - low, 0.0), length)


@kernel
def _sum_at(place: Vector, table: Vector) -> float:
    """Sum a function that is linear between its values at whole places, and beyond."""
    last = table.size - 2
    total = 0.0
    for t in range(place.size):
        cell = min(int(place[t]), last)
        total += table[cell] + (place[t] - cell) * (table[cell + 1] - table[cell])
    return total


@kernel
def row_sums(
    x: Values,
    y: Values,
    width: int,
    starts_x: Vector,
    lengths_x: Vector,
    slopes_x: Vector,
    to_x: Vector,
    starts_y: Vector,
    lengths_y: Vector,
    slopes_y: Vector,
    to_y: Vector,
    out: Vector,
) -> None:
    """
    Fill a row of `out` for each object: sums of |x - y|, E|x - Y| and E|X - y|.

    `to_x` and `to_y` are the mean distances of X and Y from the knots of their grids.
    """
    place = np.empty(width)
    for r in range(out.shape[0]):
        a, b = x[r * width : (r + 1) * width], y[r * width : (r + 1) * width]
        total = 0.0
        for t in range(width):
            total += abs(a[t] - b[t])
        out[r, 0] = total
        _places(a, starts_y, lengths_y, slopes_y, place)
        out[r, 1] = _sum_at(place, to_y)
        _places(b, starts_x, lengths_x, slopes_x, place)
        out[r, 2] = _sum_at(place, to_x)


@kernel
def add_to_clusters(
    x: Values,
    width: int,
    starts: Vector,
    lengths: Vector,
    slopes: Vector,
    weights: Vector,
    masses: Vector,
) -> None:
    """
    Share values out over knots, weighted by the memberships of their objects.

    `weights` has a row for each cluster and a column for each object of the block,
    `masses` a row for each cluster; a value between two knots is shared linearly.
    """
    place = np.empty(width)
    own = np.empty(masses.shape[1])
    last = own.size - 2
    for r in range(weights.shape[1]):
        own[:] = 0.0
        _places(x[r * width : (r + 1) * width], starts, lengths, slopes, place)
        for t in range(width):
            cell = min(int(place[t]), last)
            share = min(place[t] - cell, 1.0)
            own[cell] += 1.0 - share
            own[cell + 1] += share
        for k in range(weights.shape[0]):
            for c in range(own.size):
                masses[k, c] += weights[k, r] * own[c]
