"""All pairs of objects in bands of cyclic shifts, each the size of a cache."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

#: Shifts in a band: what is known of so many objects stays in the first cache.
WIDTH = 256
#: Objects in a tile, if there are few.
HEIGHT = 4096
#: Pairs of a block, whose values stay in the second cache, and objects in it, at most.
BLOCK_SIZE = 1 << 16
BLOCK_HEIGHT = 512

_MANY = 8192  # objects that make more than thirty tiles
_VERY_MANY = 1 << 17  # objects whose pairs take more than half a minute


class Band(NamedTuple):
    """The pairs (i, i + s) with i0 <= i < i1 and first <= s < first + width."""

    i0: int
    i1: int
    first: int
    width: int

    @property
    def n_pairs(self) -> int:
        """The number of pairs of the band."""
        return (self.i1 - self.i0) * self.width

    def blocks(self) -> Iterator[tuple[int, int, int, int]]:
        """Cut it into blocks: the first object, how many, the first shift, how many."""
        height = min(BLOCK_HEIGHT, BLOCK_SIZE // self.width)
        for i in range(self.i0, self.i1, height):
            yield i, min(height, self.i1 - i), self.first, self.width


def unrolled(columns: NDArray[np.float64]) -> NDArray[np.float64]:
    """Repeat the first half of the objects behind the last, as shifts are cyclic."""
    n = columns.shape[-1]
    return np.concatenate((columns, columns[..., : n // 2]), axis=-1)


class Tiles:
    """
    All pairs of n objects, each in one tile; tiles depend on n alone.

    A tile holds the pairs of some neighbouring objects with those that some
    neighbouring shifts lead to. Tiles of the same objects follow each other, shift by
    shift.
    """

    def __init__(self, n: int) -> None:
        self.n = n
        self.n_pairs = n * (n - 1) // 2
        firsts = range(1, n // 2 + 1, WIDTH)
        self.shifts = [(first, min(WIDTH, n // 2 + 1 - first)) for first in firsts]
        # Low where there are few in all, so that every thread gets some.
        height = HEIGHT * (1 if n < _MANY else 4 if n < _VERY_MANY else 16)
        self.n_rows = -(-n // height)

    def __len__(self) -> int:
        return self.n_rows * len(self.shifts)

    def rows(self, row: int) -> tuple[int, int]:
        """Return the objects of a row of tiles, from the first to before the last."""
        return self.n * row // self.n_rows, self.n * (row + 1) // self.n_rows

    def bands(self, start: int, stop: int) -> list[Band]:
        """List the bands of the tiles from `start` to before `stop`."""
        bands = (band for tile in range(start, stop) for band in self._bands(tile))
        return [band for band in bands if band.n_pairs > 0]

    def _bands(self, tile: int) -> Iterator[Band]:
        row, group = divmod(tile, len(self.shifts))
        i0, i1 = self.rows(row)
        first, width = self.shifts[group]
        if 2 * (first + width - 1) == self.n:  # the last shift meets every pair twice
            yield Band(i0, i1, first, width - 1)
            yield Band(i0, min(i1, self.n // 2), self.n // 2, 1)
        else:
            yield Band(i0, i1, first, width)


def seconds_per_pair(n_columns: int) -> float:
    """Estimate how long a core takes for a pair of objects, given K + L."""
    return 1e-9 * (2.2 + 0.13 * n_columns)
