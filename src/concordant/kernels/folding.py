"""Sums over the values of a block of pairs: differences, tables, counts in cells."""

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Counts, Vector
from concordant.kernels.compiling import kernel

Values = NDArray[np.float64]
Bins = NDArray[np.uint64]
Sums = tuple[float, float, float, float]

#: Bits of a place within a cell; a bin holds a count above twice as many, plus two.
PLACE_BITS = 20
_COUNT_SHIFT = 42
#: How many values a bin can take before it is read.
MOST_ADDED = 1 << (64 - _COUNT_SHIFT)
# A double from here to twice as much has units of 2^-20 in its last bit.
_ORIGIN = 2.0 ** (52 - PLACE_BITS)


@kernel
def sum_of_differences(x: Values, y: Values, width: int) -> float:
    """Add up |x - y| over a block: by shifts, and then over these."""
    sums = np.zeros(width)
    for start in range(0, x.size, width):
        a, b = x[start : start + width], y[start : start + width]
        for t in range(width):
            sums[t] += abs(a[t] - b[t])
    total = 0.0
    for t in range(width):
        total += sums[t]
    return total


@kernel
def add_to_cells(
    x: Values,
    origin: float,
    starts: Vector,
    lengths: Vector,
    slopes: Vector,
    place: Values,
    bits: Bins,
    bins: Bins,
) -> None:
    """
    Count values in the cells of a grid, and add up their places within these.

    The number of bins is a power of two, so that every value has one. In a bin, a count
    stands above the sum of places. Room for a row of values is given, as doubles and as
    their `bits`.
    """
    width = place.size
    shift, within = np.uint64(PLACE_BITS), np.uint64((1 << PLACE_BITS) - 1)
    last = slopes.size - 1  # the segment without end
    one, has_bin = np.uint64(1 << _COUNT_SHIFT), np.uint64(bins.size - 1)
    for start in range(0, x.size, width):
        row = x[start : start + width]
        for s in range(last):
            low, length, slope = starts[s], lengths[s], slopes[s]
            for t in range(width):
                before = place[t] if s > 0 else origin
                place[t] = before + slope * min(max(row[t] - low, 0.0), length)
        low, slope = starts[last], slopes[last]
        for t in range(width):
            before = place[t] if last > 0 else origin
            place[t] = (before + slope * max(row[t] - low, 0.0)) + _ORIGIN
        for t in range(width):
            bins[(bits[t] >> shift) & has_bin] += one + (bits[t] & within)


@kernel
def read_bins(bins: Bins, counts: Counts, places: Counts) -> None:
    """Add counts and sums of places from bins, which are empty afterwards."""
    shift = np.uint64(_COUNT_SHIFT)
    low = np.uint64((1 << _COUNT_SHIFT) - 1)
    for cell in range(counts.size):
        counts[cell] += np.int64(bins[cell] >> shift)
        places[cell] += np.int64(bins[cell] & low)
        bins[cell] = 0


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
def omega(x: Values, y: Values, width: int) -> tuple[float]:
    """Add up the differences of values, 1 at most."""
    found = np.zeros(width)
    for start in range(0, x.size, width):
        a, b = x[start : start + width], y[start : start + width]
        for t in range(width):
            found[t] += min(abs(a[t] - b[t]), 1.0)
    return (found.sum(),)
