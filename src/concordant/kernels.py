"""Inner loops, compiled by Numba."""

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from concordant.bands import WIDTH

Columns = NDArray[np.float64]  # K x n, one cluster per row
Vector = NDArray[np.float64]
Bits = NDArray[np.uint64]
Places = NDArray[np.int64]


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function at its first call, and keep the machine code on disk."""
    try:
        compiled: Callable[..., Any] = njit(cache=True, nogil=True)(function)
    except RuntimeError:  # Numba found no folder that it may write to
        warnings.warn(_NO_CACHE, RuntimeWarning, stacklevel=2)
        compiled = njit(nogil=True)(function)
    return compiled


_NO_CACHE = (
    "compiled kernels cannot be kept on disk, so that each process compiles them "
    "again; set NUMBA_CACHE_DIR to a folder that can be written to"
)

# T-norms as the kernels know them.
MIN, PRODUCT, LUKASIEWICZ, PRODUCT_OF_ANY = 0, 1, 2, 3

# The bits of a double behind these are dropped before they are added to a bin.
PLACE_SHIFT = 16
# The exponent of doubles on a grid: their bits can be added a million times.
EXPONENT = 63
# Where the grid begins, the least double with this exponent.
ORIGIN = 2.0 ** (EXPONENT - 1023)


def most_additions(cell_bits: int) -> int:
    """Tell how many additions to a bin can be told apart: places stay below a count."""
    return EXPONENT << min(cell_bits, 16)


# A band is a set of pairs (i, i + s) with i0 <= i < i1 and first <= s < first + width:
# columns hold the objects once more behind the last, so that i + s needs no modulus.
# Two objects i and j = i + 1 are taken at a time, as what is read of the others serves
# both: i has the first `width` of these, and j as many from the second on. The last may
# be alone, and is then both i and j.

# Indices without a sign are not tested for one, and loops over them vectorise.
Index = np.uint64
_I0, _I1, _I2, _I3, _I4 = (Index(i) for i in range(5))
# Distances from i, from j and the like stand in one array, at fixed places that the
# compiler sees, and not a power of 2 apart.
_ROOM = Index(WIDTH + 5)


@kernel
def _l1_distances(
    p: Columns, i: Index, j: Index, first: Index, out: Vector, start: Index, n: Index
) -> None:
    """
    Fill `out` with the L1 distances to n objects from `first` on.

    Those from i stand from `start` on, those from j one room behind.
    """
    # Several clusters at a time, so that `out` is not read and written for each. Sums
    # go in order all along.
    n_clusters = Index(p.shape[0])
    k = n_clusters % _I2
    a, b = p[_I0, i], p[_I0, j]
    if k == _I1:
        for t in range(n):
            u = p[_I0, first + t]
            out[start + t] = abs(a - u)
            out[start + _ROOM + t] = abs(b - u)
    else:
        k = _I2
        c, d = p[_I1, i], p[_I1, j]
        for t in range(n):
            u, v = p[_I0, first + t], p[_I1, first + t]
            out[start + t] = abs(a - u) + abs(c - v)
            out[start + _ROOM + t] = abs(b - u) + abs(d - v)
    while k + _I2 < n_clusters:
        a, b, c, d = p[k, i], p[k, j], p[k + _I1, i], p[k + _I1, j]
        e, f, g, h = p[k + _I2, i], p[k + _I2, j], p[k + _I3, i], p[k + _I3, j]
        for t in range(n):
            u, v = p[k, first + t], p[k + _I1, first + t]
            w, z = p[k + _I2, first + t], p[k + _I3, first + t]
            x = out[start + t] + abs(a - u) + abs(c - v)
            y = out[start + _ROOM + t] + abs(b - u) + abs(d - v)
            out[start + t] = x + abs(e - w) + abs(g - z)
            out[start + _ROOM + t] = y + abs(f - w) + abs(h - z)
        k += _I4
    if k < n_clusters:
        a, b, c, d = p[k, i], p[k, j], p[k + _I1, i], p[k + _I1, j]
        for t in range(n):
            u, v = p[k, first + t], p[k + _I1, first + t]
            x, y = out[start + t], out[start + _ROOM + t]
            out[start + t] = x + abs(a - u) + abs(c - v)
            out[start + _ROOM + t] = y + abs(b - u) + abs(d - v)


@kernel
def _add_up(values: Vector) -> float:
    total = 0.0
    for t in range(values.size):
        total += values[t]
    return total


@kernel
def band_dissimilarities(
    p: Columns, i0: int, i1: int, first: int, width: int, out: Vector
) -> None:
    """Fill `out` with half the L1 distances of a band, object by object."""
    distances = np.empty(_I2 * _ROOM)
    n, shift, last = Index(width), Index(first), Index(i1 - 1)
    place = _I0
    for i in range(Index(i0), Index(i1), _I2):
        j = min(i + _I1, last)
        _l1_distances(p, i, j, i + shift, distances, _I0, n + (j - i))
        for row in range(_I1 + (j - i)):
            start = row * (_ROOM + _I1)
            for t in range(n):
                # The norm on [0, 1]^K is L1 / 2.
                out[place + t] = 0.5 * distances[start + t]
            place += n


@kernel
def _to_grid(
    x: Vector,
    start: Index,
    n: Index,
    slope: float,
    starts: Vector,
    lengths: Vector,
    slopes: Vector,
) -> None:
    """Map distances to a grid that is finer where its slope has bumps, in place."""
    # Passes over memory take most of the time: the first two bumps need none more.
    stop = start + n
    scale = ORIGIN * slope
    n_bumps = starts.size
    if n_bumps == 0:
        for t in range(start, stop):
            x[t] = ORIGIN + scale * x[t]
        return
    low, length, steeper = starts[0], lengths[0], ORIGIN * slopes[0]
    if n_bumps == 1:
        for t in range(start, stop):
            bump = steeper * min(max(x[t] - low, 0.0), length)
            x[t] = ORIGIN + scale * x[t] + bump
        return
    low2, length2, steeper2 = starts[1], lengths[1], ORIGIN * slopes[1]
    if n_bumps == 2 and low == 0.0 and length2 == np.inf:  # at both ends
        for t in range(start, stop):
            bump = steeper * min(x[t], length)
            bump2 = steeper2 * max(x[t] - low2, 0.0)
            x[t] = ORIGIN + scale * x[t] + bump + bump2
        return
    if n_bumps > 2:
        distances = x[start:stop].copy()
    for t in range(start, stop):
        bump = steeper * min(max(x[t] - low, 0.0), length)
        bump2 = steeper2 * min(max(x[t] - low2, 0.0), length2)
        x[t] = ORIGIN + scale * x[t] + bump + bump2
    for j in range(2, n_bumps):
        low, length, steeper = starts[j], lengths[j], ORIGIN * slopes[j]
        for t in range(n):
            x[start + t] += steeper * min(max(distances[t] - low, 0.0), length)


@kernel
def band_bins(
    p: Columns,
    q: Columns,
    i0: int,
    i1: int,
    first: int,
    width: int,
    slope: float,
    starts: Vector,
    lengths: Vector,
    slopes: Vector,
    cell_bits: int,
    bins_p: Bits,
    bins_q: Bits,
) -> float:
    """
    Add |x - y| over a band, and count x and y on a grid.

    On the grid a distance is a double between ORIGIN and twice that. Its bits are an
    integer: behind the exponent stand the number of the cell and the place within it.
    One addition of these bits to the cell's bin counts the distance and adds up its
    place, and `read_bins` takes the two apart again.
    """
    at_x, at_y, at_totals = _I0, _I2 * _ROOM, _I4 * _ROOM
    scratch = np.zeros(Index(5) * _ROOM)
    bits = scratch.view(np.uint64)
    n, shift, last = Index(width), Index(first), Index(i1 - 1)
    scale = ORIGIN * slope
    # Bins begin with as many that stay empty as the exponent says: so it need not be
    # taken off.
    to_cell = np.uint64(52 - cell_bits)
    to_place = np.uint64(PLACE_SHIFT)
    # Whatever a double is, it has a bin: their number is a power of 2.
    has_bin = np.uint64(((EXPONENT + 1) << cell_bits) - 1)
    for i in range(Index(i0), Index(i1), _I2):
        j = min(i + _I1, last)
        n_others = n + (j - i)
        _l1_distances(p, i, j, i + shift, scratch, at_x, n_others)
        _l1_distances(q, i, j, i + shift, scratch, at_y, n_others)
        # Pairs that are not of the band add nothing: for them x becomes the same as y.
        scratch[at_x + n] = scratch[at_y + n]
        scratch[at_x + _ROOM] = scratch[at_y + _ROOM]
        if i == j:
            for t in range(n):
                scratch[at_x + _ROOM + t] = scratch[at_y + _ROOM + t]
        if starts.size == 0:
            for t in range(n_others):
                x, y = scratch[at_x + t], scratch[at_y + t]
                v, w = scratch[at_x + _ROOM + t], scratch[at_y + _ROOM + t]
                scratch[at_totals + t] += abs(x - y) + abs(v - w)
                scratch[at_x + t] = ORIGIN + scale * x
                scratch[at_y + t] = ORIGIN + scale * y
                scratch[at_x + _ROOM + t] = ORIGIN + scale * v
                scratch[at_y + _ROOM + t] = ORIGIN + scale * w
        else:
            for t in range(n_others):
                x, y = scratch[at_x + t], scratch[at_y + t]
                v, w = scratch[at_x + _ROOM + t], scratch[at_y + _ROOM + t]
                scratch[at_totals + t] += abs(x - y) + abs(v - w)
            for row in range(_I4):
                start = row * _ROOM
                _to_grid(scratch, start, n_others, slope, starts, lengths, slopes)
        for row in range(_I1 + (j - i)):
            x_row = at_x + row * (_ROOM + _I1)
            y_row = at_y + row * (_ROOM + _I1)
            for t in range(n):
                in_p, in_q = bits[x_row + t], bits[y_row + t]
                bins_p[(in_p >> to_cell) & has_bin] += in_p >> to_place
                bins_q[(in_q >> to_cell) & has_bin] += in_q >> to_place
    total: float = _add_up(scratch[at_totals:])
    return total


@kernel
def read_bins(
    bins: Bits,
    cell_bits: int,
    afresh: bool,
    counts: NDArray[np.int64],
    places: NDArray[np.int64],
) -> None:
    """Take counts and places out of bins, which are then empty, and add them up."""
    place_bits = 52 - cell_bits - PLACE_SHIFT
    origin = EXPONENT << cell_bits
    for cell in range(counts.size):
        if afresh:
            counts[cell] = places[cell] = 0
        total = np.int64(bins[origin + cell])
        if total == 0:
            continue
        bins[origin + cell] = 0
        one = (origin + cell) << place_bits
        # Signed numbers turn into doubles faster; the quotient is at most one off.
        unsigned = float(total) if total > 0 else float(total) + 2.0**64
        count = np.int64(np.divide(unsigned, float(one)))
        place = total - count * one
        if place < 0:
            count -= 1
            place += one
        elif place >= one:
            count += 1
            place -= one
        counts[cell] += count
        places[cell] += place


@kernel
def band_squares(
    p: Columns,
    i0: int,
    i1: int,
    first: int,
    width: int,
    slope: float,
    starts: Vector,
    lengths: Vector,
    slopes: Vector,
    cell_bits: int,
    squares: Bits,
) -> None:
    """
    Add up the squared places of distances within their cells, over a band.

    There are 2^cell_bits squares, so that every double has one.
    """
    distances = np.empty(_I2 * _ROOM)
    bits = distances.view(np.uint64)
    n, shift, last = Index(width), Index(first), Index(i1 - 1)
    to_cell = np.uint64(52 - cell_bits)
    mantissa = np.uint64((1 << 52) - 1)
    within = np.uint64((1 << (52 - cell_bits)) - 1)
    to_place = np.uint64(PLACE_SHIFT)
    for i in range(Index(i0), Index(i1), _I2):
        j = min(i + _I1, last)
        _l1_distances(p, i, j, i + shift, distances, _I0, n + (j - i))
        for row in range(_I1 + (j - i)):
            start = row * (_ROOM + _I1)
            _to_grid(distances, start, n, slope, starts, lengths, slopes)
            for t in range(n):
                place = (bits[start + t] & within) >> to_place
                squares[(bits[start + t] & mantissa) >> to_cell] += place * place


@kernel
def add_cells(
    counts_p: NDArray[np.int64],
    counts_q: NDArray[np.int64],
    places_p: Vector,
    places_q: Vector,
    roots: Vector,
    widths: Vector,
    middle: float,
    rounding: float,
) -> tuple[float, float]:
    """
    Add up what cells contribute to E[d], and to its error.

    Places are sums within cells, each on average too small by `middle`; roots, if any,
    are at least as large as the mean difference within cells.
    """
    total_p, total_q = counts_p.sum(), counts_q.sum()
    up_to_p = up_to_q = 0
    expected, lost, error = 0.0, 0.0, 0.0
    last = counts_p.size - 1
    for cell in range(counts_p.size):
        w = widths[cell]
        # Rounding may move a distance from one cell to the next.
        reach = max(w, widths[max(cell - 1, 0)], widths[min(cell + 1, last)])
        s = (places_p[cell] / max(counts_p[cell], 1) + middle) * w
        t = (places_q[cell] / max(counts_q[cell], 1) + middle) * w
        p, below_p = counts_p[cell] / total_p, up_to_p / total_p
        q, below_q = counts_q[cell] / total_q, up_to_q / total_q
        up_to_p += counts_p[cell]
        up_to_q += counts_q[cell]
        above_p = (total_p - up_to_p) / total_p
        above_q = (total_q - up_to_q) / total_q
        low, high = abs(s - t), (s * (w - t) + t * (w - s)) / w
        if roots.size > 0:
            high = max(low, min(high, roots[cell] * w))
        term = (
            w * (below_p * above_q + below_q * above_p)
            + (below_p * (q * t) + below_q * (p * s))
            + (above_q * (p * (w - s)) + above_p * (q * (w - t)))
            + 0.5 * (p * q) * (low + high)
        )
        # What a sum loses is kept for the next.
        before = expected
        term += lost
        expected += term
        lost = term - (expected - before)
        # A place that is cut off stays in its cell.
        moved = w * middle + reach * rounding
        error += 0.5 * (p * q) * (high - low) + (p + q) * moved
    return expected, error


@kernel
def all_sum_to_one(
    rows: Vector, tolerance: float, block: int, out: NDArray[np.bool_]
) -> None:
    """Tell of each block whether its rows sum to 1, without negative entries or NaN."""
    for b in range(out.size):
        wrong = 0
        for i in range(b * block, min((b + 1) * block, rows.shape[0])):
            total = 0.0
            least = 0.0
            for k in range(rows.shape[1]):
                total += rows[i, k]
                least = min(least, rows[i, k])
            wrong += not (least == 0.0 and abs(total - 1.0) <= tolerance)
        out[b] = wrong == 0


# Vectors of objects stand as columns, one component per row of an array. All sums go
# through loops in which neighbouring objects have sums of their own, so that they turn
# into vector instructions without being reordered: the same bits on every CPU.

_WIDE, _DEEP = 32, 8
_LANES = Index(_WIDE)  # objects whose sums are kept apart
_AT_ONCE = _DEEP * _WIDE
# From row to row, at a place that the compiler sees, and not a power of 2, as rows at
# such a distance push each other out of the cache.
_LENGTH = _AT_ONCE + 8
_STRIDE = Index(_LENGTH)
_TWO, _THREE, _FOUR = (Index(i * _LENGTH) for i in (2, 3, 4))
_TILE = Index(9 * _WIDE)
_MOST_SUMS = 1 << 17  # numbers that stay in the cache


@kernel
def _transpose(rows: Vector, out: Vector) -> None:
    """Fill the first rows of `out` with columns, four at a time."""
    n, n_columns = rows.shape
    k = 0
    while n_columns - k >= 4:
        u, v, w, x = out[k], out[k + 1], out[k + 2], out[k + 3]
        for t in range(n):
            u[t] = rows[t, k]
            v[t] = rows[t, k + 1]
            w[t] = rows[t, k + 2]
            x[t] = rows[t, k + 3]
        k += 4
    while k < n_columns:
        u = out[k]
        for t in range(n):
            u[t] = rows[t, k]
        k += 1


# What is found of objects, in rows of one array: their squared lengths, two numbers
# that turn them into directions, and of all objects at a place the least component, or
# 0, and the largest squared length, or 0.


@kernel
def _measure(x: Vector, n_rows: Index, found: Vector) -> None:
    """Find squared lengths, least components and largest lengths."""
    for t in range(_STRIDE):
        found[t] = 0.0
    row = _I0
    while row + _I4 <= n_rows:
        at = row * _STRIDE
        for t in range(_STRIDE):
            i = at + t
            a, b, c, d = x[i], x[i + _STRIDE], x[i + _TWO], x[i + _THREE]
            found[t] = found[t] + a * a + b * b + c * c + d * d
            found[_THREE + t] = min(min(found[_THREE + t], min(a, b)), min(c, d))
        row += _I4
    while row < n_rows:
        at = row * _STRIDE
        for t in range(_STRIDE):
            a = x[at + t]
            found[t] += a * a
            found[_THREE + t] = min(found[_THREE + t], a)
        row += _I1
    for t in range(_STRIDE):
        found[_FOUR + t] = max(found[_FOUR + t], found[t])


@kernel
def _shift(x: Vector, n_rows: Index, centre: Vector, found: Vector) -> None:
    """Turn u into u - w, and find |u|^2 - |w|^2 and least components of u."""
    for t in range(_STRIDE):
        found[t] = 0.0
    row = _I0
    while row + _I4 <= n_rows:
        at = row * _STRIDE
        a, b = centre[row], centre[row + _I1]
        c, d = centre[row + _I2], centre[row + _I3]
        for t in range(_STRIDE):
            i = at + t
            u, v, w, z = x[i], x[i + _STRIDE], x[i + _TWO], x[i + _THREE]
            e, f, g, h = u - a, v - b, w - c, z - d
            x[i], x[i + _STRIDE], x[i + _TWO], x[i + _THREE] = e, f, g, h
            excess = found[t] + e * (u + a) + f * (v + b)
            found[t] = excess + g * (w + c) + h * (z + d)
            found[_THREE + t] = min(min(found[_THREE + t], min(u, v)), min(w, z))
        row += _I4
    while row < n_rows:
        at, a = row * _STRIDE, centre[row]
        for t in range(_STRIDE):
            u = x[at + t]
            x[at + t] = u - a
            found[t] += (u - a) * (u + a)
            found[_THREE + t] = min(found[_THREE + t], u)
        row += _I1


@kernel
def _turn(x: Vector, n_rows: Index, towards: Vector, found: Vector) -> None:
    """Turn u - w into u / |u| - w / |w|, and find squared lengths of these."""
    for t in range(_STRIDE):
        found[t] = 0.0
    row = _I0
    while row + _I4 <= n_rows:
        at = row * _STRIDE
        a, b = towards[row], towards[row + _I1]
        c, d = towards[row + _I2], towards[row + _I3]
        for t in range(_STRIDE):
            i = at + t
            scale, share = found[_STRIDE + t], found[_TWO + t]
            e, f = x[i] * scale - a * share, x[i + _STRIDE] * scale - b * share
            g, h = x[i + _TWO] * scale - c * share, x[i + _THREE] * scale - d * share
            x[i], x[i + _STRIDE], x[i + _TWO], x[i + _THREE] = e, f, g, h
            found[t] = found[t] + e * e + f * f + g * g + h * h
        row += _I4
    while row < n_rows:
        at, a = row * _STRIDE, towards[row]
        for t in range(_STRIDE):
            e = x[at + t] * found[_STRIDE + t] - a * found[_TWO + t]
            x[at + t] = e
            found[t] += e * e
        row += _I1


@kernel
def _lift(rows: Vector, centre: Vector, x: Vector, found: Vector) -> None:
    """
    Fill columns of x with vectors of some objects, and their squared lengths below.

    A vector is an object's row u or, with a centre w, u / |u| - w / |w|. Computed from
    u - w, that has full relative accuracy however near u is to w.
    """
    n, n_clusters = rows.shape
    n_rows = Index(n_clusters)
    _transpose(rows, x)
    flat = x.reshape(-1)
    if centre.size == 0:
        _measure(flat, n_rows, found)
    else:
        square = 0.0
        for k in range(n_clusters):
            square += centre[k] * centre[k]
        length = np.sqrt(square)
        _shift(flat, n_rows, centre, found)
        for t in range(_STRIDE):
            own = np.sqrt(square + found[t])
            found[_STRIDE + t] = np.divide(1.0, own)
            # |u| - |w|, relative to |u|
            found[_TWO + t] = np.divide(found[t], own * (own + length))
        _turn(flat, n_rows, np.divide(centre, length), found)
        for k in range(n_clusters):
            for t in range(n, _LENGTH):
                x[k, t] = 0.0
        for t in range(n, _LENGTH):
            found[t] = 0.0
    for t in range(_STRIDE):
        flat[n_rows * _STRIDE + t] = found[t]


@kernel
def _some_outside(found: Vector) -> bool:
    """Tell whether an object had a negative component or was longer than 1."""
    some = 0
    for t in range(_STRIDE):
        some += (found[_THREE + t] < 0.0) | (found[_FOUR + t] > 1.0)
    return some > 0


@kernel
def lift(rows: Vector, centre: Vector, out: Vector) -> bool:
    """Fill columns of `out` with vectors and squared lengths, and tell the same."""
    n, n_clusters = rows.shape
    x, found = np.zeros((n_clusters + 1, _LENGTH)), np.zeros(5 * _LENGTH)
    for start in range(0, n, _AT_ONCE):
        stop = min(start + _AT_ONCE, n)
        _lift(rows[start:stop], centre, x, found)
        out[:, start:stop] = x[:, : stop - start]
    some: bool = _some_outside(found)
    return some


@kernel
def _add_products(
    x: Vector, y: Vector, row: Index, column: Index, sums: Vector, at: Index
) -> None:
    """Add products of three rows of x and three of y: registers hold as many sums."""
    one, two = _LANES, _I2 * _LANES
    for t in range(_LANES):
        s, i, j = at + t, row * _STRIDE + t, column * _STRIDE + t
        a, b, c = sums[s], sums[s + one], sums[s + two]
        s += _I3 * _LANES
        d, e, f = sums[s], sums[s + one], sums[s + two]
        s += _I3 * _LANES
        g, h, k = sums[s], sums[s + one], sums[s + two]
        for _ in range(_DEEP):
            u, v, w = x[i], x[i + _STRIDE], x[i + _TWO]
            p, q, r = y[j], y[j + _STRIDE], y[j + _TWO]
            a, b, c = a + u * p, b + u * q, c + u * r
            d, e, f = d + v * p, e + v * q, f + v * r
            g, h, k = g + w * p, h + w * q, k + w * r
            i += _LANES
            j += _LANES
        sums[s], sums[s + one], sums[s + two] = g, h, k
        s -= _I3 * _LANES
        sums[s], sums[s + one], sums[s + two] = d, e, f
        s -= _I3 * _LANES
        sums[s], sums[s + one], sums[s + two] = a, b, c


@kernel
def _add_rows(x: Vector, n_rows: Index, sums: Vector) -> None:
    """Add up rows of x."""
    for row in range(n_rows):
        for t in range(_LANES):
            total, i = sums[row * _LANES + t], row * _STRIDE + t
            for _ in range(_DEEP):
                total += x[i]
                i += _LANES
            sums[row * _LANES + t] = total


@kernel
def _take_sum(sums: Vector, at: Index) -> float:
    """Add up the sums of all lanes, and begin anew."""
    half = _LANES
    while half > _I1:
        half //= _I2
        for t in range(half):
            sums[at + t] += sums[at + half + t]
    total: float = sums[at]
    sums[at : at + _LANES] = 0.0
    return total


@kernel
def _take_tile(
    sums: Vector,
    at: Index,
    row: int,
    column: int,
    n_rows: int,
    n_columns: int,
    out: Vector,
) -> None:
    """Add the nine sums of three rows and three columns to `out`."""
    for i in range(3):
        for j in range(3):
            total = _take_sum(sums, at + Index(3 * i + j) * _LANES)
            if row + i < n_rows and column + j < n_columns:
                out[row + i, column + j] += total


@kernel
def lifted_products(
    p: Vector, q: Vector, centre_p: Vector, centre_q: Vector, out: Vector
) -> None:
    """
    Fill `out` with the products of lifted vectors, summed over each block of objects.

    A vector is what `_lift` makes of an object's row, lifted by its squared length and
    a one. In the last place stands 1 if `_some_outside`, else 0. Blocks are of equal
    size.
    """
    n_blocks, n_rows, n_columns = out.shape
    n_rows, n_columns = n_rows - 1, n_columns - 1
    block = p.shape[0] // n_blocks
    rows, columns = n_rows + -n_rows % 3, n_columns + -n_columns % 3
    x, y = np.zeros((rows, _LENGTH)), np.zeros((columns, _LENGTH))
    flat_x, flat_y = x.reshape(-1), y.reshape(-1)
    # Where sums of all lanes would not stay in the cache, they are added up at once.
    at_once = rows * columns * _WIDE > _MOST_SUMS
    sums = np.zeros((9 if at_once else rows * columns) * _WIDE)
    sums_x, sums_y = np.zeros(rows * _WIDE), np.zeros(columns * _WIDE)
    out[:] = 0.0
    for b in range(n_blocks):
        found = np.zeros(5 * _LENGTH)
        for start in range(b * block, (b + 1) * block, _AT_ONCE):
            stop = min(start + _AT_ONCE, (b + 1) * block)
            if stop - start < _AT_ONCE:
                x[:] = 0.0
                y[:] = 0.0
            _lift(p[start:stop], centre_p, x, found)
            _lift(q[start:stop], centre_q, y, found)
            _add_rows(flat_x, Index(n_rows), sums_x)
            _add_rows(flat_y, Index(n_columns), sums_y)
            at = _I0
            for row in range(0, n_rows, 3):
                for column in range(0, n_columns, 3):
                    _add_products(flat_x, flat_y, Index(row), Index(column), sums, at)
                    if at_once:
                        _take_tile(sums, at, row, column, n_rows, n_columns, out[b])
                    else:
                        at += _TILE
        if not at_once:
            at = _I0
            for row in range(0, n_rows, 3):
                for column in range(0, n_columns, 3):
                    _take_tile(sums, at, row, column, n_rows, n_columns, out[b])
                    at += _TILE
        for row in range(n_rows):
            out[b, row, n_columns] = _take_sum(sums_x, Index(row) * _LANES)
        for column in range(n_columns):
            out[b, n_rows, column] = _take_sum(sums_y, Index(column) * _LANES)
        out[b, n_rows, n_columns] = _some_outside(found)


@kernel
def _t_norm(t_norm: int, x: float, y: float) -> float:
    if t_norm == MIN:
        return min(x, y)
    if t_norm == PRODUCT:
        return x * y
    return max(x + y - 1.0, 0.0)


@kernel
def band_huellermeier(
    p: Columns,
    q: Columns,
    i0: int,
    i1: int,
    first: int,
    width: int,
    t_norm: int,
    out: Vector,
) -> None:
    """Fill `out` with a, b, c and d of the family huellermeier over a band."""
    at_x, at_y = _I0, _I2 * _ROOM
    distances = np.empty(_I4 * _ROOM)
    a = np.zeros(width)
    b = np.zeros(width)
    c = np.zeros(width)
    d = np.zeros(width)
    n, shift, last = Index(width), Index(first), Index(i1 - 1)
    for i in range(Index(i0), Index(i1), _I2):
        j = min(i + _I1, last)
        _l1_distances(p, i, j, i + shift, distances, at_x, n + (j - i))
        _l1_distances(q, i, j, i + shift, distances, at_y, n + (j - i))
        for row in range(_I1 + (j - i)):
            x_row = at_x + row * (_ROOM + _I1)
            y_row = at_y + row * (_ROOM + _I1)
            # The compiler makes one such loop for each t-norm.
            for t in range(n):
                x, y = distances[x_row + t], distances[y_row + t]
                difference = 0.5 * (y - x)
                concordant = 1.0 - abs(difference)
                together = _t_norm(t_norm, 1.0 - 0.5 * x, 1.0 - 0.5 * y)
                a[t] += _t_norm(t_norm, concordant, together)
                b[t] += max(difference, 0.0)
                c[t] += max(-difference, 0.0)
                d[t] += _t_norm(t_norm, concordant, 1.0 - together)
    out[0], out[1], out[2], out[3] = _add_up(a), _add_up(b), _add_up(c), _add_up(d)


@kernel
def two_largest(
    p: Columns, largest: Vector, second: Vector, where: NDArray[np.int64]
) -> None:
    """Find each object's two largest memberships and the cluster of the first."""
    for i in range(p.shape[1]):
        largest[i] = p[0, i]
        second[i] = -np.inf if p.shape[0] > 1 else 0.0
        where[i] = 0
    for k in range(1, p.shape[0]):
        for i in range(p.shape[1]):
            x = p[k, i]
            if x > largest[i]:
                second[i] = largest[i]
                largest[i] = x
                where[i] = k
            elif x > second[i]:
                second[i] = x


