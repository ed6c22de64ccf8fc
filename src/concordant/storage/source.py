"""A path, or standard input, becomes a stream of bytes, expanded if compressed."""

import bz2
import gzip
import io
import lzma
import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from concordant.errors import FileError
from concordant.storage.atomic import telling
from concordant.storage.memory import excess, memory
from concordant.wording import called, first_line

#: What the names of compressed files end in.
SUFFIXES = (".gz", ".bz2", ".xz", ".zst")

_SHARE = 16  # of the memory that what comes by a pipe may have: text takes much more
_BYTES = 48  # that a number takes at most while a file becomes a partition
_AT_ONCE = 1 << 20  # bytes that are read from a pipe


@contextmanager
def opened(path: str | Path) -> Iterator[io.BufferedReader]:
    """Open a file, or standard input for "-", as bytes that can be read twice."""
    with telling(path, "read"), _open(path) as stream:
        yield stream


@contextmanager
def blaming(source: str, what: str) -> Iterator[None]:
    """Say of which file it is what a library finds wrong, or that it is missing."""
    try:
        yield
    except FileError:
        raise
    except ImportError as error:
        raise FileError(
            f"{source}: Parquet, Arrow, Feather and zstd files need pyarrow: "
            "pip install pyarrow"
        ) from error
    except Exception as error:  # damaged files make libraries raise of all kinds
        raise FileError(f"{source}: {what} ({first_line(error)})") from error


def size_of(stream: io.BufferedReader) -> int:
    """Return the number of bytes that are left of a stream."""
    here = stream.tell()
    size = stream.seek(0, io.SEEK_END) - here
    stream.seek(here)
    return size


def check_fits(n_numbers: int, source: str) -> None:
    """Refuse to read so many numbers that they take more memory than there is."""
    too_much = excess(_BYTES * n_numbers)
    if too_much:
        raise FileError(
            f"{source}: {too_much}; Parquet, Arrow, Feather and .npy files can be "
            "compared a part at a time"
        )


def held(stream: Any, source: str) -> io.BufferedReader:
    """Hold in memory what can be read but once, if it does not take too much."""
    most = (memory() or sys.maxsize) // _SHARE
    content = io.BytesIO()
    while data := stream.read(_AT_ONCE):
        content.write(data)
        if content.tell() > most:
            raise FileError(
                f"{source}: longer than {most / 1e9:.3g} GB, which is too much to hold "
                "in memory; Parquet, Arrow, Feather and .npy files can be compared a "
                "part at a time"
            )
    content.seek(0)
    return io.BufferedReader(content)


def expanded(
    stream: io.BufferedReader, source: str
) -> tuple[io.BufferedReader, str | None]:
    """Return the bytes of a file that is compressed or not, and the compression."""
    start = stream.peek(10)
    for kind, (magic, reader) in _KINDS.items():
        if start.startswith(magic) and (kind != "bzip2" or start[4:10] == b"1AY&SY"):
            with blaming(source, f"a damaged {kind} file"):
                return held(reader(stream), source), kind
    return stream, None


def _zstd(stream: io.BufferedReader) -> Any:
    import pyarrow

    return pyarrow.CompressedInputStream(stream, "zstd")


_KINDS: dict[str, tuple[bytes, Callable[[io.BufferedReader], Any]]] = {
    "gzip": (b"\x1f\x8b\x08", lambda stream: gzip.GzipFile(fileobj=stream)),
    "bzip2": (b"BZh", bz2.BZ2File),
    "xz": (b"\xfd7zXZ\x00", lzma.LZMAFile),
    "zstd": (b"\x28\xb5\x2f\xfd", _zstd),
}


def _open(path: str | Path) -> io.BufferedReader:
    if str(path) == "-":
        if sys.stdin is None:
            raise FileError(f"{called(path)}: is closed")
        _check_device(sys.stdin.buffer, called(path))
        return held(sys.stdin.buffer, called(path))
    if Path(path).is_dir():
        raise IsADirectoryError(path)
    stream = open(path, "rb")  # noqa: SIM115
    if stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
        return stream
    with stream:
        _check_device(stream, called(path))
        return held(stream, called(path))


def _check_device(stream: Any, source: str) -> None:
    """Refuse devices, which have no end."""
    with suppress(OSError):  # it has no number: something in memory takes its place
        about = os.fstat(stream.fileno())
        is_null = about.st_rdev == os.stat(os.devnull).st_rdev
        is_device = stat.S_ISCHR(about.st_mode) or stat.S_ISBLK(about.st_mode)
        if is_device and not is_null and not stream.isatty():
            raise FileError(f"{source}: is a device, not a file")
