"""One step of fuzzy C-means and of PD-clustering over all points."""

import math

import numpy as np
from numpy.typing import NDArray

from concordant.cluster.fixed_point import Sweep
from concordant.cluster.points import Points, nearest_over, weighted_means

Vector = NDArray[np.float64]


def fuzzy_sweep(points: Points, centers: Vector, m: float) -> Sweep:
    """Return the objective, for m other than 2 times K^(m - 1), and weighted means."""
    parts = points.each_block(_fuzzy_block, centers, m)
    objective, _, totals, sums = parts[0]
    if len(parts) > 1:
        objective = math.fsum(part[0] for part in parts)
        each = np.array([shifts for _, shifts, _, _ in parts])
        factors = np.exp(each - _finite(each.max(axis=0)))
        totals = (factors * [totals for _, _, totals, _ in parts]).sum(axis=0)
        sums = (factors[:, :, None] * [sums for *_, sums in parts]).sum(axis=0)
    # A centre that no point pulls stays where it is.
    return Sweep(objective, weighted_means(sums, totals, centers))


def probabilistic_sweep(points: Points, centers: Vector, near: float) -> Sweep:
    """
    Return the objective and the step of Weiszfeld, or that of Vardi and Zhang.

    The latter is for centres with points no farther than `near`.
    """
    parts = points.each_block(_probabilistic_block, centers, near)
    objectives, *others = zip(*parts, strict=True)
    totals, sums, held, anchors = (np.sum(shares, axis=0) for shares in others)
    bases = weighted_means(anchors, held, centers)
    means = weighted_means(sums, totals, bases)
    pulls = totals * np.linalg.norm(means - bases, axis=1)
    stay = np.ones_like(pulls)
    np.divide(held, pulls, out=stay, where=pulls > held)
    stay = stay[:, None]
    return Sweep(
        math.fsum(objectives),
        np.where(stay < 1.0, means + stay * (bases - means), bases),
    )


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


def _probabilistic_block(
    points: Points, centers: Vector, near: float, rows: slice
) -> tuple[float, Vector, Vector, Vector, Vector]:
    """Return a block's objective, weights w p^2 / d, and what is held by centres."""
    X, weights = points.X[rows], points.weights[rows]
    ratios, lowest = nearest_over(points.squares(centers, rows))
    np.sqrt(ratios, out=ratios)
    nearest = np.sqrt(lowest, out=lowest)
    inverse = 1.0 / ratios.sum(axis=0)
    objective = np.dot(weights * nearest, inverse)
    pulls = ratios * inverse
    pulls *= pulls
    pulls *= weights  # w p^2
    held, anchors = np.zeros(len(centers)), np.zeros_like(centers)
    if nearest.min() <= near:
        is_near = nearest <= near * ratios
        holds = np.where(is_near, pulls, 0.0)
        held, anchors = holds.sum(axis=1), np.dot(holds, X)
        pulls[is_near] = 0.0
    pulls *= ratios
    pulls *= np.divide(1.0, nearest, out=np.zeros_like(nearest), where=nearest > 0.0)
    return float(objective), pulls.sum(axis=1), np.dot(pulls, X), held, anchors
