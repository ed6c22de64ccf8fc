"""NumPy's files: one array (.npy) or several (.npz), SciPy's sparse ones among them."""

import io
import os
import sys
import warnings
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.errors import FileError, Setting
from concordant.files.identification import ID_NAMES
from concordant.files.summary import Reading, ReadSummary
from concordant.files.table import Column, Table, check_width
from concordant.storage.source import blaming, check_fits, opened, size_of
from concordant.wording import shown

_WHAT = "not a NumPy file of numbers or text, or a damaged one"
_MOST_DEFLATE = 1032  # deflate makes data at most so much smaller
_SPARSE = {"format", "shape", "data"}
_PARTS = {*_SPARSE, "indices", "indptr", "row", "col", "coords", "offsets", "_is_array"}


def read_numpy(stream: io.BufferedReader, source: str, reading: Reading) -> Table:
    """
    Read a table from an array, or from an archive, with its ids as a first column.

    Of an archive, `array` is by default the only one beside one called ``ids`` (or
    another of `ID_NAMES`), which holds the ids; `id_column` names the array that does,
    and is 0 if none does. The arrays of a sparse matrix, as SciPy saves it, are one.
    """
    check_fits(size_of(stream) // 8, source)
    data = io.BytesIO(stream.read())
    with blaming(source, _WHAT):
        loaded = _loaded(data, data.getvalue())
        if not isinstance(loaded, np.ndarray):
            return _read_archive(loaded, data, source, reading)
        if data.read(1):
            raise ValueError("it goes on after its array")
        return array_table(loaded, source, "npy")


def npy_parts(path: str | Path, source: str, size: int) -> tuple[int, Any]:
    """
    Open an ``.npy`` file to read it in parts of `size` rows, the last one excepted.

    The number of rows, and a function that gives the parts from the first on.
    """
    with opened(path) as stream:
        n_bytes, start = size_of(stream), stream.read(8)
    with blaming(source, _WHAT):
        array = _loaded(path, start, mmap_mode="r")
        _check_array(array, source)

    def parts() -> Iterator[Table]:
        for first in range(0, len(array), size):
            # To look at what is mapped and no longer there would end the process.
            if os.path.getsize(path) < n_bytes:
                raise FileError(f"{source}: became shorter while it was read")
            part = array_table(np.array(array[first : first + size]), source, "npy")
            yield replace(part, before=first)

    return len(array), parts


def _loaded(file: Any, start: bytes, **how: Any) -> Any:
    """Load what NumPy can, and nothing pickled."""
    if not start.startswith((b"\x93NUMPY", b"PK")):
        raise ValueError("its first bytes are others")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # NumPy's remarks on files of Python 2
        return np.load(file, allow_pickle=False, **how)


def _read_archive(
    archive: Any, data: io.BytesIO, source: str, reading: Reading
) -> Table:
    array, id_column = reading.array, reading.id_column
    for info in archive.zip.infolist():
        if info.file_size > _MOST_DEFLATE * (info.compress_size + 1):
            raise ValueError("sizes that cannot be")
        check_fits(info.file_size // 8, source)
    names = [*archive.files]
    is_sparse = array is None and {*names} >= _SPARSE
    if is_sparse:
        names = ["matrix", *(name for name in names if name not in _PARTS)]
    ids = [name for name in names if name.casefold() in ID_NAMES]
    rest = [name for name in names if name not in (*ids, id_column)] or names
    if array is not None and array not in names:
        raise FileError(
            f"{source}: no array {shown(array)}; there are {_listed(names)}"
        )
    name = array or _only(rest, "arrays", "array", source)
    table = array_table(
        _sparse(data, source) if is_sparse else archive[name], source, "npz"
    )
    ids = [str(id_column)] if id_column in names else ids
    ids = [other for other in ids if other != name]
    if not ids or id_column in (0, "0"):
        return table
    key = _only(ids, "arrays of ids", "id_column", source)
    keys = archive[key]
    if np.shape(keys) != (table.n_objects,):
        shape = f"the array {shown(key)} has the shape {np.shape(keys)} and cannot be "
        raise table.fault(f"{shape}the ids of {table.n_objects} objects")
    (column,) = array_table(keys, source, "npz").columns
    return replace(table, columns=(replace(column, number=0, name=key), *table.columns))


def _sparse(data: io.BytesIO, source: str) -> NDArray[Any]:
    from scipy import sparse

    data.seek(0)
    matrix = sparse.load_npz(data)
    if len(matrix.shape) != 2 or min(matrix.shape) < 1:
        raise ValueError(f"the shape of its matrix is {matrix.shape}")
    check_fits(matrix.shape[0] * matrix.shape[1], source)
    if hasattr(matrix, "check_format"):
        matrix.check_format(full_check=True)
    array: NDArray[Any] = matrix.toarray()
    return array


def _only(names: list[str], what: str, argument: str, source: str) -> str:
    if not names:
        raise FileError(f"{source}: holds no array")
    if len(names) > 1:
        raise FileError(
            f"{source}: holds {len(names)} {what} ({_listed(names)}); say which one "
            "with ",
            Setting(argument, names[0]),
            " or ",
            Setting(argument, names[1]),
        )
    return names[0]


def _listed(names: list[str]) -> str:
    return ", ".join(map(shown, names[:6])) + (", ..." if len(names) > 6 else "")


def array_table(array: NDArray[Any], source: str, form: str) -> Table:
    """Return an array of shape (n,) or (n, p) as a table without names of columns."""
    _check_array(array, source)
    matrix = array.reshape(len(array), -1)
    if array.dtype.kind in "US":
        with blaming(source, "holds text that is not Unicode"):
            is_bytes = array.dtype.kind == "S"
            text = np.char.decode(matrix, "utf-8") if is_bytes else matrix
            # Python trusts NumPy's code points blindly, so look at them as numbers.
            order = np.dtype(np.uint32).newbyteorder(text.dtype.byteorder)
            codes = np.ascontiguousarray(text).view(order)
            if ((codes > sys.maxunicode) | (codes >> 11 == 27)).any():
                raise ValueError("a code point that no character has")
            matrix = text.astype(object)
        numbers = np.full(matrix.shape, np.nan)
    else:
        numbers = np.asfortranarray(matrix, dtype=np.float64)
    columns = (
        Column(number, None, *both)
        for number, both in enumerate(zip(matrix.T, numbers.T, strict=True), start=1)
    )
    return Table(source, tuple(columns), understood=ReadSummary(form))


def _check_array(array: NDArray[Any], source: str) -> None:
    """Refuse an array that is neither labels nor a matrix."""
    kind = getattr(array, "dtype", np.dtype(object))
    if kind.kind not in "biufUS" or kind.itemsize == 0:
        raise FileError(f"{source}: holds {kind}, not numbers or text")
    if array.ndim not in (1, 2) or array.size == 0:
        raise FileError(
            f"{source}: must be labels (1-D) or a matrix (2-D), found an array of "
            f"shape {array.shape}"
        )
    check_width(array[:1].size, source)
