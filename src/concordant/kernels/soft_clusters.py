"""Memberships and weights of points, from their distances to centres."""

import math

import numpy as np
from numpy.typing import NDArray

from concordant.kernels.compiling import kernel

Columns = NDArray[np.float64]  # K x n, one cluster per row
Vector = NDArray[np.float64]

# Below this share of |c|^2, |x|^2 - 2 c.x + |c|^2 has lost three digits or more.
_CANCELLED = 2.0**-10


@kernel
def complete_squares(
    products: Vector,
    points: Vector,
    norms: Vector,
    centers: Vector,
    center_norms: Vector,
) -> None:
    """Turn the K x n products c.x into |x - c|^2, given |x|^2 and |c|^2."""
    for k in range(products.shape[0]):
        row = products[k]
        center_norm = center_norms[k]
        small = _CANCELLED * center_norm
        n_small = 0
        for t in range(row.size):
            square = norms[t] - 2.0 * row[t] + center_norm
            row[t] = square
            n_small += square < small
        # Rare, and apart, so that the loop above vectorises.
        if n_small > 0:
            for t in range(row.size):
                if row[t] < small:
                    square = 0.0
                    for j in range(points.shape[1]):
                        difference = points[t, j] - centers[k, j]
                        square += difference * difference
                    row[t] = square


@kernel
def note_center(
    points: Vector,
    weights: Vector,
    center: Vector,
    bins: NDArray[np.uint16],
    nearest: Vector,
    masses: Vector,
) -> None:
    """
    Lower each point's square to the nearest centre to that to a new one.

    What it is then, times the point's weight, is added to the mass of its bin.
    """
    n, p = points.shape
    for t in range(n):
        square = 0.0
        for j in range(p):
            difference = points[t, j] - center[j]
            square += difference * difference
        nearest[t] = min(nearest[t], square)
        masses[bins[t]] += weights[t] * nearest[t]


@kernel
def _prepare_ratios(squares: Vector, lowest: Vector, numerators: Vector) -> None:
    """
    Find each point's least square, and make the 0/0 of a point on a centre 1/1.

    Ratios numerator / square are then 1 at the nearest centre, and for a point on a
    centre 1 there, wherever else a centre coincides with it, and 0 elsewhere.
    """
    lowest[:] = squares[0]
    for k in range(1, squares.shape[0]):
        row = squares[k]
        for t in range(row.size):
            lowest[t] = min(lowest[t], row[t])
    for t in range(lowest.size):
        numerators[t] = lowest[t]
        if lowest[t] == 0.0:
            numerators[t] = 1.0
            for k in range(squares.shape[0]):
                squares[k, t] = 1.0 if squares[k, t] == 0.0 else np.inf


@kernel
def fill_memberships(squares: Vector, exponent: float, out: Vector) -> None:
    """Fill the n x K `out` with memberships proportional to squares ** -exponent."""
    n_clusters, n = squares.shape
    lowest = np.empty(n)
    numerators = np.empty(n)
    _prepare_ratios(squares, lowest, numerators)
    sums = np.zeros(n)
    for k in range(n_clusters):
        row = squares[k]
        for t in range(n):
            row[t] = np.divide(numerators[t], row[t])
        # The two usual exponents need no logarithm.
        if exponent == 0.5:
            for t in range(n):
                row[t] = np.sqrt(row[t])
        elif exponent != 1.0:
            for t in range(n):
                row[t] = math.exp(exponent * math.log(row[t])) if row[t] > 0.0 else 0.0
        for t in range(n):
            sums[t] += row[t]
    for k in range(n_clusters):
        row = squares[k]
        for t in range(n):
            out[t, k] = np.divide(row[t], sums[t])


@kernel
def fuzzy_weights_of_two(squares: Vector, weights: Vector) -> float:
    """Turn squares into w u^2, as for m = 2, and return the objective."""
    n_clusters, n = squares.shape
    lowest = np.empty(n)
    numerators = np.empty(n)
    _prepare_ratios(squares, lowest, numerators)
    sums = np.zeros(n)
    for k in range(n_clusters):
        row = squares[k]
        for t in range(n):
            row[t] = np.divide(numerators[t], row[t])
            sums[t] += row[t]
    objective = 0.0
    for t in range(n):
        sums[t] = np.divide(1.0, sums[t])
    for t in range(n):
        objective += weights[t] * lowest[t] * sums[t]
    for k in range(n_clusters):
        row = squares[k]
        for t in range(n):
            membership = row[t] * sums[t]
            row[t] = weights[t] * membership * membership
    return objective


