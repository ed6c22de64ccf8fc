"""A membership matrix is checked block by block, and held as given while it can be."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.errors import MembershipError, Message, Piece, Setting, Wordings
from concordant.execution.engine import Engine, Threads
from concordant.partition.labels import smallest
from concordant.partition.normalizing import normalized
from concordant.partition.rounding import Rounding, rounding_of

#: Memberships lie in [0, 1] and rows sum to 1 within this: a float32 softmax does.
TOLERANCE = 1e-5

_LARGE = 1 << 20  # rows from which on compiled code is worth its import
_BLOCK = 8192  # rows that are checked or transposed while they are in the cache
_BLOCKS_PER_TASK = 32
_AT_ONCE = 1 << 20  # memberships
_DIVIDES = " divide each row by its sum"


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
    engine: Engine | None = None,
) -> tuple[
    NDArray[np.unsignedinteger[Any]] | None, Memberships | None, tuple[Piece, ...]
]:
    """
    Check an n x K matrix of memberships.

    Returns the cluster of each object and None if it is crisp, else None and the
    memberships; and remarks on their sums. Rows are divided by their sums if
    `normalize`, what is missing from 1 is one more cluster if `noise_column`. Blocks of
    a large matrix are checked on the engine, by default on one thread.
    """
    remarks: tuple[Piece, ...] = ()
    if normalize:
        array, remark = normalized(array, name)
        remarks = (remark,)
    n, n_clusters = array.shape
    crisp = must_sum and not noise_column
    missing = np.empty((n, 1)) if noise_column else None
    starts: Iterable[int] = range(0, n, _BLOCK)
    if crisp and _is_large(array) and not _is_crisp(array[:_BLOCK]):
        crisp = False
        starts = _not_fine_at_a_glance(array, engine or Threads(1))
    rounding: Rounding | None = None
    slack = TOLERANCE
    for start in starts:
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
            rounding = rounding_of(array, TOLERANCE)
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
            Message(
                f"memberships of {name} must be 0 or 1 for ",
                Setting("kind", "overlapping"),
                f", found {value:g} in row {start + row}, column {column}; ",
                Setting("kind", "possibilistic"),
                " is for degrees",
            ),
            start + row,
            column,
            value,
        )


def rows_at_once(block: int, n_columns: int) -> int:
    """Give the rows for one call of a kernel: blocks of a million memberships or so."""
    return block * max(1, _AT_ONCE // block // n_columns)


def _is_large(array: NDArray[Any]) -> bool:
    """Tell whether a matrix is worth a kernel."""
    return len(array) >= _LARGE


def _is_crisp(rows: NDArray[Any]) -> bool:
    """Tell whether memberships are zeros and ones."""
    return bool(((rows == 0.0) | (rows == 1.0)).all())


def _not_fine_at_a_glance(array: NDArray[Any], engine: Engine) -> Iterable[int]:
    """Say where the blocks start that need a closer look: usually nowhere."""
    n, step = len(array), _BLOCKS_PER_TASK * _BLOCK
    ranges = ((start, min(start + step, n)) for start in range(0, n, step))
    for starts in engine.run(_glance, (array,), ranges):
        yield from starts


def _glance(array: NDArray[Any], start: int, stop: int) -> list[int]:
    """Look in one pass whether rows have no negative entry and sum to 1."""
    from concordant.kernels.each_row import all_sum_to_one

    wrong: list[int] = []
    step = rows_at_once(_BLOCK, array.shape[1])
    for first in range(start, stop, step):
        rows = array[first : min(first + step, stop)]
        if rows.dtype not in (np.float32, np.float64) or not rows.flags.c_contiguous:
            rows = np.ascontiguousarray(rows, dtype=np.float64)
        fine = np.empty(-(-len(rows) // _BLOCK), dtype=np.bool_)
        all_sum_to_one(rows, TOLERANCE, _BLOCK, fine)
        wrong.extend(first + _BLOCK * np.flatnonzero(~fine))
    return wrong


def _outside(array: NDArray[Any], name: str, start: int) -> MembershipError:
    block = array[start : start + _BLOCK].astype(np.float64)
    inside = (block >= -TOLERANCE) & (block <= 1.0 + TOLERANCE)
    row, column = (int(where) for where in np.argwhere(~inside)[0])
    value = float(block[row, column])
    return MembershipError(
        Message(
            f"memberships of {name} must lie between 0 and 1, found {value:g} in row "
            f"{start + row}, column {column}",
            _label_column_hint(array, name) or _outside_hint(array, name),
        ),
        start + row,
        column,
        value,
    )


def _said(array: NDArray[Any], rounding: Rounding) -> Message:
    sums = array.sum(axis=1, dtype=np.float64)
    return Message(
        f"memberships are rounded to {rounding.digits} digits: rows sum to "
        f"{sums.min():.6g} to {sums.max():.6g} and are used as they are; ",
        Setting("normalize", True),
        " divides them by their sums",
    )


def _bad_sum(
    array: NDArray[Any],
    name: str,
    start: int,
    sums: NDArray[np.float64],
    slack: float,
    rounding: Rounding | None,
    noise_column: bool,
) -> MembershipError:
    excess = sums - 1.0 if noise_column else abs(sums - 1.0)
    first = int(np.argmax(excess > slack))
    row, total = start + first, float(sums[first])
    found = f"row {row} sums to {total:.9g}"
    if noise_column:
        return MembershipError(
            Message(
                f"rows of {name} must not sum to more than 1 for ",
                Setting("noise", "column"),
                f": {found}",
            ),
            row,
            None,
            total,
        )
    with np.errstate(over="ignore", invalid="ignore"):  # rows that nobody checked
        columns_sum = array.sum(axis=0, dtype=np.float64)
        rows_sum = array.sum(axis=1, dtype=np.float64)
    within = f"{TOLERANCE:g}"
    near = TOLERANCE
    if rounding is not None:
        near += len(array) / 2 * 10.0**-rounding.digits
    if array.shape[1] > 1 and (abs(columns_sum - 1.0) <= min(near, 0.5)).all():
        hint = Message("; its columns do, so pass the transpose")
    elif array.shape[1] == 1:
        hint = Message(_label_column_hint(array, name))
    elif array.shape[1] > 2 and (abs(rows_sum - array[:, -1] - 1.0) <= 0.01).all():
        hint = Message(
            "; without the last column, which may be a weight, they do: pass "
            f"{name}[:, :-1]"
        )
    else:
        hint = Message(
            _made_with("normalize", True),
            " divides each row by its sum, and ",
            Setting("kind", "overlapping" if _is_crisp(array) else "possibilistic"),
            " is for memberships that need not sum to 1",
        )
        if rounding is not None:
            within = f"{slack:.3g}, as they are rounded to {rounding.digits} digits"
        if (rows_sum <= 1.0 + slack).all():
            hint = Message(
                "if the missing mass is noise, ",
                _made_with("noise", "column"),
                " makes it one more cluster; ",
                hint,
            )
        hint = Message("; ", hint)
    return MembershipError(
        Message(f"rows of {name} must sum to 1 within {within}, {found}", hint),
        row,
        None,
        total,
    )


def _made_with(name: str, value: object) -> Wordings:
    setting = Setting(name, value)
    return Wordings(f"Partition(..., {setting})", setting)


def _outside_hint(array: NDArray[Any], name: str) -> Piece:
    """Tell those who pass percentages, logarithms, weights or ids what to do."""
    matrix = array.astype(np.float64)
    if not np.isfinite(matrix).all():
        return Message(
            "; ", _made_with("missing", "drop"), " leaves out what is missing"
        )
    with np.errstate(over="ignore"):
        sums = matrix.sum(axis=1)
        if matrix.max() <= 0.0 and (abs(np.exp(matrix).sum(axis=1) - 1.0) < 0.01).all():
            return f"; they are logarithms of memberships: pass numpy.exp({name})"
    rest = matrix[:, 1:]
    if (rest >= 0.0).all() and (abs(rest.sum(axis=1) - 1.0) <= 0.01).all():
        return (
            f"; if its first column holds ids, pass {name}[:, 1:] and ids={name}[:, 0]"
        )
    if matrix.min() < 0.0:
        return ""
    if (abs(sums - 100.0) <= max(1.0, array.shape[1] / 2)).all():
        what = "rows sum to 100: divide percentages by 100, or let "
        return Message("; ", what, _made_with("normalize", True), _DIVIDES)
    if (abs(sums - matrix[:, -1] - 1.0) <= 0.01).all():
        return (
            f"; without the last column, which may be a weight, they do: {name}[:, :-1]"
        )
    what = "if they are weights, "
    return Message(
        "; ", what, _made_with("normalize", True), " divides each row by its sum"
    )


def _label_column_hint(array: NDArray[Any], name: str) -> str:
    if array.shape[1] == 1:
        return f"; if it is a column of labels, pass {name}[:, 0]"
    return ""
