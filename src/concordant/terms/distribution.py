"""The distribution of one partition's values of pairs, and E|X - Y| of two of these."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

#: The largest relative error of one operation on doubles.
UNIT_ROUNDOFF = 2.0**-53
# Of a sum of numbers that are not negative, each a product of a few: NumPy adds runs of
# 128 in eight lanes, and these in a tree.
SUM_ROUNDOFF = 64 * UNIT_ROUNDOFF
_LEAST = 2.0**-1074


class Bounded(NamedTuple):
    """A number, and how far it may be from the exact one."""

    value: float
    error: float


@dataclass(frozen=True, eq=False)
class Distribution:
    """
    Values of pairs as masses in cells.

    Each cell tells how many values it holds (or their weight), its ends and the mean of
    its values. Ends ascend from cell to cell; cells may overlap, and a single value is a
    cell of no width. `displacement` bounds how far values were moved on average, by
    rounding, before they were counted.
    """

    counts: NDArray[Any]
    low: Vector
    high: Vector
    mean: Vector
    displacement: float = 0.0

    @classmethod
    def of_values(
        cls, values: Vector, counts: NDArray[Any], displacement: float = 0.0
    ) -> "Distribution":
        """Take single values, ascending, and how often each occurs."""
        return cls(counts, values, values, values, displacement)

    @cached_property
    def total(self) -> Any:
        """The number of values, or their weight."""
        return self.counts.sum()

    @property
    def is_constant(self) -> bool:
        """Whether all values are one number."""
        return bool(self.low[0] == self.high[-1])

    @cached_property
    def average(self) -> float:
        """The mean of all values."""
        return float((self.counts / self.total * self.mean).sum())

    @property
    def mean_width(self) -> float:
        """The mean width of the cells of values."""
        return float((self.counts / self.total * (self.high - self.low)).sum())

    @cached_property
    def at_ends(self) -> tuple[Vector, Vector]:
        """Places and masses if each cell had its mass at its ends, with the same mean."""
        width = self.high - self.low
        inside = np.divide(
            self.mean - self.low, width, out=np.zeros(len(width)), where=width > 0.0
        )
        at_high = np.clip(inside, 0.0, 1.0) * self.counts
        at_low = self.counts - at_high
        # Most cells begin where others end.
        meets_next = np.append(self.high[:-1] == self.low[1:], False)
        at_low[1:] += np.where(meets_next, at_high, 0.0)[:-1]
        places = np.concatenate((self.low, self.high[~meets_next]))
        return places, np.concatenate((at_low, at_high[~meets_next]))

    def mean_distance(self, points: Vector) -> Vector:
        """Return E|x - X| for each point x, by the means of cells."""
        masses = self.counts / self.total
        order = np.argsort(self.mean, kind="stable")
        means, masses = self.mean[order], masses[order]
        origin = means[0]  # close values do not cancel
        below = np.concatenate(([0.0], np.cumsum(masses)))
        sums = np.concatenate(([0.0], np.cumsum(masses * (means - origin))))
        place = np.searchsorted(means, points)
        part = (points - origin) * (2.0 * below[place] - below[-1])
        return np.asarray(np.maximum(part + (sums[-1] - 2.0 * sums[place]), 0.0))


def expected_difference(F: Distribution, G: Distribution) -> Bounded:
    """
    Return E|X - Y| for independent X and Y, with a bound of its error.

    For X in a cell with ends a, b and mean m and Y in one with ends c, d and mean w,
    E|X - Y| is at least |m - w|, as |x - y| is convex (Jensen), and at most what masses
    at the ends of the cells with these means give. The two are the same unless the cells
    overlap. So E|X - Y| lies between what the means of cells give and what masses at
    their ends do, and the middle is returned. Exchanging F and G does not change a bit.
    """
    least = _of_masses(F.mean, F.counts, G.mean, G.counts)
    n_masses = len(F.mean) + len(G.mean)
    n_rounded = sum(len(H.mean) for H in (F, G) if H.counts.dtype.kind == "f")
    value, error = least, SUM_ROUNDOFF * least + n_rounded * UNIT_ROUNDOFF * least
    if F.low is not F.high or G.low is not G.high:
        most = _of_masses(*F.at_ends, *G.at_ends)
        # Masses at ends are rounded when they are added up, and shares of them moved
        # from one end to the other.
        rounding = 2 * (n_masses + 32) * UNIT_ROUNDOFF * most
        rounding += 8.0 * UNIT_ROUNDOFF * (F.mean_width + G.mean_width)
        half = 0.5 * max(most - least, 0.0)
        value, error = least + half, half + error + rounding
    if not (F.is_constant and G.is_constant and F.low[0] == G.low[0]):
        error += 4 * n_masses * _LEAST  # products of the least doubles
    return Bounded(value, error + (F.displacement + G.displacement))


def _of_masses(x: Vector, p: NDArray[Any], y: Vector, q: NDArray[Any]) -> float:
    """Return E|X - Y| for X with masses p at x, and Y with masses q at y."""
    at = np.concatenate((x, y))
    order = np.argsort(at, kind="stable")
    gaps = np.diff(at[order])
    below_x, above_x = _shares(p, order, 0, y.size)
    below_y, above_y = _shares(q, order, x.size, 0)
    # The integral of F (1 - G) + G (1 - F): no term is negative.
    below_x *= above_y
    below_y *= above_x
    below_x += below_y
    below_x *= gaps
    return float(below_x.sum())


def _shares(
    masses: NDArray[Any], order: NDArray[np.intp], before: int, behind: int
) -> tuple[Vector, Vector]:
    """Return the shares of masses up to each of the places of both, and beyond it."""
    placed = np.zeros(before + masses.size + behind, masses.dtype)
    placed[before : before + masses.size] = masses
    placed = placed[order]
    up_to = np.cumsum(placed)
    total = up_to[-1]
    if placed.dtype.kind == "f":  # where few are left, differences would be rounding
        above = np.cumsum(placed[::-1])[-2::-1]
    else:
        above = total - up_to[:-1]
    return up_to[:-1] / total, above / total
