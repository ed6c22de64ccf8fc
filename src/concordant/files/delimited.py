"""Tables as text: CSV, TSV and their relatives."""

import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.errors import FileError, Keyword, Message, Setting
from concordant.files.columns import ID_NAMES, LABEL_NAMES
from concordant.files.layout import (
    NONE,
    Row,
    UnsettledHeadingError,
    find_delimiter,
    find_heading,
    given_delimiter,
    split_rows,
)
from concordant.files.lines import LONGEST_LINE, Text
from concordant.files.numbers import (
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

_BYTES = 8  # of text that take no less of memory than a number does
_WORTH = 1 << 20  # bytes from which on pandas is worth its import
_BLOCK = 1 << 22
_ROWS = 1 << 16  # that are parsed at a time


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
    lines: Sequence[int] = [number for number, _ in looked_at]
    columns: list[Any] = [*map(list, zip(*(row for _, row in looked_at), strict=True))]
    mark, percents = find_marks(columns)
    floats = [
        j
        for j, cell in enumerate(first)
        if mark
        and not percents[j]
        and reading.id_column not in (cell, j + 1, str(j + 1))
        and (reading.header is not False or is_number(cell))
        and _hold_fractions(columns[j][1:], mark)
    ]
    found = None
    # No row may go on below the lines that were looked at.
    even = len(lines) == len(text.sample) == lines[-1] - text.before
    if even and text.rest is not None and not reading.labels_as_text:
        found = _in_bulk(text, delimiter, mark or ".", columns, floats)
    if found is not None:
        columns, lines = found, range(lines[0], lines[0] + len(found[0]))
    else:
        if text.rest is not None:
            check_fits(size_of(text.stream) // _BYTES, text.source)
        below = [*rows]
        _check_widths(below, looked_at[0], text.source)
        lines = [*lines, *(number for number, _ in below)]
        for j, cells in enumerate(zip(*(row for _, row in below), strict=True)):
            columns[j] += cells
        if mark is None:
            mark, percents = find_marks(columns)
        columns = [np.array(cells, dtype=object) for cells in columns]
    table = Table(
        text.source,
        tuple(
            Column(j + 1, None, cells, mark or ".", percents[j])
            for j, cells in enumerate(columns)
        ),
        lines=lines,
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
    words = [line.strip().casefold() for line in sample]
    n_comments = words.index("@data") + 1 if "@data" in words else 0  # of Weka
    if first.startswith(("# ", "% ")) and not n_comments:
        others = (i for i, line in enumerate(sample) if line[0] != first[0])
        n_comments = next(others, 0)
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


def _rows(text: Text, delimiter: str) -> Iterator[Row]:
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


def _even(rows: list[Row], source: str) -> None:
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


def _check_widths(rows: Iterable[Row], top: Row, source: str) -> None:
    line, first = top
    for number, row in rows:
        if len(row) != len(first):
            raise FileError(
                f"{source}, line {number}: {count(len(row), 'cell')} where line {line} "
                f"has {len(first)}; ",
                Keyword("delimiter"),
                " says what separates them",
            )


def _hold_fractions(cells: Sequence[str], mark: str) -> bool:
    """Return whether all cells are numbers, some of them fractions."""
    numbers = as_numbers(cells, mark, percent=False)
    return bool(np.isfinite(numbers).all() and (numbers != np.floor(numbers)).any())


def _in_bulk(
    text: Text, delimiter: str, mark: str, sample: list[Any], floats: list[int]
) -> list[NDArray[Any]] | None:
    """
    Return all columns, of which a `sample` was read and pandas parses what is below.

    Those that are `floats` become numbers, all others stay text. None if the file is
    small or anything is unusual, a missing value too: Python's reader takes such a
    file, or says what is wrong. A short row lacks a number in the last column.
    """
    width = len(sample)
    n_lines = _count_usual_lines(text, delimiter) if width - 1 in floats else 0
    if not n_lines or not delimiter.isascii():
        return None
    import pandas as pd

    how: dict[str, Any] = {"float_precision": "round_trip"}
    if tuple(int(part) for part in pd.__version__.split(".")[:2]) >= (3, 1):
        how = {}  # the only precision there is
    text.stream.seek(text.rest or 0)
    columns: list[Any] = [
        [as_numbers(cells, mark, False) if j in floats else np.array(cells, object)]
        for j, cells in enumerate(sample)
    ]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # rows that are too long
            with pd.read_csv(
                text.path or text.stream,  # a path is quicker
                sep=r"\s+" if delimiter == " " else delimiter,
                decimal=mark,
                header=None,
                names=[*range(width)],
                index_col=False,
                dtype={j: float if j in floats else object for j in range(width)},
                na_filter=False,
                skipinitialspace=True,
                skip_blank_lines=False,
                skiprows=text.before + len(text.sample) if text.path else 0,
                compression=None,
                chunksize=_ROWS,
                **how,
            ) as frames:
                for frame in frames:
                    for j, pieces in enumerate(columns):
                        pieces.append(frame[j].to_numpy())
    except (ValueError, OverflowError, Warning):
        return None
    found = [np.concatenate(pieces) for pieces in columns]
    return found if len(found[0]) == len(text.sample) + n_lines else None


def _count_usual_lines(text: Text, delimiter: str) -> int:
    """Return the number of lines below the sample if many and plain, else 0."""
    stream = text.stream
    stream.seek(text.rest or 0)
    if size_of(stream) < _WORTH:
        return 0
    # Quotes within a cell, which pandas takes as they come.
    mark = re.escape(delimiter.encode())
    odd = re.compile(rb'"(?<=[^"\n%b]")[^"\r\n%b]' % (mark, mark))
    n_lines, end = 0, b"\n"
    while block := stream.read(_BLOCK) + stream.readline(LONGEST_LINE):
        end = block[-1:]
        if b"\0" in block or (
            b'"' in block and (delimiter == " " or odd.search(block))
        ):
            return 0
        if b"\r" in block and block.count(b"\r") != block.count(b"\r\n"):
            return 0
        try:
            block.isascii() or block.decode("utf-8")
        except UnicodeDecodeError:
            return 0
        n_lines += block.count(b"\n")
    return n_lines + (end != b"\n")


def _refuse_comments(table: Table) -> None:
    """Refuse a row below the first that begins with ``#``, unless all of them do."""
    cells = table.columns[0].cells.tolist() if table.columns[0].is_text else []
    marked = [i for i, cell in enumerate(cells) if cell.startswith("#")]
    marked = [i for i in marked if i and not means_missing(cells[i])]
    if 0 < len(marked) < len(cells) - 1:
        found = f"found {shown(cells[marked[0]])}, a comment? remove that line, "
        raise table.fault(f"{found}or the mark of an object", at=marked[0])


def _with_heading(whole: Table, first: list[str], header: bool | None) -> Table:
    """Take the first row as what it is: the names of the columns, or an object."""
    line, n = whole.line(0), whole.n_objects - 1
    below = replace(
        whole,
        columns=tuple(
            replace(column, name=name, cells=column.cells[1:])
            for column, name in zip(whole.columns, first, strict=True)
        ),
        lines=(whole.lines or [])[1:],
        understood=replace(whole.understood, heading=True),
    )
    whole = replace(whole, understood=replace(whole.understood, heading=False))
    if header is None:
        any_number = any(map(is_number, first))
        header = find_heading(first, below.columns) if n else not any_number
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
