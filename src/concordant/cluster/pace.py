"""How far centres go: to where the formulas put them, or beyond."""

from collections import deque
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

_FIRST = 5  # steps as the formulas have them, until what follows is regular
_DEPTH = 8  # steps that one is extrapolated from
_LONGEST_PAUSE = 8
_LONGEST_STRETCH = 1024.0
_SINGULAR = 1e-8  # relative


class Pace(Protocol):
    """Says where centres are to go next."""

    def aim(self, centers: Vector, proposal: Vector) -> Vector:
        """Give the place for centres that the formulas put at `proposal`."""

    def retreat(self) -> None:
        """Learn that the last aim was no improvement, and was not taken."""


class Steady:
    """Goes to where the formulas put centres, and no farther."""

    def aim(self, centers: Vector, proposal: Vector) -> Vector:
        """Give the proposal."""
        return proposal

    def retreat(self) -> None:
        """Learn nothing: there is no other way."""


class Extrapolation:
    """
    Goes on to where the last steps seem to lead.

    While steps become shorter it is the place at which a linear map that explains the
    last ones has its fixed point (Anderson's mixing); while they become longer, as on
    the way from a saddle, twice as far as the time before. After an aim that was no
    improvement some steps are as the formulas have them.
    """

    def __init__(self) -> None:
        self._steps: deque[Vector] = deque(maxlen=_DEPTH + 1)
        self._proposals: deque[Vector] = deque(maxlen=_DEPTH + 1)
        self._asked = 0
        self._stretch = 1.0
        self._pause = 0
        self._next_pause = 1
        self._beyond = False  # whether the last aim was

    def aim(self, centers: Vector, proposal: Vector) -> Vector:
        """Give the place that the last steps lead to, or the proposal."""
        if self._beyond:  # and was an improvement
            self._next_pause = 1
        aim = self._aim(centers, proposal)
        self._beyond = aim is not proposal
        return aim

    def retreat(self) -> None:
        """Forget the steps, and pause, longer each time."""
        self._beyond = False
        self._stretch = 1.0
        self._forget()
        self._pause = self._next_pause
        self._next_pause = min(2 * self._next_pause, _LONGEST_PAUSE)

    def _aim(self, centers: Vector, proposal: Vector) -> Vector:
        step = proposal - centers
        longer = bool(self._steps) and np.sum(step**2) > np.sum(self._steps[-1] ** 2)
        if longer:
            self._forget()
        self._steps.append(step)
        self._proposals.append(proposal)
        self._asked += 1
        if self._asked <= _FIRST:
            return proposal
        if longer:
            self._stretch = min(2.0 * self._stretch, _LONGEST_STRETCH)
            return centers + self._stretch * step
        self._stretch = 1.0
        if self._pause > 0:
            self._pause -= 1
            return proposal
        return self._mixed() if len(self._steps) > 1 else proposal

    def _forget(self) -> None:
        self._steps.clear()
        self._proposals.clear()

    def _mixed(self) -> Vector:
        """Combine the last proposals as makes the same of their steps the shortest."""
        steps = np.array([step.ravel() for step in self._steps])
        proposals = np.array([proposal.ravel() for proposal in self._proposals])
        shares = np.linalg.lstsq(np.diff(steps, axis=0).T, steps[-1], rcond=_SINGULAR)
        mixed: Vector = proposals[-1] - shares[0] @ np.diff(proposals, axis=0)
        return mixed.reshape(self._proposals[-1].shape)
