"""Two partitions of any size: all pairs once, their dissimilarities in bins."""

import math
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.agreement.band_sums import BandSums, visit_of
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
from concordant.agreement.result import (
    RELATIVE_ERROR,
    Concordance,
    Discordance,
    assemble,
    scaled_back,
)
from concordant.agreement.roundoff import UNIT_ROUNDOFF
from concordant.agreement.scaling import scaled
from concordant.agreement.sparse_rows import SparseRows, sparse_rows
from concordant.exact import rounded
from concordant.execution.checkpoint import Job
from concordant.execution.engine import Engine
from concordant.execution.progress import Watch
from concordant.pairs.bands import HEIGHT, WIDTH
from concordant.pairs.some_pairs import some_distances
from concordant.partition.partition import Partition
from concordant.storage.archive import Archive
from concordant.terms.table_sums import NO_TABLES, Sums, WantedTables
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
    P: Partition,
    Q: Partition,
    engine: Engine,
    watch: Watch,
    job: Job,
    tables: WantedTables = NO_TABLES,
) -> tuple[Concordance, dict[str, Sums]]:
    """
    Compute the concordance by one pass over all pairs, in memory O(n K).

    Where memberships are visited as they are, the sums of tables are added up in the
    same pass; where they are scaled, or all the same, there are none. The errors are
    certified. That of E[d] is aimed to be at most 1e-9 in relation to it: where one
    grid is too coarse, up to four further passes take finer ones.

    Notes
    -----
    O(n² (K + L)) time. Bins and sums of bands are integers that are added exactly, so
    that the result does not depend on the engine.
    """
    n, data = P.n_objects, scaled(P, Q)
    if data.upper == 0.0:
        return assemble(0.0, 0.0, n_objects=n, method="binned"), {}
    if data.exponent != 0:
        tables = NO_TABLES
    columns = (data.p, data.q, *tables.columns(P, Q))
    if job.kept is None:
        state = Pass.first(first_grid(data.p, data.q, data.upper), tables)
    else:
        state = Pass.from_archive(job.kept, tables)
    with job.keeping(lambda: state.to_archive()):
        while True:
            state.run(columns, data.sparse, engine, watch, job)
            expected, error = state.expected_difference()
            target = RELATIVE_ERROR * expected
            if error <= target or state.number == len(_FINER):
                break
            state = state.finer(data.upper, error, target)
    d = state.discordance
    rounding = data.rounding(*mean_distances(state.cells, state.histogram))
    result = assemble(
        d / 2,
        expected / 2,
        n_objects=n,
        method="binned",
        discordance_error=(rounding + added_up(d)) / 2,
        expected_discordance_error=(rounding + error) / 2,
        constant=data.one_is_constant,
        exponent=data.exponent,
    )
    return result, state.of_pairs.tables


def visited_discordance(
    P: Partition,
    Q: Partition,
    engine: Engine,
    watch: Watch,
    job: Job,
    tables: WantedTables = NO_TABLES,
) -> tuple[Discordance, dict[str, Sums]]:
    """Compute d by one pass over all pairs, without bins; tables as `binned_pairs`."""
    data = scaled(P, Q)
    if data.upper == 0.0:
        return Discordance(0.0, 0.0, "binned"), {}
    if data.exponent != 0:
        tables = NO_TABLES
    columns = (data.p, data.q, *tables.columns(P, Q))
    sums = _without_bins(columns, data.sparse, engine, watch, job, tables)
    d = rounded(sums.difference) / sums.n_pairs
    # Without bins nothing is known of the mean distances, but that none is larger.
    rounding = data.rounding(data.upper, data.upper)
    error = (rounding + added_up(d)) / 2
    return scaled_back(d / 2, error, data.exponent, "binned"), sums.tables


def visited_tables(
    P: Partition,
    Q: Partition,
    engine: Engine,
    watch: Watch,
    job: Job,
    tables: WantedTables,
) -> dict[str, Sums]:
    """Add up tables over all pairs, and nothing else."""
    p, q = P.columns(), Q.columns()
    columns = (p, q, *tables.columns(P, Q))
    sparse = (sparse_rows(p), sparse_rows(q))
    return _without_bins(columns, sparse, engine, watch, job, tables).tables


