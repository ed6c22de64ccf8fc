"""A path, or standard input, becomes a stream of bytes."""

import io
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from concordant.errors import FileError
from concordant.storage.memory import excess, memory
from concordant.wording import called

_SHARE = 16  # of the memory that what comes by a pipe may have: text takes much more
_BYTES = 48  # that a number takes at most while a file becomes a partition
_AT_ONCE = 1 << 20  # bytes that are read from it


@contextmanager
def opened(path: str | Path) -> Iterator[io.BufferedReader]:
    """Open a file, or standard input for "-", in binary mode; close it at the end."""
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


def size_of(stream: io.BufferedReader) -> int:
    """Return the size of a file in bytes: 0 of a pipe, which has none."""
    try:
        return os.fstat(stream.fileno()).st_size
    except OSError:
        return 0


def check_fits(n_numbers: int, source: str) -> None:
    """Refuse to read so many numbers that they take more memory than there is."""
    too_much = excess(_BYTES * n_numbers)
    if too_much:
        raise FileError(
            f"{source}: {too_much}; Parquet, Arrow, Feather and .npy files can be "
            "compared a part at a time"
        )


class _Endless(io.RawIOBase):
    """A pipe, of which no more is read than memory could hold."""

    def __init__(self, stream: IO[bytes], source: str) -> None:
        self._stream, self._source = stream, source
        self._left = (memory() or sys.maxsize) // _SHARE
        self._most = self._left

    def readable(self) -> bool:
        """Return that it can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read some bytes."""
        data = self._stream.read(len(buffer))
        self._left -= len(data)
        if self._left < 0:
            raise FileError(
                f"{self._source}: longer than {self._most / 1e9:.3g} GB, which is "
                "too much to hold in memory"
            )
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        """Close it, unless it is standard input."""
        if not self.closed and not _is_standard_input(self._stream):
            self._stream.close()
        super().close()


def _open(path: str | Path) -> io.BufferedReader:
    if str(path) == "-":
        if sys.stdin is None:
            raise FileError(f"{called(path)}: is closed")
        standard: Any = sys.stdin.buffer
        return _checked(standard, called(path))
    if "\0" in str(path):
        raise FileError(f"{called(path)}: a path cannot contain a NUL character")
    if Path(path).is_dir():
        raise IsADirectoryError(path)
    return _checked(open(path, "rb"), called(path))


def _checked(stream: io.BufferedReader, source: str) -> io.BufferedReader:
    """Refuse devices, which have no end, and bound what others give."""
    try:
        about = os.fstat(stream.fileno())
    except OSError:  # it has no number: something in memory takes its place
        return io.BufferedReader(io.BytesIO(stream.read()))
    is_null = about.st_rdev == os.stat(os.devnull).st_rdev
    is_device = stat.S_ISCHR(about.st_mode) or stat.S_ISBLK(about.st_mode)
    if is_device and not is_null and not stream.isatty():
        stream.close()
        raise FileError(f"{source}: is a device, not a file")
    if stat.S_ISREG(about.st_mode) and not _is_standard_input(stream):
        return stream
    return io.BufferedReader(_Endless(stream, source), _AT_ONCE)


def _is_standard_input(stream: IO[bytes]) -> bool:
    return stream is getattr(sys.stdin, "buffer", None)
