"""One pass of PD-clustering over the points."""

import math

import numpy as np
from numpy.typing import NDArray

from concordant.cluster.cloud import Cloud, squared_distances
from concordant.cluster.descent import Sweep
from concordant.engine import Engine
from concordant.kernels import probabilistic_weights

Vector = NDArray[np.float64]


def probabilistic_sweep(
    cloud: Cloud, centers: Vector, engine: Engine, *, near: float = 0.0
) -> Sweep:
    """
    Give the objective at centres, and where they go from there.

    Parameters
    ----------
    cloud : Cloud
        The points.
    centers : ndarray of shape (K, p)
        The centres.
    engine : Engine
        Where blocks are run.
    near : float, default=0.0
        Up to which distance a point counts as being on a centre.

    Returns
    -------
    Sweep
        With the objective, and Weiszfeld's step or, for a centre on points, the one
        of Vardi and Zhang.
    """
    tiles = cloud.tiles(len(centers))
    objectives = []
    totals = np.zeros(len(centers))
    sums = np.zeros_like(centers)
    held = np.zeros(len(centers))
    anchors = np.zeros_like(centers)
    for part in engine.run(_block, (cloud, centers, near), tiles):
        objective, part_totals, part_sums, part_held, part_anchors = part
        objectives.append(objective)
        totals += part_totals
        sums += part_sums
        held += part_held
        anchors += part_anchors
    bases = centers.copy()
    if near > 0.0:
        holds = held > 0.0
        bases[holds] = anchors[holds] / held[holds, None]
    return Sweep(math.fsum(objectives), _next_centers(totals, sums, held, bases))


def _next_centers(totals: Vector, sums: Vector, held: Vector, bases: Vector) -> Vector:
    """Take the step of Weiszfeld, or for a centre on points that of Vardi and Zhang."""
    proposal = bases.copy()
    pulled = totals > 0.0
    means = sums[pulled] / totals[pulled, None]
    pulls = totals[pulled] * np.linalg.norm(means - bases[pulled], axis=1)
    stay = np.ones(len(pulls))
    np.divide(held[pulled], pulls, out=stay, where=pulls > held[pulled])
    moves = stay < 1.0
    moving = np.flatnonzero(pulled)[moves]
    means, stay = means[moves], stay[moves, None]
    proposal[moving] = means + stay * (bases[moving] - means)
    return proposal


def _block(
    cloud: Cloud, centers: Vector, near: float, rows: slice
) -> tuple[float, Vector, Vector, Vector, Vector]:
    """Sum what a block adds to the objective and to the centres' steps."""
    n_clusters = len(centers)
    totals, held = np.zeros(n_clusters), np.zeros(n_clusters)
    anchors = np.zeros_like(centers)
    points = cloud.points[rows]
    squares = squared_distances(cloud, centers, rows)
    objective = probabilistic_weights(
        squares, cloud.weights[rows], points, near, totals, held, anchors
    )
    return objective, totals, squares @ points, held, anchors
