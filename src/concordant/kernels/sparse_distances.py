"""L1 distances of rows that are mostly zeros, in integers."""

import numpy as np
from numpy.typing import NDArray

from concordant.kernels.compiling import kernel

# Indices without a sign are not tested for one.
Indices = NDArray[np.uint64]
Integers = NDArray[np.int64]
Vector = NDArray[np.float64]
#: Where each cluster begins among the entries; their objects, in order, and their
#: memberships, none negative; and for each object the sum of its memberships, its size.
Lists = tuple[Indices, Indices, Integers, Integers]

Index = np.uint64
_I0, _I1 = Index(0), Index(1)


@kernel
def lists_of(columns: Vector, units: float) -> Lists:
    """List the memberships that are not 0, in units, cluster by cluster."""
    n_clusters, n = Index(columns.shape[0]), Index(columns.shape[1])
    begins = np.zeros(n_clusters + _I1, np.uint64)
    for k in range(n_clusters):
        count = 0
        for i in range(n):
            count += columns[k, i] != 0.0
        begins[k + _I1] = begins[k] + Index(count)
    # One more, as every object is written down, and stays only if it is there.
    objects = np.empty(begins[n_clusters] + _I1, np.uint64)
    found = _I0
    for k in range(n_clusters):
        for i in range(n):
            objects[found] = i
            found += Index(columns[k, i] != 0.0)
    values = np.empty(begins[n_clusters], np.int64)
    sizes = np.zeros(n, np.int64)
    for k in range(n_clusters):
        for e in range(begins[k], begins[k + _I1]):
            values[e] = np.int64(np.rint(columns[k, objects[e]] * units))
            sizes[objects[e]] += values[e]
    return begins, objects, values, sizes


@kernel
def sparse_distances(
    begins: Indices,
    objects: Indices,
    values: Integers,
    sizes: Integers,
    units: float,
    i0: int,
    i1: int,
    first: int,
    width: int,
    shared: Integers,
    out: Vector,
) -> None:
    """
    Fill `out`, of shape (i1 - i0, width), with the L1 distances of a band.

    A distance is the sizes of both objects, less twice what they share: the smaller of
    two memberships in the same cluster. What they share takes as much room.
    """
    low, high, shift, n = Index(i0), Index(i1), Index(first), Index(width)
    shared[:] = 0
    for k in range(Index(begins.size - 1)):
        begin, end = begins[k], begins[k + _I1]
        listed = objects[begin:end]
        one = begin + Index(np.searchsorted(listed, low))
        # The others of an object begin behind those of the one before, or there.
        other = begin + Index(np.searchsorted(listed, low + shift))
        while one < end and objects[one] < high:
            row = objects[one] - low
            start = objects[one] + shift
            value = values[one]
            while other < end and objects[other] < start:
                other += _I1
            e = other
            while e < end and objects[e] < start + n:
                shared[row, objects[e] - start] += min(value, values[e])
                e += _I1
            one += _I1
    unit = 1.0 / units
    for row in range(high - low):
        i = low + row
        for t in range(n):
            distance = sizes[i] + sizes[i + shift + t] - 2 * shared[row, t]
            out[row, t] = unit * distance
