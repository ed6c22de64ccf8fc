"""Places where centres came to rest, so that others need not go there too."""

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist

from concordant.cluster.descent import Descent
from concordant.cluster.scale import Scale
from concordant.cluster.tolerance import RelativeTolerance

Vector = NDArray[np.float64]

_REACH = 1e-4  # of the spread of the data or the least gap of the centres
_ALIKE = 1e-3  # objectives of centres within reach agree by far better


class KnownRests:
    """
    Tells centres that are next to where earlier ones came to rest.

    Parameters
    ----------
    scale : Scale
        That of the data.
    """

    def __init__(self, scale: Scale) -> None:
        self._near = RelativeTolerance(scale, _REACH)
        self._rests: list[Descent] = []

    def add(self, run: Descent) -> None:
        """Note where centres are, if they rest there."""
        if run.converged:
            self._rests.append(run)

    def include(self, centers: Vector, objective: float) -> bool:
        """Tell whether centres, in any order, are next to some that rest."""
        return any(
            abs(objective - rest.objective) <= _ALIKE * rest.objective
            and self._is_next_to(centers, rest.centers)
            for rest in self._rests
        )

    def _is_next_to(self, centers: Vector, rest: Vector) -> bool:
        distances = cdist(centers, rest)
        matched = distances[linear_sum_assignment(distances)]
        return bool(matched.max() <= self._near.at(rest))
