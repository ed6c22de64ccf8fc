"""The mutual information that chance gives: its mean over permutations of objects."""

import math
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from concordant.execution.run import Run
from concordant.formulas.draws import mean_of_draws, unseen
from concordant.partition.partition import Partition
from concordant.terms.distribution import UNIT_ROUNDOFF, Bounded
from concordant.terms.products import comes_later

Vector = NDArray[np.float64]

_TAIL = 46.0  # minus the logarithm of a probability that may be left out
_FEW_OBJECTS = 6  # of which all permutations are visited
_AIM = 1e-6  # of the error, beyond which permutations are drawn
_FIRST_DRAWS, _MOST_DRAWS = 128, 1 << 16
_WORK = 1 << 31  # products of memberships in all draws
_OBJECTS = 1 << 13  # that are summed at a time
_AT_ONCE = 1 << 20  # memberships that are held at a time


def expected_information(P: Partition, Q: Partition, run: Run) -> Bounded:
    """
    Return the mean mutual information over all permutations of the objects of Q.

    For crisp partitions it is exact (cells have hypergeometric distributions). For
    fuzzy ones it follows from the second moments of cells, which are exact, with a
    bound of what higher ones add; where that is not enough, from random permutations.
    """
    if comes_later(P, Q):
        P, Q = Q, P
    if P.kind == Q.kind == "crisp":
        sizes = (np.bincount(X.labels).tolist() for X in (P, Q))
        return _of_counts(*sorted(sorted(filter(None, each)) for each in sizes))
    return _of_memberships(P, Q, run)


def _of_counts(sizes_p: list[int], sizes_q: list[int]) -> Bounded:
    """Add up the means of all cells, of which those of equal sizes have the same."""
    n = sum(sizes_p)
    a, times_a = np.unique(sizes_p, return_counts=True)
    b, times_b = np.unique(sizes_q, return_counts=True)
    parts, errors = [], []
    for size, times in zip(a.tolist(), times_a.tolist(), strict=True):
        mean, error = _means_of_cells(size, b.astype(np.float64), n)
        parts.append(times * math.fsum(times_b * mean))
        errors.append(times * math.fsum(times_b * error))
    return Bounded(max(math.fsum(parts), 0.0), math.fsum(errors))


def _means_of_cells(a: int, b: Vector, n: int) -> tuple[Vector, Vector]:
    """
    Return the mean of k / n log(n k / (a b)) where k is hypergeometric, for each b.

    Probabilities are products of ratios, from the mode outwards. Those further out than
    Hoeffding's bound allows are left out.
    """
    mode = np.floor((a + 1.0) * (b + 1.0) / (n + 2.0))
    least = np.minimum.reduce([np.full(len(b), float(a)), b, n - b]).clip(0.0)
    reach = int(math.sqrt(0.5 * _TAIL * min(float(least.max()), n - a))) + 3
    steps = np.arange(1.0, reach + 1.0)
    mode, b = mode[:, np.newaxis], b[:, np.newaxis]
    k = mode + steps - 1.0
    up = np.cumprod(
        _ratio((a - k) * (b - k), (k + 1.0) * (n - a - b + k + 1.0)), axis=1
    )
    k = mode - steps + 1.0
    down = np.cumprod(
        _ratio(k * (n - a - b + k), (a - k + 1.0) * (b - k + 1.0)), axis=1
    )
    k = np.hstack((mode - steps, mode, mode + steps))
    weights = np.hstack((down, np.ones_like(mode), up))
    weights /= weights.sum(axis=1, keepdims=True)
    inside = (weights > 0.0) & (k > 0.0)
    logs = np.log(np.where(inside, k, 1.0) * (n / (a * b)))
    parts = np.where(inside, weights * (k / n) * logs, 0.0)
    rounding = 16.0 * UNIT_ROUNDOFF
    error = rounding * ((reach + 8) * np.abs(parts).sum(axis=1) + (a * b[:, 0]) / n**2)
    return parts.sum(axis=1), error


def _ratio(over: Vector, under: Vector) -> Vector:
    """Divide, with 0 from where a probability is 0 on."""
    return np.divide(
        over, under, out=np.zeros_like(over), where=(over > 0) & (under > 0)
    )


def _of_memberships(P: Partition, Q: Partition, run: Run) -> Bounded:
    n = P.n_objects
    p, of_p, uneven_p = _spread(P)
    q, of_q, uneven_q = _spread(Q)
    n_cells = p.size * q.size
    if n < 2:
        return Bounded(0.0, (uneven_p + uneven_q) * (1.0 + math.log(2 * n_cells)))
    found = _by_moments(p, q, of_p, of_q, n)
    if found.error > _AIM and n * n_cells * _FIRST_DRAWS <= _WORK:
        found = _by_draws(P, Q, p, q, of_p, of_q, run, found)
    # Rows that do not sum to 1 move the margins of cells, and roundings all of it.
    moved = 8.0 * (uneven_p + uneven_q) + (min(n, _OBJECTS) + 64) * UNIT_ROUNDOFF
    return Bounded(found.value, found.error + moved * (1.0 + math.log(2 * n)))


def _spread(partition: Partition) -> tuple[Vector, Vector, float]:
    """Return means, sums of squared relative deviations, and how far rows are off 1."""
    n, K = partition.shape
    starts, ones = range(0, n, _OBJECTS), np.ones(K)
    blocks = [
        np.ones(min(_OBJECTS, n - i)) @ partition.rows(i, i + _OBJECTS) for i in starts
    ]
    means = np.sum(blocks, axis=0) / n
    used = means > 0.0
    means, squares, uneven = means[used], np.zeros(np.count_nonzero(used)), 0.0
    for start in starts:
        rows = partition.rows(start, start + _OBJECTS)
        around = rows[:, used] / means - 1.0
        squares += np.einsum("ij,ij->j", around, around)
        uneven = max(uneven, float(np.abs(rows @ ones - 1.0).max()))
    return means, squares, uneven


