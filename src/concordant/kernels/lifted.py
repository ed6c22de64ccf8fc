"""Products of vectors of memberships, summed in fixed lanes."""

import numpy as np
from numpy.typing import NDArray

from concordant.kernels.compiling import kernel

Vector = NDArray[np.float64]

# Indices without a sign are not tested for one, and loops over them vectorise.
Index = np.uint64
_I0, _I1, _I2, _I3, _I4 = (Index(i) for i in range(5))

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
