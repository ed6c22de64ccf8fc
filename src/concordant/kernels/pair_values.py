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
def inner(u: Columns, i0: int, rows: int, first: int, width: int, out: Values) -> None:
    """Fill `out` with one minus inner products."""
    for r in range(rows):
        i, j = i0 + r, i0 + r + first
        row = out[r * width : (r + 1) * width]
        for k in range(0, u.shape[0], 4):
            a, v = u[k, i], u[k, j : j + width]
            b, w = u[k + 1, i], u[k + 1, j : j + width]
            c, x = u[k + 2, i], u[k + 2, j : j + width]
            d, y = u[k + 3, i], u[k + 3, j : j + width]
            for t in range(row.size):
                before = row[t] if k > 0 else 1.0
                z = before - (a * v[t] + b * w[t])
                row[t] = z - (c * x[t] + d * y[t])


@kernel
def _t(t_norm: int, x: float, y: float) -> float:
    # The compiler makes a loop for each.
    return min(x, y) if t_norm == 0 else x * y


@kernel
def shared(
    u: Columns, i0: int, rows: int, first: int, width: int, t_norm: int, out: Values
) -> None:
    """Fill `out` with max_k t(u_ik, u_jk): how far one cluster holds both objects."""
    for r in range(rows):
        i, j = i0 + r, i0 + r + first
        row = out[r * width : (r + 1) * width]
        for k in range(0, u.shape[0], 4):
            a, v = u[k, i], u[k, j : j + width]
            b, w = u[k + 1, i], u[k + 1, j : j + width]
            c, x = u[k + 2, i], u[k + 2, j : j + width]
            d, y = u[k + 3, i], u[k + 3, j : j + width]
            for t in range(row.size):
                before = row[t] if k > 0 else -np.inf
                f = max(_t(t_norm, a, v[t]), _t(t_norm, b, w[t]))
                g = max(_t(t_norm, c, x[t]), _t(t_norm, d, y[t]))
                row[t] = max(before, max(f, g))


@kernel
def apart(
    ends: Columns, i0: int, rows: int, first: int, width: int, t_norm: int, out: Values
) -> None:
    """
    Fill `out` with max_{k != l} t(u_ik, u_jl): how far two clusters hold them.

    Rows of `ends` are each object's largest membership, its second largest, the cluster
    of the largest and nothing; where memberships are negative, also the smallest, the
    second smallest, the cluster of the smallest and nothing.
    """
    for r in range(rows):
        i, j = i0 + r, i0 + r + first
        row = out[r * width : (r + 1) * width]
        for k in range(0, ends.shape[0], 4):
            # Two that are largest in different clusters; else the largest with a second
            # one, where the second of i may go with the largest of j in any case.
            top_i, next_i, where_i = ends[k, i], ends[k + 1, i], ends[k + 2, i]
            tops, nexts = ends[k, j : j + width], ends[k + 1, j : j + width]
            wheres = ends[k + 2, j : j + width]
            for t in range(row.size):
                # All are read, so that no load depends on the comparison.
                top, second, where = tops[t], nexts[t], wheres[t]
                before = row[t] if k > 0 else -np.inf
                other = second if where == where_i else top
                x = max(_t(t_norm, top_i, other), _t(t_norm, next_i, top))
                row[t] = max(before, x)
