"""Points drawn by k-means++, the same whatever order they are in."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from concordant.cluster.cloud import Cloud
from concordant.execution.engine import Engine
from concordant.kernels.soft_clusters import note_center

Vector = NDArray[np.float64]

_BINS = 1024
_FEW = 4096  # points that are sorted rather than put into bins


class FarPoints:
    """
    Draws points far from one another.

    A number between 0 and the sum of all masses, that is of weights times squared
    distances to the nearest point drawn before, falls to a point when masses are
    summed in the lexicographic order of the points. Which one depends neither on their
    own order nor on whether they are weighted or repeated. They are not sorted: it is
    enough to know the mass of each of some bins along the first column, and to look
    closer at the one that the number falls to.

    Parameters
    ----------
    cloud : Cloud
        Points with weights.
    engine : Engine
        Where blocks are run.
    """

    def __init__(self, cloud: Cloud, engine: Engine) -> None:
        self._cloud = cloud
        self._engine = engine
        self._bins = np.empty(len(cloud.points), dtype=np.uint16)
        farthest = math.sqrt(cloud.norms.max())
        arrays = (cloud, -farthest, farthest, self._bins)
        self._first_masses = self._summed(_first_masses, arrays)

    def draw(self, count: int, random: np.random.RandomState) -> Vector | None:
        """
        Draw some points, each with a chance in proportion to its mass.

        Parameters
        ----------
        count : int
            How many.
        random : numpy.random.RandomState
            Where chance comes from: as many numbers as points.

        Returns
        -------
        ndarray of shape (count, p) or None
            Different points; None if squares of distances all round to 0 before there
            are so many.
        """
        points, weights = self._cloud.points, self._cloud.weights
        drawn = np.empty((count, points.shape[1]))
        nearest = np.full(len(points), np.inf)
        masses = self._first_masses
        # The best of several trials would be a tie, for rounding to break, wherever
        # two near points are tried that are the nearest to no others.
        for number, share in enumerate(random.random_sample(count)):
            if number > 0:
                masses = self._noted(drawn[number - 1], nearest)
            if not masses.any():
                return None
            chosen, rest = _fall(masses, share * masses.sum())
            rows = np.flatnonzero(self._bins == chosen)
            shares = weights[rows] * nearest[rows] if number > 0 else weights[rows]
            drawn[number] = points[rows[_choose(points[rows], shares, rest)]]
        return drawn

    def _noted(self, center: Vector, nearest: Vector) -> Vector:
        """Lower squares to those to a point just drawn; give the masses of bins."""
        return self._summed(_masses, (self._cloud, center, self._bins, nearest))

    def _summed(
        self, function: Callable[..., Vector], arrays: tuple[object, ...]
    ) -> Vector:
        parts = list(self._engine.run(function, arrays, self._cloud.blocks(1)))
        masses: Vector = np.sum(parts, axis=0)
        return masses


def _first_masses(
    cloud: Cloud, low: float, high: float, bins: NDArray[np.uint16], rows: slice
) -> Vector:
    """Put a block's points into bins by their first column; give the weights there."""
    bins[rows] = _bins(cloud.points[rows, 0], low, high)
    return _mass_by_bin(bins[rows], cloud.weights[rows])


def _masses(
    cloud: Cloud,
    center: Vector,
    bins: NDArray[np.uint16],
    nearest: Vector,
    rows: slice,
) -> Vector:
    masses = np.zeros(_BINS)
    note_center(
        cloud.points[rows],
        cloud.weights[rows],
        center,
        bins[rows],
        nearest[rows],
        masses,
    )
    return masses


def _choose(points: Vector, masses: Vector, number: float) -> int:
    """Give the point to which a number falls in lexicographic order."""
    among = np.arange(len(points))
    column = 0
    while len(among) > _FEW and column < points.shape[1]:
        values = points[among, column]
        low, high = values.min(), values.max()
        if low == high:
            column += 1
            continue
        bins = _bins(values, low, high)
        chosen, number = _fall(_mass_by_bin(bins, masses[among]), number)
        among = among[bins == chosen]
    among = among[np.lexsort(points[among].T[::-1])]
    return int(among[_fall(masses[among], number)[0]])


def _bins(values: Vector, low: float, high: float) -> NDArray[np.intp]:
    """Give the numbers of bins of equal width; a larger value is in no lower one."""
    if low == high:
        return np.zeros(len(values), dtype=np.intp)
    bins = ((values - low) / (high - low) * (_BINS - 1)).astype(np.intp)
    return bins.clip(0, _BINS - 1)  # bounds may be rounded


def _mass_by_bin(bins: NDArray[np.integer], masses: Vector) -> Vector:
    return np.asarray(np.bincount(bins, masses, _BINS), dtype=np.float64)


def _fall(masses: Vector, number: float) -> tuple[int, float]:
    """Give the place where summed masses exceed a number, and what is left of it."""
    sums = np.cumsum(masses)
    place = int(np.searchsorted(sums, number, side="right"))
    if place == len(sums):  # by rounding
        place = int(np.flatnonzero(masses)[-1])
    return place, number - float(sums[place - 1]) if place > 0 else number
