"""One pass of fuzzy C-means over the points."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from concordant.cluster.cloud import Cloud, squared_distances
from concordant.cluster.descent import Sweep
from concordant.execution.engine import Engine
from concordant.kernels.soft_clusters import fuzzy_weights, fuzzy_weights_of_two

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
    blocks = cloud.blocks(len(centers))
    parts = list(engine.run(_block, (cloud, centers, m), blocks))
    totals, sums = _added(parts) if len(parts) > 1 else (parts[0].totals, parts[0].sums)
    objective = math.fsum(part.objective for part in parts)
    if totals.all():
        return Sweep(objective, sums / totals[:, None])
    # A centre that no point pulls stays where it is.
    pulled = totals > 0.0
    proposal = centers.copy()
    proposal[pulled] = sums[pulled] / totals[pulled, None]
    return Sweep(objective, proposal)


class _Part(NamedTuple):
    """A block's share; what is summed is divided by the exponentials of `shifts`."""

    objective: float
    shifts: Vector
    totals: Vector
    sums: Vector


def _added(parts: list[_Part]) -> tuple[Vector, Vector]:
    """Add the blocks' weights and weighted points, each divided by the same."""
    shifts = np.array([part.shifts for part in parts])
    highest = shifts.max(axis=0)
    factors = np.exp(shifts - np.where(highest > -np.inf, highest, 0.0))
    totals = (factors * [part.totals for part in parts]).sum(axis=0)
    sums = (factors[:, :, None] * [part.sums for part in parts]).sum(axis=0)
    return totals, sums


def _block(cloud: Cloud, centers: Vector, m: float, rows: slice) -> _Part:
    """Sum a block's objective, weights and weighted points."""
    squares = squared_distances(cloud, centers, rows)
    shifts = np.zeros(len(centers))
    if m == 2.0:
        objective = fuzzy_weights_of_two(squares, cloud.weights[rows])
    else:
        objective = fuzzy_weights(squares, cloud.weights[rows], m, shifts)
    # Unlike the operator `@`, `dot` lets other threads run in the meantime.
    sums = np.dot(squares, cloud.points[rows])
    return _Part(objective, shifts, squares.sum(axis=1), sums)
