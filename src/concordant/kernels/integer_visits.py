"""Sums over bands of pairs whose memberships are integers: differences and counts."""

import numpy as np
from numpy.typing import NDArray

from concordant.kernels.compiling import kernel

Columns = NDArray[np.uint16]  # K x n, one cluster per row
Short = NDArray[np.uint16]
Counts = NDArray[np.uint32]

#: How many distances 16 bits can tell apart, so that each has its counters.
MOST_DISTANCES = 1 << 16

# Indices without a sign are not tested for one, and loops over them vectorise.
Index = np.uint64
_I0, _I1, _I2 = Index(0), Index(1), Index(2)
# The shifts of a band, written here as well: machine code that is kept on disk would
# not notice a change in another file.
WIDTH = 255
_ROOM = Index(WIDTH + 1)


@kernel
def _half_distances(
    p: Columns, i: Index, first: Index, row_sum: int, out: Short, start: Index, n: Index
) -> None:
    """
    Fill `out` with half the L1 distances from i to n objects, whose rows sum alike.

    The larger of two numbers is their mean and half their difference.
    """
    a = p[_I0, i]
    for t in range(n):
        out[start + t] = max(a, p[_I0, first + t])
    for k in range(_I1, Index(p.shape[0])):
        a = p[k, i]
        for t in range(n):
            out[start + t] += max(a, p[k, first + t])
    for t in range(n):
        out[start + t] -= row_sum


@kernel
def _distances(
    p: Columns, i: Index, first: Index, out: Short, start: Index, n: Index
) -> None:
    """Fill `out` with the L1 distances from i to n objects."""
    a = p[_I0, i]
    for t in range(n):
        b = p[_I0, first + t]
        out[start + t] = max(a, b) - min(a, b)
    for k in range(_I1, Index(p.shape[0])):
        a = p[k, i]
        for t in range(n):
            b = p[k, first + t]
            out[start + t] += max(a, b) - min(a, b)


@kernel
def band_counts(
    p: Columns,
    q: Columns,
    i0: int,
    i1: int,
    first: int,
    width: int,
    row_sum_p: int,
    row_sum_q: int,
    factor_p: int,
    factor_q: int,
    wide: bool,
    copy_bits: int,
    counts_p: Counts,
    counts_q: Counts,
) -> int:
    """
    Add |factor_p x - factor_q y| over a band, and count each x and each y.

    x and y are L1 distances, or half of them where all rows sum to `row_sum`, which is
    not 0 then. All distances and their multiples are below 2^16, or if `wide` 2^32.
    Every distance has 2^copy_bits counters, which neighbours take in turn: to add to
    one that was just written takes as long as to wait until it is.
    """
    at_x, at_y = _I0, _ROOM
    scratch = np.zeros(_I2 * _ROOM, np.uint16)
    totals = np.zeros(_ROOM, np.uint32)
    wide_totals = np.zeros(_ROOM, np.uint64)
    n, shift = Index(width), Index(first)
    to_copies, copies = Index(copy_bits), Index((1 << copy_bits) - 1)
    short_p, short_q = np.uint16(factor_p), np.uint16(factor_q)
    long_p, long_q = np.uint32(factor_p), np.uint32(factor_q)
    for i in range(Index(i0), Index(i1)):
        if row_sum_p > 0:
            _half_distances(p, i, i + shift, row_sum_p, scratch, at_x, n)
        else:
            _distances(p, i, i + shift, scratch, at_x, n)
        if row_sum_q > 0:
            _half_distances(q, i, i + shift, row_sum_q, scratch, at_y, n)
        else:
            _distances(q, i, i + shift, scratch, at_y, n)
        if wide:
            for t in range(n):
                v = np.uint32(np.uint32(scratch[at_x + t]) * long_p)
                w = np.uint32(np.uint32(scratch[at_y + t]) * long_q)
                wide_totals[t] += max(v, w) - min(v, w)
        else:
            for t in range(n):
                x = np.uint16(scratch[at_x + t] * short_p)
                y = np.uint16(scratch[at_y + t] * short_q)
                totals[t] += max(x, y) - min(x, y)
        for t in range(n):
            copy = t & copies
            counts_p[(Index(scratch[at_x + t]) << to_copies) + copy] += np.uint32(1)
            counts_q[(Index(scratch[at_y + t]) << to_copies) + copy] += np.uint32(1)
    total = np.uint64(0)
    for t in range(n):
        total += totals[t] + wide_totals[t]
    return int(total)
