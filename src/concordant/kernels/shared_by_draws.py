"""What objects and clusters share with our clusters, in each of many draws."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Counts, Matrix, Positions, Vector
from concordant.kernels.compiling import kernel

#: Two objects share what their labels, their inner products or their distances say.
LABELS, PRODUCTS, DISTANCES = 0, 1, 2


class State(NamedTuple):
    """
    Clusters of ours beside those of all draws.

    Of the draws, `rows` have the labels of each object, or its memberships in the
    clusters of the first draw, the second and so on, which begin at `starts`. `ours`
    are our clusters, of which `sizes` are known, and `table` says how much of each
    cluster of a draw is in each of ours. A cluster of x objects counts `values[x]`,
    and `steps[x]` less than with one more.

    What is shared is multiplied by `scale`, and added up over draws if `shared` has a
    single row. If losses are corrected for chance, `pairs` are those that we hold
    together and all that there are, and `common` those that a draw and we hold and
    that it holds by itself; else both are empty.
    """

    way: int
    rows: NDArray[Any]
    starts: Counts
    ours: Positions
    sizes: Positions
    table: NDArray[Any]
    values: Vector
    steps: Vector
    scale: Vector
    weights: Vector
    common: Matrix
    pairs: Vector
    shared: Matrix
    costs: Vector


@kernel
def _put(state: State, i: int, cluster: int, sign: int) -> None:
    """Add an object to a cluster, or take it out."""
    row, table = state.rows[i], state.table
    if state.way == LABELS:
        for b in range(row.size):
            c = state.starts[b] + int(row[b])
            table[c, cluster] = int(table[c, cluster]) + sign  # of an unsigned type
    elif state.way == PRODUCTS:
        for c in range(row.size):
            table[c, cluster] += sign * row[c]


@kernel
def tabulate(state: State) -> None:
    """Fill the empty table."""
    for i in range(state.ours.size):
        _put(state, i, state.ours[i], 1)


@kernel
def _share(state: State, i: int, here: int, among: Positions, m: int) -> None:
    """Add what an object shares with others in the first m clusters, one its own."""
    starts, table, steps, shared = state.starts, state.table, state.steps, state.shared
    last = shared.shape[0] - 1
    if state.way == LABELS:
        for b in range(starts.size - 1):
            held, out = table[starts[b] + int(state.rows[i, b])], shared[min(b, last)]
            w = state.scale[b]
            for t in range(m):
                out[t] += w * steps[np.uint32(held[among[t]])]
            y = int(held[among[here]])
            out[here] += w * (steps[y - 1] - steps[y])
    elif state.way == PRODUCTS:
        for b in range(starts.size - 1):
            out = shared[min(b, last)]
            for c in range(starts[b], starts[b + 1]):
                x = state.scale[b] * state.rows[i, c]
                for t in range(m):
                    out[t] += x * table[c, among[t]]
                out[here] -= x * state.rows[i, c]
    else:
        places = np.full(state.sizes.size, -1)
        for t in range(m):
            places[among[t]] = t
        for j in range(state.ours.size):
            t = places[state.ours[j]]
            if t < 0 or j == i:
                continue
            for b in range(starts.size - 1):
                apart = 0.0
                for c in range(starts[b], starts[b + 1]):
                    apart += abs(state.rows[i, c] - state.rows[j, c])
                shared[min(b, last), t] += state.scale[b] * (1.0 - 0.5 * apart)


@kernel
def _price(state: State, size: int, among: Positions, m: int) -> None:
    """Fill in what the first m of some clusters cost with so many objects more."""
    for t in range(m):
        n = state.sizes[among[t]]
        state.costs[t] = state.values[size + n] - state.values[size] - state.values[n]
    if state.pairs.size == 0:
        for t in range(m):
            state.costs[t] -= 2.0 * state.shared[0, t]
        return
    together, own, every = state.common[0], state.common[1], state.pairs[1]
    for t in range(m):
        held = state.pairs[0] + state.costs[t]
        total = 0.0
        for b in range(own.size):
            q = own[b]
            by_chance = held * (every - q) + q * (every - held)
            apart = held + q - 2.0 * (together[b] + state.shared[b, t])
            if by_chance > 0.0:
                total += state.weights[b] * (apart * every / by_chance)
        state.costs[t] = total


@kernel
def price_of_cluster(state: State, cluster: int, among: Positions) -> None:
    """Fill in what a cluster would cost together with each of some others."""
    starts, table, values, shared = (
        state.starts,
        state.table,
        state.values,
        state.shared,
    )
    last, m = shared.shape[0] - 1, among.size
    shared[:, :m] = 0.0
    if state.way == DISTANCES:
        for i in range(state.ours.size):
            if state.ours[i] == cluster:
                _share(state, i, 0, among, m)
    else:
        for b in range(starts.size - 1):
            for c in range(starts[b], starts[b + 1]):
                for t in range(m):
                    x, y = table[c, cluster], table[c, among[t]]
                    both = x * y
                    if state.way == LABELS:
                        p, q = int(x), int(y)
                        both = values[p + q] - values[p] - values[q]
                    shared[min(b, last), t] += state.scale[b] * both
    _price(state, state.sizes[cluster], among, m)


@kernel
def sweep(state: State, order: Positions, some: Positions, least: float) -> int:
    """
    Move objects to the best of some clusters, and return how many were moved.

    They are visited in order, and moved for a gain of more than `least`. Of empty
    clusters one stays in question.
    """
    ours, sizes, shared, costs = state.ours, state.sizes, state.shared, state.costs
    among, m, n_moved = some.copy(), some.size, 0
    is_corrected = state.pairs.size > 0
    for i in order:
        own = ours[i]
        here = spare = -1
        for t in range(m):
            if among[t] == own:
                here = t
            elif sizes[among[t]] == 0:
                spare = t
        shared[:, :m] = 0.0
        _share(state, i, here, among, m)
        sizes[own] -= 1
        if is_corrected:
            state.pairs[0] -= sizes[own]
            for b in range(shared.shape[0]):
                state.common[0, b] -= shared[b, here]
        _price(state, 1, among, m)
        best = here
        for t in range(m):
            if costs[t] < costs[best] and costs[t] < costs[here] - least:
                best = t
        cluster = among[best]
        if is_corrected:
            state.pairs[0] += sizes[cluster]
            for b in range(shared.shape[0]):
                state.common[0, b] += shared[b, best]
        sizes[cluster] += 1
        if best == here:
            continue
        _put(state, i, own, -1)
        _put(state, i, cluster, 1)
        ours[i] = cluster
        n_moved += 1
        if sizes[own] == 0 and spare >= 0 and spare != best:
            m -= 1
            among[here] = among[m]
    return n_moved


@kernel
def in_common(state: State, out: Vector) -> None:
    """Add up what our clusters have in common with each draw."""
    starts, table = state.starts, state.table
    K = state.sizes.size
    if state.way == DISTANCES:
        one = np.zeros(1, dtype=np.int64)
        for i in range(state.ours.size):
            one[0] = state.ours[i]
            state.shared[:, 0] = 0.0
            _share(state, i, 0, one, 1)
            for b in range(out.size):
                out[b] += 0.5 * state.shared[b, 0]
        return
    for b in range(starts.size - 1):
        for c in range(starts[b], starts[b + 1]):
            for k in range(K):
                x = table[c, k]
                out[b] += state.values[int(x)] if state.way == LABELS else 0.5 * x * x
    if state.way == PRODUCTS:
        for i in range(state.ours.size):
            for b in range(starts.size - 1):
                for c in range(starts[b], starts[b + 1]):
                    out[b] -= 0.5 * state.rows[i, c] ** 2


@kernel
def add_together(labels: NDArray[Any], times: Vector, out: Matrix) -> None:
    """Add the weights of the draws, rows of labels, that hold two objects together."""
    for b in range(labels.shape[0]):
        own, many = labels[b], times[b]
        for i in range(own.size):
            label, row = own[i], out[i]
            for j in range(own.size):
                row[j] += many if own[j] == label else 0.0


@kernel
def first_seen(labels: NDArray[Any], n_clusters: int) -> None:
    """Give the clusters of each row numbers in the order of their first objects."""
    for row in labels:
        number = np.full(n_clusters, -1)
        n_seen = 0
        for i in range(row.size):
            if number[row[i]] < 0:
                number[row[i]] = n_seen
                n_seen += 1
            row[i] = number[row[i]]
