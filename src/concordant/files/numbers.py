"""What a cell of text says: a number, a missing value, or a word."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

_BOOLEANS = {"true": 1.0, "false": 0.0}
_WORDS = (
    "? #n/a #na +nan -nan 1.#ind 1.#qnan -1.#ind -1.#qnan <na> missing n/a na nan nat "
    "none null n.a. \\n (null) <null> #ref! #value! #div/0! #name? #num! #null!"
)

#: What says, in capitals or not, that a value is missing.
MISSING = frozenset({"", *_WORDS.split()})

_MISSING_AMONG_NUMBERS = frozenset([".", "-", "--", "..", "*", "**"])
_THOUSANDS = re.compile(r"[+-]?[1-9][0-9]{0,2}(,[0-9]{3})+")


def as_number(cell: str, mark: str | None = None, percent: bool | None = None) -> float:
    """
    Return a cell as a number, NaN if it is none.

    ``"0,5"`` is a half and ``"5%"`` is 0.05, unless it is said that the decimal mark is
    another, or that cells are no percentages or all are. ``"1_000"`` is no number,
    though Python reads it so.
    """
    bare = cell.strip()
    if percent is not False and bare.endswith("%"):
        bare = f"{bare[:-1].rstrip()}e-2"  # rounded to a float once
    elif percent:
        return math.nan
    if mark != ".":
        bare = "_" if mark == "," and "." in bare else bare.replace(",", ".")
    try:
        return math.nan if "_" in bare else float(bare)
    except ValueError:
        return math.nan


def is_number(cell: str) -> bool:
    """Return whether a cell is a number, with any decimal mark or as a percentage."""
    return not math.isnan(as_number(cell))


def as_numbers(cells: Sequence[str], mark: str, percent: bool) -> NDArray[np.float64]:
    """
    Return cells as numbers, NaN where one is none.

    If each of them is true or false, these are 1 and 0.
    """
    # Labels repeat: look at each of them once.
    known = {cell: as_number(cell, mark, percent) for cell in {*cells}}
    if are_booleans(known):
        known = {cell: _BOOLEANS[cell.strip().casefold()] for cell in known}
    return np.fromiter(map(known.__getitem__, cells), np.float64, len(cells))


def find_marks(columns: Sequence[Sequence[str]]) -> tuple[str | None, list[bool]]:
    """
    Return the decimal mark of a table, and which columns hold percentages.

    The mark is that of most numbers, None if no number has one; what may be a mark of
    thousands, as in ``"1,000"``, is none.
    """
    marks: Counter[str] = Counter()
    percents = []
    for cells in columns:
        numbers = [*filter(is_number, {*cells})]
        percents.append(2 * sum("%" in cell for cell in numbers) > len(numbers))
        clear = (cell for cell in numbers if not _THOUSANDS.fullmatch(cell.strip()))
        marks.update(mark for cell in clear for mark in ".," if mark in cell)
    return max(marks, key=lambda mark: marks[mark], default=None), percents


def are_booleans(cells: Iterable[str]) -> bool:
    """Return whether all cells are true or false, in capitals or not."""
    return all(
        len(cell) < 64 and cell.strip().casefold() in _BOOLEANS for cell in cells
    )


def means_missing(cell: str, among_numbers: bool = False) -> bool:
    """
    Return whether a cell says that its value is missing.

    An empty cell does, ``NA``, ``NaN``, ``None``, ``NULL``, ``?``, ``#REF!`` and the
    like, in capitals or not; ``.`` and ``-`` do among numbers only.

    Examples
    --------
    >>> from concordant.files.numbers import means_missing
    >>> [means_missing(cell) for cell in ("NA", "-nan", " ", "0", "nano", "-")]
    [True, True, True, False, False, False]
    """
    bare = cell.strip().casefold() if len(cell) < 64 else cell
    return bare in MISSING or (among_numbers and bare in _MISSING_AMONG_NUMBERS)
