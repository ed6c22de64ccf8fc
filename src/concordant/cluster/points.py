"""Weighted points, their distances to centres and weighted means, by blocks."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple, Self, TypeVar

import numpy as np

from concordant.arrays import Vector
from concordant.cluster.fixed_point import Sweep
from concordant.execution.engine import Engine
from concordant.execution.single_thread import single_blas_thread

R = TypeVar("R")

# Numbers in the points and distances of a block: with fewer, threads wait for Python.
_BLOCK = 1 << 18
# Below this share of |c|^2, |x|^2 - 2 c.x + |c|^2 has lost three digits or more.
_CANCELLED = 2.0**-10


class Points(NamedTuple):
    """Points about their median, their squared norms and weights, and the engine."""

    X: Vector
    norms: Vector
    weights: Vector
    engine: Engine

    @classmethod
    def of(cls, X: Vector, weights: Vector, engine: Engine) -> Self:
        """Return points with their norms."""
        return cls(X, np.einsum("ij,ij->i", X, X), weights, engine)

    def each_block(
        self, function: Callable[..., R], centers: Vector, *arguments: Any
    ) -> list[R]:
        """Call a function with these, and the rows of each block; shapes fix blocks."""
        n, size = len(self.X), max(256, _BLOCK // sum(centers.shape))
        blocks = ((slice(first, first + size),) for first in range(0, n, size))
        with single_blas_thread():  # its threads would change bits
            return list(self.engine.run(function, (self, centers, *arguments), blocks))

    def squares(self, centers: Vector, rows: slice) -> Vector:
        """Return the squared distances, one centre per row, of some points."""
        X, lengths = self.X[rows], np.einsum("ij,ij->i", centers, centers)[:, None]
        # Unlike the operator `@`, `dot` lets other threads run in the meantime.
        squares: Vector = np.dot(-2.0 * centers, X.T)
        squares += self.norms[rows]
        squares += lengths
        cancelled = squares < _CANCELLED * lengths
        if cancelled.any():
            k, i = np.nonzero(cancelled)
            squares[k, i] = ((X[i] - centers[k]) ** 2).sum(axis=1)
        return squares


def distances(points: Points, centers: Vector) -> Vector:
    """Return the n x K distances."""
    return np.sqrt(_by_distinct_centers(points, centers, lambda squares: squares))


def memberships(points: Points, centers: Vector, exponent: float) -> Vector:
    """Return n x K memberships proportional to squared distances to -exponent."""

    def shares(squares: Vector) -> Vector:
        ratios = nearest_over(squares)[0] ** exponent
        return np.asarray(ratios / ratios.sum(axis=0))

    return _by_distinct_centers(points, centers, shares)


def nearest_over(squares: Vector) -> tuple[Vector, Vector]:
    """Overwrite squares with ratios of the least one to each, 0/0 = 1; return both."""
    lowest = numerators = squares.min(axis=0)
    if not lowest.all():
        on = lowest == 0.0
        numerators = np.where(on, 1.0, lowest)
        squares[:, on] = np.where(squares[:, on] == 0.0, 1.0, np.inf)
    return np.divide(numerators, squares, out=squares), lowest


def weighted_median(values: Vector, weights: Vector) -> float:
    """Return the lower median; a weight counts repetitions."""
    order = np.argsort(values)
    sums = np.cumsum(weights[order])
    return float(values[order[np.searchsorted(sums, 0.5 * sums[-1])]])


def weighted_means(sums: Vector, totals: Vector, otherwise: Vector) -> Vector:
    """Divide each centre's sum by its weight, if it has any."""
    pulled = (totals > 0.0)[:, None]
    return np.where(pulled, sums / np.where(pulled, totals[:, None], 1.0), otherwise)


def fuzzy_sweep(points: Points, centers: Vector, m: float) -> Sweep:
    """Return the objective, for m other than 2 times K^(m - 1), and weighted means."""
    parts = points.each_block(_fuzzy_block, centers, m)
    if len(parts) == 1:
        ((objective, _, totals, sums),) = parts
        return Sweep(objective, weighted_means(sums, totals, centers))
    objectives, *others = zip(*parts, strict=True)
    shifts, totals, sums = map(np.array, others)
    factors = np.exp(shifts - _finite(shifts.max(axis=0)))
    totals = (factors * totals).sum(axis=0)
    sums = (factors[:, :, None] * sums).sum(axis=0)
    # A centre that no point pulls stays where it is.
    return Sweep(math.fsum(objectives), weighted_means(sums, totals, centers))


def _by_distinct_centers(
    points: Points, centers: Vector, function: Callable[[Vector], Vector]
) -> Vector:
    """Fill n x K numbers; equal centres are given the same bits."""
    distinct, places = np.unique(centers, axis=0, return_inverse=True)
    out = np.empty((len(points.X), len(centers)))

    def fill(points: Points, distinct: Vector, rows: slice) -> None:
        out[rows] = function(points.squares(distinct, rows)[places.ravel()]).T

    points.each_block(fill, distinct)
    return out


def _fuzzy_block(
    points: Points, centers: Vector, m: float, rows: slice
) -> tuple[float, Vector, Vector, Vector]:
    """Return a block's objective, and weights and weighted points with their shifts."""
    squares, weights = points.squares(centers, rows), points.weights[rows]
    if m == 2.0:
        shifts = np.zeros(len(centers))
        ratios, lowest = nearest_over(squares)
        inverse = 1.0 / ratios.sum(axis=0)
        objective = np.dot(weights * lowest, inverse)
        ratios *= inverse
        ratios *= ratios
        pulls = np.multiply(ratios, weights, out=ratios)
    else:
        objective, shifts, pulls = _logarithmic_weights(squares, weights, m)
    # Unlike the operator `@`, `dot` lets other threads run in the meantime.
    return (
        float(objective),
        shifts,
        pulls.sum(axis=1),
        np.dot(pulls, points.X[rows]),
    )


def _logarithmic_weights(
    squares: Vector, weights: Vector, m: float
) -> tuple[float, Vector, Vector]:
    """
    Return the objective times K^(m - 1), shifts, and weights w u^m K^m / exp(shift).

    The shift of a cluster makes its largest weight 1: near m = 1 and for large m u^m
    itself would underflow.
    """
    ratios, lowest = nearest_over(squares)
    with np.errstate(divide="ignore"):
        powers, log_weights = np.log(ratios) / (m - 1.0), np.log(weights)
    # A mean of x - 1 keeps the digits that a mean of x near 1 loses (m large).
    log_means = np.log1p(np.expm1(powers).mean(axis=0))
    growths = np.exp(np.where(lowest > 0.0, (1.0 - m) * log_means, 0.0))
    logs = m * (powers - log_means) + log_weights
    shifts = logs.max(axis=1)
    return (
        float(np.dot(weights, lowest * growths)),
        shifts,
        np.exp(logs - _finite(shifts)[:, None]),
    )


def _finite(shifts: Vector) -> Vector:
    return np.where(shifts > -np.inf, shifts, 0.0)
