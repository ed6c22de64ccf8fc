"""The index that an interval is for: one that is known by name, or a function."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from numbers import Real

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue import INDICES, loaded
from concordant.execution.progress import Progress, Watch, visible
from concordant.execution.run import Run
from concordant.gather import gathered_concordance
from concordant.influence.interval import (
    ConfidenceInterval,
    interval_of_score,
    jackknife_interval,
)
from concordant.influence.leave_one_out import left_out_of_run
from concordant.influence.sums_by_sorts import mean_dissimilarities
from concordant.measures.comparing import named_index
from concordant.partition.partition import Partition

Vector = NDArray[np.float64]
Positions = NDArray[np.intp]
#: What users pass: a name, or a function of two partitions.
IndexLike = str | Callable[[Partition, Partition], float]

_LONG_SECONDS = 2.0  # of work that shows a bar


@dataclass(frozen=True)
class OfPairs:
    """NDC or ACI, whose pairs are known one by one."""

    name: str

    def value(self, P: Partition, Q: Partition, run: Run) -> float:
        """Compute the index of two aligned partitions."""
        return self._value(P, Q, run)[0]

    def _value(self, P: Partition, Q: Partition, run: Run) -> tuple[float, float]:
        """Return the index, and its error if pairs are sampled."""
        found = gathered_concordance(P, Q, run)
        value, error = found.ndc, found.ndc_error
        if self.name == "aci":
            value, error = found.aci, found.error
        return value, error if found.method == "sampled" else 0.0

    def changes(self, P: Partition, Q: Partition, run: Run) -> Vector:
        """Return by how much it changes if an object, or a group, is left out."""
        changes: Vector = loaded(INDICES[self.name].changes)(left_out_of_run(P, Q, run))
        return changes

    def interval(
        self, P: Partition, Q: Partition, level: float, run: Run
    ) -> ConfidenceInterval:
        """Return the jackknife interval."""
        value, error = self._value(P, Q, run)
        left = left_out_of_run(P, Q, run)
        return interval_of_score(self.name, value, left, level, error)

    def resampled(self, P: Partition, Q: Partition, positions: Positions) -> float:
        """
        Compute the index over the pairs of different objects among those drawn.

        Two copies of one object are no pair. As they are 0 apart in P and in Q, it is
        known what they add to the means over all pairs, and that is taken away.
        """
        p, q = P.take(positions), Q.take(positions)
        n = len(positions)
        m = n * (n - 1) // 2
        times = np.bincount(positions)
        copies = int((times * (times - 1) // 2).sum())
        if copies == m:
            return 1.0  # there is no pair to disagree on
        found = gathered_concordance(p, q, Run())
        left = m / (m - copies)
        d = found.discordance * left
        if self.name == "ndc":
            return max(0.0, 1.0 - d)
        apart = float(sum(mean_dissimilarities(X, "l1").mean() for X in (p, q)))
        expected = found.expected_discordance - (copies / m) * apart
        expected *= left**2
        return 1.0 - d / expected if expected > 0.0 else 1.0


@dataclass(frozen=True)
class OfFunction:
    """An index of which nothing is known but how to compute it."""

    name: str
    function: Callable[[Partition, Partition], float]

    def value(self, P: Partition, Q: Partition, run: Run) -> float:
        """Call the function."""
        return self._called(P, Q)

    def changes(self, P: Partition, Q: Partition, run: Run) -> Vector:
        """Call the function once for every object, or group, that is left out."""
        units = np.arange(P.n_objects) if run.groups is None else run.groups
        count = int(units.max()) + 1

        def without(unit: int) -> float:
            others = np.flatnonzero(units != unit)
            return self._called(P.take(others), Q.take(others))

        left = run.engine.run(without, (), ((unit,) for unit in range(count)))
        return collected(left, count, run.progress) - self._called(P, Q)

    def interval(
        self, P: Partition, Q: Partition, level: float, run: Run
    ) -> ConfidenceInterval:
        """Return the jackknife interval."""
        value, changes = self._called(P, Q), self.changes(P, Q, run)
        sizes = None if run.groups is None else np.bincount(run.groups)
        return jackknife_interval(self.name, value, changes, level, P.n_objects, sizes)

    def resampled(self, P: Partition, Q: Partition, positions: Positions) -> float:
        """Call the function with all that was drawn, copies as objects that agree."""
        return self._called(P.take(positions), Q.take(positions))

    def _called(self, P: Partition, Q: Partition) -> float:
        value = self.function(P, Q)
        if isinstance(value, bool) or not isinstance(value, Real):
            raise TypeError(
                f"index must return a number, and {self.name} returned "
                f"{type(value).__name__}"
            )
        if not np.isfinite(float(value)):
            raise ValueError(
                f"{self.name} is {float(value)} for {P.n_objects} of the objects: "
                "intervals and tests need an index with a value for every sample and "
                "order of them"
            )
        return float(value)


#: An index of two aligned partitions, and what becomes of it on other objects.
ChosenIndex = OfPairs | OfFunction


def collected(
    results: Iterator[float], total: int, progress: Progress | None
) -> Vector:
    """Collect numbers, and show how far they are if they take long."""
    started = time.monotonic()
    found = np.empty(total)
    found[0] = next(results)
    long = total * (time.monotonic() - started) > _LONG_SECONDS
    with visible(progress, long=long) as tell:
        watch = Watch(tell, total)
        for number, value in enumerate(results, start=1):
            found[number] = value
            watch.tell(number + 1)
    return found


def chosen_index(index: IndexLike) -> ChosenIndex:
    """Turn what the caller passed as `index` into an index."""
    if isinstance(index, str):
        if index in INDICES and INDICES[index].changes:
            return OfPairs(index)
        return OfFunction(index, named_index(index))
    if callable(index):
        return OfFunction(getattr(index, "__name__", "index"), index)
    raise TypeError(
        "index must be a name that concordant.indices() lists, or a function of two "
        f"partitions, found {type(index).__name__}"
    )
