"""Tables as text: CSV, TSV and their relatives."""

import codecs
import csv
import io
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from sys import maxsize
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.errors import FileError, Keyword, Piece, Setting
from concordant.files.bulk import COMMENTS, Row, read_in_bulk
from concordant.files.columns import ID_NAMES, LABEL_NAMES
from concordant.files.table import (
    Column,
    Reading,
    ReadSummary,
    Table,
    are_booleans,
    as_number,
    check_width,
    find_marks,
    is_number,
    means_missing,
)
from concordant.storage.source import check_fits, size_of
from concordant.wording import count, first_line, shown

#: Bytes that a line may have.
LONGEST_LINE = 1 << 24

_SAMPLE = 1000  # lines that are looked at first
_SAMPLE_BYTES = 1 << 20

#: Each line is one cell.
NONE = "\x1f"

_NAMES = {"\t": "tab", ";": "semicolon", ",": "comma", "|": "bar", " ": "space"}
_WORDS = {name: mark for mark, name in _NAMES.items()} | {"none": NONE, "\\t": "\t"}
_MOST = 200  # rows in which numbers are counted
_NO_END = "unexpected end"  # of a file, within quotes

_BYTES = 8  # of text that take no less of memory than a number does
_WORTH = 1 << 20  # bytes from which on pandas is worth its import

# Cells in quotes, and tabs between cells where blanks divide.
_TABS = re.compile(r'(?<![^ \t])"[^"]*(?:""[^"]*)*"?|\t')


# The line of each row, columns, empty lines at the end, the decimal mark, and whether
# numbers are percent.
_Bulk = tuple[NDArray[np.intp], list[Column], list[Row], str | None, bool]


@dataclass(frozen=True)
class Text:
    """
    A text file of which the first lines were read.

    `before` lines were left out above them, and `rest` is where the others begin.
    """

    source: str
    stream: Any
    sample: list[str]
    rest: int
    before: int
    encoding: str

    def lines(self) -> Iterator[str]:
        """Yield all lines, the first ones again."""
        yield from self.sample
        self.stream.seek(self.rest)
        yield from _lines_of(self.stream, self.source, self.before + len(self.sample))


