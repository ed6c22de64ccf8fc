"""Cells and numbers of a stream in as few bytes as hold them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.kernels.unit_places import LOW_BITS
from concordant.streams.sketch_cells import Cells, Places

Integers = NDArray[np.integer[Any]]


@dataclass(frozen=True)
class KeptCells:
    """
    Cells whose groups and counts take no more bytes than they need.

    Parameters
    ----------
    groups, counts : ndarray of shape (k,)
        The first and the third row of the table of cells.
    places : ndarray of shape (3, k) or (1, k)
        The others, but for the sums if they follow: cells of level 0 are single places.
    level : int
        The level of the cells.
    """

    groups: Integers
    counts: Integers
    places: Places
    level: int

    @classmethod
    def of(cls, cells: Cells) -> "KeptCells":
        """Keep cells."""
        groups, first, counts, highs, lows = cells.table
        return cls(
            _narrow(groups, int(groups[-1])),
            _narrow(counts, int(counts.max())),
            np.stack((first, highs, lows)) if cells.level else first[np.newaxis].copy(),
            cells.level,
        )

    @property
    def length(self) -> int:
        """How many cells there are."""
        return len(self.groups)

    def cells(self) -> Cells:
        """Give the cells."""
        table = np.empty((5, self.length), dtype=np.int64)
        table[0], table[1], table[2] = self.groups, self.places[0], self.counts
        if self.level:
            table[3:] = self.places[1:]
        else:
            np.right_shift(table[1], LOW_BITS, out=table[3])
            np.bitwise_and(table[1], (1 << LOW_BITS) - 1, out=table[4])
            table[3:] *= table[2]
        return Cells(table, self.level)

    def regrouped(self, numbers: NDArray[np.intp]) -> "KeptCells":
        """Give groups other numbers, in the same order."""
        return KeptCells(
            _renumbered(self.groups, numbers), self.counts, self.places, self.level
        )


@dataclass(frozen=True)
class KeptNumbers:
    """
    Numbers that are counted by cells when they are merged with others.

    Parameters
    ----------
    groups : ndarray of shape (n,) or None
        In ascending order; None: all are in one group.
    places : ndarray of shape (n,)
        Within a group in ascending order, or in any if there is only one.
    level : int
        The lowest level that is of use.
    """

    groups: Integers | None
    places: Places
    level: int

    @classmethod
    def of(cls, groups: Places | None, places: Places, level: int) -> "KeptNumbers":
        """Keep numbers, one at least; the places themselves, which may be shared."""
        kept = None if groups is None else _narrow(groups, int(groups[-1]))
        return cls(kept, places, level)

    @property
    def length(self) -> int:
        """How many numbers there are."""
        return len(self.places)

    def cells(self) -> Cells:
        """Count them by cells."""
        if self.groups is None:
            ordered = np.sort(self.places)
            return Cells.of(np.zeros_like(ordered), ordered, self.level)
        return Cells.of(self.groups.astype(np.int64), self.places, self.level)

    def regrouped(self, numbers: NDArray[np.intp]) -> "KeptNumbers":
        """Give groups other numbers, in the same order."""
        groups = np.zeros(self.length, np.intp) if self.groups is None else self.groups
        return KeptNumbers(_renumbered(groups, numbers), self.places, self.level)


def _narrow(values: Places, most: int) -> Integers:
    """Give numbers from 0 to `most` in the smallest integers that hold them."""
    return values.astype(np.min_scalar_type(most))


def _renumbered(groups: Integers, numbers: NDArray[np.intp]) -> Integers:
    new = numbers[groups].astype(np.int64)
    return _narrow(new, int(new[-1]))
