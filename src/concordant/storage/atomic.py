"""A file is written whole or not at all."""

import os
import re
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from concordant.errors import FileError
from concordant.wording import called

# What the process was given, which may be a file that others write to as well.
_OPENED = re.compile(r"/dev/(stdout|stderr|fd/[0-9]+)")
_NUMBERS = {"stdout": 1, "stderr": 2}


@contextmanager
def telling(path: str | Path, done: str) -> Iterator[None]:
    """Say why the system does not let a file be read or written."""
    if "\0" in str(path):
        raise FileError(f"{called(path)}: a path cannot contain a NUL character")
    try:
        yield
    except IsADirectoryError as error:
        raise FileError(f"{called(path)}: is a directory, not a file") from error
    except OSError as error:
        reason = (error.strerror or "the system gives no reason").lower()
        why = f"cannot be {done}: {reason}"
        if done == "read" and isinstance(error, FileNotFoundError):
            why = "no such file"
        raise FileError(f"{called(path)}: {why}") from error
    except UnicodeEncodeError as error:
        what = "a path cannot contain half a surrogate pair"
        raise FileError(f"{called(path)}: {what}") from error


def write_bytes_atomically(path: str | Path, data: bytes) -> None:
    """
    Write a file whole or not at all: under another name, then moved into place.

    Parameters
    ----------
    path : str or Path
        Where to write. An existing file is replaced and keeps its permissions; a device
        or pipe is written to directly, as is what ``/dev/stdout`` leads to.
    data : bytes
        What to write.

    Raises
    ------
    FileError
        If that is not possible; what was there before is still there.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from concordant.files import write_bytes_atomically
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "report.html")
    ...     write_bytes_atomically(path, b"<p>the same</p>")
    ...     [file.name for file in path.parent.iterdir()]
    ['report.html']
    """
    with telling(path, "written"):
        if opened := _OPENED.fullmatch(str(path)):
            number = _NUMBERS.get(opened[1]) or int(opened[1].removeprefix("fd/"))
            with open(number, "wb", closefd=False) as stream:
                stream.write(data)
            return
        place = Path(os.path.realpath(path))
        try:
            mode = _mode(place)
            if mode is None or stat.S_ISREG(mode):
                _replace(place, data, mode)
            else:
                with open(place, "wb") as stream:
                    stream.write(data)
        except (FileNotFoundError, NotADirectoryError) as error:
            nowhere = f"no directory {called(place.parent)}"
            raise FileError(f"{called(path)}: cannot be written: {nowhere}") from error


def write_text_atomically(path: str | Path, text: str) -> None:
    """
    Write text whole or not at all, in UTF-8 and with its line ends unchanged.

    Parameters
    ----------
    path : str or Path
        Where to.
    text : str
        What to write.

    Raises
    ------
    FileError
        If that is not possible; what was there before is still there.
    """
    write_bytes_atomically(path, text.encode("utf-8"))


def _mode(place: Path) -> int | None:
    try:
        mode = place.stat().st_mode
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(place)
    return mode


def _replace(place: Path, data: bytes, mode: int | None) -> None:
    aside = place.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        # Nobody reads it who may not read what it replaces.
        private = None if mode is None else partial(os.open, mode=0o600)
        with open(aside, "xb", opener=private) as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        if mode is not None:
            aside.chmod(stat.S_IMODE(mode))
        os.replace(aside, place)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise
