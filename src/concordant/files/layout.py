"""What separates the cells of a text file, and whether its first row is a heading."""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np

from concordant.errors import FileError, Message, Setting
from concordant.files.columns import ID_NAMES, LABEL_NAMES
from concordant.files.numbers import are_booleans, is_number, means_missing
from concordant.files.table import Column, Table
from concordant.wording import shown

#: Each line is one cell.
NONE = "\x1f"

#: A row with the number of its first line.
Row = tuple[int, list[str]]

_MARKS = {"\t": "tab", ";": "semicolon", ",": "comma", "|": "bar"}
_NAMES = {**_MARKS, " ": "space", NONE: "none"}
_WORDS = {name: mark for mark, name in _NAMES.items()} | {"spaces": " ", "\\t": "\t"}
_MOST = 200  # rows in which numbers are counted
_QUOTED = re.compile(r'("(?:[^"]|"")*")')
_BLANKS = re.compile(r"[ \t]+")
_FAULTS = {  # of a row, by what the library says
    "unexpected end": "a quoted cell has no end",
    "new-line": "a carriage return within the line; lines end with LF or CRLF",
    "field larger": f"a cell of more than {csv.field_size_limit()} characters",
    "": "a quoted cell goes on after its quote",
}


class UnsettledHeadingError(FileError):
    """
    The first row of a table may name the columns or be an object.

    `tables` are the table with that row as an object, of `n_rows` rows, and the one
    with it as a heading; an error that was sent to another process has none.
    """

    def __init__(
        self, message: Message, n_rows: int, tables: tuple[Table, ...] = ()
    ) -> None:
        super().__init__(message)
        self.n_rows = n_rows
        self.tables = tables

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.message, self.n_rows)


def given_delimiter(delimiter: str, source: str) -> str:
    """Return a delimiter, or a word such as "tab" or "none", as one character."""
    character = _WORDS.get(delimiter.strip().casefold(), delimiter)
    if len(character) != 1 or character in '\r\n"':
        raise FileError(
            f"{source}: the delimiter must be one character or one of "
            f"{', '.join(_NAMES.values())}, found {shown(delimiter)}"
        )
    return character


def split_rows(
    lines: Iterable[str], delimiter: str, source: str = "", before: int = 0
) -> Iterator[Row]:
    """
    Yield the number of the first line of each row, and its cells.

    The first has `before` lines above it. A blank as `delimiter` stands for any number
    of blanks and tabs.
    """
    blanks = delimiter == " "
    reader = csv.reader(
        map(_single_blanks, lines) if blanks else lines,
        delimiter=delimiter,
        strict=True,
        skipinitialspace=not blanks,
    )
    while True:
        number = before + reader.line_num + 1
        try:
            row = next(reader, None)
        except csv.Error as error:
            fault = next(_FAULTS[start] for start in _FAULTS if start in str(error))
            raise FileError(f"{source}, line {number}: {fault}") from error
        if row is None:
            return
        yield number, row


def _single_blanks(line: str) -> str:
    """Put one blank between cells, and leave quoted ones as they are."""
    pieces = _QUOTED.split(line)
    pieces[::2] = [_BLANKS.sub(" ", piece) for piece in pieces[::2]]
    return "".join(pieces).strip(" \r\n") + "\n"


def find_delimiter(sample: Sequence[str], source: str) -> str:
    r"""
    Return what separates cells, by the first lines of a file.

    Of tab, semicolon, comma, vertical bar and blanks it is the one that divides all
    lines into the same number of cells, two or more (the first line may have one less,
    as R writes it). Where several do, the one by which the most cells are numbers; two
    that are equally good, or blanks that divide lines of mere text, are refused.
    Failing all, the one that divides the most lines, about which messages can then be
    precise; `NONE` if there is none.

    Examples
    --------
    >>> from concordant.files.layout import find_delimiter
    >>> find_delimiter(["0,400\t0,600\n", "1,000\t0,000\n"], "P.txt")
    '\t'
    """
    together = "".join(sample)
    # Of each: whether every row has all cells, and the share of numbers.
    good: dict[str, tuple[bool, float]] = {}
    n_divided: dict[str, int] = {}
    for mark in (*_MARKS, " "):
        if mark in together or (mark == " " and "\t" in together):
            rows = _divided(sample, mark)
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
            words = shown(sample[0].strip())
            raise _unsettled(f"found {words}: one cell or several?", NONE, " ", source)
        return " "
    best = [mark for mark, merit in good.items() if merit == most]
    if len(best) > 1:
        raise _unsettled("which mark separates cells?", best[0], best[1], source)
    n_divided.pop(" ", 0)
    if best or any(n_divided.values()):
        return best[0] if best else max(n_divided, key=lambda mark: n_divided[mark])
    if n_divided:  # marks between quotes, or in lines that are not well formed
        return next(iter(n_divided)) if '"' not in together else ","
    cells = together.split()
    ragged = len(cells) > sum(map(bool, map(str.strip, sample)))
    return " " if ragged and 2 * sum(map(_is_number, cells)) > len(cells) else NONE


