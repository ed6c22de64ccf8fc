"""A membership matrix is checked block by block, and held as given while it can be."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.errors import (
    InputError,
    MembershipError,
    Message,
    Piece,
    Setting,
)
from concordant.partition.labels import DROPPED, Codes, made_with, smallest
from concordant.partition.reading import as_code

#: Memberships lie in [0, 1] and rows sum to 1 within this: a float32 softmax does.
TOLERANCE = 1e-5

_BLOCK = 8192  # rows that are checked or transposed while they are in the cache
_NEAR = 0.05  # of a sum, as which rounded rows are taken in hints

# Of tables that were rounded for print:
_FEWEST = 2  # digits that are taken for rounding: with one, 0.3 + 0.3 + 0.3 would pass
_MOST = 12
_MOST_SINGLE = 5  # digits that float32 can tell from its own rounding
_DOUBLE, _SINGLE = 2.0**-50, 2.0**-22  # a few units in the last place of 1
_FURTHEST = 0.5  # from 1: a row of zeros, or with two ones, is no matter of rounding

#: What is said of a square matrix with ones on its diagonal.
SIMILARITIES = "; with 1 on the diagonal, similarities of objects, not memberships"
_NORMALIZED = Message(made_with("normalize", True), " divides each row by its sum")


@dataclass(frozen=True)
class Matrix:
    """An n x K array, its name, and the data that it was read from."""

    array: NDArray[Any]
    name: str
    data: object

    @property
    def code(self) -> str:
        """How code names what can be indexed as an array."""
        return as_code(self.data, self.name)

    def blocks(self) -> Iterator[tuple[int, NDArray[np.float64]]]:
        """Yield some rows at a time as doubles, with the position of the first."""
        for start in range(0, len(self.array), _BLOCK):
            rows = self.array[start : start + _BLOCK]
            yield start, np.ascontiguousarray(rows, dtype=np.float64)


def contiguous(matrix: NDArray[Any]) -> NDArray[np.float64]:
    """Copy a K x n matrix as doubles, one cluster per contiguous row."""
    columns = np.empty(matrix.shape)
    for start in range(0, matrix.shape[1], _BLOCK):
        columns[:, start : start + _BLOCK] = matrix[:, start : start + _BLOCK]
    return columns


def from_memberships(
    given: Matrix, *, must_sum: bool, noise_column: bool, normalize: bool
) -> tuple[Codes | None, NDArray[Any] | None, tuple[Piece, ...]]:
    """
    Check an n x K matrix of memberships.

    Returns the cluster of each object and None if it is crisp, else None and the K x n
    memberships, not copied; and remarks on their sums. Rows are divided by their sums
    if `normalize`, what is missing from 1 is one more cluster if `noise_column`.
    """
    remarks: tuple[Piece, ...] = ()
    if normalize:
        given, remark = _normalized(given)
        remarks = (remark,)
    array = given.array
    crisp = must_sum and not noise_column
    missing = np.empty((len(array) if noise_column else 0, 1))
    rounding: _Rounding | None = None
    slack = TOLERANCE
    for start, rows in given.blocks():
        if not (rows.min() >= -TOLERANCE and rows.max() <= 1.0 + TOLERANCE):
            raise _outside(given, start, rows)
        if not must_sum:
            continue
        sums = np.einsum("ij->i", rows)  # no BLAS, whose threads would spin on
        away = np.abs(sums - 1.0)
        if noise_column:
            missing[start : start + _BLOCK, 0] = np.maximum(1.0 - sums, 0.0)
            away = sums - 1.0
        most = away.max()
        if most > slack and rounding is None:
            rounding = _rounding_of(given)
            slack = TOLERANCE if rounding is None else rounding.slack
        if most > slack:
            row = int(np.argmax(away > slack))
            place = start + row, None, float(sums[row])
            raise _bad_sum(given, place, rounding, noise_column)
        crisp = crisp and most == 0.0 and _is_crisp(rows)
    if crisp:
        return smallest(array.argmax(axis=1), array.shape[1]), None, remarks
    if rounding is not None:
        remarks += (_said(array, rounding),)
    if noise_column:
        array = np.concatenate((array, missing), axis=1, dtype=np.float64)
        most = f"at most {missing.max():.6g}"
        remarks += (
            f'what is missing from 1 in each row, {most}, is the cluster "noise"',
        )
    return None, array.T, remarks


def check_zeros_and_ones(given: Matrix) -> None:
    """Refuse memberships other than 0 and 1."""
    for start, rows in given.blocks():
        if _is_crisp(rows):
            continue
        row, column = map(int, np.argwhere((rows != 0) & (rows != 1))[0])
        value = float(rows[row, column])
        raise MembershipError(
            (start + row, column, value),
            f"memberships of {given.name} must be 0 or 1 for ",
            Setting("kind", "overlapping"),
            f", found {value:g} in row {start + row}, column {column}; ",
            Setting("kind", "possibilistic"),
            " is for degrees",
        )


def _normalized(given: Matrix) -> tuple[Matrix, Message]:
    """Divide the rows by their sums, and remark on the change."""
    if given.array.shape[1] == 1:
        raise InputError(
            Setting("normalize", True),
            f" would make all memberships of {given.name} 1, as it has one cluster",
            _hint(given),
        )
    matrix = np.ascontiguousarray(given.array, dtype=np.float64)
    sums = _sums(matrix)
    fine = (sums > 0.0) & (sums < np.inf)
    if not fine.all():
        row = int(np.argmin(fine))
        raise MembershipError(
            (row, None, float(sums[row])),
            f"rows of {given.name} cannot be divided by their sums: row {row} sums to "
            f"{sums[row]:g}",
            DROPPED if np.isnan(matrix).any() else "",
        )
    divided = matrix / sums[:, None]
    change = float(np.abs(divided - matrix).max())
    remark = Message(
        f"rows were divided by their sums, from {sums.min():.6g} to {sums.max():.6g}; "
        f"the largest change of a membership is {change:.3g}"
    )
    return replace(given, array=divided), remark


@dataclass(frozen=True)
class _Rounding:
    """
    To how many digits memberships were rounded: all are multiples of 10^-d.

    Rows may then sum to 1 within the slack: K / 2 units of the last digit, less than
    1/2; of a single digit, as if they were not rounded.
    """

    digits: int
    slack: float


def _rounding_of(given: Matrix) -> _Rounding | None:
    """
    Find the digits of a table of memberships.

    None if they are not rounded, or to so many digits that no row can be further from 1
    for that than rows may be anyway, or if they are zeros and ones.
    """
    n_clusters = given.array.shape[1]
    digits, single = 1, True
    if _is_crisp(given.array):
        return None
    with np.errstate(over="ignore", invalid="ignore"):  # rows that nobody checked
        for _, rows in given.blocks():
            singles = rows.astype(np.float32) == rows
            single = single and bool(singles.all())
            while not _are_multiples(rows, singles, digits):
                digits += 1
                if digits > _MOST or n_clusters / 2 * 10.0**-digits <= TOLERANCE:
                    return None
    if digits < _FEWEST:
        return _Rounding(digits, TOLERANCE)
    # With what sums of doubles, or of float32, are off themselves.
    slack = n_clusters * (0.5 * 10.0**-digits + (_SINGLE if single else _DOUBLE))
    return _Rounding(digits, min(slack, _FURTHEST - _SINGLE))


def _are_multiples(
    rows: NDArray[np.float64], singles: NDArray[np.bool_], digits: int
) -> bool:
    """Return whether memberships are multiples of 10^-digits, or float32 of those."""
    power = 10.0**digits
    away = np.abs(rows - np.rint(rows * power) / power)
    near = _SINGLE if digits <= _MOST_SINGLE else _DOUBLE
    return bool((away <= np.where(singles, near, _DOUBLE)).all())


def _is_crisp(rows: NDArray[Any]) -> bool:
    """Return whether memberships are zeros and ones."""
    return bool(((rows == 0.0) | (rows == 1.0)).all())


def _said(array: NDArray[Any], rounding: _Rounding) -> Message:
    sums = _sums(array)
    return Message(
        f"memberships are rounded to {rounding.digits} digits: rows sum to "
        f"{sums.min():.6g} to {sums.max():.6g} and are used as they are; ",
        Setting("normalize", True),
        " divides them by their sums",
    )


def _outside(given: Matrix, start: int, rows: NDArray[np.float64]) -> MembershipError:
    inside = (rows >= -TOLERANCE) & (rows <= 1.0 + TOLERANCE)
    row, column = map(int, np.argwhere(~inside)[0])
    value = float(rows[row, column])
    hint = _hint(given)
    if not hint and given.array.min() >= 0.0 and given.array.max() < np.inf:
        weights = "; if they are weights, ", _NORMALIZED
        data = "; concordant.cluster is for data"
        hint = Message(_hint_of_labels(given), *weights, data)
    return MembershipError(
        (start + row, column, value),
        f"memberships of {given.name} must lie between 0 and 1, found {value:g} in row "
        f"{start + row}, column {column}",
        hint,
    )


def _bad_sum(
    given: Matrix,
    place: tuple[int, None, float],
    rounding: _Rounding | None,
    noise_column: bool,
) -> MembershipError:
    """Say that a row does not sum to 1, and what helps."""
    rows, found = f"rows of {given.name} must", f"row {place[0]} sums to {place[2]:.9g}"
    if noise_column:
        more = f"{rows} not sum to more than 1 for ", Setting("noise", "column")
        return MembershipError(place, *more, f": {found}")
    slack, within, hint = TOLERANCE, f"{TOLERANCE:g}", _hint(given)
    if rounding is not None and not hint:
        slack = rounding.slack
        within = f"{slack:.3g}, as they are rounded to {rounding.digits} digits"
        if rounding.digits < _FEWEST:
            within = f"{slack:g}, as one digit is too few to allow for rounding"
    hint = hint or _hint_of_sums(given, slack, place[2])
    return MembershipError(place, f"{rows} sum to 1 within {within}, {found}", hint)


def few_wrong(array: NDArray[Any]) -> str:
    """Tell those of whose rows nearly all sum to 1; nothing to the others."""
    rounding = _rounding_of(Matrix(array, "", array))
    slack = TOLERANCE if rounding is None else rounding.slack
    n_wrong = int((np.abs(_sums(array) - 1.0) > slack).sum())
    fine = len(array) - n_wrong
    if 10 * n_wrong > len(array):
        return ""
    if n_wrong <= 1:
        return f"; the other {fine} rows sum to 1: correct this one"
    return f"; {fine} of {len(array)} rows sum to 1: correct the others"


def _hint_of_sums(given: Matrix, slack: float, found: float) -> Message:
    """Tell those of whom a row sums to less, or to more, what to do."""
    array, sums = given.array, _sums(given.array)
    few = few_wrong(array)
    hint = Message(few or _hint_of_labels(given), "; ")
    if found < 1.0 and (sums <= 1.0 + slack).all():
        noise = made_with("noise", "column"), " makes it one more cluster; "
        hint = Message(hint, "if the missing mass is noise, ", *noise)
    if (sums > 0.0).all() and not few:
        hint = Message(hint, _NORMALIZED, ", and ")
    kind = Setting("kind", "overlapping" if _is_crisp(array) else "possibilistic")
    return Message(hint, kind, " is for memberships that need not sum to 1")


@np.errstate(over="ignore", invalid="ignore")  # rows that nobody checked
def suspected(array: NDArray[Any]) -> str:
    """
    Return what a matrix may be that holds no memberships; empty if nobody knows.

    Without the ``"first"`` or the ``"last"`` column it would hold some.
    """
    matrix = array.astype(np.float64)
    n, width = matrix.shape
    is_positive = bool((matrix >= 0.0).all())
    if width == 1:
        return "labels"
    if n == 1 and (matrix == np.floor(matrix)).all():
        return "row of labels"
    if np.isnan(matrix).any():
        return "missing"
    if is_positive and _all_sum_to(1.0, matrix.T) and not _all_sum_to(1.0, matrix):
        return "transposed"
    has_ones = n == width > 2 and bool((np.diag(matrix) == 1.0).all())
    if has_ones and not _is_crisp(matrix):  # as a cover would be
        return "similarities"
    for name, k in (("last", width - 1), ("first", 0)) if width > 2 else ():
        others, extra = np.delete(matrix, k, axis=1), matrix[:, k]
        is_extra = extra.max() >= 1.0 or extra.min() > _NEAR  # and no small cluster
        if is_extra and (others >= 0.0).all() and _all_sum_to(1.0, others):
            return name
    if (matrix <= 0.0).all() and _all_sum_to(1.0, np.exp(matrix)):
        return "logarithms"
    return "percentages" if is_positive and _all_sum_to(100.0, matrix) else ""


def _hint(given: Matrix) -> Piece:
    """Tell those who pass something else than memberships what to do."""
    code = given.code
    divided = Message("; rows sum to 100: if they are percentages, ", _NORMALIZED)
    told: dict[str, Piece] = {
        "labels": f"; if it is a column of labels, pass {code}[:, 0]",
        "row of labels": f"; if it is a row of labels, pass {code}[0]",
        "missing": DROPPED,
        "transposed": "; its columns do, so pass the transpose",
        "similarities": SIMILARITIES,
        "first": f"; if its first column holds ids, pass {code}[:, 1:] and "
        f"ids={code}[:, 0]",
        "last": "; without the last column, which may be a weight, they do: pass "
        f"{code}[:, :-1]",
        "logarithms": "; they are logarithms of memberships: "
        f"pass numpy.exp({given.name})",
        "percentages": divided,
    }
    return told.get(suspected(given.array), "")


def _hint_of_labels(given: Matrix) -> str:
    """Tell those who pass labels beside something else, or several columns of them."""
    array = given.array
    lowest, highest = array.min(axis=0), array.max(axis=0)
    labels = (array == np.floor(array)).all(axis=0) & (lowest < highest)
    if not labels.any():
        return ""
    column = int(np.where(labels, highest, np.inf).argmin())
    return f"; if a column holds labels, pass it alone, as {given.code}[:, {column}]"


@np.errstate(over="ignore", invalid="ignore")  # rows that nobody checked
def _sums(rows: NDArray[Any]) -> NDArray[np.float64]:
    return np.asarray(rows.sum(axis=1, dtype=np.float64))


def _all_sum_to(total: float, rows: NDArray[Any]) -> bool:
    """Return whether all rows, rounded perhaps, have that sum."""
    return bool((abs(_sums(rows) - total) <= _NEAR * total).all())
