"""Standard streams that were closed, or whose reader went away."""

import io
import os
import sys
from contextlib import suppress

_INPUT, _OUTPUT, _ERROR = range(3)


def open_all() -> None:
    """
    Put something in the place of standard streams that are closed.

    Otherwise the next file that is opened takes the place, and messages end up in it.
    What is written to a closed standard output fails; messages that nobody can see
    are none.
    """
    for number, mode in ((_INPUT, os.O_WRONLY), (_OUTPUT, os.O_RDONLY)):
        if not _is_open(number):
            _put(number, mode)  # the wrong way round, so that using it fails
    if not _is_open(_ERROR):
        _put(_ERROR, os.O_WRONLY)
    if sys.stdout is None:
        sys.stdout = _writer(_OUTPUT)
    if sys.stderr is None:
        sys.stderr = _writer(_ERROR)


def tell(line: str) -> None:
    """Print a line on standard error, or nothing if it takes none."""
    try:
        print(line, file=sys.stderr, flush=True)
    except (OSError, ValueError):
        discard(_ERROR)


def discard(number: int) -> None:
    """Let what is left in the buffer of stream 1 or 2, and what follows, go nowhere."""
    with suppress(OSError):
        _put(number, os.O_WRONLY)


def _writer(number: int) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.FileIO(number, "w", closefd=False), encoding="utf-8")


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def _put(number: int, mode: int) -> None:
    """Put the empty device in the place of a stream."""
    opened = os.open(os.devnull, mode)
    if opened == number:
        os.set_inheritable(number, True)
    else:
        os.dup2(opened, number)
        os.close(opened)
