"""Tasks in several processes that end with the one that started them."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from multiprocessing.connection import Connection
from typing import TypeVar

from threadpoolctl import threadpool_limits

from concordant.execution.engine import deaf_children

T = TypeVar("T")
R = TypeVar("R")

_INTERVAL = 0.2  # seconds between two looks whether to go on


def run_tasks(
    function: Callable[[T], R],
    tasks: Sequence[T],
    n_jobs: int,
    on_wait: Callable[[], None] = lambda: None,
) -> Generator[tuple[T, R], None, None]:
    """
    Call a function of a module with every task, and yield each with its result.

    Every process uses one thread, so that results do not depend on `n_jobs`. Closing
    the iterator early (Ctrl-C) or dying ends the other processes at once: each listens
    on a pipe whose other end only this process holds. `on_wait` is called some times
    per second while other processes work; what it raises ends them.
    """
    n_jobs = min(n_jobs, len(tasks))
    if n_jobs <= 1:
        with threadpool_limits(1):
            for task in tasks:
                yield task, function(task)
        return
    context = multiprocessing.get_context("spawn")
    listener, lifeline = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(n_jobs, context, _prepare, (listener,))
    try:
        with deaf_children():
            waiting = {pool.submit(function, task): task for task in tasks}
        while waiting:
            finished, _ = wait(waiting, _INTERVAL, FIRST_COMPLETED)
            for done in finished:
                yield waiting.pop(done), done.result()
            on_wait()
    except BaseException:
        lifeline.close()
        raise
    finally:
        pool.shutdown(cancel_futures=True)
        lifeline.close()
        listener.close()


def _prepare(listener: Connection) -> None:
    """Leave Ctrl-C to the process that started this one, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, args=(listener,), daemon=True).start()
    threadpool_limits(1)


def _end_with_parent(listener: Connection) -> None:
    listener.poll(None)
    os._exit(1)