@kernel
def fuzzy_weights(squares: Vector, weights: Vector, m: float, shifts: Vector) -> float:
    """
    Turn squares into the weights of fuzzy C-means for any m, through logarithms.

    A weight of cluster k is w u^m exp(-shifts[k]) K^m, where shifts[k], found here,
    makes the largest one w: near m = 1 and for large m u^m itself would underflow.
    Returns the objective times K^(m - 1), a sum of power means of the squares, which
    does not.
    """
    n_clusters, n = squares.shape
    exponent = 1.0 / (m - 1.0)
    objective = 0.0
    shifts[:] = -np.inf
    for t in range(n):
        lowest = np.inf
        for k in range(n_clusters):
            lowest = min(lowest, squares[k, t])
        mean = 0.0
        for k in range(n_clusters):
            if lowest > 0.0:
                power = exponent * (math.log(lowest) - math.log(squares[k, t]))
            else:
                power = 0.0 if squares[k, t] == 0.0 else -np.inf
            squares[k, t] = power
            # A mean of x - 1 keeps the digits that a mean of x near 1 loses (m large).
            mean += math.expm1(power)
        log_mean = math.log1p(mean / n_clusters)
        if lowest > 0.0:
            objective += weights[t] * lowest * math.exp((1.0 - m) * log_mean)
        for k in range(n_clusters):
            squares[k, t] = m * (squares[k, t] - log_mean)
            if weights[t] > 0.0:
                shifts[k] = max(shifts[k], squares[k, t])
    for k in range(n_clusters):
        row = squares[k]
        for t in range(n):
            if row[t] > -np.inf and weights[t] > 0.0:
                row[t] = weights[t] * math.exp(row[t] - shifts[k])
            else:
                row[t] = 0.0
    return objective


@kernel
def probabilistic_weights(
    squares: Vector,
    weights: Vector,
    points: Vector,
    near: float,
    held: Vector,
    anchors: Vector,
) -> float:
    """
    Turn squares into w p^2 / d, the weights of PD-clustering.

    A point no farther than `near` from a centre has no weight there; instead its
    w p^2 goes to `held`, and w p^2 x to `anchors`. Returns the objective.
    """
    n_clusters, n = squares.shape
    lowest = np.empty(n)
    numerators = np.empty(n)
    _prepare_ratios(squares, lowest, numerators)
    sums = np.zeros(n)
    for k in range(n_clusters):
        row = squares[k]
        for t in range(n):
            row[t] = np.sqrt(np.divide(numerators[t], row[t]))
            sums[t] += row[t]
    near_square = near * near
    objective = 0.0
    n_near = 0
    scales = numerators  # w / (d s^2) by the nearest centre's d; the ratios are done
    for t in range(n):
        distance = np.sqrt(lowest[t])
        n_near += lowest[t] <= near_square
        square = sums[t] * sums[t] * distance
        scales[t] = np.divide(weights[t], square) if square > 0.0 else 0.0
        lowest[t] = distance
        sums[t] = np.divide(1.0, sums[t])
    for t in range(n):
        objective += weights[t] * lowest[t] * sums[t]
    if n_near > 0:
        _hold_near_points(squares, weights, points, near, lowest, sums, held, anchors)
    for k in range(n_clusters):
        row = squares[k]
        for t in range(n):
            row[t] = row[t] * row[t] * row[t] * scales[t]
    return objective


@kernel
def _hold_near_points(
    ratios: Vector,
    weights: Vector,
    points: Vector,
    near: float,
    lowest: Vector,
    inverse_sums: Vector,
    held: Vector,
    anchors: Vector,
) -> None:
    """Move the points near a centre from its `ratios` to what it holds."""
    for k in range(ratios.shape[0]):
        for t in range(ratios.shape[1]):
            ratio = ratios[k, t]
            if ratio > 0.0 and lowest[t] <= near * ratio:
                membership = ratio * inverse_sums[t]
                mass = weights[t] * membership * membership
                held[k] += mass
                for j in range(points.shape[1]):
                    anchors[k, j] += mass * points[t, j]
                ratios[k, t] = 0.0
