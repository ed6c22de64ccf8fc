"""Tables as text: CSV, TSV and their relatives."""

import csv
import io
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from concordant.errors import FileError, Keyword, Message, Setting
from concordant.files import bulk
from concordant.files.delimiters import (
    NONE,
    find_delimiter,
    given_delimiter,
    split_rows,
)
from concordant.files.headings import find_heading
from concordant.files.lines import as_utf8, lines_of
from concordant.files.numbers import are_booleans, as_number, as_numbers
from concordant.files.table import Column, Table
from concordant.files.understanding import Understood
from concordant.files.undivided import UndividedRowError
from concordant.files.unsettled_heading import UnsettledHeadingError
from concordant.wording import count, shown

_SAMPLE = 1000  # lines by which the delimiter is found
_SAMPLE_BYTES = 1 << 20


@dataclass(frozen=True)
class _Content:
    """A column with its first cell."""

    first: str
    cells: bulk.Cells
    numbers: NDArray[np.float64]

    @property
    def has_fractions(self) -> bool:
        """Whether a number is not whole."""
        finite = self.numbers[np.isfinite(self.numbers)]
        return bool((finite != np.floor(finite)).any())

    def column(self, number: int) -> Column:
        """Take the first cell as one of them."""
        return Column(number, None, self.cells, self.numbers)

    def below(self, number: int) -> Column:
        """Take the first cell as the name."""
        cells = self.cells
        rest = (lambda: cells()[1:]) if callable(cells) else cells[1:]
        return Column(number, self.first.strip(), rest, self.numbers[1:])


def read_delimited(
    stream: io.BufferedReader,
    source: str,
    *,
    delimiter: str | None = None,
    header: bool | None = None,
    skip: int = 0,
    encoding: str | None = None,
    compression: str | None = None,
    tabs: bool = False,
) -> Table:
    """
    Read a table of text, with all columns, that of ids among them.

    Lines end in LF, CRLF or CR. Cells may be quoted; blanks around a cell are not part
    of it. `delimiter` is one character or a word as in `given_delimiter`; by default
    `find_delimiter` finds it, unless `tabs` says that tabs, if there are any, divide
    cells, and `find_heading` finds the heading. `encoding` is as in `as_utf8`, and
    `compression` how the file was compressed. Raises `UnsettledHeadingError` if the
    first row may be a heading or an object.
    """
    stream, encoding = as_utf8(stream, source, encoding)
    for _ in range(skip):
        stream.readline()
    sample, whole = _sample(stream, source, skip)
    if not any(line.strip() for line in sample):
        raise FileError(f"{source}: is empty")
    before = skip
    if found := re.fullmatch(r"sep=(.)\s*", sample[0]):  # what Excel goes by
        delimiter = delimiter or found[1]
        sample, before = sample[1:], skip + 1
    elif _has_a_commented_heading(sample, source, skip):
        sample[0] = sample[0].lstrip("# ")
        header = True
    if delimiter is not None:
        delimiter = given_delimiter(delimiter, source)
    elif tabs and any("\t" in line for line in sample):
        delimiter = "\t"
    else:
        delimiter = find_delimiter(sample, source)
    data = b"" if whole else stream.read()
    contents, lines = _contents(sample, data, source, delimiter, before)
    decimal, percent = _marks(contents, lines, source)
    understood = Understood(
        "text",
        compression=compression,
        encoding=encoding,
        delimiter=None if delimiter == NONE else delimiter,
        decimal=decimal,
        percent=percent,
    )
    return _with_heading(contents, lines, source, header, understood)


def _sample(
    stream: io.BufferedReader, source: str, before: int
) -> tuple[list[str], bool]:
    """Give the first lines, and whether they are all."""
    sample, size = [], 0
    for line in lines_of(stream, source, before):
        sample.append(line)
        size += len(line)
        if len(sample) == _SAMPLE or size > _SAMPLE_BYTES:
            return sample, False
    return sample, True


def _has_a_commented_heading(sample: list[str], source: str, skip: int) -> bool:
    """Tell whether ``#`` stands before names, and refuse other comments."""
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


def _names_columns(sample: list[str]) -> bool:
    """Tell whether a comment has as many cells as each line below it."""
    bare = [sample[0].lstrip("# "), *sample[1:20]]
    for delimiter in ("\t", ";", ",", "|", " "):
        try:
            widths = {len(row) for row in split_rows(bare, delimiter) if row}
        except csv.Error:
            continue
        if len(widths) == 1 and widths != {1}:
            return True
    return all(len(line.split()) == 1 for line in bare if line.strip())


def _contents(
    sample: list[str], data: bytes, source: str, delimiter: str, before: int
) -> tuple[list[_Content], NDArray[np.intp]]:
    """Give each column as text and numbers, and the line of each row."""
    if len(data) >= bulk.WORTH:
        in_bulk = _in_bulk(sample, data, delimiter, source, before)
        if in_bulk is not None:
            return in_bulk
    rest: io.BufferedReader = io.BufferedReader(io.BytesIO(data))
    lines = chain(sample, lines_of(rest, source, before + len(sample)))
    rows, numbers = _rows(lines, source, delimiter, before)
    columns = []
    for j in range(len(rows[0])):
        texts = [row[j] for row in rows]
        cells = np.array(texts, dtype=object)
        columns.append(_Content(texts[0], cells, _numbers(texts)))
    return columns, np.array(numbers)


def _numbers(texts: list[str]) -> NDArray[np.float64]:
    if are_booleans(texts):
        return as_numbers(texts)
    first, *others = texts
    return np.append(as_number(first), as_numbers(others))


