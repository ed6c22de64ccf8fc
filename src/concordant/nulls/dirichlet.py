"""
Partitions whose objects are drawn from Dirichlet distributions (DeWolfe and Andrews).

Memberships of an object are independent of those of others, so that E[d] is E|X - Y|
with X and Y the values of two objects each. If labels are drawn for one of them, it
follows from the mean of the other, which has a closed form. For two clusters there is a
quadrature with a bound of its error. Other values are computed at scrambled
quasi-random points, some times; the spread between the results is the error.
"""

import math
from dataclasses import replace
from functools import partial
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Vector
from concordant.bounded import SUM_ROUNDOFF, UNIT_ROUNDOFF, Bounded
from concordant.errors import Argument, Data, InputError, Setting
from concordant.execution.progress import Watch
from concordant.execution.run import Run
from concordant.execution.single_thread import single_blas_thread
from concordant.measures.tables.crisp import pairs_within
from concordant.nulls.expectation import Expectation
from concordant.pairs.all_pairs import terms_of_all_pairs
from concordant.pairs.at_once import FEW_OBJECTS, Held
from concordant.pairs.crisp_side import of_counts
from concordant.pairs.distribution import Distribution, expected_difference
from concordant.pairs.pair_terms import PairTerms, WantedTerms
from concordant.partition.partition import Partition
from concordant.underflow import tiny_is_zero

Model = Literal["flat", "symmetric", "fitted"]

_DRAWS = 16  # of quasi-random points
_BLOCK = 256  # of these, compared with as many: more pairs would hardly tell more
_SURE = 8.0  # standard errors of the mean over draws
_POWERS = 6, 10  # of 2: at least and at most so many points
_WORK = 1 << 28  # memberships that are compared in all
_CELLS = 1 << 12  # in which values are counted
_UNITS = 1 << 50  # of which masses are whole numbers
_QUADRATURE = 1 << 11  # cells of memberships in the first of two clusters
_CONCENTRATED = 1e6  # sums of two parameters from which on points tell more
_TAIL = 1e-13  # masses of both ends that are moved there
_MOST_CLUSTERS = 21_201  # of which SciPy has quasi-random points
_NEARLY_CRISP = 1e-4  # parameters that are all below draw labels, in effect
_ENDS = 1e-9, 1e28  # between which sums of parameters are searched
_OF_FIT = 2.0**-49  # the relative error, by the root of their sum
_OF_ROOT = 2.0**-38  # the relative error of that sum as it is found
_NORMAL = 1e7  # parameters from which on a series gives quantiles
_LONG_SERIES = 100.0  # from which on a series gives a quotient of gamma functions
_OF_SHARES = 16.0 * UNIT_ROUNDOFF  # the relative error of what follows from shares
_QUOTIENT = 2.0**-42  # the relative error of some of these quotients


class Law(NamedTuple):
    """How an object is drawn: by parameters, or by the shares of clusters if crisp."""

    parameters: tuple[float, ...]
    is_crisp: bool = False


@tiny_is_zero
@single_blas_thread()
def _expectation(
    P: Partition, Q: Partition, terms: PairTerms, run: Run, *, model: Model, sides: int
) -> Expectation:
    """Return E[d] if Q, or both P and Q, are drawn."""
    laws = [_law(X, model, name) for X, name in ((P, "P"), (Q, "Q"))]
    labels = [name for name, law in zip("PQ", laws, strict=True) if law.is_crisp]
    if sides == 1:
        labels = [name for name in labels if name == "Q"]
    note = f" (labels drawn for {' and '.join(labels)})" if labels else ""
    if sides == 1:
        found = _with_fixed(laws[1], _fixed(P, terms, run), run.similarity)
    else:
        first, second = sorted(laws)  # whichever is P
        found = _with_drawn(first, second, run.similarity)
    values = [value for value, _ in found]
    mean = math.fsum(values) / len(values)
    error = max(error for _, error in found) + SUM_ROUNDOFF * mean
    if len(values) > 1:
        spread = math.hypot(*(x - mean for x in values)) / math.sqrt(len(values) - 1)
        error += _SURE * spread / math.sqrt(len(values))
    for law in laws[-sides:]:
        if law.is_crisp:
            continue
        total = math.fsum(law.parameters)
        error += (_OF_FIT * math.sqrt(total) + _OF_ROOT) * mean
        if total > 0.999 * _ENDS[1]:
            # Of rows that vary less, values are nearer to one number than this.
            error += 4.0 * _mean_value(law, "l1").value
    return Expectation(mean, error, note=note)


