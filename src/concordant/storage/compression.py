"""A compressed file is expanded."""

import bz2
import gzip
import io
import lzma
from collections.abc import Callable
from typing import Any

from concordant.storage.source import blaming, held

#: What the names of compressed files end in.
SUFFIXES = (".gz", ".bz2", ".xz", ".zst")


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
