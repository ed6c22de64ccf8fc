"""How a command ends before it is done: one line, in terms of the command line."""

import atexit
import os
import signal
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import IO, Any

import click

from concordant.errors import WorkWarning, message_of

Errors = tuple[type[Exception], ...]

#: What is said of a process that a signal ended.
_ENDS = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated"}

_received: list[int] = []


class Fault(click.ClickException):
    """What ends a command: one line on standard error and the exit code 2."""

    exit_code = 2

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the line."""
        _print(" ".join(self.message.splitlines()))


class Interruption(Fault):
    """What ends a command after a signal: one line, and the exit code of shells."""

    def __init__(self) -> None:
        number = signal.Signals(_received[0] if _received else signal.SIGINT)
        super().__init__(_ENDS[number])
        self.exit_code = 128 + number  # type: ignore[misc]


@contextmanager
def told(
    *names: str, errors: Errors = (ValueError, TypeError, MemoryError)
) -> Iterator[None]:
    """
    Say in terms of options what the library says in terms of arguments.

    The files `names` stand for P and Q. A signal goes before what it made go wrong.

    Examples
    --------
    >>> from concordant.cli.faults import told
    >>> from concordant.errors import Data, InputError, Setting
    >>> column = Setting("noise", "column")
    >>> with told("a.csv", "b.csv"):
    ...     raise InputError(Data("P"), " lacks some; ", column, " makes it a cluster")
    Traceback (most recent call last):
    concordant.cli.faults.Fault: a.csv lacks some; --noise column makes it a cluster
    """
    try:
        yield
    except KeyboardInterrupt as error:
        raise Interruption from error
    except Exception as error:
        if _received:
            raise Interruption from error
        if not isinstance(error, errors):
            raise
        line = message_of(error).on_command_line(names)
        if isinstance(error, MemoryError):
            line = f"not enough memory: {line}" if line else "no memory left"
        raise Fault(line) from error


def is_quiet() -> bool:
    """Return whether the command was given ``--quiet``."""
    ctx = click.get_current_context(silent=True)
    return ctx is not None and bool(ctx.params.get("quiet"))


def warn(message: str) -> None:
    """Print a remark in one line on standard error, unless it is to be quiet."""
    if not is_quiet():
        _print(message)


@contextmanager
def remarked() -> Iterator[None]:
    """Print a warning about the work as a remark, once, whatever Python is told."""
    shown = warnings.showwarning

    def show(
        message: Warning | str, category: type[Warning], *at: Any, **how: Any
    ) -> None:
        if issubclass(category, WorkWarning):
            warn(str(message))
        else:
            shown(message, category, *at, **how)

    with warnings.catch_warnings():
        warnings.simplefilter("once", WorkWarning)
        warnings.showwarning = show
        yield


def _print(message: str) -> None:
    """Print a line on standard error, if it takes any."""
    try:
        print(f"concordant: {message}", file=sys.stderr, flush=True)
    except (OSError, ValueError):
        discard(2)


def obey_signals() -> None:
    """Raise KeyboardInterrupt at each signal that is not ignored, as under nohup."""
    atexit.register(_leave)
    sys.unraisablehook = _tell_of_unraisable
    for number in _ENDS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _receive)


def ignore_signals() -> None:
    """Let the process end by itself."""
    for number in _ENDS:
        signal.signal(number, signal.SIG_IGN)


def check_not_stopped() -> None:
    """Raise KeyboardInterrupt again, in case a callback or import swallowed it."""
    if _received:
        raise KeyboardInterrupt


def open_streams() -> None:
    """
    Put something in the place of standard streams that are closed.

    Otherwise the next file that is opened takes the place, and messages end up in it.
    What is written to a closed standard output fails; messages that nobody can see are
    discarded.
    """
    # The wrong way round, so that using standard input or output fails.
    for number, mode in enumerate((os.O_WRONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, mode)  # takes the lowest number that is free
            os.set_inheritable(number, True)
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115


def discard(number: int) -> None:
    """Let what is left in the buffer of stream 1 or 2, and what follows, go nowhere."""
    with suppress(OSError), open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), number)


def _receive(number: int, frame: FrameType | None) -> None:
    _received.append(number)
    raise KeyboardInterrupt


def _tell_of_unraisable(lost: "sys.UnraisableHookArgs") -> None:
    """Tell of an exception in a callback, but of a signal only once, at the end."""
    if not isinstance(lost.exc_value, KeyboardInterrupt):
        sys.__unraisablehook__(lost)


def _leave() -> None:
    """End with the exit code: after Ctrl-C Python may end by the signal instead."""
    if _received:
        os._exit(Interruption().exit_code)
