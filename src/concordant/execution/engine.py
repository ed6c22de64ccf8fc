"""Where tasks run: on threads of this process, or in processes that it starts."""

import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from numbers import Integral
from typing import Any, Protocol, TypeVar

from concordant.errors import Argument, InputError, InputTypeError
from concordant.wording import count, first_line

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
                    with _starting(self.n_threads):
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


def use_of_all_cores(engine: Engine) -> str:
    """Advise to use all cores, where work is done on one."""
    is_alone = isinstance(engine, Threads) and engine.n_threads == 1
    return ", and n_jobs=-1 uses all cores" if is_alone else ""


@contextmanager
def _starting(n_threads: int) -> Iterator[None]:
    """Say that the system does not start so many threads."""
    try:
        yield
    except RuntimeError as error:
        raise InputError(
            f"{count(n_threads, 'thread')} cannot be started ({first_line(error)}); "
            "set ",
            Argument("n_jobs"),
            " to fewer",
        ) from error


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
    if hasattr(engine, "run") and hasattr(engine, "task_seconds"):
        return engine
    if "distributed" in sys.modules:  # else it is no client
        from concordant.execution.dask_workers import DaskEngine

        return DaskEngine(engine)
    raise InputTypeError(
        f"engine must be a dask.distributed.Client, found {type(engine).__name__}"
    )


def effective_n_jobs(n_jobs: int | None) -> int:
    """Return the number of threads that scikit-learn's `n_jobs` stands for."""
    if n_jobs is None:
        loaded = sys.modules.get("joblib")
        return 1 if loaded is None else int(loaded.effective_n_jobs(None))
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, Integral):
        raise InputTypeError(
            Argument("n_jobs"), f" must be an integer or None, found {n_jobs!r}"
        )
    if n_jobs == 0:
        raise InputError(
            Argument("n_jobs"), " must not be 0; use 1, or -1 for all cores"
        )
    if n_jobs < 0:
        import joblib  # which counts what affinity and control groups allow

        return max(1, int(joblib.cpu_count()) + 1 + n_jobs)
    return int(n_jobs)


@contextmanager
def deaf_children() -> Iterator[None]:
    """
    Start processes, and threads that start some, which ignore Ctrl-C.

    A terminal sends it to all of them, also to those that are not yet ready to ignore
    it and would print a traceback.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, set())
    from multiprocessing import resource_tracker

    # It would be started with the first process, and unblock Ctrl-C for that.
    resource_tracker.ensure_running()
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
