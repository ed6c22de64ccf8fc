"""Sums over bands of pairs: differences, bins, and cardinalities of families."""

import numpy as np
from numpy.typing import NDArray

from concordant.kernels.compiling import kernel
from concordant.pairs.bands import WIDTH

Columns = NDArray[np.float64]  # K x n, one cluster per row
Vector = NDArray[np.float64]
Bits = NDArray[np.uint64]

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
