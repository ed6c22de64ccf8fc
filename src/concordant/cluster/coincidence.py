"""Centres that coincide become one."""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import pdist, squareform

from concordant.cluster.cloud import Cloud, squared_distances
from concordant.cluster.scale import Scale
from concordant.execution.engine import Engine

Vector = NDArray[np.float64]

_ALIKE = 1e-6  # relative


def merged_centers(
    cloud: Cloud, centers: Vector, scale: Scale, engine: Engine
) -> Vector:
    """
    Put centres that coincide onto the first of them.

    Two centres coincide if they are at one place, or if their gap is less than a
    millionth of the way to the nearest point, so that no point can tell them apart.
    """
    gaps = pdist(centers)
    lengths = np.linalg.norm(centers, axis=1)
    farthest = lengths.max() + np.sqrt(cloud.norms.max())
    if not (gaps <= _ALIKE * farthest).any():
        return centers  # as nearly always, without a visit to the points
    blocks = cloud.blocks(len(centers))
    parts = engine.run(_nearest, (cloud, centers), blocks)
    nearest = np.sqrt(np.min(list(parts), axis=0))
    one, other = np.triu_indices(len(centers), 1)
    alike = _ALIKE * np.minimum(nearest[one], nearest[other])
    coincide = gaps <= np.maximum(alike, scale.one_place(centers))
    _, groups = connected_components(squareform(coincide), directed=False)
    firsts = np.unique(groups, return_index=True)[1]
    merged: Vector = centers[firsts[groups]]
    return merged


def distinct_places(
    centers: Vector,
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Give the first centre at each place, and which of these each centre is at."""
    _, firsts, places = np.unique(
        centers, axis=0, return_index=True, return_inverse=True
    )
    return np.unique(firsts[places.ravel()], return_inverse=True)


def _nearest(cloud: Cloud, centers: Vector, rows: slice) -> Vector:
    least: Vector = squared_distances(cloud, centers, rows).min(axis=1)
    return least
