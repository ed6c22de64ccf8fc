"""Below the first lines of a large table, pandas reads the cells, a block at a time."""

import io
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.errors import FileError
from concordant.files.table import as_numbers

#: A row with the number of its first line.
Row = tuple[int, list[str]]

#: Cells, and which of them stands in each row, None if each row has its own.
Found = tuple[Any, NDArray[np.integer[Any]] | None]

#: What comments of NumPy, MATLAB and Weka begin with.
COMMENTS = "#", "%", "@"

_BLOCK = 1 << 23  # bytes that are read at once
_WINDOW = 1 << 16  # bytes with the end of a line: two may be a cell for Python


class _Column:
    """
    A column that grows block by block, of numbers or of text.

    Each cell of text is held once, unless no two of the first rows have the same.
    """

    def __init__(self, first: Sequence[str], mark: str, is_numbers: bool) -> None:
        self.mark, self.is_numbers = mark, is_numbers
        self.repeats = len({*first[1:]}) < len(first) - 1 and not is_numbers
        self._number: dict[str, int] = {}
        self._parts: list[NDArray[Any]] = []
        self._cells: list[str] = []
        self.add(as_numbers(first, mark) if is_numbers else first)

    def add(self, cells: Any, codes: NDArray[np.integer[Any]] | None = None) -> None:
        """Add numbers, or texts and which of them stands in each row."""
        if self.is_numbers:
            self._parts.append(cells)
        elif self.repeats:
            known = self._number
            places = [known.setdefault(cell, len(known)) for cell in cells]
            numbers = np.array(places, dtype=np.int32)
            self._parts.append(numbers if codes is None else numbers[codes])
        else:
            self._cells += cells

    def of_series(self, series: Any) -> Found:
        """Return what to add of a column that pandas parsed."""
        if self.is_numbers:
            return series.to_numpy(), None
        codes, series = series.factorize() if self.repeats else (None, series)
        return series.tolist(), codes

    def of_cells(self, cells: Sequence[str]) -> Found:
        """Return what to add of cells; percentages become NaN, as pandas knows none."""
        if not self.is_numbers:
            return cells, None
        numbers = as_numbers(cells, self.mark)
        numbers[["%" in cell for cell in cells]] = np.nan
        return numbers, None

    def found(self) -> Found:
        """Return all cells."""
        if self.is_numbers:
            return np.concatenate(self._parts), None
        if self.repeats:
            return np.array([*self._number], object), np.concatenate(self._parts)
        return np.array(self._cells, object), None


def read_in_bulk(
    content: Any,
    first: list[Row],
    delimiter: str,
    mark: str,
    may_be_numbers: Sequence[bool],
    careful: Callable[[bytes, int], list[Row]],
) -> tuple[list[Found], NDArray[np.intp]] | None:
    """
    Return all columns and the line of each row, below the `first`.

    Columns become numbers if those of the first rows are fractions, and not of one
    column alone, which may be labels. What pandas refuses, or may not read as Python's
    reader does, that one reads, the `careful`, block by block. None if it refuses a
    block, or finds in it what the first rows have not: the whole file then tells what
    is wrong.
    """
    cells = [*zip(*(row for _, row in first), strict=True)]
    both = zip(cells, may_be_numbers, strict=True)
    numeric = [may_be and _are_fractions(each[1:], mark) for each, may_be in both]
    is_matrix = sum(numeric) > 1
    columns = [
        _Column(each, mark, is_matrix and is_numeric)
        for each, is_numeric in zip(cells, numeric, strict=True)
    ]
    lines, before = [np.array([number for number, _ in first])], first[-1][0]
    content.seek(0)
    for _ in range(before):
        content.readline()
    while block := content.read(_BLOCK) + content.readline():
        n_lines = block.count(b"\n") + (not block.endswith(b"\n"))
        numbers = np.arange(1, 1 + n_lines) + before
        found = _parsed(columns, block, n_lines, delimiter)
        if found is None:
            try:
                rows = careful(block, before)
            except FileError:
                return None
            if {len(row) for _, row in rows} != {len(columns)}:
                return None
            numbers = np.array([number for number, _ in rows], dtype=np.intp)
            cells = [*zip(*(row for _, row in rows), strict=True)]
            found = [
                column.of_cells(each)
                for column, each in zip(columns, cells, strict=True)
            ]
            if _are_odd(found, may_hold_comments=True):
                return None
        for column, each in zip(columns, found, strict=True):
            column.add(*each)
        lines.append(numbers)
        before += n_lines
    return [column.found() for column in columns], np.concatenate(lines)