@kernel
def _same_cluster_min(p: Columns, i: int, first: int, out: Vector) -> None:
    """Fill `out` with max_k min(u_ik, u_jk), two clusters at a time."""
    n = out.size
    u, x = p[0, first : first + n], p[0, i]
    for t in range(n):
        out[t] = min(x, u[t])
    k = 1
    while p.shape[0] - k >= 2:
        u, x = p[k, first : first + n], p[k, i]
        v, y = p[k + 1, first : first + n], p[k + 1, i]
        for t in range(n):
            out[t] = max(out[t], max(min(x, u[t]), min(y, v[t])))
        k += 2
    if k < p.shape[0]:
        u, x = p[k, first : first + n], p[k, i]
        for t in range(n):
            out[t] = max(out[t], min(x, u[t]))


@kernel
def _same_cluster_product(p: Columns, i: int, first: int, out: Vector) -> None:
    """Fill `out` with max_k u_ik u_jk, two clusters at a time."""
    n = out.size
    u, x = p[0, first : first + n], p[0, i]
    for t in range(n):
        out[t] = x * u[t]
    k = 1
    while p.shape[0] - k >= 2:
        u, x = p[k, first : first + n], p[k, i]
        v, y = p[k + 1, first : first + n], p[k + 1, i]
        for t in range(n):
            out[t] = max(out[t], max(x * u[t], y * v[t]))
        k += 2
    if k < p.shape[0]:
        u, x = p[k, first : first + n], p[k, i]
        for t in range(n):
            out[t] = max(out[t], x * u[t])


