"""The index that an interval is for: one that is known by name, or a function."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from numbers import Real

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Vector
from concordant.catalogue.indices import INDICES
from concordant.catalogue.lookups import loaded, record_of
from concordant.compute import gathered_concordance
from concordant.errors import InputError, InputTypeError
from concordant.execution.progress import Telling, Watch, timed, visible
from concordant.execution.run import Run
from concordant.inference.interval import (
    ConfidenceInterval,
    Jackknife,
    interval_of_score,
)
from concordant.inference.leave_one_out import left_out_of_run
from concordant.measures.one_index import score
from concordant.naming import index_named
from concordant.partition.partition import Partition

#: What users pass: a name, or a function of two partitions.
IndexLike = str | Callable[[Partition, Partition], float]


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
            return self._of(units != unit, P, Q)

        left = run.engine.run(without, (), ((unit,) for unit in range(count)))
        return collected(left, count, run.progress) - self._called(P, Q)

    def interval(
        self, P: Partition, Q: Partition, level: float, run: Run
    ) -> ConfidenceInterval:
        """Return the jackknife interval."""
        found = Jackknife.of(
            self._called(P, Q),
            self.changes(P, Q, run),
            run.groups,
            index_of=lambda objects: self._of(objects, P, Q),
        )
        return found.confidence_interval(self.name, P.n_objects, level, run)

    def _of(self, objects: NDArray[np.bool_], P: Partition, Q: Partition) -> float:
        """Call the function with some objects."""
        some = np.flatnonzero(objects)
        return self._called(P.take(some), Q.take(some))

    def _called(self, P: Partition, Q: Partition) -> float:
        value = self.function(P, Q)
        if isinstance(value, bool) or not isinstance(value, Real):
            raise InputTypeError(
                f"index must return a number, and {self.name} returned "
                f"{type(value).__name__}"
            )
        if not np.isfinite(float(value)):
            raise InputError(
                f"{self.name} is {float(value)} for {P.n_objects} of the objects: "
                "intervals and tests need an index with a value for every sample and "
                "order of them"
            )
        return float(value)


#: An index of two aligned partitions, and what becomes of it on other objects.
ChosenIndex = OfPairs | OfFunction


def collected(results: Iterator[float], total: int, progress: Telling) -> Vector:
    """Collect numbers, and show how far they are if they take long."""
    found: list[float] = []
    _, seconds = timed(lambda: found.extend(islice(results, 1)), total)
    work = f"computing the index {total} times"
    with visible(progress, seconds=seconds, work=work) as tell:
        watch = Watch(tell, total)
        for value in results:
            found.append(value)
            watch.tell(len(found))
    return np.array(found)


def side_of(index: IndexLike, alternative: str) -> str:
    """Return whether the values that speak for an alternative are greater or less."""
    if isinstance(index, str):
        index = index_named("index", index)
    record, opposite = record_of(index), {"greater": "less", "less": "greater"}
    if record is not None and record.is_distance:
        return opposite.get(alternative, alternative)
    return alternative


def chosen_index(index: IndexLike) -> ChosenIndex:
    """Turn what the caller passed as `index` into an index."""
    if isinstance(index, str):
        name = index_named("index", index)
        if name in INDICES and INDICES[name].changes:
            return OfPairs(name)
        return OfFunction(name, partial(score, index=name))
    if callable(index):
        return OfFunction(getattr(index, "__name__", "index"), index)
    raise InputTypeError(
        "index must be a name that concordant.indices() lists, or a function of two "
        f"partitions, found {type(index).__name__}"
    )
