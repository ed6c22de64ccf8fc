"""Centres move until they rest."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from concordant.cluster.pace import Pace, Steady
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
    joined : bool, default=False
        Whether they were left before that, on the way to a place that is known.
    """

    centers: Vector
    history: list[float]
    converged: bool
    joined: bool = False

    @property
    def objective(self) -> float:
        """The objective at the last centres."""
        return self.history[-1]


def _unknown(centers: Vector, objective: float) -> bool:
    """Tell that no place is known."""
    return False


def descend(
    sweep: Callable[[Vector], Sweep],
    start: Vector,
    *,
    tol: Tolerance,
    max_iter: int,
    escape: Callable[[Vector], Vector],
    pace: Pace | None = None,
    known: Callable[[Vector, float], bool] = _unknown,
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
        When centres rest: when they move by no more to where the formulas put them.
    max_iter : int
        The largest number of iterations.
    escape : callable
        Asked when centres rest: where they go if all that holds them is that they are
        very near to points.
    pace : Pace, optional
        Whether centres go beyond the proposals.
    known : callable, optional
        Tells of centres and their objective whether it is known where they will rest.

    Returns
    -------
    Descent
        Whose history never increases. A step that would raise the objective is not
        taken, unless by no more than rounding may: that is no reason to stop, as
        centres a square root of it apart have the same objective, and it is not
        shown. Nor is one beyond a proposal, unless it lowers the objective.
    """
    pace = Steady() if pace is None else pace
    centers, state = start, sweep(start)
    lowest = state.objective
    history: list[float] = []
    escaping = False
    for _ in range(max_iter):
        proposal = state.proposal
        aim = proposal if escaping else pace.aim(centers, proposal)
        beyond = aim is not proposal and not tol.is_rest(centers, proposal)
        before = proposal if beyond else centers
        proposed = sweep(aim if beyond else proposal)
        if beyond and not proposed.objective < lowest:
            pace.retreat()
        elif beyond:
            centers, state = aim, proposed
        elif proposed.objective < lowest or (
            not escaping and proposed.objective <= lowest * (1.0 + _ROUNDING)
        ):
            centers, state = proposal, proposed
        lowest = min(lowest, state.objective)
        history.append(lowest)
        if beyond or not tol.is_rest(before, centers):
            escaping = False
            if known(centers, lowest):
                return Descent(centers, history, False, joined=True)
            continue
        if not escaping:
            state = state._replace(proposal=escape(centers))
            escaping = not tol.is_rest(centers, state.proposal)
            if escaping:
                continue
        return Descent(centers, history, True)
    stayed = bool((centers == before).all())
    return Descent(centers, history, stayed and not escaping)
