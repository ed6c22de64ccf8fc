"""Kernels with a t-norm: values and cardinalities of the pairs of a block."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from concordant.kernels.compiling import kernel_with

Columns = NDArray[np.float64]  # what is known of each object, one row per item
Values = NDArray[np.float64]
Sums = NDArray[np.float64]  # a, b, c and d, of each shift of the block
TNorm = Callable[[float, float], float]
Kernel = Callable[..., None]

# Blocks of pairs and what their callers make sure of are those of `pair_values.py`.


def shared(t: TNorm) -> Kernel:
    """Return a kernel for max_k t(u_ik, u_jk): how far one cluster holds both."""

    @kernel_with(t)
    def fill(
        u: Columns, i0: int, rows: int, first: int, width: int, out: Values
    ) -> None:
        for r in range(rows):
            i, j = i0 + r, i0 + r + first
            row = out[r * width : (r + 1) * width]
            for k in range(0, u.shape[0], 4):
                a, v = u[k, i], u[k, j : j + width]
                b, w = u[k + 1, i], u[k + 1, j : j + width]
                c, x = u[k + 2, i], u[k + 2, j : j + width]
                d, y = u[k + 3, i], u[k + 3, j : j + width]
                for s in range(row.size):
                    before = row[s] if k > 0 else -np.inf
                    f = max(t(a, v[s]), t(b, w[s]))
                    g = max(t(c, x[s]), t(d, y[s]))
                    row[s] = max(before, max(f, g))

    return fill


def apart(t: TNorm) -> Kernel:
    """
    Return a kernel for max_{k != l} t(u_ik, u_jl): how far two clusters hold them.

    Rows of `ends` are each object's largest membership, its second largest, the cluster
    of the largest and nothing; where memberships are negative, also the smallest, the
    second smallest, the cluster of the smallest and nothing.
    """

    @kernel_with(t)
    def fill(
        ends: Columns, i0: int, rows: int, first: int, width: int, out: Values
    ) -> None:
        for r in range(rows):
            i, j = i0 + r, i0 + r + first
            row = out[r * width : (r + 1) * width]
            for k in range(0, ends.shape[0], 4):
                # Two that are largest in different clusters; else the largest with a
                # second one, where the second of i may go with the largest of j in any
                # case.
                top_i, next_i, where_i = ends[k, i], ends[k + 1, i], ends[k + 2, i]
                tops, nexts = ends[k, j : j + width], ends[k + 1, j : j + width]
                wheres = ends[k + 2, j : j + width]
                for s in range(row.size):
                    # All are read, so that no load depends on the comparison.
                    top, second, where = tops[s], nexts[s], wheres[s]
                    before = row[s] if k > 0 else -np.inf
                    other = second if where == where_i else top
                    x = max(t(top_i, other), t(next_i, top))
                    row[s] = max(before, x)

    return fill


def huellermeier(t: TNorm) -> Kernel:
    """Return a kernel that adds up pairs by their dissimilarities, x in P, y in Q."""

    @kernel_with(t)
    def add(x: Values, y: Values, sums: Sums) -> None:
        a, b, c, d = sums[0], sums[1], sums[2], sums[3]
        width = a.size
        for start in range(0, x.size, width):
            in_p, in_q = x[start : start + width], y[start : start + width]
            for s in range(width):
                difference = in_q[s] - in_p[s]
                agreement = 1.0 - abs(difference)
                together = t(1.0 - in_p[s], 1.0 - in_q[s])
                a[s] += t(agreement, together)
                b[s] += max(difference, 0.0)
                c[s] += max(-difference, 0.0)
                d[s] += t(agreement, 1.0 - together)

    return add


def campello(t: TNorm) -> Kernel:
    """Return a kernel that adds up pairs by how far they are together and apart."""

    @kernel_with(t)
    def add(
        shared_p: Values, apart_p: Values, shared_q: Values, apart_q: Values, sums: Sums
    ) -> None:
        a, b, c, d = sums[0], sums[1], sums[2], sums[3]
        width = a.size
        for start in range(0, shared_p.size, width):
            stop = start + width
            v, x = shared_p[start:stop], apart_p[start:stop]
            y, z = shared_q[start:stop], apart_q[start:stop]
            for s in range(width):
                a[s] += t(v[s], y[s])
                b[s] += t(v[s], z[s])
                c[s] += t(x[s], y[s])
                d[s] += t(x[s], z[s])

    return add
