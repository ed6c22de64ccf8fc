"""The distribution of one partition's values of pairs, and E|X - Y| of two of these."""

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from concordant.arrays import Counts, Vector
from concordant.bounded import SUM_ROUNDOFF, UNIT_ROUNDOFF, Bounded
from concordant.kept import kept

#: Bits of the place of a value within its cell.
PLACE_BITS = 20

_LEAST = 2.0**-1074  # by which a product of the least doubles may be off

_BITS = 62  # of the total of masses, twice of which is still an integer of 64 bits
_FEW_PLACES = 1 << 11  # that need no compiled code
_MOST_BINS = 18  # as a power of two
_LEAST_SPAN = 2.0**-800  # whose inverse, times bins, is finite


#: Puts two vectors of the same size that ascend into one that does.
Join = Callable[[Vector, Vector], Vector]


def joined(x: Vector, y: Vector) -> Vector:
    """Put two vectors into one that ascends."""
    return np.sort(np.concatenate((x, y)))


def merged(x: Vector, y: Vector) -> Vector:
    """Do the same for two of the same size that ascend, faster by compiled code."""
    from concordant.kernels.merging import merge

    out = np.empty(x.size + y.size)
    merge(x, y, out)
    return out


@lru_cache(maxsize=4)
def _products_of_ranks(size: int) -> Vector:
    """Return, between ascending numbers, how many are below times how many above."""
    below = np.arange(1.0, size)
    return np.asarray(below * below[::-1])


@dataclass(frozen=True, eq=False)
class Masses:
    """Whole masses at places that ascend; without `masses` each place has one."""

    places: Vector
    masses: Counts | None = None

    @kept
    def total(self) -> int:
        """The sum of all masses."""
        return self.places.size if self.masses is None else int(self.masses.sum())

    @kept
    def _spread(self) -> float:
        """The integral of F (1 - F) if each place has one: half the mean difference."""
        return self._integral(self.total)

    def _integral(self, unit: int) -> float:
        """Integrate how many are up to a place times how many beyond, in some unit."""
        parts = self.places[1:] - self.places[:-1]
        parts *= _products_of_ranks(self.places.size)
        return float(parts.sum()) / float(unit) ** 2

    def mean_difference(self, other: "Masses", join: Join) -> Bounded:
        """
        Return E|X - Y|, the integral of F (1 - G) + G (1 - F), and a bound of rounding.

        If each place has one, that of (F + G) (2 - F - G) is larger by the spreads of
        both, which together are at most E|X - Y|: nothing cancels. It needs no more
        than the places in order.
        """
        if self.masses is not None or other.masses is not None:
            at = min(self.places[0], other.places[0])
            return self._beyond(other, 0, 0, 0, 0, at, 0.0)
        both = Masses(join(self.places, other.places))
        joint, spreads = both._integral(self.total), self._spread + other._spread
        return Bounded(max(joint - spreads, 0.0), SUM_ROUNDOFF * (joint + spreads))

    def _beyond(
        self, other: "Masses", i: int, j: int, f: int, g: int, at: float, value: float
    ) -> Bounded:
        """Return the same, given the places and masses passed, and the value there."""
        places = np.concatenate((self.places[i:], other.places[j:]))
        order = np.argsort(places, kind="stable")
        masses = np.concatenate((self.each_mass[i:], other.each_mass[j:]))[order]
        ours = np.where(order < self.places.size - i, masses, 0)
        theirs = masses - ours
        F, G = f + np.cumsum(ours) - ours, g + np.cumsum(theirs) - theirs
        unit = 1.0 / self.total
        parts = (F * unit) * ((self.total - G) * unit)
        parts += (G * unit) * ((self.total - F) * unit)
        parts *= np.diff(places[order], prepend=at)
        found = value + float(parts.sum())
        return Bounded(found, SUM_ROUNDOFF * found)

    @property
    def each_mass(self) -> Counts:
        """The mass at each place."""
        return np.ones(self.places.size, int) if self.masses is None else self.masses


