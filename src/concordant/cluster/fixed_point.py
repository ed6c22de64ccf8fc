"""Fixed-point iteration of centres, with Anderson mixing."""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist, pdist

from concordant.arrays import Vector

ONE_PLACE = 2.0**-30  # of the spread: centres this near are at one place
_AUTO = 1e-7  # of the spread or the least gap of the centres
_REACH = 1e-4  # likewise: centres this near to known ones end there
_ALIKE = 1e-3  # objectives of centres within reach agree by far better
_MEAN_ROUNDING = 2.0**-48  # of a weighted mean, with some to spare
_SUM_ROUNDING = 1e-12  # of a sum of a million terms
_FIRST = 5  # plain steps, until what follows is regular
_DEPTH = 8  # steps that one is extrapolated from
_LONGEST_PAUSE = 8
_LONGEST_STRETCH = 1024.0
_SINGULAR = 1e-8


class Sweep(NamedTuple):
    """The objective at some centres, and the centres that follow from these."""

    objective: float
    proposal: Vector


@dataclass(frozen=True)
class Descent:
    """Where an iteration ended; one that `joined` was on its way to a known place."""

    centers: Vector
    history: list[float]
    converged: bool
    joined: bool = False

    @property
    def objective(self) -> float:
        """The objective at the last centres."""
        return self.history[-1]


@dataclass(frozen=True)
class Tolerance:
    """The sum of movements that ends an iteration: a length, or relative to data."""

    spread: float
    length: float | None

    def at(self, centers: Vector) -> float:
        """Return the tolerance for centres at some places."""
        return _AUTO * self._unit(centers) if self.length is None else self.length

    def is_rest(self, before: Vector, after: Vector) -> bool:
        """Return whether a step is within the tolerance."""
        steps = np.linalg.norm(after - before, axis=1)
        if self.length is not None:
            return bool(steps.sum() < self.length)
        steps -= _MEAN_ROUNDING * (np.linalg.norm(after, axis=1) + self.spread)
        total = np.maximum(steps, 0.0).sum()
        # The first condition, which costs less, nearly always decides.
        return bool(total <= _AUTO * self.spread and total <= self.at(after))

    def is_known(
        self, centers: Vector, objective: float, runs: Sequence[Descent]
    ) -> bool:
        """Return whether centres, in any order, are next to where a run converged."""
        for run in runs:
            far = abs(objective - run.objective) > _ALIKE * run.objective
            if far or not run.converged:
                continue
            gaps = cdist(centers, run.centers)
            matched = gaps[linear_sum_assignment(gaps)]
            if matched.max() <= _REACH * self._unit(run.centers):
                return True
        return False

    def _unit(self, centers: Vector) -> float:
        """Return the spread or, if smaller, the least gap between distinct centres."""
        gaps = pdist(centers)
        apart = gaps > ONE_PLACE * self.spread
        return float(gaps.min(initial=self.spread, where=apart))


def iterate(
    sweep: Callable[[Vector], Sweep],
    start: Vector,
    tolerance: Tolerance,
    max_iter: int,
    *,
    escape: Callable[[Vector], Vector] | None = None,
    mixing: "Mixing | None" = None,
    known: Sequence[Descent] = (),
) -> Descent:
    """
    Move centres from proposal to proposal until they rest.

    The history never increases: a step that raises the objective by more than rounding
    is not taken, nor one beyond a proposal that does not lower it. `escape` returns
    where resting centres go if nothing but very near points holds them.
    """
    centers, state = start, sweep(start)
    lowest = state.objective
    history: list[float] = []
    escaping = False
    for _ in range(max_iter):
        proposal, before = state.proposal, centers
        aim = mixing.aim(centers, proposal) if mixing and not escaping else proposal
        beyond = aim is not proposal and not tolerance.is_rest(centers, proposal)
        proposed = sweep(aim if beyond else proposal)
        improved = proposed.objective < lowest
        if beyond and mixing:
            mixing.learn(improved)
        if not (beyond or escaping):
            improved = proposed.objective <= lowest * (1.0 + _SUM_ROUNDING)
        if improved:
            centers, state = aim if beyond else proposal, proposed
        lowest = min(lowest, state.objective)
        history.append(lowest)
        if beyond or not tolerance.is_rest(before, centers):
            escaping = False
            if tolerance.is_known(centers, lowest, known):
                return Descent(centers, history, converged=False, joined=True)
            continue
        if escape is not None and not escaping:
            state = state._replace(proposal=escape(centers))
            escaping = not tolerance.is_rest(centers, state.proposal)
            if escaping:
                continue
        return Descent(centers, history, converged=True)
    return Descent(centers, history, converged=False)


class Mixing:
    """
    Anderson mixing: where a linear map that explains the last steps has a fixed point.

    While steps become longer, as on the way from a saddle, it goes twice as far as the
    time before. After an aim that was no improvement, some steps are plain.
    """

    def __init__(self) -> None:
        self._steps: deque[Vector] = deque(maxlen=_DEPTH + 1)
        self._proposals: deque[Vector] = deque(maxlen=_DEPTH + 1)
        self._n_plain = _FIRST  # steps to come
        self._pause = 1
        self._stretch = 1.0

    def aim(self, centers: Vector, proposal: Vector) -> Vector:
        """Return where the last steps lead, or the proposal."""
        step = proposal - centers
        longer = bool(self._steps) and np.sum(step**2) > np.sum(self._steps[-1] ** 2)
        if longer:
            self._forget()
        self._steps.append(step)
        self._proposals.append(proposal)
        self._n_plain -= 1
        if self._n_plain >= 0:
            return proposal
        if longer:
            self._stretch = min(2.0 * self._stretch, _LONGEST_STRETCH)
            return centers + self._stretch * step
        self._stretch = 1.0
        return self._mixed() if len(self._steps) > 1 else proposal

    def learn(self, improved: bool) -> None:
        """Pause after an aim that was no improvement, longer each time."""
        if improved:
            self._pause = 1
            return
        self._forget()
        self._stretch, self._n_plain = 1.0, self._pause
        self._pause = min(2 * self._pause, _LONGEST_PAUSE)

    def _forget(self) -> None:
        self._steps.clear()
        self._proposals.clear()

    def _mixed(self) -> Vector:
        """Combine the last proposals with the weights that make the step shortest."""
        steps = np.array([step.ravel() for step in self._steps])
        proposals = np.array([proposal.ravel() for proposal in self._proposals])
        shares = np.linalg.lstsq(np.diff(steps, axis=0).T, steps[-1], rcond=_SINGULAR)
        mixed: Vector = proposals[-1] - shares[0] @ np.diff(proposals, axis=0)
        return mixed.reshape(self._proposals[-1].shape)
