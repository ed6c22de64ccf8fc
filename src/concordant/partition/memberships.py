"""A membership matrix is checked block by block, and held as given while it can be."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.errors import (
    InputError,
    MembershipError,
    Message,
    Piece,
    Setting,
    Wordings,
)
from concordant.partition.labels import smallest

#: Memberships lie in [0, 1] and rows sum to 1 within this: a float32 softmax does.
TOLERANCE = 1e-5

_BLOCK = 8192  # rows that are checked or transposed while they are in the cache
_NEAR = 0.01  # within which rows sum to 1 in hints

# Of tables that were rounded for print:
_FEWEST = 2  # digits that are taken for rounding: with one, 0.3 + 0.3 + 0.3 would pass
_MOST = 12
_MOST_SINGLE = 5  # digits that float32 can tell from its own rounding
_DOUBLE, _SINGLE = 2.0**-50, 2.0**-22  # a few units in the last place of 1
_FURTHEST = 0.5  # from 1: a row of zeros, or with two ones, is no matter of rounding


def _made_with(name: str, value: object) -> Wordings:
    setting = Setting(name, value)
    return Wordings(f"Partition(..., {setting})", setting)


_NORMALIZED = _made_with("normalize", True), " divides each row by its sum"


class Memberships:
    """
    Memberships of n objects in K clusters, by objects or by clusters.

    The n x K matrix is not copied before `columns` are asked for.
    """

    __slots__ = ("_columns", "_given")

    def __init__(self, given: NDArray[Any]) -> None:
        self._given = given
        self._columns: NDArray[np.float64] | None = None

    @classmethod
    def of_columns(cls, columns: NDArray[np.float64]) -> "Memberships":
        """Take memberships with one cluster per contiguous row, and keep them."""
        memberships = cls(columns.T)
        memberships._keep(columns)
        return memberships

    def __reduce__(self) -> tuple[Any, ...]:
        return Memberships.of_columns, (self.columns(),)

    @property
    def n_clusters(self) -> int:
        """K."""
        return int(self._given.shape[1])

    def adopt(self) -> None:
        """Keep what was given, if it has one cluster per contiguous row."""
        if self._given.dtype == np.float64 and self._given.T.flags.c_contiguous:
            self._keep(self._given.T)

    def columns(self) -> NDArray[np.float64]:
        """Give K x n memberships, one cluster per contiguous row, read-only."""
        if self._columns is not None:
            return self._columns
        columns = np.empty(self._given.shape[::-1])
        for start in range(0, len(self._given), _BLOCK):
            columns[:, start : start + _BLOCK] = self._given[start : start + _BLOCK].T
        self._keep(columns)
        return columns

    def rows(self, start: int, stop: int) -> NDArray[np.float64]:
        """Return memberships of some objects, one row each."""
        return np.asarray(self._given[start:stop], dtype=np.float64)

    def _keep(self, columns: NDArray[np.float64]) -> None:
        """Be independent of what was given."""
        columns.flags.writeable = False
        self._columns = columns
        self._given = columns.T


def from_memberships(
    array: NDArray[Any],
    name: str,
    *,
    must_sum: bool,
    noise_column: bool,
    normalize: bool = False,
) -> tuple[
    NDArray[np.unsignedinteger[Any]] | None, Memberships | None, tuple[Piece, ...]
]:
    """
    Check an n x K matrix of memberships.

    Returns the cluster of each object and None if it is crisp, else None and the
    memberships; and remarks on their sums. Rows are divided by their sums if
    `normalize`, what is missing from 1 is one more cluster if `noise_column`.
    """
    remarks: tuple[Piece, ...] = ()
    if normalize:
        array, remark = _normalized(array, name)
        remarks = (remark,)
    n, n_clusters = array.shape
    crisp = must_sum and not noise_column
    missing = np.empty((n, 1)) if noise_column else None
    rounding: _Rounding | None = None
    slack = TOLERANCE
    for start in range(0, n, _BLOCK):
        rows = np.ascontiguousarray(array[start : start + _BLOCK], dtype=np.float64)
        if not (rows.min() >= -TOLERANCE and rows.max() <= 1.0 + TOLERANCE):
            raise _outside(array, name, start)
        if not must_sum:
            continue
        sums = np.einsum("ij->i", rows)  # no BLAS, whose threads would spin on
        away = sums.max() - 1.0
        if missing is not None:
            missing[start : start + _BLOCK, 0] = np.maximum(1.0 - sums, 0.0)
        else:
            away = max(away, 1.0 - sums.min())
        if away > slack and rounding is None:
            rounding = _rounding_of(array)
            slack = TOLERANCE if rounding is None else rounding.slack
        if away > slack:
            raise _bad_sum(array, name, start, sums, slack, rounding, noise_column)
        crisp = crisp and _is_crisp(rows) and bool((sums == 1.0).all())
    if crisp:
        return smallest(array.argmax(axis=1), n_clusters), None, remarks
    if rounding is not None:
        remarks += (_said(array, rounding),)
    if missing is not None:
        array = np.concatenate((array, missing), axis=1, dtype=np.float64)
        most = f"at most {missing.max():.6g}"
        remarks += (
            f'what is missing from 1 in each row, {most}, is the cluster "noise"',
        )
    return None, Memberships(array), remarks


def check_zeros_and_ones(array: NDArray[Any], name: str) -> None:
    """Refuse memberships other than 0 and 1."""
    for start in range(0, len(array), _BLOCK):
        rows = array[start : start + _BLOCK]
        if _is_crisp(rows):
            continue
        row, column = map(int, np.argwhere((rows != 0) & (rows != 1))[0])
        value = float(rows[row, column])
        raise MembershipError(
            (start + row, column, value),
            f"memberships of {name} must be 0 or 1 for ",
            Setting("kind", "overlapping"),
            f", found {value:g} in row {start + row}, column {column}; ",
            Setting("kind", "possibilistic"),
            " is for degrees",
        )


def _normalized(array: NDArray[Any], name: str) -> tuple[NDArray[np.float64], Message]:
    """Divide the rows of an n x K array by their sums, and remark on the change."""
    n, n_clusters = array.shape
    if n_clusters == 1:
        raise InputError(
            Setting("normalize", True),
            f" would make all memberships of {name} 1, as it has one cluster",
            _hint_of_shape(array, name),
        )
    out = np.empty((n, n_clusters))
    low, high, change = np.inf, -np.inf, 0.0
    for start in range(0, n, _BLOCK):
        rows = np.ascontiguousarray(array[start : start + _BLOCK], dtype=np.float64)
        with np.errstate(over="ignore", invalid="ignore"):
            sums = rows.sum(axis=1)
        fine = np.isfinite(rows).all(axis=1) & (sums > 0.0) & (sums < np.inf)
        if not fine.all():
            row = int(np.argmin(fine))
            raise MembershipError(
                (start + row, None, float(sums[row])),
                f"rows of {name} cannot be divided by their sums: row {start + row} "
                f"sums to {sums[row]:g}",
            )
        divided = out[start : start + _BLOCK]
        np.divide(rows, sums[:, None], out=divided)
        low, high = min(low, float(sums.min())), max(high, float(sums.max()))
        change = max(change, float(np.abs(divided - rows).max()))
    if change == 0.0:
        changed = Setting("normalize", True), " changed nothing"
        return out, Message("rows sum to 1: ", *changed)
    return out, Message(
        f"rows were divided by their sums, from {low:.6g} to {high:.6g}; the largest "
        f"change of a membership is {change:.3g}"
    )


@dataclass(frozen=True)
class _Rounding:
    """
    To how many digits memberships were rounded: all are multiples of 10^-d.

    Rows may then sum to 1 within the slack: K / 2 units of the last digit, less than
    1/2.
    """

    digits: int
    slack: float


def _rounding_of(array: NDArray[Any]) -> _Rounding | None:
    """
    Find the digits of a table of memberships.

    None if they are not rounded, or to so many digits that no row can be further from 1
    for that than rows may be anyway.
    """
    n, n_clusters = array.shape
    digits, single = _FEWEST, True
    with np.errstate(over="ignore", invalid="ignore"):  # rows that nobody checked
        for start in range(0, n, _BLOCK):
            rows = array[start : start + _BLOCK].astype(np.float64)
            singles = rows.astype(np.float32) == rows
            single = single and bool(singles.all())
            while not _are_multiples(rows, singles, digits):
                digits += 1
                if digits > _MOST or n_clusters / 2 * 10.0**-digits <= TOLERANCE:
                    return None
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
    sums = array.sum(axis=1, dtype=np.float64)
    return Message(
        f"memberships are rounded to {rounding.digits} digits: rows sum to "
        f"{sums.min():.6g} to {sums.max():.6g} and are used as they are; ",
        Setting("normalize", True),
        " divides them by their sums",
    )


def _outside(array: NDArray[Any], name: str, start: int) -> MembershipError:
    block = array[start : start + _BLOCK].astype(np.float64)
    inside = (block >= -TOLERANCE) & (block <= 1.0 + TOLERANCE)
    row, column = (int(where) for where in np.argwhere(~inside)[0])
    value = float(block[row, column])
    return MembershipError(
        (start + row, column, value),
        f"memberships of {name} must lie between 0 and 1, found {value:g} in row "
        f"{start + row}, column {column}",
        _hint_of_values(array.astype(np.float64), name),
    )


def _bad_sum(
    array: NDArray[Any],
    name: str,
    start: int,
    sums: NDArray[np.float64],
    slack: float,
    rounding: _Rounding | None,
    noise_column: bool,
) -> MembershipError:
    excess = sums - 1.0 if noise_column else abs(sums - 1.0)
    first = int(np.argmax(excess > slack))
    row, total = start + first, float(sums[first])
    found = f"row {row} sums to {total:.9g}"
    if noise_column:
        return MembershipError(
            (row, None, total),
            f"rows of {name} must not sum to more than 1 for ",
            Setting("noise", "column"),
            f": {found}",
        )
    within, near = f"{TOLERANCE:g}", TOLERANCE
    if rounding is not None:
        near = min(near + len(array) / 2 * 10.0**-rounding.digits, _FURTHEST)
    hint = _hint_of_shape(array, name)
    if array.shape[1] > 1 and _all_sum_to(1.0, array.T, near):
        hint = "; its columns do, so pass the transpose"
    if rounding is not None and not hint:
        within = f"{slack:.3g}, as they are rounded to {rounding.digits} digits"
    return MembershipError(
        (row, None, total),
        f"rows of {name} must sum to 1 within {within}, {found}",
        hint or _hint_of_sums(array, slack),
    )


def _hint_of_sums(array: NDArray[Any], slack: float) -> Message:
    """Tell those whose rows sum to less, or to more, what to do."""
    kind = Setting("kind", "overlapping" if _is_crisp(array) else "possibilistic")
    hint = Message(*_NORMALIZED, ", and ", kind)
    hint = Message(hint, " is for memberships that need not sum to 1")
    with np.errstate(over="ignore", invalid="ignore"):  # rows that nobody checked
        is_less = (array.sum(axis=1, dtype=np.float64) <= 1.0 + slack).all()
    if not is_less:
        return Message("; ", hint)
    noise = _made_with("noise", "column"), " makes it one more cluster; "
    return Message("; if the missing mass is noise, ", *noise, hint)


def _hint_of_values(matrix: NDArray[np.float64], name: str) -> Piece:
    """Tell those who pass percentages, logarithms, weights or ids what to do."""
    if hint := _hint_of_shape(matrix, name):
        return hint
    if not np.isfinite(matrix).all():
        dropped = _made_with("missing", "drop"), " leaves out what is missing"
        return Message("; ", *dropped)
    with np.errstate(over="ignore"):
        if matrix.max() <= 0.0 and _all_sum_to(1.0, np.exp(matrix), _NEAR):
            return f"; they are logarithms of memberships: pass numpy.exp({name})"
    if (matrix[:, 1:] >= 0.0).all() and _all_sum_to(1.0, matrix[:, 1:], _NEAR):
        return (
            f"; if its first column holds ids, pass {name}[:, 1:] and ids={name}[:, 0]"
        )
    if matrix.min() < 0.0:
        return ""
    if _all_sum_to(100.0, matrix, max(1.0, matrix.shape[1] / 2)):
        return Message("; rows sum to 100: if they are percentages, ", *_NORMALIZED)
    return Message("; if they are weights, ", *_NORMALIZED)


def _hint_of_shape(array: NDArray[Any], name: str) -> str:
    """Tell those who pass a column of labels, or one of weights beside memberships."""
    if array.shape[1] == 1:
        return f"; if it is a column of labels, pass {name}[:, 0]"
    others = array[:, :-1]
    if array.shape[1] > 2 and (others >= 0.0).all() and _all_sum_to(1.0, others, _NEAR):
        return (
            "; without the last column, which may be a weight, they do: pass "
            f"{name}[:, :-1]"
        )
    return ""


def _all_sum_to(total: float, rows: NDArray[Any], within: float) -> bool:
    with np.errstate(over="ignore", invalid="ignore"):  # rows that nobody checked
        return bool((abs(rows.sum(axis=1, dtype=np.float64) - total) <= within).all())
