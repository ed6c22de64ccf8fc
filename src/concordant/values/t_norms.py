"""T-norms on arrays, in the order in which kernels number them."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]


def lukasiewicz(x: Any, y: Any) -> Vector:
    """Return max(x + y - 1, 0)."""
    return np.asarray(np.maximum(x + y - 1.0, 0.0))


#: By the number of `catalogue.T_NORMS`.
T_NORMS: tuple[Callable[[Any, Any], Vector], ...] = (
    np.minimum,
    np.multiply,
    lukasiewicz,
)