@kernel
def _different_clusters(
    t_norm: int,
    largest: Vector,
    second: Vector,
    where: NDArray[np.int64],
    i: int,
    first: int,
    out: Vector,
) -> None:
    """Fill `out` with max_{k != l} t(u_ik, u_jl), from the two largest of each."""
    top, next_to_top, cluster = largest[i], second[i], where[i]
    tops = largest[first : first + out.size]
    nexts = second[first : first + out.size]
    clusters = where[first : first + out.size]
    if t_norm == MIN:
        for t in range(out.size):
            apart = min(top, tops[t])
            same = max(min(top, nexts[t]), min(next_to_top, tops[t]))
            out[t] = same if clusters[t] == cluster else apart
    else:
        for t in range(out.size):
            apart = top * tops[t]
            same = max(top * nexts[t], next_to_top * tops[t])
            out[t] = same if clusters[t] == cluster else apart


@kernel
def _different_clusters_of_any(p: Columns, i: int, first: int, out: Vector) -> None:
    """Fill `out` with max_{k != l} u_ik u_jl, where memberships may be negative."""
    out[:] = -np.inf if p.shape[0] > 1 else 0.0
    for k in range(p.shape[0]):
        x = p[k, i]
        for m in range(p.shape[0]):
            if m != k:
                u = p[m, first : first + out.size]
                for t in range(out.size):
                    out[t] = max(out[t], x * u[t])


