"""The dissimilarities of each object to others, as masses on the knots of a grid."""

import numpy as np
from numpy.typing import NDArray

from concordant.kernels.compiling import kernel

Columns = NDArray[np.float64]  # K x n, one cluster per row
Vector = NDArray[np.float64]
Positions = NDArray[np.int64]

_BLOCK = 512  # distances at a time: they stay in the first cache


@kernel
def _dissimilarities(
    one: Columns, i: int, others: Columns, first: int, n: int, out: Vector
) -> None:
    """Fill `out` with half the L1 distances of object i to n others from `first` on."""
    x = one[0, i]
    column = others[0, first : first + n]
    for t in range(n):
        out[t] = abs(x - column[t])
    for k in range(1, one.shape[0]):
        x = one[k, i]
        column = others[k, first : first + n]
        for t in range(n):
            out[t] += abs(x - column[t])
    for t in range(n):
        out[t] *= 0.5


@kernel
def _share_out(
    x: Vector,
    n: int,
    weight: float,
    knots: Vector,
    per_width: Vector,
    slots: Positions,
    counts: Vector,
    places: Vector,
) -> None:
    """
    Add n values to the cells between knots: their weight, and its place in the cell.

    A slot, of which there are many of equal width, tells the cell that it begins in. If
    there are no slots, all cells have the same width.
    """
    n_slots, n_cells = slots.size, knots.size - 1
    origin = knots[0]
    if n_slots == 0:
        scale = per_width[0]
        for t in range(n):
            x[t] = (x[t] - origin) * scale
        for t in range(n):
            cell = min(max(int(x[t]), 0), n_cells - 1)
            counts[cell] += weight
            places[cell] += weight * (x[t] - cell)
        return
    scale = n_slots / (knots[n_cells] - origin)
    for t in range(n):
        value = x[t]
        cell = slots[min(max(int((value - origin) * scale), 0), n_slots - 1)]
        # At most one knot lies in nearly every slot: no branch is mispredicted.
        cell = min(cell + (knots[cell + 1] <= value), n_cells - 1)
        if knots[cell + 1] <= value:
            last = n_cells - 1
            while cell < last:
                middle = (cell + last + 1) >> 1
                if knots[middle] <= value:
                    cell = middle
                else:
                    last = middle - 1
        counts[cell] += weight
        places[cell] += weight * (value - knots[cell]) * per_width[cell]


@kernel
def masses_of_rows(
    p: Columns,
    others: Columns,
    alone: Positions,
    starts: Positions,
    weights: Vector,
    i0: int,
    i1: int,
    knots: Vector,
    per_width: Vector,
    slots: Positions,
) -> Vector:
    """
    Share the dissimilarities of objects i0 to i1 out over the knots.

    Object i is compared with the others from ``starts[i]`` on, but not with the one at
    ``alone[i]``, which is itself, or nobody. Each of its dissimilarities has the weight
    ``weights[i]``.
    """
    x = np.empty(_BLOCK)
    counts, places = np.zeros(knots.size), np.zeros(knots.size)
    for i in range(i0, i1):
        for first in range(starts[i], others.shape[1], _BLOCK):
            n = min(_BLOCK, others.shape[1] - first)
            _dissimilarities(p, i, others, first, n, x)
            own = alone[i] - first
            if 0 <= own < n:
                n -= 1
                x[own] = x[n]
            _share_out(x, n, weights[i], knots, per_width, slots, counts, places)
    masses = counts - places
    masses[1:] += places[:-1]
    return masses


@kernel
def means_of_rows(
    p: Columns,
    q: Columns,
    others_p: Columns,
    others_q: Columns,
    weights_p: Columns,
    weights_q: Columns,
    alone: Positions,
    i0: int,
    i1: int,
    knots: Vector,
    per_width: Vector,
    slots: Positions,
    to_p: Vector,
    to_q: Vector,
    out: Vector,
    clusters_p: Vector,
    clusters_q: Vector,
) -> None:
    """
    Average over the others what there is to know of objects i0 to i1.

    `to_p` and `to_q` are the mean distances of each knot from the dissimilarities of P
    and of Q. Column i - i0 of `out` gets the means of |x - y|, of `to_q` at x, of
    `to_p` at y, and of |x - y'| over the others twice. `clusters_p` and `clusters_q`
    get, for every cluster, the masses of its objects by their weights; there may be no
    clusters in them.
    """
    n_knots = knots.size
    x, y = np.empty(_BLOCK), np.empty(_BLOCK)
    counts_p, places_p = np.empty(n_knots), np.empty(n_knots)
    counts_q, places_q = np.empty(n_knots), np.empty(n_knots)
    for i in range(i0, i1):
        counts_p[:] = 0.0
        places_p[:] = 0.0
        counts_q[:] = 0.0
        places_q[:] = 0.0
        total = 0.0
        n_seen = 0
        for first in range(0, others_p.shape[1], _BLOCK):
            n = min(_BLOCK, others_p.shape[1] - first)
            _dissimilarities(p, i, others_p, first, n, x)
            _dissimilarities(q, i, others_q, first, n, y)
            own = alone[i] - first
            if 0 <= own < n:
                n -= 1
                x[own], y[own] = x[n], y[n]
            differences = 0.0
            for t in range(n):
                differences += abs(x[t] - y[t])
            total += differences
            n_seen += n
            _share_out(x, n, 1.0, knots, per_width, slots, counts_p, places_p)
            _share_out(y, n, 1.0, knots, per_width, slots, counts_q, places_q)
        from_p = from_q = between = below_p = below_q = 0.0
        before_p = before_q = 0.0
        for c in range(n_knots):
            in_p = (counts_p[c] - places_p[c] + before_p) / n_seen
            in_q = (counts_q[c] - places_q[c] + before_q) / n_seen
            before_p, before_q = places_p[c], places_q[c]
            from_p += in_p * to_q[c]
            from_q += in_q * to_p[c]
            below_p += in_p
            below_q += in_q
            if c + 1 < n_knots:
                apart = below_p * (1.0 - below_q) + below_q * (1.0 - below_p)
                between += (knots[c + 1] - knots[c]) * apart
            for k in range(clusters_p.shape[0]):
                clusters_p[k, c] += weights_p[k, i] * in_p
            for k in range(clusters_q.shape[0]):
                clusters_q[k, c] += weights_q[k, i] * in_q
        out[0, i - i0] = total / n_seen
        out[1, i - i0] = from_p
        out[2, i - i0] = from_q
        out[3, i - i0] = between
