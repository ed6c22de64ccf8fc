"""Ctrl-C is obeyed at once, whatever is being computed."""

import os
import signal
import sys
import threading
from collections.abc import Callable
from typing import NoReturn, TypeVar

R = TypeVar("R")

#: What a shell reports for a process that Ctrl-C ended.
INTERRUPTED = 130


def interruptible(work: Callable[[], R]) -> R:
    """
    Do work on another thread, so that this one is free for Ctrl-C.

    Parameters
    ----------
    work : callable
        What may take long inside compiled code, where Python obeys no signal.

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

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(0.1)  # a wait without end hears no Ctrl-C on Windows
    if errors:
        raise errors[0]
    return results[0]


def leave() -> NoReturn:
    """End the process after Ctrl-C, without waiting for threads that still compute."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.stderr.write("concordant: interrupted\n")
    sys.stderr.flush()
    os._exit(INTERRUPTED)
