"""Two clusters with two clusters as they come: halved differences by cells."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.agreement.result import Concordance
from concordant.agreement.two_clusters import (
    Atoms,
    cumulated,
    grid_width,
    mean_difference_of_sums,
    split,
    two_clusters_from,
)
from concordant.partition import Partition
from concordant.streams.cells import UNIT, Cells, places_of
from concordant.streams.saved_sketch import sketch_arrays, sketch_of
from concordant.streams.sketch import Sketch
from concordant.streams.summary import Arrays, Numbers

_HALF = 1 << 59
_BITS = 20  # of the grid on which sums of three numbers are counted
_ROUNDING = 2.0**-40  # of probabilities that transforms give, generously


class TwoColumns:
    """
    The halved differences p and q between the first and the second membership.

    Beside them, halves of p + q and of p - q are kept, all shifted to [0, 1], and the
    least and largest sum of a row of each side.
    """

    def __init__(self) -> None:
        self._sketches = [Sketch() for _ in range(4)]
        self._low = np.full(2, math.inf)
        self._high = np.full(2, -math.inf)
        self._n_objects = 0

    def add(self, P: Partition, Q: Partition) -> None:
        """Sum the halved differences of a chunk."""
        columns = P.columns(), Q.columns()
        sums = np.stack([column.sum(axis=0) for column in columns])
        self._low = np.minimum(self._low, sums.min(axis=1))
        self._high = np.maximum(self._high, sums.max(axis=1))
        (p, p_rounded), (q, q_rounded) = (
            places_of(0.5 * (first - second)) for first, second in columns
        )
        both_rounded = p_rounded or q_rounded or bool(((p + q) & 1).any())
        for sketch, places, is_rounded in zip(
            self._sketches,
            (p, q, (p + q) >> 1, (p - q) >> 1),
            (p_rounded, q_rounded, both_rounded, both_rounded),
            strict=True,
        ):
            shifted = np.sort(places + _HALF)
            sketch.add(np.zeros_like(shifted), shifted, is_rounded=is_rounded)
        self._n_objects += P.n_objects

    def renumber(self, p: Numbers, q: Numbers, K: int, L: int) -> None:
        """Do nothing: memberships have no labels."""

    def merge(self, other: "TwoColumns") -> None:
        """Add the sums of another one."""
        for mine, theirs in zip(self._sketches, other._sketches, strict=True):
            mine.merge(theirs)
        self._low = np.minimum(self._low, other._low)
        self._high = np.maximum(self._high, other._high)
        self._n_objects += other._n_objects

    def start_at(self, longer: "TwoColumns") -> None:
        """Let cells be no finer than those of a longer stream have become."""
        self._sketches = [Sketch(sketch.level) for sketch in longer._sketches]

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Give the least and largest sums, and all cells."""
        arrays: dict[str, NDArray[Any]] = {"low": self._low, "high": self._high}
        for number, sketch in enumerate(self._sketches):
            arrays |= sketch_arrays(sketch, number)
        return arrays

    def restore(self, arrays: Arrays) -> None:
        """Take the least and largest sums, and all cells."""
        low, high = arrays["low"], arrays["high"]
        if low.shape != (2,) or high.shape != (2,) or not (low <= high).all():
            raise ValueError("sums of rows that cannot be")
        size = arrays["cells0"][2:3].sum(axis=1)
        self._sketches = [sketch_of(arrays, number, size) for number in range(4)]
        self._low, self._high = low, high
        self._n_objects = int(size[0])

    @property
    def n_objects(self) -> int:
        """How many objects were counted."""
        return self._n_objects

    def concordance(self) -> Concordance:
        """Give the concordance of two objects or more."""
        n = self._n_objects
        p, q, plus, minus = (sketch.spread() for sketch in self._sketches)
        apart = p.total + q.total
        mean, error = _mean_difference_of_sums(
            self._sketches[0].cells(),
            self._sketches[1].cells(),
            2.0 * apart / (n * (n - 1)),
        )
        if self._sketches[0].is_rounded or self._sketches[1].is_rounded:
            error += 2.0 * UNIT
        return two_clusters_from(
            math.fsum((2.0 * plus.total, 2.0 * minus.total, -p.total, -q.total)),
            apart,
            mean,
            n,
            uneven=0.5 * float((self._high - self._low).sum()),
            mean_error=error,
            together_error=2.0 * (plus.error + minus.error) + p.error + q.error,
            apart_error=p.error + q.error,
        )


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
    shares_p, shares_q = (split(atoms, grid).shares for atoms in (atoms_p, atoms_q))
    size = 1 << (len(shares_p) + 2 * len(shares_q)).bit_length()
    transformed = np.fft.rfft(shares_p, size)
    transformed *= np.fft.rfft(shares_q, size)
    transformed *= np.fft.rfft(shares_q[::-1], size)
    up_to = cumulated(np.maximum(np.fft.irfft(transformed, size), 0.0))
    moved = 4.0 * grid + w.max() + 2.0 * _widest(q)
    origin = len(shares_q) - 1
    begin = np.floor((first - moved) / grid).astype(np.int64) + origin - 1
    end = np.ceil((first + w + moved) / grid).astype(np.int64) + origin
    within = up_to[np.clip(end, 0, size - 1)]
    within -= np.where(begin < 0, 0.0, up_to[np.clip(begin, 0, size - 1)])
    return float((worst * np.minimum(within + _ROUNDING, 1.0)).sum())


def _widest(cells: Cells) -> float:
    several = cells.table[2] > 1
    return float(cells.widths()[several].max(initial=0.0))
