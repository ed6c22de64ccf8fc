"""Sums over bands of pairs: differences, bins, and cardinalities, in one visit."""

import numpy as np
from numpy.typing import NDArray

from concordant.kernels.compiling import kernel

Columns = NDArray[np.float64]  # K x n, one cluster per row
Vector = NDArray[np.float64]
Bits = NDArray[np.uint64]
Distances = NDArray[np.float64]  # of a band, or none: one object per row

# T-norms as the kernels know them; the last for memberships that may be negative.
MIN, PRODUCT, PRODUCT_OF_ANY = 0, 1, 2
# Tables that may be wanted, to be added up.
HUELLERMEIER_PRODUCT, HUELLERMEIER_MIN, HUELLERMEIER_LUKASIEWICZ = 1, 2, 4
CAMPELLO_MIN, CAMPELLO_PRODUCT, CAMPELLO_PRODUCT_OF_ANY = 8, 16, 32
_HUELLERMEIER = HUELLERMEIER_PRODUCT + HUELLERMEIER_MIN + HUELLERMEIER_LUKASIEWICZ

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
# The shifts of a band, written here as well: machine code that is kept on disk would
# not notice a change in another file.
WIDTH = 255
# Distances from i, from j and the like stand in one array, at fixed places that the
# compiler sees, and not a power of 2 apart.
_ROOM = Index(WIDTH + 5)
# L1 distances x and y, from i and from j.
_X, _Y = _I0, _I2 * _ROOM
# Degrees to which a pair is in the same cluster of P, and in different ones, and in Q.
_V, _W, _U, _Z = (Index(place) * _ROOM for place in range(4, 12, 2))
# Sums go by shifts: those of j have the same places as those of i, though its others
# are one step further. One more is taken along, which makes whole vectors, and left out
# when they are added up. They are the sum of |x - y|, those of b and c of huellermeier,
# of its a and d by each t-norm, and of a, b, c and d of campello by each.
_J = _ROOM + _I1
_TOTALS, _B, _C, _A_PRODUCT, _D_PRODUCT, _A_MIN, _D_MIN = (
    Index(place) * _ROOM for place in range(12, 19)
)
_A_LUKASIEWICZ, _D_LUKASIEWICZ, _CAMPELLO_MIN, _CAMPELLO_PRODUCT = (
    Index(place) * _ROOM for place in (19, 20, 21, 25)
)
_N_ROOMS = Index(29)
N_SUMS = 17


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
def _given_distances(
    x: Distances, i: Index, j: Index, out: Vector, start: Index, n: Index
) -> None:
    """Fill `out` with rows i and j of distances, where `_l1_distances` puts them."""
    for t in range(n):
        out[start + t] = x[i, t]
        out[start + _J + t] = x[j, t]


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
def _degrees(x: float, y: float) -> tuple[float, float, float]:
    """Give 1 - D, E_P and E_Q of a pair with L1 distances x and y."""
    # The norm on [0, 1]^K is L1 / 2.
    x, y = 0.5 * x, 0.5 * y
    return 1.0 - abs(y - x), 1.0 - x, 1.0 - y


@kernel
def _by_product(x: float, y: float) -> tuple[float, float]:
    """Give what a pair adds to a and d of huellermeier by the product."""
    concordant, e_p, e_q = _degrees(x, y)
    together = e_p * e_q
    return concordant * together, concordant * (1.0 - together)


@kernel
def _by_min(x: float, y: float) -> tuple[float, float]:
    """Give what a pair adds to a and d of huellermeier by the minimum."""
    concordant, e_p, e_q = _degrees(x, y)
    together = min(e_p, e_q)
    return min(concordant, together), min(concordant, 1.0 - together)


@kernel
def _by_lukasiewicz(x: float, y: float) -> tuple[float, float]:
    """Give what a pair adds to a and d of huellermeier by the t-norm of Łukasiewicz."""
    concordant, e_p, e_q = _degrees(x, y)
    together = max(e_p + e_q - 1.0, 0.0)
    return (
        max(concordant + together - 1.0, 0.0),
        max(concordant + (1.0 - together) - 1.0, 0.0),
    )


