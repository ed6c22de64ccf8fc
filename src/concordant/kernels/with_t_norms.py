"""Kernels with a t-norm: values, cardinalities and weights of pairs of a block."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Counts
from concordant.kernels.compiling import kernel, kernel_with

Columns = NDArray[np.float64]  # what is known of each object, one row per item
Values = NDArray[np.float64]
TNorm = Callable[[float, float], float]
Kernel = Callable[..., Any]
Sums = tuple[float, float, float, float]  # a, b, c and d

# Blocks of pairs and what their callers make sure of are those of `pair_values.py`.


@kernel
def _total(sums: Values) -> float:
    total = 0.0
    for s in range(sums.size):
        total += sums[s]
    return total


def huellermeier(t: TNorm) -> Kernel:
    """Return a kernel that adds up pairs by their dissimilarities, x in P, y in Q."""

    @kernel_with(t)
    def add(x: Values, y: Values, width: int) -> Sums:
        sums = np.zeros((4, width))
        a, b, c, d = sums[0], sums[1], sums[2], sums[3]
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
        return _total(a), _total(b), _total(c), _total(d)

    return add


def campello(t: TNorm) -> Kernel:
    """
    Return a kernel that adds up pairs by how far one cluster holds both, or two do.

    These are max_k t(u_ik, u_jk) and max_{k != l} t(u_ik, u_jl). Rows of `ends` are
    each object's largest membership, its second largest, the cluster of the largest and
    nothing; where memberships are negative, also the smallest, the second smallest, the
    cluster of the smallest and nothing.
    """

    @kernel_with(t)
    def add(
        u_p: Columns,
        ends_p: Columns,
        u_q: Columns,
        ends_q: Columns,
        i0: int,
        rows: int,
        first: int,
        width: int,
    ) -> Sums:
        sums, degrees = np.zeros((4, width)), np.empty((4, width))
        a, b, c, d = sums[0], sums[1], sums[2], sums[3]
        in_p, apart_p, in_q, apart_q = degrees[0], degrees[1], degrees[2], degrees[3]
        for i in range(i0, i0 + rows):
            j = i + first
            for side in range(2):
                u, ends = (u_p, ends_p) if side == 0 else (u_q, ends_q)
                one, two = (in_p, apart_p) if side == 0 else (in_q, apart_q)
                for k in range(0, u.shape[0], 4):
                    e, v = u[k, i], u[k, j : j + width]
                    f, w = u[k + 1, i], u[k + 1, j : j + width]
                    g, x = u[k + 2, i], u[k + 2, j : j + width]
                    h, y = u[k + 3, i], u[k + 3, j : j + width]
                    for s in range(width):
                        before = one[s] if k > 0 else -np.inf
                        m = max(t(e, v[s]), t(f, w[s]))
                        one[s] = max(before, max(m, max(t(g, x[s]), t(h, y[s]))))
                for k in range(0, ends.shape[0], 4):
                    # Two that are largest in different clusters; else the largest with
                    # a second one, where the second of i may go with the largest of j
                    # in any case.
                    top_i, next_i, where_i = ends[k, i], ends[k + 1, i], ends[k + 2, i]
                    tops, nexts = ends[k, j : j + width], ends[k + 1, j : j + width]
                    wheres = ends[k + 2, j : j + width]
                    for s in range(width):
                        # All are read, so that no load depends on the comparison.
                        top, second, where = tops[s], nexts[s], wheres[s]
                        before = two[s] if k > 0 else -np.inf
                        other = second if where == where_i else top
                        m = max(t(top_i, other), t(next_i, top))
                        two[s] = max(before, m)
            for s in range(width):
                a[s] += t(in_p[s], in_q[s])
                b[s] += t(in_p[s], apart_q[s])
                c[s] += t(apart_p[s], in_q[s])
                d[s] += t(apart_p[s], apart_q[s])
        return _total(a), _total(b), _total(c), _total(d)

    return add


@kernel
def _mean_distances(
    points: Values,
    lines: Values,
    starts: Values,
    lengths: Values,
    slopes: Values,
    ranks: Counts,
    crowded: bool,
    at: Values,
    rank: Counts,
    e: Values,
) -> None:
    """
    Fill `e` with E|x - X| for each point x, by lines between the means of X.

    A line has a slope, a height at the first mean, and an end; the last one is endless.
    Ramps lead from a point to a cell, and `ranks` tell how many means lie before each.
    Only if a cell is `crowded` with several means is there a search.
    """
    low, last = lines[0, 2], float(ranks.size - 2)
    for s in range(points.size):
        at[s] = 0.0
    for k in range(slopes.size):
        start, length, slope = starts[k], lengths[k], slopes[k]
        for s in range(points.size):
            at[s] += slope * min(max(points[s] - start, 0.0), length)
    for s in range(points.size):
        at[s] = min(at[s], last)
    for s in range(points.size):
        before = ranks[int(at[s])]
        rank[s] = before + int(lines[before, 2] < points[s])
    if crowded:
        for s in range(points.size):
            before, after = rank[s], ranks[int(at[s]) + 1]
            while before < after:
                middle = (before + after) // 2
                if lines[middle, 2] < points[s]:
                    before = middle + 1
                else:
                    after = middle
            rank[s] = before
    for s in range(points.size):
        slope, height = lines[rank[s], 0], lines[rank[s], 1]
        e[s] = max((points[s] - low) * slope + height, 0.0)


def weighted(t: TNorm) -> Kernel:
    """
    Return a kernel that weights pairs by the t-norm of their memberships in a cluster.

    It fills four sums of each cluster: those of w |x - y|, w E|X - y|, w and |w|.
    """

    @kernel_with(t)
    def add(
        x: Values,
        y: Values,
        i0: int,
        rows: int,
        first: int,
        width: int,
        u: Columns,
        lines: Values,
        starts: Values,
        lengths: Values,
        slopes: Values,
        ranks: Counts,
        crowded: bool,
        out: Values,
    ) -> None:
        sums, values = np.zeros((u.shape[0], 4, width)), np.empty((4, width))
        d, e, w, at = values[0], values[1], values[2], values[3]
        rank = np.empty(width, np.int64)
        for r in range(rows):
            i, j = i0 + r, i0 + r + first
            a, b = x[r * width : (r + 1) * width], y[r * width : (r + 1) * width]
            for s in range(width):
                d[s] = abs(a[s] - b[s])
            ramps = starts, lengths, slopes
            _mean_distances(b, lines, *ramps, ranks, crowded, at, rank, e)
            for k in range(u.shape[0]):
                one, others = u[k, i], u[k, j : j + width]
                of_d, of_e, of_w, size = sums[k, 0], sums[k, 1], sums[k, 2], sums[k, 3]
                # One sum at a time: loops over few arrays take several pairs at once.
                for s in range(width):
                    w[s] = t(one, others[s])
                for s in range(width):
                    of_d[s] += w[s] * d[s]
                for s in range(width):
                    of_e[s] += w[s] * e[s]
                for s in range(width):
                    of_w[s] += w[s]
                for s in range(width):
                    size[s] += abs(w[s])
        for k in range(u.shape[0]):
            for each in range(4):
                out[k, each] = _total(sums[k, each])

    return add
