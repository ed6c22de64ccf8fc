"""A column of numbers as it comes: counts and sums by cells that merge exactly."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Vector
from concordant.bounded import Bounded
from concordant.measures.tables.crisp import pairs_within
from concordant.pairs.sorts import RELATIVE_ROUNDOFF
from concordant.sums.object_sums import Arrays

Places = NDArray[np.int64]

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
class NestedCells:
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
    def of(cls, places: Places, sizes: Places) -> "NestedCells":
        """
        Return the cells of numbers, group after group of these sizes.

        Those of a group ascend, unless there is one group alone.
        """
        level = lowest_level(len(sizes))
        places = np.sort(places) if len(sizes) == 1 else places
        keys = (places + _ORIGIN) >> level
        keys |= np.repeat(np.arange(len(sizes)), sizes) << (_PLACE_BITS - level)
        high, low = places >> _LOW_BITS, places & _LOW
        return cls(keys, np.stack((np.ones_like(high), high, low)), level).few()

    @classmethod
    def merged(cls, tables: "Sequence[NestedCells]") -> "NestedCells":
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
    def group_sizes(self) -> Places:
        """How many numbers each group has, of those that have any."""
        starts = np.flatnonzero(np.diff(self.groups, prepend=-1))
        return np.add.reduceat(self.sums[0], starts)

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

    def regrouped(self, numbers: NDArray[np.intp], n_groups: int) -> "NestedCells":
        """Return the same with other numbers of groups, in the same order."""
        level = max(self.level, lowest_level(n_groups))
        cells = (self.first_places + _ORIGIN) >> level
        keys = (numbers[self.groups] << (_PLACE_BITS - level)) | cells
        return NestedCells(keys, self.sums, level).few()

    def at(self, level: int) -> "NestedCells":
        """Return the cells of a level that is not lower."""
        if level == self.level:
            return self
        return NestedCells(self.keys >> (level - self.level), self.sums, level).few()

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

    def few(self) -> "NestedCells":
        """Join what shares a key, at the lowest level with few enough cells."""
        changed = self.keys[1:] ^ self.keys[:-1]
        shift = 0
        if np.count_nonzero(changed) >= MOST_CELLS:
            # Shifted by its length this one is 0, and so are all but fewer than these.
            one = int(np.partition(changed, -MOST_CELLS)[-MOST_CELLS])
            shift = min(one.bit_length(), _TOP - self.level)
        starts = np.flatnonzero(np.append(True, changed >> shift))
        if shift == 0 and len(starts) == len(self.keys):
            return self
        sums = np.add.reduceat(self.sums, starts, axis=1)
        return NestedCells(self.keys[starts] >> shift, sums, self.level + shift)


def lowest_level(n_groups: int) -> int:
    """Return the level from which on a key holds the number of a group."""
    return max(0, (n_groups - 1).bit_length() + _PLACE_BITS - _KEY_BITS)


class Sketch:
    """The cells of all numbers that were added, in any order."""

    def __init__(self, tables: Sequence[NestedCells] = (), rounding: int = 0) -> None:
        self._tables = tables  # several, so that each cell is merged few times
        self.rounding = rounding  # units by which the difference of two may be off

    def add(self, places: Places, sizes: Places, rounding: int) -> None:
        """Add numbers, as `NestedCells.of` takes them."""
        self.merge(Sketch([NestedCells.of(places, sizes)], rounding))

    def merge(self, other: "Sketch") -> None:
        """Add what another one holds, which is not changed."""
        self._tables = [*self._tables, *other._tables]
        self.rounding = max(self.rounding, other.rounding)
        if sum(len(table.keys) for table in self._tables) > 3 * MOST_CELLS // 2:
            self.cells()

    def regrouped(self, numbers: NDArray[np.intp], n_groups: int) -> "Sketch":
        """Return the same with other numbers of groups, in the same order."""
        tables = [table.regrouped(numbers, n_groups) for table in self._tables]
        return Sketch(tables, self.rounding)

    def cells(self) -> NestedCells:
        """Return the cells, which depend on the numbers alone."""
        cells = NestedCells.merged(self._tables)
        self._tables = [cells]
        return cells

    def sum_of_differences(self) -> Bounded:
        """Sum the differences of all pairs within a group."""
        cells = self.cells()
        found = cells.sum_of_differences()
        error = found.error + self.rounding * pairs_within(cells.group_sizes)
        return Bounded(found.value * UNIT, error * UNIT)

    def arrays(self, number: int) -> dict[str, NDArray[Any]]:
        """Return what is saved of the sketch with a number."""
        cells = self.cells()
        return {
            f"keys{number}": cells.keys,
            f"sums{number}": cells.sums,
            f"level{number}": np.array([cells.level, self.rounding]),
        }

    @classmethod
    def restored(cls, arrays: Arrays, number: int) -> "Sketch":
        """Make a sketch of what was saved."""
        level, rounding = arrays[f"level{number}"].tolist()
        cells = NestedCells(arrays[f"keys{number}"], arrays[f"sums{number}"], level)
        return cls([cells], rounding)