def _are_fractions(cells: Sequence[str], mark: str) -> bool:
    """Return whether all cells are numbers, and one of them is not whole."""
    numbers = as_numbers(cells, mark)
    return bool(np.isfinite(numbers).all() and (numbers != np.floor(numbers)).any())


def _parsed(
    columns: list[_Column], block: bytes, n_lines: int, delimiter: str
) -> list[Found] | None:
    """Return what pandas reads of each column, None if Python's reader may not."""
    if not _is_plain(block, delimiter):
        return None
    import pandas as pd

    how: dict[str, Any] = {"float_precision": "round_trip"}
    if tuple(int(part) for part in pd.__version__.split(".")[:2]) >= (3, 1):
        how = {}  # the only precision there is
    how |= {"header": None, "index_col": False, "na_filter": False}
    how |= {"skipinitialspace": True, "skip_blank_lines": False, "low_memory": False}
    numeric = [j for j, column in enumerate(columns) if column.is_numbers]
    # A word above a column of text keeps cells that spell numbers as they are.
    above = ("0" if column.is_numbers else "x" for column in columns)
    try:
        with warnings.catch_warnings(action="error"):  # rows that are too long
            frame = pd.read_csv(
                io.BytesIO(delimiter.join(above).encode() + b"\n" + block),
                sep=r"\s+" if delimiter == " " else delimiter,
                names=[*range(len(columns))],
                dtype=dict.fromkeys(numeric, float),
                decimal=columns[0].mark,
                **how,
            )[1:]
    except (ValueError, OverflowError, Warning):
        return None
    each = enumerate(columns)
    found: list[Found] = [column.of_series(frame[j]) for j, column in each]
    last, _ = found[-1]
    # The last cells of a row that is too short are empty.
    is_short = len(frame) != n_lines or (not columns[-1].is_numbers and "" in last)
    may_hold_comments = any(each.encode() in block for each in COMMENTS)
    return None if is_short or _are_odd(found, may_hold_comments) else found


def _is_plain(block: bytes, delimiter: str) -> bool:
    """Return whether lines are text that both readers divide into the same cells."""
    windows = range(0, len(block) - _WINDOW + 1, _WINDOW)
    if (
        (b'"' in block and (delimiter == " " or not _are_in_quotes(block, delimiter)))
        or (b"\t" in block and delimiter not in "\t ")
        or (b"\r" in block and block.count(b"\r") != block.count(b"\r\n"))
        or b"\0" in block
        or not all(block.find(b"\n", at, at + _WINDOW) >= 0 for at in windows)
    ):
        return False
    try:
        return block.isascii() or bool(block.decode())
    except UnicodeError:
        return False


def _are_in_quotes(block: bytes, delimiter: str) -> bool:
    """Return whether quotes stand at both ends of cells, and nowhere else."""
    characters = np.frombuffer(b"\n%b\n" % block, np.uint8)
    quotes = np.flatnonzero(characters == ord('"'))
    before, behind = characters[quotes[::2] - 1], characters[quotes[1::2] + 1]
    ends = [*f"\r\n{delimiter}".encode()]
    return bool(np.isin(before, ends[1:]).all() and np.isin(behind, ends).all())


def _are_odd(found: list[Found], may_hold_comments: bool) -> bool:
    """Return whether cells hold comments, or what is no number or not finite."""
    first, _ = found[0]
    is_text = isinstance(first, Sequence)
    if may_hold_comments and is_text and any(x.startswith(COMMENTS) for x in first):
        return True
    numbers = (cells for cells, _ in found if isinstance(cells, np.ndarray))
    return not all(np.isfinite(cells).all() for cells in numbers)