@kernel
def _add_huellermeier(s: Vector, n: Index, both: bool, wanted: int) -> None:
    """Add the pairs of i, and of j if there are both, to the sums of tables."""
    for t in range(n):
        difference = 0.5 * (s[_Y + t] - s[_X + t])
        b, c = s[_B + t] + max(difference, 0.0), s[_C + t] + max(-difference, 0.0)
        if both:
            difference = 0.5 * (s[_Y + _J + t] - s[_X + _J + t])
            b, c = b + max(difference, 0.0), c + max(-difference, 0.0)
        s[_B + t], s[_C + t] = b, c
    if wanted & HUELLERMEIER_PRODUCT:
        for t in range(n):
            a, d = _by_product(s[_X + t], s[_Y + t])
            a, d = s[_A_PRODUCT + t] + a, s[_D_PRODUCT + t] + d
            if both:
                more_a, more_d = _by_product(s[_X + _J + t], s[_Y + _J + t])
                a, d = a + more_a, d + more_d
            s[_A_PRODUCT + t], s[_D_PRODUCT + t] = a, d
    if wanted & HUELLERMEIER_MIN:
        for t in range(n):
            a, d = _by_min(s[_X + t], s[_Y + t])
            a, d = s[_A_MIN + t] + a, s[_D_MIN + t] + d
            if both:
                more_a, more_d = _by_min(s[_X + _J + t], s[_Y + _J + t])
                a, d = a + more_a, d + more_d
            s[_A_MIN + t], s[_D_MIN + t] = a, d
    if wanted & HUELLERMEIER_LUKASIEWICZ:
        for t in range(n):
            a, d = _by_lukasiewicz(s[_X + t], s[_Y + t])
            a, d = s[_A_LUKASIEWICZ + t] + a, s[_D_LUKASIEWICZ + t] + d
            if both:
                more_a, more_d = _by_lukasiewicz(s[_X + _J + t], s[_Y + _J + t])
                a, d = a + more_a, d + more_d
            s[_A_LUKASIEWICZ + t], s[_D_LUKASIEWICZ + t] = a, d


@kernel
def _t(t_norm: int, x: float, y: float) -> float:
    # The compiler makes a loop for each.
    if t_norm == MIN:
        return min(x, y)
    return x * y


@kernel
def _same_cluster(
    t_norm: int,
    p: Columns,
    i: Index,
    j: Index,
    first: Index,
    out: Vector,
    start: Index,
    n: Index,
) -> None:
    """
    Fill `out` with max_k t(u_ik, u_lk), for n objects l from `first` on.

    Those of i stand from `start` on, those of j one room behind.
    """
    n_clusters = Index(p.shape[0])
    k = n_clusters % _I2
    a, b = p[_I0, i], p[_I0, j]
    if k == _I1:
        for t in range(n):
            u = p[_I0, first + t]
            out[start + t] = _t(t_norm, a, u)
            out[start + _ROOM + t] = _t(t_norm, b, u)
    else:
        k = _I2
        c, d = p[_I1, i], p[_I1, j]
        for t in range(n):
            u, v = p[_I0, first + t], p[_I1, first + t]
            out[start + t] = max(_t(t_norm, a, u), _t(t_norm, c, v))
            out[start + _ROOM + t] = max(_t(t_norm, b, u), _t(t_norm, d, v))
    # Numbers are read before and written after: otherwise each would be written only
    # where it grows, one at a time.
    while k + _I2 < n_clusters:
        a, b, c, d = p[k, i], p[k, j], p[k + _I1, i], p[k + _I1, j]
        e, f, g, h = p[k + _I2, i], p[k + _I2, j], p[k + _I3, i], p[k + _I3, j]
        for t in range(n):
            u, v = p[k, first + t], p[k + _I1, first + t]
            w, z = p[k + _I2, first + t], p[k + _I3, first + t]
            x, y = out[start + t], out[start + _ROOM + t]
            x, y = max(x, _t(t_norm, a, u)), max(y, _t(t_norm, b, u))
            x, y = max(x, _t(t_norm, c, v)), max(y, _t(t_norm, d, v))
            x, y = max(x, _t(t_norm, e, w)), max(y, _t(t_norm, f, w))
            x, y = max(x, _t(t_norm, g, z)), max(y, _t(t_norm, h, z))
            out[start + t] = x
            out[start + _ROOM + t] = y
        k += _I4
    if k < n_clusters:
        a, b, c, d = p[k, i], p[k, j], p[k + _I1, i], p[k + _I1, j]
        for t in range(n):
            u, v = p[k, first + t], p[k + _I1, first + t]
            x, y = out[start + t], out[start + _ROOM + t]
            x, y = max(x, _t(t_norm, a, u)), max(y, _t(t_norm, b, u))
            x, y = max(x, _t(t_norm, c, v)), max(y, _t(t_norm, d, v))
            out[start + t] = x
            out[start + _ROOM + t] = y


