"""Ctrl-C is obeyed at once, whatever is being computed."""

import os
import signal
import sys
import threading
from collections.abc import Callable
from typing import NoReturn, TypeVar

from concordant.cli.progress import Tell

R = TypeVar("R")

_SECONDS_TO_KEEP = 10.0

#: What a shell reports for a process that Ctrl-C ended.
INTERRUPTED = 130


class Stoppable:
    """
    Tell how far work has come, until it is to stop: then the telling ends it.

    Parameters
    ----------
    tell : callable
        Whom to tell.
    """

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._stopped = threading.Event()

    def __call__(self, share: float, what: str) -> None:
        """Pass on how far it has come."""
        if self._stopped.is_set():
            raise KeyboardInterrupt
        self._tell(share, what)

    def stop(self) -> None:
        """End the work the next time that it tells."""
        self._stopped.set()


def interruptible(work: Callable[[], R], watch: Stoppable | None = None) -> R:
    """
    Do work on another thread, so that this one is free for Ctrl-C.

    Parameters
    ----------
    work : callable
        What may take long inside compiled code, where Python obeys no signal.
    watch : Stoppable, optional
        Told by work that keeps what it has done when it is stopped, and gets some
        seconds for that.

    Returns
    -------
    object
        What it returns.

    Raises
    ------
    KeyboardInterrupt
        At Ctrl-C; the work goes on until `leave` ends the process.
    """
    results: list[R] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:
            errors.append(error)
        ended.set()

    # Not by joining the thread: CPython takes it for ended if Ctrl-C ends the join.
    ended = threading.Event()
    threading.Thread(target=run, daemon=True).start()
    try:
        while not ended.wait(0.1):  # a wait without end hears no Ctrl-C on Windows
            pass
    except KeyboardInterrupt:
        if watch is not None:
            watch.stop()
            ended.wait(_SECONDS_TO_KEEP)
        raise
    if errors:
        raise errors[0]
    return results[0]


def leave() -> NoReturn:
    """End the process after Ctrl-C, without waiting for threads that still compute."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.stderr.write("concordant: interrupted\n")
    sys.stderr.flush()
    os._exit(INTERRUPTED)
