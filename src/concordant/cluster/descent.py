"""Centres move until they rest."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

_ROUNDING = 1e-12  # relative, of a sum of a million terms


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
    escape: Callable[[Vector], Vector],
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
    escape : callable
        Asked when centres rest: where they go if all that holds them is that they are
        very near to points.

    Returns
    -------
    Descent
        Whose history never increases. A step that would raise the objective is not
        taken, unless by no more than rounding may: that is no reason to stop, as
        centres a square root of it apart have the same objective, and it is not
        shown.
    """
    centers, state = start, sweep(start)
    lowest = state.objective
    history: list[float] = []
    escaping = False
    for _ in range(max_iter):
        proposed = sweep(state.proposal)
        movement = 0.0
        if proposed.objective < lowest or (
            not escaping and proposed.objective <= lowest * (1.0 + _ROUNDING)
        ):
            movement = moved(centers, state.proposal)
            centers, state = state.proposal, proposed
        lowest = min(lowest, state.objective)
        history.append(lowest)
        if movement >= tol:
            escaping = False
            continue
        if not escaping:
            state = state._replace(proposal=escape(centers))
            escaping = moved(centers, state.proposal) >= tol
            if escaping:
                continue
        return Descent(centers, history, True)
    return Descent(centers, history, movement == 0.0 and not escaping)


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
