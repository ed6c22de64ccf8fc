"""One minus the inner product of memberships, the dissimilarity of 13AGRI."""

import numpy as np
from numpy.typing import NDArray

from concordant.partition.partition import Partition

Vector = NDArray[np.float64]

_UNIT_ROUNDOFF = 2.0**-53


def columns(P: Partition) -> Vector:
    """Return the memberships, K x n, without empty clusters, which change no bit."""
    u = P.columns()
    return u[u.any(axis=1)]


def bounds(u: Vector) -> tuple[float, float]:
    """Return numbers between which all values lie, as computed in any order."""
    longest = float((u * u).sum(axis=0).max())
    margin = rounding(u, 0.0)
    least = -longest if u.min() < 0.0 else 0.0
    return 1.0 - longest - margin, 1.0 - least + margin


def rounding(u: Vector, mean: float) -> float:
    """Bound the error of values: that of K products and differences up to 1."""
    return (2 * len(u) + 2) * _UNIT_ROUNDOFF * max(1.0, float(abs(u).sum(axis=0).max()))


def unit_of(denominator: int, rows_sum_alike: bool) -> float:
    """Return what values are multiples of if memberships are multiples of 1 / D."""
    return 1.0 / denominator**2


def of_some_pairs(u: Vector, i: NDArray[np.intp], j: NDArray[np.intp]) -> Vector:
    """Return the values of some pairs of objects."""
    found = np.ones(i.size)
    for column in u:
        found -= column[i] * column[j]
    return found


def of_windows(ones: Vector, others: Vector, out: Vector) -> None:
    """Fill `out` with the values of objects, K x h, and others of each, K x h x w."""
    out[...] = 1.0
    for one, other in zip(ones, others, strict=True):
        out -= one[:, None] * other
