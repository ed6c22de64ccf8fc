"""A grid for dissimilarities whose cells are narrow where these crowd."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from concordant.agreement.roundoff import UNIT_ROUNDOFF
from concordant.exact import summed
from concordant.kernels.plain_visits import plain_cells
from concordant.kernels.worth import compiled_pays

Vector = NDArray[np.float64]

#: Cell and place within it have so many bits in a bin.
PLACE_BITS = 36
# The cell has at least so many of them: then a bin can count all pairs of a band.
_FEWEST_BITS = 14

_PER_CELL = 20.0  # nanoseconds that NumPy takes for what a cell contributes
_MOST_PLACES = 4096  # places of a crowd that is made from a histogram
_EVERYWHERE = 0.125  # the part of all cells that goes by length: no cell is wide
_ALONE = 2.0**-10  # the weight of dissimilarities of one partition by themselves
_NARROWEST = 2.0**-200  # the least part of the range that a segment may have


@dataclass(frozen=True)
class Grid:
    """
    A piecewise linear map of [0, upper] to cells.

    Parameters
    ----------
    breaks : ndarray of shape (S + 1,)
        Where segments begin and end, from 0 to the upper end.
    cells : ndarray of shape (S,)
        How many cells of equal width each segment has; the upper end itself has one.
    """

    breaks: Vector
    cells: NDArray[np.int64]

    @cached_property
    def n_cells(self) -> int:
        """How many cells there are."""
        return int(self.cells.sum()) + 1

    @cached_property
    def cell_bits(self) -> int:
        """How many bits the number of a cell has in a bin."""
        return bits_of(self.n_cells)

    @cached_property
    def slopes(self) -> Vector:
        """Cells per unit of dissimilarity, in units of all that the bits can tell."""
        return np.asarray(self.cells / 2.0**self.cell_bits / np.diff(self.breaks))

    @property
    def slope(self) -> float:
        """The least slope, which all segments share."""
        return float(self.slopes.min())

    @cached_property
    def bumps(self) -> tuple[Vector, Vector, Vector]:
        """Start, length and additional slope of steeper segments; the end is open."""
        steeper = self.slopes > self.slope
        lengths = np.append(np.diff(self.breaks)[:-1], np.inf)
        return (
            self.breaks[:-1][steeper],
            lengths[steeper],
            self.slopes[steeper] - self.slope,
        )

    @cached_property
    def widths(self) -> Vector:
        """The width of each cell."""
        widths = np.repeat(np.diff(self.breaks) / self.cells, self.cells)
        return np.append(widths, widths[-1])

    @cached_property
    def edges(self) -> Vector:
        """Where each cell begins."""
        within = np.concatenate([np.arange(cells) for cells in self.cells])
        starts = np.repeat(self.breaks[:-1], self.cells)
        return np.append(starts + within * self.widths[:-1], self.breaks[-1])

    def with_cells(self, n_cells: int) -> "Grid":
        """Give segments more or fewer cells, at least one, in about the same ratios."""
        cells = np.maximum(1, self.cells * (n_cells - 1) // (self.n_cells - 1))
        cells[int(np.argmax(cells))] += n_cells - 1 - int(cells.sum())
        return Grid(self.breaks, cells)


def bits_of(n_cells: int) -> int:
    """Tell how many bits the number of one of so many cells has in a bin."""
    return max(_FEWEST_BITS, (n_cells - 1).bit_length())


@dataclass(frozen=True)
class Crowd:
    """
    Roughly where dissimilarities of two partitions lie.

    Parameters
    ----------
    places : ndarray of shape (N,)
        Places, ascending.
    shares_p, shares_q : ndarray of shape (N,)
        The share of the dissimilarities of P and of Q at each place.
    """

    places: Vector
    shares_p: Vector
    shares_q: Vector

    @cached_property
    def before_p(self) -> Vector:
        """The share of P before each place, and all of it."""
        return np.concatenate(([0.0], np.cumsum(self.shares_p)))

    @cached_property
    def before_q(self) -> Vector:
        """The share of Q before each place, and all of it."""
        return np.concatenate(([0.0], np.cumsum(self.shares_q)))

    @property
    def expected_difference(self) -> float:
        """The mean difference between a place of P and one of Q."""
        below_p, below_q = self.before_p[1:-1], self.before_q[1:-1]
        between = below_p * (1.0 - below_q) + below_q * (1.0 - below_p)
        return float(between @ np.diff(self.places))

    def loads(self, low: Vector | float, high: Vector | float) -> Vector:
        """Tell in what proportion segments should get cells, see `fitted_grids`."""
        start = np.searchsorted(self.places, low, side="right")
        stop = np.searchsorted(self.places, high, side="right")
        start = np.where(np.asarray(low) == 0.0, 0, start)
        p = self.before_p[stop] - self.before_p[start]
        q = self.before_q[stop] - self.before_q[start]
        crowding = np.maximum(p * q + _ALONE * (p + q), 0.0)
        return np.asarray(np.cbrt(crowding * (np.asarray(high) - np.asarray(low))))

    def fewest_cells(self, upper: float, error: float) -> float:
        """Tell how many cells do for an error if there are very many segments."""
        edges = np.concatenate(
            ([0.0], self.places[:: max(1, self.places.size // 64)], [upper])
        )
        loads = self.loads(edges[:-1], edges[1:])
        return (
            math.sqrt(float(loads.sum()) ** 3 / 4.0 / error) if error > 0 else math.inf
        )


def fitted_grids(crowd: Crowd, upper: float, n_cells: int) -> Iterator[Grid]:
    """
    Make grids whose cells are narrow where both partitions have much.

    Parameters
    ----------
    crowd : Crowd
        Where dissimilarities lie.
    upper : float
        The largest dissimilarity.
    n_cells : int
        How many cells there are.

    Yields
    ------
    Grid
        Of one segment, then of one more each time, as long as that is of use.

    Notes
    -----
    In a segment of length W with shares p and q, k cells leave an error of about
    p q W / (4 k²). For a given number of cells the sum over segments is least if k is
    in proportion to (p q W)^(1/3), and is then (sum of (p q W)^(1/3))³ / (4 k²) with k
    all cells. A segment is split where that sum gets smallest.
    """
    places, loads = crowd.places, crowd.loads

    def best_split(low: float, high: float) -> tuple[float, float]:
        cuts = _cuts(places, low, high, _NARROWEST * upper)
        if cuts.size == 0:
            return 0.0, low
        gains = loads(low, high) - (loads(low, cuts) + loads(cuts, high))
        best = int(np.argmax(gains))
        return float(gains[best]), float(cuts[best])

    yield Grid(np.array([0.0, upper]), np.array([n_cells - 1]))
    segments = [(0.0, upper)]
    splits = [best_split(0.0, upper)]
    while True:
        steepest = max(range(len(segments)), key=lambda j: splits[j][0])
        gain, cut = splits[steepest]
        if gain <= 0.0:
            return
        low, high = segments[steepest]
        segments[steepest : steepest + 1] = [(low, cut), (cut, high)]
        splits[steepest : steepest + 1] = [best_split(low, cut), best_split(cut, high)]
        breaks = np.array([low for low, _ in segments] + [upper])
        load = loads(breaks[:-1], breaks[1:])
        yield Grid(breaks, _shared_out(load, np.diff(breaks), n_cells - 1))


def estimated_error(grid: Grid, crowd: Crowd) -> float:
    """
    Estimate the error of E[d] that a grid will leave, rather too large.

    Parameters
    ----------
    grid : Grid
        The cells.
    crowd : Crowd
        Where dissimilarities lie, by a sample.

    Returns
    -------
    float
        A quarter of the mean width of the cells that dissimilarities of P and Q share,
        with twice its standard error, and what is lost by rounding within cells.
    """
    segment = np.searchsorted(grid.breaks[1:-1], crowd.places)
    width = (np.diff(grid.breaks) / grid.cells)[segment]
    start = np.searchsorted(crowd.places, crowd.places - 0.5 * width)
    stop = np.searchsorted(crowd.places, crowd.places + 0.5 * width, side="right")

    near_p = crowd.before_p[stop] - crowd.before_p[start]
    near_q = crowd.before_q[stop] - crowd.before_q[start]
    shared = 0.125 * (crowd.shares_p * near_q + crowd.shares_q * near_p) * width
    # Each of them stands for two places, and they vary like counts.
    deviation = math.sqrt(2.0 * float(shared @ shared))
    unit = 2.0 ** -(PLACE_BITS - grid.cell_bits)
    rounded = (crowd.shares_p + crowd.shares_q) * (0.5 * unit)
    return float(shared.sum()) + 2.0 * deviation + float(rounded @ width)


def _cuts(places: Vector, low: float, high: float, narrowest: float) -> Vector:
    """Find where a segment may be split: among its places, and beside wide gaps."""
    inside = places[(places > low) & (places < high)]
    if inside.size == 0:
        return inside
    ends = np.concatenate(([low], inside, [high]))
    gaps = np.diff(ends)
    n_widest = min(4, gaps.size)
    widest = np.argpartition(gaps, -n_widest)[-n_widest:]
    margin = gaps[widest] / 1024
    beside = np.concatenate((ends[widest] + margin, ends[widest + 1] - margin))
    among = inside[np.linspace(0, inside.size - 1, min(inside.size, 63)).astype(int)]
    cuts = np.unique(np.concatenate((beside, among)))
    wide = np.minimum(cuts - low, high - cuts) > narrowest
    return np.asarray(cuts[wide])


def _shared_out(loads: Vector, lengths: Vector, n_cells: int) -> NDArray[np.int64]:
    """Give each segment one cell and a share of the others, mostly by its load."""
    spare = n_cells - len(loads)
    share = (1.0 - _EVERYWHERE) * loads / loads.sum()
    share += _EVERYWHERE * lengths / lengths.sum()
    cells = 1 + np.floor(spare * share).astype(np.int64)
    cells[int(np.argmax(cells))] += n_cells - int(cells.sum())
    return np.asarray(cells)


@dataclass(frozen=True)
class Histogram:
    """
    How many dissimilarities of P and Q lie in each cell of a grid, and where.

    Parameters
    ----------
    counts_p, counts_q : ndarray of int, of shape (n_cells,)
        How many.
    places_p, places_q : ndarray of shape (n_cells,)
        The sum of their places within the cell, in units of its width.
    precision : float
        Places are rounded down by at most so much: by half of it on average.
    squares_p, squares_q : ndarray of shape (n_cells,), optional
        The sums of the squared places, where they were asked for.
    """

    counts_p: NDArray[np.int64]
    counts_q: NDArray[np.int64]
    places_p: Vector
    places_q: Vector
    precision: float
    squares_p: Vector | None = None
    squares_q: Vector | None = None


def expected_difference(grid: Grid, histogram: Histogram) -> tuple[float, float]:
    """
    Average |x - y| over all dissimilarities x of P and y of Q.

    Parameters
    ----------
    grid : Grid
        The cells.
    histogram : Histogram
        What lies in them.

    Returns
    -------
    tuple of float
        E[d] and a bound of its error.

    Notes
    -----
    E[d] is the integral of F (1 - G) + G (1 - F) over all cells, and no term is
    negative. It is exact but for the x and y that share a cell of width w: with means
    s and t from the cell's lower edge, their mean difference lies between |s - t| and
    (s (w - t) + t (w - s)) / w; the middle is taken. Where the variances V and W are
    known too, it is at most the root of V + W + (s - t)², which is tight for ties.
    """
    # In units of a cell: the map to the grid has one addition per segment, and slopes
    # and products whose relative errors add up to less than 10 units of rounding; a
    # mean within a cell has four operations.
    rounding = (10 + 2 * len(grid.cells)) * 2.0**grid.cell_bits * UNIT_ROUNDOFF
    rounding += 4.0 * UNIT_ROUNDOFF
    roots = np.empty(0)
    if histogram.squares_p is not None and histogram.squares_q is not None:
        mean_p = _means(histogram.counts_p, histogram.places_p)
        mean_q = _means(histogram.counts_q, histogram.places_q)
        variance_p = _variances(histogram.counts_p, mean_p, histogram.squares_p)
        variance_q = _variances(histogram.counts_q, mean_q, histogram.squares_q)
        # Variances of places up to 1 are off by less than 8 units of rounding each.
        variances = variance_p + variance_q + 16.0 * UNIT_ROUNDOFF
        roots = np.sqrt(variances + (mean_p - mean_q) ** 2)
    fill_cells: Callable[..., None] = plain_cells
    if compiled_pays(_PER_CELL * grid.n_cells):
        from concordant.kernels.visits import fill_cells

    terms, errors = np.empty((2, grid.n_cells))
    fill_cells(
        histogram.counts_p,
        histogram.counts_q,
        histogram.places_p,
        histogram.places_q,
        roots,
        grid.widths,
        0.5 * histogram.precision,
        rounding,
        terms,
        errors,
    )
    expected = summed(terms)
    # No term is negative, and each has less than 20 operations.
    return expected, float(errors.sum()) + 20.0 * UNIT_ROUNDOFF * expected


def mean_distances(grid: Grid, histogram: Histogram) -> tuple[float, float]:
    """Give the means of the dissimilarities of P and of Q in a histogram, roughly."""
    edges, widths = grid.edges, grid.widths
    # Without products of vectors, whose threads take longer to wake than this takes.
    mean_p, mean_q = (
        float((counts * edges + places * widths).sum()) / int(counts.sum())
        for counts, places in (
            (histogram.counts_p, histogram.places_p),
            (histogram.counts_q, histogram.places_q),
        )
    )
    return mean_p, mean_q


def _variances(counts: NDArray[np.int64], means: Vector, squares: Vector) -> Vector:
    """Bound the variance of places within each cell from above."""
    return np.maximum(_means(counts, squares) - means * means, 0.0)


def _means(counts: NDArray[np.int64], places: Vector) -> Vector:
    return np.asarray(places / np.maximum(counts, 1))


def crowd_of(grid: Grid, histogram: Histogram) -> Crowd:
    """
    Tell where dissimilarities lie, from a histogram.

    Parameters
    ----------
    grid : Grid
        The cells.
    histogram : Histogram
        What lies in them.

    Returns
    -------
    Crowd
        Of some thousand places, each the mean of one or more cells.
    """
    counts = histogram.counts_p + histogram.counts_q
    occupied = np.flatnonzero(counts)
    mean = _means(counts, histogram.places_p + histogram.places_q)[occupied]
    places = grid.edges[occupied] + mean * grid.widths[occupied]
    part = np.floor(np.cumsum(counts[occupied]) / int(counts.sum()) * _MOST_PLACES)
    starts = np.flatnonzero(np.diff(part, prepend=-1.0))
    weights = counts[occupied].astype(np.float64)
    shares_p = histogram.counts_p / int(histogram.counts_p.sum())
    shares_q = histogram.counts_q / int(histogram.counts_q.sum())
    return Crowd(
        np.add.reduceat(places * weights, starts) / np.add.reduceat(weights, starts),
        np.add.reduceat(shares_p[occupied], starts),
        np.add.reduceat(shares_q[occupied], starts),
    )
