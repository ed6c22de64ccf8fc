"""Centres move until they rest."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from concordant.cluster.tolerance import Tolerance

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
    tol: Tolerance,
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
    tol : Tolerance
        When centres rest.
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
        before = centers
        if proposed.objective < lowest or (
            not escaping and proposed.objective <= lowest * (1.0 + _ROUNDING)
        ):
            centers, state = state.proposal, proposed
        lowest = min(lowest, state.objective)
        history.append(lowest)
        if not tol.is_rest(before, centers):
            escaping = False
            continue
        if not escaping:
            state = state._replace(proposal=escape(centers))
            escaping = not tol.is_rest(centers, state.proposal)
            if escaping:
                continue
        return Descent(centers, history, True)
    stayed = bool((centers == before).all())
    return Descent(centers, history, stayed and not escaping)
