"""Cells of text become numbers."""

import math
import re
from collections.abc import Sequence
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

_WRITTEN = re.compile(
    r"([+-]?(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+))(?:([eE][+-]?[0-9]+)| ?(%))?"
)
_BOOLEANS = {"true": 1.0, "false": 0.0}


def as_number(cell: str) -> float:
    """
    Read a cell as a number, NaN if it is none.

    ``"0,5"`` is a half and ``"5%"`` is 0.05; ``"1_000"`` is no number, though Python
    reads it so.
    """
    try:
        return math.nan if "_" in cell else float(cell)
    except ValueError:
        return _in_other_ways(cell.strip())


def as_numbers(cells: Sequence[str]) -> NDArray[np.float64]:
    """
    Read cells as numbers, NaN where one is none.

    If each of them is true or false, these are 1 and 0.
    """
    if "_" not in "".join(cells):
        with suppress(ValueError):  # mostly, all cells of a column are numbers
            return np.fromiter(map(float, cells), dtype=np.float64, count=len(cells))
    if are_booleans(cells):
        return np.array([_BOOLEANS[cell.strip().casefold()] for cell in cells])
    return np.fromiter(map(as_number, cells), dtype=np.float64, count=len(cells))


def are_booleans(cells: Sequence[str]) -> bool:
    """Tell whether all cells are true or false, in capitals or not."""
    return len(cells) > 0 and all(
        len(cell) < 64 and cell.strip().casefold() in _BOOLEANS for cell in cells
    )


def _in_other_ways(cell: str) -> float:
    """Read a decimal comma and a percentage."""
    found = _WRITTEN.fullmatch(cell)
    if found is None:
        return math.nan
    digits, exponent, percent = found.groups()
    # An exponent moves the point before the number is rounded to a float.
    return float(digits.replace(",", ".") + (exponent or ("e-2" if percent else "")))
