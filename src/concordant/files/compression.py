"""A compressed file is expanded while it is read."""

import bz2
import gzip
import io
import lzma
import zlib
from collections.abc import Callable
from typing import Any

from concordant.errors import FileError
from concordant.storage.memory import memory
from concordant.wording import first_line

#: What the names of compressed files end in.
SUFFIXES = (".gz", ".bz2", ".xz", ".zst")

_SHARE = 8  # of the memory that text may take; as cells it takes several times that
_MEMORY_OF_XZ = 1 << 28
_CHUNK = 1 << 16
_FAULTS = (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError)

Read = Callable[[int], bytes]


def expanded(
    stream: io.BufferedReader, source: str
) -> tuple[io.BufferedReader, str | None]:
    """
    Expand a file that is compressed; return what gives its bytes, and the compression.

    A file that is not is returned as it is, with None.
    """
    kind = compression_of(stream.peek(10))
    if kind is None:
        return stream, None
    read = _READERS[kind](stream, source)
    return io.BufferedReader(_Expanded(read, source, kind), 1 << 18), kind


def compression_of(start: bytes) -> str | None:
    """Tell a compression by the first ten bytes of a file; None if it has none."""
    if start.startswith(b"\x1f\x8b\x08"):
        return "gzip"
    if start.startswith(b"BZh") and start[4:10] == b"1AY&SY":
        return "bzip2"
    if start.startswith(b"\xfd7zXZ\x00"):
        return "xz"
    if start.startswith(b"\x28\xb5\x2f\xfd"):
        return "zstd"
    return None


class _Expanded(io.RawIOBase):
    """A stream of expanded bytes that says what is wrong with the compressed ones."""

    def __init__(self, read: Read, source: str, kind: str) -> None:
        self._read = read
        self._source = source
        self._kind = kind
        self._seen = 0
        self._most = (memory() or 1 << 33) // _SHARE

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            data = self._read(len(buffer))
        except FileError:
            raise
        except _FAULTS as error:
            raise FileError(
                f"{self._source}: a damaged {self._kind} file ({first_line(error)})"
            ) from error
        self._seen += len(data)
        if self._seen > self._most:
            raise FileError(
                f"{self._source}: expands to more than {self._most >> 20} MiB, an "
                f"{_SHARE}th of the memory; expand it, and save it as Parquet"
            )
        buffer[: len(data)] = data
        return len(data)


def _gzip(stream: io.BufferedReader, source: str) -> Read:
    return gzip.GzipFile(fileobj=stream).read


def _bzip2(stream: io.BufferedReader, source: str) -> Read:
    return bz2.BZ2File(stream).read


def _xz(stream: io.BufferedReader, source: str) -> Read:
    """Expand with a limit, as the file says how much memory that takes."""
    state = lzma.LZMADecompressor(memlimit=_MEMORY_OF_XZ)

    def read(size: int) -> bytes:
        nonlocal state
        while True:
            if state.eof:
                rest = state.unused_data or stream.read(_CHUNK)
                if not rest.lstrip(b"\0"):  # the format allows zeros at the end
                    return b""
                state = lzma.LZMADecompressor(memlimit=_MEMORY_OF_XZ)
            else:
                rest = stream.read(_CHUNK) if state.needs_input else b""
                if not rest and state.needs_input:
                    raise EOFError("it is cut short")
            if data := state.decompress(rest, size):
                return data

    return read


def _zstd(stream: io.BufferedReader, source: str) -> Read:
    try:
        import pyarrow
    except ImportError as error:
        raise FileError(
            f"{source}: files compressed by zstd need pyarrow: "
            "pip install concordant[arrow]"
        ) from error
    expanding: Read = pyarrow.CompressedInputStream(stream, "zstd").read
    return expanding


_READERS: dict[str, Callable[[io.BufferedReader, str], Read]] = {
    "gzip": _gzip,
    "bzip2": _bzip2,
    "xz": _xz,
    "zstd": _zstd,
}
