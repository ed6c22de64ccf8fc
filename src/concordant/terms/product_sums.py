"""Sums of products over chunks of objects, added exactly."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from concordant.exact import rounded, units
from concordant.execution.engine import Threads
from concordant.partition.partition import Partition
from concordant.terms.moments import Moments, moment_sums
from concordant.terms.object_sums import Arrays, Numbers
from concordant.terms.products import Products, direction_sums, product_sums

_BYTES = 160  # of an exact sum: 1074 bits below 1, more than enough above
_units = np.frompyfunc(units, 1, 1)
_rounded = np.frompyfunc(rounded, 1, 1)


class _ExactSums:
    """A matrix of sums of doubles, as Python integers."""

    def __init__(self, K: int, L: int) -> None:
        self._n_clusters = K, L
        rows, columns = self._places(None, None, K, L)
        self._sums = np.zeros((len(rows), len(columns)), dtype=object)

    def _places(
        self, p: Numbers, q: Numbers, K: int, L: int
    ) -> tuple[list[int], list[int]]:
        """Return where rows and columns stand among those of K and L clusters."""
        raise NotImplementedError

    @property
    def n_objects(self) -> int:
        """The number of objects, which is the last sum."""
        return int(rounded(self._sums[-1, -1]))

    def renumbered(self, p: Numbers, q: Numbers, K: int, L: int) -> Self:
        """Return the same among K and L clusters."""
        found = type(self)(K, L)
        found._sums[np.ix_(*self._places(p, q, K, L))] = self._sums
        return found

    def merge(self, other: Self) -> None:
        """Add the sums of another one."""
        self._sums = self._sums + other._sums

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

    def _add(self, sums: NDArray[np.float64]) -> None:
        self._sums = self._sums + _units(sums)

    def _rounded(self) -> NDArray[np.float64]:
        return np.asarray(_rounded(self._sums), dtype=np.float64)


class ProductSums(_ExactSums):
    """The sums of products of (u, |u|², 1) with (v, |v|², 1)."""

    _of_chunk = staticmethod(product_sums)

    def add(self, P: Partition, Q: Partition) -> None:
        """Add the products of a chunk, each rounded once."""
        self._add(self._of_chunk(P, Q, Threads(1)))

    def _places(
        self, p: Numbers, q: Numbers, K: int, L: int
    ) -> tuple[list[int], list[int]]:
        mine = self._n_clusters
        return [*_among(p, mine[0]), K, K + 1], [*_among(q, mine[1]), L, L + 1]

    def value(self) -> Products:
        """Return the sums, each rounded once."""
        return Products.of_lifted(self._rounded())


class DirectionSums(ProductSums):
    """The same of directions, measured from that of equal memberships."""

    _of_chunk = staticmethod(direction_sums)


class MomentSums(_ExactSums):
    """The sums of products of (u, v, 1) with itself, of fuzzy sides from the middle."""

    def __init__(self, K: int, L: int) -> None:
        super().__init__(K, L)
        self._fuzzy = np.zeros(2, dtype=bool)

    def add(self, P: Partition, Q: Partition) -> None:
        """Add the moments of a chunk, each rounded once."""
        self._fuzzy = np.array([P.kind != "crisp", Q.kind != "crisp"])
        self._add(moment_sums(P, Q, Threads(1)))

    def merge(self, other: Self) -> None:
        """Add the sums of another one."""
        super().merge(other)
        self._fuzzy = self._fuzzy | other._fuzzy

    def renumbered(self, p: Numbers, q: Numbers, K: int, L: int) -> Self:
        """Return the same among K and L clusters."""
        found = super().renumbered(p, q, K, L)
        found._fuzzy = self._fuzzy
        return found

    def _places(
        self, p: Numbers, q: Numbers, K: int, L: int
    ) -> tuple[list[int], list[int]]:
        mine = self._n_clusters
        of_q = [K + place for place in _among(q, mine[1])]
        places = [*_among(p, mine[0]), *of_q, K + L]
        return places, places

    def value(self) -> Moments:
        """Return the moments, each rounded once."""
        p, q = map(bool, self._fuzzy)
        return Moments(self._rounded(), self._n_clusters[0], (p, q))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return each integer as bytes, and which sides are fuzzy."""
        return super().arrays() | {"fuzzy": self._fuzzy}

    def restore(self, arrays: Arrays) -> None:
        """Take both."""
        super().restore(arrays)
        self._fuzzy = arrays["fuzzy"]
        if self._fuzzy.shape != (2,) or self._fuzzy.dtype != bool:
            raise ValueError("moments of unknown kinds")


def _among(numbers: Numbers, size: int) -> list[int]:
    """Return where clusters stand in a longer stream."""
    return [*range(size)] if numbers is None else numbers.tolist()
