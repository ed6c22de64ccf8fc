"""Ctrl-C and SIGTERM end a command by KeyboardInterrupt."""

import atexit
import os
import signal
from types import FrameType

#: What a shell reports for a process that each signal ended, and what is said of it.
_ENDS = {
    signal.SIGINT: (130, "interrupted"),
    signal.SIGTERM: (143, "terminated"),
}

_received: list[int] = []


def obey_signals() -> None:
    """Raise KeyboardInterrupt at each signal that is not ignored, as under nohup."""
    atexit.register(_leave)
    for number in _ENDS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _receive)


def ignore_signals() -> None:
    """Let the process end by itself."""
    for number in _ENDS:
        signal.signal(number, signal.SIG_IGN)


def is_stopped() -> bool:
    """Return whether a signal has come."""
    return bool(_received)


def check_not_stopped() -> None:
    """Raise KeyboardInterrupt again, in case that a callback or import swallowed it."""
    if _received:
        raise KeyboardInterrupt


def end() -> tuple[int, str]:
    """Return the exit code after a signal, and what is said of it."""
    return _ENDS[signal.Signals(_received[0] if _received else signal.SIGINT)]


def _receive(number: int, frame: FrameType | None) -> None:
    _received.append(number)
    raise KeyboardInterrupt


def _leave() -> None:
    """End with the exit code: after Ctrl-C Python may end by the signal instead."""
    if _received:
        os._exit(end()[0])
