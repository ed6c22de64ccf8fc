"""Tables as text: CSV, TSV and their relatives."""

import codecs
import csv
import io
import re
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.errors import FileError, Keyword, Piece, Setting
from concordant.files.columns import ID_NAMES, LABEL_NAMES
from concordant.files.table import (
    Column,
    Reading,
    ReadSummary,
    Table,
    are_booleans,
    as_numbers,
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

#: A row with the number of its first line.
Row = tuple[int, list[str]]

_NAMES = {"\t": "tab", ";": "semicolon", ",": "comma", "|": "bar", " ": "space"}
_WORDS = {name: mark for mark, name in _NAMES.items()} | {"none": NONE, "\\t": "\t"}
_MOST = 200  # rows in which numbers are counted
_NO_END = "unexpected end"  # of a file, within quotes

_BYTES = 8  # of text that take no less of memory than a number does
_WORTH = 1 << 20  # bytes from which on pandas is worth its import
_BLOCK = 1 << 22
_COMMENTS = "#", "%", "@"  # of NumPy, MATLAB, Weka


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
    for line in islice(_lines_of(stream, source), reading.skip, None):
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
            if len(line) > LONGEST_LINE or "\0" in line or "\r" in ends:
                what = "16 MiB, a NUL or a lone carriage return: is it a table?"
                raise FileError(f"{source}, line {number}: {what}")
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
    of blanks and tabs.
    """
    if delimiter == " ":
        lines = (line.expandtabs(1).strip(" \r\n") + "\n" for line in lines)
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
        yield number, row


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
    return column.is_text and cell in map(str.strip, column.cells.tolist())


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
    rows = _rows(text, delimiter)
    sample = [*islice(rows, len(text.sample))]
    if not sample:
        raise FileError(f"{text.source}: is empty")
    _check_rows(sample, text.source, reading.labels_as_text)
    cells = [*zip(*(row for _, row in sample), strict=True)]
    check_width(len(cells), text.source)
    first = [each[0].strip() for each in cells]
    (mark, percent), columns = find_marks(cells), None
    is_said = reading.header is False and not all(map(is_number, first))
    if mark and not is_said and not reading.labels_as_text:
        columns = _in_bulk(text, delimiter, mark, sample)
    if columns is not None:
        lines = sample[0][0] + np.arange(len(columns[0]))
    else:
        check_fits(size_of(text.stream.buffer) // _BYTES, text.source)
        sample += rows
        _check_rows(sample, text.source, reading.labels_as_text)
        lines = np.array([number for number, _ in sample])
        cells = [*zip(*(row for _, row in sample), strict=True)]
        columns = [np.array(each, dtype=object) for each in cells]
        mark, percent = find_marks(cells)
    told = None if delimiter == NONE else delimiter
    table = Table(
        text.source,
        tuple(Column(j, None, each, mark or ".") for j, each in enumerate(columns, 1)),
        lines,
        ReadSummary("text", None, text.encoding, told, mark, percent),
        unit="line",
    )
    return _with_heading(table, first, reading.header)


def _rows(text: Text, delimiter: str) -> Iterator[Row]:
    """Yield line number and cells of each row; an empty line is one empty cell."""
    empty: list[Row] = []
    for number, row in split_rows(text.lines(), delimiter, text.source, text.before):
        if len(row) > 1 or "".join(row).strip():
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
        is_name = not any(map(is_number, first)) and not first[0].startswith(_COMMENTS)
        if is_name or first in counts:
            first.insert(0, "")
    starts = [row[0] for _, row in rows]
    marked = [x.startswith(_COMMENTS) and not means_missing(x) for x in starts]
    if as_text or all(marked[1:]):
        marked = [False for _ in rows]
    marked[0] |= first == [""]
    widths = [0 if marked[k] else len(row) for k, (_, row) in enumerate(rows)]
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
    text: Text, delimiter: str, mark: str, rows: list[Row]
) -> list[NDArray[Any]] | None:
    """
    Return all columns, of which `rows` were read and pandas parses what is below.

    Those that hold fractions become numbers, all others stay text. None if the file is
    small or anything is unusual, a missing value too: Python's reader takes such a
    file, or says what is wrong. A short row lacks a number in the last column.
    """
    cells = [*zip(*(row for _, row in rows), strict=True)]
    numbers = [as_numbers(each, mark) for each in cells]
    below = [each[1:] for each in numbers]
    floats = [np.isfinite(x).all() and (x != np.floor(x)).any() for x in below]
    last, row = rows[-1]
    goes_on = any("\n" in cell for cell in row)  # below the lines that were read
    even = len(rows) == len(text.sample) == last - text.before and not goes_on
    n_lines = _count_lines(text, delimiter) if floats[-1] and even else 0
    if not n_lines or not delimiter.isascii():
        return None
    import pandas as pd

    how: dict[str, Any] = {"float_precision": "round_trip"}
    if tuple(int(part) for part in pd.__version__.split(".")[:2]) >= (3, 1):
        how = {}  # the only precision there is
    how |= {"header": None, "index_col": False, "na_filter": False, "decimal": mark}
    how |= {"skipinitialspace": True, "skip_blank_lines": False}
    width = range(len(cells))
    sample = [numbers[j] if floats[j] else np.array(cells[j], object) for j in width]
    content = text.stream.buffer
    content.seek(0)
    try:
        with warnings.catch_warnings(action="error"):  # rows that are too long
            frame = pd.read_csv(
                content,
                sep=r"\s+" if delimiter == " " else delimiter,
                names=[*width],
                dtype={j: float if floats[j] else object for j in width},
                skiprows=text.before + len(rows),
                **how,
            )
    except (ValueError, OverflowError, Warning):
        return None
    found = [np.concatenate([sample[j], frame[j]]) for j in width]
    if not floats[0] and any(x.startswith(_COMMENTS) for x in found[0].tolist()):
        return None
    return found if len(found[0]) == len(rows) + n_lines else None


def _count_lines(text: Text, delimiter: str) -> int:
    """Return the number of lines below the sample if many and plain, else 0."""
    content = text.stream.buffer
    content.seek(0)
    if size_of(content) < _WORTH or text.encoding != "utf-8":
        return 0
    # Quotes within a cell, which pandas takes as they come.
    mark = re.escape(delimiter.encode())
    odd = re.compile(rb'"(?<=[^"\n%b]")[^"\r\n%b]' % (mark, mark))
    n_lines, end = -text.before - len(text.sample), b""
    while block := content.read(_BLOCK) + content.readline(LONGEST_LINE):
        quotes = b'"' in block and (delimiter == " " or odd.search(block))
        returns = b"\r" in block and block.count(b"\r") != block.count(b"\r\n")
        if quotes or returns or b"\0" in block:
            return 0
        n_lines += int(np.count_nonzero(np.frombuffer(block, np.uint8) == ord("\n")))
        end = block[-1:]
    return n_lines + (end != b"\n")


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
