"""Processes that are started here leave Ctrl-C to this one."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker


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
    # It would be started with the first process, and unblock Ctrl-C for that.
    resource_tracker.ensure_running()
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
