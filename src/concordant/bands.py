"""All pairs of objects in bands of cyclic shifts, each the size of a cache."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

#: Shifts in a band: the memberships of so many objects stay in the first cache.
WIDTH = 512
#: Objects in a band: with all its shifts not more pairs than a bin can count.
HEIGHT = 2015

_MANY = 8192  # objects that make more than thirty bands


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


def unrolled(columns: NDArray[np.float64]) -> NDArray[np.float64]:
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
    unrolled = np.empty((*columns.shape[:-1], n + n // 2))
    unrolled[..., :n] = columns
    unrolled[..., n:] = columns[..., : n // 2]
    return unrolled


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
    Split the shifts 1 to n / 2, which hold every pair once, into groups.

    Parameters
    ----------
    n : int
        How many objects there are.

    Returns
    -------
    list of tuple
        First shift and number of shifts of each group.
    """
    last = (n - 1) // 2
    groups = [
        (first, min(WIDTH, last + 1 - first)) for first in range(1, last + 1, WIDTH)
    ]
    return [*groups, (n // 2, 1)] if n % 2 == 0 else groups


def all_bands(n: int) -> Iterator[Band]:
    """
    List bands that together hold every pair once.

    Parameters
    ----------
    n : int
        How many objects there are.

    Yields
    ------
    Band
        In an order that depends on n alone.
    """
    for first, width in groups_of_shifts(n):
        yield from bands_of_shifts(n, first, width)


def bands_per_task(n: int) -> int:
    """
    Tell how many bands a task gets.

    Parameters
    ----------
    n : int
        How many objects there are.

    Returns
    -------
    int
        Few where there are few bands, so that every thread gets some.
    """
    return 4 if n >= _MANY else 1


def tasks(bands: Iterator[Band], size: int) -> Iterator[tuple[list[Band]]]:
    """
    Gather bands to tasks.

    Parameters
    ----------
    bands : iterator of Band
        The bands.
    size : int
        How many a task gets.

    Yields
    ------
    tuple of one list
        What an engine hands to a task.
    """
    task: list[Band] = []
    for band in bands:
        task.append(band)
        if len(task) == size:
            yield (task,)
            task = []
    if task:
        yield (task,)
