"""Memberships as whole numbers, and the cells that hold them."""

import numpy as np
from numpy.typing import NDArray

from concordant.kernels.compiling import kernel

Places = NDArray[np.int64]

# Memberships as whole numbers of units of 2^-60, in cells that are finer near 0 and 1:
# see concordant.streams.sketch_cells. Cells of a level are unions of cells of the level
# below.
_ONE = 1 << 60
_HALF = 1 << 59
TOP_LEVEL = 59
LOW_BITS = 30  # of a place, which are summed apart from the others
_LOW = (1 << LOW_BITS) - 1


@kernel
def _zone(place: int) -> int:
    """Tell a place below 0, in the lower half, in the upper half, and from 1 on."""
    if place < 0:
        return 0
    if place < _HALF:
        return 1
    return 2 if place < _ONE else 3


@kernel
def _distance(place: int, zone: int) -> int:
    """Count the places between a place and the nearest end of [0, 1]."""
    if zone == 0:
        return -1 - place
    if zone == 1:
        return place
    return _ONE - 1 - place if zone == 2 else place - _ONE


@kernel
def _bit_length(number: int) -> int:
    length = 0
    for step in (32, 16, 8, 4, 2, 1):
        if number >> step:
            number >>= step
            length += step
    return length + (1 if number else 0)


@kernel
def _bits_within(bits: int, level: int) -> int:
    """Give the bits of a distance that are not told apart, if it has so many."""
    # The width of a cell goes with the distance to the power of two thirds.
    return max(0, level - 2 * (TOP_LEVEL - bits) // 3)


@kernel
def _bits_at_the_end(level: int) -> int:
    """Give the most bits of a distance in the cell at the end."""
    bits = 0
    while bits < TOP_LEVEL and _bits_within(bits + 1, level) > bits:
        bits += 1
    return bits


@kernel
def _first_place(place: int, level: int, at_the_end: int) -> int:
    """Give the first place of the cell that a place lies in."""
    zone = _zone(place)
    distance = _distance(place, zone)
    bits = _bit_length(distance)
    if bits <= at_the_end:
        nearest, width = 0, 1 << at_the_end
    else:
        within = _bits_within(bits, level)
        nearest, width = (distance >> within) << within, 1 << within
    if zone == 0:
        return -nearest - width
    if zone == 1:
        return nearest
    return _ONE - nearest - width if zone == 2 else _ONE + nearest


@kernel
def _span(place: int, level: int, at_the_end: int) -> int:
    """Give the last place minus the first of the cell that a place lies in."""
    bits = _bit_length(_distance(place, _zone(place)))
    within = at_the_end
    if bits > at_the_end:
        within = _bits_within(bits, level)
    return (1 << within) - 1


@kernel
def spans_of_cells(places: Places, level: int, out: Places) -> None:
    """Fill `out` with the last place of each cell minus the first, which is given."""
    at_the_end = _bits_at_the_end(level)
    for r in range(places.size):
        out[r] = _span(places[r], level, at_the_end)


@kernel
def joining_levels(groups: Places, places: Places, out: Places) -> None:
    """Count neighbours of one group by the level from which on they share a cell."""
    for r in range(places.size - 1):
        x, y = places[r], places[r + 1]
        if groups[r] != groups[r + 1]:
            continue
        if x == y:
            out[0] += 1
            continue
        zone = _zone(x)
        if zone != _zone(y):
            continue
        one, other = _distance(x, zone), _distance(y, zone)
        bits = max(_bit_length(one), _bit_length(other))
        needed = bits
        if _bit_length(one) == _bit_length(other):
            needed = _bit_length(one ^ other)
        out[needed + 2 * (TOP_LEVEL - bits) // 3] += 1


@kernel
def cells_of_places(groups: Places, places: Places, level: int, out: Places) -> int:
    """Fill `out` with the cells of sorted places; give how many there are."""
    at_the_end = _bits_at_the_end(level)
    last = -1
    group, first, end = 0, 0, -1
    count, high, low = 0, 0, 0
    for r in range(places.size):
        place = places[r]
        if r == 0 or place > end or groups[r] != group:
            if last >= 0:
                out[0, last], out[1, last] = group, first
                out[2, last], out[3, last], out[4, last] = count, high, low
            last += 1
            group, first, end = groups[r], place, place
            if level > 0:
                first = _first_place(place, level, at_the_end)
                end = first + _span(first, level, at_the_end)
            count, high, low = 0, 0, 0
        count += 1
        high += place >> LOW_BITS
        low += place & _LOW
    if last >= 0:
        out[0, last], out[1, last] = group, first
        out[2, last], out[3, last], out[4, last] = count, high, low
    return last + 1


@kernel
def join_cells(
    groups: Places,
    places: Places,
    counts: Places,
    highs: Places,
    lows: Places,
    level: int,
) -> int:
    """Join sorted cells to those of a level, in their place; give how many are left."""
    at_the_end = _bits_at_the_end(level)
    last = -1
    for r in range(places.size):
        first = _first_place(places[r], level, at_the_end)
        if last >= 0 and groups[last] == groups[r] and places[last] == first:
            counts[last] += counts[r]
            highs[last] += highs[r]
            lows[last] += lows[r]
            continue
        last += 1
        groups[last], places[last] = groups[r], first
        counts[last], highs[last], lows[last] = counts[r], highs[r], lows[r]
    return last + 1


@kernel
def merge_cells(one: Places, other: Places, out: Places) -> int:
    """Merge two tables of sorted cells (group, place, three sums); give how many."""
    i, j, r = 0, 0, 0
    while i < one.shape[1] or j < other.shape[1]:
        if j == other.shape[1]:
            order = -1
        elif i == one.shape[1]:
            order = 1
        else:
            order = one[0, i] - other[0, j]
            if order == 0:
                # Places lie between -2^50 and 2^61: their difference does not overflow.
                order = one[1, i] - other[1, j]
        if order <= 0:
            for row in range(5):
                out[row, r] = one[row, i]
            i += 1
            if order == 0:
                for row in range(2, 5):
                    out[row, r] += other[row, j]
                j += 1
        else:
            for row in range(5):
                out[row, r] = other[row, j]
            j += 1
        r += 1
    return r
