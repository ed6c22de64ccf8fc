"""NumPy's files: one array (.npy) or several (.npz), SciPy's sparse ones among them."""

import io
import math
import sys
import warnings
import zipfile
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.errors import FileError, Setting
from concordant.files.identification import ID_NAMES
from concordant.files.sparse_arrays import is_sparse, unpacked, without_parts
from concordant.files.table import Column, Table
from concordant.files.understanding import Understood
from concordant.storage.source import check_fits, opened, size_of
from concordant.wording import first_line, shown

_MOST_DEFLATE = 1032  # deflate makes data at most so much smaller
_LONGEST_HEADER = 1 << 16


def read_npy(stream: io.BufferedReader, source: str) -> Table:
    """Read a table from an ``.npy`` file: one column if the array has one dimension."""
    check_fits(size_of(stream) // 8, source)
    return _table(_array(stream.read(), source), source, Understood("npy"))


def read_npz(
    stream: io.BufferedReader,
    source: str,
    *,
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
    try:
        with zipfile.ZipFile(io.BytesIO(stream.read())) as archive:
            members = _members(archive)
            arrays: dict[str, Callable[[], NDArray[Any]]] = {
                name: partial(_member, archive, info, source)
                for name, info in members.items()
            }
            if array is None and is_sparse(arrays):
                layout = _layout(archive, members["format"])
                arrays = {
                    "matrix": partial(unpacked, arrays, layout, source),
                    **without_parts(arrays),
                }
            ids = _arrays_of_ids([*arrays], id_column)
            name = _chosen([*arrays], ids, array, source)
            table = _table(arrays[name](), source, Understood("npz"))
            ids = [other for other in ids if other != name]
            if len(ids) > 1 and id_column is None:
                raise FileError(
                    f"{source}: the ids may be in {_listed(ids)}; say which one with ",
                    Setting("id_column", ids[0]),
                    " or ",
                    Setting("id_column", ids[1]),
                )
            if ids and id_column not in (0, "0"):
                return _with_ids(table, ids[0], arrays[ids[0]]())
            return table
    except FileError:
        raise
    except Exception as error:  # zipfile raises a dozen types on a damaged archive
        raise FileError(
            f"{source}: a damaged .npz file ({first_line(error)})"
        ) from error


def _members(archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    return {
        info.filename.removesuffix(".npy"): info
        for info in archive.infolist()
        if info.filename.endswith(".npy")
    }


def _arrays_of_ids(names: list[str], id_column: str | int | None) -> list[str]:
    """Give the arrays that hold ids: the one that was named, or by their names."""
    if id_column in names:
        return [str(id_column)]
    return [name for name in names if name.casefold() in ID_NAMES]


def _chosen(names: list[str], ids: list[str], array: str | None, source: str) -> str:
    if array is not None:
        if array not in names:
            raise FileError(
                f"{source}: no array {shown(array)}; there are {_listed(names)}"
            )
        return array
    ids = [*ids, *(name for name in names if name.casefold() in ID_NAMES)]
    rest = [name for name in names if name not in ids] or names
    if not rest:
        raise FileError(f"{source}: holds no array")
    if len(rest) > 1:
        raise FileError(
            f"{source}: holds {len(rest)} arrays ({_listed(rest)}); say which one "
            "with ",
            Setting("array", rest[0]),
            " or ",
            Setting("array", rest[1]),
        )
    return rest[0]


def _listed(names: list[str]) -> str:
    return ", ".join(map(shown, names[:6])) + (", ..." if len(names) > 6 else "")


def _member(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, source: str
) -> NDArray[Any]:
    if info.file_size > _MOST_DEFLATE * (info.compress_size + 1):
        raise FileError(f"{source}: a damaged .npz file (sizes that cannot be)")
    with archive.open(info) as member:
        head = member.read(_LONGEST_HEADER)
    shape, _, dtype, start = _header(head, source)
    _check_array(shape, dtype, source)
    expected, found = math.prod(shape) * dtype.itemsize, info.file_size - start
    if found != expected:
        raise _cut_short(source, expected, shape, found)
    check_fits(max(math.prod(shape), expected // 8), source)
    return _array(archive.read(info), source)


def _layout(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> str:
    """Read what SciPy calls the format of a sparse matrix: a few letters."""
    if info.file_size > _LONGEST_HEADER:
        raise ValueError("the format of a sparse matrix is too long")
    letters = np.load(io.BytesIO(archive.read(info)), allow_pickle=False).item()
    return letters.decode() if isinstance(letters, bytes) else str(letters)


def _with_ids(table: Table, name: str, ids: NDArray[Any]) -> Table:
    if ids.shape != (table.n_objects,):
        raise table.fault(
            f"the array {shown(name)} has the shape {ids.shape} and cannot be the ids "
            f"of {table.n_objects} objects"
        )
    (column,) = _table(ids, table.source, table.understood).columns
    named = Column(0, name, column.cells, column.numbers)
    return replace(table, columns=(named, *table.columns))


def _array(data: bytes, source: str) -> NDArray[Any]:
    """Read an array after its header has been seen to fit the data."""
    shape, fortran_order, dtype, start = _header(data, source)
    _check_array(shape, dtype, source)
    count = math.prod(shape)
    expected, found = count * dtype.itemsize, len(data) - start
    if found != expected:
        raise _cut_short(source, expected, shape, found)
    array = np.frombuffer(data, dtype, count, start)
    return array.reshape(shape, order="F" if fortran_order else "C")


def _cut_short(
    source: str, expected: int, shape: tuple[int, ...], found: int
) -> FileError:
    return FileError(
        f"{source}: its header promises {expected} bytes for the shape {shape}, found "
        f"{found}: it is cut short or damaged"
    )


def _check_array(shape: tuple[int, ...], dtype: np.dtype[Any], source: str) -> None:
    """Refuse an array that is neither labels nor a matrix."""
    if dtype.hasobject:
        raise FileError(
            f"{source}: holds pickled Python objects, which are never loaded; save "
            "numbers or text"
        )
    if dtype.kind not in "biufUS" or dtype.itemsize == 0:
        raise FileError(f"{source}: holds {dtype}, not numbers or text")
    if len(shape) not in (1, 2):
        raise FileError(
            f"{source}: must be labels (1-D) or a matrix (2-D), found "
            f"{len(shape)} dimensions"
        )
    if min(shape) < 1:
        raise FileError(f"{source}: is empty: its shape is {shape}")


class NpyFile:
    """
    An ``.npy`` file of which some rows are read at a time.

    It is read, not mapped: a file that becomes shorter meanwhile would end the process.
    """

    def __init__(self, path: str | Path, source: str) -> None:
        self._path, self._source = path, source
        with opened(path) as stream:
            header = _header(stream.read(_LONGEST_HEADER), source)
            self._shape, self._fortran_order, self._dtype, self._start = header
            _check_array(self._shape, self._dtype, source)
            expected = math.prod(self._shape) * self._dtype.itemsize
            found = stream.seek(0, io.SEEK_END) - self._start
        if found != expected:
            raise _cut_short(source, expected, self._shape, found)

    def __len__(self) -> int:
        """Give the number of rows."""
        return self._shape[0]

    def rows(self, first: int, last: int) -> NDArray[Any]:
        """Read the rows from `first` to before `last`, if they are still there."""
        n, *others = self._shape
        width = math.prod(others)
        with opened(self._path) as stream:
            if not self._fortran_order or width == 1:
                array = self._read(stream, first * width, (last - first) * width)
                return array.reshape(last - first, *others)
            columns = [
                self._read(stream, k * n + first, last - first) for k in range(width)
            ]
        return np.stack(columns, axis=1)

    def _read(self, stream: io.BufferedReader, first: int, count: int) -> NDArray[Any]:
        size = self._dtype.itemsize
        stream.seek(self._start + first * size)
        data = stream.read(count * size)
        if len(data) != count * size:
            raise FileError(f"{self._source}: became shorter while it was read")
        return np.frombuffer(data, self._dtype)


def array_table(array: NDArray[Any], source: str) -> Table:
    """Make a table, without names of columns, of an array of shape (n,) or (n, p)."""
    return _table(array, source, Understood("npy"))


def _header(
    data: bytes, source: str
) -> tuple[tuple[int, ...], bool, np.dtype[Any], int]:
    stream = io.BytesIO(data)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # NumPy's remarks on files of Python 2
            version = np.lib.format.read_magic(stream)
            if version == (1, 0):
                header = np.lib.format.read_array_header_1_0(stream)
            else:
                header = np.lib.format.read_array_header_2_0(stream)
    except Exception as error:  # NumPy evaluates the header, so that anything may come
        raise FileError(f"{source}: not a NumPy file ({first_line(error)})") from error
    if not all(type(size) is int for size in header[0]):
        raise FileError(f"{source}: not a NumPy file (its shape is {header[0]})")
    return *header, stream.tell()


def _table(array: NDArray[Any], source: str, understood: Understood) -> Table:
    matrix = array.reshape(len(array), -1)
    if array.dtype.kind in "US":
        matrix = _as_text(matrix, source)
        numbers = np.full(matrix.shape, np.nan)
    else:
        numbers = matrix.astype(np.float64)
    columns = (
        Column(number, None, *both)
        for number, both in enumerate(zip(matrix.T, numbers.T, strict=True), start=1)
    )
    return Table(source, tuple(columns), understood=understood)


def _as_text(matrix: NDArray[Any], source: str) -> NDArray[np.object_]:
    if matrix.dtype.kind == "S":
        text = np.char.decode(matrix, "utf-8", "surrogateescape")
    else:
        text = np.ascontiguousarray(matrix)
    # Python trusts NumPy's code points blindly, so look at them as numbers.
    codes = text.view(np.dtype(np.uint32).newbyteorder(text.dtype.byteorder))
    surrogate = (codes >= 0xD800) & (codes <= 0xDFFF)
    if surrogate.any() or codes.max() > sys.maxunicode:
        raise FileError(f"{source}: holds text that is not Unicode")
    return text.astype(object)
