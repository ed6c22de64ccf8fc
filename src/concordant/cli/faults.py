"""What goes wrong is told in one line, in terms of the command line."""

import errno
import re
import sys
from collections.abc import Sequence
from typing import IO, Any, NoReturn

import click

from concordant.cli import standard_streams
from concordant.cli.interruption import exit_code, what_happened

# What the library says of its arguments, and what it is called here.
_REWORDINGS = [
    (r'Partition\(\.\.\., (.*?"\w+")\)', r"\1"),
    (r"Partition\(\.\.\., normalize=True\)|normalize=True", "--normalize"),
    (
        r'use pair_table with family="(\w+)", "(\w+)" or "(\w+)"',
        r"use --index rand with --family \1, \2 or \3",
    ),
    (r"""\b(noise|kind|family|method)=["'](\w+)["']""", r"--\1 \2"),
    (r"""\bt_norm=["'](\w+)["']""", r"--t-norm \1"),
    (r"family '(\w+)'", r"--family \1"),
    (r"leave out kind=", "leave out --kind"),
    (r"pass kinds=\(.*?\)", "give --kind fuzzy"),
    (r"pass kinds= to say what they are", "say with --kind what they are"),
    (r"or compare all objects at once", "or --no-stream"),
    (r"leave out t_norm=", "leave out --t-norm"),
    (r"^(method|tol) (must|goes)", r"--\1 \2"),
    (r'--method (\w+) or "(\w+)"', r"--method \1 or \2"),
    (r"\bt_norm must", "--t-norm must"),
    (r"\bn_jobs\b", "--jobs"),
    (r"\bn_permutations\b", "--permutations"),
    (r"\brandom_state\b", "--seed"),
    (r"\bheader=True\b", "--header"),
    (r"\bheader=False\b", "--no-header"),
    (r"\btranspose=True\b", "--transpose"),
    (r"\blabels_as_text=True\b", "--labels-as-text"),
    (r'\b(delimiter|encoding|missing)="(\w+)"', r"--\1 \2"),
    (r"\bskip=(\d+)", r"--skip \1"),
    (r"\bid_column=('[^']*'|\d+)", r"--id \1"),
    (r"\barray=('[^']*')", r"--array \1"),
    (r"\b(delimiter|columns?)=(?=[ ,;]|$)", r"--\1"),
    (r"give it as the id column", "give it with --id"),
    (r"; (call )?\.harden\(\).*$", ""),
    (
        r'; pass align="index" to match.*$',
        "; give every file an id column, and objects are matched by it",
    ),
    (
        r"Number of distinct samples \((\d+)\) should be >= n_clusters=(\d+)\.",
        r"too few distinct objects (\1) for \2 clusters",
    ),
]


class Fault(click.ClickException):
    """
    What ends a command: one line on standard error and the exit code 2.

    Parameters
    ----------
    message : str
        What is wrong and where.
    """

    exit_code = 2

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the line."""
        line = " ".join(self.message.splitlines())
        standard_streams.tell(f"concordant: {line}")


class Interruption(Fault):
    """What ends a command after a signal: one line, and the exit code of shells."""

    def __init__(self) -> None:
        super().__init__(what_happened())
        self.exit_code = exit_code()  # type: ignore[misc]


def warn(message: str, *, quiet: bool) -> None:
    """
    Tell on standard error what did not end a command.

    Parameters
    ----------
    message : str
        One line.
    quiet : bool
        Whether to keep it.
    """
    if not quiet:
        standard_streams.tell(f"concordant: {message}")


def fault_of(error: Exception) -> Fault | None:
    """
    Make a fault of what the library raised.

    Parameters
    ----------
    error : Exception
        Any.

    Returns
    -------
    Fault or None
        None if it is not one that a user can have caused.
    """
    if isinstance(error, MemoryError):
        return Fault(f"not enough memory: {error}" if str(error) else "no memory left")
    if isinstance(error, ValueError):
        from concordant.files import FileError

        if isinstance(error, FileError):
            return Fault(reworded(str(error)))
    return None


def reworded(message: str, names: Sequence[str] = ()) -> str:
    """
    Say in terms of options what the library says in terms of arguments.

    Parameters
    ----------
    message : str
        What the library says.
    names : sequence of two str, optional
        What the partitions that it calls P and Q are called here.

    Returns
    -------
    str
        One line.

    Examples
    --------
    >>> from concordant.cli.faults import reworded
    >>> reworded('sum to 0.75, not to 1; noise="column" makes it a cluster')
    'sum to 0.75, not to 1; --noise column makes it a cluster'
    >>> reworded("P has 3 objects and Q has 4", ["a.csv", "b.csv"])
    'a.csv has 3 objects and b.csv has 4'
    """
    for pattern, replacement in _REWORDINGS:
        message = re.sub(pattern, replacement, message)
    called = dict(zip("PQ", names, strict=False))
    return re.sub(
        r"""(?<!['"\w])[PQ](?!['"\w])""",
        lambda found: called.get(found.group(), found.group()),
        message,
    )


def end_with(error: click.ClickException) -> NoReturn:
    """
    End the process because of a fault, told if standard error takes it.

    Parameters
    ----------
    error : click.ClickException
        The fault, or what click found wrong with the options.
    """
    try:
        error.show()
    except OSError:
        standard_streams.discard(2)
    sys.exit(error.exit_code)


def end_with_system_error(error: OSError) -> NoReturn:
    """
    End the process because the system refused something.

    Parameters
    ----------
    error : OSError
        What the system says.
    """
    if error.errno is None or error.filename is not None:  # no stream has such errors
        end_with(Fault(str(error) or type(error).__name__))
    # What is left in the buffer goes nowhere, or Python complains of it at the end.
    standard_streams.discard(1)
    if error.errno == errno.EPIPE:
        sys.exit(1)
    reason = (error.strerror or "the system gives no reason").lower()
    end_with(Fault(f"standard output: cannot be written: {reason}"))
