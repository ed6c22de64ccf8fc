"""Centres move until they rest."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]


class Sweep(NamedTuple):
    """
    What one pass over the points tells about some centres.

    Parameters
    ----------
    objective : float
        Its value at these centres, with the best memberships.
    proposal : ndarray of shape (K, p)
        The centres that follow from these.
    """

    objective: float
    proposal: Vector


@dataclass(frozen=True)
class Descent:
    """
    Where centres came to rest, and how.

    Parameters
    ----------
    centers : ndarray of shape (K, p)
        The last centres.
    history : list of float
        The objective after each iteration.
    converged : bool
        Whether the last movement was below the tolerance.
    """

    centers: Vector
    history: list[float]
    converged: bool

    @property
    def objective(self) -> float:
        """The objective at the last centres."""
        return self.history[-1]


def descend(
    sweep: Callable[[Vector], Sweep],
    start: Vector,
    *,
    tol: float,
    max_iter: int,
    escape: Callable[[Vector], Vector] | None = None,
) -> Descent:
    """
    Move centres from proposal to proposal until they rest.

    Parameters
    ----------
    sweep : callable
        Gives the objective at centres, and where they go from there.
    start : ndarray of shape (K, p)
        The first centres.
    tol : float
        Centres rest when the sum of their Euclidean movements is below this.
    max_iter : int
        The largest number of iterations.
    escape : callable, optional
        Asked once centres rest: where they would go if what holds them is only that
        they are very near to points.

    Returns
    -------
    Descent
        Whose history never increases: a step that would raise the objective, which
        only rounding can make it do, is not taken.
    """
    centers, state = start, sweep(start)
    history: list[float] = []
    escaping = False
    for _ in range(max_iter):
        proposed = sweep(state.proposal)
        movement = 0.0
        if proposed.objective <= state.objective:
            movement = moved(centers, state.proposal)
            centers, state = state.proposal, proposed
        history.append(state.objective)
        if movement >= tol:
            escaping = False
            continue
        if escape is None or escaping:
            return Descent(centers, history, True)
        state = state._replace(proposal=escape(centers))
        escaping = moved(centers, state.proposal) >= tol
        if not escaping:
            return Descent(centers, history, True)
    return Descent(centers, history, movement == 0.0)


def moved(centers: Vector, others: Vector) -> float:
    """
    Sum the Euclidean movements of centres.

    Parameters
    ----------
    centers, others : ndarray of shape (K, p)
        The centres before and after.

    Returns
    -------
    float
        Not negative.
    """
    return math.fsum(np.sqrt(((others - centers) ** 2).sum(axis=1)))
