"""What bands of pairs add up to, in integers that merge in any order."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from concordant.agreement.grid import PLACE_BITS, Grid, Histogram, bits_of
from concordant.agreement.sparse_rows import NOT_SPARSE, SparseRows, cut
from concordant.exact import units
from concordant.kernels.plain_visits import counts_and_places, plain_band_sums
from concordant.kernels.worth import compiled_pays
from concordant.pairs.bands import Band
from concordant.storage.memory import keep_freed_memory
from concordant.terms.table_sums import NO_TABLES, Sums, WantedTables, added

Vector = NDArray[np.float64]
Counts = NDArray[np.int64]
Bins = NDArray[np.uint64]

_HIGH = 2.0**28  # squares are split there, so that a billion bands do not overflow


@dataclass
class BandSums:
    """
    What bands of pairs add up to; grows by merging.

    Parameters
    ----------
    n_pairs : int
        How many pairs there are in them.
    difference : int
        The sum of |x - y|, where x and y are L1 distances, in exact `units`.
    counts_p, counts_q : ndarray of int
        How many distances lie in each cell; of length 0 where there is no grid.
    places_p, places_q : ndarray of int
        The sums of their places within it.
    squares_p, squares_q : ndarray of int, of shape (2, n_cells), optional
        The sums of their squared places, high and low bits of each band by themselves.
    tables : dict of str to tuple of int, default={}
        The sums a, b, c and d of tables, in exact `units`.
    """

    n_pairs: int
    difference: int
    counts_p: Counts
    counts_q: Counts
    places_p: Counts
    places_q: Counts
    squares_p: Counts | None = None
    squares_q: Counts | None = None
    tables: dict[str, Sums] = field(default_factory=dict)

    @classmethod
    def nothing(
        cls,
        grid: Grid | None,
        squares: bool = False,
        wanted: WantedTables = NO_TABLES,
        cells: Callable[..., Counts] = np.zeros,
    ) -> "BandSums":
        """Start with no pair; cells made by `np.empty` are left to be filled."""
        size = 0 if grid is None else grid.n_cells
        a, b, c, d = (cells(size, dtype=np.int64) for _ in range(4))
        tables = wanted.nothing()
        if not squares:
            return cls(0, 0, a, b, c, d, tables=tables)
        of_p, of_q = (np.zeros((2, size), dtype=np.int64) for _ in range(2))
        return cls(0, 0, a, b, c, d, of_p, of_q, tables)

    @classmethod
    def of(
        cls,
        p: Vector,
        q: Vector,
        tops_p: Vector,
        tops_q: Vector,
        grid: Grid | None,
        squares: bool,
        wanted: WantedTables,
        sparse: tuple[SparseRows | None, SparseRows | None],
        bands: list[Band],
    ) -> "BandSums":
        """
        Add up some bands of unrolled memberships, with bins if there is a grid.

        `by_numpy` gives the same, where neither of them is sparse.
        """
        from concordant.kernels.visits import (
            N_SUMS,
            band_sums,
            most_additions,
            read_bins,
        )

        sums = cls.nothing(grid, squares, wanted, np.empty)
        out = np.empty(N_SUMS)

        if sparse != NOT_SPARSE:
            bands = [part for band in bands for part in cut(band)]

        def distances(band: Band) -> list[Vector]:
            return [
                _NO_DISTANCES if rows is None else rows.distances(columns, band)
                for rows, columns in zip(sparse, (p, q), strict=True)
            ]

        def visit(
            band: Band, given: list[Vector], grid: Grid, bins: tuple[Bins, Bins]
        ) -> None:
            band_sums(
                p,
                q,
                tops_p,
                tops_q,
                *given,
                *band,
                wanted.code,
                grid.slope,
                *grid.bumps,
                grid.cell_bits,
                *bins,
                out,
            )
            sums._add(band, out.tolist(), wanted)

        if grid is None:
            for band in bands:
                visit(band, distances(band), _NO_GRID, _NO_BINS)
            return sums
        bins_p, bins_q = bins = _take_bins(grid.cell_bits)

        def read(afresh: bool) -> None:
            bits = grid.cell_bits
            read_bins(bins_p, bits, afresh, sums.counts_p, sums.places_p)
            read_bins(bins_q, bits, afresh, sums.counts_q, sums.places_q)

        n_added = 0
        for band in bands:
            if n_added + band.n_pairs > most_additions(grid.cell_bits):
                read(afresh=n_added == sums.n_pairs)
                n_added = 0
            given = distances(band)
            visit(band, given, grid, bins)
            n_added += band.n_pairs
            for columns, known, total in zip(
                (p, q), given, (sums.squares_p, sums.squares_q), strict=True
            ):
                if total is not None:
                    total += _squares(columns, known, grid, band)
        read(afresh=n_added == sums.n_pairs)
        sums._check_counts()
        _give_back(grid.cell_bits, bins)
        return sums

    @classmethod
    def by_numpy(
        cls,
        p: Vector,
        q: Vector,
        tops_p: Vector,
        tops_q: Vector,
        grid: Grid | None,
        squares: bool,
        wanted: WantedTables,
        sparse: tuple[None, None],
        bands: list[Band],
    ) -> "BandSums":
        """Do the same without compiled code, and without squares."""
        sums = cls.nothing(grid, False, wanted)
        columns = (p, q, tops_p, tops_q)
        for band in bands:
            if grid is None:
                found = plain_band_sums(*columns, *band, wanted.code)
                sums._add(band, found, wanted)
                continue
            x, y = np.empty((2, band.i1 - band.i0, band.width))
            mapped = (grid.slope, grid.bumps, (x, y))
            found = plain_band_sums(*columns, *band, wanted.code, *mapped)
            sums._add(band, found, wanted)
            for distances, counts, places in (
                (x, sums.counts_p, sums.places_p),
                (y, sums.counts_q, sums.places_q),
            ):
                seen = counts_and_places(distances, grid.cell_bits, grid.n_cells)
                counts += seen[0]
                places += seen[1]
        if grid is not None:
            sums._check_counts()
        return sums

    def _add(self, band: Band, found: list[float], wanted: WantedTables) -> None:
        """Take in what a band adds up to, but for its bins."""
        self.n_pairs += band.n_pairs
        self.difference += units(found[0])
        self.tables = added(self.tables, wanted.sums(found))

    def merge(self, other: "BandSums") -> None:
        """Take in what other bands add up to."""
        self.n_pairs += other.n_pairs
        self.difference += other.difference
        self.counts_p += other.counts_p
        self.counts_q += other.counts_q
        self.places_p += other.places_p
        self.places_q += other.places_q
        self.tables = added(self.tables, other.tables)
        if self.squares_p is not None and other.squares_p is not None:
            self.squares_p += other.squares_p
        if self.squares_q is not None and other.squares_q is not None:
            self.squares_q += other.squares_q
        self._check_room()

    def _check_counts(self) -> None:
        """Refuse to go on if a distance lay outside the grid; bins are dropped then."""
        counted = int(self.counts_p.sum()), int(self.counts_q.sum())
        if counted != (self.n_pairs, self.n_pairs):
            raise RuntimeError(
                f"of {self.n_pairs} pairs {counted[0]} and {counted[1]} were counted: "
                "the grid does not hold all distances, which is a fault of concordant; "
                'please report it; method="sorted" does without a grid'
            )

    def _check_room(self) -> None:
        """Refuse sums of places that 64 bits may not hold."""
        if len(self.counts_p) == 0:
            return
        place_bits = PLACE_BITS - bits_of(len(self.counts_p))
        room = 1 << (63 - place_bits)
        if self.n_pairs < room:
            return
        most = max(int(self.counts_p.max()), int(self.counts_q.max()))
        if most >= room:
            raise OverflowError(
                f"{most:.1e} pairs are nearly equally similar, more than can be summed "
                "exactly; an estimate with its error takes far fewer: tol=1e-3"
            )

    def arrays(self) -> dict[str, Counts]:
        """Give the bins by name."""
        return {
            name: value
            for name, value in vars(self).items()
            if isinstance(value, np.ndarray)
        }

    def histogram(self, grid: Grid) -> Histogram:
        """Give the bins as a histogram."""
        unit = 2.0 ** -(PLACE_BITS - grid.cell_bits)
        return Histogram(
            self.counts_p,
            self.counts_q,
            self.places_p.astype(np.float64) * unit,
            self.places_q.astype(np.float64) * unit,
            unit,
            *(
                None
                if parts is None
                else (parts[0] * float(_HIGH) + parts[1]) * unit**2
                for parts in (self.squares_p, self.squares_q)
            ),
        )


def visit_of(
    n_pairs: int,
    n_columns: int,
    grid: Grid | None,
    squares: bool,
    n_tables: int,
    sparse: tuple[SparseRows | None, SparseRows | None],
) -> Callable[..., BandSums]:
    """Choose how bands are added up: which is done sooner, as the bits are the same."""
    if sparse != NOT_SPARSE:
        return BandSums.of
    # Nanoseconds for a pair, as they were seen.
    per_pair = n_columns * (1.2 + 0.35 * n_tables) + 6.0 * n_tables
    per_pair += 5.0 if grid is None else 20.0
    plain = not squares and not compiled_pays(per_pair * n_pairs)
    return BandSums.by_numpy if plain else BandSums.of


_NO_GRID = Grid(np.array([0.0, 1.0]), np.array([1]))
_NO_DISTANCES = np.empty((0, 0))
_NO_BINS = np.empty(0, np.uint64), np.empty(0, np.uint64)

_of_this_thread = threading.local()


def _take_bins(cell_bits: int) -> tuple[Bins, Bins]:
    """Take this thread's empty bins; who is interrupted does not give them back."""
    from concordant.kernels.visits import EXPONENT

    kept: tuple[int, tuple[Bins, Bins]] | None
    kept = _of_this_thread.__dict__.pop("kept", None)
    if kept is not None and kept[0] == cell_bits:
        return kept[1]
    keep_freed_memory()
    # Bins before the first cell stay untouched, and so take no memory.
    size = (EXPONENT + 1) << cell_bits
    return np.zeros(size, np.uint64), np.zeros(size, np.uint64)


def _give_back(cell_bits: int, bins: tuple[Bins, Bins]) -> None:
    """Keep bins that `read_bins` left empty for the next task of this thread."""
    _of_this_thread.kept = cell_bits, bins


def _squares(columns: Vector, given: Vector, grid: Grid, band: Band) -> Counts:
    from concordant.kernels.visits import band_squares

    squares = np.zeros(1 << grid.cell_bits, dtype=np.uint64)
    band_squares(
        columns, given, *band, grid.slope, *grid.bumps, grid.cell_bits, squares
    )
    parts = np.divmod(squares[: grid.n_cells], np.uint64(int(_HIGH)))
    return np.stack(parts).astype(np.int64)
