"""Tables as text: CSV, TSV and their relatives."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

from concordant.errors import FileError, Keyword, Message, Piece, Setting
from concordant.files.bulk import add_in_bulk, is_worth_it
from concordant.files.delimiters import (
    NONE,
    UndividedRowError,
    find_delimiter,
    given_delimiter,
    split_rows,
)
from concordant.files.gathering import Gathered
from concordant.files.headings import (
    LABEL_NAMES,
    UnsettledHeadingError,
    find_heading,
)
from concordant.files.identification import ID_NAMES
from concordant.files.lines import as_utf8, lines_of
from concordant.files.numbers import as_number
from concordant.files.table import Table, check_width
from concordant.files.understanding import Understood
from concordant.wording import count, shown

_SAMPLE = 1000  # lines that are looked at first
_SAMPLE_BYTES = 1 << 20
_ROWS = 1 << 14  # that are divided into cells at a time


@dataclass(frozen=True)
class Text:
    """
    A text file of which the first lines were read.

    `before` lines were left out above them; `path` is set if the stream is that file,
    as it is.
    """

    source: str
    stream: io.BufferedReader
    sample: list[str]
    is_whole: bool
    before: int
    encoding: str
    path: Path | None = None

    def lines(self) -> Iterator[str]:
        """Yield all lines, the first ones again."""
        below = self.before + len(self.sample)
        return chain(self.sample, lines_of(self.stream, self.source, below))


def open_text(
    stream: io.BufferedReader,
    source: str,
    *,
    skip: int = 0,
    encoding: str | None = None,
    path: Path | None = None,
) -> Text:
    """Read the first lines of a text file; `path` is that file, if it is one."""
    given = stream
    stream, encoding = as_utf8(stream, source, encoding)
    for _ in range(skip):
        stream.readline()
    sample: list[str] = []
    lines, size = lines_of(stream, source, skip), 0
    while len(sample) < _SAMPLE and size <= _SAMPLE_BYTES:
        line = next(lines, None)
        if line is None:
            return Text(source, stream, sample, True, skip, encoding)
        sample.append(line)
        size += len(line)
    if not stream.seekable():
        stream = io.BufferedReader(io.BytesIO(stream.read()))
    own = path if stream is given else None
    return Text(source, stream, sample, False, skip, encoding, own)


def read_text(
    text: Text,
    *,
    delimiter: str | None = None,
    header: bool | None = None,
    tabs: bool = False,
    as_text: bool = False,
    id_column: str | int | None = None,
    compression: str | None = None,
) -> Table:
    """
    Read a table with all columns, that of ids among them.

    `delimiter` is one character or a word as in `given_delimiter`; by default
    `find_delimiter` finds it, unless `tabs` says that tabs, if there are any, separate
    cells, and `find_heading` finds the heading. Columns keep the text of their cells if
    they may be labels or ids: those of a small file, with `as_text` all, and
    `id_column`. Raises `UnsettledHeadingError` if the first row may be a heading or an
    object.
    """
    source, sample, before = text.source, [*text.sample], text.before
    if not any(line.strip() for line in sample):
        raise FileError(f"{source}: is empty")
    if found := re.fullmatch(r"sep=(.)\s*", sample[0]):  # what Excel goes by
        delimiter = delimiter or found[1]
        sample, before = sample[1:], before + 1
    elif _has_a_commented_heading(sample, source, before):
        sample[0] = sample[0].lstrip("# ")
        header = True
    if delimiter is not None:
        delimiter = given_delimiter(delimiter, source)
    elif tabs and any("\t" in line for line in sample):
        delimiter = "\t"
    else:
        delimiter = find_delimiter(sample, source)
    gathered = None
    if not text.is_whole and is_worth_it(text.stream):
        looked_at = _rows_of_a_regular_sample(sample, source, delimiter, before)
        if looked_at:
            gathered = Gathered(source, looked_at, as_text, id_column)
            below = text.before + len(text.sample)
            whole = add_in_bulk(gathered, text.stream, delimiter, below, text.path)
            gathered = gathered if whole else None
    if gathered is None:
        lines = chain(sample, lines_of(text.stream, source, before + len(sample)))
        rows = _rows(lines, source, delimiter, before)
        looked_at = _even([*islice(rows, _SAMPLE)], source)
        keep = as_text or text.is_whole
        gathered = Gathered(source, looked_at, keep, id_column)
        while more := [*islice(rows, _ROWS)]:
            _check_widths([looked_at[0], *more], source)
            gathered.add(more)
    decimal, percent = gathered.marks()
    understood = Understood(
        "text",
        compression=compression,
        encoding=text.encoding,
        delimiter=None if delimiter == NONE else delimiter,
        decimal=decimal,
        percent=percent,
    )
    return _with_heading(gathered, header, understood)


_Rows = list[tuple[int, list[str]]]


def _has_a_commented_heading(sample: Sequence[str], source: str, skip: int) -> bool:
    """Return whether ``#`` stands before names, and refuse other comments."""
    first = sample[0].strip()
    for number, line in enumerate(sample, start=skip + 1):
        if line.strip().casefold() == "@data":
            raise FileError(
                f"{source}, line {number}: an ARFF file; ",
                Setting("skip", number),
                " reads what is below @data",
            )
    if not first.startswith(("# ", "% ")) or len(sample) == 1:
        return False
    mark = first[0]
    n_comments = next(
        (i for i, line in enumerate(sample) if not line.startswith(mark)), 0
    )
    if n_comments == 1 and mark == "#" and _names_columns(sample):
        return True
    if n_comments:
        raise FileError(
            f"{source}, line {skip + 1}: found {shown(first)}, a comment; ",
            Setting("skip", skip + n_comments),
            " leaves it out",
        )
    return False


