"""Sums of numbers by cells whose width follows from the numbers alone."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from concordant.agreement.spread import SPREAD_ERROR
from concordant.kernels.unit_places import (
    LOW_BITS,
    TOP_LEVEL,
    cells_of_places,
    join_cells,
    joining_levels,
    merge_cells,
    spans_of_cells,
)

Places = NDArray[np.int64]

#: Cells that a table has at most: some ten megabytes.
MOST_CELLS = 1 << 18

#: The distance between two places.
UNIT = 2.0**-60

_LOW = (1 << LOW_BITS) - 1


class Spread(NamedTuple):
    """The sum of all differences between numbers, and a bound of its error."""

    total: float
    error: float


@dataclass(frozen=True)
class Cells:
    """
    How many numbers lie in each cell, and what they sum to.

    Parameters
    ----------
    table : ndarray of shape (5, k)
        One column per cell that is not empty, in order of the first two rows: the
        group, the first place of the cell, how many numbers it holds, and the sums of
        the high and of the low bits of their places.
    level : int
        How wide cells are, from 0 (one place each) to 59 (a half of [0, 1]).

    Notes
    -----
    The place of a number is the whole number of units of 2^-60 below it. Cells of a
    level are nested in those of the next, and finer towards 0 and 1. Of the levels at
    which a table has no more than `MOST_CELLS` cells the lowest is taken: it depends
    on the numbers alone, not on the order in which they came, and a part of them never
    needs a higher one. All entries are integers, so that tables add up exactly.
    """

    table: Places
    level: int = 0

    @classmethod
    def of(cls, groups: Places, places: Places, floor: int = 0) -> "Cells":
        """
        Count numbers.

        Parameters
        ----------
        groups, places : ndarray of shape (n,)
            In ascending order of groups, then of places.
        floor : int, default=0
            The lowest level that is of use.

        Returns
        -------
        Cells
            Of the level that they need, or of `floor`.
        """
        level = max(floor, level_needed(groups, places))
        out = np.empty((5, len(places)), dtype=np.int64)
        return cls(_first(out, cells_of_places(groups, places, level, out)), level)

    def merged(self, other: "Cells") -> "Cells":
        """Give the cells of the numbers of both."""
        level = max(self.level, other.level)
        one, two = self._at(level).table, other._at(level).table
        out = np.empty((5, one.shape[1] + two.shape[1]), dtype=np.int64)
        table = _first(out, merge_cells(one, two, out))
        return Cells(table, level)._at(max(level, level_needed(table[0], table[1])))

    def regrouped(self, numbers: NDArray[np.intp]) -> "Cells":
        """Give groups other numbers, in the same order."""
        table = self.table.copy()
        table[0] = numbers[table[0]]
        return Cells(table, self.level)

    def sizes(self) -> Places:
        """Count the numbers of each group that has any."""
        return np.add.reduceat(self.table[2], _starts(self.table[0]))

    def values(self) -> NDArray[np.float64]:
        """Give the mean of each cell, as a distance from the first place of all."""
        _, places, counts, *_ = self.table
        return np.asarray(
            ((places - places[0]) + self._offsets() / counts) * UNIT, dtype=np.float64
        )

    def widths(self) -> NDArray[np.float64]:
        """Give the distance between the first and the last place of each cell."""
        return np.asarray(self.spans() * UNIT, dtype=np.float64)

    def means_within(self) -> NDArray[np.float64]:
        """Give the mean of each cell, as a distance from its first place."""
        return np.asarray(self._offsets() / self.table[2] * UNIT, dtype=np.float64)

    def spread(self) -> Spread:
        """
        Sum |u_i - u_j| over all pairs within a group.

        Returns
        -------
        Spread
            For pairs in different cells the sum is exact. In a cell of width w, with c
            numbers whose distances from its first place sum to h w, it lies between 0
            and h (c - h) w: the middle is taken, and half of it is the error.
        """
        groups, places, counts, *_ = self.table
        spans, offsets = self.spans(), self._offsets()
        means = offsets / counts
        starts = _starts(groups)
        ends = np.append(starts[1:], len(counts)) - 1
        up_to = np.cumsum(counts)
        lengths = ends - starts + 1
        below = up_to - np.repeat(np.append(0, up_to[ends[:-1]]), lengths)
        above = np.repeat(below[ends], lengths) - below  # 0 for the last of a group
        # Nothing cancels: no gap between neighbours of one group is negative.
        gaps = np.diff(places) + np.diff(means)
        between = float((below[:-1] * gaps * above[:-1]).sum())
        several = (counts > 1) & (spans > 0)
        c, h = counts[several], offsets[several] / spans[several]
        within = float(np.maximum(h * (c - h) * spans[several], 0.0).sum())
        # Gaps are small differences of larger numbers, and so is c - h.
        sizes = np.abs(np.diff(places)) + np.abs(np.diff(means))
        rounded = float((below[:-1] * sizes * above[:-1]).sum())
        rounded += float((h * c * spans[several]).sum())
        error = 0.5 * within + SPREAD_ERROR * rounded
        return Spread((between + 0.5 * within) * UNIT, error * UNIT)

    def _at(self, level: int) -> "Cells":
        if level == self.level:
            return self
        return Cells(_joined(self.table.copy(), level), level)

    def spans(self) -> Places:
        """Give the last place of each cell minus its first."""
        spans = np.empty(self.table.shape[1], dtype=np.int64)
        spans_of_cells(self.table[1], self.level, spans)
        return spans

    def _offsets(self) -> NDArray[np.float64]:
        """Sum the distances of the numbers from the first place of their cell."""
        _, places, counts, highs, lows = self.table
        high = highs - counts * (places >> LOW_BITS)
        low = lows - counts * (places & _LOW)
        return np.asarray(high * 2.0**LOW_BITS + low, dtype=np.float64)


def level_needed(groups: Places, places: Places) -> int:
    """
    Find the lowest level at which there are few enough cells.

    Parameters
    ----------
    groups, places : ndarray of shape (k,)
        Those of numbers, or of cells of any level, in order.

    Returns
    -------
    int
        0 if there are few already.
    """
    n = len(places)
    if n <= MOST_CELLS:
        return 0
    joined = np.zeros(TOP_LEVEL + 1, dtype=np.int64)
    joining_levels(groups, places, joined)
    few = n - np.cumsum(joined) <= MOST_CELLS
    return int(np.argmax(few)) if few.any() else TOP_LEVEL


def places_of(numbers: NDArray[np.float64]) -> tuple[Places, bool]:
    """
    Give numbers as places.

    Parameters
    ----------
    numbers : ndarray of shape (n,)
        Memberships.

    Returns
    -------
    tuple
        The places, and whether a number lies above its place.
    """
    scaled = numbers / UNIT
    whole = np.floor(scaled)
    return whole.astype(np.int64), bool((whole != scaled).any())


def _joined(table: Places, level: int) -> Places:
    return _first(table, join_cells(*table, level))


def _first(table: Places, n: int) -> Places:
    return table if n == table.shape[1] else table[:, :n].copy()


def _starts(groups: Places) -> NDArray[np.intp]:
    return np.flatnonzero(np.diff(groups, prepend=-1))
