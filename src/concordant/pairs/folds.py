"""What is added up over blocks of pairs: small sums that merge in any order."""

from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Counts, Vector
from concordant.bounded import UNIT_ROUNDOFF
from concordant.catalogue.families import of_pairs
from concordant.catalogue.lookups import kernel_of, loaded
from concordant.catalogue.terms import Term
from concordant.catalogue.values import VALUES
from concordant.exact import rounded, units
from concordant.pairs.bands import BLOCK_HEIGHT, WIDTH
from concordant.pairs.distribution import Distribution
from concordant.pairs.grid import MOST_ADDED, Grid
from concordant.pairs.pair_terms import Summed, n_sums, summed
from concordant.storage.archive import starting_with

Arrays = dict[str, NDArray[Any]]


class Need(NamedTuple):
    """A value of pairs, of which partition, and with which t-norm if it has one."""

    value: str
    side: int
    t_norm: str | None = None


def in_fours(columns: Vector, fills_up: Literal["zeros", "last"]) -> Vector:
    """Add rows that change no value, so that kernels take four at a time."""
    missing = -len(columns) % 4
    if missing == 0:
        return columns
    more = np.repeat(columns[-1:], missing, axis=0)
    return np.concatenate((columns, more if fills_up == "last" else 0.0 * more))


class Block:
    """
    The pairs (i, i + s) of some neighbouring objects and some neighbouring shifts.

    `known` holds what is known of the objects, by what it is and the number of the
    partition; objects stand once more behind the last, so that i + s needs no modulus.
    Values are computed when they are first asked for.
    """

    def __init__(self, known: Mapping[tuple[str, int], Vector], size: int) -> None:
        if any(len(columns) % 4 for columns in known.values()):
            raise IndexError("what is known of objects must come in fours")
        self._known = known
        self._n_objects = min(columns.shape[1] for columns in known.values())
        self._size = size
        self._fills: dict[Need, tuple[Any, Vector, Vector]] = {}
        self._filled: dict[Need, Vector] = {}
        self.place = (0, 0, 0, 0)
        self.n_pairs = self.width = 0

    def move(self, i0: int, rows: int, first: int, width: int) -> None:
        """Go on to the pairs of other objects or shifts."""
        self.n_pairs, self.width = rows * width, width
        passes = i0 + rows + first + width - 2 >= self._n_objects
        if passes or self.n_pairs > self._size:
            raise IndexError("a block of pairs passes the end of the objects")
        self.place = i0, rows, first, width
        self._filled.clear()

    def values(self, need: Need) -> Vector:
        """Return the values of all pairs of the block, one object after the other."""
        found = self._filled.get(need)
        if found is None:
            if need not in self._fills:
                kernel = kernel_of(VALUES[need.value].kernel, need.t_norm)
                room = np.empty(self._size)
                self._fills[need] = kernel, self.columns(need), room
            kernel, columns, room = self._fills[need]
            found = room[: self.n_pairs]
            kernel(columns, *self.place, found)
            self._filled[need] = found
        return found

    def columns(self, need: Need) -> Vector:
        """Return what is known of the objects that a value is computed from."""
        return self._known[VALUES[need.value].columns, need.side]


class Fold:
    """
    A sum over blocks of pairs, made of values that it `needs`.

    ``empty()`` returns the same sum over no pairs, ``add(block)`` adds a block of pairs
    and ``merge(other)`` what another one holds. ``state()`` returns what a file can
    keep, facts that JSON can say and arrays by name, and ``resume(facts, arrays)``
    takes that up.
    """

    def __init__(self, needs: list[Need]) -> None:
        self.needs = needs
        self.n_pairs = 0


def states(parts: Sequence[Any]) -> tuple[list[Any], Arrays]:
    """Return what a file can keep of several, with arrays by number and name."""
    facts: list[Any] = []
    arrays: Arrays = {}
    for number, part in enumerate(parts):
        said, held = part.state()
        facts.append(said)
        arrays |= {f"{number}/{name}": array for name, array in held.items()}
    return facts, arrays


def resume_all(parts: Sequence[Any], facts: Sequence[Any], arrays: Arrays) -> None:
    """Take up what a file kept of several."""
    for number, (part, said) in enumerate(zip(parts, facts, strict=True)):
        part.resume(said, starting_with(f"{number}/", arrays))


class ExactSums(Fold):
    """Sums over pairs in exact `units`, which a kernel adds up over blocks."""

    def __init__(self, needs: list[Need], n_sums: int) -> None:
        super().__init__(needs)
        self.sums = [0] * n_sums

    def empty(self) -> Self:
        """Return the same sums over no pairs."""
        found = copy(self)
        found.sums, found.n_pairs = [0] * len(self.sums), 0
        return found

    def add(self, block: Block) -> None:
        """Add a block of pairs."""
        parts = self.of_block(block)
        self.sums = [x + units(y) for x, y in zip(self.sums, parts, strict=True)]
        self.n_pairs += block.n_pairs

    def of_block(self, block: Block) -> Sequence[float]:
        """Return the sums over a block."""
        raise NotImplementedError

    def merge(self, other: Self) -> None:
        """Add what another one holds."""
        self.sums = [x + y for x, y in zip(self.sums, other.sums, strict=True)]
        self.n_pairs += other.n_pairs

    def state(self) -> tuple[Any, Arrays]:
        """Return what a file can keep."""
        return [self.n_pairs, *self.sums], {}

    def resume(self, facts: Any, arrays: Arrays) -> None:
        """Take up what a file kept."""
        self.n_pairs, *self.sums = facts


