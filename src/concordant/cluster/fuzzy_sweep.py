"""One pass of fuzzy C-means over the points."""

import math

import numpy as np
from numpy.typing import NDArray

from concordant.cluster.cloud import Cloud, squared_distances
from concordant.cluster.descent import Sweep
from concordant.engine import Engine
from concordant.kernels import fuzzy_weights, fuzzy_weights_of_two

Vector = NDArray[np.float64]


def fuzzy_sweep(cloud: Cloud, centers: Vector, m: float, engine: Engine) -> Sweep:
    """
    Give the objective at centres, and the weighted means that follow them.

    Parameters
    ----------
    cloud : Cloud
        The points.
    centers : ndarray of shape (K, p)
        The centres.
    m : float
        The fuzzifier, above 1.
    engine : Engine
        Where blocks are run.

    Returns
    -------
    Sweep
        With the objective for m = 2, and for other m the objective times K^(m - 1).
    """
    tiles = cloud.tiles(len(centers))
    if m == 2.0:
        parts = engine.run(_block_of_two, (cloud, centers), tiles)
    else:
        parts = engine.run(_block, (cloud, centers, m), tiles)
    objectives = []
    shift = np.full(len(centers), -np.inf)
    totals = np.zeros(len(centers))
    sums = np.zeros_like(centers)
    for objective, part_shift, part_totals, part_sums in parts:
        objectives.append(objective)
        highest = np.maximum(shift, part_shift)
        before, now = _factor(shift, highest), _factor(part_shift, highest)
        totals = before * totals + now * part_totals
        sums = before[:, None] * sums + now[:, None] * part_sums
        shift = highest
    # A centre that no point pulls stays where it is.
    pulled = totals > 0.0
    proposal = centers.copy()
    proposal[pulled] = sums[pulled] / totals[pulled, None]
    return Sweep(math.fsum(objectives), proposal)


def _factor(shift: Vector, highest: Vector) -> Vector:
    """Give exp(shift - highest), where -inf stands for no weight at all."""
    difference = np.full(len(shift), -np.inf)
    np.subtract(shift, highest, out=difference, where=shift > -np.inf)
    return np.asarray(np.exp(difference))


def _block_of_two(
    cloud: Cloud, centers: Vector, rows: slice
) -> tuple[float, Vector, Vector, Vector]:
    """Sum a block's objective, weights and weighted points for m = 2."""
    totals = np.zeros(len(centers))
    squares = squared_distances(cloud, centers, rows)
    objective = fuzzy_weights_of_two(squares, cloud.weights[rows], totals)
    return objective, np.zeros(len(centers)), totals, squares @ cloud.points[rows]


def _block(
    cloud: Cloud, centers: Vector, m: float, rows: slice
) -> tuple[float, Vector, Vector, Vector]:
    """Do so for any m, the weights relative to the exponentials of shifts."""
    totals = np.zeros(len(centers))
    shifts = np.empty(len(centers))
    squares = squared_distances(cloud, centers, rows)
    objective = fuzzy_weights(squares, cloud.weights[rows], m, shifts, totals)
    return objective, shifts, totals, squares @ cloud.points[rows]
