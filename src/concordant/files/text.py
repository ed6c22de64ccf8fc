"""Tables as text: CSV, TSV and their relatives."""

import io
import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count as count_from
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from concordant.errors import FileError, Keyword, Message, Setting
from concordant.files.bulk import add_in_bulk
from concordant.files.delimiters import (
    NONE,
    find_delimiter,
    given_delimiter,
    split_rows,
)
from concordant.files.headings import (
    LABEL_NAMES,
    UnsettledHeadingError,
    find_heading,
)
from concordant.files.identification import ID_NAMES
from concordant.files.lines import as_utf8, lines_of
from concordant.files.numbers import (
    as_number,
    as_numbers,
    find_marks,
    is_number,
    means_missing,
)
from concordant.files.table import Column, Table, check_width
from concordant.files.understanding import Understood
from concordant.wording import count, shown

_SAMPLE = 1000  # lines that are looked at first
_SAMPLE_BYTES = 1 << 20
_ROWS = 1 << 14  # that are divided into cells at a time

_Row = tuple[int, list[str]]
_Style = tuple[str, bool]  # the decimal mark, and whether cells are percentages


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
            yield from lines_of(self.stream, self.source, below)


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
            return Text(source, stream, sample, None, skip, encoding)
        sample.append(line)
        size += len(line)
    own = path if stream is given else None
    return Text(source, stream, sample, stream.tell(), skip, encoding, own)


def read_text(
    text: Text,
    *,
    delimiter: str | None = None,
    header: bool | None = None,
    tabs: bool = False,
    as_text: bool = False,
    id_column: str | int | None = None,
) -> Table:
    """
    Read a table with all columns, that of ids among them.

    `delimiter` is one character or a word as in `given_delimiter`; by default
    `find_delimiter` finds it, unless `tabs` says that tabs, if there are any, separate
    cells, and `find_heading` finds the heading. Columns of fractions below the first
    lines of a large file are kept as numbers alone, unless all are wanted `as_text` or
    they are the `id_column`. Raises `UnsettledHeadingError` if the first row may be a
    heading or an object.
    """
    if not any(line.strip() for line in text.sample):
        raise FileError(f"{text.source}: is empty")
    if found := re.fullmatch(r"sep=(.)\s*", text.sample[0]):  # what Excel goes by
        delimiter = delimiter or found[1]
        text = replace(text, sample=text.sample[1:], before=text.before + 1)
    elif _has_a_commented_heading(text):
        text = replace(text, sample=[text.sample[0].lstrip("# "), *text.sample[1:]])
        header = True
    if delimiter is not None:
        delimiter = given_delimiter(delimiter, text.source)
    elif tabs and any("\t" in line for line in text.sample):
        delimiter = "\t"
    else:
        delimiter = find_delimiter(text.sample, text.source)
    looked_at = [*islice(_rows(text, delimiter), _SAMPLE)]
    (line, first), *below = _even(looked_at, text.source)
    names = [cell.strip() for cell in first]
    looked_at_columns = [*zip(first, *(row for _, row in below), strict=True)]
    mark, percents = find_marks(looked_at_columns)
    fractions = {
        j
        for j, (_, *cells) in enumerate(looked_at_columns)
        if not (text.rest is None or as_text or mark is None or percents[j])
        and id_column not in (names[j], j + 1, str(j + 1))
        and _holds_fractions(cells, mark)
    }
    lines, columns = _read(text, delimiter, first, fractions, mark)
    if mark is None:
        mark, percents = find_marks(columns)
    styles = [(mark or ".", percent) for percent in percents]
    understood = Understood(
        "text",
        encoding=text.encoding,
        delimiter=None if delimiter == NONE else delimiter,
        decimal=mark,
        percent=any(percents),
        heading=True,
    )
    table = Table(
        text.source,
        tuple(map(_column, count_from(1), names, columns, styles)),
        lines=lines[1:],
        understood=understood,
    )
    return _with_heading(table, line, header, styles)


def _has_a_commented_heading(text: Text) -> bool:
    """Return whether ``#`` stands before names, and refuse other comments."""
    sample, skip = text.sample, text.before
    for number, line in enumerate(sample, start=skip + 1):
        if line.strip().casefold() == "@data":
            raise FileError(
                f"{text.source}, line {number}: an ARFF file; ",
                Setting("skip", number),
                " reads what is below @data",
            )
    first = sample[0].strip()
    if not first.startswith(("# ", "% ")) or len(sample) == 1:
        return False
    kept = (i for i, line in enumerate(sample) if not line.startswith(first[0]))
    n_comments = next(kept, 0)
    if n_comments == 1 and first[0] == "#" and _names_columns(sample):
        return True
    if n_comments:
        raise FileError(
            f"{text.source}, line {skip + 1}: found {shown(first)}, a comment; ",
            Setting("skip", skip + n_comments),
            " leaves it out",
        )
    return False


def _names_columns(sample: Sequence[str]) -> bool:
    """Return whether a comment has as many cells as each line below it."""
    bare = [sample[0].lstrip("# "), *sample[1:20]]
    try:
        delimiter = find_delimiter(bare, "")
        widths = {len(row) for _, row in split_rows(bare, delimiter) if row}
    except FileError:
        return False
    return len(widths) == 1


