"""A grid for the values of one partition, with narrow cells where these crowd."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Counts, Vector
from concordant.bounded import UNIT_ROUNDOFF
from concordant.kept import kept
from concordant.pairs.distribution import PLACE_BITS, Distribution

#: The error of E[d], in relation to it, that grids aim at.
RELATIVE_ERROR = 1e-9
# As in `kernels/folding.py`: how many values a bin can take before it is read.
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
        ends = self.edges[:-1], self.edges[1:]
        ramps = self.ramps[1:]
        found = Distribution(counts, *ends, mean, inside=places, ramps=ramps)
        # The mean of |x|, if some values are negative at most.
        size = found.average + 2.0 * max(-float(self.breaks[0]), 0.0)
        off = 4.0 * UNIT_ROUNDOFF * size + _MISPLACED * self._reach(counts)
        return found.displaced(off)

    def _reach(self, counts: NDArray[Any]) -> float:
        """How far rounding may move values on average: to the next cell at most."""
        widths = np.diff(self.breaks) / self.cells
        first = np.cumsum(self.cells) - self.cells
        reach = float((np.add.reduceat(counts, first) * widths).sum())
        # Next to another segment, cells of that one may be wider.
        wider = np.maximum(widths[1:], widths[:-1])
        reach += float((wider * (counts[first[1:] - 1] + counts[first[1:]])).sum())
        return reach / float(counts.sum())


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
    nodes = np.concatenate(([low], _cuts(points, up_to, low, high), [high]))
    seen = up_to[np.searchsorted(points, nodes, side="right")] / up_to[-1]
    seen[0] = 0.0

    def load(first: Any, last: Any) -> Vector:
        """Return the loads of segments, by the numbers of the nodes at their ends."""
        part = np.maximum(seen[last] - seen[first], 0.0) + 0.5 / len(points)
        return np.asarray(np.cbrt(part * part * ((nodes[last] - nodes[first]) / scale)))

    def best_split(first: int, last: int) -> tuple[float, int]:
        inside = slice(first + 1, last)
        if last - first < 2:
            return 0.0, first
        gains = load(first, last) - (load(first, inside) + load(inside, last))
        best = int(np.argmax(gains))
        return float(gains[best]), first + 1 + best

    def needed(total: float) -> float:
        return math.sqrt(total**3 * scale / (4.0 * aim))

    at = [0, len(nodes) - 1]
    total = float(load(*at))
    splits = [best_split(*at)]
    while len(at) <= most_segments and needed(total) > _FEWEST_CELLS:
        widest = max(range(len(splits)), key=lambda s: splits[s][0])
        gain, cut = splits[widest]
        saved = 1.0 - needed(total - gain) / needed(total)
        if gain <= 0.0 or (saved < 0.25 and needed(total) < most_cells):
            break
        total -= gain
        at.insert(widest + 1, cut)
        start, stop = at[widest], at[widest + 2]
        splits[widest : widest + 1] = [best_split(start, cut), best_split(cut, stop)]
    loads = load(at[:-1], at[1:])
    n_cells = min(max(needed(total), _FEWEST_CELLS), most_cells)
    cells = np.maximum(1, n_cells * loads / loads.sum()).astype(np.int64)
    return Grid(nodes[at], cells)


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
