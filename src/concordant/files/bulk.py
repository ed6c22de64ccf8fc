"""Below the first lines of a large table, arrays find the cells, a block at a time."""

import io
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.errors import FileError
from concordant.files.table import Column, Found

#: A row with the number of its first line.
Row = tuple[int, list[str]]

#: What comments of NumPy, MATLAB and Weka begin with.
COMMENTS = "#", "%", "@"

_BLOCK = 1 << 23  # bytes that are read at once
_LONGEST = 1 << 16  # bytes of a line, of which any may be a cell for Python
_WIDEST = 40  # bytes of texts that are held in an array
_MIXER = np.uint64(0x9E3779B97F4A7C15)
_FIRST_BYTES = np.tril(np.full((9, 8), 255, np.uint8), -1).view(np.uint64)[:, 0]
_QUOTE, _RETURN, _FEED, _TAB, _BLANK = b'"\r\n\t '


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
        self.add(*self.of_cells(first))

    def add(self, cells: NDArray[Any], codes: NDArray[Any] | None = None) -> None:
        """Add numbers, or texts and which of them stands in each row."""
        if self.repeats:
            known = self._number
            places = [known.setdefault(cell, len(known)) for cell in cells.tolist()]
            cells = np.array(places, dtype=np.int32)
        self._parts.append(cells if codes is None else cells[codes])

    def of_cells(self, cells: Sequence[str]) -> Found:
        """Return what to add of cells; percentages become NaN, as pandas knows none."""
        if not self.is_numbers:
            is_short = len(max(cells, key=len)) <= _WIDEST and "".join(cells).isascii()
            return np.array(cells, None if is_short else object), None
        numbers = Column(0, None, np.array(cells, object), self.mark).values
        numbers[["%" in cell for cell in cells]] = np.nan
        return numbers, None

    def of_text(
        self, block: bytes, starts: NDArray[np.intp], ends: NDArray[np.intp]
    ) -> Found:
        """Return what to add of cells that stand between bytes of a block."""
        lengths = ends - starts
        width = max(int(lengths.max()), 1)
        if width > _WIDEST or not (self.repeats or block.isascii()):
            each = zip(starts.tolist(), ends.tolist(), strict=True)
            return self.of_cells([block[start:end].decode() for start, end in each])
        words = _words(block, starts, lengths, -(-width // 8))
        if not self.repeats:
            rows = words.view(np.uint8)[:, :width]
            return rows.astype(np.uint32).view(f"U{width}")[:, 0], None
        import pandas as pd

        hashes = words[:, 0].copy()
        for word in words.T[1:]:
            hashes = (hashes ^ (hashes >> np.uint64(29))) * _MIXER ^ word
        codes, _ = pd.factorize(hashes)
        firsts = np.empty(codes.max() + 1, np.intp)
        firsts[codes[::-1]] = np.arange(len(codes))[::-1]
        if (words[firsts[codes]] != words).any():  # two texts have the same hash
            firsts = codes = np.arange(len(codes))
        spans = zip(starts[firsts].tolist(), ends[firsts].tolist(), strict=True)
        cells = [block[start:end].decode() for start, end in spans]
        return np.array(cells, object), codes

    def found(self) -> Found:
        """Return all cells."""
        parts = np.concatenate(self._parts)
        return (
            (np.array([*self._number], object), parts)
            if self.repeats
            else (parts, None)
        )


def _words(
    block: bytes, starts: NDArray[np.intp], lengths: NDArray[np.intp], n_words: int
) -> NDArray[np.uint64]:
    """Return the bytes from each start on, as words with zeros behind them."""
    padded, shape = block + bytes(8 * n_words), (len(block),)
    places = np.ndarray(shape, f"V{8 * n_words}", padded, strides=(1,))
    words = places[starts].view(np.uint64).reshape(len(starts), n_words)
    for j in range(n_words):
        words[:, j] &= _FIRST_BYTES[np.clip(lengths - 8 * j, 0, 8)]
    return words


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
    column alone, which may be labels. A block that Python's reader may divide
    otherwise, or of which pandas refuses the numbers, that one reads, the `careful`.
    None if it refuses a block, or finds in it what the first rows have not: the whole
    file then tells what is wrong.
    """
    cells = [*zip(*(row for _, row in first), strict=True)]
    both = zip(cells, may_be_numbers, strict=True)
    numeric = [may_be and _are_fractions(each, mark) for each, may_be in both]
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
        block += b"" if block.endswith(b"\n") else b"\n"
        if b"\r" in block and block.count(b"\r") != block.count(b"\r\n"):
            return None
        numbers = np.arange(1, 1 + block.count(b"\n")) + before
        before += numbers.size
        found = _parsed(columns, block, delimiter)
        if found is None:
            try:
                rows = careful(block, before - numbers.size)
            except FileError:
                return None
            starts = [row[0] for _, row in rows]
            uneven = {len(row) for _, row in rows} != {len(columns)}
            if uneven or any(start.startswith(COMMENTS) for start in starts):
                return None
            numbers = np.array([number for number, _ in rows], dtype=np.intp)
            texts = zip(
                columns, zip(*(row for _, row in rows), strict=True), strict=True
            )
            found = [column.of_cells(each) for column, each in texts]
        for column, (each, codes) in zip(columns, found, strict=True):
            if column.is_numbers and not np.isfinite(each).all():
                return None
            column.add(each, codes)
        lines.append(numbers)
    return [column.found() for column in columns], np.concatenate(lines)


def _are_fractions(cells: Sequence[str], mark: str) -> bool:
    """Return whether all cells but a name are numbers, and one of them is not whole."""
    if any("%" in cell for cell in cells):  # pandas knows no percentages
        return False
    numbers = Column(0, None, np.array(cells[1:], object), mark).values
    return bool(np.isfinite(numbers).all() and (numbers != np.floor(numbers)).any())


def _parsed(columns: list[_Column], block: bytes, delimiter: str) -> list[Found] | None:
    """Return what lines hold of each column, None if Python's reader must tell."""
    feeds = np.flatnonzero(np.frombuffer(block, np.uint8) == _FEED)
    numeric = [j for j, column in enumerate(columns) if column.is_numbers]
    places: Any = None
    numbers: Any = None
    if not _is_plain(block, feeds, delimiter):
        return None
    if len(numeric) < len(columns) or b'"' in block:
        places = _divided(block, feeds, delimiter, len(columns))
        if places is None:
            return None
    if numeric:
        numbers = _numbers(block, delimiter, columns[0].mark, numeric, len(columns))
        if numbers is None or len(numbers) != feeds.size:
            return None
    return [
        (numbers[j].to_numpy(), None)
        if column.is_numbers
        else column.of_text(block, places[0][:, j], places[1][:, j])
        for j, column in enumerate(columns)
    ]


def _numbers(
    block: bytes, delimiter: str, mark: str, numeric: list[int], n_columns: int
) -> Any:
    """Return a data frame of the columns of numbers, None if pandas refuses one."""
    import pandas as pd

    how: dict[str, Any] = {"float_precision": "round_trip"}
    if tuple(int(part) for part in pd.__version__.split(".")[:2]) >= (3, 1):
        how = {}  # the only precision there is
    how |= {"header": None, "index_col": False, "na_filter": False}
    how |= {"skipinitialspace": True, "skip_blank_lines": False, "low_memory": False}
    try:
        with warnings.catch_warnings(action="error"):
            return pd.read_csv(
                io.BytesIO(block),
                sep=r"\s+" if delimiter == " " else delimiter,
                names=[*range(n_columns)],
                # Rows that are too long are told only where all columns are read.
                usecols=numeric if len(numeric) < n_columns else None,
                dtype=dict.fromkeys(numeric, float),
                decimal=mark,
                **how,
            )
    except (ValueError, OverflowError, Warning):
        return None


def _is_plain(block: bytes, feeds: NDArray[np.intp], delimiter: str) -> bool:
    """Return whether lines are text that all readers see alike."""
    if (
        b"\0" in block
        or (b"\t" in block and delimiter not in "\t ")
        or np.diff(feeds, prepend=-1).max() > _LONGEST
    ):
        return False
    try:
        return block.isascii() or bool(block.decode())
    except UnicodeError:
        return False


def _divided(
    block: bytes, feeds: NDArray[np.intp], delimiter: str, width: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]] | None:
    """Return where the cells of rows start and end, None if in doubt."""
    characters = np.frombuffer(block, np.uint8)
    if delimiter == " ":
        is_blank = np.isin(characters, [_FEED, _RETURN, _TAB, _BLANK])
        edges = np.flatnonzero(np.diff(is_blank, prepend=True))
        if edges.size != 2 * width * feeds.size or b'"' in block:
            return None
        starts, ends = edges.reshape(-1, width, 2).transpose(2, 0, 1)
        is_even = (ends[:, -1] <= feeds) & (starts[:, 0] > np.append(-1, feeds[:-1]))
        if not is_even.all() or _begin_comments(characters[starts[:, 0]]):
            return None
        return starts, ends
    ends = feeds
    if width > 1:
        ends = np.flatnonzero((characters == _FEED) | (characters == ord(delimiter)))
    if ends.size != width * feeds.size:
        return None
    starts = np.append(0, ends[:-1] + 1).reshape(-1, width)
    ends = ends.reshape(-1, width)
    if (ends[:, -1] != feeds).any() or (width == 1 and delimiter.encode() in block):
        return None
    if b"\r" in block:
        ends[:, -1] -= characters[feeds - 1] == _RETURN
    if b" " in block:
        starts += (characters[starts] == _BLANK) & (starts < ends)
        if (characters[starts] == _BLANK).any():
            return None
    if b'"' in block:
        is_quoted = characters[starts] == _QUOTE
        starts, ends = starts + is_quoted, ends - is_quoted
        is_open = (ends < starts) | (is_quoted & (characters[ends] != _QUOTE))
        if is_open.any() or block.count(b'"') != 2 * is_quoted.sum():
            return None
    if width == 1 and (starts == ends).any():
        return None
    return None if _begin_comments(characters[starts[:, 0]]) else (starts, ends)


def _begin_comments(characters: NDArray[np.uint8]) -> bool:
    return bool(np.isin(characters, [*"".join(COMMENTS).encode()]).any())