@kernel
def _different_clusters(
    t_norm: int,
    tops: Columns,
    i: Index,
    j: Index,
    first: Index,
    out: Vector,
    start: Index,
    n: Index,
) -> None:
    """
    Fill `out` with max_{k != m} t(u_ik, u_lm), for n objects l from `first` on.

    Rows of `tops` are each object's largest membership, its second largest, and the
    cluster of the largest.
    """
    # Two that are largest in different clusters; else the largest with a second one,
    # where the second of i may go with the largest of l, as it does no harm elsewhere.
    top_i, next_i, where_i = tops[_I0, i], tops[_I1, i], tops[_I2, i]
    top_j, next_j, where_j = tops[_I0, j], tops[_I1, j], tops[_I2, j]
    for t in range(n):
        top, second = tops[_I0, first + t], tops[_I1, first + t]
        where = tops[_I2, first + t]
        apart_i = second if where == where_i else top
        apart_j = second if where == where_j else top
        x = max(_t(t_norm, top_i, apart_i), _t(t_norm, next_i, top))
        y = max(_t(t_norm, top_j, apart_j), _t(t_norm, next_j, top))
        out[start + t] = x
        out[start + _ROOM + t] = y


@kernel
def _different_clusters_of_any(
    p: Columns, i: Index, j: Index, first: Index, out: Vector, start: Index, n: Index
) -> None:
    """Fill `out` with max_{k != m} u_ik u_lm, where memberships may be negative."""
    out[start : start + _I2 * _ROOM] = -np.inf if p.shape[0] > 1 else 0.0
    for k in range(p.shape[0]):
        x, y = p[k, i], p[k, j]
        for m in range(p.shape[0]):
            if m != k:
                for t in range(n):
                    u = p[m, first + t]
                    most_x, most_y = out[start + t], out[start + _ROOM + t]
                    most_x, most_y = max(most_x, x * u), max(most_y, y * u)
                    out[start + t] = most_x
                    out[start + _ROOM + t] = most_y


@kernel
def _add_campello(t_norm: int, s: Vector, n: Index, both: bool, sums: Index) -> None:
    """Add the pairs of i, and of j if there are both, to the sums of a table."""
    for t in range(n):
        v, w, y, z = s[_V + t], s[_W + t], s[_U + t], s[_Z + t]
        a, b = _t(t_norm, v, y), _t(t_norm, v, z)
        c, d = _t(t_norm, w, y), _t(t_norm, w, z)
        a, b = s[sums + t] + a, s[sums + _ROOM + t] + b
        c, d = s[sums + _I2 * _ROOM + t] + c, s[sums + _I3 * _ROOM + t] + d
        if both:
            v, w = s[_V + _J + t], s[_W + _J + t]
            y, z = s[_U + _J + t], s[_Z + _J + t]
            a, b = a + _t(t_norm, v, y), b + _t(t_norm, v, z)
            c, d = c + _t(t_norm, w, y), d + _t(t_norm, w, z)
        s[sums + t], s[sums + _ROOM + t] = a, b
        s[sums + _I2 * _ROOM + t], s[sums + _I3 * _ROOM + t] = c, d