def _rows(text: Text, delimiter: str) -> Iterator[_Row]:
    """Yield the line number and the cells of each row."""
    blanks: list[int] = []
    n_rows, single = 0, True
    for number, row in split_rows(text.lines(), delimiter, text.source, text.before):
        if not row or (len(row) == 1 and not row[0].strip()):
            blanks.append(number)
            continue
        single = single and len(row) == 1
        if blanks and not (n_rows and single):
            raise FileError(f"{text.source}, line {blanks[0]}: an empty line")
        # In one column of cells, an empty line is a cell that holds nothing.
        yield from ((blank, [""]) for blank in blanks)
        yield number, row
        n_rows += 1
        blanks.clear()
    if not n_rows:
        raise FileError(f"{text.source}: is empty")


def _even(rows: list[_Row], source: str) -> list[_Row]:
    """Name the column of R's row names, which its heading leaves out, if need be."""
    first, others = rows[0][1], rows[1:]
    if others and all(len(row) == len(first) + 1 for _, row in others):
        numbers = [as_number(cell) for cell in first]
        counts = [*range(len(first))], [*range(1, len(first) + 1)]
        if not any(map(is_number, first)) or numbers in counts:
            first.insert(0, "")
    _check_widths(rows, rows[0], source)
    check_width(len(first), source)
    return rows


def _check_widths(rows: Iterable[_Row], top: _Row, source: str) -> None:
    line, first = top
    for number, row in rows:
        if len(row) != len(first):
            raise FileError(
                f"{source}, line {number}: {count(len(row), 'cell')} where line {line} "
                f"has {len(first)}; ",
                Keyword("delimiter"),
                " says what separates them",
            )


def _holds_fractions(cells: Sequence[str], mark: str | None) -> bool:
    numbers = as_numbers(cells, mark, percent=False)
    known = numbers[np.isfinite(numbers)]
    return 2 * known.size >= numbers.size and bool((known != np.floor(known)).any())


class _WordError(Exception):
    """A word in a column that was to be kept as numbers alone."""


def _read(
    text: Text, delimiter: str, first: list[str], fractions: set[int], mark: str | None
) -> tuple[Sequence[int], list[Any]]:
    """Return the lines of all rows, and the columns below the first row."""
    bulk = text.rest is not None
    while True:
        lines = array("q")
        columns: list[Any] = [
            array("d") if j in fractions else [] for j, _ in enumerate(first)
        ]
        rows = _rows(text, delimiter)
        top = next(rows)[0], first
        lines.append(top[0])
        try:
            _add(lines, columns, [*islice(rows, len(text.sample) - 1)], mark)
            if bulk and text.rest is not None:
                bulk = False
                # No row may go on below the lines that were looked at.
                even = len(lines) == len(text.sample) == lines[-1] - text.before
                text.stream.seek(text.rest)
                if even and add_in_bulk(
                    text.stream, text.path, delimiter, mark, lines, columns
                ):
                    return lines, columns
                continue
            while chunk := [*islice(rows, _ROWS)]:
                _check_widths(chunk, top, text.source)
                _add(lines, columns, chunk, mark)
            return lines, columns
        except _WordError as error:
            fractions = fractions - {*error.args}


def _add(lines: Any, columns: list[Any], rows: list[_Row], mark: str | None) -> None:
    lines.extend(number for number, _ in rows)
    for j, cells in enumerate(zip(*(row for _, row in rows), strict=True)):
        if isinstance(columns[j], list):
            columns[j] += cells
            continue
        numbers = [as_number(cell, mark, percent=False) for cell in cells]
        columns[j].extend(numbers)
        for cell, number in zip(cells, numbers, strict=True):
            if number != number and not means_missing(cell, among_numbers=True):
                raise _WordError(j)


def _column(number: int, name: str, cells: Any, style: _Style) -> Column:
    if isinstance(cells, array):
        numbers = np.frombuffer(cells)
        return Column(number, name, numbers, numbers)
    return Column(
        number, name, np.array(cells, dtype=object), as_numbers(cells, *style)
    )


def _with_heading(
    below: Table, line: int, header: bool | None, styles: list[_Style]
) -> Table:
    """Take the first row, which stands as names above a table, as what it is."""
    first = [column.name or "" for column in below.columns]
    n = below.n_objects
    if header is None:
        header = (
            find_heading(first, below.columns) if n else not any(map(is_number, first))
        )
    if header and n == 0:
        raise FileError(f"{below.source}: has a heading but no objects")
    if header:
        return below
    columns = tuple(map(_with_first, below.columns, styles))
    whole = replace(
        below,
        columns=columns,
        lines=[line, *below.lines],
        understood=replace(below.understood, heading=False),
    )
    if header is False:
        return whole
    known = ID_NAMES | LABEL_NAMES
    second = {str(column.cell(0)).strip().casefold() for column in below.columns}
    is_title = second & known and not known & {cell.casefold() for cell in first}
    skip = Setting("skip", line)
    raise UnsettledHeadingError(
        Message(
            f"{below.source}, line {line}: is it a heading or an object? ",
            Setting("header", True),
            f" says a heading ({count(n, 'object')}), ",
            Setting("header", False),
            f" an object ({n + 1} objects)",
            Message("; if it is a title, ", skip, " begins with the line below")
            if is_title
            else "",
        ),
        n + 1,
        (whole, below),
    )


def _with_first(column: Column, style: _Style) -> Column:
    """Put what stands as its name on top of a column."""
    cell = column.name or ""
    number = (
        float(as_numbers([cell], *style)[0])
        if column.is_boolean
        else as_number(cell, *style)
    )
    numbers = np.append(number, column.numbers)
    is_word = number != number and not means_missing(cell, among_numbers=True)
    if column.is_text or is_word:
        cells = np.array([cell, *column.cells.tolist()], dtype=object)
    else:
        cells = numbers
    return Column(column.number, None, cells, numbers)
