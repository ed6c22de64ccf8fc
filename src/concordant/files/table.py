"""What a file holds: columns of numbers or text, and where each cell stands."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.errors import FileError, Keyword, Message, Piece, Setting
from concordant.files.missing import means_missing
from concordant.files.numbers import are_booleans
from concordant.files.understanding import Understood
from concordant.wording import shown

_UNKNOWN = Understood("table")
_SKIPPING = 2.0**53  # from here on, doubles leave out integers
_INTEGER = re.compile(r"[+-]?[0-9]{1,4000}")
_SEVERAL_NUMBERS = re.compile(r"[0-9][.,][0-9]+[^0-9.,]+[0-9]*[.,][0-9]")


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
    content : ndarray of shape (n,), or a function that gives it
        What the file holds: text, or numbers where the format has them.
    numbers : ndarray of shape (n,)
        The same as numbers, NaN where a cell is not a number.
    """

    number: int
    name: str | None
    content: NDArray[Any] | Callable[[], NDArray[Any]]
    numbers: NDArray[np.float64]

    @cached_property
    def cells(self) -> NDArray[Any]:
        """What the file holds."""
        return self.content() if callable(self.content) else self.content

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
    def is_text(self) -> bool:
        """Whether the file holds text there, of which some may spell numbers."""
        return callable(self.content) or self.content.dtype.kind in "OUS"

    @property
    def is_boolean(self) -> bool:
        """Whether the file holds the words true and false."""
        return (
            not callable(self.content)
            and self.content.dtype.kind in "OUS"
            and are_booleans([*map(str, self.content[:1])])
            and are_booleans([*map(str, self.content)])
        )

    @property
    def is_mostly_numbers(self) -> bool:
        """Whether at least half of the cells are numbers."""
        return bool(2 * np.isnan(self.numbers).sum() <= self.numbers.size)

    @property
    def is_whole(self) -> bool:
        """Whether all cells are whole numbers, of whatever size."""
        whole = np.isfinite(self.numbers) & (self.numbers == np.floor(self.numbers))
        return bool(whole.all())

    @property
    def integers(self) -> NDArray[Any] | None:
        """What all cells are as integers, to the last digit; None if they are none."""
        if not self.is_text and self.cells.dtype.kind in "iu":
            return self.cells
        if not self.is_whole:
            return None
        if (np.abs(self.numbers) < _SKIPPING).all():
            return self.numbers.astype(np.int64)
        cells = self.cells.tolist() if self.is_text else [""]
        if not all(map(_INTEGER.fullmatch, map(bare, map(str, cells)))):
            return None
        return np.array([int(cell) for cell in cells], dtype=object)

    @cached_property
    def missing(self) -> NDArray[np.bool_]:
        """Where a value is missing."""
        missing = np.isnan(self.numbers)
        if not missing.any() or not self.is_text:
            return missing
        # Labels repeat: look at each of them once.
        cells = self.cells[missing].tolist()
        said = {cell: cell is None or means_missing(str(cell)) for cell in {*cells}}
        if True in said.values():
            missing[missing] = [said[cell] for cell in cells]
        else:
            missing[:] = False
        return missing

    def at(self, positions: NDArray[np.intp]) -> "Column":
        """
        Keep the cells at some positions.

        Parameters
        ----------
        positions : ndarray of int
            From 0.

        Returns
        -------
        Column
            Of the same number and name.
        """
        cells = self.cells[positions]
        if cells.dtype.kind == "O" and all(isinstance(c, int | float) for c in cells):
            cells = np.array(cells.tolist())  # numbers, of which some were missing
        return replace(self, content=cells, numbers=self.numbers[positions])


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
    understood : Understood
        What was decided about the file.
    remarks : tuple of str
        Sentences on what was noticed.
    kept : ndarray of int or None
        The positions of the objects in the file, if some were left out.
    all_ids : ndarray or None
        The ids of all objects of the file, if some were left out.
    n_rows : int
        How many objects the file has, if some were left out.
    """

    source: str
    columns: tuple[Column, ...]
    ids: NDArray[np.object_] | None = None
    lines: NDArray[np.intp] | None = None
    before: int = 0
    understood: Understood = _UNKNOWN
    remarks: tuple[str, ...] = ()
    kept: NDArray[np.intp] | None = None
    all_ids: NDArray[np.object_] | None = None
    n_rows: int = 0

    @property
    def n_objects(self) -> int:
        """How many objects there are."""
        return int(self.columns[0].numbers.size)

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
        if self.kept is not None:
            position = int(self.kept[position])
        if self.understood.transposed:
            return f"column {position + 1}"
        if self.lines is None:
            return f"row {self.before + position + 1}"
        return f"line {self.lines[position]}"

    def fault(
        self, what: Piece, position: int | None = None, column: Column | None = None
    ) -> FileError:
        """
        Make an error that says where in the file it is.

        Parameters
        ----------
        what : str or Message
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
            transposed = self.understood.transposed
            place += f", row {column.number}" if transposed else f", {column}"
        return FileError(f"{place}: ", what)

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
        Return all columns as one matrix of numbers.

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

    def labels(self, column: Column, *, as_text: bool = False) -> NDArray[Any]:
        """
        Return a column as labels.

        Parameters
        ----------
        column : Column
            One of the table.
        as_text : bool, default=False
            Whether labels are text, whatever they look like.

        Returns
        -------
        ndarray of shape (n,)
            Integers if all cells are numbers, else text, without the blanks around it.

        Raises
        ------
        FileError
            At the first number that is not whole, or if text is not likely to be
            labels.
        """
        if as_text:
            return _stripped(column)
        if not column.is_text and column.cells.dtype.kind == "b":
            return column.cells
        text = not column.is_numeric or column.is_boolean
        integers = None if text else column.integers
        if integers is not None:
            return integers
        numbers = column.numbers
        fractions = ~np.isnan(numbers) & (
            (np.abs(numbers) >= _SKIPPING) | (numbers != np.floor(numbers))
        )
        if fractions.any() and (not text or column.is_mostly_numbers):
            first = int(np.argmax(fractions))
            raise self.fault(
                Message(
                    f"found {numbers[first]:g}, but labels are whole numbers or text; "
                    "memberships need one column per cluster",
                    self._as_text(column, "takes them as text"),
                ),
                first,
                column,
            )
        return self._text_labels(column)

    def _text_labels(self, column: Column) -> NDArray[np.object_]:
        labels = _stripped(column)
        distinct = {*labels.tolist()}
        for label in distinct:
            if len(label) < 1000 and _SEVERAL_NUMBERS.search(label):
                raise self.fault(
                    Message(
                        f"found {shown(label)}, where one label is expected; ",
                        Keyword("delimiter"),
                        " says what separates cells",
                        self._as_text(column),
                    ),
                    int(np.argmax(labels == label)),
                    column,
                )
        # Of a later part of a file that says nothing: others may have the same labels.
        if len(distinct) == len(labels) > 2 and self.before == 0:
            raise self.fault(
                Message(
                    f"no label occurs twice (the first is {shown(labels[0])}), so "
                    "each object would be a cluster of its own",
                    self._as_text(column, "says that this is meant"),
                ),
                column=column,
            )
        return labels

    def _as_text(self, column: Column, does: str = "takes it as it is") -> Piece:
        if not column.is_text:
            return ""
        return Message("; ", Setting("labels_as_text", True), f" {does}")

    def check_nothing_missing(
        self, *, but_text: bool = False, hint: Piece = ""
    ) -> None:
        """
        Refuse a table with a missing value.

        Parameters
        ----------
        but_text : bool, default=False
            Whether what text there is stands for itself.
        hint : str or Message, optional
            What else may be done about it.

        Raises
        ------
        FileError
            At the first such cell of the first such column.
        """
        for column in self.columns:
            missing = _missing(column, but_text)
            if not missing.any():
                continue
            first = int(np.argmax(missing))
            what = Message(
                _which(column, first),
                "; ",
                Setting("missing", "drop"),
                " leaves such objects out",
            )
            if column.is_text and not column.is_mostly_numbers:
                as_text = Setting("labels_as_text", True)
                what = Message(what, ", ", as_text, " takes it as a label")
            raise self.fault(Message(what, hint), first, column)

    def without_missing(self, *, but_text: bool = False) -> "Table":
        """
        Leave out the objects that have a missing value.

        Parameters
        ----------
        but_text : bool, default=False
            Whether what text there is stands for itself.

        Returns
        -------
        Table
            With a remark on how many they were.
        """
        missing = np.zeros(self.n_objects, dtype=bool)
        for column in self.columns:
            missing |= _missing(column, but_text)
        if not missing.any():
            return self
        kept = np.flatnonzero(~missing)
        if kept.size == 0:
            raise self.fault("a value of every object is missing: no object is left")
        first = self.row(int(np.argmax(missing)))
        left_out = len(missing) - len(kept)
        has = (
            "1 object has a missing value and is"
            if left_out == 1
            else (f"{left_out} objects have a missing value and are")
        )
        remark = f"{has} left out ({'first ' if left_out > 1 else ''}{first})"
        return replace(
            self,
            columns=tuple(column.at(kept) for column in self.columns),
            ids=None if self.ids is None else self.ids[kept],
            kept=kept,
            all_ids=self.ids,
            n_rows=self.n_objects,
            remarks=(*self.remarks, remark),
        )


def bare(cell: str) -> str:
    """Strip the blanks and no-break spaces around a cell, which are not part of it."""
    return cell.strip(" \xa0")


def _stripped(column: Column) -> NDArray[np.object_]:
    return np.array([bare(str(cell)) for cell in column.cells.tolist()], dtype=object)


def _missing(column: Column, but_text: bool) -> NDArray[np.bool_]:
    if not (but_text and column.is_text):
        return column.missing
    return np.array([cell is None for cell in column.cells.tolist()])


def _which(column: Column, position: int) -> str:
    cell = column.cells[position : position + 1].tolist()[0]
    if cell is None:
        return "a missing value (null)"
    text = str(cell).strip()
    return f"a missing value ({text})" if text else "an empty cell"
