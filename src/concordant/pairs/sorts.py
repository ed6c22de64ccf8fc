"""Sums of differences between all numbers, by sorting them."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Positions, Vector

#: A bound of the relative error of `sum_of_absolute_differences`: no term is negative,
#: each has five operations, and NumPy adds runs of at most 128 terms in a tree.
RELATIVE_ROUNDOFF = 160 * 2.0**-53


def sum_of_absolute_differences(ordered: Vector) -> float:
    """
    Sum |u_i - u_j| over all pairs of numbers that ascend; of several rows, within each.

    It is the sum over r of (r + 1)(n - 1 - r)(u_(r+1) - u_(r)): no term is negative, so
    that nothing cancels even if the numbers are 1e-12 apart.
    """
    below = np.arange(1.0, ordered.shape[-1])
    gaps = np.diff(ordered, axis=-1)
    gaps *= below
    gaps *= below[::-1]
    return float(np.add.reduce(gaps.ravel()))


class Classes(NamedTuple):
    """
    Objects by class, the small classes first, so that many are sorted at a time.

    `order` (n,) are the positions of the objects, class by class, and `sizes` (c,) the
    sizes of the c classes that are not empty, ascending.
    """

    order: Positions
    sizes: Positions

    @classmethod
    def of(cls, labels: NDArray[np.unsignedinteger[Any]]) -> "Classes":
        """Put objects in the order of the sizes of their classes, from n labels."""
        sizes = np.bincount(labels)
        numbers = np.argsort(sizes, kind="stable")
        numbers = numbers[sizes[numbers] > 0]
        ranks = np.zeros(sizes.size, dtype=np.min_scalar_type(sizes.size - 1))
        ranks[numbers] = np.arange(numbers.size)
        return cls(np.argsort(ranks[labels], kind="stable"), sizes[numbers])

    def sorted_within(self, values: Vector) -> Iterator[Vector]:
        """Sort n values within classes: an array for every size, one class per row."""
        ordered = values[self.order]
        changes = (np.flatnonzero(self.sizes[1:] != self.sizes[:-1]) + 1).tolist()
        start = 0
        for first, last in pairwise([0, *changes, len(self.sizes)]):
            size = int(self.sizes[first])
            stop = start + size * (last - first)
            rows = ordered[start:stop].reshape(-1, size)
            rows.sort(axis=1)
            yield rows
            start = stop
