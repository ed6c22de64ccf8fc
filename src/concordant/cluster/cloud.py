"""Weighted points whose squared distances to centres come block by block."""

from collections.abc import Iterator
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from concordant.kernels.soft_clusters import complete_squares

Vector = NDArray[np.float64]

# Numbers in a block's distances and points: half a millisecond of work, next to which
# what threads wait for one another is little.
_BLOCK = 1 << 18


class Cloud(NamedTuple):
    """
    Points, their squared norms and their weights.

    Parameters
    ----------
    points : ndarray of shape (n, p)
        The points, C-contiguous, about one in their midst.
    norms : ndarray of shape (n,)
        |x|^2.
    weights : ndarray of shape (n,)
        Their weights, the largest of which is near 1.
    weight_exponent : int
        Weights were divided by 2 to this power.
    """

    points: Vector
    norms: Vector
    weights: Vector
    weight_exponent: int

    @classmethod
    def of(cls, points: Vector, weights: Vector, weight_exponent: int = 0) -> Self:
        """
        Make a cloud of points.

        Parameters
        ----------
        points : ndarray of shape (n, p)
            The points.
        weights : ndarray of shape (n,)
            Their weights.
        weight_exponent : int, default=0
            What power of 2 they were divided by.

        Returns
        -------
        Cloud
            With the norms.
        """
        norms = np.einsum("ij,ij->i", points, points)
        return cls(points, norms, weights, weight_exponent)

    def blocks(self, n_clusters: int) -> Iterator[tuple[slice]]:
        """
        Cut the points into blocks, which depend on the shapes alone.

        Parameters
        ----------
        n_clusters : int
            How many centres the points meet.

        Yields
        ------
        tuple of one slice
            The rows of a block.
        """
        n, p = self.points.shape
        rows = max(256, _BLOCK // (n_clusters + p))
        for start in range(0, n, rows):
            yield (slice(start, min(start + rows, n)),)


def squared_distances(cloud: Cloud, centers: Vector, rows: slice) -> Vector:
    """
    Compute |x - c|^2 between some points and all centres.

    Parameters
    ----------
    cloud : Cloud
        The points.
    centers : ndarray of shape (K, p)
        The centres.
    rows : slice
        Which points.

    Returns
    -------
    ndarray of shape (K, rows)
        By one matrix product; where it cancels, directly.
    """
    points = cloud.points[rows]
    # Unlike the operator `@`, `dot` lets other threads run in the meantime.
    products: Vector = np.dot(centers, points.T)
    complete_squares(
        products,
        points,
        cloud.norms[rows],
        centers,
        np.einsum("ij,ij->i", centers, centers),
    )
    return products
