"""What goes wrong is told in one line, in terms of the command line."""

import contextlib
import os
import re
import sys
from collections.abc import Sequence
from typing import IO, Any, NoReturn

import click

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
        click.echo(f"concordant: {line}", file=file or sys.stderr)


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
        click.echo(f"concordant: {message}", err=True)


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
    from concordant.files import FileError

    if isinstance(error, FileError):
        return Fault(reworded(str(error)))
    if isinstance(error, MemoryError):
        return Fault(f"not enough memory: {error}" if str(error) else "no memory left")
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


def unwritable_output(error: OSError) -> NoReturn:
    """
    End the process because standard output takes no more.

    Parameters
    ----------
    error : OSError
        What the system says.
    """
    # What is left in the buffer goes nowhere, or Python complains of it at the end.
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    reason = (error.strerror or "the system gives no reason").lower()
    Fault(f"standard output: cannot be written: {reason}").show()
    sys.exit(Fault.exit_code)
