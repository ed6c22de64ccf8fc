"""Random orders of objects, and statistics of permuted objects."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Vector
from concordant.kernels.compiling import kernel

Rows = NDArray[np.float64]  # n x K, one object per row
Order = NDArray[np.int64]
Ranks = NDArray[np.uint32]
Labels = NDArray[np.unsignedinteger[Any]]

_BLOCK = 1024  # pairs at a time, whose distances stay in the first cache


@kernel
def random_order(numbers: Vector, starts: Order, size: int, order: Order) -> None:
    """
    Fill `order` with the objects, by random numbers below 1, one for each unit.

    All orders within strata are equally likely, as far as 53 bits tell. Stratum s holds
    the units from starts[s] up to starts[s + 1]; a unit is `size` objects, which stay
    together.
    """
    n_units = starts[starts.size - 1]
    for i in range(n_units):
        order[i] = i
    for s in range(starts.size - 1):
        end = starts[s + 1]
        for i in range(starts[s], end):
            # Below `end`: a product with at most 1 - 2^-53 is not rounded up
            j = i + int(numbers[i] * (end - i))
            order[i], order[j] = order[j], order[i]
    if size > 1:
        # From the last on, so that no unit is overwritten before it is read
        for i in range(n_units - 1, -1, -1):
            first = order[i] * size
            for t in range(size):
                order[i * size + t] = first + t


@kernel
def shared_dissimilarity(
    x: Vector, q: Rows, inner: bool, shifts: Order, order: Order
) -> float:
    """
    Sum min(x, y) over pairs (i, i + s) of objects, those of q in a given order.

    x[t, i] belongs to the shift shifts[t]; y is the L1 distance in q, or one minus the
    `inner` product. A shift by half the objects has half as many pairs. x and q are of
    one type, in which y is computed.
    """
    size = x.shape[1]
    n_clusters = q.shape[1]
    twice = np.empty((n_clusters, 2 * size), q.dtype)  # one object after the other
    for k in range(n_clusters):
        for i in range(size):
            twice[k, i] = twice[k, size + i] = q[order[i], k]
    sums = np.zeros(size)
    y = np.empty(_BLOCK, x.dtype)
    for first in range(0, size, _BLOCK):
        for t in range(shifts.size):
            s = shifts[t]
            end = size // 2 if 2 * s == size else size
            width = min(_BLOCK, end - first)
            if width <= 0:
                continue
            here, total = x[t, first : first + width], sums[first : first + width]
            for j in range(width):
                y[j] = 1.0 if inner else 0.0
            for k in range(n_clusters):
                a = twice[k, first : first + width]
                b = twice[k, first + s : first + s + width]
                if inner:
                    for j in range(width):
                        y[j] -= a[j] * b[j]
                else:
                    for j in range(width):
                        y[j] += abs(a[j] - b[j])
            for j in range(width):
                total[j] += min(here[j], y[j])
    # Carrying along what each addition loses
    total_sum, lost = 0.0, 0.0
    for i in range(size):
        more = sums[i] - lost
        new = total_sum + more
        lost = (new - total_sum) - more
        total_sum = new
    return total_sum


@kernel
def sum_within_classes(
    ranked: Ranks, gaps: Vector, labels: Labels, sizes: Order
) -> float:
    """
    Sum |u_i - u_j| over all pairs within a class and all clusters.

    ranked[k] are the objects in ascending order of their memberships, and gaps[k] the
    differences between neighbours: each counts as often as a pair of one class lies
    across it, so that no term is negative.
    """
    more = np.empty(sizes.size, np.int64)  # pairs across, with the next of a class
    within = 0.0
    for k in range(gaps.shape[0]):
        more[:] = sizes - 1
        across = 0
        total = 0.0
        for r in range(gaps.shape[1]):
            g = np.uint64(labels[np.uint64(ranked[k, r])])
            across += more[g]
            more[g] -= 2
            total += across * gaps[k, r]
        within += total
    return within


@kernel
def joined_pairs(ends: Order, members: Order, labels: Order, n_classes: int) -> int:
    """
    Count the pairs that share a cluster and a label.

    Cluster g holds the `members` from ends[g] up to ends[g + 1].
    """
    counts = np.zeros(n_classes, np.int64)
    joined = 0
    for g in range(ends.size - 1):
        for i in range(ends[g], ends[g + 1]):
            label = labels[members[i]]
            joined += counts[label]
            counts[label] += 1
        for i in range(ends[g], ends[g + 1]):
            counts[labels[members[i]]] = 0
    return joined
