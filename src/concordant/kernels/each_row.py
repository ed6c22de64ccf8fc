"""What is known of each object by itself."""

import numpy as np
from numpy.typing import NDArray

from concordant.kernels.compiling import kernel

Vector = NDArray[np.float64]


@kernel
def all_sum_to_one(
    rows: Vector, tolerance: float, block: int, out: NDArray[np.bool_]
) -> None:
    """Tell of each block whether its rows sum to 1, without negative entries or NaN."""
    for b in range(out.size):
        wrong = 0
        for i in range(b * block, min((b + 1) * block, rows.shape[0])):
            total = 0.0
            least = 0.0
            for k in range(rows.shape[1]):
                total += rows[i, k]
                least = min(least, rows[i, k])
            wrong += not (least == 0.0 and abs(total - 1.0) <= tolerance)
        out[b] = wrong == 0
