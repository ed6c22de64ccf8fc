"""Cross products of two membership matrices as they come, added exactly."""

from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.exact import rounded, units
from concordant.execution.engine import Threads
from concordant.partition.partition import Partition
from concordant.streams.summary import Arrays, Numbers
from concordant.terms.products import Products, products

_BYTES = 160  # of an exact sum: 1074 bits below 1, more than enough above
_units = np.frompyfunc(units, 1, 1)
_rounded = np.frompyfunc(rounded, 1, 1)


class ProductSums:
    """
    The sums of `Products`, as Python integers.

    Parameters
    ----------
    K, L : int
        How many clusters there are.
    directions : bool
        Whether of directions, around that of equal memberships, or of memberships.
    """

    def __init__(self, K: int, L: int, *, directions: bool) -> None:
        self._directions = directions
        self._sums = {
            name: np.zeros(shape, dtype=object) for name, shape in _shapes(K, L).items()
        }

    def add(self, P: Partition, Q: Partition) -> None:
        """Add the products of a chunk, each rounded once."""
        chunk = products(
            P, Q, Threads(1), directions=self._directions, around_equal=True
        )
        for name, total in self._sums.items():
            more = total + np.asarray(_units(getattr(chunk, name)), dtype=object)
            self._sums[name] = np.asarray(more, dtype=object)

    def renumber(self, p: Numbers, q: Numbers, K: int, L: int) -> None:
        """Make room for K and L clusters."""
        for name, shape in _shapes(K, L).items():
            total = np.zeros(shape, dtype=object)
            total[_places(name, p, q)] = self._sums[name]
            self._sums[name] = total

    def merge(self, other: "ProductSums") -> None:
        """Add the sums of another one."""
        for name, total in other._sums.items():
            self._sums[name] = np.asarray(self._sums[name] + total, dtype=object)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Give each integer as bytes."""
        return {
            name: np.frombuffer(
                b"".join(
                    entry.to_bytes(_BYTES, "little", signed=True)
                    for entry in total.ravel().tolist()
                ),
                dtype=np.uint8,
            ).reshape(*total.shape, _BYTES)
            for name, total in self._sums.items()
        }

    def restore(self, arrays: Arrays) -> None:
        """Take integers as bytes."""
        for name, total in self._sums.items():
            given = arrays[name]
            if given.shape != (*total.shape, _BYTES) or given.dtype != np.uint8:
                raise ValueError("sums of products of another shape")
            entries = [
                int.from_bytes(entry.tobytes(), "little", signed=True)
                for entry in given.reshape(-1, _BYTES)
            ]
            restored = np.empty(total.size, dtype=object)
            restored[:] = entries
            self._sums[name] = restored.reshape(total.shape)

    def products(self) -> Products:
        """Give the sums, each rounded once."""
        return Products(
            **{
                name: np.asarray(_rounded(total), dtype=np.float64)
                for name, total in self._sums.items()
            }
        )


def _shapes(K: int, L: int) -> dict[str, tuple[int, ...]]:
    by_name: dict[str, tuple[int, ...]] = {
        "cross": (K, L),
        "sums_p": (K,),
        "sums_q": (L,),
        "lifted_p": (K,),
        "lifted_q": (L,),
    }
    return {field.name: by_name.get(field.name, ()) for field in fields(Products)}


def _places(name: str, p: Numbers, q: Numbers) -> Any:
    """Give the index of what was there before."""
    everything = slice(None)
    of_p = everything if p is None else p
    of_q = everything if q is None else q
    if name == "cross":
        return np.ix_(p, q) if p is not None and q is not None else (of_p, of_q)
    if name.endswith("_p") and not name.startswith("squares"):
        return of_p
    if name.endswith("_q") and not name.startswith("squares"):
        return of_q
    return ()
