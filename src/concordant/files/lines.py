"""Bytes become lines of text."""

import codecs
import io
from collections.abc import Iterator

from concordant.errors import FileError, Setting
from concordant.wording import shown

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
    Return a stream of UTF-8, its lines ended by LF, without a byte order mark.

    By default the encoding is what the byte order mark says, or UTF-8; it is returned
    too. A file in UTF-8 whose lines end so is returned as it is, behind the mark.
    """
    start = stream.peek(_LOOK)
    mark = next((mark for mark in _MARKS if start.startswith(mark)), b"")
    encoding = encoding or _MARKS.get(mark, "utf-8")
    old_lines = b"\r" in start and b"\n" not in start  # of an old Macintosh
    try:
        name = codecs.lookup(encoding).name
        is_utf8 = name in ("utf-8", "utf-8-sig", "ascii")
        if is_utf8:
            stream.read(len(mark))
        if old_lines or not is_utf8:
            data = stream.read()
            if not is_utf8:
                data = data.decode(encoding).removeprefix("\ufeff").encode("utf-8")
            data = data.replace(b"\r", b"\n") if old_lines else data
            stream = io.BufferedReader(io.BytesIO(data))
    except (LookupError, UnicodeError, ValueError) as error:
        raise FileError(f"{source}: not encoded in {shown(encoding)}") from error
    return stream, "utf-8" if is_utf8 else name


def lines_of(stream: io.BufferedReader, source: str, before: int = 0) -> Iterator[str]:
    """
    Yield line after line of UTF-8, with their ends, and refuse what is not text.

    `before` lines have been read already.
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
                f"0x{line[error.start]:02x}); ",
                Setting("encoding", "cp1252"),
                " is what Windows writes",
            ) from error
        if "\0" in text:
            raise FileError(
                f"{source}, line {number}, byte {line.index(0) + 1}: a NUL character; "
                "is it a text file?"
            )
        yield text
