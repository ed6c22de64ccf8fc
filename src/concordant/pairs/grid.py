"""A grid for the values of one partition, with narrow cells where these crowd."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Counts, Vector
from concordant.bounded import UNIT_ROUNDOFF
from concordant.kept import kept
from concordant.pairs.distribution import Distribution

#: The error of E[d], in relation to it, that grids aim at.
RELATIVE_ERROR = 1e-9
# As in `kernels/folding.py`: the bits of a place within a cell, and how many values a
# bin can take before it is read.
PLACE_BITS = 20
MOST_ADDED = 1 << 22
_UNIT = 2.0**-PLACE_BITS
# By how much of a cell a place may be off: it is rounded twice to units.
_MISPLACED = 1.25 * _UNIT

_FEWEST_CELLS = 1 << 10
_CUTS = 128  # places, by quantiles, at which segments may be split
_NARROWEST = 2.0**-200  # the least part of the range that a segment may have
_SMALLEST = 2.0**-800  # the least range that is divided: slopes stay finite


@dataclass(frozen=True, eq=False)
class Grid:
    """
    A piecewise linear map from values to cells, a ramp for each segment.

    `breaks` are the ends of the segments and `cells` how many cells of equal width each
    has; the upper end itself has one more. If `single`, cells hold one value each: the
    multiples of their width.
    """

    breaks: Vector
    cells: Counts
    single: bool = False

    @kept
    def n_cells(self) -> int:
        """The number of cells."""
        return int(self.cells.sum()) + 1

    @kept
    def ramps(self) -> tuple[float, Vector, Vector, Vector]:
        """The place of the lower end, and start, length and slope of each segment."""
        lengths = np.diff(self.breaks)
        # The last segment has no end: what is beyond it by rounding has the last cell.
        open_ended = np.append(lengths[:-1], np.inf)
        return 0.5 * self.single, self.breaks[:-1], open_ended, self.cells / lengths

    @kept
    def widths(self) -> Vector:
        """The width of each cell."""
        return np.diff(self.edges)

    @kept
    def edges(self) -> Vector:
        """The lower end of each cell, and the upper end of the last."""
        width = np.diff(self.breaks) / self.cells
        parts = [
            start + step * np.arange(cells)
            for start, step, cells in zip(self.breaks, width, self.cells, strict=False)
        ]
        last = self.breaks[-1]
        return np.concatenate((*parts, [last, last + width[-1]]))

    def means(self, counts: NDArray[Any], places: NDArray[Any]) -> Vector:
        """Return the mean value of each cell, by sums of places in 2^-20 of cells."""
        starts = self.edges[:-1]
        if self.single:  # in the middle of its cell
            return starts
        inside: Vector = places / np.maximum(counts, 1)
        inside *= _UNIT
        inside *= self.widths
        inside += starts
        return inside

    def distribution(self, counts: NDArray[Any], places: NDArray[Any]) -> Distribution:
        """Return what cells tell, from counts and sums of places."""
        mean = self.means(counts, places)
        if self.single:
            held = np.flatnonzero(counts)
            return Distribution.of_values(mean[held], counts[held])
        off = np.abs(mean)
        off *= 4.0 * UNIT_ROUNDOFF
        off += _MISPLACED * self._reach
        off *= counts
        moved = float(off.sum() / counts.sum())
        return Distribution(counts, self.edges[:-1], self.edges[1:], mean, moved)

    @kept
    def _reach(self) -> Vector:
        """How far rounding may move a value: to the next cell, which may be wider."""
        reach = self.widths.copy()
        np.maximum(reach[1:], self.widths[:-1], out=reach[1:])
        np.maximum(reach[:-1], self.widths[1:], out=reach[:-1])
        return reach


def grid_of_multiples(unit: float, upper: float, lower: float = 0.0) -> Grid:
    """Return a grid whose cells are the multiples of a unit, between bounds."""
    first = math.floor(lower / unit + 0.25)  # a bound may be below by rounding
    last = max(first + 1, math.ceil(upper / unit))
    return Grid(
        np.array([first * unit, last * unit]), np.array([last - first]), single=True
    )


def fitted_grid(
    points: Vector, shares: Vector, ends: tuple[float, float], most: tuple[int, int]
) -> Grid:
    """
    Return a grid for values of which some are known, ascending, with their shares.

    It has at `most` so many cells and segments.
    In a segment of length W with a share p of the values, k cells leave an error of
    E|X - X'| of about p² W / (4 k²). For a given number of cells the sum over segments
    is least if k is in proportion to (p² W)^(1/3), and is then the cube of the sum of
    these, divided by 4 k². A segment is split where that sum gets smallest, as long as
    that saves a quarter of the cells, or too many are needed.
    """
    (low, high), (most_cells, most_segments) = ends, most
    scale = high - low
    if scale < _SMALLEST:
        breaks = np.array([low, max(low + _SMALLEST, math.nextafter(low, math.inf))])
        return Grid(breaks, np.array([1]), single=scale == 0.0)
    up_to = np.concatenate(([0.0], np.cumsum(shares)))
    between = up_to[1:-1] / up_to[-1]
    spread = 2.0 * float((between * (1.0 - between) * np.diff(points)).sum())
    aim = max(0.5 * RELATIVE_ERROR * spread, 1e-300)

    def load(start: Vector | float, stop: Vector | float) -> Vector:
        first = np.searchsorted(points, start, side="right")
        first = np.where(np.asarray(start) <= low, 0, first)
        part = up_to[np.searchsorted(points, stop, side="right")] - up_to[first]
        seen = np.maximum(part, 0.0) / up_to[-1] + 0.5 / len(points)
        length = (np.asarray(stop) - np.asarray(start)) / scale
        return np.asarray(np.cbrt(seen * seen * length))

    def best_split(start: float, stop: float) -> tuple[float, float]:
        inside = cuts[(cuts > start) & (cuts < stop)]
        if inside.size == 0:
            return 0.0, start
        gains = load(start, stop) - (load(start, inside) + load(inside, stop))
        best = int(np.argmax(gains))
        return float(gains[best]), float(inside[best])

    def needed(total: float) -> float:
        return math.sqrt(total**3 * scale / (4.0 * aim))

    cuts = _cuts(points, up_to, low, high)
    edges = [low, high]
    total = float(load(low, high))
    splits = [best_split(low, high)]
    while len(edges) <= most_segments and needed(total) > _FEWEST_CELLS:
        widest = max(range(len(splits)), key=lambda s: splits[s][0])
        gain, cut = splits[widest]
        saved = 1.0 - needed(total - gain) / needed(total)
        if gain <= 0.0 or (saved < 0.25 and needed(total) < most_cells):
            break
        total -= gain
        edges.insert(widest + 1, cut)
        start, stop = edges[widest], edges[widest + 2]
        splits[widest : widest + 1] = [best_split(start, cut), best_split(cut, stop)]
    breaks = np.array(edges)
    loads = load(breaks[:-1], breaks[1:])
    n_cells = min(max(needed(total), _FEWEST_CELLS), most_cells)
    cells = np.maximum(1, n_cells * loads / loads.sum()).astype(np.int64)
    return Grid(breaks, cells)


def _cuts(points: Vector, up_to: Vector, low: float, high: float) -> Vector:
    """Return where segments may be split: at quantiles, not too close to each other."""
    levels = np.linspace(0.0, up_to[-1], _CUTS + 1)
    at = np.searchsorted(up_to[1:-1], levels)
    cuts = np.unique(
        np.concatenate((points[at], points[np.minimum(at + 1, len(points) - 1)]))
    )
    narrowest = _NARROWEST * (high - low)
    cuts = cuts[(cuts - low > narrowest) & (high - cuts > narrowest)]
    if cuts.size == 0:
        return cuts
    return np.asarray(cuts[np.append(True, np.diff(cuts) > narrowest)])