@dataclass(frozen=True, eq=False)
class Distribution:
    """
    Values of pairs as masses in cells.

    Each cell tells how many values it holds (or their weight, a whole number), its ends
    and the mean of its values. Ends ascend from cell to cell; cells may overlap, and a
    single value is a cell of no width. `displacement` bounds how far values were moved
    on average, by rounding, before they were counted. `each_once` tells that no value
    was counted twice. Where cells adjoin, `inside` may tell the means once more: the
    sum of places within each cell, in 2^-20 of its width; and `ramps` lead from a value
    to its cell, by starts, lengths and slopes.
    """

    counts: Counts
    low: Vector
    high: Vector
    mean: Vector
    displacement: float = 0.0
    each_once: bool = False
    inside: Counts | None = None
    ramps: tuple[Vector, Vector, Vector] | None = None

    @classmethod
    def of_values(
        cls, values: Vector, counts: Counts | None = None, displacement: float = 0.0
    ) -> "Distribution":
        """Take single values, ascending, and how often each occurs if not once."""
        each_once = counts is None
        found = np.ones(values.size, np.int64) if counts is None else counts
        return cls(found, values, values, values, displacement, each_once)

    @kept
    def total(self) -> int:
        """The number of values, or their weight."""
        if self.each_once:
            return self.mean.size
        total: int = round(self.counts.sum().item())  # as sums of weights are rounded
        return total

    def displaced(self, by: float) -> "Distribution":
        """Return it with values that were moved further, and what is known of it."""
        found = copy(self)
        object.__setattr__(found, "displacement", self.displacement + by)
        return found

    @property
    def is_constant(self) -> bool:
        """Whether all values are one number."""
        return bool(self.low[0] == self.high[-1])

    @property
    def is_of_values(self) -> bool:
        """Whether all cells hold a single value."""
        return self.low is self.high

    @kept
    def shares(self) -> Vector:
        """The share of the values that each cell holds."""
        return np.asarray(self.counts / self.total)

    @kept
    def average(self) -> float:
        """The mean of all values."""
        if self.each_once:
            return float(self.mean.sum()) / self.total
        return float((self.counts * self.mean).sum()) / self.total

    @kept
    def at_means(self) -> Masses:
        """The mass of each cell at its mean."""
        if self.each_once:
            return Masses(self.mean)
        return _ascending(self.mean, self.counts)

    @kept
    def _at_ends(self) -> tuple[Masses, float]:
        """The mass of each cell at its ends, with its mean, and what that moves."""
        bits = _BITS - self.total.bit_length()
        unit = 1 << bits
        scaled = unit * self.counts
        if self.inside is not None and bits >= PLACE_BITS:
            at_high = self.inside << (bits - PLACE_BITS)
            masses = np.append(scaled, 0)
            masses[:-1] -= at_high
            masses[1:] += at_high
            return Masses(np.append(self.low, self.high[-1]), masses), 0.0
        width = self.high - self.low
        inside = self.mean - self.low
        inside /= np.where(width > 0.0, width, 1.0)
        np.clip(inside, 0.0, 1.0, out=inside)
        inside *= scaled
        at_high = np.minimum(np.rint(inside, out=inside).astype(np.int64), scaled)
        at_low = scaled - at_high
        # Most cells begin where others end: the ones before, or those before these.
        meets = [self.high[:-step] == self.low[step:] for step in (1, 2)]
        step = 1 if meets[0].sum() >= meets[1].sum() else 2
        gaps = np.flatnonzero(~meets[step - 1])
        at_low[step:] += at_high[:-step]
        at_low[gaps + step] -= at_high[gaps]
        alone = np.append(gaps, np.arange(len(width) - step, len(width)))
        places = np.concatenate((self.low, self.high[alone]))
        masses = np.concatenate((at_low, at_high[alone]))
        # A mass is rounded to units, and its place in the cell a few times before.
        width *= 0.5 + 8.0 * UNIT_ROUNDOFF * scaled
        moved = float(width.sum())
        return _ascending(places, masses), moved / (unit * self.total)

    @kept
    def lines(self) -> Vector:
        """Between means of cells, slope of E|x - X|, height at the first, and end."""
        means, masses = self.at_means.places, self.at_means.each_mass / self.total
        below = np.concatenate(([0.0], np.cumsum(masses)))
        # From the first mean on, so that close values do not cancel
        sums = np.concatenate(([0.0], np.cumsum(masses * (means - means[0]))))
        slopes, heights = 2.0 * below - below[-1], sums[-1] - 2.0 * sums
        return np.stack((slopes, heights, np.append(means, np.inf)), axis=1)

    @kept
    def index(self) -> tuple[Vector, Vector, Vector, Counts, bool]:
        """
        Return where means are looked for: ramps to cells, and means before each cell.

        Cells are those that values were counted in, or else of equal width; the last
        tells whether there are several means in one.
        """
        means = self.at_means.places
        if self.ramps is not None:
            return *self.ramps, np.arange(means.size + 1), False
        n_bins = 1 << min((4 * means.size).bit_length(), _MOST_BINS)
        scale = n_bins / max(float(means[-1] - means[0]), _LEAST_SPAN)
        bins = ((means - means[0]) * scale).astype(np.int64)
        counts = np.bincount(np.minimum(bins, n_bins - 1), minlength=n_bins)
        ranks = np.concatenate(([0], np.cumsum(counts)))
        ramp = means[:1], np.array([np.inf]), np.array([scale])
        return *ramp, ranks, bool(counts.max() > 1)

    def mean_distance(self, points: Vector) -> Vector:
        """Return E|x - X| for each point x, by the means of cells."""
        means = self.at_means.places
        order = np.argsort(points)  # near points are found near each other
        places = np.empty_like(order)
        places[order] = np.searchsorted(means, points[order])
        slopes, heights, _ = self.lines[places].T
        return np.asarray(np.maximum((points - means[0]) * slopes + heights, 0.0))


