"""One pass of PD-clustering over the points."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from concordant.cluster.cloud import Cloud, squared_distances
from concordant.cluster.descent import Sweep
from concordant.execution.engine import Engine
from concordant.kernels.soft_clusters import probabilistic_weights

Vector = NDArray[np.float64]


def probabilistic_sweep(
    cloud: Cloud, centers: Vector, engine: Engine, near: float
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
    near : float
        Up to which distance a point counts as being on a centre.

    Returns
    -------
    Sweep
        With the objective, and Weiszfeld's step or, for a centre on points, the one
        of Vardi and Zhang.
    """
    blocks = cloud.blocks(len(centers))
    parts = list(engine.run(_block, (cloud, centers, near), blocks))
    whole = _added(parts) if len(parts) > 1 else parts[0]
    bases = centers.copy()
    holds = whole.held > 0.0
    bases[holds] = whole.anchors[holds] / whole.held[holds, None]
    return Sweep(
        whole.objective,
        _next_centers(whole.totals, whole.sums, whole.held, bases),
    )


class _Part(NamedTuple):
    """A block's share of what centres go by."""

    objective: float
    totals: Vector
    sums: Vector
    held: Vector
    anchors: Vector


def _added(parts: list[_Part]) -> _Part:
    """Add the blocks' shares."""
    return _Part(
        math.fsum(part.objective for part in parts),
        *(np.sum(shares, axis=0) for shares in list(zip(*parts, strict=True))[1:]),
    )


def _block(cloud: Cloud, centers: Vector, near: float, rows: slice) -> _Part:
    """Sum a block's objective, weights and weighted points."""
    held = np.zeros(len(centers))
    anchors = np.zeros_like(centers)
    points = cloud.points[rows]
    squares = squared_distances(cloud, centers, rows)
    objective = probabilistic_weights(
        squares, cloud.weights[rows], points, near, held, anchors
    )
    return _Part(objective, squares.sum(axis=1), np.dot(squares, points), held, anchors)


def _next_centers(totals: Vector, sums: Vector, held: Vector, bases: Vector) -> Vector:
    """Take the step of Weiszfeld, or for a centre on points that of Vardi and Zhang."""
    if totals.all() and not held.any():
        return sums / totals[:, None]  # what the rest comes to, sooner
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
