"""Bytes become lines of text."""

import codecs
import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from concordant.errors import FileError, Setting
from concordant.wording import shown

#: Bytes that a line may have.
LONGEST_LINE = 1 << 24

_SAMPLE = 1000  # lines that are looked at first
_SAMPLE_BYTES = 1 << 20
_LOOK = 1 << 16  # bytes in which line ends are looked for
_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


@dataclass(frozen=True)
class Text:
    """
    A text file of which the first lines were read.

    `before` lines were left out above them, and `rest` is where the others begin;
    `path` is set if the stream is that file, as it is.
    """

    source: str
    stream: io.BufferedReader
    sample: list[str]
    rest: int | None
    before: int
    encoding: str
    path: Path | None = None

    def lines(self) -> Iterator[str]:
        """Yield all lines, the first ones again."""
        yield from self.sample
        if self.rest is not None:
            self.stream.seek(self.rest)
            below = self.before + len(self.sample)
            yield from _lines_of(self.stream, self.source, below)


def open_text(
    stream: io.BufferedReader,
    source: str,
    skip: int = 0,
    encoding: str | None = None,
    path: Path | None = None,
) -> Text:
    """Read the first lines of a text file; `path` is that file, if it is one."""
    given = stream
    stream, encoding = _as_utf8(stream, source, encoding)
    for _ in range(skip):
        stream.readline()
    sample: list[str] = []
    size = 0
    for line in _lines_of(stream, source, skip):
        sample.append(line)
        size += len(line)
        if len(sample) == _SAMPLE or size > _SAMPLE_BYTES:
            break
    rest = stream.tell() if stream.peek(1) else None
    own = path if stream is given else None
    return Text(source, stream, sample, rest, skip, encoding, own)


def _as_utf8(
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


def _lines_of(stream: io.BufferedReader, source: str, before: int) -> Iterator[str]:
    """
    Yield line after line of UTF-8, with their ends, and refuse what is not text.

    `before` lines have been read already.
    """
    for number, line in enumerate(
        iter(lambda: stream.readline(LONGEST_LINE + 1), b""), start=before + 1
    ):
        place = f"{source}, line {number}"
        if len(line) > LONGEST_LINE:
            longest = f"{LONGEST_LINE >> 20} MiB; one object per line is expected"
            raise FileError(f"{place}: longer than {longest}")
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError as error:
            found = f"found 0x{line[error.start]:02x}"
            raise FileError(
                f"{place}, byte {error.start + 1}: not UTF-8 ({found}); ",
                Setting("encoding", "cp1252"),
                " is what Windows writes",
            ) from error
        if "\0" in text:
            what = "a NUL character; is it a text file?"
            raise FileError(f"{place}, byte {line.index(0) + 1}: {what}")
        yield text
