"""Two fuzzy partitions of any size: all pairs once, their dissimilarities in bins."""

import math
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from concordant.agreement.band_sums import BandSums
from concordant.agreement.curve import along_curve
from concordant.agreement.grid import (
    Crowd,
    Grid,
    Histogram,
    crowd_of,
    estimated_error,
    expected_difference,
    fitted_grids,
    mean_distances,
)
from concordant.agreement.result import RELATIVE_ERROR, Concordance, assemble
from concordant.agreement.roundoff import UNIT_ROUNDOFF
from concordant.agreement.scaling import scaled
from concordant.exact import rounded
from concordant.execution.checkpoint import Job
from concordant.execution.engine import Engine
from concordant.execution.progress import Watch
from concordant.pairs.bands import HEIGHT, WIDTH
from concordant.partition.partition import Partition
from concordant.storage.archive import Archive
from concordant.terms.visiting import visit_tiles

Vector = NDArray[np.float64]

_FITTED, _MOST_SEGMENTS = 1 << 16, 8  # cells and segments that are tried at first
_STEP = 1 << 10  # cells come in multiples of this
_FEWEST, _MOST = 8, 96  # multiples: less stay in the cache anyway, more are slow
_SAFELY = 0.8  # the part of the error that is aimed at, as a sample may be misleading
_NEARLY = 2.0  # times the error that is aimed at: then a few more cells will do
_SAMPLE = 1 << 12
_A_LOOK = 2e6  # nanoseconds that it takes to look at one more grid
# Cells and segments of later passes.
_FINER = ((1 << 18, 16), (1 << 20, 16), (1 << 20, 64), (1 << 20, 64))


def binned_pairs(
    P: Partition, Q: Partition, engine: Engine, watch: Watch, job: Job
) -> Concordance:
    """
    Compute the concordance by one pass over all pairs, in memory O(n K).

    Parameters
    ----------
    P, Q : Partition
        Partitions of the same objects.
    engine : Engine
        Where bands of pairs are visited.
    watch : Watch
        Told how far it is.
    job : Job
        Where what is done is kept.

    Returns
    -------
    Concordance
        With certified errors. That of E[d] is aimed to be at most 1e-9 in relation to
        it: where one grid is too coarse, up to four further passes take finer ones.

    Notes
    -----
    O(n² (K + L)) time. Bins and sums of bands are integers that are added exactly, so
    that the result does not depend on the engine.
    """
    n, data = P.n_objects, scaled(P, Q)
    if data.upper == 0.0:
        return assemble(0.0, 0.0, n_objects=n, method="binned")
    columns = (data.p, data.q)
    if job.kept is None:
        state = Pass.first(first_grid(*columns, data.upper))
    else:
        state = Pass.from_archive(job.kept)
    with job.keeping(lambda: state.to_archive()):
        while True:
            state.run(columns, engine, watch, job)
            expected, error = state.expected_difference()
            target = RELATIVE_ERROR * expected
            if error <= target or state.number == len(_FINER):
                break
            state = state.finer(data.upper, error, target)
    d = rounded(state.sums.difference) / state.sums.n_pairs
    rounding = data.rounding(*mean_distances(state.grid, state.histogram))
    return assemble(
        d / 2,
        expected / 2,
        n_objects=n,
        method="binned",
        discordance_error=(rounding + added_up(d)) / 2,
        expected_discordance_error=(rounding + error) / 2,
        constant=data.one_is_constant,
        exponent=data.exponent,
    )


def added_up(d: float) -> float:
    """Bound the rounding of sums of |x - y|: for each other object, then over these."""
    return (HEIGHT + WIDTH) * UNIT_ROUNDOFF * d


