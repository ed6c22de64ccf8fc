"""Means of random draws whose range is known."""

import math
from collections.abc import Callable, Iterable

import numpy as np

from concordant.arrays import Vector
from concordant.bounded import Bounded

_SURE = math.log(4 / 6e-7)  # as sure as five standard errors of a normal distribution


def mean_of_draws(draws: Vector, reach: float) -> Bounded:
    """
    Return the mean of independent draws, no two of which are more than `reach` apart.

    The error is the empirical Bernstein bound of Maurer and Pontil (2009): beside the
    spread of what was drawn it allows for what is too rare to have been drawn.
    """
    n = len(draws)
    mean = math.fsum(draws) / n
    if n == 1:
        return Bounded(mean, reach)
    variance = math.fsum((draws - mean) ** 2) / (n - 1)
    error = math.sqrt(2.0 * _SURE * variance / n) + unseen(reach, n)
    return Bounded(mean, min(error, reach) + 2.0**-50)


def unseen(reach: float, n_draws: int) -> float:
    """Return what may be too rare to be drawn so often, the least error of a mean."""
    return 7.0 * reach * _SURE / (3.0 * (n_draws - 1))


def mean_by_draws(
    draw: Callable[[int], Iterable[Vector]],
    reach: float,
    aim: float,
    first: int,
    most: int,
) -> Bounded:
    """Return the mean of as many draws as an error takes, twice as many each time."""
    draws, size = np.empty(0), first
    while True:
        draws = np.concatenate((draws, *draw(size)))
        found = mean_of_draws(draws, reach)
        if found.error <= aim or 2 * len(draws) > most:
            return found
        size = len(draws)
