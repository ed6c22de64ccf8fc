"""Tables as text: CSV, TSV and their relatives."""

import csv
import io
import math
from collections.abc import Iterable, Iterator
from itertools import chain, islice

import numpy as np

from concordant.files.errors import FileError, shown
from concordant.files.identification import ID_NAMES
from concordant.files.table import Column, Table, as_number, as_numbers

_DELIMITERS = ("\t", ";", ",")
_SAMPLE = 20  # lines by which the delimiter is found
_LONGEST_LINE = 1 << 24

#: A first row of text is a header if one of its cells is such a name.
_LABEL_NAMES = frozenset(
    {"class", "cluster", "clusters", "group", "label", "labels", "partition", "target"}
)


def read_delimited(
    stream: io.BufferedReader,
    source: str,
    *,
    delimiter: str | None = None,
    header: bool | None = None,
) -> Table:
    """
    Read a table of text.

    Parameters
    ----------
    stream : io.BufferedReader
        UTF-8, with a byte order mark or without, lines ended by LF or CRLF. Cells may
        be quoted; blanks after a delimiter are not part of a cell.
    source : str
        What messages call it.
    delimiter : str, optional
        One character. Found by default: of tab, semicolon and comma, in this order,
        the first that divides each of the first 20 lines into the same number of
        cells, two or more; failing that, the first that divides the first line.
    header : bool, optional
        Whether the first row names the columns. Found by default: see Notes.

    Returns
    -------
    Table
        With all columns, that of ids among them.

    Raises
    ------
    FileError
        If it is not such a table, with the line.

    Notes
    -----
    The first row is a header if

    - it is one cell shorter than the others and holds no number, as R writes it, or
      its first cell is empty, as pandas writes it: the first column holds row names;
    - or none of its cells is a number above the columns of numbers, those in which at
      least half of the other cells are numbers;
    - or no column holds numbers, and a cell of the first row is a name such as
      ``id``, ``name``, ``label``, ``cluster`` or ``class`` that its column does not
      repeat.

    A first row that is partly names and partly numbers, or that counts 0, 1, 2, ...
    or 1, 2, 3, ..., may be either: it is refused unless `header` says which.

    Where the delimiter is a semicolon, the decimal sign of a column may be a comma;
    a column with both signs is refused.
    """
    lines = _lines(stream, source)
    sample = [*islice(lines, _SAMPLE)]
    if not sample:
        raise FileError(f"{source}: is empty")
    if delimiter is None:
        delimiter = _find_delimiter(sample)
    elif len(delimiter) != 1 or delimiter in '\r\n"':
        raise FileError(
            f"{source}: the delimiter must be one character, found {shown(delimiter)}"
        )
    rows, numbers = _rows(chain(sample, lines), source, delimiter)
    if not rows:
        raise FileError(f"{source}: is empty")
    if header is not False and _lacks_a_corner(rows):
        rows[0].insert(0, "")
        header = True
    _check_widths(rows, numbers, source)
    table = _table(rows, numbers, source, header, decimal_comma=delimiter == ";")
    if delimiter == ";":
        _check_decimal_signs(table)
    return table


def _lines(stream: io.BufferedReader, source: str) -> Iterator[str]:
    """Give line after line of text, and refuse what is not text."""
    number = 0
    while line := stream.readline(_LONGEST_LINE + 1):
        number += 1
        if len(line) > _LONGEST_LINE:
            raise FileError(
                f"{source}, line {number}: longer than {_LONGEST_LINE >> 20} MiB; one "
                "object per line is expected"
            )
        if number == 1:
            if line.startswith((b"\xff\xfe", b"\xfe\xff")):
                raise FileError(f"{source}, line 1: UTF-16; save it as UTF-8")
            line = line.removeprefix(b"\xef\xbb\xbf")
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError as error:
            raise FileError(
                f"{source}, line {number}, byte {error.start + 1}: not UTF-8 (found "
                f"0x{line[error.start]:02x})"
            ) from error
        if "\0" in text:
            raise FileError(
                f"{source}, line {number}, byte {line.index(0) + 1}: a NUL character; "
                "is it a text file?"
            )
        yield text


def _find_delimiter(sample: list[str]) -> str:
    counts = {}
    for delimiter in _DELIMITERS:
        try:
            rows = [*csv.reader(sample, delimiter=delimiter, skipinitialspace=True)]
        except csv.Error:
            continue
        counts[delimiter] = [len(row) for row in rows if row] or [1]
    for delimiter, widths in counts.items():
        if widths[0] > 1 and len(set(widths)) == 1:
            return delimiter
    for delimiter, widths in counts.items():
        if widths[0] > 1:
            return delimiter
    return ","