@dataclass
class Pass:
    """
    One pass over all pairs, as far as it has come.

    Parameters
    ----------
    number : int
        How many passes went before, on coarser grids.
    grid : Grid
        The cells.
    sums : BandSums
        What the tiles add up to that are done.
    n_done : int, default=0
        How many these are.
    """

    number: int
    grid: Grid
    sums: BandSums
    n_done: int = 0

    @classmethod
    def first(cls, grid: Grid) -> "Pass":
        """Begin with no pass before."""
        return cls(0, grid, BandSums.nothing(grid))

    def finer(self, upper: float, error: float, target: float) -> "Pass":
        """Begin again, on a grid for a smaller error."""
        if self.number == 0 and error <= _NEARLY * target:
            times = math.sqrt(error / (_SAFELY * target))
            grid = self.grid.with_cells(math.ceil(times * self.grid.n_cells))
            return Pass(1, grid, BandSums.nothing(grid))
        n_cells, most_segments = _FINER[self.number]
        crowd = crowd_of(self.grid, self.histogram)
        for grid in islice(fitted_grids(crowd, upper, n_cells), most_segments):
            if estimated_error(grid, crowd) <= target / 4:
                break
        return Pass(self.number + 1, grid, BandSums.nothing(grid, squares=True))

    def expected_difference(self) -> tuple[float, float]:
        """Give the mean of |x - y| over all x and y, and a bound of its error."""
        return expected_difference(self.grid, self.histogram)

    @property
    def histogram(self) -> Histogram:
        """The distances that were met."""
        return self.sums.histogram(self.grid)

    def run(
        self,
        columns: tuple[Vector, Vector],
        engine: Engine,
        watch: Watch,
        job: Job,
    ) -> None:
        """Visit the tiles that are left."""
        if len(self.grid.cells) == 1:  # else many share a bin: neighbours would wait
            order = along_curve(*columns)
            p, q = columns
            columns = (np.take(p, order, axis=1), np.take(q, order, axis=1))
        others = (self.grid, self.sums.squares_p is not None)
        visits = visit_tiles(engine, BandSums.of, columns, others, self.n_done)
        for n_tiles, part in visits:
            with job.changing():
                self.sums.merge(part)
                self.n_done += n_tiles
            job.offer(self.to_archive)
            watch.tell(self.sums.n_pairs, self.aci)

    def aci(self) -> float:
        """Give ACI by the tiles that are done."""
        expected, _ = self.expected_difference()
        d = rounded(self.sums.difference) / self.sums.n_pairs
        return 1.0 - d / expected if expected > 0.0 else 1.0

    def to_archive(self) -> Archive:
        """Give what a file can keep."""
        facts = {
            "number": self.number,
            "n_done": self.n_done,
            "n_pairs": self.sums.n_pairs,
            "difference": self.sums.difference,
        }
        arrays = {"breaks": self.grid.breaks, "cells": self.grid.cells}
        return Archive(facts, arrays | self.sums.arrays())

    @classmethod
    def from_archive(cls, kept: Archive) -> "Pass":
        """Take up what a file kept."""
        arrays = dict(kept.arrays)
        breaks, cells = arrays.pop("breaks"), arrays.pop("cells")
        grid = Grid(breaks, cells)
        facts = kept.facts
        sums = BandSums(facts["n_pairs"], facts["difference"], **arrays)
        return cls(facts["number"], grid, sums, facts["n_done"])


def first_grid(p: Vector, q: Vector, upper: float) -> Grid:
    """
    Choose a grid from a sample of pairs.

    Parameters
    ----------
    p, q : ndarray of shape (K, n) and (L, n)
        Memberships.
    upper : float
        The largest L1 distance.

    Returns
    -------
    Grid
        The fastest that will do.
    """
    # Always the same pairs: the bits of the result depend on the data alone.
    rng = np.random.default_rng(0)
    i = rng.integers(p.shape[1], size=_SAMPLE)
    j = (i + rng.integers(1, p.shape[1], size=_SAMPLE)) % p.shape[1]
    x = np.abs(p[:, i] - p[:, j]).sum(axis=0)
    y = np.abs(q[:, i] - q[:, j]).sum(axis=0)
    places = np.concatenate((x, y))
    order = np.argsort(places)
    share = np.repeat([1.0 / _SAMPLE, 0.0], _SAMPLE)
    crowd = Crowd(places[order], share[order], share[::-1][order])
    target = _SAFELY * RELATIVE_ERROR * crowd.expected_difference
    grids = islice(fitted_grids(crowd, upper, _FITTED), _MOST_SEGMENTS)
    fastest, least = None, math.inf
    fewest = max(crowd.fewest_cells(upper, target), _FEWEST * _STEP)
    n_pairs = p.shape[1] * (p.shape[1] - 1) // 2
    for grid in grids:
        # The error goes with the square of the width of cells.
        error = estimated_error(grid, crowd)
        if error > target * (_MOST * _STEP / _FITTED) ** 2:
            continue
        needed = math.ceil(math.sqrt(error / target) * _FITTED / _STEP)
        n_cells = max(needed, _FEWEST) * _STEP
        cost = _cost(n_cells, len(grid.cells))
        if cost < least:
            fastest, least = grid.with_cells(n_cells), cost
        # One more segment hardly ever does with less than half of the cells.
        fewer = max(n_cells // 2, fewest)
        if (least - _cost(fewer, len(grid.cells) + 1)) * n_pairs < _A_LOOK:
            break
    return grid if fastest is None else fastest


def _cost(n_cells: float, n_segments: int) -> float:
    """Tell the nanoseconds that a pair takes on a grid, but for a constant."""
    # Measured: cells that the caches do not hold, reading them, and further segments;
    # from the fourth on these need passes of their own.
    cells = 0.2 * math.log2(n_cells) + 0.8 * n_cells / _FITTED
    return cells + 0.3 * n_segments + (0.5 if n_segments > 3 else 0.0)
