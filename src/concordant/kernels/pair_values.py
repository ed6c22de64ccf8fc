"""Values of the pairs of a block, from what is known of its objects."""

import numpy as np
from numpy.typing import NDArray

from concordant.kernels.compiling import kernel

Columns = NDArray[np.float64]  # what is known of each object, one row per item
Values = NDArray[np.float64]

# A block is the pairs (i, i + s) with i0 <= i < i0 + rows and first <= s < first +
# width, one object i after the other. Its caller makes sure that `columns` reach to
# object i0 + rows + first + width - 2, that `out` holds rows * width values, and that
# clusters are a multiple of four: so many are taken at a time, and `out` is read and
# written that much less often.


@kernel
def l1(u: Columns, i0: int, rows: int, first: int, width: int, out: Values) -> None:
    """Fill `out` with sums of absolute differences."""
    for r in range(rows):
        i, j = i0 + r, i0 + r + first
        row = out[r * width : (r + 1) * width]
        for k in range(0, u.shape[0], 4):
            a, v = u[k, i], u[k, j : j + width]
            b, w = u[k + 1, i], u[k + 1, j : j + width]
            c, x = u[k + 2, i], u[k + 2, j : j + width]
            d, y = u[k + 3, i], u[k + 3, j : j + width]
            for t in range(row.size):
                before = row[t] if k > 0 else 0.0
                z = before + (abs(a - v[t]) + abs(b - w[t]))
                row[t] = z + (abs(c - x[t]) + abs(d - y[t]))


@kernel
def _minus_products(
    u: Columns, sign: float, i0: int, rows: int, first: int, width: int, out: Values
) -> None:
    """Fill `out` with 1 - sign u_0i u_0j - u_1i u_1j - ..."""
    for r in range(rows):
        i, j = i0 + r, i0 + r + first
        row = out[r * width : (r + 1) * width]
        for k in range(0, u.shape[0], 4):
            a, v = (sign * u[k, i] if k == 0 else u[k, i]), u[k, j : j + width]
            b, w = u[k + 1, i], u[k + 1, j : j + width]
            c, x = u[k + 2, i], u[k + 2, j : j + width]
            d, y = u[k + 3, i], u[k + 3, j : j + width]
            for t in range(row.size):
                before = row[t] if k > 0 else 1.0
                z = before - (a * v[t] + b * w[t])
                row[t] = z - (c * x[t] + d * y[t])


@kernel
def outer(u: Columns, i0: int, rows: int, first: int, width: int, out: Values) -> None:
    """Fill `out` with one plus products of the first rows, minus those of others."""
    _minus_products(u, -1.0, i0, rows, first, width, out)


@kernel
def inner(u: Columns, i0: int, rows: int, first: int, width: int, out: Values) -> None:
    """Fill `out` with one minus inner products."""
    _minus_products(u, 1.0, i0, rows, first, width, out)
