"""Cardinalities of a block of pairs, for families that are sums over pairs."""

import numpy as np
from numpy.typing import NDArray

from concordant.kernels.compiling import kernel

Values = NDArray[np.float64]
Columns = NDArray[np.float64]  # what is known of each object, one row per item


@kernel
def _t(t_norm: int, x: float, y: float) -> float:
    # The compiler makes a loop for each.
    if t_norm == 0:
        return min(x, y)
    if t_norm == 1:
        return x * y
    return max(x + y - 1.0, 0.0)


@kernel
def _add_up(sums: Values, out: Values) -> None:
    """Fill `out` with the sum of each row, in order."""
    for s in range(sums.shape[0]):
        total = 0.0
        for t in range(sums.shape[1]):
            total += sums[s, t]
        out[s] = total


@kernel
def huellermeier(x: Values, y: Values, width: int, t_norm: int, out: Values) -> None:
    """Fill `out` with a, b, c and d, where x and y are dissimilarities in P and Q."""
    sums = np.zeros((4, width))
    a, b, c, d = sums[0], sums[1], sums[2], sums[3]
    for start in range(0, x.size, width):
        in_p, in_q = x[start : start + width], y[start : start + width]
        for t in range(width):
            difference = in_q[t] - in_p[t]
            agreement = 1.0 - abs(difference)
            together = _t(t_norm, 1.0 - in_p[t], 1.0 - in_q[t])
            a[t] += _t(t_norm, agreement, together)
            b[t] += max(difference, 0.0)
            c[t] += max(-difference, 0.0)
            d[t] += _t(t_norm, agreement, 1.0 - together)
    _add_up(sums, out)


@kernel
def _fill_shared(t_norm: int, u: Columns, i: int, j: int, row: Values) -> None:
    """Fill in max_k t(u_ik, u_lk) for l from j on: how far one cluster holds both."""
    n_clusters, width = u.shape[0], row.size
    a, v = u[0, i], u[0, j : j + width]
    k = n_clusters % 2
    if k == 1:
        for t in range(width):
            row[t] = _t(t_norm, a, v[t])
    else:
        k = 2
        b, w = u[1, i], u[1, j : j + width]
        for t in range(width):
            row[t] = max(_t(t_norm, a, v[t]), _t(t_norm, b, w[t]))
    while k < n_clusters:
        a, v = u[k, i], u[k, j : j + width]
        b, w = u[k + 1, i], u[k + 1, j : j + width]
        for t in range(width):
            # Read before and written after: otherwise it is written only if it grows.
            x = row[t]
            x = max(x, max(_t(t_norm, a, v[t]), _t(t_norm, b, w[t])))
            row[t] = x
        k += 2


@kernel
def _fill_apart(t_norm: int, ends: Columns, i: int, j: int, row: Values) -> None:
    """
    Fill in max_{k != m} t(u_ik, u_lm) for l from j on: how far two clusters hold them.

    Rows of `ends` are each object's largest membership, its second largest and the
    cluster of the largest; where memberships are negative, also the smallest, the
    second smallest and the cluster of the smallest.
    """
    width = row.size
    for start in range(0, ends.shape[0], 3):
        # Two that are largest in different clusters; else the largest with a second
        # one, where the second of i may go with the largest of l in any case.
        top_i, next_i, where_i = ends[start, i], ends[start + 1, i], ends[start + 2, i]
        tops, nexts = ends[start, j : j + width], ends[start + 1, j : j + width]
        wheres = ends[start + 2, j : j + width]
        for t in range(width):
            # All are read, so that no load depends on the comparison.
            top, second, where = tops[t], nexts[t], wheres[t]
            other = second if where == where_i else top
            x = max(_t(t_norm, top_i, other), _t(t_norm, next_i, top))
            before = row[t]
            row[t] = x if start == 0 else max(before, x)


# Rows of a band, at most so wide, stand in one array at fixed places that the compiler
# sees: sums, then degrees of two objects in P and in Q.
_ROOM = 272
_A, _B, _C, _D = (np.uint64(place * _ROOM) for place in range(4))
_SHARED_P, _APART_P, _SHARED_Q, _APART_Q = (
    np.uint64(place * _ROOM) for place in range(4, 12, 2)
)
_NEXT = np.uint64(_ROOM)


@kernel
def _add_campello(t_norm: int, s: Values, width: int) -> None:
    """Add the pairs of two objects to the sums."""
    for t in range(np.uint64(width)):
        v, w = s[_SHARED_P + t], s[_SHARED_P + _NEXT + t]
        x, z = s[_APART_P + t], s[_APART_P + _NEXT + t]
        y, f = s[_SHARED_Q + t], s[_SHARED_Q + _NEXT + t]
        g, h = s[_APART_Q + t], s[_APART_Q + _NEXT + t]
        s[_A + t] += _t(t_norm, v, y) + _t(t_norm, w, f)
        s[_B + t] += _t(t_norm, v, g) + _t(t_norm, w, h)
        s[_C + t] += _t(t_norm, x, y) + _t(t_norm, z, f)
        s[_D + t] += _t(t_norm, x, g) + _t(t_norm, z, h)


@kernel
def campello(
    u: Columns,
    ends_p: Columns,
    v: Columns,
    ends_q: Columns,
    i0: int,
    rows: int,
    first: int,
    width: int,
    t_norm: int,
    out: Values,
) -> None:
    """Fill `out` with a, b, c and d of a block, from memberships in P and in Q."""
    s = np.zeros((12, _ROOM))
    flat = s.ravel()
    for r in range(0, rows, 2):
        s[4:] = 0.0  # an object without a next one adds nothing
        for h in range(min(2, rows - r)):
            i = i0 + r + h
            _fill_shared(t_norm, u, i, i + first, s[4 + h, :width])
            _fill_apart(t_norm, ends_p, i, i + first, s[6 + h, :width])
            _fill_shared(t_norm, v, i, i + first, s[8 + h, :width])
            _fill_apart(t_norm, ends_q, i, i + first, s[10 + h, :width])
        _add_campello(t_norm, flat, width)
    _add_up(s[:4, :width], out)
