"""Objects by the sizes of their classes, so that classes are sorted many at a time."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Positions = NDArray[np.intp]


class Classes(NamedTuple):
    """
    The c classes that have objects, the small ones first.

    `order` (n,) are the positions of the objects, class by class; `sizes` (c,) says how
    many objects each class has, ascending; `numbers` (c,) are their labels.
    """

    order: Positions
    sizes: Positions
    numbers: Positions

    def places(self) -> Positions:
        """Tell where the objects, as in `order`, stand in the order of their labels."""
        by_label = np.argsort(self.numbers)
        starts = np.empty_like(self.sizes)
        starts[by_label] = _starts(self.sizes[by_label])
        moves = np.repeat(starts - _starts(self.sizes), self.sizes)
        return np.asarray(moves + np.arange(moves.size))


def classes_of(labels: NDArray[np.unsignedinteger[Any]]) -> Classes:
    """Put objects in the order of the sizes of their classes, from n labels."""
    sizes = np.bincount(labels)
    numbers = np.argsort(sizes, kind="stable")
    numbers = numbers[sizes[numbers] > 0]
    ranks = np.zeros(sizes.size, dtype=np.min_scalar_type(sizes.size - 1))
    ranks[numbers] = np.arange(numbers.size)
    return Classes(np.argsort(ranks[labels], kind="stable"), sizes[numbers], numbers)


def sorted_within(
    values: NDArray[Any], order: Positions, sizes: Positions
) -> Iterator[NDArray[Any]]:
    """
    Sort n values within classes, whose `order` and `sizes` are as in `Classes`.

    Gives an array for every size that occurs, one class per row. Flat and one after the
    other they are the values in `order`, but ascending in each class.
    """
    ordered = values[order]
    changes = (np.flatnonzero(sizes[1:] != sizes[:-1]) + 1).tolist()
    start = 0
    for first, last in pairwise([0, *changes, len(sizes)]):
        size = int(sizes[first])
        stop = start + size * (last - first)
        rows = ordered[start:stop].reshape(-1, size)
        rows.sort(axis=1)
        yield rows
        start = stop


def _starts(sizes: Positions) -> Positions:
    return np.asarray(np.cumsum(sizes) - sizes)
