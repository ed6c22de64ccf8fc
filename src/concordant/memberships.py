"""A membership matrix is checked while it is copied, one cluster per row."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.labels import smallest

#: Memberships lie in [0, 1] and rows sum to 1 within this: a float32 softmax does.
TOLERANCE = 1e-5

_BLOCK = 8192  # rows that are checked and transposed while they are in the cache


def from_memberships(
    array: NDArray[Any], name: str, *, must_sum: bool, noise_column: bool
) -> tuple[NDArray[np.unsignedinteger[Any]] | None, NDArray[np.float64] | None]:
    """
    Copy a matrix, one cluster per row, and check each block while it is in the cache.

    Parameters
    ----------
    array : ndarray of shape (n, K)
        The memberships.
    name : str
        What errors call them.
    must_sum : bool
        Whether rows must sum to 1.
    noise_column : bool
        Whether what is missing to 1 becomes one more cluster.

    Returns
    -------
    tuple
        The cluster of each object and None if the matrix is crisp, else None and the
        K x n memberships.
    """
    n, n_clusters = array.shape
    columns = np.empty((n_clusters + noise_column, n))
    crisp = must_sum and not noise_column
    for start in range(0, n, _BLOCK):
        rows = array[start : start + _BLOCK]
        part = columns[:n_clusters, start : start + _BLOCK]
        part[:] = rows.T
        low, high = part.min(), part.max()
        if not (low >= -TOLERANCE and high <= 1.0 + TOLERANCE):
            raise _outside(array, name, start)
        if crisp and not (low == 0.0 or high == 1.0):
            crisp = False
        if not must_sum:
            continue
        sums = part.sum(axis=0)
        if noise_column:
            if sums.max() > 1.0 + TOLERANCE:
                raise _bad_sum(array, name, start, sums, noise_column)
            np.maximum(1.0 - sums, 0.0, out=columns[-1, start : start + _BLOCK])
        elif abs(sums - 1.0).max() > TOLERANCE:
            raise _bad_sum(array, name, start, sums, noise_column)
        elif crisp:
            crisp = bool(((part == 0.0) | (part == 1.0)).all() and (sums == 1.0).all())
    if crisp:
        return smallest(columns.argmax(axis=0), n_clusters), None
    return None, columns


def _outside(array: NDArray[Any], name: str, start: int) -> ValueError:
    block = array[start : start + _BLOCK].astype(np.float64)
    inside = (block >= -TOLERANCE) & (block <= 1.0 + TOLERANCE)
    row, column = np.argwhere(~inside)[0]
    value = block[row, column]
    return ValueError(
        f"memberships of {name} must lie between 0 and 1, found {value:g} in row "
        f"{start + row}, column {column}" + _label_column_hint(array, name)
    )


def _bad_sum(
    array: NDArray[Any],
    name: str,
    start: int,
    sums: NDArray[np.float64],
    noise_column: bool,
) -> ValueError:
    excess = sums - 1.0 if noise_column else abs(sums - 1.0)
    first = int(np.argmax(excess > TOLERANCE))
    found = f"row {start + first} sums to {sums[first]:.9g}"
    if noise_column:
        return ValueError(
            f'rows of {name} must not sum to more than 1 for noise="column": {found}'
        )
    columns_sum = array.sum(axis=0, dtype=np.float64)
    if array.shape[1] > 1 and (abs(columns_sum - 1.0) <= TOLERANCE).all():
        hint = "; its columns do, so pass the transpose"
    elif array.shape[1] == 1:
        hint = _label_column_hint(array, name)
    elif (array.sum(axis=1, dtype=np.float64) <= 1.0 + TOLERANCE).all():
        hint = (
            '; if the missing mass is noise, Partition(..., noise="column") makes it '
            'one more cluster, and kind="possibilistic" is for memberships that need '
            "not sum to 1"
        )
    else:
        hint = (
            "; divide each row by its sum if that is what is meant, or pass "
            'Partition(..., kind="possibilistic") for memberships that need not sum '
            "to 1"
        )
    return ValueError(
        f"rows of {name} must sum to 1 within {TOLERANCE:g}, {found}{hint}"
    )


def _label_column_hint(array: NDArray[Any], name: str) -> str:
    if array.shape[1] == 1:
        return f"; if it is a column of labels, pass {name}[:, 0]"
    return ""
