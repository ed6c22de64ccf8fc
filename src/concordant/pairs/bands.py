"""All pairs of objects in bands of cyclic shifts, each the size of a cache."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

#: Shifts in a band: the memberships of so many objects stay in the first cache, and
#: two objects that share the others have 256 of these, a multiple of any vector.
WIDTH = 255
#: Objects in a band: with all its shifts not more pairs than a bin can count.
HEIGHT = 4045

_MANY = 8192  # objects that make more than thirty bands
_VERY_MANY = 1 << 17  # objects whose pairs take more than half a minute


class Band(NamedTuple):
    """The pairs (i, i + s) with i0 <= i < i1 and first <= s < first + width."""

    i0: int
    i1: int
    first: int
    width: int

    @property
    def n_pairs(self) -> int:
        """How many pairs the band holds."""
        return (self.i1 - self.i0) * self.width


def unrolled(columns: NDArray[Any]) -> NDArray[Any]:
    """
    Repeat the first half of the objects behind the last, as shifts are cyclic.

    Parameters
    ----------
    columns : ndarray of shape (K, n)
        Memberships, one cluster per row.

    Returns
    -------
    ndarray of shape (K, n + n // 2)
        In which object i + s stands at position i + s, for all shifts that are used.
    """
    n = columns.shape[-1]
    # The kernels want rows that are contiguous, whatever the order of `columns`.
    unrolled = np.empty((*columns.shape[:-1], n + n // 2), _kept_type(columns))
    unrolled[..., :n] = columns
    unrolled[..., n:] = columns[..., : n // 2]
    return unrolled


def _kept_type(columns: NDArray[Any]) -> type[np.generic]:
    """Integers of 16 bits stay what they are; all else becomes doubles."""
    return np.uint16 if columns.dtype == np.uint16 else np.float64


def bands_of_shifts(n: int, first: int, width: int) -> Iterator[Band]:
    """
    List the bands of some neighbouring shifts.

    Parameters
    ----------
    n : int
        How many objects there are.
    first, width : int
        The first shift, and how many.

    Yields
    ------
    Band
        Together every pair (i, i + s modulo n) once. The shift n / 2 meets every pair
        twice, and is only taken from the first half of the objects; it must not be
        asked for together with others.
    """
    stop = n // 2 if 2 * first == n else n
    for i0 in range(0, stop, HEIGHT):
        yield Band(i0, min(i0 + HEIGHT, stop), first, width)


def groups_of_shifts(n: int) -> list[tuple[int, int]]:
    """
    Split the shifts 1 to n / 2, which hold every pair, into groups.

    Parameters
    ----------
    n : int
        How many objects there are.

    Returns
    -------
    list of tuple
        First shift and number of shifts of each group.
    """
    last = n // 2
    return [
        (first, min(WIDTH, last + 1 - first)) for first in range(1, last + 1, WIDTH)
    ]


class Tiles:
    """
    All pairs of n objects, each in one tile.

    Parameters
    ----------
    n : int
        How many objects there are; tiles depend on nothing else.

    Notes
    -----
    A tile holds the pairs of some neighbouring objects with those that some
    neighbouring shifts lead to. Tiles of the same objects follow each other, shift by
    shift.
    """

    def __init__(self, n: int) -> None:
        self.n = n
        self.shifts = groups_of_shifts(n)
        self.n_rows = -(-n // (HEIGHT * _bands_of_tile(n)))

    def __len__(self) -> int:
        return self.n_rows * len(self.shifts)

    def rows(self, row: int) -> tuple[int, int]:
        """Give the objects of a row of tiles, from the first to before the last."""
        return self.n * row // self.n_rows, self.n * (row + 1) // self.n_rows

    def bands(self, start: int, stop: int) -> list[Band]:
        """List the bands of the tiles from `start` to before `stop`."""
        return [band for tile in range(start, stop) for band in self._bands(tile)]

    def _bands(self, tile: int) -> Iterator[Band]:
        row, group = divmod(tile, len(self.shifts))
        i0, i1 = self.rows(row)
        first, width = self.shifts[group]
        if 2 * (first + width - 1) == self.n:  # the last shift meets every pair twice
            yield from _bands_of_rows(i0, i1, first, width - 1)
            yield from _bands_of_rows(i0, min(i1, self.n // 2), self.n // 2, 1)
        else:
            yield from _bands_of_rows(i0, i1, first, width)


def _bands_of_rows(i0: int, i1: int, first: int, width: int) -> Iterator[Band]:
    """Cut a tile into bands that are not too high; there may be nothing in it."""
    n_rows = max(0, i1 - i0) if width > 0 else 0
    n_bands = -(-n_rows // HEIGHT)
    for b in range(n_bands):
        start, stop = (n_rows * edge // n_bands for edge in (b, b + 1))
        yield Band(i0 + start, i0 + stop, first, width)


def _bands_of_tile(n: int) -> int:
    """Few where there are few in all, so that every thread gets some."""
    return 1 if n < _MANY else 4 if n < _VERY_MANY else 16


def seconds_per_pair(n_columns: int) -> float:
    """
    Estimate how long a core looks at a pair of objects.

    Parameters
    ----------
    n_columns : int
        How many numbers are known of each object.

    Returns
    -------
    float
        As kernels were seen to do.
    """
    return 1e-9 * (2.7 + 0.14 * n_columns)
