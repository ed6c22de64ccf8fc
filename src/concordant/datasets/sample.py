"""Objects drawn from normal distributions around known centres."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Sample:
    """
    A simulated data set with the clusters that it was drawn from.

    Parameters
    ----------
    data : ndarray of shape (n, p)
        The objects.
    target : ndarray of shape (n,)
        The cluster of each object, 0 to C - 1.
    centers : ndarray of shape (C, p)
        The means of the clusters.
    variances : ndarray of shape (C, p)
        The variances of the coordinates in each cluster; they are independent.
    """

    data: NDArray[np.float64]
    target: NDArray[np.intp]
    centers: NDArray[np.float64]
    variances: NDArray[np.float64]


def draw(
    target: NDArray[np.intp],
    centers: NDArray[np.float64],
    variances: NDArray[np.float64],
    rng: np.random.Generator,
) -> Sample:
    """
    Draw each object from the normal distribution of its cluster.

    Parameters
    ----------
    target : ndarray of shape (n,)
        The cluster of each object.
    centers, variances : ndarray of shape (C, p)
        Of each cluster.
    rng : numpy.random.Generator
        Where the randomness comes from.

    Returns
    -------
    Sample
        The objects in the order of `target`.
    """
    noise = rng.standard_normal((target.size, centers.shape[1]))
    data = centers[target] + np.sqrt(variances)[target] * noise
    return Sample(data, target, centers, variances)


def in_turn(n_objects: int, n_centers: int) -> NDArray[np.intp]:
    """
    Deal objects to clusters in turn: 0, 1, ..., C - 1, 0, 1, ...

    Parameters
    ----------
    n_objects, n_centers : int
        n and C.

    Returns
    -------
    ndarray of shape (n,)
        The cluster of each object.
    """
    return np.arange(n_objects, dtype=np.intp) % n_centers


def check_size(n_centers: int, lowest: int, highest: int, n_objects: int) -> None:
    """
    Refuse a number of centres that the design does not have, or too few objects.

    Parameters
    ----------
    n_centers, lowest, highest : int
        C and its bounds.
    n_objects : int
        n, at least C.
    """
    if not lowest <= n_centers <= highest:
        raise ValueError(
            f"n_centers must be from {lowest} to {highest}, found {n_centers}"
        )
    if n_objects < n_centers:
        raise ValueError(
            f"n_objects must be at least n_centers={n_centers}, found {n_objects}"
        )
