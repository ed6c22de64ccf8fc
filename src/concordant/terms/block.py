"""A block of pairs, with the values that folds ask for."""

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue import kernel_of, value_of

Vector = NDArray[np.float64]
#: A value by its name, and the number of the partition.
Need = tuple[str, int]


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
                self._fills[need] = self._fill(need)
            kernel, columns, room = self._fills[need]
            found = room[: self.n_pairs]
            kernel(columns, *self.place, found)
            self._filled[need] = found
        return found

    def columns(self, need: Need) -> Vector:
        """Return what is known of the objects that a value is computed from."""
        name, side = need
        return self._known[value_of(name)[0].columns, side]

    def _fill(self, need: Need) -> tuple[Any, Vector, Vector]:
        """Return what computes a value: its kernel, columns and room for the values."""
        record, t_norm = value_of(need[0])
        kernel = kernel_of(record.kernel, t_norm)
        return kernel, self.columns(need), np.empty(self._size)