def _in_bulk(
    sample: list[str], data: bytes, delimiter: str, source: str, before: int
) -> tuple[list[_Content], NDArray[np.intp]] | None:
    """Do so many cells at a time, if nothing unusual is seen."""
    try:
        rows, lines = _rows(iter(sample), source, delimiter, before)
    except FileError:
        return None
    width = len(rows[0])
    if lines[-1] != before + len(sample) or len(rows) < 2:
        return None
    texts = [[row[j] for row in rows] for j in range(width)]
    textual = {
        j for j in range(width) if np.isnan([as_number(x) for x in texts[j][1:]]).all()
    }
    rest = bulk.bulk_columns(data, delimiter, width, textual)
    if rest is None:
        return None
    columns = [
        _Content(first[0], *bulk.joined(first, more))
        for first, more in zip(texts, rest, strict=True)
    ]
    n_rows = len(columns[0].numbers)
    more = np.arange(n_rows - len(lines)) + lines[-1] + 1
    return columns, np.concatenate([np.array(lines), more])


def _rows(
    lines: Iterable[str], source: str, delimiter: str, before: int
) -> tuple[list[list[str]], list[int]]:
    """Give the cells and the line number of each row."""
    reader = split_rows(lines, delimiter)
    rows: list[list[str]] = []
    numbers: list[int] = []
    blanks: list[int] = []
    while True:
        number = before + reader.line_num + 1
        try:
            row = next(reader, None)
        except UndividedRowError as error:
            raise FileError(f"{source}, line {number}: {error.reason}") from error
        if row is None:
            break
        if not row or (len(row) == 1 and not row[0].strip()):
            blanks.append(number)
            continue
        if blanks and rows and {1} == {*map(len, rows), len(row)}:
            # In one column of cells, an empty line is a cell that holds nothing.
            rows += [[""] for _ in blanks]
            numbers += blanks
        elif blanks:
            raise FileError(f"{source}, line {blanks[0]}: an empty line")
        blanks.clear()
        rows.append(row)
        numbers.append(number)
    if not rows:
        raise FileError(f"{source}: is empty")
    _add_a_corner(rows)
    _check_widths(rows, numbers, source)
    return rows, numbers


def _add_a_corner(rows: list[list[str]]) -> None:
    """Name the column of R's row names, which its heading leaves out."""
    first, *others = rows
    if not others or any(len(row) != len(first) + 1 for row in others):
        return
    numbers = [as_number(cell) for cell in first]
    counts = [*range(len(first))], [*range(1, len(first) + 1)]
    if all(number != number for number in numbers) or numbers in counts:
        first.insert(0, "")


def _check_widths(rows: list[list[str]], numbers: list[int], source: str) -> None:
    if len({*map(len, rows)}) == 1:
        return
    for row, number in zip(rows, numbers, strict=True):
        if len(row) != len(rows[0]):
            raise FileError(
                f"{source}, line {number}: {count(len(row), 'cell')} where line "
                f"{numbers[0]} has {len(rows[0])}; ",
                Keyword("delimiter"),
                " says what separates them",
            )


def _with_heading(
    contents: list[_Content],
    lines: NDArray[np.intp],
    source: str,
    header: bool | None,
    understood: Understood,
) -> Table:
    """Take the first row as a heading if it is one."""
    first = [content.first.strip() for content in contents]
    below = [content.below(number) for number, content in enumerate(contents, start=1)]

    def settled(heading: bool) -> Table:
        known = replace(understood, heading=heading)
        if heading:
            return Table(source, tuple(below), lines=lines[1:], understood=known)
        every = tuple(one.column(number) for number, one in enumerate(contents, 1))
        return Table(source, every, lines=lines, understood=known)

    n_rows = len(lines)
    if header is None and n_rows == 1:
        header = all(as_number(cell) != as_number(cell) for cell in first)
    elif header is None:
        header = find_heading(first, below)
    if header is None:
        raise UnsettledHeadingError(
            Message(
                f"{source}, line {lines[0]}: is it a heading or an object? ",
                Setting("header", True),
                f" says a heading ({count(n_rows - 1, 'object')}), ",
                Setting("header", False),
                f" an object ({n_rows} objects)",
            ),
            n_rows,
            settled,
        )
    if header and n_rows == 1:
        raise FileError(f"{source}: has a heading but no objects")
    return settled(header)


def _marks(
    contents: list[_Content], lines: NDArray[np.intp], source: str
) -> tuple[str | None, bool]:
    """Find the decimal mark and whether there are percentages, and refuse mixtures."""
    mark, percent = None, False
    numeric = [
        (number, content)
        for number, content in enumerate(contents, start=1)
        if 2 * np.count_nonzero(~np.isnan(content.numbers)) >= content.numbers.size - 1
    ]
    if all(callable(content.cells) for _, content in numeric):
        # Read many at a time, which knows no comma and no percent.
        fractions = any(content.has_fractions for _, content in numeric)
        return "." if fractions else None, False
    for number, content in numeric:
        cells = content.cells() if callable(content.cells) else content.cells
        known = np.flatnonzero(~np.isnan(content.numbers)).tolist()
        in_percent = [position for position in known if "%" in cells[position]]
        if 0 < len(in_percent) < len(known):
            other = next(p for p in known if "%" not in cells[p])
            raise FileError(
                f"{source}, line {lines[other]}, column {number}: found "
                f"{shown(cells[other])} in a column of percentages"
            )
        percent = percent or bool(in_percent)
        for position in known:
            cell = cells[position]
            found = "," if "," in cell else "." if "." in cell else mark
            if mark is not None and found != mark:
                raise FileError(
                    f"{source}, line {lines[position]}, column {number}: found "
                    f"{shown(cell)} in a table whose decimal mark is {shown(mark)}"
                )
            mark = found
    return mark, percent