flat = partial(_expectation, model="flat", sides=2)
symmetric = partial(_expectation, model="symmetric", sides=2)
fitted = partial(_expectation, model="fitted", sides=2)
flat_one_sided = partial(_expectation, model="flat", sides=1)
symmetric_one_sided = partial(_expectation, model="symmetric", sides=1)
fitted_one_sided = partial(_expectation, model="fitted", sides=1)


def _law(partition: Partition, model: Model, name: str) -> Law:
    """
    Return the distribution of an object's memberships in the clusters that are used.

    The likelihood of a Dirichlet distribution has no maximum if a membership is 0:
    labels are drawn then, and where parameters are next to nothing.
    """
    columns = partition.columns()
    columns = columns[columns.any(axis=1)]
    K = len(columns)
    if K > _MOST_CLUSTERS:
        raise InputError(
            Argument("null"),
            f" takes partitions of up to {_MOST_CLUSTERS} clusters, and ",
            Data(name),
            f" has {K}; leave it out",
        )
    if model == "flat" and K > 1:
        return Law((1.0,) * K)
    shares = columns.mean(axis=1).clip(0.0)  # rounding may have made it negative
    if model == "symmetric":
        shares = np.full(K, 1.0 / K)
    crisp = Law(tuple(sorted((shares / shares.sum()).tolist())), is_crisp=True)
    if K == 1 or partition.kind == "crisp" or columns.min() <= 0.0:
        return crisp
    parameters = _fit(columns, model)
    if max(parameters) < _NEARLY_CRISP:
        return crisp
    return Law(tuple(sorted(parameters)))


def _fit(columns: Vector, model: Model) -> list[float]:
    """
    Return the parameters of the largest likelihood of rows, divided by their sums.

    With g the geometric means of memberships, the parameters a of sum s have
    digamma(a) - digamma(s) = log g. It is searched where they add up to s. The less
    rows vary, the nearer g is to their mean m, and a to s m: what is left of
    log(a / (s m)) is log(g / m) and what logarithms exceed digamma by.
    """
    from scipy.optimize import brentq
    from scipy.special import digamma

    rows = columns / columns.sum(axis=0)
    means = rows.mean(axis=1)
    if model == "symmetric":  # as if all clusters had the same memberships
        means = np.full(len(rows), 1.0 / len(rows))
    quotients = rows / means[:, np.newaxis]
    below = _bent(quotients).mean(axis=1)
    if model == "symmetric":
        below = np.full(len(rows), below.mean())

    def parameters(log_sum: float) -> Vector:
        return _inverse_digamma(digamma(math.exp(log_sum)) + np.log(means) + below)

    def excess(log_sum: float) -> float:
        total, a = math.exp(log_sum), parameters(log_sum)
        if total < _LONG_SERIES:
            return math.fsum(a) / total - 1.0
        more = below + _above_digamma(a) - _above_digamma(np.array([total]))
        return math.fsum(means * np.expm1(more))

    root, high = map(math.log, _ENDS)
    if excess(high) >= 0.0:  # rows are nearly the same
        root = high
    elif excess(root) > 0.0:
        root = float(brentq(excess, root, high, xtol=1e-13, rtol=1e-13, maxiter=1000))
    return parameters(root).tolist()  # type: ignore[no-any-return]


def _bent(x: Vector) -> Vector:
    """Return log(x) - (x - 1), to all digits near 1."""
    away = x - 1.0
    few = np.where(np.abs(away) < 1e-3, away, 0.0)
    series = 1 / 2 - few * (1 / 3 - few * (1 / 4 - few * (1 / 5 - few / 6)))
    return np.where(few == 0.0, np.log(x) - away, -few * few * series)


