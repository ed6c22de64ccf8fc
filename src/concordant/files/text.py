"""Tables as text: CSV, TSV and their relatives."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np

from concordant.errors import FileError, Keyword, Message, Setting
from concordant.files.bulk import read_in_bulk
from concordant.files.delimiters import (
    NONE,
    find_delimiter,
    given_delimiter,
    split_rows,
)
from concordant.files.headings import LABEL_NAMES, UnsettledHeadingError, find_heading
from concordant.files.identification import ID_NAMES
from concordant.files.lines import Text
from concordant.files.numbers import (
    are_booleans,
    as_number,
    as_numbers,
    find_marks,
    is_number,
    means_missing,
)
from concordant.files.summary import Reading, ReadSummary
from concordant.files.table import Column, Table, check_width
from concordant.storage.source import check_fits, size_of
from concordant.wording import count, shown

_ROWS = 1 << 14  # that are divided into cells at a time
_BYTES = 8  # of text that take no less of memory than a number does

_Row = tuple[int, list[str]]


def read_text(text: Text, reading: Reading, tabs: bool = False) -> Table:
    """
    Read a table with all columns, that of ids among them.

    By default `find_delimiter` finds the delimiter, unless `tabs` says that tabs, if
    there are any, separate cells, and `find_heading` finds the heading. Columns of
    fractions below the first lines of a large file are kept as numbers alone, unless
    all are wanted as text or they are the ids. Raises `UnsettledHeadingError` if the
    first row may be a heading or an object.
    """
    text, reading = _below_preamble(text, reading)
    if reading.delimiter is not None:
        delimiter = given_delimiter(reading.delimiter, text.source)
    elif tabs and any("\t" in line for line in text.sample):
        delimiter = "\t"
    else:
        delimiter = find_delimiter(text.sample, text.source)
    rows = _rows(text, delimiter)
    looked_at = [*islice(rows, len(text.sample))]
    _even(looked_at, text.source)
    first = [cell.strip() for cell in looked_at[0][1]]
    lines = [number for number, _ in looked_at]
    columns: list[Any] = [*map(list, zip(*(row for _, row in looked_at), strict=True))]
    mark, percents = find_marks(columns)
    found = None
    # No row may go on below the lines that were looked at.
    even = len(lines) == len(text.sample) == lines[-1] - text.before
    if text.rest is not None and even and not reading.labels_as_text:
        texts = {
            j
            for j, cell in enumerate(first)
            if percents[j]
            or reading.id_column in (cell, j + 1, str(j + 1))
            or (reading.header is False and not is_number(cell))
        }
        text.stream.seek(text.rest)
        found = read_in_bulk(
            text.stream, text.path, lines[-1], delimiter, mark, columns, texts
        )
    if found is None and text.rest is not None:
        check_fits(size_of(text.stream) // _BYTES, text.source)
    while found is None and (chunk := [*islice(rows, _ROWS)]):
        _check_widths(chunk, looked_at[0], text.source)
        lines += [number for number, _ in chunk]
        for j, cells in enumerate(zip(*(row for _, row in chunk), strict=True)):
            columns[j] += cells
    columns = columns if found is None else found
    if mark is None:
        mark, percents = find_marks(columns)
    table = Table(
        text.source,
        tuple(
            _column(j, cells, mark or ".", percents[j - 1])
            for j, cells in enumerate(columns, start=1)
        ),
        lines=range(lines[0], lines[0] + len(columns[0])) if found else lines,
        understood=ReadSummary(
            "text",
            encoding=text.encoding,
            delimiter=None if delimiter == NONE else delimiter,
            decimal=mark,
            percent=any(percents),
        ),
    )
    if not reading.labels_as_text:
        _refuse_comments(table)
    return _with_heading(table, first, reading.header)


def _below_preamble(text: Text, reading: Reading) -> tuple[Text, Reading]:
    """Take ``sep=;`` and a commented heading as such, and refuse other comments."""
    sample, before = text.sample, text.before
    if not any(line.strip() for line in sample):
        raise FileError(f"{text.source}: is empty")
    if found := re.fullmatch(r"sep=(.)\s*", sample[0]):  # what Excel goes by
        said = replace(reading, delimiter=reading.delimiter or found[1])
        return replace(text, sample=sample[1:], before=before + 1), said
    first = sample[0].strip()
    numbered = [*enumerate(sample)]
    n_comments = next(  # of Weka
        (i + 1 for i, line in numbered if line.strip().casefold() == "@data"), 0
    )
    if first.startswith(("# ", "% ")) and not n_comments:
        n_comments = next((i for i, line in numbered if line[0] != first[0]), 0)
        bare = [sample[0].lstrip("# "), *sample[1:]]
        if n_comments == 1 and first[0] == "#" and _is_regular(bare[:20]):
            return replace(text, sample=bare), replace(reading, header=True)
    if n_comments:
        raise FileError(
            f"{text.source}, line {before + 1}: found {shown(first)}, a comment; ",
            Setting("skip", before + n_comments),
            " begins below it",
        )
    return text, reading


def _is_regular(lines: Sequence[str]) -> bool:
    """Return whether all lines have as many cells."""
    try:
        rows = split_rows(lines, find_delimiter(lines, ""))
        return len({len(row) for _, row in rows if row}) == 1
    except FileError:
        return False


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
            below = (Setting("skip", blanks[-1]), " begins below it")
            remedy = below if n_rows == 1 else ("remove it",)
            raise FileError(
                f"{text.source}, line {blanks[0]}: an empty line; ", *remedy
            )
        # In one column of cells, an empty line is a cell that holds nothing.
        yield from ((blank, [""]) for blank in blanks)
        yield number, row
        n_rows += 1
        blanks.clear()
    if not n_rows:
        raise FileError(f"{text.source}: is empty")


def _even(rows: list[_Row], source: str) -> None:
    """Name the column of R's row names, which its heading leaves out, if need be."""
    (line, first), *others = rows
    widths = {len(row) for _, row in others}
    if widths == {len(first) + 1}:
        numbers = [as_number(cell) for cell in first]
        counts = [*range(len(first))], [*range(1, len(first) + 1)]
        if not any(map(is_number, first)) or numbers in counts:
            first.insert(0, "")
    if len(others) > 1 and len(widths) == 1 and len(first) not in widths:
        raise FileError(
            f"{source}, line {line}: {count(len(first), 'cell')} where each line below "
            f"has {widths.pop()}; ",
            Setting("skip", line),
            " begins below it",
        )
    _check_widths(rows, rows[0], source)
    check_width(len(first), source)


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


