"""Values of the pairs of a block, from what is known of its objects."""

import numpy as np
from numpy.typing import NDArray

from concordant.kernels.compiling import kernel

Columns = NDArray[np.float64]  # what is known of each object, one row per item
Values = NDArray[np.float64]

# A block is the pairs (i, i + s) with i0 <= i < i0 + rows and first <= s < first +
# width, one object i after the other. Its caller makes sure that `columns` reach to
# object i0 + rows + first + width - 2, and that `out` holds rows * width values.
# Several clusters are taken at a time, so that `out` is read and written less often.


@kernel
def l1(u: Columns, i0: int, rows: int, first: int, width: int, out: Values) -> None:
    """Fill `out` with sums of absolute differences."""
    n_clusters = u.shape[0]
    for r in range(rows):
        i, j = i0 + r, i0 + r + first
        row = out[r * width : (r + 1) * width]
        a, v = u[0, i], u[0, j : j + width]
        k = n_clusters % 2
        if k == 1:
            for t in range(row.size):
                row[t] = abs(a - v[t])
        else:
            k = 2
            b, w = u[1, i], u[1, j : j + width]
            for t in range(row.size):
                row[t] = abs(a - v[t]) + abs(b - w[t])
        while k + 2 < n_clusters:
            a, v = u[k, i], u[k, j : j + width]
            b, w = u[k + 1, i], u[k + 1, j : j + width]
            c, x = u[k + 2, i], u[k + 2, j : j + width]
            d, y = u[k + 3, i], u[k + 3, j : j + width]
            for t in range(row.size):
                z = row[t] + abs(a - v[t]) + abs(b - w[t])
                row[t] = z + abs(c - x[t]) + abs(d - y[t])
            k += 4
        if k < n_clusters:
            a, v = u[k, i], u[k, j : j + width]
            b, w = u[k + 1, i], u[k + 1, j : j + width]
            for t in range(row.size):
                row[t] = row[t] + abs(a - v[t]) + abs(b - w[t])


@kernel
def inner(u: Columns, i0: int, rows: int, first: int, width: int, out: Values) -> None:
    """Fill `out` with one minus inner products."""
    n_clusters = u.shape[0]
    for r in range(rows):
        i, j = i0 + r, i0 + r + first
        row = out[r * width : (r + 1) * width]
        row[:] = 1.0
        k = 0
        while k + 1 < n_clusters:
            a, v = u[k, i], u[k, j : j + width]
            b, w = u[k + 1, i], u[k + 1, j : j + width]
            for t in range(row.size):
                row[t] = row[t] - a * v[t] - b * w[t]
            k += 2
        if k < n_clusters:
            a, v = u[k, i], u[k, j : j + width]
            for t in range(row.size):
                row[t] -= a * v[t]
