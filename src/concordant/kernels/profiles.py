"""How dissimilarities of each object are distributed over cells."""

import numpy as np
from numpy.typing import NDArray

from concordant.kernels.compiling import kernel

Columns = NDArray[np.float64]  # K x n, one cluster per row
Vector = NDArray[np.float64]

#: A dissimilarity becomes a place of at most so many bits, of which those behind the
#: first ones are within a slot of a fine uniform grid.
PLACE_BITS, SLOT_BITS = 29, 17
#: A cell holds a count times 2^46, and the sum of its places.
COUNT_BITS = 46
#: So many objects at most: places of all of them stay below one count.
MOST_OBJECTS = 1 << (COUNT_BITS - PLACE_BITS)

# Indices without a sign are not tested for one.
_SLOT = np.uint64(SLOT_BITS)
_BLOCK = 1024  # others at a time, whose distances stay in the first cache


@kernel
def _half_l1(p: Columns, i: int, first: int, size: int, distances: Vector) -> None:
    """Fill `distances` with those of i to `size` objects from `first` on."""
    n_clusters = p.shape[0]
    k = n_clusters % 2
    if k == 1:
        u, a = 0.5 * p[0, i], p[0, first : first + size]
        for t in range(size):
            distances[t] = abs(u - 0.5 * a[t])
    else:
        for t in range(size):
            distances[t] = 0.0
    while k < n_clusters:
        u, v = 0.5 * p[k, i], 0.5 * p[k + 1, i]
        a, b = p[k, first : first + size], p[k + 1, first : first + size]
        for t in range(size):
            distances[t] = distances[t] + abs(u - 0.5 * a[t]) + abs(v - 0.5 * b[t])
        k += 2


@kernel
def fill_profiles(
    p: Columns,
    start: int,
    scale: float,
    cell_of: NDArray[np.uint16],
    out: NDArray[np.uint64],
) -> None:
    """
    Add the dissimilarities of objects from `start` on to their rows of `out`.

    The place of a dissimilarity a is a scale, rounded, or that of the last slot if it
    is larger, and cell_of[place >> SLOT_BITS] its cell.
    """
    n = p.shape[1]
    last = float((cell_of.size - 1) << SLOT_BITS)
    one = np.uint64(1 << COUNT_BITS)
    distances = np.empty(_BLOCK)
    places = np.empty(_BLOCK, np.int32)
    # Two rows in turn, as a cell that was just written cannot be read at once
    even = np.empty(out.shape[1], np.uint64)
    odd = np.empty(out.shape[1], np.uint64)
    for row in range(out.shape[0]):
        for c in range(out.shape[1]):
            even[c] = np.uint64(0)
            odd[c] = np.uint64(0)
        for first in range(0, n, _BLOCK):
            size = min(_BLOCK, n - first)
            _half_l1(p, start + row, first, size, distances)
            for t in range(size):
                places[t] = np.int32(min(distances[t] * scale, last) + 0.5)
            for t in range(0, size - 1, 2):
                x, y = np.uint64(places[t]), np.uint64(places[t + 1])
                even[np.uint64(cell_of[x >> _SLOT])] += one + x
                odd[np.uint64(cell_of[y >> _SLOT])] += one + y
            if size % 2 == 1:
                x = np.uint64(places[size - 1])
                even[np.uint64(cell_of[x >> _SLOT])] += one + x
        for c in range(out.shape[1]):
            out[row, c] = even[c] + odd[c]
        out[row, 0] -= one  # the object itself


@kernel
def sums_of_rows(p: Columns, start: int, sums: Vector, squares: Vector) -> None:
    """Give sums of min(a, 1) and its square over the others of objects from `start`."""
    n = p.shape[1]
    distances = np.empty(_BLOCK)
    first_lanes = np.empty(_BLOCK)
    second_lanes = np.empty(_BLOCK)
    for row in range(sums.size):
        first_lanes[:] = 0.0
        second_lanes[:] = 0.0
        for first in range(0, n, _BLOCK):
            size = min(_BLOCK, n - first)
            _half_l1(p, start + row, first, size, distances)
            for t in range(size):
                a = min(distances[t], 1.0)
                first_lanes[t] += a
                second_lanes[t] += a * a
        sums[row] = first_lanes.sum()
        squares[row] = second_lanes.sum()
