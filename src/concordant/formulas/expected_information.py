"""The mutual information that chance gives: its mean over permutations of objects."""

import math
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from concordant.execution.run import Run
from concordant.partition.partition import Partition
from concordant.terms.distribution import UNIT_ROUNDOFF, Bounded
from concordant.terms.products import comes_later

Vector = NDArray[np.float64]

_TAIL = 46.0  # minus the logarithm of a probability that may be left out
_FEW_OBJECTS = 6  # of which all permutations are visited
_AIM = 1e-6  # of the error, beyond which permutations are drawn
_FIRST_DRAWS, _MOST_DRAWS = 128, 1 << 14
_WORK = 1 << 31  # products of memberships in all draws
_OBJECTS = 1 << 13  # that are summed at a time
_AT_ONCE = 1 << 20  # memberships that are held at a time
_SURE = 5.0  # standard errors of a mean of draws


def expected_information(P: Partition, Q: Partition, run: Run) -> Bounded:
    """
    Return the mean mutual information over all permutations of the objects of Q.

    For crisp partitions it is exact (cells have hypergeometric distributions). For
    fuzzy ones it follows from the second moments of cells, which are exact, with a
    bound of what higher ones add; where that is not enough, what is left is a mean over
    random permutations, and its error five standard errors.
    """
    if comes_later(P, Q):
        P, Q = Q, P
    if P.kind == Q.kind == "crisp":
        sizes = (np.bincount(X.labels, minlength=X.n_clusters) for X in (P, Q))
        return _of_counts(*sizes)
    return _of_memberships(P, Q, run)


def _of_counts(sizes_p: NDArray[np.int64], sizes_q: NDArray[np.int64]) -> Bounded:
    """Add up the means of all cells, of which those of equal sizes have the same."""
    n = int(sizes_p.sum())
    a, times_a = np.unique(sizes_p[sizes_p > 0], return_counts=True)
    b, times_b = np.unique(sizes_q[sizes_q > 0], return_counts=True)
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
    chance = np.multiply.outer(p, q)
    if n < 2:
        return Bounded(0.0, (uneven_p + uneven_q) * (1.0 + math.log(2 * chance.size)))
    # t is the relative deviation of a cell from its mean.
    squares = np.multiply.outer(of_p, of_q) / ((n - 1) * (n * chance) ** 2)
    half = 0.5 * chance * squares
    found = _by_moments(p, q, of_p, of_q, squares, n)
    if found.error > _AIM and n * chance.size * _FIRST_DRAWS <= _WORK:
        rest = _by_draws(P, Q, chance, run)
        drawn = Bounded(math.fsum(half.ravel()) + rest.value, rest.error)
        found = min(found, drawn, key=lambda bounded: bounded.error)
    # Rows that do not sum to 1 move the margins of cells, and roundings all of it.
    moved = 8.0 * (uneven_p + uneven_q) + (min(n, _OBJECTS) + 64) * UNIT_ROUNDOFF
    return Bounded(found.value, found.error + moved * (1.0 + math.log(2 * n)))


def _spread(partition: Partition) -> tuple[Vector, Vector, float]:
    """Return means and sums of squares around them, and how far rows are from 1."""
    n, K = partition.shape
    starts, ones = range(0, n, _OBJECTS), np.ones(K)
    blocks = [
        np.ones(min(_OBJECTS, n - i)) @ partition.rows(i, i + _OBJECTS) for i in starts
    ]
    means = np.sum(blocks, axis=0) / n
    squares, uneven = np.zeros(K), 0.0
    for start in starts:
        rows = partition.rows(start, start + _OBJECTS)
        around = rows - means
        squares += np.einsum("ij,ij->j", around, around)
        uneven = max(uneven, float(np.abs(rows @ ones - 1.0).max()))
    used = means > 0.0
    return means[used], squares[used], uneven


def _by_moments(
    p: Vector, q: Vector, of_p: Vector, of_q: Vector, squares: Vector, n: int
) -> Bounded:
    """
    Return the mean of p q F(t) over cells, F(t) = (1 + t) log(1 + t) - t.

    F(t) - t² / 2 + t³ / 6 lies between 0 and t⁴ / 3, and F(t) between 0 and t². Third
    and fourth moments of a permuted sum are bounded by second ones, as no deviation
    from a mean is more than 1.
    """
    chance, cell = np.multiply.outer(p, q), n * np.multiply.outer(p, q)
    product = np.multiply.outer(of_p, of_q)
    third = np.full(chance.shape, math.inf)
    fourth = np.full(chance.shape, math.inf)
    if n > 3:
        third = n * product / ((n - 1) * (n - 2) * cell**3)
        larger_p, larger_q = (np.maximum(x, x * x) for x in (of_p, of_q))
        larger = np.multiply.outer(larger_p, larger_q)
        fourth = (
            product * (n + 3)
            + 3.0 * product**2
            + 24.0 * larger / (n - 2)
            + 36.0 * larger / ((n - 2) * (n - 3))
        ) / (n * (n - 1) * cell**4)
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


def _by_draws(P: Partition, Q: Partition, chance: Vector, run: Run) -> Bounded:
    """Return the mean of p q (F(t) - t² / 2) over all or random permutations."""
    n = P.n_objects
    u, v = (X.columns()[X.columns().sum(axis=1) > 0.0] for X in (P, Q))
    if n <= _FEW_OBJECTS:
        orders = np.array(list(permutations(range(n))))
        return Bounded(math.fsum(_rest(u, v, chance, orders)) / len(orders), 0.0)
    rng = np.random.default_rng(0) if run.random_state is None else run.generator()
    most = min(_MOST_DRAWS, _WORK // (n * chance.size))
    draws: list[float] = []
    while True:
        size = max(len(draws), _FIRST_DRAWS) // 2
        step = max(1, _AT_ONCE // (n * (len(u) + 1)))
        for start in range(0, size, step):
            orders = rng.permuted(
                np.tile(np.arange(n), (min(step, size - start), 1)), axis=1
            )
            # With its inverse: it is the same which of the two sides is permuted.
            both = _rest(u, v, chance, orders), _rest(u, v, chance, np.argsort(orders))
            draws += (0.5 * (both[0] + both[1])).tolist()
        mean = math.fsum(draws) / len(draws)
        variance = math.fsum((x - mean) ** 2 for x in draws) / (len(draws) - 1)
        error = _SURE * math.sqrt(variance / len(draws))
        if error <= _AIM or 2 * len(draws) >= most:
            return Bounded(mean, error)


def _rest(u: Vector, v: Vector, chance: Vector, orders: NDArray[np.intp]) -> Vector:
    tables = np.moveaxis(u[:, orders], 0, 1) @ v.T
    x = tables / (u.shape[1] * chance)
    t = x - 1.0
    logs = np.log(x, out=np.zeros_like(x), where=x > 0.0)
    return np.asarray((chance * (x * logs - t - 0.5 * t * t)).sum(axis=(1, 2)))
