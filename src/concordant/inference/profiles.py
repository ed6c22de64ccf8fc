"""The values of each object's pairs, counted on a grid that both partitions share."""

import math

import numpy as np

from concordant.arrays import Positions, Vector
from concordant.catalogue.lookups import loaded
from concordant.catalogue.values import VALUES
from concordant.pairs.at_once import FEW_OBJECTS
from concordant.pairs.distribution import PLACE_BITS
from concordant.pairs.folds import in_fours
from concordant.pairs.grid import Grid, fitted_grid, grid_of_multiples
from concordant.pairs.side import Side, multiples_of

_SAMPLE = 1 << 14  # pairs of each side that tell where values lie
_GROUPS = 256  # of these, by which both sides are compared
_SEGMENTS = 3  # of a grid
_HELD = 1 << 18  # values that are held at once


def shared_grid(sides: tuple[Side, Side], *, most_cells: int, most_exact: int) -> Grid:
    """
    Return a grid with narrow cells where values of both sides crowd.

    With shares p and q of the values in a cell of width w, what its values do not tell
    goes with p q w. Beyond all values of one side one cell is enough. Where memberships
    of both are multiples of 1 / D, cells hold one value each if there are few enough.
    """
    low = min(side.ends[0] for side in sides)
    top, highest = sorted(side.ends[1] for side in sides)
    of_both = [multiples_of(side.partition) for side in sides]
    if of_both[0] is not None and of_both[1] is not None:
        D = math.lcm(*(found.denominator for found in of_both if found is not None))
        alike = of_both[0].rows_sum_alike and of_both[1].rows_sum_alike
        unit = sides[0].unit_of(D, alike)
        if unit is not None and highest <= unit * most_exact:
            # If all values are below half a unit, cells resolve them instead.
            told_apart = low > -0.25 * unit and (top == 0.0 or top >= 0.5 * unit)
            if told_apart:
                return grid_of_multiples(unit, highest)
    x, y = (np.sort(np.minimum(side.values_of_some(_SAMPLE), top)) for side in sides)
    points = np.sort(np.concatenate((x, y)))
    starts = points[:: len(points) // _GROUPS]
    in_x, in_y = (np.diff(np.searchsorted(z, starts), append=z.size) for z in (x, y))
    # Where all values of a group are of one side, those of the other may be near.
    few = len(points) / (16 * _GROUPS)
    shares = np.sqrt((in_x + few) * (in_y + few)) / np.maximum(in_x + in_y, 1)
    group = np.maximum(np.searchsorted(starts, points, side="right") - 1, 0)
    grid = fitted_grid(points, shares[group], (low, top), (most_cells, _SEGMENTS))
    if highest <= grid.breaks[-1]:
        return grid
    return Grid(np.append(grid.breaks, highest), np.append(grid.cells, 1))


class Rows:
    """
    The values of objects with all objects, or with some partners.

    Where an object meets itself, the value is `of_itself`: the low end of a grid, of
    whose first cell it is taken away again.
    """

    def __init__(
        self, side: Side, partners: Positions | None = None, of_itself: float = 0.0
    ) -> None:
        columns = side.columns
        self.n = columns.shape[1]
        self._record, self._of_itself = VALUES[side.value], of_itself
        others = np.arange(self.n) if partners is None else partners
        self._others = others
        self.width = len(others)
        self.meets_itself = np.isin(np.arange(self.n), others)
        self.n_others = self.width - self.meets_itself.astype(np.int64)
        # Others stand behind the objects, where the kernel finds them by a shift.
        both = np.concatenate((columns, columns[:, others]), axis=1)
        self._columns = in_fours(both, "zeros")

    def tasks(self, start: int = 0, stop: int | None = None) -> list[tuple[int, int]]:
        """Cut the objects, all or some of them, into runs."""
        stop, height = self.n if stop is None else stop, max(1, _HELD // self.width)
        return [(i, min(i + height, stop)) for i in range(start, stop, height)]

    def values(self, i0: int, i1: int) -> Vector:
        """Return the values of some objects."""
        out = np.empty((i1 - i0, self.width))
        if self.n <= FEW_OBJECTS:
            others = np.broadcast_to(
                self._columns[:, None, self.n :], (len(self._columns), *out.shape)
            )
            of_windows = loaded(self._record.of_windows)
            of_windows(self._columns[:, i0:i1], others, out)
        else:
            kernel = loaded(self._record.kernel)
            for i, row in enumerate(out, start=i0):
                kernel(self._columns, i, 1, self.n - i, self.width, row)
        if not loaded(self._record.defined).of_itself_0:
            out[np.arange(i0, i1)[:, None] == self._others] = self._of_itself
        return out

    def profiles(self, values: Vector, grid: Grid, i0: int) -> tuple[Vector, Vector]:
        """Return how many values of objects each cell holds, and their places in it."""
        shape = len(values), grid.n_cells
        if self.n <= FEW_OBJECTS:
            counts, places = _counted(values, grid)
        else:
            from concordant.kernels.folding import add_to_cells, read_bins

            whole = np.zeros((2, *shape), np.int64)
            bins = np.zeros(1 << (grid.n_cells - 1).bit_length(), np.uint64)
            row = np.empty(self.width)
            room = row, row.view(np.uint64)
            for x, row_counts, row_places in zip(values, *whole, strict=True):
                add_to_cells(x, *grid.ramps, *room, bins)
                read_bins(bins, row_counts, row_places)
            counts, places = whole[0].astype(np.float64), whole[1] * 2.0**-PLACE_BITS
        counts[:, 0] -= self.meets_itself[i0 : i0 + len(values)]
        return counts, np.zeros(shape) if grid.single else places

    def masses(self, values: Vector, grid: Grid, i0: int) -> Vector:
        """Share the values of objects out over the ends of their cells."""
        counts, places = self.profiles(values, grid, i0)
        masses = np.pad(counts - places, ((0, 0), (0, 1)))
        masses[:, 1:] += places
        return masses


def _counted(values: Vector, grid: Grid) -> tuple[Vector, Vector]:
    """Count the values of each row in cells, without compiled code."""
    place = np.interp(values, grid.edges, np.arange(grid.edges.size))
    cells = np.minimum((place + 0.5 * grid.single).astype(np.intp), grid.n_cells - 1)
    numbers = (cells + grid.n_cells * np.arange(len(values))[:, None]).ravel()
    size, shape = len(values) * grid.n_cells, (len(values), grid.n_cells)
    counts = np.bincount(numbers, minlength=size).astype(np.float64)
    places = np.bincount(numbers, (place - cells).ravel(), size).astype(np.float64)
    return counts.reshape(shape), places.reshape(shape)
