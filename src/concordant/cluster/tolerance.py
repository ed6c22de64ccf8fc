"""Which movement of centres is rest."""

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import pdist

from concordant.cluster.scale import Scale

Vector = NDArray[np.float64]


class Tolerance(Protocol):
    """The sum of movements below which centres rest."""

    def at(self, centers: Vector) -> float:
        """Give it for centres at some places."""

    def is_rest(self, before: Vector, after: Vector) -> bool:
        """Tell whether centres that moved so rest."""


@dataclass(frozen=True)
class FixedTolerance:
    """
    A length, wherever centres are.

    Parameters
    ----------
    length : float
        Not negative; 0 means never to rest.
    """

    length: float

    def at(self, centers: Vector) -> float:
        """Give the length."""
        return self.length

    def is_rest(self, before: Vector, after: Vector) -> bool:
        """Tell whether the sum of movements is below the length."""
        return math.fsum(movements(before, after)) < self.length


@dataclass(frozen=True)
class RelativeTolerance:
    """
    A share of the data's spread or, if smaller, of the least gap between centres.

    Memberships go by the gaps: where a far group of points makes the spread large, the
    centres of the others have to come to rest among these. And centres that approach
    one another do not rest half-way.

    Parameters
    ----------
    scale : Scale
        That of the data.
    share : float, default=1e-7
        Which share.
    """

    scale: Scale
    share: float = 1e-7

    def at(self, centers: Vector) -> float:
        """Give it by the gaps of centres that are not at one place."""
        gaps = pdist(centers)
        apart = gaps > self.scale.one_place(centers)
        return self.share * float(gaps.min(initial=self.scale.spread, where=apart))

    def is_rest(self, before: Vector, after: Vector) -> bool:
        """Tell whether movements, what rounding explains left out, are within it."""
        steps = movements(before, after) - self.scale.rounding(after)
        total = math.fsum(np.maximum(steps, 0.0))
        # The first condition, which costs less, nearly always decides.
        return total <= self.share * self.scale.spread and total <= self.at(after)


def movements(before: Vector, after: Vector) -> Vector:
    """Give the Euclidean distance that each of K centres moved."""
    lengths: Vector = np.sqrt(((after - before) ** 2).sum(axis=1))
    return lengths