@kernel
def band_campello(
    p: Columns,
    q: Columns,
    largest_p: Vector,
    second_p: Vector,
    where_p: NDArray[np.int64],
    largest_q: Vector,
    second_q: Vector,
    where_q: NDArray[np.int64],
    i0: int,
    i1: int,
    first: int,
    width: int,
    t_norm: int,
    out: Vector,
) -> None:
    """Fill `out` with a, b, c and d of the family campello over a band."""
    v = np.empty(width)
    x = np.empty(width)
    y = np.empty(width)
    z = np.empty(width)
    a = np.zeros(width)
    b = np.zeros(width)
    c = np.zeros(width)
    d = np.zeros(width)
    for i in range(i0, i1):
        start = i + first
        if t_norm == PRODUCT_OF_ANY:
            _different_clusters_of_any(p, i, start, x)
            _different_clusters_of_any(q, i, start, z)
        else:
            _different_clusters(t_norm, largest_p, second_p, where_p, i, start, x)
            _different_clusters(t_norm, largest_q, second_q, where_q, i, start, z)
        if t_norm == MIN:
            _same_cluster_min(p, i, start, v)
            _same_cluster_min(q, i, start, y)
            for t in range(width):
                a[t] += min(v[t], y[t])
                b[t] += min(v[t], z[t])
                c[t] += min(x[t], y[t])
                d[t] += min(x[t], z[t])
        else:
            _same_cluster_product(p, i, start, v)
            _same_cluster_product(q, i, start, y)
            for t in range(width):
                a[t] += v[t] * y[t]
                b[t] += v[t] * z[t]
                c[t] += x[t] * y[t]
                d[t] += x[t] * z[t]
    out[0], out[1], out[2], out[3] = _add_up(a), _add_up(b), _add_up(c), _add_up(d)


