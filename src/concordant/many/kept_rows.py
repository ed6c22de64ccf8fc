"""Rows of numbers, computed one after the other, which a file keeps."""

from collections.abc import Callable, Iterable

import numpy as np

from concordant.arrays import Matrix
from concordant.execution.checkpoint import Job
from concordant.execution.progress import Watch
from concordant.storage.archive import Archive, checked


def kept_rows(
    job: Job,
    shape: tuple[int, int],
    others: Callable[[int], Iterable[Matrix]],
    watch: Watch,
) -> Matrix:
    """Return all rows: those that a file kept, and the `others` after so many."""
    rows = np.empty(shape)
    done = 0
    if job.kept is not None:
        with job.resuming():
            known = checked(job.kept.arrays["rows"], np.float64, None, shape[1])
            rows[: len(known)] = known
            done = len(known)

    def state() -> Archive:
        return Archive({}, {"rows": rows[:done]})

    with job.keeping(state):
        for more in others(done):
            rows[done : done + len(more)] = more
            done += len(more)
            job.offer(state)
            watch.tell(done)
    return rows