@kernel
def band_sums(
    p: Columns,
    q: Columns,
    tops_p: Columns,
    tops_q: Columns,
    given_x: Distances,
    given_y: Distances,
    i0: int,
    i1: int,
    first: int,
    width: int,
    wanted: int,
    slope: float,
    starts: Vector,
    lengths: Vector,
    slopes: Vector,
    cell_bits: int,
    bins_p: Bits,
    bins_q: Bits,
    out: Vector,
) -> None:
    """
    Fill `out` with the sums over a band that are wanted, and count x and y on a grid.

    Distances that are given are not computed. The sum of |x - y| is always there, and
    there is a grid if there are bins. On the grid a distance is a double between ORIGIN
    and twice that. Its bits are an integer: behind the exponent stand the number of the
    cell and the place within it. One addition of these bits to the cell's bin counts
    the distance and adds up its place, and `read_bins` takes the two apart again.
    """
    s = np.zeros(_N_ROOMS * _ROOM)
    bits = s.view(np.uint64)
    last = Index(i1 - 1)
    scale = ORIGIN * slope
    # Bins begin with as many that stay empty as the exponent says: so it need not be
    # taken off.
    to_cell = np.uint64(52 - cell_bits)
    to_place = np.uint64(PLACE_SHIFT)
    # Whatever a double is, it has a bin: their number is a power of 2.
    has_bin = np.uint64(((EXPONENT + 1) << cell_bits) - 1)
    n = Index(width)
    for i in range(Index(i0), Index(i1), _I2):
        j = min(i + _I1, last)
        both = i != j
        n_others = n + (j - i)
        others = i + Index(first)
        if given_x.size == 0:
            _l1_distances(p, i, j, others, s, _X, n_others)
        else:
            _given_distances(given_x, i - Index(i0), j - Index(i0), s, _X, n)
        if given_y.size == 0:
            _l1_distances(q, i, j, others, s, _Y, n_others)
        else:
            _given_distances(given_y, i - Index(i0), j - Index(i0), s, _Y, n)
        if wanted & _HUELLERMEIER:
            _add_huellermeier(s, n_others, both, wanted)
        if wanted & CAMPELLO_MIN:
            _same_cluster(MIN, p, i, j, others, s, _V, n_others)
            _same_cluster(MIN, q, i, j, others, s, _U, n_others)
            _different_clusters(MIN, tops_p, i, j, others, s, _W, n_others)
            _different_clusters(MIN, tops_q, i, j, others, s, _Z, n_others)
            _add_campello(MIN, s, n_others, both, _CAMPELLO_MIN)
        if wanted & (CAMPELLO_PRODUCT + CAMPELLO_PRODUCT_OF_ANY):
            _same_cluster(PRODUCT, p, i, j, others, s, _V, n_others)
            _same_cluster(PRODUCT, q, i, j, others, s, _U, n_others)
            if wanted & CAMPELLO_PRODUCT:
                _different_clusters(PRODUCT, tops_p, i, j, others, s, _W, n_others)
                _different_clusters(PRODUCT, tops_q, i, j, others, s, _Z, n_others)
            else:
                _different_clusters_of_any(p, i, j, others, s, _W, n_others)
                _different_clusters_of_any(q, i, j, others, s, _Z, n_others)
            _add_campello(PRODUCT, s, n_others, both, _CAMPELLO_PRODUCT)
        if bins_p.size == 0 or starts.size > 0:
            for t in range(n_others):
                x, y = s[_X + t], s[_Y + t]
                v, w = s[_X + _J + t], s[_Y + _J + t]
                further = abs(v - w) if both else 0.0
                s[_TOTALS + t] += abs(x - y) + further
        else:
            for t in range(n_others):
                x, y = s[_X + t], s[_Y + t]
                v, w = s[_X + _J + t], s[_Y + _J + t]
                further = abs(v - w) if both else 0.0
                s[_TOTALS + t] += abs(x - y) + further
                s[_X + t] = ORIGIN + scale * x
                s[_Y + t] = ORIGIN + scale * y
                s[_X + _J + t] = ORIGIN + scale * v
                s[_Y + _J + t] = ORIGIN + scale * w
        if bins_p.size == 0:
            continue
        if starts.size > 0:
            for row in range(_I4):
                start = row * _ROOM
                _to_grid(s, start, n_others, slope, starts, lengths, slopes)
        for row in range(_I1 + (j - i)):
            x_row = _X + row * _J
            y_row = _Y + row * _J
            for t in range(n):
                in_p, in_q = bits[x_row + t], bits[y_row + t]
                bins_p[(in_p >> to_cell) & has_bin] += in_p >> to_place
                bins_q[(in_q >> to_cell) & has_bin] += in_q >> to_place
    for place in range(N_SUMS):
        room = _TOTALS + Index(place) * _ROOM
        total = 0.0
        for t in range(room, room + n):
            total += s[t]
        out[place] = total


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
    given: Distances,
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

    There are 2^cell_bits squares, so that every double has one. Distances that are
    given are not computed.
    """
    distances = np.zeros(_I2 * _ROOM)
    bits = distances.view(np.uint64)
    n, shift, last = Index(width), Index(first), Index(i1 - 1)
    to_cell = np.uint64(52 - cell_bits)
    mantissa = np.uint64((1 << 52) - 1)
    within = np.uint64((1 << (52 - cell_bits)) - 1)
    to_place = np.uint64(PLACE_SHIFT)
    for i in range(Index(i0), Index(i1), _I2):
        j = min(i + _I1, last)
        if given.size == 0:
            _l1_distances(p, i, j, i + shift, distances, _I0, n + (j - i))
        else:
            _given_distances(given, i - Index(i0), j - Index(i0), distances, _I0, n)
        for row in range(_I1 + (j - i)):
            start = row * (_ROOM + _I1)
            _to_grid(distances, start, n, slope, starts, lengths, slopes)
            for t in range(n):
                place = (bits[start + t] & within) >> to_place
                squares[(bits[start + t] & mantissa) >> to_cell] += place * place


@kernel
def fill_cells(
    counts_p: NDArray[np.int64],
    counts_q: NDArray[np.int64],
    places_p: Vector,
    places_q: Vector,
    roots: Vector,
    widths: Vector,
    middle: float,
    rounding: float,
    terms: Vector,
    errors: Vector,
) -> None:
    """
    Fill in what each cell contributes to E[d], and to its error.

    Places are sums within cells, each on average too small by `middle`; roots, if any,
    are at least as large as the mean difference within cells.
    """
    total_p, total_q = counts_p.sum(), counts_q.sum()
    share_p, share_q = 1.0 / total_p, 1.0 / total_q
    up_to_p = up_to_q = 0
    last = counts_p.size - 1
    for cell in range(counts_p.size):
        w = widths[cell]
        # Rounding may move a distance from one cell to the next.
        reach = max(w, widths[max(cell - 1, 0)], widths[min(cell + 1, last)])
        s = places_p[cell] / max(counts_p[cell], 1) + middle
        t = places_q[cell] / max(counts_q[cell], 1) + middle
        p, below_p = counts_p[cell] * share_p, up_to_p * share_p
        q, below_q = counts_q[cell] * share_q, up_to_q * share_q
        up_to_p += counts_p[cell]
        up_to_q += counts_q[cell]
        above_p = (total_p - up_to_p) * share_p
        above_q = (total_q - up_to_q) * share_q
        low, high = abs(s - t), s * (1.0 - t) + t * (1.0 - s)
        if roots.size > 0:
            high = max(low, min(high, roots[cell]))
        terms[cell] = w * (
            (below_p * above_q + below_q * above_p)
            + (below_p * (q * t) + below_q * (p * s))
            + (above_q * (p * (1.0 - s)) + above_p * (q * (1.0 - t)))
            + 0.5 * (p * q) * (low + high)
        )
        # A place that is cut off stays in its cell.
        moved = w * middle + reach * rounding
        errors[cell] = 0.5 * (p * q) * (high - low) * w + (p + q) * moved
