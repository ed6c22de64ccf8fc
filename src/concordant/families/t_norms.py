"""Triangular norms, the conjunctions of fuzzy logic."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue import TNorm

Vector = NDArray[np.float64]


def _product(x: Vector, y: Vector) -> Vector:
    return x * y


def _lukasiewicz(x: Vector, y: Vector) -> Vector:
    return np.maximum(x + y - 1.0, 0.0)


#: Each t-norm on arrays.
T_NORMS: dict[TNorm, Callable[[Vector, Vector], Vector]] = {
    "min": np.minimum,
    "product": _product,
    "lukasiewicz": _lukasiewicz,
}
