"""The one exception for all that can be wrong with a file."""

from pathlib import Path


class FileError(ValueError):
    """
    A file cannot be read, written or understood.

    Its message is one line that says where (file, line, column, counted from 1 as an
    editor does) and what.
    """


def called(path: str | Path) -> str:
    """
    Give the name of a file as messages show it.

    Parameters
    ----------
    path : str or Path
        A path, or ``"-"`` for standard input.

    Returns
    -------
    str
        One line of printable characters.
    """
    name = str(path)
    if name == "-":
        return "standard input"
    return name if name.isprintable() and name else repr(name)


def shown(cell: object) -> str:
    """
    Show a cell as Python would write it, cut short if it is long.

    Parameters
    ----------
    cell : object
        Text or a number.

    Returns
    -------
    str
        One line of at most some forty characters.
    """
    if isinstance(cell, str) and len(cell) > 36:
        cell = f"{cell[:36]}..."
    return repr(cell)


def first_line(error: Exception) -> str:
    """
    Give what another library says of a fault, in one line.

    Parameters
    ----------
    error : Exception
        What it raised.

    Returns
    -------
    str
        The first line of its message, cut short if it is long.
    """
    lines = str(error).splitlines() or [type(error).__name__]
    line = lines[0] if lines[0].isprintable() else repr(lines[0])
    return line if len(line) <= 80 else f"{line[:80]}..."
