"""Starting centres: k-means++, or the means of given memberships."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import kmeans_plusplus

from concordant.cluster.points import Points
from concordant.errors import InputError, Wordings
from concordant.partition.partition import Partition

Vector = NDArray[np.float64]


def distinct_points(points: Points) -> tuple[Vector, Vector]:
    """
    Return the distinct points in lexicographic order, and their summed weights.

    They are the same for points in another order, or repeated instead of weighted.
    """
    rows = np.flatnonzero(points.weights)
    X, weights = points.X[rows], points.weights[rows]
    order = np.argsort(X[:, 0])
    if (np.diff(X[order, 0]) == 0.0).any():
        order = np.lexsort(X.T[::-1])
    X = X[order]
    firsts = np.flatnonzero(np.append(True, (X[1:] != X[:-1]).any(axis=1)))
    return X[firsts], np.add.reduceat(weights[order], firsts)


def drawn_starts(
    points: Points, n_clusters: int, n_starts: int, random: np.random.RandomState
) -> Iterator[Vector]:
    """Draw different points by k-means++, some times."""
    X, weights = distinct_points(points)
    if len(X) < n_clusters:
        raise InputError(
            Wordings(
                f"Number of distinct samples ({len(X)}) should be >= "
                f"n_clusters={n_clusters}.",
                f"too few distinct objects ({len(X)}) for {n_clusters} clusters",
            )
        )
    for _ in range(n_starts):
        # The best of several trials would be a tie, for rounding to break, wherever
        # two near points are tried that are the nearest to no others.
        chosen, which = kmeans_plusplus(
            X, n_clusters, sample_weight=weights, random_state=random, n_local_trials=1
        )
        if len(np.unique(which)) < n_clusters:  # squares of distances round to 0
            chosen = X[random.choice(len(X), n_clusters, replace=False)]
        yield chosen


def means_of_memberships(points: Points, memberships: Vector, power: float) -> Vector:
    """Return the means of the points weighted by w u^power."""
    columns = Partition._named(memberships, "init").columns() * (points.weights > 0.0)
    largest = columns.max(axis=1)
    if not largest.all():
        raise ValueError(
            f"init has an empty cluster: column {int(largest.argmin())} is zero."
        )
    weights = (columns / largest[:, None]) ** power * points.weights
    means: Vector = weights @ points.X / weights.sum(axis=1)[:, None]
    return means