def _column(number: int, cells: Any, mark: str, percent: bool) -> Column:
    if isinstance(cells, np.ndarray):
        return Column(number, None, cells, cells)
    if are_booleans(cells[:1]):
        numbers = as_numbers(cells, mark, percent)
    else:  # those below may be, if the first is a name
        below = as_numbers(cells[1:], mark, percent)
        numbers = np.append(as_number(cells[0], mark, percent), below)
    return Column(number, None, np.array(cells, dtype=object), numbers)


def _refuse_comments(table: Table) -> None:
    """Refuse a row below the first that begins with ``#``, if few of them do."""
    cells = table.columns[0].cells.tolist() if table.columns[0].is_text else []
    marked = [i for i, cell in enumerate(cells) if cell.startswith("#")]
    marked = [i for i in marked if i and not means_missing(cells[i])]
    if 0 < 2 * len(marked) < len(cells):
        found = f"found {shown(cells[marked[0]])}, a comment? remove that line, "
        raise table.fault(f"{found}or the mark of an object", at=marked[0])


def _with_heading(whole: Table, first: list[str], header: bool | None) -> Table:
    """Take the first row as what it is: the names of the columns, or an object."""
    line, n = whole.lines[0], whole.n_objects - 1
    below = replace(
        whole,
        columns=tuple(
            Column(c.number, name, c.cells[1:], c.numbers[1:])
            for c, name in zip(whole.columns, first, strict=True)
        ),
        lines=whole.lines[1:],
        understood=replace(whole.understood, heading=True),
    )
    whole = replace(whole, understood=replace(whole.understood, heading=False))
    if header is None and n:
        header = find_heading(first, below.columns)
    elif header is None:
        header = not any(map(is_number, first))
    if header and n == 0:
        raise FileError(f"{whole.source}: has a heading but no objects")
    if header is not None:
        return below if header else whole
    known = ID_NAMES | LABEL_NAMES
    second = {str(column.cell(0)).strip().casefold() for column in below.columns}
    title = second & known and not known & {cell.casefold() for cell in first}
    skip = Message("; if it is a title, ", Setting("skip", line), " begins below it")
    raise UnsettledHeadingError(
        Message(
            f"{whole.source}, line {line}: is it a heading or an object? ",
            Setting("header", True),
            f" says a heading ({count(n, 'object')}), ",
            Setting("header", False),
            f" an object ({n + 1} objects)",
            skip if title else "",
        ),
        n + 1,
        (whole, below),
    )
