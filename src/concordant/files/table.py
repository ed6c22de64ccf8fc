"""What a file holds: columns of numbers or text, and where each cell stands."""

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.files.errors import FileError, shown


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
        What the file holds: text, or numbers where the format has them.
    numbers : ndarray of shape (n,)
        The same as numbers, NaN where a cell is not a number.
    """

    number: int
    name: str | None
    cells: NDArray[Any]
    numbers: NDArray[np.float64]

    def __str__(self) -> str:
        place = f"column {self.number}" if self.number else "array"
        return f"{place} ({shown(self.name)})" if self.name else place

    @property
    def title(self) -> str:
        """The name that it has, or one made from its number."""
        return self.name or f"column {self.number}"

    @property
    def is_numeric(self) -> bool:
        """Whether all cells are numbers."""
        return not np.isnan(self.numbers).any()

    @property
    def is_mostly_numbers(self) -> bool:
        """Whether at least half of the cells are numbers."""
        return bool(2 * np.isnan(self.numbers).sum() <= self.numbers.size)


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
    lines : ndarray of shape (n,) or None
        The line of each row in a text file; None where rows are counted from 1.
    before : int, default=0
        How many rows of the file stand before the first, if this is a part of it.
    """

    source: str
    columns: tuple[Column, ...]
    ids: NDArray[np.object_] | None = None
    lines: NDArray[np.intp] | None = None
    before: int = 0

    @property
    def n_objects(self) -> int:
        """How many objects there are."""
        return int(self.columns[0].cells.size)

    def row(self, position: int) -> str:
        """
        Say where a row stands.

        Parameters
        ----------
        position : int
            From 0.

        Returns
        -------
        str
            ``"line 7"`` or ``"row 7"``.
        """
        if self.lines is None:
            return f"row {self.before + position + 1}"
        return f"line {self.lines[position]}"

    def fault(
        self, what: str, position: int | None = None, column: Column | None = None
    ) -> FileError:
        """
        Make an error that says where in the file it is.

        Parameters
        ----------
        what : str
            What is wrong.
        position : int, optional
            The row, from 0.
        column : Column, optional
            The column.

        Returns
        -------
        FileError
            To be raised.
        """
        place = self.source
        if position is not None:
            place += f", {self.row(position)}"
        if column is not None:
            place += f", {column}"
        return FileError(f"{place}: {what}")

    def column(self, which: str | int) -> Column:
        """
        Find a column by its name or number.

        Parameters
        ----------
        which : str or int
            A name in the header, or a number from 1, which may be given as text.

        Returns
        -------
        Column
            The column.

        Raises
        ------
        FileError
            If there is none, or several of that name.
        """
        named = [column for column in self.columns if column.name == which]
        if len(named) > 1:
            raise self.fault(
                f"{len(named)} columns are called {shown(which)}; give a number"
            )
        if not named and (isinstance(which, int) or which.isdecimal()):
            named = [column for column in self.columns if column.number == int(which)]
        if not named:
            there = ", ".join(shown(column.title) for column in self.columns[:6])
            more = ", ..." if len(self.columns) > 6 else ""
            raise self.fault(f"no column {shown(which)}; there are {there}{more}")
        return named[0]

    def without(self, column: Column) -> "Table":
        """
        Leave a column out.

        Parameters
        ----------
        column : Column
            One of the table.

        Returns
        -------
        Table
            With all other columns, of which there must be one.
        """
        rest = tuple(other for other in self.columns if other is not column)
        if not rest:
            raise self.fault(f"no column is left beside {column}")
        return replace(self, columns=rest)

    def matrix(self) -> NDArray[np.float64]:
        """
        Give all columns as one matrix of numbers.

        Returns
        -------
        ndarray of shape (n, p)
            All of them finite.

        Raises
        ------
        FileError
            At the first cell that is not a number, or not a finite one.
        """
        for column in self.columns:
            if np.isfinite(column.numbers).all():
                continue
            first = int(np.argmin(np.isfinite(column.numbers)))
            found = shown(column.cells[first : first + 1].tolist()[0])
            number = "finite number" if np.isinf(column.numbers[first]) else "number"
            raise self.fault(f"found {found}, not a {number}", first, column)
        return np.column_stack([column.numbers for column in self.columns])

    def labels(self, column: Column) -> NDArray[Any]:
        """
        Give a column as labels.

        Parameters
        ----------
        column : Column
            One of the table.

        Returns
        -------
        ndarray of shape (n,)
            Integers if all cells are numbers, else text.

        Raises
        ------
        FileError
            At the first number that is not whole.
        """
        if not column.is_numeric or column.cells.dtype.kind in "biu":
            return column.cells
        whole = np.abs(column.numbers) <= 2.0**53  # beyond, a float skips integers
        whole &= column.numbers == np.floor(column.numbers)
        if not whole.all():
            first = int(np.argmin(whole))
            raise self.fault(
                f"found {column.numbers[first]:g}, but labels are whole numbers or "
                "text; memberships need one column per cluster",
                first,
                column,
            )
        return column.numbers.astype(np.int64)


def as_number(cell: str) -> float:
    """
    Read a cell as a number.

    Parameters
    ----------
    cell : str
        What the file holds.

    Returns
    -------
    float
        NaN if it is not a number; ``"1_000"`` is none, though Python reads it so.
    """
    try:
        return math.nan if "_" in cell else float(cell)
    except ValueError:
        return math.nan


def as_numbers(cells: Sequence[str]) -> NDArray[np.float64]:
    """
    Read cells as numbers.

    Parameters
    ----------
    cells : sequence of n str
        What the file holds.

    Returns
    -------
    ndarray of shape (n,)
        NaN where a cell is not a number.
    """
    if "_" not in "".join(cells):
        with suppress(ValueError):  # mostly, all cells of a column are numbers
            return np.fromiter(map(float, cells), dtype=np.float64, count=len(cells))
    return np.fromiter(map(as_number, cells), dtype=np.float64, count=len(cells))


def check_nothing_missing(table: Table) -> None:
    """
    Refuse a table with an empty cell or a NaN.

    Parameters
    ----------
    table : Table
        What was read.

    Raises
    ------
    FileError
        At the first such cell of the first such column.
    """
    for column in table.columns:
        for position in np.flatnonzero(np.isnan(column.numbers)).tolist():
            cell = str(column.cells[position]).strip()
            if cell.casefold() in ("", "nan"):
                what = "a missing value (nan)" if cell else "an empty cell"
                raise table.fault(what, position, column)
