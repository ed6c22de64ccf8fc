"""Data of any library become a NumPy array of labels or of memberships."""

import sys
from collections.abc import Sequence
from numbers import Real
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.errors import InputError, InputTypeError, Message
from concordant.partition.estimators import is_estimator, kept
from concordant.partition.labels import (
    DROPPED,
    Coded,
    check_none_missing,
    is_missing,
)
from concordant.printing import printed
from concordant.wording import show

#: What takes more than one partition.
MANY = "; agreement() takes a list of many partitions, and validity() a dict"


def as_array(data: object, name: str) -> tuple[NDArray[Any], NDArray[Any] | None]:
    """Read data as a 1-D or 2-D array, with the names of clusters if it has any."""
    if isinstance(data, Coded):
        return data.codes, data.labels
    data = _loaded(data, name)
    clusters: NDArray[Any] | None = None
    if _is_categorical(data):
        return _from_categorical(data, name)
    if hasattr(data, "columns") and hasattr(data, "to_numpy"):
        clusters = _objects([*data.columns])
    array = _to_numpy(data, name)
    if array.ndim not in (1, 2):
        many = MANY if array.ndim > 2 else ""
        raise InputError(
            f"{name} must be labels (1-D) or memberships (2-D), found {array.ndim} "
            f"dimensions{many}"
        )
    if array.shape[0] == 0:
        raise InputError(f"{name} has no objects")
    if array.ndim == 2:
        if array.shape[1] == 0:
            raise InputError(f"{name} has no clusters: its rows are empty")
        array = _numbers(array, name, None if clusters is None else data)
    return array, clusters


def without_missing(
    data: object, name: str
) -> tuple[object, NDArray[np.intp] | None, int]:
    """Return data without the objects that miss a value, which are left, and n."""
    values: Any = _loaded(data, name)
    if is_pandas(values):
        missing: NDArray[Any] = np.asarray(values.isna())
    elif is_masked(values):
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
        raise InputError(f"a value of every object of {name} is missing")
    taken = values.iloc[left] if hasattr(values, "iloc") else values[left]
    return taken, left, len(missing)


def name_of_data(data: object) -> str:
    """Return what data is called: a series, an estimator, a file; empty if nothing."""
    if is_estimator(data):
        return type(data).__name__
    if isinstance(data, str | PathLike):
        return printed(Path(data).name)
    name = getattr(data, "name", None)  # of a series; arrays of Dask have a hash
    return printed(name) if isinstance(name, str) and not is_dask_array(data) else ""


def as_code(data: object, name: str) -> str:
    """Return code for what is called `name` that can be indexed as an array."""
    if is_pandas(data):
        return f"{name}.iloc"
    if _is_sparse(data):
        return f"{name}.toarray()"
    return name if isinstance(data, np.ndarray) else f"numpy.asarray({name})"


def is_dask_array(data: object) -> bool:
    """Return whether data is a Dask array, without importing Dask."""
    return hasattr(data, "to_delayed") and hasattr(data, "numblocks")


def _loaded(data: Any, name: str) -> Any:
    """Return what an estimator keeps, a Dask array computes, a sparse matrix holds."""
    if is_estimator(data):
        data = kept(data, name)
    if is_dask_array(data):
        data = data.compute()
    if _is_sparse(data):
        data = np.asarray(data.toarray())
    return data


def _is_sparse(data: object) -> bool:
    return hasattr(data, "tocsr") and hasattr(data, "nnz")


def _to_numpy(data: object, name: str) -> NDArray[Any]:
    if is_masked(data):
        raise InputError(f"{name} has masked entries", DROPPED)
    if hasattr(data, "to_numpy") and not _is_arrow(data):
        return np.asarray(data.to_numpy())
    if hasattr(data, "__array__") and not isinstance(data, type):
        return np.asarray(data)
    if isinstance(data, Sequence) and not isinstance(data, str | bytes):
        return _from_sequence(data, name)
    raise InputTypeError(
        f"{name} must be labels or a membership matrix, found {type(data).__name__}; "
        "pass a list or an array"
    )


def is_masked(data: object) -> bool:
    """Return whether entries of data are masked."""
    # Who has a masked array has imported this.
    return "numpy.ma" in sys.modules and bool(np.ma.is_masked(data))


def _from_sequence(data: Sequence[Any], name: str) -> NDArray[Any]:
    if len(data) and _is_row(data[0]):
        if any(map(is_masked, data)):
            raise InputError(f"{name} has masked entries; fill or drop them first")
        lengths = [len(row) if _is_row(row) else -1 for row in data]
        for row, length in enumerate(lengths):
            if length != lengths[0]:
                raise InputError(
                    f"rows of {name} have different lengths: row 0 has {lengths[0]} "
                    f"entries, row {row} has {max(length, 1)}"
                )
        rows = [np.asarray(row) for row in data]
        if any(row.ndim > 1 for row in rows):
            raise InputError(f"{name} must be one partition, found a list{MANY}")
        return np.array(rows)
    # A list of 1 and "1" must not become a list of two "1": keep the types apart.
    return _objects(data)


def _is_row(entry: object) -> bool:
    """Return whether an entry is a row; an array without dimensions is a label."""
    has_length = hasattr(entry, "__len__") and getattr(entry, "shape", None) != ()
    return has_length and not isinstance(entry, str | bytes)


def _objects(values: Sequence[Any]) -> NDArray[Any]:
    """Make an array of objects, be they sequences themselves."""
    return np.fromiter(values, dtype=object, count=len(values))


def _numbers(array: NDArray[Any], name: str, frame: Any) -> NDArray[Any]:
    """Return a matrix of numbers, be they objects; those of a frame have columns."""
    if array.dtype.kind in "biuf":
        return array
    cells = np.ndenumerate(array)
    wrong = next((place for place, v in cells if not isinstance(v, Real)), None)
    if wrong is None:
        return array.astype(np.float64)
    row, column = wrong
    value: Any = array[wrong]
    where, remedy = str(column), Message()
    if frame is not None:
        where = show(frame.columns[column])
        ids = f"Partition({name}.drop({where}), ids={name}[{where}])"
        ids = f"{name}.set_index({where})" if is_pandas(frame) else ids
        remedy = Message(f"; labels are passed as a series: {name}[{where}]")
        if array.shape[1] > 1:
            remedy = Message(f"; if these are ids, pass {ids}", remedy)
    elif array.dtype.kind in "US":
        remedy = Message(f"; if it holds numbers, pass numpy.asarray({name}, float)")
    if value is None or is_missing(value):
        remedy = DROPPED
    found = f"found {show(value)} in row {row}, column {where}"
    raise InputTypeError(f"memberships of {name} must be numbers, {found}", remedy)


def is_pandas(data: object) -> bool:
    """Return whether data is a pandas object, without importing pandas."""
    return type(data).__module__.partition(".")[0] == "pandas"


def _is_arrow(data: object) -> bool:
    """Return whether data is of pyarrow, whose to_numpy refuses text and booleans."""
    return type(data).__module__.partition(".")[0] == "pyarrow"


def _is_categorical(data: object) -> bool:
    return is_pandas(data) and (
        hasattr(data, "categories")
        or hasattr(getattr(data, "dtype", None), "categories")
    )


def _from_categorical(data: Any, name: str) -> tuple[NDArray[Any], NDArray[Any]]:
    values = getattr(data, "cat", data)  # a Series has .cat, a Categorical is one
    codes = np.asarray(values.codes)
    if codes.size == 0:
        raise InputError(f"{name} has no objects")
    check_none_missing(codes < 0, name, "none")
    return codes, np.asarray(values.categories)