def mean_differences(pairs: list[tuple[Masses, Masses]], join: Join) -> list[Bounded]:
    """Return E|X - Y| of one or two pairs of masses, and bounds of rounding."""
    (F, G), (A, B) = pairs[0], pairs[-1]
    are_counted = F.masses is not None and G.masses is not None
    if not are_counted or max(F.places.size, G.places.size) <= _FEW_PLACES:
        return [X.mean_difference(Y, join) for X, Y in pairs]
    from concordant.kernels.merging import walk_along

    f, g, a, b = ((X.places, X.each_mass) for X in (F, G, A, B))
    walks = walk_along(*f, *g, F.total, *a, *b, A.total)
    return [X._beyond(Y, *walk) for (X, Y), walk in zip(pairs, walks, strict=False)]


def _ascending(places: Vector, masses: Counts) -> Masses:
    """Put masses in the order of their places, unless they are."""
    if (places[:-1] <= places[1:]).all():
        return Masses(places, masses)
    order = np.argsort(places, kind="stable")
    return Masses(places[order], masses[order])


def expected_difference(
    F: Distribution, G: Distribution, join: Join = joined
) -> Bounded:
    """
    Return E|X - Y| for independent X and Y, with a bound of its error.

    Both must have the same total. For X in a cell with ends a, b and mean m and Y in
    one with ends c, d and mean w, E|X - Y| is at least |m - w|, as |x - y| is convex
    (Jensen), and at most what masses at the ends of the cells with these means give.
    The two are the same unless the cells overlap. So E|X - Y| lies between what the
    means of cells give and what masses at their ends do, and the middle is returned.
    Exchanging F and G does not change a bit: sums of masses are exact.
    """
    if F.total != G.total:
        raise ValueError("two distributions must hold the same number of pairs")
    pairs, moved = [(F.at_means, G.at_means)], 0.0
    if not (F.is_of_values and G.is_of_values):
        (ends_f, moved_f), (ends_g, moved_g) = F._at_ends, G._at_ends
        pairs, moved = [*pairs, (ends_f, ends_g)], moved_f + moved_g
    (value, error), *at_ends = mean_differences(pairs, join)
    for most in at_ends:
        half = 0.5 * max(most.value - value, 0.0)
        value += half
        error += half + most.error + moved
    if not (F.is_constant and G.is_constant and F.low[0] == G.low[0]):
        error += 8 * (len(F.mean) + len(G.mean)) * _LEAST
    return Bounded(value, error + (F.displacement + G.displacement))