# Below this share of |c|^2, |x|^2 - 2 c.x + |c|^2 has lost three digits or more.
_CANCELLED = 2.0**-10


@kernel
def complete_squares(
    products: Vector,
    points: Vector,
    norms: Vector,
    centers: Vector,
    center_norms: Vector,
) -> None:
    """Turn the K x n products c.x into |x - c|^2, given |x|^2 and |c|^2."""
    for k in range(products.shape[0]):
        row = products[k]
        center_norm = center_norms[k]
        small = _CANCELLED * center_norm
        n_small = 0
        for t in range(row.size):
            square = norms[t] - 2.0 * row[t] + center_norm
            row[t] = square
            n_small += square < small
        # Rare, and apart, so that the loop above vectorises.
        if n_small > 0:
            for t in range(row.size):
                if row[t] < small:
                    square = 0.0
                    for j in range(points.shape[1]):
                        difference = points[t, j] - centers[k, j]
                        square += difference * difference
                    row[t] = square


@kernel
def _prepare_ratios(squares: Vector, lowest: Vector, numerators: Vector) -> None:
    """
    Find each point's least square, and make the 0/0 of a point on a centre 1/1.

    Ratios numerator / square are then 1 at the nearest centre, and for a point on a
    centre 1 there, wherever else a centre coincides with it, and 0 elsewhere.
    """
    lowest[:] = squares[0]
    for k in range(1, squares.shape[0]):
        row = squares[k]
        for t in range(row.size):
            lowest[t] = min(lowest[t], row[t])
    for t in range(lowest.size):
        numerators[t] = lowest[t]
        if lowest[t] == 0.0:
            numerators[t] = 1.0
            for k in range(squares.shape[0]):
                squares[k, t] = 1.0 if squares[k, t] == 0.0 else np.inf


