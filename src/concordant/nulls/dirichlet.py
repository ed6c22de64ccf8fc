"""
Partitions whose objects are drawn from Dirichlet distributions (DeWolfe and Andrews).

Memberships of an object are independent of those of others, so that E[d] is E|X - Y|
with X and Y the values of two objects each. Values of drawn objects are computed at
scrambled quasi-random points, some times; the spread between the results is the error.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from concordant.errors import Argument, Data, InputError, Setting
from concordant.execution.progress import Watch
from concordant.execution.run import Run
from concordant.families.crisp import pairs_within
from concordant.nulls.expectation import Expectation
from concordant.partition.partition import Partition
from concordant.shortcuts.crisp import of_counts
from concordant.terms.all_pairs import terms_of_all_pairs
from concordant.terms.distribution import (
    SUM_ROUNDOFF,
    UNIT_ROUNDOFF,
    Bounded,
    Distribution,
    expected_difference,
)
from concordant.terms.pair_terms import PairTerms, Wanted
from concordant.terms.side import Side

Vector = NDArray[np.float64]
Model = Literal["flat", "symmetric", "fitted"]

_DRAWS = 16  # of quasi-random points
_SURE = 8.0  # standard errors of the mean over draws
_POWERS = 6, 10  # of 2: at least and at most so many points
_WORK = 1 << 28  # memberships that are compared in all
_BLOCK = 64  # points whose distances from all others are held at a time
_CELLS = 1 << 12  # in which values are counted
_MOST_PAIRS = 1 << 40
_MOST_CLUSTERS = 21_201  # of which SciPy has quasi-random points
_NEARLY_CRISP = 1e-4  # parameters that are all below draw labels, in effect
_ENDS = 1e-9, 1e12  # between which sums of parameters are searched


class Law(NamedTuple):
    """How an object is drawn: by parameters, or by the shares of clusters if crisp."""

    parameters: tuple[float, ...]
    is_crisp: bool = False


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
    error = max(error for _, error in found) + (SUM_ROUNDOFF if mean > 0.0 else 0.0)
    if len(values) > 1:
        variance = math.fsum((x - mean) ** 2 for x in values) / (len(values) - 1)
        error += _SURE * math.sqrt(variance / len(values))
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
    shares = np.full(K, 1.0 / K) if model == "symmetric" else columns.mean(axis=1)
    crisp = Law(tuple(sorted((shares / shares.sum()).tolist())), is_crisp=True)
    if K == 1 or partition.kind == "crisp" or columns.min() <= 0.0:
        return crisp
    logs = np.log(columns).mean(axis=1)
    fit = _symmetric_fit if model == "symmetric" else _fit
    parameters = fit(logs, shares)
    if max(parameters) < _NEARLY_CRISP:
        return crisp
    return Law(tuple(sorted(parameters)))


def _fit(logs: Vector, shares: Vector) -> list[float]:
    """Return the parameters of the largest likelihood, given means of logarithms."""
    from scipy.special import digamma

    def parameters(log_sum: float) -> Vector:
        return _inverse_digamma(digamma(math.exp(log_sum)) + logs)

    log_sum = _root(lambda x: math.log(parameters(x).sum()) - x)
    if log_sum is None:
        return (_ENDS[1] * shares).tolist()  # type: ignore[no-any-return]
    return parameters(log_sum).tolist()  # type: ignore[no-any-return]


def _symmetric_fit(logs: Vector, shares: Vector) -> list[float]:
    """Return the same parameter for all clusters."""
    from scipy.special import digamma

    K, mean = len(logs), float(logs.mean())

    def slope(log_sum: float) -> float:
        total = math.exp(log_sum)
        return float(digamma(total) - digamma(total / K)) + mean

    log_sum = _root(slope)
    return [(_ENDS[1] if log_sum is None else math.exp(log_sum)) / K] * K


def _root(function: Callable[[float], float]) -> float | None:
    """Return where a function of the logarithm of a sum is 0; None if beyond."""
    from scipy.optimize import brentq

    low, high = map(math.log, _ENDS)
    if function(high) >= 0.0:
        return None
    if function(low) <= 0.0:
        return low
    return float(brentq(function, low, high, xtol=1e-13, rtol=1e-13))


def _inverse_digamma(y: Vector) -> Vector:
    """Solve digamma(x) = y by Newton's method from Minka's start."""
    from scipy.special import digamma, polygamma

    low = y < -2.22
    x = np.where(low, -1.0 / (np.where(low, y, -1.0) + np.euler_gamma), np.exp(y) + 0.5)
    for _ in range(6):
        x = x - (digamma(x) - y) / polygamma(1, x)
    return np.asarray(x)


def _with_drawn(law: Law, other: Law, similarity: str) -> list[Bounded]:
    """Return E|X - Y| of two laws, for each draw of points."""
    if law.is_crisp and other.is_crisp:
        return [_with_labels(law, Bounded(_apart(other), 0.0))]
    if law.is_crisp or other.is_crisp:
        crisp, fuzzy = (law, other) if law.is_crisp else (other, law)
        samples = _samples(fuzzy, similarity, 0, len(fuzzy.parameters))
        return [_with_labels(crisp, Bounded(y.average, 0.0)) for y in samples]
    K = max(len(law.parameters), len(other.parameters))
    both = _samples(law, similarity, 0, K), _samples(other, similarity, 1, K)
    return [expected_difference(x, y) for x, y in zip(*both, strict=True)]


def _with_fixed(law: Law, fixed: Distribution, similarity: str) -> list[Bounded]:
    """Return E|X - Y| of a law and values that there are, for each draw of points."""
    if law.is_crisp:
        beyond = max(-float(fixed.low[0]), float(fixed.high[-1]) - 1.0, 0.0)
        mean = Bounded(fixed.average, fixed.displacement + 2.0 * beyond)
        return [_with_labels(law, mean)]
    samples = _samples(law, similarity, 0, len(law.parameters))
    fixed = _of_fewer(fixed)
    same = replace(fixed, counts=fixed.counts * samples[0].total, each_once=False)
    return [
        expected_difference(replace(x, counts=x.counts * fixed.total), same)
        for x in samples
    ]


def _of_fewer(fixed: Distribution) -> Distribution:
    """Round counts so that their products with those of a sample fit in 64 bits."""
    if fixed.total <= _MOST_PAIRS:
        return fixed
    counts = np.rint(fixed.shares * _MOST_PAIRS).astype(np.int64)
    counts[counts.argmax()] += _MOST_PAIRS - int(counts.sum())
    moved = fixed.displacement + len(counts) / _MOST_PAIRS
    return replace(fixed, counts=counts, displacement=moved, each_once=False)


def _with_labels(law: Law, mean: Bounded) -> Bounded:
    """Return E|X - Y| if X is 0 or 1, and Y between them with this mean."""
    apart = _apart(law)
    return Bounded(apart + (1.0 - 2.0 * apart) * mean.value, mean.error)


def _apart(law: Law) -> float:
    """Return the probability that labels of two objects differ."""
    return 1.0 - math.fsum(share * share for share in law.parameters)


def _samples(law: Law, similarity: str, stream: int, K: int) -> list[Distribution]:
    """Return the distribution of values between two sets of points, for each draw."""
    from scipy.stats.qmc import Sobol

    least, most = _POWERS
    power = ((_WORK // (_DRAWS * K)).bit_length() - 1) // 2
    size = 1 << min(most, max(least, power))
    parameters = np.array(law.parameters)
    rng = np.random.default_rng([stream, len(parameters)])

    def rows() -> Vector:
        points = Sobol(len(parameters), seed=rng).random(size)
        return _memberships(parameters, points)

    found = []
    for _ in range(_DRAWS):
        both = np.concatenate((rows(), rows()))
        side = Side(Partition._named(both, "rows"), similarity)
        j = np.tile(np.arange(size, 2 * size), _BLOCK)
        blocks = range(0, size, _BLOCK)
        starts = (np.repeat(np.arange(i, i + _BLOCK), size) for i in blocks)
        found.append(_in_cells(np.concatenate([side.values_of(i, j) for i in starts])))
    return found


def _in_cells(values: Vector) -> Distribution:
    """Count values in cells of equal width."""
    low, high = float(values.min()), float(values.max())
    if low == high:
        return Distribution.of_values(np.array([low]), np.array([values.size]))
    width = (high - low) / _CELLS
    cells = np.minimum(((values - low) / width).astype(np.int64), _CELLS - 1)
    counts = np.bincount(cells, minlength=_CELLS)
    there = np.flatnonzero(counts)
    means = np.bincount(cells, weights=values, minlength=_CELLS)[there] / counts[there]
    slack = 1e-12 * width + 4.0 * UNIT_ROUNDOFF
    start = np.asarray(low + there * width - slack, dtype=np.float64)
    end = np.asarray(low + (there + 1) * width + slack, dtype=np.float64)
    return Distribution(counts[there], start, end, np.clip(means, start, end))


def _memberships(parameters: Vector, points: Vector) -> Vector:
    """Return the rows of a Dirichlet distribution at points of the unit cube."""
    from scipy.special import gammaincinv, gammaln

    inside = np.clip(points, 2.0**-53, 1.0 - 2.0**-53)
    if (parameters == 1.0).all():
        logs = np.log(-np.log1p(-inside))
    else:
        quantiles = gammaincinv(parameters, inside)
        # Where a quantile is too small for a double, its first term is exact.
        first = (np.log(inside) + gammaln(parameters + 1.0)) / parameters
        logs = np.where(
            quantiles > 1e-250, np.log(np.maximum(quantiles, 1e-300)), first
        )
    weights = np.exp(logs - logs.max(axis=1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


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
    wanted = Wanted(run.similarity, distributions=True)
    alone = replace(run, checkpoint=None)
    own = terms_of_all_pairs(P, P, wanted, alone, Watch(None, 1)).distributions
    if own is None:
        raise ValueError("distributions were wanted")
    return own[0]
