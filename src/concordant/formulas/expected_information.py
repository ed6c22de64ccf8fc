"""The mutual information that chance gives: its mean over permutations of objects."""

import math
from collections.abc import Mapping
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from concordant.execution.run import Run
from concordant.formulas.draws import mean_of_draws, unseen
from concordant.partition.partition import Partition
from concordant.terms.contingency import Contingency
from concordant.terms.distribution import UNIT_ROUNDOFF, Bounded
from concordant.terms.object_sums import comes_later
from concordant.terms.products import Products

Vector = NDArray[np.float64]

_TAIL = 46.0  # minus the logarithm of a probability that may be left out
_LEAST = 2.0**-400  # mean memberships that tell nothing, in digits
_FEW_OBJECTS = 6  # of which all permutations are visited
_AIM = 1e-6  # of the error, beyond which permutations are drawn
_FIRST_DRAWS, _MOST_DRAWS = 128, 1 << 16
_WORK = 1 << 31  # products of memberships in all draws
_OBJECTS = 1 << 13  # that are summed at a time
_AT_ONCE = 1 << 20  # memberships that are held at a time


def expected_information(terms: Mapping[str, Any]) -> Bounded:
    """
    Return the mean mutual information over all permutations of the objects of Q.

    For crisp partitions it is exact (cells have hypergeometric distributions). For
    fuzzy ones it follows from the second moments of cells, which are exact, with a
    bound of what higher ones add.
    """
    if "counts" in terms:
        table: Contingency = terms["counts"]
        sizes = (np.bincount(x, table.cells) for x in (table.rows, table.columns))
        whole = ([int(size) for size in each if size] for each in sizes)
        return _of_counts(*sorted(map(sorted, whole)))
    sums: Products = terms["products"]
    return _with_rounding(_by_moments(*_sides(sums), sums.n_objects), sums)


def by_permutations(
    P: Partition, Q: Partition, terms: Mapping[str, Any], run: Run
) -> Bounded:
    """Return the same from random permutations, where moments are not enough."""
    found: Bounded = terms["expected information"]
    if "counts" in terms or P.n_objects < 2:
        return found
    sums: Products = terms["products"]
    p, q = _sides(sums)
    known = _by_moments(p, q, P.n_objects)
    n_products = P.n_objects * p.means.size * q.means.size
    if known.error <= _AIM or n_products * _FIRST_DRAWS > _WORK:
        return found
    if comes_later(P, Q):
        P, Q, p, q = Q, P, q, p
    return _with_rounding(_by_draws(P, Q, p, q, run, known), sums)


def _with_rounding(found: Bounded, sums: Products) -> Bounded:
    """Add what rows that do not sum to 1 do to margins of cells, and roundings."""
    n, uneven = sums.n_objects, sum(sums.uneven)
    if n < 2:
        return Bounded(0.0, uneven * (1.0 + math.log(2 * sums.cross.size)))
    moved = 8.0 * uneven + (min(n, _OBJECTS) + 64) * UNIT_ROUNDOFF
    return Bounded(found.value, found.error + moved * (1.0 + math.log(2 * n)))


class _Side(NamedTuple):
    """The clusters of a partition that are not empty, or next to it."""

    used: NDArray[np.bool_]
    means: Vector
    spread: Vector  # the sums of squared relative deviations, at most
    least: Vector  # and at least


def _sides(sums: Products) -> tuple[_Side, _Side]:
    """Return means and spreads of both partitions."""
    off = 4.0 * sums.rounding

    def side(totals: Vector, squares: Vector) -> _Side:
        n = sums.n_objects
        used = totals > _LEAST * n
        means = totals[used] / n
        ratios = squares[used] / totals[used] / means  # of mean square to squared mean
        spread, least = (
            n * np.maximum(ratios * factor - 1.0, 0.0) for factor in (1 + off, 1 - off)
        )
        return _Side(used, means, spread, least)

    return (
        side(sums.sums_p, sums.higher_p),
        side(sums.sums_q, sums.higher_q),
    )


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


def _squares(of_p: Vector, of_q: Vector, n: int) -> Vector:
    """Return the mean of t² for each cell, t being its relative deviation."""
    return np.asarray(np.multiply.outer(of_p, of_q) / ((n - 1) * float(n) ** 2))


def _by_moments(p: _Side, q: _Side, n: int) -> Bounded:
    """
    Return the mean of p q F(t) over cells, F(t) = (1 + t) log(1 + t) - t.

    F(t) - t² / 2 + t³ / 6 lies between 0 and t⁴ / 3, and F(t) between 0 and t². Third
    and fourth moments of a permuted sum are bounded by second ones, as no deviation
    from a mean is more than 1.
    """
    if n < 2:
        return Bounded(0.0, 0.0)
    chance = np.multiply.outer(p.means, q.means)
    cell, squares = n * chance, _squares(p.spread, q.spread, n)
    of_p, of_q = p.spread * p.means**2, q.spread * q.means**2
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
    most = 1.0 - np.log(np.maximum.outer(p.means, q.means))
    at_most = np.minimum(squares, most)
    by_moments = third / 6.0 + fourth / 6.0
    near = by_moments < 0.5 * at_most
    middle = np.where(
        near, 0.5 * squares + np.where(near, fourth, 0.0) / 6.0, 0.5 * at_most
    )
    error = np.where(near, by_moments, 0.5 * at_most)
    # What the spreads of memberships, small differences of sums, may be off.
    error += np.minimum(squares - _squares(p.least, q.least, n), at_most)
    return Bounded(
        math.fsum((chance * middle).ravel()), math.fsum((chance * error).ravel())
    )


def _by_draws(
    P: Partition, Q: Partition, p: _Side, q: _Side, run: Run, otherwise: Bounded
) -> Bounded:
    """
    Return the mean of p q F(t) over all or random permutations, if that tells more.

    Where t²/2 is near F(t) for all t that a permutation can give, what is drawn is the
    difference of both, and the mean of t²/2 is added. A cell that few permutations fill
    is drawn as it is: what was never drawn would be taken for 0, and t² for its mean.
    """
    n, chance = P.n_objects, np.multiply.outer(p.means, q.means)
    u, v = (
        X.columns()[side.used] / side.means[:, np.newaxis]
        for X, side in ((P, p), (Q, q))
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
    known = math.fsum(
        (0.5 * smoothed * chance * _squares(p.spread, q.spread, n)).ravel()
    )
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