@kernel
def fill_memberships(squares: Vector, exponent: float, out: Vector) -> None:
    """Fill the n x K `out` with memberships proportional to squares ** -exponent."""
    n_clusters, n = squares.shape
    lowest = np.empty(n)
    numerators = np.empty(n)
    _prepare_ratios(squares, lowest, numerators)
    sums = np.zeros(n)
    for k in range(n_clusters):
        row = squares[k]
        for t in range(n):
            row[t] = np.divide(numerators[t], row[t])
        # The two usual exponents need no logarithm.
        if exponent == 0.5:
            for t in range(n):
                row[t] = np.sqrt(row[t])
        elif exponent != 1.0:
            for t in range(n):
                row[t] = math.exp(exponent * math.log(row[t])) if row[t] > 0.0 else 0.0
        for t in range(n):
            sums[t] += row[t]
    for k in range(n_clusters):
        row = squares[k]
        for t in range(n):
            out[t, k] = np.divide(row[t], sums[t])


@kernel
def fuzzy_weights_of_two(squares: Vector, weights: Vector) -> float:
    """Turn squares into w u^2, as for m = 2, and return the objective."""
    n_clusters, n = squares.shape
    lowest = np.empty(n)
    numerators = np.empty(n)
    _prepare_ratios(squares, lowest, numerators)
    sums = np.zeros(n)
    for k in range(n_clusters):
        row = squares[k]
        for t in range(n):
            row[t] = np.divide(numerators[t], row[t])
            sums[t] += row[t]
    objective = 0.0
    for t in range(n):
        sums[t] = np.divide(1.0, sums[t])
    for t in range(n):
        objective += weights[t] * lowest[t] * sums[t]
    for k in range(n_clusters):
        row = squares[k]
        for t in range(n):
            membership = row[t] * sums[t]
            row[t] = weights[t] * membership * membership
    return objective


