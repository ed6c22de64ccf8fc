"""What a file holds: columns of numbers or text, and where each cell stands."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.errors import FileError, Piece, Setting
from concordant.files.numbers import (
    are_booleans,
    as_numbers,
    is_number,
    means_missing,
)
from concordant.files.summary import ReadSummary
from concordant.wording import count, shown

_UNKNOWN = ReadSummary("table")

#: Columns that a file may have.
MOST_COLUMNS = 1 << 16


def check_width(width: int, source: str) -> None:
    """Refuse a table with more columns than anybody has clusters."""
    if width > MOST_COLUMNS:
        raise FileError(
            f"{source}: {width} columns, and at most {MOST_COLUMNS} are read; if each "
            "is an object, save the table with one object per row"
        )


@dataclass(frozen=True, eq=False)
class Column:
    """
    A column of a file.

    Parameters
    ----------
    number : int
        Which column of the file it is, from 1; 0 for an array by itself.
    name : str or None
        What the header calls it, which may be nothing; None if there is no header.
    cells : ndarray of shape (n,)
        What the file holds: text, or numbers where the format has them or nothing else
        was read.
    mark : str or None
        The decimal mark of text that may spell numbers; None if it spells none.
    percent : bool
        Whether numbers are percentages.
    """

    number: int
    name: str | None
    cells: NDArray[Any]
    mark: str | None = None
    percent: bool = False

    @cached_property
    def numbers(self) -> NDArray[np.float64]:
        """The cells as numbers, NaN where one is not a number."""
        if not self.is_text:
            return self.cells.astype(np.float64, copy=False)
        if self.mark is None:
            return np.full(self.cells.shape, np.nan)
        return as_numbers(self.cells.tolist(), self.mark, self.percent)

    def __str__(self) -> str:
        place = f"column {self.number}" if self.number else "array"
        return f"{place} ({shown(self.name)})" if self.name else place

    def cell(self, position: int) -> Any:
        """Return what stands at a position, as Python has it."""
        return self.cells[position : position + 1].tolist()[0]

    @property
    def title(self) -> str:
        """The name that it has, or one made from its number."""
        return self.name or f"column {self.number}"

    @property
    def is_text(self) -> bool:
        """Whether the file holds text there, of which some may spell numbers."""
        return self.cells.dtype.kind in "OUS"

    @property
    def is_boolean(self) -> bool:
        """Whether the file holds the words true and false."""
        return self.is_text and are_booleans(map(str, self.cells))

    @cached_property
    def is_mostly_numbers(self) -> bool:
        """Whether at least half of the cells are numbers."""
        return bool(2 * np.isnan(self.numbers).sum() <= self.numbers.size)

    @property
    def is_whole(self) -> bool:
        """Whether all cells are whole numbers, of whatever size."""
        whole = np.isfinite(self.numbers) & (self.numbers == np.floor(self.numbers))
        return bool(whole.all())

    @cached_property
    def missing(self) -> NDArray[np.bool_]:
        """Where a value is missing."""
        missing = np.isnan(self.numbers)
        if self.is_text and missing.any():
            words = self.cells[missing].tolist()
            known = {
                word: word is None or means_missing(str(word), self.is_mostly_numbers)
                for word in {*words}
            }
            missing[missing] = [known[word] for word in words]
        return missing

    def texts(self) -> list[str]:
        """Return the cells as text, without blanks and no-break spaces around them."""
        return [str(cell).strip(" \xa0") for cell in self.cells.tolist()]


@dataclass(frozen=True, eq=False)
class Table:
    """
    The objects that a file describes, one per row.

    Parameters
    ----------
    source : str
        What messages call the file.
    columns : tuple of Column
        All columns but the one that holds ids.
    ids : ndarray of shape (n,) or None
        The ids of the objects, as text.
    groups : ndarray of shape (n,) or None
        The group that each object was sampled from, if the file says so.
    lines : sequence of int or None
        The line of each row in a text file; None where rows are counted from 1.
    before : int, default=0
        How many rows of the file stand before the first, if this is a part of it.
    understood : ReadSummary
        What was decided about the file.
    remarks : tuple of str
        Sentences on what was noticed.
    n_runs : int, default=1
        How many partitions the file holds, of which this is one.
    kept : ndarray of int or None
        The positions of the objects in the file, if some were left out.
    whole : Table or None
        The table with all objects, if some were left out.
    as_text : bool, default=False
        Whether labels are text, whatever they look like.
    """

    source: str
    columns: tuple[Column, ...]
    ids: NDArray[np.object_] | None = None
    groups: NDArray[np.object_] | None = None
    lines: Sequence[int] | None = None
    before: int = 0
    understood: ReadSummary = _UNKNOWN
    remarks: tuple[Piece, ...] = ()
    n_runs: int = 1
    kept: NDArray[np.intp] | None = None
    whole: "Table | None" = None
    as_text: bool = False

    @property
    def n_objects(self) -> int:
        """Number of objects."""
        return len(self.columns[0].cells)

    def line(self, position: int) -> int:
        """Return the number of the line or row at a position."""
        at = position if self.kept is None else int(self.kept[position])
        return self.before + at + 1 if self.lines is None else self.lines[at]

    def row(self, position: int) -> str:
        """Return where a row stands: ``"line 7"`` or ``"row 7"``."""
        unit = "row" if self.lines is None else "line"
        unit = "column" if self.understood.transposed else unit
        return f"{unit} {self.line(position)}"

    def fault(
        self, *what: Piece, at: int | None = None, column: Column | None = None
    ) -> FileError:
        """Return an error that says at which row and column of the file it is."""
        place = self.source if at is None else f"{self.source}, {self.row(at)}"
        if column is not None:
            transposed = self.understood.transposed
            place += f", row {column.number}" if transposed else f", {column}"
        return FileError(f"{place}: ", *what)

    def column(self, which: str | int) -> Column:
        """
        Return a column by its name in the heading, or by its number from 1.

        Raises
        ------
        FileError
            If there is none, or several of that name.
        """
        named = [column for column in self.columns if column.name == which]
        if len(named) > 1:
            what = f"{len(named)} columns are called {shown(which)}; give a number"
            raise self.fault(what)
        if not named and (isinstance(which, int) or which.isdecimal()):
            named = [column for column in self.columns if column.number == int(which)]
        if not named:
            there = ", ".join(shown(column.title) for column in self.columns[:6])
            more = ", ..." if len(self.columns) > 6 else ""
            raise self.fault(f"no column {shown(which)}; there are {there}{more}")
        return named[0]

    def without(self, column: Column) -> "Table":
        """Leave a column out, beside which there must be another."""
        rest = tuple(other for other in self.columns if other is not column)
        if not rest:
            raise self.fault(f"no column is left beside {column}")
        return replace(self, columns=rest)

    def matrix(self) -> NDArray[np.float64]:
        """
        Return all columns as one matrix of finite numbers, with one row per object.

        Raises
        ------
        FileError
            At the first cell that is not a number, or not a finite one.
        """
        for column in self.columns:
            finite = np.isfinite(column.numbers)
            if not finite.all():
                first = int(np.argmin(finite))
                cell, number = column.cell(first), column.numbers[first]
                what = "not a finite number" if np.isinf(number) else "not a number"
                if np.isnan(number) and is_number(str(cell)):
                    what = "which is not written as the other numbers are"
                raise self.fault(
                    f"found {shown(cell)}, {what}", at=first, column=column
                )
        return np.column_stack([column.numbers for column in self.columns])

    def complete(self, drop: bool, hint: Piece = "") -> "Table":
        """
        Leave out the objects that have a missing value, or refuse the first one.

        Where labels are text, what text there is stands for itself. `hint` tells more
        to those who are refused.
        """
        as_text = self.as_text and len(self.columns) == 1
        missing = np.zeros(self.n_objects, dtype=bool)
        for column in self.columns:
            here = column.missing
            if as_text and column.is_text:
                here = np.array([cell is None for cell in column.cells.tolist()])
            if not drop and here.any():
                first = int(np.argmax(here))
                cell = column.cell(first)
                text = "null" if cell is None else str(cell).strip()
                what = f"a missing value ({text}); " if text else "an empty cell; "
                drops = (Setting("missing", "drop"), " leaves such objects out")
                raise self.fault(what, *drops, hint, at=first, column=column)
            missing |= here
        kept = np.flatnonzero(~missing)
        if kept.size == self.n_objects:
            return self
        if kept.size == 0:
            raise self.fault("a value of every object is missing: no object is left")
        n_missing = count(self.n_objects - kept.size, "object")
        first_row = self.row(int(np.argmax(missing)))
        remark = f"{n_missing} with a missing value left out (first {first_row})"
        return replace(
            self,
            columns=tuple(
                replace(column, cells=column.cells[kept]) for column in self.columns
            ),
            ids=None if self.ids is None else self.ids[kept],
            groups=None if self.groups is None else self.groups[kept],
            kept=kept,
            whole=self,
            remarks=(*self.remarks, remark),
        )

    def summary(self) -> ReadSummary:
        """Return what was understood of a table with the columns of a partition."""
        titles = tuple(column.title for column in self.columns)
        holds = "labels" if len(titles) == 1 else "memberships"
        return replace(self.understood, columns=titles, holds=holds)
