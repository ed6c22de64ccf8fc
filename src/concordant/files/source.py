"""A path, or standard input, becomes a stream of bytes."""

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from concordant.files.errors import FileError, called


@contextmanager
def opened(path: str | Path) -> Iterator[io.BufferedReader]:
    """
    Open a file to read bytes from it.

    Parameters
    ----------
    path : str or Path
        Where the file is; ``"-"`` is standard input.

    Yields
    ------
    io.BufferedReader
        Closed at the end.

    Raises
    ------
    FileError
        If it is missing, a directory or cannot be read.
    """
    try:
        with _open(path) as stream:
            yield stream
    except FileNotFoundError as error:
        raise FileError(f"{called(path)}: no such file") from error
    except IsADirectoryError as error:
        raise FileError(f"{called(path)}: is a directory, not a file") from error
    except OSError as error:
        reason = (error.strerror or "the system gives no reason").lower()
        raise FileError(f"{called(path)}: cannot be read: {reason}") from error


def _open(path: str | Path) -> io.BufferedReader:
    if str(path) == "-":
        if sys.stdin is None:
            raise FileError(f"{called(path)}: is closed")
        standard: IO[bytes] = sys.stdin.buffer
        return io.BufferedReader(io.BytesIO(standard.read()))
    if "\0" in str(path):
        raise FileError(f"{called(path)}: a path has no NUL character")
    if Path(path).is_dir():
        raise IsADirectoryError(path)
    return open(path, "rb")
