"""Data are taken in: a row for each object and a column for each feature."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Matrix
from concordant.errors import Data, InputError, InputTypeError
from concordant.partition.reading import is_masked
from concordant.wording import count, shown

_NUMBERS = " must be a table of numbers, a row for each object and a column for each "
_NUMBERS += "feature, "
_LEAST, _LARGEST = 1e-140, 1e140  # whose squares are far from the ends of doubles


def as_features(X: object) -> Matrix:
    """Return a copy of data as a matrix of numbers, of which some may not be finite."""
    if is_masked(X):
        raise InputError(Data("X"), " has masked entries; fill or drop them first")
    loaded = getattr(X, "to_numpy", lambda: X)()
    try:
        given = np.asarray(loaded)
        numbers = given if given.dtype.kind in "biuf" else None
        are_texts = (isinstance(cell, str | bytes) for cell in given.flat)
        if given.dtype.kind == "O" and not any(are_texts):
            numbers = given.astype(np.float64)
    except (TypeError, ValueError):
        numbers = None
    if numbers is None:
        found = shown(X) if isinstance(X, str) else f"a {type(X).__name__} that is none"
        remedy = "; leave out columns of text, and make a sparse matrix dense"
        raise InputTypeError(Data("X"), f"{_NUMBERS}found {found}{remedy}")
    if numbers.ndim != 2:
        remedy = "; X.reshape(-1, 1) is one feature" if numbers.ndim == 1 else ""
        found = f"found {count(numbers.ndim, 'dimension')}"
        raise InputError(Data("X"), f"{_NUMBERS}{found}{remedy}")
    if 0 in numbers.shape:
        raise InputError(Data("X"), f" is empty: its shape is {numbers.shape}")
    return np.array(numbers, dtype=np.float64, order="C")


def check_finite(X: Matrix, rows: NDArray[Any], remedy: str) -> None:
    """Refuse numbers that are not finite; `rows` are those that the user knows."""
    wrong = np.argwhere(~np.isfinite(X))
    if len(wrong):
        row, column = wrong[0]
        where = f"{X[row, column]} in row {rows[row]}, column {column}"
        raise InputError(Data("X"), f" has {where}; {remedy}")


def check_size(X: Matrix) -> None:
    """Refuse differences of which the squares, as of distances, are no doubles."""
    with np.errstate(over="ignore"):
        size = float(abs(X - X[0]).max())
    if not _LEAST < size < _LARGEST:
        what = f" has differences up to {size:.3g}, whose squares are no doubles"
        raise InputError(Data("X"), what, "; rescale its columns")