@kernel
def fuzzy_weights(squares: Vector, weights: Vector, m: float, shifts: Vector) -> float:
    """
    Turn squares into the weights of fuzzy C-means for any m, through logarithms.

    A weight of cluster k is w u^m exp(-shifts[k]) K^m, where shifts[k], found here,
    makes the largest one w: near m = 1 and for large m u^m itself would underflow.
    Returns the objective times K^(m - 1), a sum of power means of the squares, which
    does not.
    """
    n_clusters, n = squares.shape
    exponent = 1.0 / (m - 1.0)
    objective = 0.0
    shifts[:] = -np.inf
    for t in range(n):
        lowest = np.inf
        for k in range(n_clusters):
            lowest = min(lowest, squares[k, t])
        mean = 0.0
        for k in range(n_clusters):
            if lowest > 0.0:
                power = exponent * (math.log(lowest) - math.log(squares[k, t]))
            else:
                power = 0.0 if squares[k, t] == 0.0 else -np.inf
            squares[k, t] = power
            # A mean of x - 1 keeps the digits that a mean of x near 1 loses (m large).
            mean += math.expm1(power)
        log_mean = math.log1p(mean / n_clusters)
        if lowest > 0.0:
            objective += weights[t] * lowest * math.exp((1.0 - m) * log_mean)
        for k in range(n_clusters):
            squares[k, t] = m * (squares[k, t] - log_mean)
            if weights[t] > 0.0:
                shifts[k] = max(shifts[k], squares[k, t])
    for k in range(n_clusters):
        row = squares[k]
        for t in range(n):
            if row[t] > -np.inf and weights[t] > 0.0:
                row[t] = weights[t] * math.exp(row[t] - shifts[k])
            else:
                row[t] = 0.0
    return objective


