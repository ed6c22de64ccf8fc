"""The mutual information that chance gives: its mean over permutations of objects."""

import math
from collections.abc import Iterator
from itertools import permutations
from typing import NamedTuple

import numpy as np
from numpy.polynomial.polynomial import polyval
from numpy.typing import NDArray

from concordant.arrays import Vector
from concordant.bounded import UNIT_ROUNDOFF, Bounded
from concordant.execution.run import Run
from concordant.measures.mean_of_draws import mean_by_draws, unseen
from concordant.partition.partition import Partition
from concordant.sums.contingency import Contingency
from concordant.sums.object_sums import comes_later
from concordant.sums.products import Products

_TAIL = 46.0  # minus the logarithm of a probability that may be left out
_LEAST = 2.0**-400  # mean memberships that tell nothing, in digits
_FEW_OBJECTS = 6  # of which all permutations are visited
_AIM = 1e-6  # of the error, beyond which permutations are drawn
_MOST_PRODUCTS = 1 << 24  # of memberships, beyond which nothing more is tried
_FIRST_DRAWS, _MOST_DRAWS = 64, 1 << 13
# Powers of x near x log x from 0 to 1, and how far they are off there.
_BEST = np.array([-0.0138961, -2.812103, 7.488192, -7.936887, 3.28859])
_OFF = 0.01391
_WORK = 1 << 26  # products of memberships in all draws
_OBJECTS = 1 << 13  # that are summed at a time
_AT_ONCE = 1 << 20  # memberships that are held at a time


def expected_information(sums: Contingency | Products) -> Bounded:
    """
    Return the mean mutual information over all permutations of the objects of Q.

    For crisp partitions it is exact (cells have hypergeometric distributions). For
    fuzzy ones it follows from the second moments of cells, which are exact, with a
    bound of what higher ones add.
    """
    if isinstance(sums, Contingency):
        sizes = (np.bincount(x, sums.cells) for x in (sums.rows, sums.columns))
        whole = ([int(size) for size in each if size] for each in sizes)
        return _of_counts(*sorted(map(sorted, whole)))
    return _with_rounding(_by_moments(*_sides(sums), sums.n_objects), sums)


def by_permutations(
    P: Partition,
    Q: Partition,
    found: Bounded,
    sums: Contingency | Products,
    run: Run,
) -> Bounded:
    """Return the same by higher moments or draws, where second ones are not enough."""
    if isinstance(sums, Contingency) or P.n_objects < 2:
        return found
    p, q = _sides(sums)
    known = _by_moments(p, q, P.n_objects)
    n_products = P.n_objects * p.means.size * q.means.size
    if known.error <= _AIM or n_products > _MOST_PRODUCTS:
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


class _Margins(NamedTuple):
    """The clusters of a partition that are not empty, or next to it."""

    used: NDArray[np.bool_]
    means: Vector
    spread: Vector  # the sums of squared relative deviations, at most
    least: Vector  # and at least


def _sides(sums: Products) -> tuple[_Margins, _Margins]:
    """Return means and spreads of both partitions."""
    off = 4.0 * sums.rounding

    def side(totals: Vector, squares: Vector) -> _Margins:
        n = sums.n_objects
        used = totals > _LEAST * n
        means = totals[used] / n
        ratios = squares[used] / totals[used] / means  # of mean square to squared mean
        spread, least = (
            n * np.maximum(ratios * factor - 1.0, 0.0) for factor in (1 + off, 1 - off)
        )
        return _Margins(used, means, spread, least)

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


def _by_moments(p: _Margins, q: _Margins, n: int) -> Bounded:
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
    at_most = np.minimum(squares, _most(p, q))
    by_moments = third / 6.0 + fourth / 6.0
    near = by_moments < 0.5 * at_most
    middle = np.where(
        near, 0.5 * squares + np.where(near, fourth, 0.0) / 6.0, 0.5 * at_most
    )
    error = np.where(near, by_moments, 0.5 * at_most)
    # What the spreads of memberships, small differences of sums, may be off.
    error += np.minimum(squares - _squares(p.least, q.least, n), at_most)
    return Bounded(_sum(chance * middle), _sum(chance * error))


def _most(p: _Margins, q: _Margins) -> Vector:
    """Bound the mean of F(t) in each cell, however much memberships spread."""
    return np.asarray(1.0 - np.log(np.maximum.outer(p.means, q.means)))


