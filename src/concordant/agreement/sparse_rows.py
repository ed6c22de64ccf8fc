"""Memberships that are mostly zeros: distances from those that are not, as integers."""

import math
import threading
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.agreement.roundoff import UNIT_ROUNDOFF
from concordant.pairs.bands import Band
from concordant.pairs.some_pairs import some_distances

Vector = NDArray[np.float64]

# Pairs times clusters that take compiled code a tenth of a second or more.
_MUCH = 5e8
# Nanoseconds for a pair, as they were seen: for each cluster; at least, for each
# membership of an object, and for each cluster that two objects share.
_DENSE = 0.14
_SPARSE = (1.0, 0.1, 1.9)
_GAIN = 1.5  # times as fast that it should be
_ROOM = 61  # bits for the sum of an object's memberships, so that two have 62
_PAIRS = 256  # that tell the mean distance roughly
_ROWS = 256  # objects whose distances are made at once, and stay in the second cache


class SparseRows:
    """
    How L1 distances of one partition are added up from memberships that are not 0.

    Parameters
    ----------
    exponent : int
        Memberships are rounded to multiples of 2^-exponent, of which no sum is rounded.
    most : int
        How many memberships of one object are not 0, at most.
    """

    def __init__(self, exponent: int, most: int) -> None:
        self.exponent = exponent
        self.most = most
        self._lock = threading.Lock()
        self._listed: tuple[Vector, Any] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return SparseRows, (self.exponent, self.most)

    def rounding(self, mean: float) -> float:
        """
        Bound the mean error of distances.

        Of two objects at most `most` memberships each are rounded, by half a unit; the
        distance is rounded when it becomes a double. The mean is known roughly.
        """
        units = math.ldexp(self.most, -self.exponent)
        return units + 2.0 * UNIT_ROUNDOFF * mean

    def distances(self, columns: Vector, band: Band) -> Vector:
        """Give the L1 distances of a band of unrolled memberships."""
        from concordant.kernels.sparse_distances import sparse_distances

        shape = band.i1 - band.i0, band.width
        shared, out = np.empty(shape, np.int64), np.empty(shape)
        units = math.ldexp(1.0, self.exponent)
        sparse_distances(*self._lists(columns), units, *band, shared, out)
        return out

    def _lists(self, columns: Vector) -> Any:
        """List what is not 0; tasks of one engine have the same columns."""
        from concordant.kernels.sparse_distances import lists_of

        with self._lock:
            if self._listed is None or self._listed[0] is not columns:
                units = math.ldexp(1.0, self.exponent)
                self._listed = columns, lists_of(columns, units)
            return self._listed[1]


#: Of two partitions, where both are added up cluster by cluster.
NOT_SPARSE: tuple[SparseRows | None, SparseRows | None] = (None, None)


def sparse_rows(columns: Vector) -> SparseRows | None:
    """
    Tell how to add up distances if zeros make that faster, and no less precise.

    Parameters
    ----------
    columns : ndarray of shape (K, n)
        Memberships of a partition, one cluster per row.

    Returns
    -------
    SparseRows or None
        None where it is not worth it, where a membership is slightly negative, or where
        most objects are so much alike that the bound of rounding would be larger than
        that of sums cluster by cluster.
    """
    K, n = columns.shape
    if K * (n * (n - 1) // 2) < _MUCH or columns.min() < 0.0:
        return None
    there = columns != 0.0
    shares = there.sum(axis=1) / n
    at_least, of_object, of_shared = _SPARSE
    shared = math.fsum(shares * shares)
    cost = at_least + of_object * math.fsum(shares) + of_shared * shared
    if _GAIN * cost > _DENSE * K:
        return None
    most = int(there.sum(axis=0).max())
    longest = float(columns.sum(axis=0).max())
    if longest == 0.0:
        return None
    found = SparseRows(_ROOM - math.frexp(longest)[1], most)
    n_varied = np.count_nonzero(columns.max(axis=1) > columns.min(axis=1))
    mean = float(some_distances(columns, _PAIRS).mean())
    allowed = n_varied * UNIT_ROUNDOFF * mean
    return found if found.rounding(0.0) <= allowed else None


def cut(band: Band) -> list[Band]:
    """Cut a band so that its distances stay in a cache."""
    return [
        band._replace(i0=i0, i1=min(i0 + _ROWS, band.i1))
        for i0 in range(band.i0, band.i1, _ROWS)
    ]
