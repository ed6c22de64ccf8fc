"""The tables of families that are sums over pairs, as one visit gives them."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from concordant.exact import units
from concordant.partition.partition import Partition

Vector = NDArray[np.float64]
#: The sums a, b, c and d, in exact `units`.
Sums = tuple[int, int, int, int]

# The code of each table, and where the kernel leaves its four sums.
_TABLES: dict[str, tuple[int, tuple[int, int, int, int]]] = {
    "huellermeier (product)": (1, (3, 1, 2, 4)),
    "huellermeier (min)": (2, (5, 1, 2, 6)),
    "huellermeier (lukasiewicz)": (4, (7, 1, 2, 8)),
    "campello (min)": (8, (9, 10, 11, 12)),
    "campello (product)": (16, (13, 14, 15, 16)),
}
_PRODUCT_OF_ANY = 32  # the code of the last where memberships may be negative

#: The tables that take all pairs, or a sample of them.
TABLES_OF_PAIRS = tuple(_TABLES)


@dataclass(frozen=True)
class WantedTables:
    """Tables by name, and whether memberships may be negative."""

    names: tuple[str, ...] = ()
    negative: bool = False

    @classmethod
    def of(cls, P: Partition, Q: Partition, names: Iterable[str]) -> "WantedTables":
        """Want tables of two partitions."""
        names = tuple(names)
        # Only a product need not grow with both of its arguments.
        negative = "campello (product)" in names and any(
            bool(X.columns().min() < 0.0) for X in (P, Q)
        )
        return cls(names, negative)

    @property
    def code(self) -> int:
        """All of them, as the kernel knows them."""
        codes = sum(_TABLES[name][0] for name in self.names)
        if self.negative:
            codes += _PRODUCT_OF_ANY - _TABLES["campello (product)"][0]
        return codes

    def nothing(self) -> dict[str, Sums]:
        """Start with no pair."""
        return {name: (0, 0, 0, 0) for name in self.names}

    def sums(self, band: list[float]) -> dict[str, Sums]:
        """Give the sums of each table from what the kernel adds up over a band."""
        return {name: _four(band, _TABLES[name][1]) for name in self.names}

    def columns(self, P: Partition, Q: Partition) -> tuple[Vector, Vector]:
        """Give what is known of each object beside memberships, see `tops`."""
        if any(name.startswith("campello") for name in self.names):
            return tops(P), tops(Q)
        return np.empty((0, P.n_objects)), np.empty((0, Q.n_objects))


#: What is wanted if no table is.
NO_TABLES = WantedTables()


def _four(band: list[float], places: tuple[int, int, int, int]) -> Sums:
    a, b, c, d = (units(band[place]) for place in places)
    return a, b, c, d


def added(one: dict[str, Sums], other: dict[str, Sums]) -> dict[str, Sums]:
    """Add the sums of the same tables."""
    return {
        name: (
            a + other[name][0],
            b + other[name][1],
            c + other[name][2],
            d + other[name][3],
        )
        for name, (a, b, c, d) in one.items()
    }


def tops(P: Partition) -> Vector:
    """Give each object's largest membership, its second, and the first's cluster."""
    return P.kept_terms.get("tops", lambda: _tops(P.columns()))


def _tops(columns: Vector) -> Vector:
    tops = np.zeros((3, columns.shape[1]))
    largest, second, where = tops
    largest[:] = columns[0]
    second[:] = -np.inf if len(columns) > 1 else 0.0
    for k in range(1, len(columns)):
        x = columns[k]
        # The larger one stays or comes, the other is at most a second.
        np.maximum(second, np.minimum(largest, x), out=second)
        where[x > largest] = k
        np.maximum(largest, x, out=largest)
    return tops
