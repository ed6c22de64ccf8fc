"""Statistics of randomly permuted objects, a seed for each permutation."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.kernels.compiling import kernel

Columns = NDArray[np.float64]  # K x n, one cluster per row
Rows = NDArray[np.float64]  # n x K, one object per row
Vector = NDArray[np.float64]
Order = NDArray[np.int64]
Ranks = NDArray[np.uint32]
Labels = NDArray[np.unsignedinteger[Any]]
Seeds = NDArray[np.uint64]  # h x 4, no row of zeros only

_BLOCK = 1024  # pairs at a time, whose distances stay in the first cache
_17, _23, _45 = (np.uint64(shift) for shift in (17, 23, 45))
_64 = np.uint64(64)
_32 = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


@kernel
def _sum(x: np.uint64, y: np.uint64) -> np.uint64:
    """Add modulo 2^64, of which NumPy would warn."""
    low = (x & _LOW) + (y & _LOW)
    high = (x >> _32) + (y >> _32) + (low >> _32)
    return np.uint64((high << _32) | (low & _LOW))


@kernel
def _next(state: Seeds) -> np.uint64:
    """Give 64 random bits, by xoshiro256++ (Blackman and Vigna 2021)."""
    x = _sum(state[0], state[3])
    found: np.uint64 = _sum((x << _23) | (x >> (_64 - _23)), state[0])
    shifted = state[1] << _17
    state[2] ^= state[0]
    state[3] ^= state[1]
    state[1] ^= state[2]
    state[0] ^= state[3]
    state[2] ^= shifted
    state[3] = (state[3] << _45) | (state[3] >> (_64 - _45))
    return found


@kernel
def random_order(seed: Seeds, order: Order, size: int) -> None:
    """Put `size` of the objects, each equally likely, first in `order`."""
    state = seed.copy()
    n = order.size
    for i in range(n):
        order[i] = i
    for i in range(min(size, n - 1)):
        # A random number below n - i < 2^32 (Lemire 2019), without bias
        below = np.uint64(n - i)
        product = (_next(state) >> _32) * below
        if (product & _LOW) < below:
            least = ((_LOW - below) + np.uint64(1)) % below
            while (product & _LOW) < least:
                product = (_next(state) >> _32) * below
        j = i + int(product >> _32)
        order[i], order[j] = order[j], order[i]


@kernel
def sum_of_differences(
    x: Vector, q: Rows, shifts: Order, order: Order, room: Columns
) -> float:
    """
    Sum |x - y| over pairs (i, i + s) of the first objects of an order.

    x[t, i] belongs to the shift shifts[t]; y is half the L1 distance in q. A shift by
    half the objects has half as many pairs. `room` has a row for each cluster of q and
    one more, and takes twice as many objects as x.
    """
    size = x.shape[1]
    n_clusters = q.shape[1]
    for k in range(n_clusters):
        column = room[k]
        for i in range(size):
            column[i] = q[order[i], k]
        column[size : 2 * size] = column[:size]
    sums = room[n_clusters, :size]
    for i in range(size):
        sums[i] = 0.0
    y = np.empty(_BLOCK)
    for first in range(0, size, _BLOCK):
        for t in range(shifts.size):
            s = shifts[t]
            end = size // 2 if 2 * s == size else size
            width = min(_BLOCK, end - first)
            if width <= 0:
                continue
            k = n_clusters % 2
            if k == 1:
                a, b = room[0, first:], room[0, first + s :]
                for j in range(width):
                    y[j] = abs(a[j] - b[j])
            else:
                for j in range(width):
                    y[j] = 0.0
            while k < n_clusters:
                a, b = room[k, first:], room[k, first + s :]
                c, d = room[k + 1, first:], room[k + 1, first + s :]
                for j in range(width):
                    y[j] = y[j] + abs(a[j] - b[j]) + abs(c[j] - d[j])
                k += 2
            here, total = x[t, first:], sums[first:]
            for j in range(width):
                total[j] += abs(here[j] - 0.5 * y[j])
    # Carrying along what each addition loses
    total_sum, lost = 0.0, 0.0
    for i in range(size):
        more = sums[i] - lost
        new = total_sum + more
        lost = (new - total_sum) - more
        total_sum = new
    return total_sum


@kernel
def differences_of_permutations(
    x: Vector, q: Rows, shifts: Order, seeds: Seeds, out: Vector
) -> None:
    """Fill `out` with the sums of |x - y| for one permutation per seed."""
    size = x.shape[1]
    order = np.empty(q.shape[0], np.int64)
    room = np.empty((q.shape[1] + 1, 2 * size))
    for draw in range(out.size):
        random_order(seeds[draw], order, size)
        out[draw] = sum_of_differences(x, q, shifts, order, room)


@kernel
def spread_within(
    ranked: Ranks, sorted_u: Vector, labels: Labels, n_classes: int
) -> tuple[float, int]:
    """
    Sum |u_i - u_j| over pairs within a class and all clusters, and count the pairs.

    ranked[k] are the objects, and sorted_u[k] their memberships, in ascending order of
    these.
    """
    counts = np.empty(n_classes, np.int64)
    sums = np.empty(n_classes)
    within = 0.0
    for k in range(sorted_u.shape[0]):
        counts[:] = 0
        sums[:] = 0.0
        total = 0.0
        for r in range(sorted_u.shape[1]):
            g = np.uint64(labels[np.uint64(ranked[k, r])])
            u = sorted_u[k, r]
            total += counts[g] * u - sums[g]
            counts[g] += 1
            sums[g] += u
        within += total
    return within, int((counts * (counts - 1) // 2).sum())


@kernel
def spreads_of_permutations(
    ranked: Ranks,
    sorted_u: Vector,
    labels: Labels,
    n_classes: int,
    seeds: Seeds,
    sums: Vector,
    joined: Order,
) -> None:
    """Fill `sums` and `joined` with the `spread_within` of one permutation per seed."""
    size = sorted_u.shape[1]
    order = np.empty(labels.size, np.int64)
    permuted = np.empty(size, labels.dtype)
    for draw in range(sums.size):
        random_order(seeds[draw], order, size)
        for i in range(size):
            permuted[i] = labels[order[i]]
        sums[draw], joined[draw] = spread_within(ranked, sorted_u, permuted, n_classes)


@kernel
def joined_pairs(
    starts: Order, labels: Order, n_classes: int, seeds: Seeds, out: Order
) -> None:
    """
    Count the pairs that share a group and a label, for one permutation per seed.

    A group holds the objects from starts[g] up to starts[g + 1].
    """
    n = labels.size
    order = np.empty(n, np.int64)
    counts = np.zeros(n_classes, np.int64)
    for draw in range(out.size):
        random_order(seeds[draw], order, n)
        joined = 0
        for g in range(starts.size - 1):
            for i in range(starts[g], starts[g + 1]):
                label = labels[order[i]]
                joined += counts[label]
                counts[label] += 1
            for i in range(starts[g], starts[g + 1]):
                counts[labels[order[i]]] = 0
        out[draw] = joined