def open_text(content: Any, source: str, reading: Reading) -> Text:
    """
    Read the first lines of a text file.

    By default the encoding is what the byte order mark says, or UTF-8.
    """
    is_utf16 = content.peek(2)[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
    said = reading.encoding or ("utf-16" if is_utf16 else "utf-8")
    try:
        name = codecs.lookup(said).name
        name = "utf-8-sig" if name == "utf-8" else name
        stream = io.TextIOWrapper(content, name, "surrogateescape", newline="")
    except LookupError as error:
        raise FileError(f"{source}: not encoded in {shown(said)}") from error
    sample: list[str] = []
    size = 0
    for line in islice(_lines_of(stream, source), min(reading.skip, maxsize), None):
        sample.append(line)
        size += len(line)
        if len(sample) == _SAMPLE or size > _SAMPLE_BYTES:
            break
    before, name = reading.skip, name.removesuffix("-sig")
    return Text(source, stream, sample, stream.tell(), before, name)


def _lines_of(stream: Any, source: str, before: int = 0) -> Iterator[str]:
    """
    Yield line after line, and refuse what is not text in its encoding.

    `before` lines have been read already.
    """
    number = before + 1
    try:
        while line := stream.readline(LONGEST_LINE + 1):
            ends = stream.newlines if isinstance(stream.newlines, tuple) else ()
            found = {
                "more than 16 MiB": len(line) > LONGEST_LINE,
                "a NUL": "\0" in line,
                "a lone carriage return": "\r" in ends,
            }
            for what, is_so in found.items():
                if is_so:
                    told = f"holds {what}: is it a table?"
                    raise FileError(f"{source}, line {number}: {told}")
            line.encode("utf-8")  # bytes that are no characters are not encoded either
            yield line
            number += 1
    except UnicodeError as error:
        name = stream.encoding.removesuffix("-sig")
        what = f"{source}, line {number}: not encoded in {name}; "
        cp1252 = Setting("encoding", "cp1252"), " is what Windows writes"
        raise FileError(what, *cp1252) from error


class UnsettledHeadingError(FileError):
    """
    The first row of a table may name the columns or be an object.

    `tables` are the table with that row as an object, and the one with it as a
    heading; an error that was sent to another process has none.
    """

    tables: tuple[Table, ...] = ()


def given_delimiter(delimiter: str, source: str) -> str:
    """Return a delimiter, or a word such as "tab" or "none", as one character."""
    character = _WORDS.get(delimiter.strip().casefold(), delimiter)
    if len(character) != 1 or character in '\r\n"':
        what = f"one character or one of {', '.join(_WORDS)}, found {shown(delimiter)}"
        raise FileError(f"{source}: the delimiter must be {what}")
    return character


def split_rows(
    lines: Iterable[str], delimiter: str, source: str = "", before: int = 0
) -> Iterator[Row]:
    """
    Yield the number of the first line of each row, and its cells.

    The first has `before` lines above it. A blank as `delimiter` stands for any number
    of blanks and tabs. An empty line is a row without cells.
    """
    lines = (line if line.strip(" \r\n") else "\n" for line in lines)
    if delimiter == " ":
        lines = (_TABS.sub(_as_blank, line).strip(" \r\n") + "\n" for line in lines)
    reader = csv.reader(lines, delimiter=delimiter, strict=True, skipinitialspace=True)
    while True:
        number = before + reader.line_num + 1
        try:
            row = next(reader, None)
        except csv.Error as error:
            what = f"not a row of cells, each in quotes or not ({first_line(error)})"
            raise FileError(f"{source}, line {number}: {what}") from error
        if row is None:
            return
        if delimiter == " " and before + reader.line_num > number:
            what = "a cell in quotes that goes on in the next line; where blanks divide"
            raise FileError(f"{source}, line {number}: {what}, it cannot")
        yield number, row


def _as_blank(found: re.Match[str]) -> str:
    """Take a tab as a blank, but not in quotes."""
    return " " if found[0] == "\t" else found[0]


def find_delimiter(sample: Sequence[str], source: str) -> str:
    r"""
    Return what separates cells, by the first lines of a file.

    The rules are those of ``docs/files.md``. If none applies, it is what divides the
    most lines, about which messages can then be precise, or `NONE`.

    Examples
    --------
    >>> from concordant.files.text import find_delimiter
    >>> find_delimiter(["0,400\t0,600\n", "1,000\t0,000\n"], "P.txt")
    '\t'
    """
    together = "".join(sample)
    # Of each: whether every row has all cells, and the share of numbers.
    good: dict[str, tuple[bool, float]] = {}
    n_divided: dict[str, int] = {}
    for mark in _NAMES:
        is_there = mark in together or (mark == " " and "\t" in together)
        rows = _divided(sample, mark) if is_there else []
        n_divided[mark] = sum(len(row) > 1 for row in rows)
        if _is_regular(rows):
            cells = [*chain.from_iterable(rows[1:_MOST] or rows)]
            share = sum(map(_is_number, cells)) / len(cells)
            good[mark] = len(rows[0]) == len(rows[-1]), share
    blanks = good.pop(" ", None)
    most = max(good.values(), default=None)
    # Blanks take in tabs, and the blanks within the cells between these.
    if blanks is not None and (most is None or (blanks > most and "\t" not in good)):
        if blanks[1] == 0.0 and '"' not in together:
            question = f"found {shown(sample[0].strip())}: one cell or several?"
            raise _unsettled(question, "none", "space", source)
        return " "
    best = [mark for mark, merit in good.items() if merit == most]
    if len(best) > 1:
        question = "which mark separates cells?"
        raise _unsettled(question, _NAMES[best[0]], _NAMES[best[1]], source)
    cells = together.split()
    holds_numbers = 2 * sum(map(_is_number, cells)) > len(cells)
    if not holds_numbers or any(map(n_divided.get, "\t;,|")):
        del n_divided[" "]
    ragged = max(n_divided, key=lambda mark: n_divided[mark])
    return best[0] if best else ragged if n_divided[ragged] else NONE


def _unsettled(question: str, one: str, other: str, source: str) -> FileError:
    settings = Setting("delimiter", one, other)
    return FileError(f"{source}, line 1: {question} ", settings, " says so")


def _divided(sample: Sequence[str], delimiter: str) -> list[list[str]]:
    """Return rows, but for a last one that may go on below the sample."""
    rows = []
    try:
        for _, row in split_rows(sample, delimiter):
            rows.append(row)
    except FileError as error:
        if delimiter == " " or _NO_END not in str(error):
            return []
    return [row for row in rows if row]


def _is_regular(rows: list[list[str]]) -> bool:
    """Return whether all rows have as many cells, or all but a heading."""
    first, *others = map(len, rows or [[]])
    if len({*others}) > 1 or max(others, default=first) < 2:
        return False
    names = {row[0] for row in rows[1:]}  # those of R are distinct
    short = others[:1] == [first + 1] and len(names) == len(others)
    return short or others[:1] in ([], [first])


def _is_number(cell: str) -> bool:
    return is_number(cell) or means_missing(cell)


def find_heading(first: Sequence[str], below: Sequence[Column]) -> bool | None:
    """
    Return whether the first row names the columns; None if both are possible.

    The cells of the first row come without the blanks around them; `below` are the p
    columns below them, of one row or more. The rules are those of ``docs/files.md``.
    """
    pairs = [*zip(first, below, strict=True)]
    over_numbers = [pair for pair in pairs if _is_numeric(pair[1])]
    over_text = [pair for pair in pairs if not _is_numeric(pair[1])]
    names = [cell for cell, column in over_numbers if _is_name(cell, column)]
    again = {cell for cell, column in over_text if cell and _stands_in(cell, column)}
    again |= {c for c, column in over_numbers if c in names and _stands_in(c, column)}
    known = any(cell.casefold() in ID_NAMES | LABEL_NAMES for cell, _ in over_text)
    if again:
        return None if known or {*names} - again or again == {"0"} else False
    corner = len(first) > 1 and not first[0] and all(first[1:])
    if names:
        others = len(over_numbers) - len(names)
        return True if others == (corner and _is_numeric(below[0])) else None
    over_numbers = [pair for pair in over_numbers if pair[0] or not corner]
    if over_numbers:
        return _counted(over_numbers, beside_names=corner or known)
    if corner or known:
        return True
    # A name is a word, or the 0 that pandas writes.
    named = any(cell == "0" or not is_number(cell) for cell in first)
    return None if named and not any(map(means_missing, first)) else False


def _is_numeric(column: Column) -> bool:
    """Return whether all cells are numbers, as far as they are known."""
    unknown = np.isnan(column.numbers)
    return not unknown.all() and bool((column.missing >= unknown).all())


def _is_name(cell: str, column: Column) -> bool:
    """Return whether a cell is neither a number, nor missing, nor true or false."""
    is_boolean = column.is_boolean and are_booleans([cell])
    return not is_boolean and not _is_number(cell)


def _stands_in(cell: str, column: Column) -> bool:
    found = column.cells
    if found.dtype.kind == "U":
        found = found[np.char.find(found, cell) >= 0]
    cells = found.tolist() if column.is_text else []
    return cell in "".join(cells) and cell in map(str.strip, cells)


def _counted(pairs: list[tuple[str, Column]], beside_names: bool) -> bool | None:
    """Return whether numbers above numbers name the columns."""
    if not all(cell.isdecimal() and len(cell) < 10 for cell, _ in pairs):
        return None if beside_names else False
    numbers, n = sorted(int(cell) for cell, _ in pairs), len(pairs)
    count = numbers in ([*range(n)], [*range(1, n + 1)])
    if beside_names:
        return True if count else None
    if n == 1:
        return None if numbers == [0] else False
    outside = any(((c.numbers < 0.0) | (c.numbers > 1.0)).any() for _, c in pairs)
    if max(numbers) > 1 and len({*numbers}) == n and not outside:
        return True if count else None
    return None if count else False


def read_text(text: Text, reading: Reading) -> Table:
    """
    Read a table with all columns, that of ids among them.

    By default `find_delimiter` finds the delimiter, and `find_heading` the heading.
    Columns of fractions below the first lines of a large file are kept as numbers
    alone, unless all are wanted as text. Raises `UnsettledHeadingError` if the first
    row may be a heading or an object.
    """
    if reading.delimiter is None:
        delimiter = find_delimiter(text.sample, text.source)
    else:
        delimiter = given_delimiter(reading.delimiter, text.source)
    below: list[Row] = []
    rows = _rows(text.lines(), delimiter, text.source, text.before, below)
    sample = [*islice(rows, len(text.sample))]
    if not sample:
        what = (
            "is empty below the lines that are skipped" if text.before else "is empty"
        )
        raise FileError(f"{text.source}: {what}")
    _check_rows(sample, text.source, reading.labels_as_text)
    check_width(len(sample[0][1]), text.source)
    first = [cell.strip() for cell in sample[0][1]]
    found = _in_bulk(text, delimiter, sample, reading)
    if found is None:
        check_fits(size_of(text.stream.buffer) // _BYTES, text.source)
        below.clear()
        sample = [*_rows(text.lines(), delimiter, text.source, text.before, below)]
        _check_rows(sample, text.source, reading.labels_as_text)
        lines = np.array([number for number, _ in sample])
        cells = zip(*(row for _, row in sample), strict=True)
        columns = [Column(0, None, np.array(each, object)) for each in cells]
        mark, percent = find_marks([column.cells for column in columns])
    else:
        lines, columns, below, mark, percent = found
    remarks: tuple[Piece, ...] = ()
    if below and len(columns) == 1:
        what = f"{count(len(below), 'empty line')} at the end, from line {below[0][0]}"
        remarks = (f"{what}, left out; a missing label is NA",)
    told = None if delimiter == NONE else delimiter
    table = Table(
        text.source,
        tuple(
            replace(column, number=j, mark=mark or ".")
            for j, column in enumerate(columns, 1)
        ),
        lines,
        ReadSummary("text", None, text.encoding, told, mark, percent),
        unit="line",
        remarks=remarks,
    )
    return _with_heading(table, first, reading.header)


def _rows(
    lines: Iterable[str], delimiter: str, source: str, before: int, empty: list[Row]
) -> Iterator[Row]:
    """
    Yield line number and cells of each row; an empty line is one empty cell.

    Those at the end, which are left in `empty`, are no rows.
    """
    for number, row in split_rows(lines, delimiter, source, before):
        if row:
            yield from empty
            yield number, row
            empty.clear()
        else:
            empty.append((number, [""]))


def _check_rows(rows: list[Row], source: str, as_text: bool) -> None:
    """
    Refuse comments and rows of other widths; those above a table can be skipped.

    R's row names, which have no heading, get one. Comments begin with ``#``, ``%``
    or ``@``, unless all rows below the first do.
    """
    (_, first), *others = rows
    if {len(row) for _, row in others} == {len(first) + 1} and all(first):
        counts = [[*map(str, range(k, k + len(first)))] for k in (0, 1)]
        is_name = not any(map(is_number, first)) and not first[0].startswith(COMMENTS)
        if is_name or first in counts:
            first.insert(0, "")
    starts = [row[0] for _, row in rows]
    marked = [x.startswith(COMMENTS) and not means_missing(x) for x in starts]
    if as_text or all(marked[1:]):
        marked = [False for _ in rows]
    marked[0] |= first == [""]
    widths = [0 if marked[k] else len(row) for k, (_, row) in enumerate(rows)]
    if not any(widths):
        raise FileError(f"{source}: is empty, but for an empty line")
    ((usual, _),) = Counter(filter(None, widths)).most_common(1)
    top, odd = widths.index(usual), [k for k, w in enumerate(widths) if w != usual]
    if odd:
        number, row = rows[odd[0]]
        what = f"{count(len(row), 'cell')} where line {rows[top][0]} has {usual}; "
        how: tuple[Piece, ...] = Keyword("delimiter"), " says what separates them"
        if marked[odd[0]] or row == [""]:
            what = f"found {shown(row[0])}, a comment or an empty line; "
            how = ("remove it",)
        if odd[-1] < top < len(rows) - 1:
            how += (f"; if no line above line {rows[top][0]} is an object, ",)
            how += Setting("skip", rows[top][0] - 1), " begins with the table"
        raise FileError(f"{source}, line {number}: {what}", *how)


def _in_bulk(
    text: Text, delimiter: str, rows: list[Row], reading: Reading
) -> _Bulk | None:
    """
    Return what a large file holds, of which `rows` were read.

    Columns of fractions become numbers, all others stay text. None if the file is
    small, or so unusual that Python's reader takes it, or says what is wrong.
    """
    last, row = rows[-1]
    goes_on = any("\n" in cell for cell in row)  # below the lines that were read
    even = len(rows) == len(text.sample) == last - text.before and not goes_on
    is_plain = delimiter.isascii() and not delimiter.isalnum()
    if not (even and is_plain) or text.encoding != "utf-8":
        return None
    content = text.stream.buffer
    content.seek(0)
    if text.sample[-1].endswith("\r") or size_of(content) < _WORTH:
        return None

    empty: list[Row] = []

    def careful(block: bytes, before: int) -> list[Row]:
        stream = io.TextIOWrapper(io.BytesIO(block), "utf-8", newline="")
        lines = _lines_of(stream, text.source, before)
        rows = [*_rows(lines, delimiter, text.source, before, empty)]
        if empty and size_of(content):
            raise FileError(f"{text.source}: holds empty lines, at the end or not")
        return rows

    cells = [*zip(*(row for _, row in rows), strict=True)]
    mark, percent = find_marks([np.array(each, object) for each in cells])
    may_be = [
        mark is not None and _may_be_numbers(number, column[0], mark, reading)
        for number, column in enumerate(cells, 1)
    ]
    if not any(may_be):  # text takes more than the numbers that it spells
        check_fits(size_of(content) // _BYTES, text.source)
    read = read_in_bulk(content, rows, delimiter, mark or ".", may_be, careful)
    if read is None:
        return None
    found, lines = read
    columns = [Column(0, None, cells, codes=codes) for cells, codes in found]
    told = find_marks([column.cells for column in columns if column.is_text])
    if all(column.is_text for column in columns):
        mark, percent = told
    elif told[0] not in (None, mark) or told[1] > percent:
        return None
    return lines, columns, empty, mark, percent


def _may_be_numbers(number: int, first: str, mark: str, reading: Reading) -> bool:
    """Return whether no cell of a column is wanted as it stands in the file."""
    as_they_are = {"", str(reading.column).strip(), str(reading.id_column).strip()}
    if reading.labels_as_text or reading.transpose:
        return False
    if {first.strip(), str(number)} & as_they_are:
        return False
    is_name = reading.header is not False and not _is_number(first)
    return is_name or math.isfinite(as_number(first, mark))


def _with_heading(whole: Table, first: list[str], header: bool | None) -> Table:
    """Take the first row as what it is: the names of the columns, or an object."""
    below = whole.take(slice(1, None))
    named = zip(below.columns, first, strict=True)
    columns = tuple(replace(column, name=name) for column, name in named)
    below = replace(below, columns=columns).noting(heading=True)
    whole = whole.noting(heading=False)
    n = below.n_objects
    if n == 0 and (header or (header is None and not any(map(is_number, first)))):
        raise FileError(f"{whole.source}: has a heading but no objects")
    if header is None:
        header = find_heading(first, columns) if n else False
    if header is not None:
        return below if header else whole
    how: tuple[Piece, ...] = Setting("header", True), " says a heading, "
    how += Setting("header", False), " an object, "
    how += Setting("skip", int(whole.lines[0])), " a title above the table"
    what = f"{whole.source}, {whole.row(0)}: is it a heading or an object? "
    error = UnsettledHeadingError(what, *how)
    error.tables = whole, below
    raise error
