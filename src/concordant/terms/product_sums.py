"""Sums of products over chunks of objects, added exactly."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.exact import rounded, units
from concordant.execution.engine import Threads
from concordant.partition.partition import Partition
from concordant.terms.object_sums import Arrays, Numbers
from concordant.terms.products import Products, direction_sums, product_sums

_BYTES = 160  # of an exact sum: 1074 bits below 1, more than enough above
_units = np.frompyfunc(units, 1, 1)
_rounded = np.frompyfunc(rounded, 1, 1)


class ProductSums:
    """The sums of products of (u, |u|², 1) with (v, |v|², 1), as Python integers."""

    _of_chunk = staticmethod(product_sums)

    def __init__(self, K: int, L: int) -> None:
        self._sums = np.zeros((K + 2, L + 2), dtype=object)

    def add(self, P: Partition, Q: Partition) -> None:
        """Add the products of a chunk, each rounded once."""
        self._sums = self._sums + _units(self._of_chunk(P, Q, Threads(1)))

    def merge(self, other: "ProductSums") -> None:
        """Add the sums of another one."""
        self._sums = self._sums + other._sums

    def renumber(self, p: Numbers, q: Numbers, K: int, L: int) -> None:
        """Make room for K and L clusters."""
        rows, columns = self._sums.shape
        places_p = [*(range(rows - 2) if p is None else p), K, K + 1]
        places_q = [*(range(columns - 2) if q is None else q), L, L + 1]
        total = np.zeros((K + 2, L + 2), dtype=object)
        total[np.ix_(places_p, places_q)] = self._sums
        self._sums = total

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return each integer as bytes."""
        flat = b"".join(
            entry.to_bytes(_BYTES, "little", signed=True)
            for entry in self._sums.ravel().tolist()
        )
        shape = (*self._sums.shape, _BYTES)
        return {"sums": np.frombuffer(flat, dtype=np.uint8).reshape(shape)}

    def restore(self, arrays: Arrays) -> None:
        """Take integers as bytes."""
        given, shape = arrays["sums"], self._sums.shape
        if given.shape != (*shape, _BYTES) or given.dtype != np.uint8:
            raise ValueError("sums of products of another shape")
        sums = np.empty(self._sums.size, dtype=object)
        sums[:] = [
            int.from_bytes(entry.tobytes(), "little", signed=True)
            for entry in given.reshape(-1, _BYTES)
        ]
        self._sums = sums.reshape(shape)

    def value(self) -> Products:
        """Return the sums, each rounded once."""
        return Products.of_lifted(np.asarray(_rounded(self._sums), dtype=np.float64))


class DirectionSums(ProductSums):
    """The same of directions, measured from that of equal memberships."""

    _of_chunk = staticmethod(direction_sums)