@np.errstate(over="ignore", invalid="ignore")  # cells too small for their powers
def _by_draws(
    P: Partition, Q: Partition, p: _Margins, q: _Margins, run: Run, otherwise: Bounded
) -> Bounded:
    """
    Return the mean of p q F(t) over all or random permutations, if that tells more.

    F is near a polynomial of fourth degree in each cell, whose mean is exact. That of
    the difference is bounded, or drawn in the cells where that may tell more.
    """
    n, chance = P.n_objects, np.multiply.outer(p.means, q.means)
    u, v = (
        X.columns()[side.used] / side.means[:, np.newaxis]
        for X, side in ((P, p), (Q, q))
    )
    if n <= _FEW_OBJECTS:
        orders = np.array(list(permutations(range(n))))
        each = _drawn(u, v, chance, np.zeros((5, *chance.shape)), orders)
        return Bounded(math.fsum(each) / len(orders), 0.0)
    moments = _moments(u - 1.0, v - 1.0)
    ends = _ends(u, v)
    mean, off = _by_series(*moments, *ends, _most(p, q))
    bounded = Bounded(_sum(chance * mean), _sum(chance * off))
    otherwise = min(bounded, otherwise, key=lambda bounded: bounded.error)
    powers, apart = _nearest(ends[1]), 2.0 * _OFF * ends[1]
    most = min(_MOST_DRAWS, _WORK // (n * chance.size)) // 2
    if most < _FIRST_DRAWS:
        return otherwise
    is_drawn = (off > unseen(1.0, most) * apart) & np.isfinite(moments[2])
    known = _sum(chance * np.where(is_drawn, _mean_of(powers, *moments), mean))
    left = _sum(chance * np.where(is_drawn, 0.0, off))
    chance = np.where(is_drawn, chance, 0.0)
    reach = _sum(chance * apart)
    if otherwise.error <= max(_AIM, left + unseen(reach, most)):
        return otherwise
    rng = np.random.default_rng(0) if run.random_state is None else run.generator()
    step = max(1, _AT_ONCE // (n * (len(u) + 1)))

    def draw(size: int) -> Iterator[Vector]:
        for start in range(0, size, step):
            order = np.tile(np.arange(n), (min(step, size - start), 1))
            order = rng.permuted(order, axis=1)
            # With its inverse: it is the same which of the two sides is permuted.
            one = _drawn(u, v, chance, powers, order)
            yield 0.5 * (one + _drawn(u, v, chance, powers, np.argsort(order)))

    found = mean_by_draws(draw, reach, _AIM, _FIRST_DRAWS, most)
    drawn = Bounded(known + found.value, found.error + left)
    return min(drawn, otherwise, key=lambda bounded: bounded.error)


def _sum(cells: Vector) -> float:
    return math.fsum(cells.ravel())


def _ends(u: Vector, v: Vector) -> tuple[Vector, Vector]:
    """Return the least and the largest 1 + t of any permutation, for each cell."""
    rows, columns = np.sort(u), np.sort(v).T
    n = len(columns)
    return np.minimum(rows @ columns[::-1] / n, 1.0), np.maximum(
        rows @ columns / n, 1.0
    )


def _moments(a: Vector, b: Vector) -> tuple[Vector, Vector, Vector]:
    """Return the exact means of t², t³ and t⁴ for each cell, from deviations."""
    n = a.shape[1]
    (a2, a3, a4), (b2, b3, b4) = (
        [(x**k).sum(axis=1) for k in (2, 3, 4)] for x in (a, b)
    )
    product = np.multiply.outer
    # Sums over different objects, of which t⁴ has four of a kind, three and one, ...
    pairs = 3.0 * product(a2**2 - a4, b2**2 - b4) + 4.0 * product(a4, b4)
    threes = 6.0 * product(2.0 * a4 - a2**2, 2.0 * b4 - b2**2)
    fours = 9.0 * product(a2**2 - 2.0 * a4, b2**2 - 2.0 * b4)
    fourth = product(a4, b4) / n + pairs / (n * (n - 1))
    fourth += threes / (n * (n - 1) * (n - 2))
    fourth += fours / (n * (n - 1) * (n - 2) * (n - 3))
    return (
        product(a2, b2) / ((n - 1) * float(n) ** 2),
        product(a3, b3) / ((n - 1) * (n - 2) * float(n) ** 2),
        fourth / float(n) ** 4,
    )


def _by_series(
    second: Vector,
    third: Vector,
    fourth: Vector,
    least: Vector,
    largest: Vector,
    most: Vector,
) -> tuple[Vector, Vector]:
    """
    Return the mean of F(t) for each cell, `most` at most, and a bound of its error.

    Behind its fourth power the series of F adds t^4 g(t), where g(t) = -t times the
    integral of x^3 (1 - x) / (1 + t x) from 0 to 1 falls with t. For t > 0 it is above
    -t / 20, for t < 0 at most -t / 4 and -t / (20 (1 + t)). F(t) is from 0 to t².
    """
    above, below = (largest - 1.0) / 20.0, 1.0 - least
    below *= np.minimum(0.25, 0.05 / np.maximum(least, 0.1))
    mean = second / 2.0 - third / 6.0 + fourth * (1.0 / 12.0 + (below - above) / 2.0)
    error = fourth * (below + above) / 2.0
    half = 0.5 * np.minimum(second, most)
    is_near = error < half
    return np.where(is_near, mean, half), np.where(is_near, error, half)


def _nearest(largest: Vector) -> Vector:
    """Return powers of 1 + t near F(t) up to the largest 1 + t, for each cell."""
    k = np.arange(5).reshape(5, 1, 1)
    best = _BEST[:, None, None] * largest ** (1.0 - k)
    best[0] += 1.0
    best[1] += np.log(largest) - 1.0
    return best


def _mean_of(powers: Vector, second: Vector, third: Vector, fourth: Vector) -> Vector:
    """Return the mean of a polynomial of 1 + t, whose mean is 1."""
    means = (
        np.ones_like(second),
        np.ones_like(second),
        1.0 + second,
        1.0 + 3.0 * second + third,
        1.0 + 6.0 * second + 4.0 * third + fourth,
    )
    return np.asarray((powers * means).sum(axis=0))


def _drawn(
    u: Vector, v: Vector, chance: Vector, powers: Vector, orders: NDArray[np.intp]
) -> Vector:
    """Return the sum of p q F(t) for each permutation, less a polynomial of 1 + t."""
    tables = np.moveaxis(u[:, orders], 0, 1) @ v.T / u.shape[1]
    rest = _beyond(tables) - polyval(tables, powers, tensor=False)
    return np.asarray((chance * rest).sum(axis=(1, 2)))


def _beyond(x: Vector) -> Vector:
    """Return F(t), where x = 1 + t."""
    logs = np.log(x, out=np.zeros_like(x), where=x > 0.0)
    return np.asarray(x * logs - (x - 1.0))
