"""Two clusters with two clusters as they come: halved differences by cells."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.agreement.few_rows import FEW_ROWS, few_rows
from concordant.agreement.result import Concordance
from concordant.agreement.two_clusters import (
    Atoms,
    cumulated,
    cumulated_error,
    grid_width,
    mean_difference_of_sums,
    split,
    two_clusters_from,
)
from concordant.partition.memberships import TOLERANCE
from concordant.partition.partition import Partition
from concordant.streams.row_counts import RowCounts
from concordant.streams.saved_sketch import sketch_arrays, sketch_of
from concordant.streams.sketch import Sketch
from concordant.streams.sketch_cells import UNIT, Cells, Places, places_of
from concordant.terms.object_sums import Arrays, Numbers

_HALF = 1 << 59
_NEGLIGIBLE = 2.0**-50  # the part of the range that is as good as nothing
_BITS = 20  # of the grid on which sums of three numbers are counted


class TwoColumns:
    """
    The halved differences p and q between the first and the second membership.

    Beside them, halves of p + q and of p - q are kept, all shifted to [0, 1], and the
    least and largest sum of a row of each side, in places, and the rows themselves
    while few are distinct.
    """

    def __init__(self) -> None:
        self._sketches = [Sketch() for _ in range(4)]
        self._low = np.full(2, np.iinfo(np.int64).max)
        self._high = np.full(2, np.iinfo(np.int64).min)
        self._rows = RowCounts(4, FEW_ROWS)
        self._n_objects = 0

    def add(self, P: Partition, Q: Partition) -> None:
        """Sum the halved differences of a chunk."""
        (p, p_sums, p_rounded), (q, q_sums, q_rounded) = map(_halves, (P, Q))
        sums = np.stack((p_sums, q_sums))
        self._low = np.minimum(self._low, sums.min(axis=1))
        self._high = np.maximum(self._high, sums.max(axis=1))
        both_rounded = p_rounded or q_rounded or bool(((p + q) & 1).any())
        for sketch, places, is_rounded in zip(
            self._sketches,
            (p, q, (p + q) >> 1, (p - q) >> 1),
            (p_rounded, q_rounded, both_rounded, both_rounded),
            strict=True,
        ):
            shifted = np.sort(places + _HALF)
            sketch.add(np.zeros_like(shifted), shifted, is_rounded=is_rounded)
        self._rows.add(P.columns(), Q.columns())
        self._n_objects += P.n_objects

    def renumber(self, p: Numbers, q: Numbers, K: int, L: int) -> None:
        """Do nothing: memberships have no labels."""

    def merge(self, other: "TwoColumns") -> None:
        """Add the sums of another one."""
        for mine, theirs in zip(self._sketches, other._sketches, strict=True):
            mine.merge(theirs)
        self._low = np.minimum(self._low, other._low)
        self._high = np.maximum(self._high, other._high)
        self._rows.merge(other._rows)
        self._n_objects += other._n_objects

    def start_at(self, longer: "TwoColumns") -> None:
        """Let cells be no finer than those of a longer stream have become."""
        self._sketches = [Sketch(sketch.level) for sketch in longer._sketches]
        self._rows.start_at(longer._rows)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Give the least and largest sums, and all cells."""
        arrays: dict[str, NDArray[Any]] = {
            "low": self._low,
            "high": self._high,
            **self._rows.arrays(),
        }
        for number, sketch in enumerate(self._sketches):
            arrays |= sketch_arrays(sketch, number)
        return arrays

    def restore(self, arrays: Arrays) -> None:
        """Take the least and largest sums, and all cells."""
        low, high = arrays["low"], arrays["high"]
        kinds = {low.dtype, high.dtype}
        shaped = low.shape == high.shape == (2,) and kinds == {np.dtype(np.int64)}
        if not shaped or not (low <= high).all():
            raise ValueError("sums of rows that cannot be")
        size = arrays["cells0"][2:3].sum(axis=1)
        self._sketches = [sketch_of(arrays, number, size) for number in range(4)]
        self._low, self._high = low, high
        self._n_objects = int(size[0])
        self._rows.restore(arrays, self._n_objects)

    @property
    def n_objects(self) -> int:
        """How many objects were counted."""
        return self._n_objects

    def concordance(self) -> Concordance:
        """Give the concordance of two objects or more."""
        exact = self._from_few_rows()
        if exact is not None:
            return exact
        n = self._n_objects
        p, q, plus, minus = (sketch.spread() for sketch in self._sketches)
        apart = p.total + q.total
        scale = 2.0 * apart / (n * (n - 1))
        sides = [sketch.cells() for sketch in self._sketches[:2]]
        mean, error = _mean_difference_of_sums(sides[0], sides[1], scale)
        if self._sketches[0].is_rounded or self._sketches[1].is_rounded:
            error += 2.0 * UNIT
        # Half the sums differ by so much; places are rounded by less than one each.
        uneven = [(high - low + 4) // 2 for low, high in self._sums()]
        data_error = math.fsum(
            reach * UNIT * _share_of_pairs_within(cells, reach)
            for cells, reach in zip(sides, uneven, strict=True)
        )
        return two_clusters_from(
            math.fsum((2.0 * plus.total, 2.0 * minus.total, -p.total, -q.total)),
            apart,
            mean,
            n,
            data_error=data_error,
            mean_error=error,
            together_error=2.0 * (plus.error + minus.error) + p.error + q.error,
            apart_error=p.error + q.error,
            constant=self._one_is_constant(),
        )

    def _from_few_rows(self) -> Concordance | None:
        """Visit the pairs of distinct rows, if rows are uneven and few."""
        widest = max(high - low for low, high in self._sums())
        kept = self._rows.kept() if 0.5 * widest * UNIT > TOLERANCE else None
        if kept is None:
            return None
        return few_rows(
            kept.rows[:2], kept.rows[2:], kept.counts, method="two-clusters"
        )

    def _sums(self) -> list[tuple[int, int]]:
        """Give the least and largest sum of a row of each side, in places."""
        return list(zip(self._low.tolist(), self._high.tolist(), strict=True))

    def _one_is_constant(self) -> bool:
        """Tell whether all objects are alike on one side, as far as places tell."""
        return any(
            low == high and cells.table.shape[1] == 1 and not cells.widths().any()
            for (low, high), cells in zip(
                self._sums(), (one.cells() for one in self._sketches[:2]), strict=True
            )
        )


def _halves(partition: Partition) -> tuple[Places, Places, bool]:
    """Give halved differences and sums of two memberships, and whether rounded."""
    (first, rounded), (second, also) = map(places_of, partition.columns())
    difference = first - second
    odd = bool((difference & 1).any())
    return difference >> 1, first + second, rounded or also or odd


def _share_of_pairs_within(cells: Cells, reach: int) -> float:
    """Bound the share of pairs of numbers that differ by at most so many places."""
    _, firsts, counts, *_ = cells.table
    if reach * UNIT <= _NEGLIGIBLE * float(cells.values()[-1]):
        return 1.0
    up_to = np.cumsum(counts)
    # Differences of places that are rounded may be off by one.
    near = np.searchsorted(firsts, firsts + cells.spans() + reach + 1, side="right")
    later = up_to[near - 1] - up_to
    n = int(up_to[-1])
    pairs = float((counts * (later + 0.5 * (counts - 1.0))).sum())
    return min(1.0, pairs / (n * (n - 1) // 2) * (1.0 + 2.0**-40))


def _mean_difference_of_sums(p: Cells, q: Cells, scale: float) -> tuple[float, float]:
    """
    Average |s - t| over all sums s and t of one p and one q, with a bound.

    A cell is taken for as many numbers at its mean. That only changes |s - t| if the
    rest of the difference lies in the same cell, and the mean difference grows when
    numbers are put back where they were. Half of what it can grow is added.
    """
    atoms_p, atoms_q = (Atoms(cells.values(), cells.table[2]) for cells in (p, q))
    mean, error = mean_difference_of_sums(atoms_p, atoms_q, scale)
    lost = 2.0 * (_lost(p, q, atoms_p, atoms_q) + _lost(q, p, atoms_q, atoms_p))
    return mean + 0.5 * lost, error + 0.5 * lost


def _lost(p: Cells, q: Cells, atoms_p: Atoms, atoms_q: Atoms) -> float:
    """
    Bound what |s - t| loses on average when one p is moved to the mean of its cell.

    In a cell of width w, with its mean at a, |x - z| loses at most 2 a (w - a) / w if
    z lies in the cell, and nothing otherwise. z is the sum of another p and a q, less
    another q; its distribution is that of the means on a grid, but for what cells and
    grid may have moved it.
    """
    counts, widths, means = p.table[2], p.widths(), p.means_within()
    several = (counts > 1) & (widths > 0.0)
    if not several.any():
        return 0.0
    w, a = widths[several], means[several]
    worst = counts[several] / counts.sum() * np.maximum(2.0 * a * (w - a) / w, 0.0)
    first = atoms_p.values[several] - a - atoms_p.values[0]
    grid = grid_width(atoms_p, atoms_q, _BITS)
    if grid == 0.0:  # one cell each
        return float(worst.sum())
    bins_p, bins_q = split(atoms_p, grid), split(atoms_q, grid)
    shares_q = bins_q.shares
    up_to = cumulated(bins_p.shares, shares_q, shares_q[::-1])
    rounding = 2.0 * cumulated_error(bins_p, bins_q, bins_q)
    size = len(up_to)
    moved = 4.0 * grid + w.max() + 2.0 * _widest(q)
    origin = len(shares_q) - 1
    begin = np.floor((first - moved) / grid).astype(np.int64) + origin - 1
    end = np.ceil((first + w + moved) / grid).astype(np.int64) + origin
    within = up_to[np.clip(end, 0, size - 1)]
    within -= np.where(begin < 0, 0.0, up_to[np.clip(begin, 0, size - 1)])
    return float((worst * np.minimum(within + rounding, 1.0)).sum())


def _widest(cells: Cells) -> float:
    several = cells.table[2] > 1
    return float(cells.widths()[several].max(initial=0.0))
