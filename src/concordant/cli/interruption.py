"""Ctrl-C is obeyed at once, whatever is being computed."""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import NoReturn

from concordant.storage.unfinished import shut

_SECONDS_TO_UNWIND = 10.0
_SECONDS_TO_WRITE = 2.0
_SECONDS_TO_END = 0.1  # for a command whose result is out

#: What a shell reports for a process that each signal ended, and what is said of it.
_ENDS = {
    signal.SIGINT: (130, "interrupted"),
    signal.SIGTERM: (143, "terminated"),
}

_asked: list[int] = []  # for signals that came
_unwinding: list[None] = []  # one for each `unwound`
_farewells: list[Callable[[], None]] = []


def obeying_signals(work: Callable[[], None]) -> None:
    """
    Run a command, which may raise SystemExit, on another thread than that of signals.

    Compiled code obeys no signal, and a signal that raises where it happens to come may
    be lost in an import or a destructor. So this thread does nothing but wait.
    """
    for number in _ENDS:
        if signal.getsignal(number) is not signal.SIG_IGN:  # as under nohup
            signal.signal(number, _note)
    errors: list[BaseException] = []
    ended = threading.Event()

    def run() -> None:
        _leave_interrupts_to_others()
        try:
            work()
        except BaseException as error:
            errors.append(error)
        ended.set()

    threading.Thread(target=run, daemon=True).start()
    while not ended.wait(0.05) and not _asked:
        pass
    if _asked:
        _wind_up(ended)
        if errors and not isinstance(errors[0], SystemExit):
            _leave()
    for number in _ENDS:
        signal.signal(number, signal.SIG_IGN)  # the result is out, or the fault told
    if errors:
        raise errors[0]


def check_not_stopped() -> None:
    """Raise KeyboardInterrupt in this thread if a signal told the command to stop."""
    if _asked:
        raise KeyboardInterrupt


def is_stopped() -> bool:
    """Tell whether a signal has come, however short a time ago."""
    if threading.current_thread() is not threading.main_thread():
        time.sleep(0.01)  # for the other thread to note it
    return bool(_asked)


def exit_code() -> int:
    """Give what the process is to report after a signal."""
    return _end()[0]


def what_happened() -> str:
    """Say what a signal did."""
    return _end()[1]


@contextmanager
def unwound() -> Iterator[None]:
    """
    Let what is within end by itself after a signal, and wait for that.

    It must tell how far it is, or look by `check_not_stopped`, now and then.
    """
    _unwinding.append(None)
    try:
        yield
    finally:
        _unwinding.pop()
    check_not_stopped()


@contextmanager
def at_the_end(farewell: Callable[[], None]) -> Iterator[None]:
    """
    Call something after what is within, and also if a signal ends the process there.

    It may be called from any thread.
    """
    _farewells.append(farewell)
    try:
        yield
    finally:
        _farewells.remove(farewell)
        farewell()


def _note(number: int, frame: FrameType | None) -> None:
    _asked.append(number)


def _end() -> tuple[int, str]:
    return _ENDS[signal.Signals(_asked[0] if _asked else signal.SIGINT)]


def _wind_up(ended: threading.Event) -> None:
    """End the process after a signal, unless the command ends by itself."""
    is_ending = bool(_unwinding)
    last = time.monotonic() + _SECONDS_TO_UNWIND
    while _unwinding and not ended.wait(0.05) and time.monotonic() < last:
        pass
    shut(_SECONDS_TO_WRITE)
    if not ended.wait(_SECONDS_TO_WRITE if is_ending else _SECONDS_TO_END):
        _leave()


def _leave() -> NoReturn:
    """End the process without waiting for threads that still compute."""
    for farewell in reversed(_farewells):
        with suppress(Exception):
            farewell()
    with suppress(OSError, ValueError, AttributeError):
        sys.stderr.write(f"concordant: {what_happened()}\n")
        sys.stderr.flush()
    os._exit(exit_code())


def _leave_interrupts_to_others() -> None:
    """Let Ctrl-C reach neither this thread nor the processes that it starts."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
