"""Where centres start."""

import numpy as np
from numpy.typing import NDArray

from concordant.cluster.cloud import Cloud
from concordant.cluster.far_points import FarPoints
from concordant.cluster.fuzzy_sweep import fuzzy_sweep
from concordant.execution.engine import Engine
from concordant.partition.partition import Partition

Vector = NDArray[np.float64]


def distinct_points(cloud: Cloud) -> tuple[Vector, Vector]:
    """
    Merge equal points.

    Parameters
    ----------
    cloud : Cloud
        Points with weights.

    Returns
    -------
    tuple of two ndarrays, of shapes (r, p) and (r,)
        The distinct points that have weight, in lexicographic order, and their summed
        weights: the same for points in another order, or repeated in place of
        weighted.
    """
    order = np.lexsort(cloud.points.T[::-1])
    order = order[cloud.weights[order] > 0.0]
    points = cloud.points[order]
    first = np.ones(len(points), dtype=bool)
    np.any(points[1:] != points[:-1], axis=1, out=first[1:])
    firsts = np.flatnonzero(first)
    return points[firsts], np.add.reduceat(cloud.weights[order], firsts)


def count_distinct(cloud: Cloud, enough: int) -> int:
    """
    Count distinct points that have weight, up to a number that is enough.

    Parameters
    ----------
    cloud : Cloud
        Points with weights.
    enough : int
        Where to stop.

    Returns
    -------
    int
        The count, or `enough`.
    """
    found: Vector = np.empty((0, cloud.points.shape[1]))
    start, size = 0, 4 * enough
    while start < len(cloud.points) and len(found) < enough:
        rows = slice(start, start + size)
        weighted = cloud.points[rows][cloud.weights[rows] > 0.0]
        found = np.unique(np.vstack([found, weighted]), axis=0)
        start, size = start + size, 2 * size
    return min(len(found), enough)


def spread_starts(
    cloud: Cloud,
    n_clusters: int,
    n_starts: int,
    random: np.random.RandomState,
    engine: Engine,
) -> list[Vector]:
    """
    Draw starting centres: points chosen by k-means++, then moved once off the points.

    Parameters
    ----------
    cloud : Cloud
        Points with weights.
    n_clusters : int
        How many centres.
    n_starts : int
        How many times.
    random : numpy.random.RandomState
        Where chance comes from.
    engine : Engine
        Where blocks are run.

    Returns
    -------
    list of ndarrays of shape (K, p)
        The means that fuzzy C-means with m = 2 goes to from different points; a centre
        on a point may be held by it. Their chances are the same in whatever order the
        points are, and whether they are repeated or weighted.
    """
    far_points = FarPoints(cloud, engine)
    starts = []
    for _ in range(n_starts):
        chosen = far_points.draw(n_clusters, random)
        if chosen is None:  # all points are too near to one another
            points, _ = distinct_points(cloud)
            some = random.choice(len(points), n_clusters, replace=False)
            chosen = points[some]
        starts.append(fuzzy_sweep(cloud, chosen, 2.0, engine).proposal)
    return starts


def weighted_means(cloud: Cloud, memberships: Vector, power: float) -> Vector:
    """
    Compute the centres of given memberships.

    Parameters
    ----------
    cloud : Cloud
        Points with weights w.
    memberships : ndarray of shape (n, K)
        u, whose rows sum to 1.
    power : float
        Points are weighted by w u^power.

    Returns
    -------
    ndarray of shape (K, p)
        The weighted means.

    Raises
    ------
    ValueError
        If `memberships` are none, or a cluster has no points.
    """
    columns = Partition._named(memberships, "init").columns() * (cloud.weights > 0.0)
    largest = columns.max(axis=1)
    if not largest.all():
        raise ValueError(
            f"init has an empty cluster: column {int(largest.argmin())} is zero."
        )
    weights = (columns / largest[:, None]) ** power * cloud.weights
    means: Vector = weights @ cloud.points / weights.sum(axis=1)[:, None]
    return means