def _rows(
    lines: Iterable[str], source: str, delimiter: str
) -> tuple[list[list[str]], list[int]]:
    """Give the cells and the line number of each row."""
    reader = csv.reader(lines, delimiter=delimiter, strict=True, skipinitialspace=True)
    rows: list[list[str]] = []
    numbers: list[int] = []
    blank = None
    while True:
        number = reader.line_num + 1
        try:
            row = next(reader, None)
        except csv.Error as error:
            raise FileError(f"{source}, line {number}: {_reworded(error)}") from error
        if row is None:
            return rows, numbers
        if not row or (len(row) == 1 and not row[0].strip()):
            blank = blank or number
            continue
        if blank is not None:
            raise FileError(f"{source}, line {blank}: an empty line")
        rows.append(row)
        numbers.append(number)


def _reworded(error: csv.Error) -> str:
    text = str(error)
    if "unexpected end of data" in text:
        return "a quoted cell has no end"
    if "new-line" in text:
        return "a carriage return within the line; lines end with LF or CRLF"
    if "limit" in text:
        return f"a cell of more than {csv.field_size_limit()} characters"
    return "a quoted cell goes on after its quote"


def _lacks_a_corner(rows: list[list[str]]) -> bool:
    """Tell whether the first row names all columns but the one of row names."""
    first, *others = rows
    return (
        len(others) > 0
        and all(len(row) == len(first) + 1 for row in others)
        and all(math.isnan(as_number(cell)) for cell in first)
    )


def _check_widths(rows: list[list[str]], numbers: list[int], source: str) -> None:
    if len({*map(len, rows)}) == 1:
        return
    for row, number in zip(rows, numbers, strict=True):
        if len(row) != len(rows[0]):
            raise FileError(
                f"{source}, line {number}: {_cells(len(row))} where line {numbers[0]} "
                f"has {len(rows[0])}"
            )


def _cells(number: int) -> str:
    return "1 cell" if number == 1 else f"{number} cells"


def _table(
    rows: list[list[str]],
    lines: list[int],
    source: str,
    header: bool | None,
    *,
    decimal_comma: bool,
) -> Table:
    columns = [_column(rows, j, decimal_comma) for j in range(len(rows[0]))]
    below = [
        Column(
            column.number,
            column.cells[0].strip(),
            column.cells[1:],
            column.numbers[1:],
        )
        for column in columns
    ]
    if header is None:
        header = _is_header(columns, below, source, lines[0])
    if not header:
        return Table(source, tuple(columns), lines=np.array(lines))
    if len(rows) == 1:
        raise FileError(f"{source}: has a header and no objects")
    return Table(source, tuple(below), lines=np.array(lines[1:]))


def _column(rows: list[list[str]], j: int, decimal_comma: bool) -> Column:
    first, *others = texts = [row[j] for row in rows]
    if decimal_comma:
        first, *others = (text.replace(",", ".") for text in texts)
    numbers = np.append(as_number(first), as_numbers(others))
    return Column(j + 1, None, np.array(texts, dtype=object), numbers)


def _check_decimal_signs(table: Table) -> None:
    """Refuse a column of which some numbers have a point and others a comma."""
    for column in table.columns:
        first = ""
        for position in np.flatnonzero(~np.isnan(column.numbers)).tolist():
            found = {",", "."} & {*column.cells[position]}
            if first and found - {first}:
                raise table.fault(
                    f"found {shown(column.cells[position])} in a column whose decimal "
                    f"sign is {shown(first)}",
                    position,
                    column,
                )
            first = first or "".join(found)


def _is_header(
    columns: list[Column], below: list[Column], source: str, line: int
) -> bool:
    """Tell whether the first cells of columns name what is below them."""
    first = [column.cells[0].strip() for column in columns]
    if columns[0].cells.size == 1:
        return all(math.isnan(column.numbers[0]) for column in columns)
    if len(first) > 1 and not first[0]:
        return True
    above = [
        float(column.numbers[0])
        for column, rest in zip(columns, below, strict=True)
        if rest.is_mostly_numbers
    ]
    if not above:
        names = ID_NAMES | _LABEL_NAMES
        return any(
            cell.casefold() in names and cell not in rest.cells
            for cell, rest in zip(first, below, strict=True)
        )
    n_names = sum(map(math.isnan, above))
    n_cells = len(above)
    counted = n_cells > 1 and above in ([*range(n_cells)], [*range(1, n_cells + 1)])
    if counted or 0 < n_names < n_cells:
        raise FileError(
            f"{source}, line {line}: is it a header or an object? Say header=True or "
            "header=False"
        )
    return n_names > 0