def _names_columns(sample: Sequence[str]) -> bool:
    """Return whether a comment has as many cells as each line below it."""
    bare = [sample[0].lstrip("# "), *sample[1:20]]
    for delimiter in ("\t", ";", ",", "|", " "):
        try:
            widths = {len(row) for _, row in split_rows(bare, delimiter) if row}
        except csv.Error:
            continue
        if len(widths) == 1 and widths != {1}:
            return True
    return all(len(line.split()) == 1 for line in bare if line.strip())


def _rows(
    lines: Iterable[str], source: str, delimiter: str, before: int
) -> Iterator[tuple[int, list[str]]]:
    """Yield the line number and the cells of each row."""
    blanks: list[int] = []
    n_rows, single = 0, True
    reader = split_rows(lines, delimiter)
    while True:
        try:
            number, row = next(reader, (0, None))
        except UndividedRowError as error:
            place = f"{source}, line {before + error.line}"
            raise FileError(f"{place}: {error.reason}") from error
        if row is None:
            break
        if not row or (len(row) == 1 and not row[0].strip()):
            blanks.append(before + number)
            continue
        single = single and len(row) == 1
        if blanks and not (n_rows and single):
            raise FileError(f"{source}, line {blanks[0]}: an empty line")
        # In one column of cells, an empty line is a cell that holds nothing.
        yield from ((blank, [""]) for blank in blanks)
        yield before + number, row
        n_rows += 1
        blanks.clear()
    if not n_rows:
        raise FileError(f"{source}: is empty")


def _rows_of_a_regular_sample(
    sample: Sequence[str], source: str, delimiter: str, before: int
) -> _Rows:
    """Return the rows of the first lines, if no row goes on below them."""
    try:
        rows = _even([*_rows(sample, source, delimiter, before)], source)
    except FileError:
        return []
    return rows if len(rows) == len(sample) > 1 else []


def _even(rows: _Rows, source: str) -> _Rows:
    """Name the column of R's row names, which its heading leaves out, if need be."""
    first, others = rows[0][1], rows[1:]
    if others and all(len(row) == len(first) + 1 for _, row in others):
        numbers = [as_number(cell) for cell in first]
        counts = [*range(len(first))], [*range(1, len(first) + 1)]
        if all(number != number for number in numbers) or numbers in counts:
            first.insert(0, "")
    _check_widths(rows, source)
    check_width(len(first), source)
    return rows


def _check_widths(rows: _Rows, source: str) -> None:
    line, first = rows[0]
    for number, row in rows:
        if len(row) != len(first):
            raise FileError(
                f"{source}, line {number}: {count(len(row), 'cell')} where line {line} "
                f"has {len(first)}; ",
                Keyword("delimiter"),
                " says what separates them",
            )


def _with_heading(
    gathered: Gathered, header: bool | None, understood: Understood
) -> Table:
    """Take the first row as a heading if it is one."""
    source, n_rows = gathered.source, gathered.n_rows
    if header is None and n_rows == 1:
        header = all(as_number(cell) != as_number(cell) for cell in gathered.first)
    elif header is None:
        header = find_heading(gathered.first, gathered.columns(heading=True))
    if header is None:
        tables = tuple(gathered.table(understood, way) for way in (False, True))
        raise UnsettledHeadingError(
            Message(
                f"{source}, line {gathered.lines[0]}: is it a heading or an object? ",
                Setting("header", True),
                f" says a heading ({count(n_rows - 1, 'object')}), ",
                Setting("header", False),
                f" an object ({n_rows} objects)",
                _title_hint(gathered),
            ),
            n_rows,
            tables,
        )
    if header and n_rows == 1:
        raise FileError(f"{source}: has a heading but no objects")
    gathered.settle(header)
    return gathered.table(understood, header)


def _title_hint(gathered: Gathered) -> Piece:
    """Tell of a second row that looks like the heading, below a title."""
    known = ID_NAMES | LABEL_NAMES
    first, second = ({cell.casefold() for cell in row} for row in gathered.two_rows())
    if not second & known or first & known:
        return ""
    skip = Setting("skip", gathered.lines[0])
    return Message("; if it is a title, ", skip, " begins with the line below")
