"""Many lines of numbers are read many cells at a time."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.files.decimals import matrix_of
from concordant.files.numbers import as_number, as_numbers

#: The cells of a column, or what gives them.
Cells = NDArray[np.object_] | Callable[[], NDArray[np.object_]]

_UNUSUAL = (b"_", b"\x0b", b"\x0c", b"\x1c", b"\x1d", b"\x1e", b"\x1f")

#: Bytes from which on this is worth an import.
WORTH = 1 << 20


@dataclass(frozen=True)
class BulkColumn:
    """
    A column of many lines: a function that gives the text of its cells, and numbers.

    `numbers` is None if one of the cells is not written as C writes numbers.
    """

    cells: Callable[[], list[str]]
    numbers: NDArray[np.float64] | None


def bulk_columns(
    data: bytes, delimiter: str, width: int, textual: set[int]
) -> list[BulkColumn] | None:
    """
    Read a regular table of `width` columns without quotes, of whole lines of UTF-8.

    A blank as `delimiter` stands for any number of blanks and tabs; the columns in
    `textual`, from 0, are not tried as numbers. None if anything needs a closer look:
    the other parser takes it, or says what is wrong with it.
    """
    if b'"' in data or b"\0" in data or not delimiter.isascii():
        return None
    if b"\r" in data:
        if data.count(b"\r") != data.count(b"\r\n"):
            return None
        data = data.replace(b"\r\n", b"\n")
    if not data.endswith(b"\n") or data.endswith(b"\n\n"):
        data = data.rstrip(b"\n") + b"\n"
    if data.startswith(b"\n"):
        return None
    if not data[data.rfind(b"\n", 0, -1) + 1 :].strip():
        return None
    if delimiter != " ":
        try:
            return _by_arrow(data, delimiter, width, textual)
        except ImportError:
            pass
    return _by_decimals(data, delimiter, width, textual)


def _by_arrow(
    data: bytes, delimiter: str, width: int, textual: set[int]
) -> list[BulkColumn] | None:
    import pyarrow
    import pyarrow.compute

    names = [str(number) for number in range(width)]
    texts = dict.fromkeys(names, pyarrow.string())
    numbers = {names[j]: pyarrow.float64() for j in range(width) if j not in textual}
    if numbers:  # an empty line has none
        try:
            table = _read_by_arrow(data, delimiter, texts | numbers, names)
        except pyarrow.ArrowInvalid:
            pass
        else:
            return [
                BulkColumn(
                    _cells_by_arrow(data, delimiter, texts, name),
                    np.asarray(column.to_numpy()),
                )
                if name in numbers
                else BulkColumn(_cells(column), None)
                for name, column in zip(names, table.columns, strict=True)
            ]
    if b"\n\n" in data:
        return None
    try:
        table = _read_by_arrow(data, delimiter, texts, names)
    except pyarrow.ArrowException:
        return None
    columns = []
    for name, column in zip(names, table.columns, strict=True):
        found = None
        if name in numbers:
            try:
                cast = pyarrow.compute.cast(column, pyarrow.float64())
                found = np.asarray(cast.to_numpy())
            except pyarrow.ArrowException:
                pass
        columns.append(BulkColumn(_cells(column), found))
    return columns


def _read_by_arrow(
    data: bytes, delimiter: str, kinds: dict[str, Any], wanted: list[str]
) -> Any:
    import pyarrow
    import pyarrow.csv

    return pyarrow.csv.read_csv(
        pyarrow.BufferReader(data),
        read_options=pyarrow.csv.ReadOptions(
            column_names=[*kinds], use_threads=False, block_size=1 << 24
        ),
        parse_options=pyarrow.csv.ParseOptions(
            delimiter=delimiter, quote_char=False, ignore_empty_lines=False
        ),
        convert_options=pyarrow.csv.ConvertOptions(
            column_types=kinds,
            include_columns=wanted,
            null_values=[],
            strings_can_be_null=False,
        ),
    )


def _cells_by_arrow(
    data: bytes, delimiter: str, texts: dict[str, Any], name: str
) -> Callable[[], list[str]]:
    return lambda: _cells(_read_by_arrow(data, delimiter, texts, [name])[name])()


def _cells(texts: Any) -> Callable[[], list[str]]:
    return lambda: [cell.lstrip(" ") for cell in texts.to_pylist()]


def _by_decimals(
    data: bytes, delimiter: str, width: int, textual: set[int]
) -> list[BulkColumn] | None:
    if textual or not data.isascii() or any(byte in data for byte in _UNUSUAL):
        return None
    matrix = matrix_of(data, delimiter, width)
    if matrix is None:
        return None
    separator = None if delimiter == " " else delimiter

    def cells(number: int) -> Callable[[], list[str]]:
        return lambda: [
            line.split(separator)[number].lstrip(" ")
            for line in data.decode("ascii").split("\n")[:-1]
        ]

    return [BulkColumn(cells(j), matrix[:, j].copy()) for j in range(width)]


def joined(first: list[str], rest: BulkColumn) -> tuple[Cells, NDArray[np.float64]]:
    """
    Put the cells of a column together: those read one by one, and the rest below them.

    The text of all, or a function that gives it, and their numbers.
    """
    if rest.numbers is None:
        texts = first + rest.cells()
        return np.array(texts, dtype=object), as_numbers(texts)
    # One cell at a time: true and false are no numbers beside numbers.
    numbers = np.append([as_number(cell) for cell in first], rest.numbers)
    return lambda: np.array(first + rest.cells(), dtype=object), numbers
