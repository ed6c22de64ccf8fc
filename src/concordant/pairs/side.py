"""One of two partitions, as a visit to the pairs needs it."""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from concordant.arrays import Positions, Vector
from concordant.bounded import UNIT_ROUNDOFF
from concordant.catalogue.lookups import loaded
from concordant.catalogue.values import VALUES
from concordant.kept import kept
from concordant.pairs.distribution import Distribution
from concordant.pairs.grid import Grid, fitted_grid, grid_of_multiples
from concordant.pairs.values.pair_value import PairValue
from concordant.partition.partition import Partition

#: The largest D: so many cells stay in the second cache.
MOST = (1 << 15) - 1

# How far doubles may be from a multiple: a few units in the last place of 1. No two
# fractions with denominators up to `MOST` are so close to each other.
_NEAR = 2.0**-50
_FIRST = 256  # objects whose memberships are looked at first
_SAMPLE = 4096  # pairs that tell where values lie
_GRID, _FINER_GRID = (1 << 16, 4), (1 << 18, 16)  # cells and segments, at most


@lru_cache(maxsize=4)
def _some_pairs(n: int, size: int) -> tuple[Positions, Positions]:
    """Return both objects of so many random pairs."""
    rng = np.random.default_rng(0)  # so that bits depend on the data alone
    i = rng.integers(n, size=size)
    return i, (i + rng.integers(1, n, size=size)) % n


class Multiples(NamedTuple):
    """
    Memberships are multiples of 1 / D, but for the rounding of doubles.

    `rows_sum_alike` tells whether all rows have the same sum, and `away` bounds how far
    the memberships of one object are from these multiples, added up.
    """

    denominator: int
    rows_sum_alike: bool
    away: float


def multiples_of(partition: Partition) -> Multiples | None:
    """
    Find the least D of which memberships are multiples; None if it is above `MOST`.

    D is the least common multiple of the denominators of memberships that are found not
    to be multiples of what was D before: mostly there are one or two.
    """
    columns = partition.columns()
    # What is no multiple of any 1 / D is mostly among the first.
    if _multiples_of(columns[:, :_FIRST]) is None:
        return None
    return _multiples_of(columns)


def _multiples_of(columns: Vector) -> Multiples | None:
    """Do the same for some memberships."""
    denominator = 1
    while denominator <= MOST:
        times = columns * denominator
        whole = np.rint(times)
        # The product is rounded by less than what is tolerated of it.
        is_none = np.abs(times - whole) > 0.5 * _NEAR * denominator
        if not is_none.any():
            sums, nearest = whole.sum(axis=0), whole / denominator
            # A quotient is rounded by half a unit, and so is what is left.
            away = np.abs(columns - nearest) + np.abs(nearest) * 2.0**-53
            alike = bool(sums.min() == sums.max())
            return Multiples(denominator, alike, 1.001 * float(away.sum(axis=0).max()))
        value = Fraction(float(columns[is_none][0]))
        fraction = value.limit_denominator(MOST)
        if abs(fraction - value) > _NEAR or denominator % fraction.denominator == 0:
            return None
        denominator = math.lcm(denominator, fraction.denominator)
    return None


@dataclass(frozen=True, eq=False)
class Side:
    """A partition with one value of its pairs."""

    partition: Partition
    value: str

    @property
    def _value(self) -> type[PairValue]:
        found: type[PairValue] = loaded(VALUES[self.value].defined)
        return found

    @kept
    def columns(self) -> Vector:
        """What values are computed from, (K, n)."""
        return self._value.columns(self.partition)

    @property
    def only_value(self) -> Fraction | None:
        """The exact value of all pairs, if objects are all alike or only two."""
        u = self.partition.columns()
        if u.shape[1] > 2 and (u != u[:, :1]).any():
            return None
        rows = ([Fraction(x) for x in row] for row in u[:, :2].T.tolist())
        return self._value.exact(*rows)

    @kept
    def ends(self) -> tuple[float, float]:
        """Numbers between which all values lie."""
        return self._value.bounds(self.columns)

    @property
    def excess(self) -> float:
        """How far values leave the range from 0 to 1, but for rounding."""
        return self._value.excess(self.partition)

    def rounding(self, mean: float | None = None) -> float:
        """Bound how far values are off on average, given their mean if it is known."""
        if mean is None:
            mean = max(map(abs, self.ends))
        return self._value.rounding(self.columns, abs(mean))

    @kept
    def grid(self) -> Grid:
        """Where values are counted: multiples of a unit, or cells by a few of them."""
        if self.unit is not None:
            low, high = self.ends
            return grid_of_multiples(self.unit, high, low)
        some = np.sort(self.values_of_some(_SAMPLE))
        return fitted_grid(some, np.ones(_SAMPLE), self.ends, _GRID)

    def values_of_some(self, size: int) -> Vector:
        """Return the values of so many random pairs, always the same ones."""
        return self.values_of(*_some_pairs(self.partition.n_objects, size))

    def values_of(self, i: Positions, j: Positions) -> Vector:
        """Return the values of some pairs of objects."""
        ones, others = (np.take(self.columns, at, axis=1) for at in (i, j))
        found = np.empty((i.size, 1))
        self._value.of_windows(ones, others[..., None], found)
        return found.ravel()

    def unit_of(self, denominator: int, rows_sum_alike: bool) -> float | None:
        """Return what values are multiples of if memberships are multiples of 1 / D."""
        return self._value.unit_of(denominator, rows_sum_alike)

    def finer_grid(self, known: Distribution) -> Grid | None:
        """Return a finer grid, by what is known; None if values are told exactly."""
        if self.unit is not None:
            return None
        return fitted_grid(known.mean, known.shares, self.ends, _FINER_GRID)

    @kept
    def _multiples(self) -> Multiples | None:
        return multiples_of(self.partition)

    @kept
    def unit(self) -> float | None:
        """What values are multiples of, if there are not too many of these."""
        if self._multiples is None:
            return None
        D, alike, _ = self._multiples
        unit = self.unit_of(D, alike)
        low, high = self.ends
        if unit is None or (high - min(low, 0.0)) / unit >= _GRID[0]:
            return None
        # If all values are below half a unit, cells resolve them instead.
        return unit if high == 0.0 or high >= 0.5 * unit else None

    def displaced(self, counted: Distribution) -> Distribution:
        """Add to a distribution how far values were off before they were counted."""
        mean = counted.average
        off = self.rounding(mean)
        if self.unit is not None and self._multiples is not None:
            off = self._value.off_multiples(self._multiples.away)
            off += 4.0 * UNIT_ROUNDOFF * max(mean, -self.ends[0])
        return counted.displaced(off)
