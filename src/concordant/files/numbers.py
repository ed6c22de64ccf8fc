"""What a cell of text says: a number, a missing value, or a word."""

import math
import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_OTHERWISE = re.compile(
    r"([+-]?(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+))(?:([eE][+-]?[0-9]+)| ?(%))?"
)
_BOOLEANS = {"true": 1.0, "false": 0.0}
_WORDS = (
    "? #n/a #na +nan -nan 1.#ind 1.#qnan -1.#ind -1.#qnan <na> missing n/a na nan nat "
    "none null n.a. \\n (null) <null> #ref! #value! #div/0! #name? #num! #null!"
)
_MISSING = frozenset({"", *_WORDS.split()})
_MISSING_AMONG_NUMBERS = frozenset([".", "-", "--", "..", "*", "**"])


def as_number(cell: str) -> float:
    """
    Return a cell as a number, NaN if it is none.

    ``"0,5"`` is a half and ``"5%"`` is 0.05; ``"1_000"`` is no number, though Python
    reads it so.
    """
    try:
        return math.nan if "_" in cell else float(cell)
    except ValueError:
        found = _OTHERWISE.fullmatch(cell.strip())
    if found is None:
        return math.nan
    digits, exponent, percent = found.groups()
    # An exponent moves the point before the number is rounded to a float.
    return float(digits.replace(",", ".") + (exponent or ("e-2" if percent else "")))


def as_numbers(cells: Sequence[str]) -> NDArray[np.float64]:
    """
    Return cells as numbers, NaN where one is none.

    If each of them is true or false, these are 1 and 0.
    """
    # Labels repeat: look at each of them once.
    known = {cell: as_number(cell) for cell in {*cells}}
    if are_booleans([*known]):
        known = {cell: _BOOLEANS[cell.strip().casefold()] for cell in known}
    return np.fromiter(map(known.__getitem__, cells), np.float64, len(cells))


def are_booleans(cells: Sequence[str]) -> bool:
    """Return whether all cells are true or false, in capitals or not."""
    return len(cells) > 0 and all(
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
    return bare in _MISSING or (among_numbers and bare in _MISSING_AMONG_NUMBERS)