def _above_digamma(x: Vector) -> Vector:
    """Return log(x) - digamma(x)."""
    from scipy.special import digamma

    y = 1.0 / np.maximum(x, _LONG_SERIES)
    series = y / 2 * (1.0 + y / 6 * (1.0 - y * y / 10))
    return np.where(x < _LONG_SERIES, np.log(x) - digamma(x), series)


def _inverse_digamma(y: Vector) -> Vector:
    """Solve digamma(x) = y by Newton's method from Minka's start."""
    from scipy.special import digamma, polygamma

    low = y < -2.22
    x = np.where(low, -1.0 / (np.where(low, y, -1.0) + np.euler_gamma), np.exp(y) + 0.5)
    for _ in range(6):
        x = x - (digamma(x) - y) / polygamma(1, x)
    return np.asarray(x)


def _with_drawn(law: Law, other: Law, similarity: str) -> list[Bounded]:
    """Return E|X - Y| of two laws, for each draw of points if there are any."""
    if law.is_crisp:
        return [_with_labels(law, _mean_value(other, similarity))]
    if other.is_crisp:
        return [_with_labels(other, _mean_value(law, similarity))]
    K = max(len(law.parameters), len(other.parameters))
    both = _values(law, similarity, 0, K), _values(other, similarity, 1, K)
    n_draws = max(map(len, both))
    pairs = zip(*(found * (n_draws // len(found)) for found in both), strict=True)
    return [expected_difference(x, y) for x, y in pairs]


def _with_fixed(law: Law, fixed: Distribution, similarity: str) -> list[Bounded]:
    """Return E|X - Y| of a law and values that there are, for each draw of points."""
    if law.is_crisp:
        beyond = max(-float(fixed.low[0]), float(fixed.high[-1]) - 1.0, 0.0)
        mean = Bounded(fixed.average, fixed.displacement + 2.0 * beyond)
        return [_with_labels(law, mean)]
    reach = float(fixed.high[-1] - fixed.low[0])
    moved = fixed.displacement + len(fixed.counts) / _UNITS * reach
    counts = _counts(fixed.shares)
    same = replace(fixed, counts=counts, displacement=moved, each_once=False)
    values = _values(law, similarity, 0, len(law.parameters))
    return [expected_difference(x, same) for x in values]


def _counts(shares: Vector) -> NDArray[np.int64]:
    """Round shares to whole numbers, whose sum is the same for all distributions."""
    counts = np.rint(shares * _UNITS).astype(np.int64)
    counts[counts.argmax()] += _UNITS - int(counts.sum())
    return np.asarray(counts)


def _with_labels(law: Law, mean: Bounded) -> Bounded:
    """Return E|X - Y| if X is 0 or 1, and Y between them with this mean."""
    apart, alike = _apart(law), math.fsum(share * share for share in law.parameters)
    value = apart * (1.0 - mean.value) + alike * mean.value
    return Bounded(value, mean.error + _OF_SHARES * (apart + alike * mean.value))


def _apart(law: Law) -> float:
    """Return the probability that labels of two objects differ."""
    shares = np.array(law.parameters)
    return math.fsum(shares * _others(shares))


def _others(x: Vector) -> Vector:
    """Return the sum of all numbers but one for each, which ascend."""
    return np.append(math.fsum(x) - x[:-1], math.fsum(x[:-1]))


def _mean_value(law: Law, similarity: str) -> Bounded:
    """
    Return the mean value of two objects that are drawn, in closed form.

    A membership has a beta distribution, whose mean difference is known (Gini).
    """
    if law.is_crisp:
        return Bounded(_apart(law), _OF_SHARES * _apart(law))
    a = np.array(law.parameters)
    total = math.fsum(a)
    if similarity == "inner":
        return Bounded(math.fsum(a / total * (_others(a) / total)), SUM_ROUNDOFF)
    parts = _half_step(a) / _half_step(np.array([total])) * _half_step(_others(a))
    mean = math.fsum(parts) / total / math.sqrt(math.pi)
    return Bounded(mean, _QUOTIENT * mean)


def _half_step(x: Vector) -> Vector:
    """Return gamma(x + 1/2) / gamma(x)."""
    from scipy.special import gammaln

    few, y = np.minimum(x, _LONG_SERIES), 1.0 / np.maximum(x, _LONG_SERIES)
    bent = 1.0 - y * 21 / 160 * (1.0 + y * 19 / 8)
    bent = 1.0 - y / 8 * (1.0 - y / 16 * (1.0 + y * 5 / 8 * bent))
    quotient = np.exp(gammaln(few + 0.5) - gammaln(few))
    return np.where(x < _LONG_SERIES, quotient, np.sqrt(x) * bent)


def _values(law: Law, similarity: str, stream: int, K: int) -> list[Distribution]:
    """Return the distribution of values of two objects, or some estimates of it."""
    if len(law.parameters) == 2 and sum(law.parameters) < _CONCENTRATED:
        return [_of_two_clusters(*law.parameters, similarity)]
    return _samples(law, similarity, stream, K)


def _of_two_clusters(a: float, b: float, similarity: str) -> Distribution:
    """
    Return the distribution of values of two objects in two clusters, by quadrature.

    The first membership has a beta distribution. It is divided into cells of equal
    width, whose masses and means are known. The value of two objects of different cells
    is that of the means, on average, and never 2 widths from it. How far two of the
    same cell are apart, on average, follows from the mean of all.
    """
    from scipy.special import betainc, betaincinv, betaln

    low = float(betaincinv(a, b, _TAIL)) if a > 1.0 else 0.0
    high = 1.0 - float(betaincinv(b, a, _TAIL)) if b > 1.0 else 1.0
    x = np.linspace(low, high, _QUADRATURE + 1)
    below = betainc(a, b, x)
    cut_off = float(below[0] + betainc(b, a, 1.0 - high))
    # The mean up to x is a / (a + b) times what is below x, less this:
    with np.errstate(divide="ignore"):
        less = np.exp(a * np.log(x) + b * np.log1p(-x) - betaln(a, b)) / a
    below[0], below[-1], less[0], less[-1] = 0.0, 1.0, 0.0, 0.0
    masses = np.maximum(np.diff(below), 0.0)
    shift = np.diff(less) / np.maximum(masses, 2.0**-500)
    means = np.clip(a / (a + b) * (1.0 - shift), x[:-1], x[1:])
    width = (high - low) / _QUADRATURE
    moved = 2.0 * cut_off + 2.0**-46 * (1.0 + a + b) * _QUADRATURE * (high - low)
    i, j = np.triu_indices(_QUADRATURE)
    alike = i == j
    weights = masses[i] * masses[j] * np.where(alike, 1.0, 2.0)
    if similarity == "inner":
        values = 0.5 - 2.0 * (means[i] - 0.5) * (means[j] - 0.5)
    else:
        values = means[j] - means[i]
        mean = _mean_value(Law((a, b)), similarity)
        left = (mean.value - float(weights @ values)) / float(masses @ masses)
        values[alike] = min(max(left, 0.0), width)
        moved += mean.error
    return _in_cells(values, weights, 2.0 * width, moved)


def _samples(law: Law, similarity: str, stream: int, K: int) -> list[Distribution]:
    """
    Return the distribution of values between two sets of points, for each draw.

    Runs of a power of 2 of quasi-random points are spread as evenly as all of them.
    By how much their mean misses that of the law, which is known, values are displaced
    at least: points miss what is rare.
    """
    from scipy.stats.qmc import Sobol

    least, most = _POWERS
    power = ((_WORK // (_DRAWS * K)).bit_length() - 1) // 2
    size = 1 << min(most, max(least, power))
    parameters = np.array(law.parameters)
    rng = np.random.default_rng([stream, len(parameters)])
    means = parameters / math.fsum(parameters)
    centre = 0.0 if similarity == "l1" else means  # what is the same has no distance

    def rows() -> Vector:
        points = Sobol(len(parameters), seed=rng).random(size)
        found = centre + _deviations(parameters, points)
        return found.reshape(-1, min(size, _BLOCK), len(parameters))

    found = []
    for _ in range(_DRAWS):
        x, y = rows(), rows()
        if similarity == "inner":
            values = (1.0 - x @ y.transpose(0, 2, 1)).ravel()
        else:
            halves = (np.moveaxis(0.5 * z, 2, 0) for z in (x, y))
            values = sum(
                np.abs(u[:, :, None] - v[:, None]) for u, v in zip(*halves, strict=True)
            ).ravel()
        rounding = (len(parameters) + 8) * UNIT_ROUNDOFF * float(np.abs(values).max())
        weights = np.full(values.size, 1.0 / values.size)
        found.append(_in_cells(values, weights, moved=rounding))
    mean, error = _mean_value(law, similarity)
    missed = abs(math.fsum(each.average for each in found) / _DRAWS - mean) + error
    return [replace(one, displacement=one.displacement + missed) for one in found]


def _in_cells(
    values: Vector, weights: Vector, slack: float = 0.0, moved: float = 0.0
) -> Distribution:
    """Count values, which may be `slack` from those given, in cells of equal width."""
    low, high = float(values.min()), float(values.max())
    largest = max(abs(low), abs(high))
    width = max((high - low) / _CELLS, UNIT_ROUNDOFF * largest) or 1.0
    above = values - low
    cells = np.minimum((above / width).astype(np.int64), _CELLS - 1)
    shares: Vector = np.bincount(cells, weights).astype(np.float64)
    there = np.flatnonzero(shares)
    means = low + np.bincount(cells, weights * above)[there] / shares[there]
    slack += 1e-12 * width + 4.0 * UNIT_ROUNDOFF * largest
    start = np.maximum(low + there * width - slack, min(low, 0.0))
    end = np.minimum(low + (there + 1) * width + slack, max(high, 1.0))
    moved += (len(there) / _UNITS + values.size * UNIT_ROUNDOFF) * (high - low)
    moved += 4.0 * UNIT_ROUNDOFF * largest
    counts = _counts(shares[there])
    return Distribution(counts, start, end, np.clip(means, start, end), moved)


def _deviations(parameters: Vector, points: Vector) -> Vector:
    """
    Return the rows of a Dirichlet distribution less its mean, at points of the cube.

    Parameters ascend. What the last cluster lacks the others have in excess, so that it
    is known to the same digits.
    """
    from scipy.special import gammaincinv, gammaln, ndtri

    inside = np.clip(points, 2.0**-53, 1.0 - 2.0**-53)
    total = math.fsum(parameters)
    quantiles = gammaincinv(np.minimum(parameters, _NORMAL), inside)
    if parameters[-1] < 1.0:
        # Where a quantile is too small for a double, its first term is exact.
        first = (np.log(inside) + gammaln(parameters + 1.0)) / parameters
        logs = np.where(
            quantiles > 1e-250, np.log(np.maximum(quantiles, 1e-300)), first
        )
        weights = np.exp(logs - logs.max(axis=1, keepdims=True))
        found = weights / weights.sum(axis=1, keepdims=True) - parameters / total
    else:
        root, z = np.sqrt(parameters), ndtri(inside)
        series = root * z + (z * z - 1.0) / 3.0 + (z * z - 7.0) * z / (36.0 * root)
        away = np.where(parameters < _NORMAL, quantiles - parameters, series)
        common = away.sum(axis=1, keepdims=True)
        found = (away - parameters / total * common) / (total + common)
    found[:, -1] = -found[:, :-1].sum(axis=1)
    return np.asarray(found)


def _fixed(P: Partition, terms: PairTerms, run: Run) -> Distribution:
    """Return the distribution of the values of P, which stays as it is."""
    n = P.n_objects
    if P.kind == "crisp":
        together = pairs_within(np.bincount(P.labels))
        return of_counts(together, n * (n - 1) // 2 - together)
    if run.samples:
        raise InputError(
            Setting("null", run.null),
            " takes all pairs of objects; leave out ",
            Argument("method" if run.tol is None else "tol"),
        )
    if terms.distributions is not None and terms.method != "fuzzy-crisp":
        return terms.distributions[0]
    if n <= FEW_OBJECTS:
        return Held.of(P, run.similarity, run).distribution
    wanted = WantedTerms(run.similarity, distributions=True)
    alone = replace(run, checkpoint=None)
    own = terms_of_all_pairs(P, P, wanted, alone, Watch(None, 1)).distributions
    if own is None:
        raise ValueError("distributions were wanted")
    return own[0]
