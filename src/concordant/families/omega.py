"""Pairs whose inner products differ: by 1 at most, each (the omega index of covers)."""

import numpy as np
from numpy.typing import NDArray

from concordant.families.pair_table import PairTable

Vector = NDArray[np.float64]


def cardinalities(x: Vector, y: Vector) -> tuple[Vector, Vector, Vector, Vector]:
    """Return what each pair adds to the first sum; the others are 0."""
    nothing = np.zeros(1)
    return np.minimum(np.abs(x - y), 1.0), nothing, nothing, nothing


def of_crisp(table: PairTable) -> PairTable:
    """Return the sum of two crisp partitions."""
    return PairTable(table.b + table.c, 0.0, 0.0, 0.0, "omega")
