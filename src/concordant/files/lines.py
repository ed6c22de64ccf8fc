"""Bytes become lines of text."""

import codecs
import io
from collections.abc import Iterator
from typing import Any

from concordant.storage.file_error import FileError, shown

_LONGEST_LINE = 1 << 24
_LOOK = 1 << 16  # bytes in which line ends are looked for
_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


def as_utf8(
    stream: io.BufferedReader, source: str, encoding: str | None
) -> tuple[io.BufferedReader, str]:
    """
    Make a stream of UTF-8 without a byte order mark, its lines ended by LF.

    Parameters
    ----------
    stream : io.BufferedReader
        A text file.
    source : str
        What messages call it.
    encoding : str or None
        How its characters are encoded: by default as its byte order mark says, or in
        UTF-8.

    Returns
    -------
    tuple
        The stream, and the encoding.

    Raises
    ------
    FileError
        If it is not encoded so.
    """
    start = stream.peek(_LOOK)
    mark = next((mark for mark in _MARKS if start.startswith(mark)), b"")
    encoding = encoding or _MARKS.get(mark, "utf-8")
    try:
        name = codecs.lookup(encoding).name
        if name not in ("utf-8", "utf-8-sig", "ascii"):
            text = stream.read().decode(encoding).removeprefix("\ufeff")
            stream = io.BufferedReader(io.BytesIO(text.encode("utf-8")))
        elif mark:
            stream.read(len(mark))
    except (LookupError, UnicodeError, ValueError) as error:
        raise FileError(f"{source}: not encoded in {shown(encoding)}") from error
    start = stream.peek(_LOOK)
    if b"\r" in start and b"\n" not in start:
        stream = io.BufferedReader(_LineFeeds(stream))
    return stream, "utf-8" if name in ("utf-8-sig", "ascii") else name


class _LineFeeds(io.RawIOBase):
    """The lines of an old Macintosh, ended by LF."""

    def __init__(self, stream: io.BufferedReader) -> None:
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._stream.read1(len(buffer)).replace(b"\r", b"\n")
        buffer[: len(data)] = data
        return len(data)


def lines_of(stream: io.BufferedReader, source: str, before: int = 0) -> Iterator[str]:
    """
    Give line after line of text, and refuse what is not text.

    Parameters
    ----------
    stream : io.BufferedReader
        UTF-8.
    source : str
        What messages call it.
    before : int, default=0
        How many lines have been read.

    Yields
    ------
    str
        A line with its end.

    Raises
    ------
    FileError
        With the line and byte.
    """
    number = before
    while line := stream.readline(_LONGEST_LINE + 1):
        number += 1
        if len(line) > _LONGEST_LINE:
            raise FileError(
                f"{source}, line {number}: longer than {_LONGEST_LINE >> 20} MiB; one "
                "object per line is expected"
            )
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError as error:
            raise FileError(
                f"{source}, line {number}, byte {error.start + 1}: not UTF-8 (found "
                f'0x{line[error.start]:02x}); encoding="cp1252" is what Windows writes'
            ) from error
        if "\0" in text:
            raise FileError(
                f"{source}, line {number}, byte {line.index(0) + 1}: a NUL character; "
                "is it a text file?"
            )
        yield text
