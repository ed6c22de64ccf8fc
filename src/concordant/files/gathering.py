"""Rows of text, as they come, become columns."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from concordant.errors import FileError
from concordant.files.numbers import are_booleans, as_number, as_numbers
from concordant.files.table import Column, Table
from concordant.files.understanding import Understood
from concordant.wording import shown


class Gathered:
    """
    The columns of a text file, to which rows are added.

    A column that holds fractions in the rows that were looked at, or one of several
    that hold nothing but 0 and 1, is kept as numbers alone: it holds memberships or
    measurements. All others, and with `as_text` each, keep the text of their cells,
    which may be labels or ids; so does `id_column`.
    """

    def __init__(
        self,
        source: str,
        looked_at: Sequence[tuple[int, list[str]]],
        as_text: bool,
        id_column: str | int | None,
    ) -> None:
        self.source = source
        self._lines: list[int] = []
        self.first = [cell.strip() for cell in looked_at[0][1]]
        self.width = len(self.first)
        columns = [[row[j] for _, row in looked_at[1:]] for j in range(self.width)]
        known = [as_numbers(column) for column in columns]
        #: The columns most of whose cells are numbers, in which marks are looked at.
        self.numeric = {
            j for j, x in enumerate(known) if 2 * np.isnan(x).sum() <= x.size
        }
        kinds = [*map(_kind_of, columns, known)]
        alone = kinds.count("binary") < 2
        floats = [
            j
            for j, kind in enumerate(kinds)
            if not as_text
            and (kind == "fractions" or (kind == "binary" and not alone))
            and id_column not in (self.first[j], j + 1, str(j + 1))
        ]
        #: Where the numbers of a column stand among those that are kept as such.
        self.places = {j: place for place, j in enumerate(floats)}
        self.numbers = np.empty((len(floats), len(looked_at)))
        self.words: dict[int, dict[int, str]] = {j: {} for j in floats}
        self.texts: dict[int, list[str]] = {
            j: [] for j in range(self.width) if j not in self.places
        }
        self.n_rows = 0
        self.mark: str | None = None
        self._percent: dict[int, bool] = {}
        self.add(looked_at)

    def reserve(self, n_more: int) -> None:
        """Make room for more rows."""
        needed = self.n_rows + n_more
        if needed > self.numbers.shape[1]:
            numbers = np.empty((len(self.places), needed))
            numbers[:, : self.n_rows] = self.numbers[:, : self.n_rows]
            self.numbers = numbers

    def add(self, rows: Sequence[tuple[int, list[str]]]) -> None:
        """Add rows of text with their line numbers."""
        start = self.n_rows
        if start + len(rows) > self.numbers.shape[1]:
            self.reserve(max(start, len(rows)))
        lines = [number for number, _ in rows]
        self._lines += lines
        for j in range(self.width):
            cells = [row[j] for _, row in rows]
            if j in self.texts:
                self.texts[j] += cells
                if j not in self.numeric:
                    continue
            found = _each_number(cells)
            if j in self.numeric:
                self._look_at_marks(j, cells, found, lines)
            if j in self.places:
                self.numbers[self.places[j], start : start + len(rows)] = found
                for position in np.flatnonzero(np.isnan(found)).tolist():
                    self.words[j][start + position] = cells[position]
        self.n_rows += len(rows)

    def add_parsed(self, columns: Sequence[NDArray[np.generic]]) -> None:
        """Add rows that a parser read: text or numbers, by the kind of the column."""
        stop = self.n_rows + len(columns[0])
        for j, column in enumerate(columns):
            if j in self.places:
                self.numbers[self.places[j], self.n_rows : stop] = column
            else:
                self.texts[j] += column.tolist()
        self.n_rows = stop

    @property
    def lines(self) -> Sequence[int]:
        """The line of each row; those that a parser read have one each."""
        if len(self._lines) == self.n_rows:
            return self._lines
        return range(self._lines[0], self._lines[0] + self.n_rows)

    def marks(self) -> tuple[str | None, bool]:
        """Return the decimal mark, and whether there are percentages."""
        return self.mark, any(self._percent.values())

    def _look_at_marks(
        self, j: int, cells: list[str], found: NDArray[np.float64], lines: list[int]
    ) -> None:
        """Refuse decimal points among commas, and numbers among percentages."""
        together = "".join(cells)
        plain = "," not in together and "%" not in together
        if plain and self.mark != "," and not self._percent.get(j):
            if "." in together and any("." in cells[i] for i in _known(found)):
                self.mark = "."
            return
        for position in _known(found):
            cell, place = cells[position], f"line {lines[position]}, column {j + 1}"
            if self._percent.setdefault(j, "%" in cell) != ("%" in cell):
                raise FileError(
                    f"{self.source}, {place}: found {shown(cell)} in a column "
                    + ("of percentages" if self._percent[j] else "without percentages")
                )
            mark = "," if "," in cell else "." if "." in cell else self.mark
            if self.mark is not None and mark != self.mark:
                raise FileError(
                    f"{self.source}, {place}: found {shown(cell)} in a table whose "
                    f"decimal mark is {shown(self.mark)}"
                )
            self.mark = mark

    def two_rows(self) -> tuple[list[str], list[str]]:
        """Return the first row and the text of the second."""
        return self.first, [texts[1].strip() for texts in self.texts.values()]

    def settle(self, heading: bool) -> None:
        """Give columns of numbers no more room than they need."""
        first, stop = int(heading), self.n_rows
        n, room = stop - first, self.numbers.shape[1]
        if n == room:
            return
        flat = self.numbers.reshape(-1)
        for place in range(len(self.places)):
            start = place * room
            flat[place * n : (place + 1) * n] = flat[start + first : start + stop]
        self.numbers = flat[: len(self.places) * n].reshape(-1, n)
        self.words = {
            j: {position - first: word for position, word in words.items()}
            for j, words in self.words.items()
        }

    def table(self, understood: Understood, heading: bool) -> Table:
        """Return a table, with the first row as a heading or an object."""
        return Table(
            self.source,
            tuple(self.columns(heading)),
            lines=self.lines[int(heading) :],
            understood=replace(understood, heading=heading),
        )

    def columns(self, heading: bool) -> list[Column]:
        """Return the columns, below the first row or with it."""
        first = int(heading)
        n = self.n_rows - first
        columns = []
        for j in range(self.width):
            name = self.first[j] if heading else None
            if j in self.places:
                # Settled columns begin below the heading already.
                shift = first if self.numbers.shape[1] > n else 0
                numbers = self.numbers[self.places[j], shift : shift + n]
                words = {
                    position - shift: word
                    for position, word in self.words[j].items()
                    if position >= shift
                }
                columns.append(Column(j + 1, name, numbers, numbers, words))
                continue
            cells = self.texts[j][first:]
            texts = np.array(cells, dtype=object)
            columns.append(Column(j + 1, name, texts, _numbers(cells)))
        return columns


def _kind_of(cells: list[str], known: NDArray[np.float64]) -> str:
    if not known.size or np.isnan(known).all():
        return "text"
    if {*cells} <= {"0", "1"}:
        return "binary"
    mostly = 2 * np.isnan(known).sum() <= known.size
    fractions = np.isfinite(known) & (known != np.floor(known))
    return "fractions" if mostly and fractions.any() else "text"


def _known(found: NDArray[np.float64]) -> list[int]:
    known: list[int] = np.flatnonzero(~np.isnan(found)).tolist()
    return known


def _each_number(cells: list[str]) -> NDArray[np.float64]:
    try:
        if "_" not in "".join(cells):
            return np.fromiter(map(float, cells), np.float64, len(cells))
    except ValueError:
        pass
    return np.fromiter(map(as_number, cells), np.float64, len(cells))


def _numbers(cells: list[str]) -> NDArray[np.float64]:
    """Return text as numbers, where a first cell may be a name that was no heading."""
    if not cells or are_booleans(cells[:1]):
        return as_numbers(cells)
    return np.append(as_number(cells[0]), as_numbers(cells[1:]))
