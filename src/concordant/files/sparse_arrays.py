"""Sparse matrices as SciPy saves them: several arrays that make one matrix."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.errors import FileError
from concordant.storage.source import check_fits
from concordant.wording import shown

Arrays = Mapping[str, Callable[[], NDArray[Any]]]

_COMMON = {"format", "shape", "data"}
_PARTS = {
    *_COMMON,
    *("indices", "indptr"),  # csr, csc, bsr
    *("row", "col", "coords"),  # coo
    *("offsets", "_is_array"),  # dia; arrays, not matrices
}
_COMPRESSED = ("csr", "csc")


def is_sparse(arrays: Arrays) -> bool:
    """Tell whether the arrays of a file are those of a sparse matrix."""
    return arrays.keys() >= _COMMON


def without_parts(arrays: Arrays) -> dict[str, Callable[[], NDArray[Any]]]:
    """Give the arrays that are no parts of the sparse matrix, such as ids."""
    return {name: read for name, read in arrays.items() if name not in _PARTS}


def unpacked(arrays: Arrays, layout: str, source: str) -> NDArray[np.float64]:
    """Make one array of the parts of a sparse matrix; entries of one cell add up."""
    shape, data = arrays["shape"](), arrays["data"]()
    if shape.shape != (2,) or shape.dtype.kind not in "iu" or shape.min() < 1:
        raise FileError(f"{source}: a sparse matrix of the shape {shape.tolist()}")
    n, K = shape.tolist()
    check_fits(n * K, source)
    if data.ndim != 1 or data.dtype.kind not in "biuf":
        raise _damaged(source)
    if layout in _COMPRESSED:
        rows, columns = _compressed(arrays, n if layout == "csr" else K, source)
        if layout == "csc":
            rows, columns = columns, rows
    elif layout == "coo":
        rows, columns = _coordinates(arrays, source)
    else:
        raise FileError(
            f"{source}: a sparse matrix in SciPy's format {shown(layout)}; save its "
            ".tocsr()"
        )
    if not rows.shape == columns.shape == data.shape:
        raise _damaged(source)
    for places, size in ((rows, n), (columns, K)):
        if places.size and not (places.min() >= 0 and places.max() < size):
            raise _damaged(source)
    matrix = np.zeros((n, K))
    np.add.at(matrix, (rows, columns), data)
    return matrix


def _compressed(
    arrays: Arrays, size: int, source: str
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Give the row and the column of each entry, where rows are compressed."""
    ends, places = (
        _integers(arrays, "indptr", source),
        _integers(arrays, "indices", source),
    )
    steps = np.diff(ends)
    fits = len(ends) == size + 1 and ends[0] == 0 and ends[-1] == len(places)
    if not fits or steps.min() < 0:
        raise _damaged(source)
    return np.repeat(np.arange(size), steps), places


def _coordinates(
    arrays: Arrays, source: str
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    if "coords" not in arrays:
        return _integers(arrays, "row", source), _integers(arrays, "col", source)
    both = arrays["coords"]()
    if both.ndim != 2 or len(both) != 2 or both.dtype.kind not in "iu":
        raise _damaged(source)
    return both[0].astype(np.int64), both[1].astype(np.int64)


def _integers(arrays: Arrays, name: str, source: str) -> NDArray[np.int64]:
    if name not in arrays:
        raise _damaged(source)
    found = arrays[name]()
    if found.ndim != 1 or found.dtype.kind not in "iu":
        raise _damaged(source)
    return found.astype(np.int64)


def _damaged(source: str) -> FileError:
    return FileError(f"{source}: a damaged sparse matrix: its arrays do not fit")
