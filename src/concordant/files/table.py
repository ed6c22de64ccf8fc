"""What a file holds: columns of numbers or text, and where each cell stands."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from string import ascii_letters, digits
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from concordant.errors import FileError, Piece, Setting
from concordant.kept import kept
from concordant.partition.ids import are_distinct
from concordant.wording import check_choice, check_count, check_flag, count, shown

Missing = Literal["drop"]

#: A column, by its name or its number from 1, 0 for none.
Which = str | int | None

_NAMES = "tabs", "semicolons", "commas", "vertical bars", "blanks"
_DELIMITERS = dict(zip("\t;,| ", _NAMES, strict=True))

#: Cells, and which of them stands in each row, None if each row has its own.
Found = tuple[NDArray[Any], NDArray[np.integer[Any]] | None]

#: Columns that a file may have.
MOST_COLUMNS = 1 << 16

_BOOLEANS = {"true": 1.0, "false": 0.0}
_WORDS = (
    "? #n/a #na +nan -nan 1.#ind 1.#qnan -1.#ind -1.#qnan <na> missing n/a na nan nat "
    "none null n.a. \\n (null) <null> #ref! #value! #div/0! #name? #num! #null!"
)

#: What says, in capitals or not, that a value is missing.
MISSING = frozenset({"", *_WORDS.split()})

# Of each character: inf, nan, true, false and missing words begin with these.
_IS_LETTER = np.isin(np.arange(256), [*ascii_letters.encode()])
_BEGINS_NAMES = _IS_LETTER & ~np.isin(np.arange(256), [*b"fimntFIMNT"])
_IS_DIGIT = np.isin(np.arange(256), [*digits.encode()])
_MARKS = [*map(ord, ".,%")]
_DIGITS = 15  # of which a double holds every number

_MISSING_AMONG_NUMBERS = frozenset([".", "-", "--", "..", "*", "**"])
_THOUSANDS = re.compile(r"[+-]?[1-9][0-9]{0,2}(,[0-9]{3})+")


def as_number(cell: str, mark: str | None = None) -> float:
    """
    Return a cell as a number, NaN if it is none.

    ``"0,5"`` is a half, unless it is said that the decimal mark is another, and
    ``"5%"`` is 0.05. ``"1_000"`` is no number, though Python reads it so, nor is
    ``"5,"``, which blanks leave of a list.
    """
    bare = cell.strip()
    if bare.endswith(","):
        return math.nan
    if bare.endswith("%"):
        bare = f"{bare[:-1].rstrip()}e-2"  # rounded to a float once
    if mark != ".":
        bare = "_" if mark == "," and "." in bare else bare.replace(",", ".")
    try:
        return math.nan if "_" in bare else float(bare)
    except ValueError:
        return math.nan


def is_number(cell: str) -> bool:
    """Return whether a cell is a number, with any decimal mark or as a percentage."""
    return not math.isnan(as_number(cell))


def as_numbers(
    cells: NDArray[Any], mark: str, telling: NDArray[np.intp]
) -> NDArray[np.float64]:
    """
    Return cells as numbers, NaN where one is none, given which are `telling`.

    If each of them is true or false, these are 1 and 0.
    """
    numbers = np.full(len(cells), np.nan)
    counts = _counts(cells) if telling.size == len(cells) else None
    if counts is not None:
        return counts
    texts = cells[telling].tolist()
    together = "".join(texts)
    if "_" not in together and (mark != "," or "." not in together):
        with suppress(ValueError):
            numbers[telling] = np.fromiter(map(float, texts), np.float64, len(texts))
            return numbers
    # Labels repeat: look at each of them once.
    known = {cell: as_number(cell, mark) for cell in {*texts}}
    if telling.size == numbers.size and are_booleans(known):
        known = {cell: _BOOLEANS[cell.strip().casefold()] for cell in known}
    numbers[telling] = [*map(known.__getitem__, texts)]
    return numbers


def _points(cells: NDArray[np.str_]) -> NDArray[np.uint32]:
    """Return the characters of each cell, with zeros behind them."""
    return cells.view(np.uint32).reshape(len(cells), -1)


def _counts(cells: NDArray[Any]) -> NDArray[np.float64] | None:
    """Return the numbers in an array of text of some digits each, None of others."""
    if cells.dtype.kind != "U" or cells.itemsize > 4 * _DIGITS:
        return None
    numbers = np.zeros(len(cells))
    for at, points in enumerate(_points(cells).T):
        digits, is_end = points - np.uint32(ord("0")), points == 0
        if not ((digits < 10) | (is_end & (at > 0))).all():
            return None
        numbers = np.where(is_end, numbers, 10.0 * numbers + digits)
    return numbers


def telling_of(cells: NDArray[Any]) -> NDArray[np.intp]:
    """
    Return which cells may be numbers, true, false or missing.

    None is that begins with a letter with which no such word does, or with any letter
    and ends in a digit.
    """
    if cells.dtype.kind == "U":
        points = _points(cells)
        begins = np.minimum(points[:, 0], 255)
        is_name = _BEGINS_NAMES[begins]
        where = np.flatnonzero(_IS_LETTER[begins] & ~is_name)
        end = np.minimum(points[where, np.char.str_len(cells[where]) - 1], 255)
        is_name[where] = _IS_DIGIT[end]
        return np.flatnonzero(~is_name)
    joined = "\n".join([*cells.tolist(), ""]).encode("utf-8", "surrogatepass")
    characters = np.frombuffer(joined, np.uint8)
    ends = np.flatnonzero(characters == ord("\n"))
    if ends.size != len(cells):
        return np.arange(len(cells))
    first, last = characters[np.append(0, ends + 1)[:-1]], characters[ends - 1]
    is_name = _BEGINS_NAMES[first] | (_IS_LETTER[first] & _IS_DIGIT[last])
    return np.flatnonzero(~is_name)


def find_marks(columns: Sequence[NDArray[Any]]) -> tuple[str | None, bool]:
    """
    Return the decimal mark of a table, and whether it holds percentages.

    The mark is that of most numbers, None if no number has one; what may be a mark of
    thousands, as in ``"1,000"``, is none.
    """
    marks: Counter[str] = Counter()
    for cells in columns:
        if cells.dtype.kind == "U" and not np.isin(_points(cells), _MARKS).any():
            continue
        telling = cells[telling_of(cells)].tolist()
        together = "".join(telling)
        if not any(chr(mark) in together for mark in _MARKS):
            continue
        numbers = filter(is_number, {*telling})
        clear = (cell for cell in numbers if not _THOUSANDS.fullmatch(cell.strip()))
        marks.update(mark for cell in clear for mark in ".,%" if mark in cell)
    percent = marks.pop("%", 0) > 0
    return max(marks, key=lambda mark: marks[mark], default=None), percent


def are_booleans(cells: Iterable[str]) -> bool:
    """Return whether all cells are true or false, in capitals or not."""
    return all(len(x) < 64 and x.strip().casefold() in _BOOLEANS for x in cells)


def means_missing(cell: str, among_numbers: bool = False) -> bool:
    """
    Return whether a cell says that its value is missing.

    Examples
    --------
    >>> from concordant.files.table import means_missing
    >>> [means_missing(cell) for cell in ("NA", "-nan", " ", "0", "nano", "-")]
    [True, True, True, False, False, False]
    """
    bare = cell.strip().casefold() if len(cell) < 64 else cell
    return bare in MISSING or (among_numbers and bare in _MISSING_AMONG_NUMBERS)


@dataclass(frozen=True)
class Reading:
    """What was said about how to read a file, by the names of `read_partition`."""

    id_column: Which = None
    delimiter: str | None = None
    header: bool | None = None
    array: str | None = None
    skip: int = 0
    encoding: str | None = None
    column: Which = None
    columns: Sequence[str | int] | None = None
    transpose: bool = False
    missing: Missing | None = None
    labels_as_text: bool = False
    run: int | None = None
    ids: str | Path | None = None

    def __post_init__(self) -> None:
        check_choice("missing", self.missing, get_args(Missing))
        check_count("skip", self.skip, at_least=0)
        check_flag("header", self.header, optional=True)
        check_flag("transpose", self.transpose)
        check_flag("labels_as_text", self.labels_as_text)
        if self.run is not None:
            check_count("run", self.run)


@dataclass(frozen=True)
class ReadSummary:
    """
    What a reader decided about a file.

    Parameters
    ----------
    form : str
        The format, by its name in `concordant formats`.
    compression : {"gzip", "bzip2", "xz", "zstd"} or None
        How it was compressed.
    encoding : str or None
        How the characters of a text file were encoded.
    delimiter : str or None
        What separates the cells of a text file, ``" "`` for any number of blanks; None
        if each line is one cell, and in other formats.
    decimal : {".", ","} or None
        The decimal mark of a text file; None if no number has one.
    percent : bool
        Whether numbers of a text file are percentages.
    heading : bool or None
        Whether the first row of a text file names the columns.
    ids : str or None
        The column that holds the ids.
    columns : tuple of str
        The columns that hold the labels or memberships.
    holds : {"labels", "memberships"} or None
        What these are; None for other tables.
    transposed : bool
        Whether rows were taken as columns.
    run : int or None
        Which run was read, of a file that may hold several.
    """

    form: str
    compression: str | None = None
    encoding: str | None = None
    delimiter: str | None = None
    decimal: str | None = None
    percent: bool = False
    heading: bool | None = None
    ids: str | None = None
    columns: tuple[str, ...] = ()
    holds: str | None = None
    transposed: bool = False
    run: int | None = None

    def sentence(self, n_objects: int) -> str:
        """
        Return a sentence on what was understood of a file of so many objects.

        Examples
        --------
        >>> from concordant.files.table import ReadSummary
        >>> columns = ("x", "y")
        >>> csv = ReadSummary("text", delimiter=",", heading=True, columns=columns)
        >>> csv.sentence(150)
        '150 objects, 2 columns of memberships, commas, heading, no ids'
        """
        known = (None, "utf-8", "text", "npy", "npz", "parquet", "arrow")
        labels = self.holds == "labels"
        parts = {
            count(n_objects, "object"): True,
            f"labels from {_quoted([*self.columns, ''][0])}": labels,
            f"{count(len(self.columns), 'column')} of memberships": not labels,
            f"run {self.run}": self.run is not None,
            "transposed": self.transposed,
            self.form: self.form not in known,
            self.compression: self.compression,
            self.encoding: self.encoding not in known,
            _DELIMITERS.get(str(self.delimiter), repr(self.delimiter)): self.delimiter,
            "decimal commas": self.decimal == ",",
            "percentages": self.percent,
            "heading": self.heading,
            "no heading": self.heading is False,
            "no ids": self.ids is None,
            f"ids from {_quoted(self.ids or '')}": self.ids is not None,
        }
        return ", ".join(str(part) for part, is_so in parts.items() if is_so)

    def to_dict(self) -> dict[str, str | int | bool | list[str] | None]:
        """Return what was understood as JSON has it."""
        facts = asdict(self)
        return {"format": facts.pop("form"), **facts, "columns": [*self.columns]}


def _quoted(name: str) -> str:
    return f"`{shown(name)[1:-1]}`"


def check_width(width: int, source: str) -> None:
    """Refuse a table with more columns than anybody has clusters."""
    if width > MOST_COLUMNS:
        what = f"{width} columns, and at most {MOST_COLUMNS} are read; save it with "
        raise FileError(f"{source}: {what}one object per row")


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
    cells : ndarray of shape (n,), or of fewer with `codes`
        What the file holds: text, or numbers where the format has them or nothing else
        was read.
    mark : str or None
        The decimal mark of text that may spell numbers; None if it spells none.
    as_text : bool
        Whether text stands for itself, even if it says that a value is missing.
    codes : ndarray of shape (n,) or None
        Which of the cells stands in each row, where many rows have the same.
    """

    number: int
    name: str | None
    cells: NDArray[Any]
    mark: str | None = None
    as_text: bool = False
    codes: NDArray[np.integer[Any]] | None = None

    def spread(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return the value of each row, given those of the cells."""
        return values if self.codes is None else values[self.codes]

    def take(self, rows: slice | NDArray[np.intp]) -> "Column":
        """Keep some of the rows."""
        if self.codes is None:
            return replace(self, cells=self.cells[rows])
        codes = self.codes[rows]
        present = np.bincount(codes, minlength=self.cells.size) > 0
        codes = (np.cumsum(present) - 1)[codes]
        return replace(self, cells=self.cells[present], codes=codes)

    @kept
    def telling(self) -> NDArray[np.intp]:
        """Which cells of text may be numbers, true, false or missing."""
        return telling_of(self.cells)

    @kept
    def values(self) -> NDArray[np.float64]:
        """The cells as numbers, NaN where one is not a number."""
        if not self.is_text:
            return self.cells.astype(np.float64, copy=False)
        if self.mark is None:
            return np.full(self.cells.shape, np.nan)
        return as_numbers(self.cells, self.mark, self.telling)

    @kept
    def numbers(self) -> NDArray[np.float64]:
        """The number in each row, NaN where there is none."""
        return self.spread(self.values)

    def __str__(self) -> str:
        place = f"column {self.number}" if self.number else "array"
        return f"{place} ({shown(self.name)})" if self.name else place

    def at(self, position: int) -> int:
        """Return where among the cells stands that of a row."""
        rows = range(self.cells.size) if self.codes is None else self.codes
        return int(rows[position])

    def cell(self, position: int) -> Any:
        """Return what stands in a row, as Python has it."""
        at = self.at(position)
        return self.cells[at : at + 1].tolist()[0]

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

    @kept
    def is_mostly_numbers(self) -> bool:
        """Whether at least half of the cells are numbers."""
        return bool(2 * np.isnan(self.numbers).sum() <= self.numbers.size)

    @property
    def is_whole(self) -> bool:
        """Whether all cells are whole numbers, of whatever size."""
        whole = np.isfinite(self.values) & (self.values == np.floor(self.values))
        return bool(whole.all())

    @property
    def is_distinct(self) -> bool:
        """Whether no two rows have the same cell."""
        several = self.codes is not None and self.cells.size < self.codes.size
        return not several and are_distinct(self.cells)

    @kept
    def missing(self) -> NDArray[np.bool_]:
        """Where a value is missing."""
        missing = np.isnan(self.values)
        if self.is_text and missing.any():
            where = np.flatnonzero(missing) if self.mark is None else self.telling
            where = where[missing[where]]
            among = bool(where.size) and self.is_mostly_numbers
            words = self.cells[where].tolist()
            known = {
                word: word is None
                or (not self.as_text and means_missing(str(word), among))
                for word in {*words}
            }
            missing = np.zeros_like(missing)
            missing[where] = [known[word] for word in words]
        return self.spread(missing)

    def texts(self) -> NDArray[Any]:
        """Return the cells as text, without blanks and no-break spaces around them."""
        cells = self.cells
        if cells.dtype.kind == "U":
            return (
                np.char.strip(cells, " ")
                if (_points(cells) == ord(" ")).any()
                else cells
            )
        texts = [*map(str, cells.tolist())]
        together = "".join(texts)
        if " " in together or "\xa0" in together:
            texts = [text.strip(" \xa0") for text in texts]
        return np.array(texts, object)


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
    lines : ndarray of shape (n,)
        Where each row stands in the file, counted from 1.
    understood : ReadSummary
        What was decided about the file.
    unit : {"row", "line", "column"}
        What is counted: lines of text, else rows, or columns if they are objects.
    ids : ndarray of shape (n,) or None
        The ids of the objects, as text.
    groups : ndarray of shape (n,) or None
        The group that each object was sampled from, if the file says so.
    remarks : tuple of str
        Sentences on what was noticed.
    is_part : bool, default=False
        Whether other parts of the file come before this one.
    whole : Table or None
        The table with all objects, if some were left out.
    """

    source: str
    columns: tuple[Column, ...]
    lines: NDArray[np.intp]
    understood: ReadSummary
    unit: str = "row"
    ids: NDArray[np.object_] | None = None
    groups: NDArray[np.object_] | None = None
    remarks: tuple[Piece, ...] = ()
    is_part: bool = False
    whole: "Table | None" = None

    def __post_init__(self) -> None:
        check_width(len(self.columns), self.source)

    @property
    def n_objects(self) -> int:
        """Number of objects."""
        return len(self.lines)

    @property
    def listing(self) -> str:
        """The first columns, as one names them."""
        names = (shown(column.name or column.number) for column in self.columns[:6])
        return ", ".join(names) + (", ..." if len(self.columns) > 6 else "")

    def row(self, position: int) -> str:
        """Return where a row stands: ``"line 7"`` or ``"row 7"``."""
        return f"{self.unit} {self.lines[position]}"

    def fault(
        self, *what: Piece, at: int | None = None, column: Column | None = None
    ) -> FileError:
        """Return an error that says at which row and column of the file it is."""
        place = self.source if at is None else f"{self.source}, {self.row(at)}"
        if column is not None:
            across = f"row {column.number}" if self.unit == "column" else column
            place += f", {across}"
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
        if not named and str(which).isdecimal():
            named = [column for column in self.columns if column.number == int(which)]
        if not named:
            raise self.fault(f"no column {shown(which)}; there are {self.listing}")
        return named[0]

    def without(self, column: Column) -> "Table":
        """Leave a column out, beside which there must be another."""
        rest = tuple(other for other in self.columns if other is not column)
        if not rest:
            raise self.fault(f"no column is left beside {column}")
        return replace(self, columns=rest)

    def noting(self, **facts: Any) -> "Table":
        """Add to what was understood."""
        return replace(self, understood=replace(self.understood, **facts))

    def take(self, rows: slice | NDArray[np.intp]) -> "Table":
        """Keep some of the objects."""
        columns = tuple(column.take(rows) for column in self.columns)
        ids, groups = (x if x is None else x[rows] for x in (self.ids, self.groups))
        lines = self.lines[rows]
        return replace(self, columns=columns, lines=lines, ids=ids, groups=groups)

    def matrix(self, hint: Piece = "") -> NDArray[np.float64]:
        """
        Return all columns as one matrix of finite numbers, with one row per object.

        `hint` tells more to those who are refused.

        Raises
        ------
        FileError
            At the first cell that is not a number, or not a finite one.
        """
        for column in self.columns:
            finite = np.isfinite(column.numbers)
            if not finite.all():
                at = int(np.argmin(finite))
                what = f"found {shown(column.cell(at))}, not a number as the others are"
                raise self.fault(what, hint, at=at, column=column)
        return np.column_stack([column.numbers for column in self.columns])

    def complete(self, drop: bool, hint: Piece = "") -> "Table":
        """
        Leave out the objects that have a missing value, or refuse the first one.

        `hint` tells more to those who are refused.
        """
        missing = np.zeros(self.n_objects, dtype=bool)
        for column in self.columns:
            if not drop and column.missing.any():
                at = int(np.argmax(column.missing))
                what = f"a missing value ({str(column.cell(at)).strip() or 'empty'}); "
                drops = (Setting("missing", "drop"), " leaves such objects out")
                raise self.fault(what, *drops, hint, at=at, column=column)
            missing |= column.missing
        kept = np.flatnonzero(~missing)
        if kept.size == self.n_objects:
            return self
        if kept.size == 0:
            raise self.fault("a value of every object is missing: no object is left")
        left_out = count(self.n_objects - kept.size, "object")
        first = self.row(int(np.argmax(missing)))
        remark = f"{left_out} with a missing value left out (first {first})"
        return replace(self.take(kept), whole=self, remarks=(*self.remarks, remark))

    def summary(self) -> ReadSummary:
        """Return what was understood of a table with the columns of a partition."""
        titles = tuple(column.title for column in self.columns)
        holds = "labels" if len(titles) == 1 else "memberships"
        return replace(self.understood, columns=titles, holds=holds)
