"""Data of any library become a NumPy array of labels or of memberships."""

import sys
from collections.abc import Sequence
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.partition.estimators import is_estimator, kept
from concordant.partition.labels import is_missing
from concordant.wording import show


def as_array(data: object, name: str) -> tuple[NDArray[Any], NDArray[Any] | None]:
    """Read data as a 1-D or 2-D array, with the names of clusters if it has any."""
    data = _loaded(data, name)
    clusters: NDArray[Any] | None = None
    if _is_categorical(data):
        return _from_categorical(data, name)
    if hasattr(data, "columns") and hasattr(data, "to_numpy"):
        clusters = _objects([*data.columns])
        _check_numeric_columns(data, name)
    array = _to_numpy(data, name)
    if array.ndim not in (1, 2):
        raise ValueError(
            f"{name} must be labels (1-D) or memberships (2-D), found "
            f"{array.ndim} dimensions"
        )
    if array.shape[0] == 0:
        raise ValueError(f"{name} has no objects")
    if array.ndim == 2:
        if array.shape[1] == 0:
            raise ValueError(f"{name} has no clusters: its rows are empty")
        array = _numbers(array, name)
    return array, clusters


def without_missing(
    data: object, name: str
) -> tuple[object, NDArray[np.intp] | None, int]:
    """Return data without the objects that miss a value, which are left, and n."""
    values: Any = _loaded(data, name)
    if is_pandas(values):
        missing: NDArray[Any] = np.asarray(values.isna())
    elif "numpy.ma" in sys.modules and np.ma.is_masked(values):
        missing = np.ma.getmaskarray(values)
    else:
        values = _to_numpy(values, name)
        if values.dtype.kind not in "fO":
            return data, None, len(values)
        is_nothing = np.vectorize(lambda v: v is None or is_missing(v), [bool])
        missing = np.isnan(values) if values.dtype.kind == "f" else is_nothing(values)
    missing = np.asarray(missing.reshape(len(missing), -1).any(axis=1))
    if not missing.any():
        return data, None, len(missing)
    left = np.flatnonzero(~missing)
    if left.size == 0:
        raise ValueError(f"a value of every object of {name} is missing")
    taken = values.iloc[left] if hasattr(values, "iloc") else values[left]
    return taken, left, len(missing)


def is_dask_array(data: object) -> bool:
    """Return whether data is a Dask array, without importing Dask."""
    return hasattr(data, "to_delayed") and hasattr(data, "numblocks")


def _loaded(data: Any, name: str) -> Any:
    """Return what an estimator keeps, a Dask array computes, a sparse matrix holds."""
    if is_estimator(data):
        data = kept(data, name)
    if is_dask_array(data):
        data = data.compute()
    if hasattr(data, "tocsr") and hasattr(data, "nnz"):
        data = np.asarray(data.toarray())
    return data


def _to_numpy(data: object, name: str) -> NDArray[Any]:
    if isinstance(data, str | bytes | dict | set | frozenset) or data is None:
        raise TypeError(
            f"{name} must be labels or a membership matrix, found {type(data).__name__}"
        )
    _check_not_masked(data, name)
    if hasattr(data, "to_numpy") and not _is_arrow(data):
        return np.asarray(data.to_numpy())
    if isinstance(data, np.ndarray) or hasattr(data, "__array__"):
        return np.asarray(data)
    if not isinstance(data, Sequence):
        raise TypeError(
            f"{name} must be labels or a membership matrix, found "
            f"{type(data).__name__}; pass a list or an array"
        )
    return _from_sequence(data, name)


def _check_not_masked(data: object, name: str) -> None:
    # Who has a masked array has imported this.
    if "numpy.ma" in sys.modules and np.ma.is_masked(data):
        raise ValueError(f"{name} has masked entries; fill or drop them first")


def _from_sequence(data: Sequence[Any], name: str) -> NDArray[Any]:
    if len(data) and _is_row(data[0]):
        for row in data:
            _check_not_masked(row, name)
        lengths = [len(row) if _is_row(row) else -1 for row in data]
        for row, length in enumerate(lengths):
            if length != lengths[0]:
                raise ValueError(
                    f"rows of {name} have different lengths: row 0 has {lengths[0]} "
                    f"entries, row {row} has {max(length, 1)}"
                )
        return np.array([np.asarray(row) for row in data])
    if isinstance(data, range):
        return np.asarray(data)
    # A list of 1 and "1" must not become a list of two "1": keep the types apart.
    return _objects(data)


def _is_row(entry: object) -> bool:
    """Tell rows from labels, of which an array without dimensions is one."""
    has_length = hasattr(entry, "__len__") and getattr(entry, "shape", None) != ()
    return has_length and not isinstance(entry, str | bytes)


def _objects(values: Sequence[Any]) -> NDArray[Any]:
    """Make an array of objects, be they sequences themselves."""
    return np.fromiter(values, dtype=object, count=len(values))


def _numbers(array: NDArray[Any], name: str) -> NDArray[Any]:
    if array.dtype.kind in "biuf":
        return array
    if array.dtype.kind == "O":
        for (row, column), value in np.ndenumerate(array):
            if not isinstance(value, Real):
                raise TypeError(
                    f"memberships of {name} must be numbers, found {value!r} in row "
                    f"{row}, column {column}"
                )
        return array.astype(np.float64)
    raise TypeError(f"memberships of {name} must be numbers, found {array.dtype}")


def is_pandas(data: object) -> bool:
    """Tell whether data is a pandas object, without importing pandas."""
    return type(data).__module__.partition(".")[0] == "pandas"


def _is_arrow(data: object) -> bool:
    """Tell whether data is of pyarrow, whose to_numpy refuses text and booleans."""
    return type(data).__module__.partition(".")[0] == "pyarrow"


def _check_numeric_columns(data: Any, name: str) -> None:
    """Name the first column of a frame that does not hold numbers."""
    for column in data.columns:
        values = np.asarray(data[column])
        if values.dtype.kind in "biuf":
            continue
        if values.dtype.kind == "O" and all(isinstance(v, Real) for v in values):
            continue
        if len(data.columns) == 1:
            remedy = f"labels are passed as a series: {name}[{show(column)}]"
        elif values.dtype.kind == "O" and any(map(is_missing, values)):
            remedy = f'Partition({name}, missing="drop") leaves these objects out'
        else:
            remedy = (
                f"if it holds ids, pass {name}.set_index({show(column)}); labels are "
                "passed as a series"
            )
        raise TypeError(
            f"memberships of {name} must be numbers, but column {show(column)} does "
            f"not hold numbers (or has missing ones); {remedy}"
        )


def _is_categorical(data: object) -> bool:
    return is_pandas(data) and (
        hasattr(data, "categories")
        or hasattr(getattr(data, "dtype", None), "categories")
    )


def _from_categorical(data: Any, name: str) -> tuple[NDArray[Any], NDArray[Any]]:
    values = getattr(data, "cat", data)  # a Series has .cat, a Categorical is one
    codes = np.asarray(values.codes)
    if codes.size == 0:
        raise ValueError(f"{name} has no objects")
    missing = np.flatnonzero(codes < 0)
    if missing.size:
        raise ValueError(
            f"labels of {name} must not be missing, found none at position "
            f"{missing[0]}; drop that object or give it a label"
        )
    return codes, np.asarray(values.categories)
