"""A column of numbers as it comes: counts and sums by cells that merge exactly."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from concordant.families.crisp import pairs_within
from concordant.shortcuts.sorts import RELATIVE_ROUNDOFF
from concordant.storage.archive import checked
from concordant.terms.distribution import Bounded

Places = NDArray[np.int64]
Vector = NDArray[np.float64]

#: Cells that a table has at most: eight megabytes.
MOST_CELLS = 1 << 18
#: The distance between two places.
UNIT = 2.0**-58

_PLACE_BITS = 61
_ORIGIN = 1 << 60  # places lie between -2^60 and 2^60
_TOP = 58  # the level of cells from 0 to 1
_KEY_BITS = 63
_LOW_BITS = 30  # of a place, which are summed apart from the others
_LOW = (1 << _LOW_BITS) - 1


def places_of(numbers: Vector) -> tuple[Places, int]:
    """Return numbers in whole units, and by how many of these a difference is off."""
    scaled = numbers * (1.0 / UNIT)
    whole = np.floor(scaled)
    return whole.astype(np.int64), int((whole != scaled).any())


@dataclass(frozen=True, eq=False)
class Cells:
    """
    How many numbers of each group lie in each cell, and what they sum to.

    Cells have the width of 2^level places and are nested in those of higher levels.
    `keys` ascend and hold the group above the cell, so that shifting them gives those
    of a higher level. `sums` are, for each key, the number of places and the sums of
    their high and of their low bits: integers, which add up exactly. The level is the
    lowest with at most `MOST_CELLS` cells: it follows from the numbers alone.
    """

    keys: Places
    sums: Places
    level: int

    @classmethod
    def of(cls, groups: NDArray[Any] | None, places: Places, n_groups: int) -> "Cells":
        """Count places, in any order; groups are from 0 on, None: all are in one."""
        level = lowest_level(n_groups)
        keys = (places + _ORIGIN) >> level
        if groups is not None:
            keys |= groups.astype(np.int64) << (_PLACE_BITS - level)
        sums = np.stack((np.ones_like(places), places >> _LOW_BITS, places & _LOW))
        order = np.argsort(keys)
        return cls(keys[order], sums[:, order], level).few()

    @classmethod
    def merged(cls, tables: "list[Cells]") -> "Cells":
        """Return the cells of the numbers of all tables."""
        if len(tables) == 1:
            return tables[0]
        level = max(table.level for table in tables)
        at_level = [table.at(level) for table in tables]
        keys = np.concatenate([table.keys for table in at_level])
        order = np.argsort(keys, kind="stable")  # which makes use of order
        sums = np.concatenate([table.sums for table in at_level], axis=1)[:, order]
        return cls(keys[order], sums, level).few()

    @property
    def groups(self) -> Places:
        """The group of each cell."""
        return self.keys >> (_PLACE_BITS - self.level)

    @property
    def first_places(self) -> Places:
        """The first place of each cell."""
        cells = self.keys & ((1 << (_PLACE_BITS - self.level)) - 1)
        return (cells << self.level) - _ORIGIN

    @property
    def offsets(self) -> Vector:
        """The sums of the distances of places from the first of their cell."""
        first = self.first_places
        counts, highs, lows = self.sums
        high = highs - counts * (first >> _LOW_BITS)
        low = lows - counts * (first & _LOW)
        return np.asarray(high * 2.0**_LOW_BITS + low, dtype=np.float64)

    def regrouped(self, numbers: NDArray[np.intp], n_groups: int) -> "Cells":
        """Return the same with other numbers of groups, in the same order."""
        level = max(self.level, lowest_level(n_groups))
        cells = (self.first_places + _ORIGIN) >> level
        keys = (numbers[self.groups] << (_PLACE_BITS - level)) | cells
        return Cells(keys, self.sums, level).few()

    def at(self, level: int) -> "Cells":
        """Return the cells of a level that is not lower."""
        if level == self.level:
            return self
        return Cells(self.keys >> (level - self.level), self.sums, level).few()

    def sum_of_differences(self, groups: Places | None = None) -> Bounded:
        """
        Sum |x - y| over all pairs within a group, in units.

        For pairs in different cells it is exact. In a cell of width w, with c numbers
        whose distances from its first place sum to h w, it lies between 0 and
        h (c - h) w: the middle is taken, and half of it is the error.
        """
        groups = self.groups if groups is None else groups
        places, offsets, counts = self.first_places, self.offsets, self.sums[0]
        span = float((1 << self.level) - 1)
        means = offsets / counts
        starts = np.flatnonzero(np.diff(groups, prepend=-1))
        ends = np.append(starts[1:], len(counts)) - 1
        up_to = np.cumsum(counts)
        lengths = ends - starts + 1
        below = (up_to - np.repeat(np.append(0, up_to[ends[:-1]]), lengths)).astype(
            float
        )
        above = np.repeat(below[ends], lengths) - below  # 0 for the last of a group
        pairs = below[:-1] * above[:-1]
        steps = np.diff(places)
        # Means of neighbours are in order, so that no term is negative.
        between = float((pairs * (steps + np.diff(means)).clip(0.0)).sum())
        # But a gap is a small difference of numbers up to a step, as is c - h of c.
        size = float((pairs * steps).sum())
        within = 0.0
        if span > 0.0:
            h = offsets / span
            within = float(np.maximum(h * (counts - h) * span, 0.0).sum())
            size += float((offsets * counts).sum())
        error = 0.5 * within + RELATIVE_ROUNDOFF * size
        return Bounded(between + 0.5 * within, error)

    def few(self) -> "Cells":
        """Join what shares a key, at the lowest level with few enough cells."""
        level, starts = _few(self.keys, self.level)
        if level == self.level and len(starts) == len(self.keys):
            return self
        sums = np.add.reduceat(self.sums, starts, axis=1)
        return Cells(self.keys[starts] >> (level - self.level), sums, level)


def lowest_level(n_groups: int) -> int:
    """Return the level from which on a key holds the number of a group."""
    return max(0, (n_groups - 1).bit_length() + _PLACE_BITS - _KEY_BITS)


def _few(keys: Places, level: int) -> tuple[int, NDArray[np.intp]]:
    """Return the lowest level with few enough cells, and where each of them begins."""
    changed = keys[1:] ^ keys[:-1]
    low, high = level, level
    if np.count_nonzero(changed) >= MOST_CELLS:
        high = _TOP
        while low < high:
            middle = (low + high) // 2
            if np.count_nonzero(changed >> (middle - level)) < MOST_CELLS:
                high = middle
            else:
                low = middle + 1
    return high, np.flatnonzero(np.append(True, changed >> (high - level)))


class Sketch:
    """The cells of all numbers that were added, in any order."""

    def __init__(self) -> None:
        self._tables: list[Cells] = []
        self.rounding = 0  # units by which the difference of two numbers may be off

    def add(
        self, groups: NDArray[Any] | None, places: Places, n_groups: int, rounding: int
    ) -> None:
        """Add numbers, with the group of each or all in one."""
        self._append([Cells.of(groups, places, n_groups)], rounding)

    def merge(self, other: Self) -> None:
        """Add what another one holds, which is not changed."""
        self._append(other._tables, other.rounding)

    def regrouped(self, numbers: NDArray[np.intp], n_groups: int) -> "Sketch":
        """Return the same with other numbers of groups, in the same order."""
        found = Sketch()
        found._tables = [table.regrouped(numbers, n_groups) for table in self._tables]
        found.rounding = self.rounding
        return found

    def cells(self) -> Cells:
        """Return the cells, which depend on the numbers alone."""
        self._tables = [Cells.merged(self._tables)]
        return self._tables[0]

    def sum_of_differences(self) -> Bounded:
        """Sum the differences of all pairs within a group."""
        cells = self.cells()
        found = cells.sum_of_differences()
        starts = np.flatnonzero(np.diff(cells.groups, prepend=-1))
        sizes = np.add.reduceat(cells.sums[0], starts)
        error = found.error + self.rounding * pairs_within(sizes)
        return Bounded(found.value * UNIT, error * UNIT)

    def arrays(self, number: int) -> dict[str, NDArray[Any]]:
        """Return what is saved of the sketch with a number."""
        cells = self.cells()
        about = np.array([cells.level, self.rounding], dtype=np.int64)
        return {
            f"keys{number}": cells.keys,
            f"sums{number}": cells.sums,
            f"level{number}": about,
        }

    @classmethod
    def restored(cls, arrays: Any, number: int, sizes: Places) -> "Sketch":
        """Make a sketch of what was saved, if its groups may have these sizes."""
        keys = checked(arrays[f"keys{number}"], np.int64, None)
        sums = checked(arrays[f"sums{number}"], np.int64, 3, keys.size)
        about = checked(arrays[f"level{number}"], np.int64, 2)
        level, rounding = about.tolist()
        if not lowest_level(len(sizes)) <= level <= _TOP or rounding < 0:
            raise ValueError("cells of a level that does not exist")
        if (
            not keys.size
            or keys[0] < 0
            or (np.diff(keys) <= 0).any()
            or (sums[0] < 1).any()
        ):
            raise ValueError("cells that are not in order")
        cells = Cells(np.ascontiguousarray(keys), np.ascontiguousarray(sums), level)
        groups = cells.groups
        if groups[-1] >= len(sizes) or len(cells.few().keys) < len(keys):
            raise ValueError("impossible cells")
        found = np.zeros(len(sizes), dtype=np.int64)
        np.add.at(found, groups, sums[0])
        inside = (cells.offsets >= 0.0) & (cells.offsets <= sums[0] * 2.0**level)
        if not np.array_equal(found, sizes) or not inside.all():
            raise ValueError("cells of other objects")
        sketch = cls()
        sketch._tables, sketch.rounding = [cells], rounding
        return sketch

    def _append(self, tables: list[Cells], rounding: int) -> None:
        # Tables wait until they are long, so that each cell is merged few times.
        self._tables = [*self._tables, *tables]
        self.rounding = max(self.rounding, rounding)
        if sum(len(table.keys) for table in self._tables[1:]) > MOST_CELLS:
            self.cells()
