"""What goes wrong is said in one line, in terms of the command line."""

import errno
import sys
from collections.abc import Sequence
from typing import IO, Any, NoReturn

import click

from concordant.cli import standard_streams
from concordant.cli.interruption import end
from concordant.errors import WordedError, message_of


class Fault(click.ClickException):
    """What ends a command: one line on standard error and the exit code 2."""

    exit_code = 2

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the line."""
        line = " ".join(self.message.splitlines())
        standard_streams.tell(f"concordant: {line}")


class Interruption(Fault):
    """What ends a command after a signal: one line, and the exit code of shells."""

    def __init__(self) -> None:
        code, what_happened = end()
        super().__init__(what_happened)
        self.exit_code = code  # type: ignore[misc]


def warn(message: str, *, quiet: bool) -> None:
    """Print a remark in one line on standard error, unless `quiet`."""
    if not quiet:
        standard_streams.tell(f"concordant: {message}")


def is_of_user(error: Exception) -> bool:
    """Return whether an error of the library is one that a user can have caused."""
    return isinstance(error, MemoryError | WordedError)


def fault_of(error: Exception, names: Sequence[str] = ()) -> Fault:
    """Return the fault for what the library raised about the files `names`."""
    told = worded(error, names)
    if isinstance(error, MemoryError):
        return Fault(f"not enough memory: {told}" if told else "no memory left")
    return Fault(told)


def worded(error: Exception, names: Sequence[str] = ()) -> str:
    """
    Say in terms of options what the library says in terms of arguments.

    Examples
    --------
    >>> from concordant.cli.faults import worded
    >>> from concordant.errors import Data, InputError, Setting
    >>> column = Setting("noise", "column")
    >>> error = InputError(Data("P"), " lacks some; ", column, " makes it a cluster")
    >>> worded(error, ["a.csv", "b.csv"])
    'a.csv lacks some; --noise column makes it a cluster'
    """
    return message_of(error).on_command_line(names)


def end_with(error: click.ClickException) -> NoReturn:
    """End the process because of a fault, printed if standard error takes it."""
    try:
        error.show()
    except OSError:
        standard_streams.discard(2)
    sys.exit(error.exit_code)


def end_with_system_error(error: OSError) -> NoReturn:
    """End the process because the system refused something."""
    if error.errno is None or error.filename is not None:  # no stream has such errors
        end_with(Fault(str(error) or type(error).__name__))
    # What is left in the buffer goes nowhere, or Python complains of it at the end.
    standard_streams.discard(1)
    if error.errno == errno.EPIPE:
        sys.exit(1)
    reason = (error.strerror or "the system gives no reason").lower()
    end_with(Fault(f"standard output: cannot be written: {reason}"))