def _unsettled(question: str, one: str, other: str, source: str) -> FileError:
    settings = Setting("delimiter", _NAMES[one], _NAMES[other])
    return FileError(f"{source}, line 1: {question} ", settings, " says so")


def _divided(sample: Sequence[str], delimiter: str) -> list[list[str]]:
    """Return rows, but for a last one that may go on below the sample."""
    rows = []
    try:
        for _, row in split_rows(sample, delimiter):
            rows.append(row)
    except FileError as error:
        if delimiter == " " or _FAULTS["unexpected end"] not in str(error):
            return []
    return [row for row in rows if row]


def _is_regular(rows: list[list[str]]) -> bool:
    """Return whether all rows have as many cells, or all but a heading."""
    first, *others = map(len, rows or [[]])
    if not others:
        return first > 1
    if others[0] == 1 or {*others} != {others[0]}:
        return False
    if first == others[0] - 1:  # R's row names are distinct
        return len({row[0] for row in rows[1:]}) == len(others)
    return first == others[0]


def _is_number(cell: str) -> bool:
    return is_number(cell) or means_missing(cell)


def find_heading(first: Sequence[str], below: Sequence[Column]) -> bool | None:
    """
    Return whether the first row names the columns; None if both are possible.

    The cells of the first row come without the blanks around them; `below` are the p
    columns below them, of one row or more. The first of these that decides:

    1. A cell of text that stands in its column again makes the row an object, unless
       it is a name such as ``id``, ``label`` or ``class``, or ``0``, or another cell is
       a name above numbers: then both are possible.
    2. Above columns of nothing but numbers: if all cells are names, the row is a
       heading; if some are, both are possible.
    3. If they stand beside an empty first cell, or a name such as ``id`` above text: a
       heading if they count the columns from 0 or 1, else both are possible.
    4. If they are whole numbers that count the columns from 0 or 1, as pandas writes
       them: a heading if they cannot be memberships and all numbers below can; else
       both are possible. So they are if they are other distinct numbers that cannot be
       memberships, while all below can. Of one column alone, ``0`` may be both.
    5. Above columns of text: a heading if the first cell is empty and no other, or if
       a cell is a name such as ``id``, ``label`` or ``class``; an object if all cells
       are numbers other than 0; else both are possible.
    """
    pairs = [*zip(first, below, strict=True)]
    over_numbers = [pair for pair in pairs if _is_numeric(pair[1])]
    over_text = [pair for pair in pairs if not _is_numeric(pair[1])]
    names = {cell for cell, column in over_numbers if _is_name(cell, column)}
    n_names = sum(cell in names for cell, _ in over_numbers)
    again = {cell for cell, column in over_text if cell and _stands_in(cell, column)}
    again |= {c for c, column in over_numbers if c in names and _stands_in(c, column)}
    known = any(cell.casefold() in ID_NAMES | LABEL_NAMES for cell, _ in over_text)
    if again:
        return None if known or names - again or again == {"0"} else False
    corner = len(first) > 1 and not first[0] and all(first[1:])
    if n_names:
        others = len(over_numbers) - n_names
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
    if column.is_boolean and are_booleans([cell]):
        return False
    return not is_number(cell) and not means_missing(cell)


def _stands_in(cell: str, column: Column) -> bool:
    return column.is_text and cell in map(str.strip, column.cells.tolist())


def _counted(pairs: list[tuple[str, Column]], beside_names: bool) -> bool | None:
    """Return whether numbers above numbers name the columns."""
    if not all(cell.isdecimal() and len(cell) < 10 for cell, _ in pairs):
        return None if beside_names else False
    numbers = [int(cell) for cell, _ in pairs]
    count = len(numbers)
    counts = ([*range(count)], [*range(1, count + 1)])
    if beside_names:
        return True if numbers in counts else None
    if count == 1:
        return None if numbers == [0] else False
    cells = np.concatenate([column.numbers for _, column in pairs])
    if (cells < 0.0).any() or (cells > 1.0).any():
        return None if numbers in counts else False
    if max(numbers) > 1 and len({*numbers}) == count:
        return True if sorted(numbers) in counts else None
    return None if sorted(numbers) in counts else False
