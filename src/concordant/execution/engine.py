"""Where tasks run: here, on threads over kernels that release the GIL."""

import math
import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, Protocol, TypeVar

from concordant.errors import Argument, InputError, InputTypeError

#: What one call of a function is given of its own.
Task = tuple[Any, ...]
R = TypeVar("R")


class Engine(Protocol):
    """Runs tasks and returns their results in the order of the tasks."""

    def run(
        self,
        function: Callable[..., R],
        data: Sequence[Any],
        tasks: Iterable[Task],
    ) -> Iterator[R]:
        """Yield ``function(*data, *task)`` for every task, in order."""

    def task_seconds(self) -> float | None:
        """Return how long a task should take; None: it may be short."""


class Threads:
    """
    Run tasks on local threads.

    Tasks should take well under a second: Ctrl-C is obeyed when those under way end,
    and those that wait are not started.
    """

    def __init__(self, n_jobs: int | None = None) -> None:
        self.n_threads = effective_n_jobs(n_jobs)

    def run(
        self,
        function: Callable[..., R],
        data: Sequence[Any],
        tasks: Iterable[Task],
    ) -> Iterator[R]:
        """Yield results in the order of the tasks, whatever the number of threads."""
        if self.n_threads == 1:
            for task in tasks:
                yield function(*data, *task)
            return
        with ThreadPoolExecutor(self.n_threads) as pool:
            waiting: deque[Future[R]] = deque()
            try:
                for task in tasks:
                    waiting.append(pool.submit(function, *data, *task))
                    # No thread waits for the next task, and few results wait for their
                    # turn: some are large.
                    if len(waiting) > self.n_threads + self.n_threads // 4:
                        yield waiting.popleft().result()
                while waiting:
                    yield waiting.popleft().result()
            finally:
                for future in waiting:
                    future.cancel()

    def task_seconds(self) -> None:
        """Return None: tasks may be short, as all of them share the same memory."""


def chosen_engine(engine: object, n_jobs: int | None) -> Engine:
    """Return the workers of a client, an engine itself, or threads if it is None."""
    if engine is None:
        return Threads(n_jobs)
    if n_jobs is not None:
        raise InputError(
            Argument("n_jobs"),
            " is for threads of this machine, and engine= runs elsewhere; leave out "
            "one of them",
        )
    if _is_of_dask(engine):
        from concordant.execution.dask_workers import DaskEngine

        return DaskEngine(engine)
    if hasattr(engine, "run") and hasattr(engine, "task_seconds"):
        return engine
    raise TypeError(
        f"engine must be a dask.distributed.Client, found {type(engine).__name__}"
    )


def _is_of_dask(engine: object) -> bool:
    """Return whether an engine is a client, or one derived from it, of Dask."""
    modules = (kind.__module__.partition(".")[0] for kind in type(engine).__mro__)
    return "distributed" in modules


def effective_n_jobs(n_jobs: int | None) -> int:
    """Return the number of threads that scikit-learn's `n_jobs` stands for."""
    if n_jobs is None:
        joblib = sys.modules.get("joblib")
        return 1 if joblib is None else int(joblib.effective_n_jobs(None))
    if isinstance(n_jobs, bool) or not hasattr(n_jobs, "__index__"):
        raise InputTypeError(
            Argument("n_jobs"), f" must be an integer or None, found {n_jobs!r}"
        )
    if n_jobs == 0:
        raise InputError(
            Argument("n_jobs"), " must not be 0; use 1, or -1 for all cores"
        )
    if n_jobs < 0:
        return max(1, available_cores() + 1 + n_jobs)
    return int(n_jobs)


def available_cores() -> int:
    """Count the cores that the affinity mask and the control group allow."""
    if hasattr(os, "sched_getaffinity"):
        cores = len(os.sched_getaffinity(0))
    else:
        cores = os.cpu_count() or 1
    return max(1, min(cores, _cgroup_cores(Path("/sys/fs/cgroup"), cores)))


def _cgroup_cores(root: Path, otherwise: int) -> int:
    """Read the CPU quota of control groups, version 2 or 1."""
    try:
        if (root / "cpu.max").exists():
            quota, period = (root / "cpu.max").read_text().split()
        else:
            quota = (root / "cpu/cpu.cfs_quota_us").read_text().strip()
            period = (root / "cpu/cpu.cfs_period_us").read_text().strip()
        if quota in ("max", "-1"):
            return otherwise
        return math.ceil(int(quota) / int(period))
    except (OSError, ValueError):
        return otherwise