def _without_bins(
    columns: tuple[Vector, ...],
    sparse: tuple[SparseRows | None, SparseRows | None],
    engine: Engine,
    watch: Watch,
    job: Job,
    tables: WantedTables,
) -> BandSums:
    if job.kept is None:
        state = Pass.first(None, tables)
    else:
        state = Pass.from_archive(job.kept, tables)
    with job.keeping(state.to_archive):
        state.run(columns, sparse, engine, watch, job)
    return state.sums


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
    grid : Grid or None
        The cells, if distances are counted.
    sums : BandSums
        What the tiles add up to that are done.
    tables : WantedTables
        What is added up beside, in the first pass.
    n_done : int, default=0
        How many tiles are done.
    before : BandSums or None, default=None
        What the first pass gave, where this is a later one: every pass adds up the
        same pairs, and later ones are for their bins alone.
    """

    number: int
    grid: Grid | None
    sums: BandSums
    tables: WantedTables
    n_done: int = 0
    before: BandSums | None = None

    @classmethod
    def first(cls, grid: Grid | None, tables: WantedTables = NO_TABLES) -> "Pass":
        """Begin with no pass before."""
        return cls(0, grid, BandSums.nothing(grid, wanted=tables), tables)

    def finer(self, upper: float, error: float, target: float) -> "Pass":
        """Begin again, on a grid for a smaller error."""
        grid, squares = self._finer_grid(upper, error, target)
        before = BandSums.nothing(None)
        before.n_pairs = self.of_pairs.n_pairs
        before.difference = self.of_pairs.difference
        before.tables = self.of_pairs.tables
        sums = BandSums.nothing(grid, squares)
        return Pass(self.number + 1, grid, sums, NO_TABLES, 0, before)

    def _finer_grid(
        self, upper: float, error: float, target: float
    ) -> tuple[Grid, bool]:
        """Give a grid for a smaller error, and whether squares are wanted."""
        if self.number == 0 and error <= _NEARLY * target:
            times = math.sqrt(error / (_SAFELY * target))
            return self.cells.with_cells(math.ceil(times * self.cells.n_cells)), False
        n_cells, most_segments = _FINER[self.number]
        crowd = crowd_of(self.cells, self.histogram)
        for grid in islice(fitted_grids(crowd, upper, n_cells), most_segments):
            if estimated_error(grid, crowd) <= target / 4:
                break
        return grid, True

    @property
    def cells(self) -> Grid:
        """The grid on which distances are counted."""
        if self.grid is None:
            raise ValueError("this pass counts no distances")
        return self.grid

    @property
    def of_pairs(self) -> BandSums:
        """The sums over pairs: always those of the first pass."""
        return self.sums if self.before is None else self.before

    @property
    def discordance(self) -> float:
        """The mean of |x - y| over all pairs."""
        return rounded(self.of_pairs.difference) / self.of_pairs.n_pairs

    def expected_difference(self) -> tuple[float, float]:
        """Give the mean of |x - y| over all x and y, and a bound of its error."""
        return expected_difference(self.cells, self.histogram)

    @property
    def histogram(self) -> Histogram:
        """The distances that were met."""
        return self.sums.histogram(self.cells)

    def run(
        self,
        columns: tuple[Vector, ...],
        sparse: tuple[SparseRows | None, SparseRows | None],
        engine: Engine,
        watch: Watch,
        job: Job,
    ) -> None:
        """Visit the tiles that are left."""
        # The order is the same whatever is wanted, and so is what a band adds up to.
        order = along_curve(columns[0], columns[1])
        ordered = [np.take(column, order, axis=1) for column in columns]
        squares = self.sums.squares_p is not None
        others = (self.grid, squares, self.tables, sparse)
        n, n_columns = len(order), len(columns[0]) + len(columns[1])
        n_tables = len(self.tables.names)
        n_pairs = n * (n - 1) // 2
        visit = visit_of(n_pairs, n_columns, self.grid, squares, n_tables, sparse)
        visits = visit_tiles(engine, visit, ordered, others, self.n_done)
        for n_tiles, part in visits:
            with job.changing():
                self.sums.merge(part)
                self.n_done += n_tiles
            job.offer(self.to_archive)
            watch.tell(self.sums.n_pairs, self.aci)

    def aci(self) -> float | None:
        """Give ACI by the tiles that are done, if it is wanted."""
        if self.grid is None:
            return None
        expected, _ = self.expected_difference()
        return 1.0 - self.discordance / expected if expected > 0.0 else 1.0

    def to_archive(self) -> Archive:
        """Give what a file can keep."""
        pairs = self.of_pairs
        facts = {
            "number": self.number,
            "n_done": self.n_done,
            "n_pairs": self.sums.n_pairs,
            "of_pairs": [pairs.n_pairs, pairs.difference, pairs.tables],
        }
        arrays: dict[str, Any] = dict(self.sums.arrays())
        if self.grid is not None:
            arrays |= {"breaks": self.grid.breaks, "cells": self.grid.cells}
        return Archive(facts, arrays)

    @classmethod
    def from_archive(cls, kept: Archive, tables: WantedTables) -> "Pass":
        """Take up what a file kept."""
        facts, grid = kept.facts, None
        arrays: dict[str, Any] = dict(kept.arrays)
        if "breaks" in arrays:
            grid = Grid(arrays.pop("breaks"), arrays.pop("cells"))
        n_pairs, difference, summed = facts["of_pairs"]
        pairs = BandSums.nothing(None)
        pairs.n_pairs, pairs.difference = n_pairs, difference
        pairs.tables = {name: tuple(sums) for name, sums in summed.items()}
        sums = BandSums(facts["n_pairs"], 0, **arrays)
        if facts["number"] > 0:
            return cls(facts["number"], grid, sums, NO_TABLES, facts["n_done"], pairs)
        sums.difference, sums.tables = pairs.difference, pairs.tables
        return cls(0, grid, sums, tables, facts["n_done"])


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
    places = np.concatenate([some_distances(columns, _SAMPLE) for columns in (p, q)])
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
