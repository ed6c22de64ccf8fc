"""T-norms of two numbers, and of arrays."""

from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue import T_NORMS, loaded

Vector = NDArray[np.float64]
OnArrays = Callable[[Any, Any], Vector]


def minimum(x: float, y: float) -> float:
    """Return the smaller one."""
    return min(x, y)


def product(x: float, y: float) -> float:
    """Return x y."""
    return x * y


def lukasiewicz(x: float, y: float) -> float:
    """Return max(x + y - 1, 0), rounded once: 1 - max is exact where it is not 0."""
    return max(min(x, y) - (1.0 - max(x, y)), 0.0)


@cache
def on_arrays(name: str) -> OnArrays:
    """Return a t-norm with NumPy's `min` and `max` in the place of Python's."""
    t = loaded(T_NORMS[name].function)
    names = {**t.__globals__, "min": np.minimum, "max": np.maximum}
    return FunctionType(t.__code__, names)
