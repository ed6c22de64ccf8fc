"""Coordinates in which squared distances neither cancel nor overflow."""

import math
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from concordant.cluster.weighted_median import weighted_median

Vector = NDArray[np.float64]

_MANY = 1000
_ABREAST = 64


@dataclass(frozen=True)
class Coordinates:
    """
    A shift between two scalings by powers of two, which change no digit.

    Parameters
    ----------
    before, after : float
        What data are multiplied with before and after the shift.
    origin : ndarray of shape (p,)
        What is subtracted in between.
    """

    before: float
    origin: Vector
    after: float

    @classmethod
    def around(cls, origin: Vector, *arrays: Vector) -> Self:
        """
        Choose coordinates about a point.

        Parameters
        ----------
        origin : ndarray of shape (p,)
            What becomes 0.
        *arrays : ndarrays of shape (n, p)
            What comes to lie between -1 and 1.

        Returns
        -------
        Coordinates
            Differences are near 1 in these, so that their squares are too.
        """
        low = np.min([_by_column(np.minimum, array) for array in arrays], axis=0)
        high = np.max([_by_column(np.maximum, array) for array in arrays], axis=0)
        before = _to_about_one(np.abs([low, high, origin]))
        shift = origin * before
        return cls(
            before,
            shift,
            _to_about_one(np.abs([low * before - shift, high * before - shift])),
        )

    @property
    def exponent(self) -> int:
        """The length of 1 in these coordinates is 2 to this power in the data's own."""
        return 2 - math.frexp(self.before)[1] - math.frexp(self.after)[1]

    def enter(self, X: Vector) -> Vector:
        """
        Express points in these coordinates.

        Parameters
        ----------
        X : ndarray of shape (n, p)
            Points in the data's own coordinates.

        Returns
        -------
        ndarray of shape (n, p)
            A new C-contiguous array.
        """
        inside = np.multiply(X, self.before, order="C")
        inside -= self.origin
        inside *= self.after
        return inside

    def leave(self, inside: Vector) -> Vector:
        """
        Express points in the data's own coordinates.

        Parameters
        ----------
        inside : ndarray of shape (n, p)
            Points in these coordinates.

        Returns
        -------
        ndarray of shape (n, p)
            A new array.
        """
        return (inside / self.after + self.origin) / self.before


def midst(X: Vector, weights: Vector) -> Vector:
    """
    Give the columns' medians, of some points if there are many.

    Next to a point in the midst of the others these keep all their digits however far
    some are, which next to the mean they do not.
    """
    weighted = np.flatnonzero(weights)
    some = weighted[:: -(-len(weighted) // _MANY)]
    return np.array([weighted_median(column, weights[some]) for column in X[some].T])


def mean(X: Vector) -> Vector:
    """Give the columns' means, whose sums do not overflow."""
    scale = _to_about_one(np.abs(X))
    means: Vector = (X * scale).mean(axis=0) / scale
    return means


def _by_column(function: np.ufunc, array: Vector) -> Vector:
    """Reduce each column; many rows abreast take a seventh of the time."""
    whole = len(array) // _ABREAST * _ABREAST
    abreast = array[:whole].reshape(-1, _ABREAST * array.shape[1])
    parts = [*array[whole:]]
    if whole:
        parts += [*function.reduce(abreast, axis=0).reshape(_ABREAST, -1)]
    reduced: Vector = function.reduce(parts, axis=0)
    return reduced


def _to_about_one(sizes: Vector) -> float:
    """Give the power of two that brings the largest size to between 1/2 and 1."""
    exponent = int(np.frexp(sizes.max())[1])
    return float(np.ldexp(1.0, -min(max(exponent, -1000), 1000)))