def _squares(of_p: Vector, of_q: Vector, n: int) -> Vector:
    """Return the mean of t² for each cell, t being its relative deviation."""
    return np.asarray(np.multiply.outer(of_p, of_q) / ((n - 1) * float(n) ** 2))


def _by_moments(p: Vector, q: Vector, of_p: Vector, of_q: Vector, n: int) -> Bounded:
    """
    Return the mean of p q F(t) over cells, F(t) = (1 + t) log(1 + t) - t.

    F(t) - t² / 2 + t³ / 6 lies between 0 and t⁴ / 3, and F(t) between 0 and t². Third
    and fourth moments of a permuted sum are bounded by second ones, as no deviation
    from a mean is more than 1.
    """
    chance, cell = np.multiply.outer(p, q), n * np.multiply.outer(p, q)
    of_p, of_q, squares = of_p * p**2, of_q * q**2, _squares(of_p, of_q, n)
    product = np.multiply.outer(of_p, of_q)
    third = np.full(chance.shape, math.inf)
    fourth = np.full(chance.shape, math.inf)
    if n > 3:
        larger_p, larger_q = (np.maximum(x, x * x) for x in (of_p, of_q))
        larger = np.multiply.outer(larger_p, larger_q)
        sums = (
            product * (n + 3)
            + 3.0 * product**2
            + 24.0 * larger / (n - 2)
            + 36.0 * larger / ((n - 2) * (n - 3))
        )
        # Cells too small for their powers have no bound by these moments.
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            third = n * product / ((n - 1) * (n - 2) * cell**3)
            fourth = sums / (n * (n - 1) * cell**4)
    most = 1.0 - np.log(np.maximum.outer(p, q))
    at_most = np.minimum(squares, most)
    by_moments = third / 6.0 + fourth / 6.0
    near = by_moments < 0.5 * at_most
    middle = np.where(
        near, 0.5 * squares + np.where(near, fourth, 0.0) / 6.0, 0.5 * at_most
    )
    error = np.where(near, by_moments, 0.5 * at_most)
    return Bounded(
        math.fsum((chance * middle).ravel()), math.fsum((chance * error).ravel())
    )


def _by_draws(
    P: Partition,
    Q: Partition,
    p: Vector,
    q: Vector,
    of_p: Vector,
    of_q: Vector,
    run: Run,
    otherwise: Bounded,
) -> Bounded:
    """
    Return the mean of p q F(t) over all or random permutations, if that tells more.

    Where t²/2 is near F(t) for all t that a permutation can give, what is drawn is the
    difference of both, and the mean of t²/2 is added. A cell that few permutations fill
    is drawn as it is: what was never drawn would be taken for 0, and t² for its mean.
    """
    n, chance = P.n_objects, np.multiply.outer(p, q)
    u, v = (
        X.columns()[X.columns().sum(axis=1) > 0.0] / means[:, np.newaxis]
        for X, means in ((P, p), (Q, q))
    )
    if n <= _FEW_OBJECTS:
        orders = np.array(list(permutations(range(n))))
        each = _drawn(u, v, chance, np.zeros(chance.shape), orders)
        return Bounded(math.fsum(each) / len(orders), 0.0)
    rows, columns = np.sort(u), np.sort(v).T
    lowest, highest = (_beyond(rows @ x / n) for x in (columns[::-1], columns))
    plain = np.maximum(lowest[0], highest[0])
    smooth = lowest[0] - lowest[1] - (highest[0] - highest[1])
    smoothed = (smooth < plain).astype(np.float64)
    reach = math.fsum((chance * np.minimum(plain, smooth)).ravel())
    known = math.fsum((0.5 * smoothed * chance * _squares(of_p, of_q, n)).ravel())
    rng = np.random.default_rng(0) if run.random_state is None else run.generator()
    most = min(_MOST_DRAWS, _WORK // (n * chance.size))
    if unseen(reach, most // 2) >= otherwise.error:
        return otherwise
    draws: list[float] = []
    while True:
        size = max(len(draws), _FIRST_DRAWS) // 2
        step = max(1, _AT_ONCE // (n * (len(u) + 1)))
        for start in range(0, size, step):
            orders = rng.permuted(
                np.tile(np.arange(n), (min(step, size - start), 1)), axis=1
            )
            # With its inverse: it is the same which of the two sides is permuted.
            both = (
                _drawn(u, v, chance, smoothed, order)
                for order in (orders, np.argsort(orders))
            )
            draws += (0.5 * sum(both, np.zeros(len(orders)))).tolist()
        found = mean_of_draws(np.array(draws), reach)
        if found.error <= _AIM or 2 * len(draws) >= most:
            drawn = Bounded(known + found.value, found.error)
            return min(drawn, otherwise, key=lambda bounded: bounded.error)


def _drawn(
    u: Vector, v: Vector, chance: Vector, smoothed: Vector, orders: NDArray[np.intp]
) -> Vector:
    """Return the sum of p q F(t) for each permutation, of some cells less t² / 2."""
    tables = np.moveaxis(u[:, orders], 0, 1) @ v.T
    value, half = _beyond(tables / u.shape[1])
    return np.asarray((chance * (value - smoothed * half)).sum(axis=(1, 2)))


def _beyond(x: Vector) -> tuple[Vector, Vector]:
    """Return F(t) and t² / 2, where x = 1 + t."""
    t = x - 1.0
    logs = np.log(x, out=np.zeros_like(x), where=x > 0.0)
    return x * logs - t, 0.5 * t * t