class Difference(ExactSums):
    """The sum of |x - y| over pairs, where x and y are the values of two partitions."""

    def __init__(self, value: str, sides: tuple[int, int] = (0, 1)) -> None:
        super().__init__([Need(value, side) for side in sides], 1)

    def of_block(self, block: Block) -> Sequence[float]:
        """Return the sum over a block."""
        sum_of_differences = loaded("concordant.kernels.folding:sum_of_differences")
        return (sum_of_differences(*map(block.values, self.needs), block.width),)

    @property
    def mean(self) -> float:
        """The mean of |x - y|, 0 if there are no pairs."""
        return rounded(self.sums[0]) / self.n_pairs if self.n_pairs else 0.0

    @property
    def error(self) -> float:
        """A bound of the rounding of sums: by shifts, then over these."""
        return (BLOCK_HEIGHT + WIDTH) * UNIT_ROUNDOFF * self.mean


class PairSums(ExactSums):
    """The sums of a family's table, as a, b, c and d, or others over pairs."""

    def __init__(self, term: Term) -> None:
        self.term = term
        self._record = of_pairs(term)
        values = self._record.values_for(term.t_norm)
        needs = [Need(value, side, t) for side in (0, 1) for value, t in values]
        super().__init__(needs, n_sums(term))

    def of_block(self, block: Block) -> Sequence[float]:
        """Return the sums over a block."""
        kernel = kernel_of(self._record.kernel, self.term.t_norm)
        found: Sequence[float]
        if self._record.of_objects:
            found = kernel(*map(block.columns, self.needs), *block.place)
        else:
            found = kernel(*map(block.values, self.needs), block.width)
        return found

    def found(self) -> Summed:
        """Return the table, or what else these are."""
        return summed(self.term, map(rounded, self.sums))


class Cells(Fold):
    """The values of one partition, counted in the cells of a grid."""

    def __init__(self, value: str, side: int, grid: Grid) -> None:
        super().__init__([Need(value, side)])
        self.grid = grid
        self.counts: Counts = np.zeros(grid.n_cells, np.int64)
        self.places: Counts = np.zeros(grid.n_cells, np.int64)
        self._bins: NDArray[np.uint64] | None = None
        self._n_added = 0

    def empty(self) -> "Cells":
        """Return the same sum over no pairs."""
        need = self.needs[0]
        return Cells(need.value, need.side, self.grid)

    def add(self, block: Block) -> None:
        """Add a block of pairs."""
        x = block.values(self.needs[0])
        if self._bins is None:
            self._bins = np.zeros(1 << (self.grid.n_cells - 1).bit_length(), np.uint64)
        if self._n_added + x.size >= MOST_ADDED:
            self._read()
        add_to_cells = loaded("concordant.kernels.folding:add_to_cells")
        row = np.empty(block.width)
        add_to_cells(x, *self.grid.ramps, row, row.view(np.uint64), self._bins)
        self._n_added += x.size
        self.n_pairs += x.size

    def _read(self) -> None:
        """Take counts and places out of the bins."""
        if self._bins is not None:
            from concordant.kernels.folding import read_bins

            read_bins(self._bins, self.counts, self.places)
            self._n_added = 0

    def done(self) -> None:
        """Read the bins and drop them."""
        self._read()
        self._bins = None
        if int(self.counts.sum()) != self.n_pairs:
            raise RuntimeError(
                f"of {self.n_pairs} pairs {int(self.counts.sum())} were counted: the "
                "grid does not hold all values, which is a fault of concordant; please "
                'report it; method="sorted" does without a grid'
            )

    def __getstate__(self) -> dict[str, Any]:
        self.done()
        return self.__dict__

    def merge(self, other: "Cells") -> None:
        """Add what another one holds."""
        other.done()
        if self.n_pairs == 0:
            self.counts, self.places = other.counts, other.places
        else:
            self.counts += other.counts
            self.places += other.places
        self.n_pairs += other.n_pairs

    def distribution(self) -> Distribution:
        """Return the distribution of the values."""
        return self.grid.distribution(self.counts, self.places)

    def state(self) -> tuple[Any, Arrays]:
        """Return what a file can keep."""
        arrays = {
            "breaks": self.grid.breaks,
            "cells": self.grid.cells,
            "counts": self.counts,
            "places": self.places,
        }
        return [self.n_pairs, self.grid.single], arrays

    def resume(self, facts: Any, arrays: Arrays) -> None:
        """Take up what a file kept, on the grid that it was counted on."""
        self.n_pairs, single = facts
        self.grid = Grid(arrays["breaks"], arrays["cells"], single)
        self.counts, self.places = arrays["counts"], arrays["places"]
