"""A block of pairs, with the values that folds ask for."""

from collections.abc import Mapping
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue import kernel_of, value_of

Vector = NDArray[np.float64]


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
        self._size = size
        self._buffers: dict[tuple[str, int], Vector] = {}
        self._filled: dict[tuple[str, int], Vector] = {}
        self.i0 = self.rows = self.first = self.width = 0

    def move(self, i0: int, rows: int, first: int, width: int) -> None:
        """Go on to the pairs of other objects or shifts."""
        last = i0 + rows + first + width - 2
        if rows * width > self._size or any(
            last >= columns.shape[1] for columns in self._known.values()
        ):
            raise IndexError("a block of pairs passes the end of the objects")
        self.i0, self.rows, self.first, self.width = i0, rows, first, width
        self._filled.clear()

    @property
    def place(self) -> tuple[int, int, int, int]:
        """The first object, how many, the first shift, how many."""
        return self.i0, self.rows, self.first, self.width

    def values(self, name: str, side: int) -> Vector:
        """Return the values of all pairs of the block, one object after the other."""
        key = name, side
        if key not in self._filled:
            if key not in self._buffers:
                self._buffers[key] = np.empty(self._size)
            record, t_norm = value_of(name)
            out = self._buffers[key][: self.rows * self.width]
            columns = self._known[record.columns, side]
            kernel_of(record.kernel, t_norm)(columns, *self.place, out)
            self._filled[key] = out
        return self._filled[key]
