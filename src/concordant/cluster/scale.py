"""How far data spread, and what rounding does to centres."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from concordant.cluster.cloud import Cloud
from concordant.cluster.weighted_median import weighted_median

Vector = NDArray[np.float64]

_ROUNDING = 2.0**-48  # of a weighted mean, with some to spare
_TOUCHING = 2.0**-40
_ONE_PLACE = 2.0**-30


@dataclass(frozen=True)
class Scale:
    """
    Lengths by which to judge whether centres move, and whether they coincide.

    Parameters
    ----------
    cloud : Cloud
        The points about a point in their midst; those of no weight do not count.
    """

    cloud: Cloud

    @cached_property
    def spread(self) -> float:
        """
        The median distance of points from the one in their midst.

        Points right there are left out, so that it is 0 only if all points are equal.
        Unlike a standard deviation it does not grow with a few points far away.
        """
        apart = (self.cloud.weights > 0.0) & (self.cloud.norms > 0.0)
        if not apart.any():
            return 0.0
        median = weighted_median(self.cloud.norms[apart], self.cloud.weights[apart])
        return math.sqrt(median)

    @property
    def touching(self) -> float:
        """Up to which distance rounding decides whether a point is on a centre."""
        return _TOUCHING * self.spread

    def rounding(self, centers: Vector) -> Vector:
        """Bound what rounding may move each of K centres by."""
        lengths: Vector = np.linalg.norm(centers, axis=1)
        return _ROUNDING * (lengths + self.spread)

    def one_place(self, centers: Vector) -> Vector:
        """Give the gap up to which each two centres are at one place, as `pdist`."""
        rounding = self.rounding(centers)
        one, other = np.triu_indices(len(centers), 1)
        return np.maximum(_ONE_PLACE * self.spread, rounding[one] + rounding[other])
