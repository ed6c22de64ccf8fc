"""One column of memberships, summed by cells as it comes."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from concordant.families.crisp import pairs_within
from concordant.streams.kept_cells import KeptCells, KeptNumbers
from concordant.streams.sketch_cells import MOST_CELLS, UNIT, Cells, Places, Spread


class _Run(Protocol):
    """Some of the numbers, as small as they can be kept."""

    @property
    def length(self) -> int: ...

    @property
    def level(self) -> int: ...

    def cells(self) -> Cells: ...

    def regrouped(self, numbers: NDArray[np.intp]) -> "_Run": ...


class Sketch:
    """
    The cells of all numbers that were added, in any order.

    Parameters
    ----------
    floor : int, default=0
        The level that a longer stream, of which this is a part, has reached.
    """

    def __init__(self, floor: int = 0) -> None:
        self._floor = floor
        self._runs: list[_Run] = []  # each longer than twice the next
        self._is_rounded = False

    @property
    def level(self) -> int:
        """The level that has been reached."""
        return max([self._floor, *(run.level for run in self._runs)])

    @property
    def is_rounded(self) -> bool:
        """Whether a number lay between two places."""
        return self._is_rounded

    def add(self, groups: Places | None, places: Places, *, is_rounded: bool) -> None:
        """
        Add numbers.

        Parameters
        ----------
        groups : ndarray of shape (n,) or None
            In ascending order; None: all are in one group.
        places : ndarray of shape (n,)
            Within a group in ascending order, or in any if there is only one. They must
            not be changed later.
        is_rounded : bool
            Whether a number lies above its place.
        """
        run: _Run = KeptNumbers.of(groups, places, self.level)
        if len(places) > MOST_CELLS:
            run = KeptCells.of(run.cells())
        self._add(run)
        self._is_rounded |= is_rounded

    def merge(self, other: "Sketch") -> None:
        """Add what another one holds, which is not changed."""
        for run in other._runs:
            self._add(run)
        self._is_rounded |= other._is_rounded

    def regroup(self, numbers: NDArray[np.intp]) -> None:
        """Give groups other numbers, in the same order."""
        self._runs = [run.regrouped(numbers) for run in self._runs]

    def cells(self) -> Cells:
        """Give the cells, which depend on the numbers alone."""
        while len(self._runs) > 1:
            self._join_last()
        return self._runs[0].cells()

    def spread(self) -> Spread:
        """Sum the differences of all pairs within a group."""
        cells = self.cells()
        total, error = cells.spread()
        if self._is_rounded:
            error += pairs_within(cells.sizes()) * UNIT
        return Spread(total, error)

    @classmethod
    def restored(cls, cells: Cells, *, is_rounded: bool) -> "Sketch":
        """Make one of its cells."""
        sketch = cls()
        sketch._runs = [KeptCells.of(cells)]
        sketch._is_rounded = is_rounded
        return sketch

    def _add(self, run: _Run) -> None:
        # Short runs wait until they are long, so that each cell is merged few times.
        self._runs.append(run)
        while len(self._runs) > 1 and self._runs[-2].length < 2 * run.length:
            run = self._join_last()

    def _join_last(self) -> _Run:
        last = self._runs.pop().cells()
        self._runs[-1] = KeptCells.of(self._runs[-1].cells().merged(last))
        return self._runs[-1]
