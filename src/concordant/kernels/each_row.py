"""What is known of each object by itself."""

import numpy as np
from numpy.typing import NDArray

from concordant.kernels.compiling import kernel

Columns = NDArray[np.float64]  # K x n, one cluster per row
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


@kernel
def two_largest(p: Columns, largest: Vector, second: Vector, where: Vector) -> None:
    """Find each object's two largest memberships and the cluster of the first."""
    for i in range(p.shape[1]):
        largest[i] = p[0, i]
        second[i] = -np.inf if p.shape[0] > 1 else 0.0
        where[i] = 0
    for k in range(1, p.shape[0]):
        for i in range(p.shape[1]):
            x = p[k, i]
            if x > largest[i]:
                second[i] = largest[i]
                largest[i] = x
                where[i] = k
            elif x > second[i]:
                second[i] = x