@kernel
def probabilistic_weights(
    squares: Vector,
    weights: Vector,
    points: Vector,
    near: float,
    held: Vector,
    anchors: Vector,
) -> float:
    """
    Turn squares into w p^2 / d, the weights of PD-clustering.

    A point no farther than `near` from a centre has no weight there; instead its
    w p^2 goes to `held`, and w p^2 x to `anchors`. Returns the objective.
    """
    n_clusters, n = squares.shape
    lowest = np.empty(n)
    numerators = np.empty(n)
    _prepare_ratios(squares, lowest, numerators)
    sums = np.zeros(n)
    for k in range(n_clusters):
        row = squares[k]
        for t in range(n):
            row[t] = np.sqrt(np.divide(numerators[t], row[t]))
            sums[t] += row[t]
    near_square = near * near
    objective = 0.0
    n_near = 0
    scales = numerators  # w / (d s^2) by the nearest centre's d; the ratios are done
    for t in range(n):
        distance = np.sqrt(lowest[t])
        n_near += lowest[t] <= near_square
        square = sums[t] * sums[t] * distance
        scales[t] = np.divide(weights[t], square) if square > 0.0 else 0.0
        lowest[t] = distance
        sums[t] = np.divide(1.0, sums[t])
    for t in range(n):
        objective += weights[t] * lowest[t] * sums[t]
    if n_near > 0:
        _hold_near_points(squares, weights, points, near, lowest, sums, held, anchors)
    for k in range(n_clusters):
        row = squares[k]
        for t in range(n):
            row[t] = row[t] * row[t] * row[t] * scales[t]
    return objective


@kernel
def _hold_near_points(
    ratios: Vector,
    weights: Vector,
    points: Vector,
    near: float,
    lowest: Vector,
    inverse_sums: Vector,
    held: Vector,
    anchors: Vector,
) -> None:
    """Move the points near a centre from its `ratios` to what it holds."""
    for k in range(ratios.shape[0]):
        for t in range(ratios.shape[1]):
            ratio = ratios[k, t]
            if ratio > 0.0 and lowest[t] <= near * ratio:
                membership = ratio * inverse_sums[t]
                mass = weights[t] * membership * membership
                held[k] += mass
                for j in range(points.shape[1]):
                    anchors[k, j] += mass * points[t, j]
                ratios[k, t] = 0.0


# Memberships as whole numbers of units of 2^-60, in cells that are finer near 0 and 1:
# see concordant.streams.cells. Cells of a level are unions of those of the level below.
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
