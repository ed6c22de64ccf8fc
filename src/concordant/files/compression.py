"""A compressed file is expanded while it is read."""

import bz2
import gzip
import io
import lzma
import zlib
from collections.abc import Callable
from typing import IO, Any

from concordant.errors import FileError
from concordant.storage.memory import memory
from concordant.wording import first_line

#: What the names of compressed files end in.
SUFFIXES = (".gz", ".bz2", ".xz", ".zst")

_SHARE = 8  # of the memory that text may take; as cells it takes several times that
_FAULTS = (OSError, EOFError, ValueError, MemoryError, zlib.error, lzma.LZMAError)


def expanded(
    stream: io.BufferedReader, source: str
) -> tuple[io.BufferedReader, str | None]:
    """
    Expand a file that is compressed; return what gives its bytes, and the compression.

    A file that is not is returned as it is, with None.
    """
    start = stream.peek(10)
    for kind, (magic, reader) in _KINDS.items():
        if start.startswith(magic) and (kind != "bzip2" or start[4:10] == b"1AY&SY"):
            content = reader(stream, source)
            return io.BufferedReader(_Expanded(content, source, kind), 1 << 18), kind
    return stream, None


class _Expanded(io.RawIOBase):
    """A stream of expanded bytes that says what is wrong with the compressed ones."""

    def __init__(self, content: IO[bytes], source: str, kind: str) -> None:
        self._content = content
        self._source = source
        self._kind = kind
        self._seen = 0
        self._most = (memory() or 1 << 33) // _SHARE

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            data = self._content.read(len(buffer))
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


def _zstd(stream: io.BufferedReader, source: str) -> IO[bytes]:
    try:
        import pyarrow
    except ImportError as error:
        raise FileError(
            f"{source}: files compressed by zstd need pyarrow: "
            "pip install concordant[arrow]"
        ) from error
    expanding: IO[bytes] = pyarrow.CompressedInputStream(stream, "zstd")
    return expanding


_KINDS: dict[str, tuple[bytes, Callable[[io.BufferedReader, str], Any]]] = {
    "gzip": (b"\x1f\x8b\x08", lambda stream, _: gzip.GzipFile(fileobj=stream)),
    "bzip2": (b"BZh", lambda stream, _: bz2.BZ2File(stream)),
    "xz": (b"\xfd7zXZ\x00", lambda stream, _: lzma.LZMAFile(stream)),  # noqa: SIM115
    "zstd": (b"\x28\xb5\x2f\xfd", _zstd),
}
