"""Whether the first row of a text file names the columns."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from concordant.errors import FileError, Message
from concordant.files.identification import ID_NAMES
from concordant.files.numbers import are_booleans, is_number, means_missing
from concordant.files.table import Column, Table

_LABELS = (
    "category class classes cluster cluster_id cluster_label clusters community "
    "component group groups label labels partition species target truth type"
)

#: A first cell above labels of text is a name if it is one of these.
LABEL_NAMES = frozenset(_LABELS.split())


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
    numeric = [_is_numeric(column) for column in below]
    over_numbers = [p for p, is_so in zip(pairs, numeric, strict=True) if is_so]
    over_text = [p for p, is_so in zip(pairs, numeric, strict=True) if not is_so]
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
        return True if others == (corner and numeric[0]) else None
    over_numbers = [pair for pair in over_numbers if pair[0] or not corner]
    if over_numbers:
        return _counted(over_numbers, beside_names=corner or known)
    if corner or known:
        return True
    if any(map(means_missing, first)) or not any(map(_may_name_words, first)):
        return False
    return None


def _is_numeric(column: Column) -> bool:
    """Return whether all cells are numbers, as far as they are known."""
    unknown = np.isnan(column.numbers)
    return not unknown.all() and bool((column.missing >= unknown).all())


def _is_name(cell: str, column: Column) -> bool:
    """Return whether a cell is neither a number, nor missing, nor true or false."""
    if column.is_boolean and are_booleans([cell]):
        return False
    return not is_number(cell) and not means_missing(cell)


def _may_name_words(cell: str) -> bool:
    """Return whether a cell is a word, or the 0 that pandas writes."""
    return not is_number(cell) or cell == "0"


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
    if not all(0.0 <= x <= 1.0 for _, column in pairs for x in _range(column)):
        return None if numbers in counts else False
    if max(numbers) > 1 and len({*numbers}) == count:
        return True if sorted(numbers) in counts else None
    return None if sorted(numbers) in counts else False


def _range(column: Column) -> tuple[float, float]:
    known = column.numbers[column.numbers == column.numbers]
    return float(known.min()), float(known.max())
