"""NumPy's files: one array (.npy) or several (.npz), SciPy's sparse ones among them."""

import io
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.errors import FileError, Setting
from concordant.files.identification import ID_NAMES
from concordant.files.summary import ReadSummary
from concordant.files.table import Column, Table, check_width
from concordant.storage.source import blaming, check_fits, opened, size_of
from concordant.wording import shown

_NPY, _NPZ = "not a NumPy file", "a damaged .npz file"
_MOST_DEFLATE = 1032  # deflate makes data at most so much smaller
_SPARSE = {"format", "shape", "data"}
_PARTS = _SPARSE.union(
    ["indices", "indptr", "row", "col", "coords", "offsets", "_is_array"]
)


def read_npy(stream: io.BufferedReader, source: str) -> Table:
    """Read a table from an ``.npy`` file: one column if the array has one dimension."""
    check_fits(size_of(stream) // 8, source)
    data = io.BytesIO(stream.read())
    array = _loaded(data, data.getvalue(), source, _NPY)
    if data.read(1):
        raise FileError(f"{source}: goes on after its array: it is damaged")
    return array_table(array, source, "npy")


def npy_parts(path: str | Path, source: str, size: int) -> tuple[int, Any]:
    """
    Open an ``.npy`` file to read it in parts of `size` rows, the last one excepted.

    The number of rows, and a function that gives the parts from the first on.
    """
    with opened(path) as stream:
        n_bytes, start = size_of(stream), stream.read(8)
    array = _loaded(path, start, source, _NPY, mmap_mode="r")
    _check_array(array, source)

    def parts() -> Iterator[Table]:
        for first in range(0, len(array), size):
            # To look at what is mapped and no longer there would end the process.
            if os.path.getsize(path) < n_bytes:
                raise FileError(f"{source}: became shorter while it was read")
            part = array_table(np.array(array[first : first + size]), source, "npy")
            yield replace(part, before=first)

    return len(array), parts


def read_npz(
    stream: io.BufferedReader,
    source: str,
    array: str | None = None,
    id_column: str | int | None = None,
) -> Table:
    """
    Read a table from an ``.npz`` file, with the ids as a column of their array's name.

    By default `array` is the only one beside one called ``ids`` (or another of
    `ID_NAMES`), which holds the ids; `id_column` names the array that does, and is 0 if
    none does. The arrays of a sparse matrix, as SciPy saves it, are one.
    """
    check_fits(size_of(stream) // 8, source)
    data = io.BytesIO(stream.read())
    with (
        blaming(source, _NPZ),
        _loaded(data, data.getvalue(), source, _NPZ) as archive,
    ):
        for info in archive.zip.infolist():
            if info.file_size > _MOST_DEFLATE * (info.compress_size + 1):
                raise FileError(f"{source}: a damaged .npz file (sizes that cannot be)")
            check_fits(info.file_size // 8, source)
        names = [*archive.files]
        is_sparse = array is None and {*names} >= _SPARSE
        if is_sparse:
            names = ["matrix", *(name for name in names if name not in _PARTS)]
        ids = [name for name in names if name.casefold() in ID_NAMES]
        if id_column in names:
            ids = [str(id_column)]
        named = {*ids, *(name for name in names if name.casefold() in ID_NAMES)}
        rest = [name for name in names if name not in named] or names
        if array is not None and array not in names:
            raise FileError(
                f"{source}: no array {shown(array)}; there are {_listed(names)}"
            )
        name = array or _only(rest, "arrays", "array", source)
        found = _sparse(data, source) if is_sparse else _member(archive, name, source)
        table = array_table(found, source, "npz")
        ids = [other for other in ids if other != name]
        if not ids or id_column in (0, "0"):
            return table
        key = _only(ids, "arrays of ids", "id_column", source)
        return _with_ids(table, key, _member(archive, key, source))


def _loaded(data: Any, start: bytes, source: str, what: str, **how: Any) -> Any:
    """Load what NumPy can, and nothing pickled."""
    if not start.startswith(b"\x93NUMPY" if what == _NPY else b"PK"):
        raise FileError(f"{source}: {what}")
    with blaming(source, what), warnings.catch_warnings(), _no_pickles(source):
        warnings.simplefilter("ignore")  # NumPy's remarks on files of Python 2
        return np.load(data, allow_pickle=False, **how)


@contextmanager
def _no_pickles(source: str) -> Iterator[None]:
    """Say in other words what NumPy says of arrays of Python objects."""
    try:
        yield
    except ValueError as error:
        if "Object arrays" not in str(error):
            raise
        raise FileError(
            f"{source}: holds pickled Python objects, which are never loaded; save "
            "numbers or text"
        ) from error


def _member(archive: Any, name: str, source: str) -> NDArray[Any]:
    with _no_pickles(source):
        found: NDArray[Any] = archive[name]
    if not isinstance(found, np.ndarray):
        raise FileError(f"{source}: a damaged .npz file ({shown(name)} is no array)")
    return found


def _sparse(data: io.BytesIO, source: str) -> NDArray[Any]:
    from scipy import sparse

    data.seek(0)
    with blaming(source, "a damaged sparse matrix"):
        matrix = sparse.load_npz(data)
        if len(matrix.shape) != 2 or min(matrix.shape) < 1:
            raise ValueError(f"its shape is {matrix.shape}")
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


def _with_ids(table: Table, name: str, ids: NDArray[Any]) -> Table:
    if ids.shape != (table.n_objects,):
        raise table.fault(
            f"the array {shown(name)} has the shape {ids.shape} and cannot be the ids "
            f"of {table.n_objects} objects"
        )
    (column,) = array_table(ids, table.source, "npz").columns
    return replace(
        table, columns=(replace(column, number=0, name=name), *table.columns)
    )


def array_table(array: NDArray[Any], source: str, form: str) -> Table:
    """Return an array of shape (n,) or (n, p) as a table without names of columns."""
    _check_array(array, source)
    matrix = array.reshape(len(array), -1)
    if array.dtype.kind in "US":
        with blaming(source, "holds text that is not Unicode"):
            text = (
                np.char.decode(matrix, "utf-8") if array.dtype.kind == "S" else matrix
            )
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
    if array.dtype.kind not in "biufUS" or array.dtype.itemsize == 0:
        raise FileError(f"{source}: holds {array.dtype}, not numbers or text")
    if array.ndim not in (1, 2):
        raise FileError(
            f"{source}: must be labels (1-D) or a matrix (2-D), found "
            f"{array.ndim} dimensions"
        )
    if array.size == 0:
        raise FileError(f"{source}: is empty: its shape is {array.shape}")
    check_width(array[:1].size, source)
