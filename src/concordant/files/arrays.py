"""NumPy's files: one array (.npy) or several (.npz), SciPy's sparse ones among them."""

import io
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
from concordant.files.table import Column, Table, check_width
from concordant.files.understanding import Understood
from concordant.storage.source import check_fits, opened, size_of
from concordant.wording import first_line, shown

_MOST_DEFLATE = 1032  # deflate makes data at most so much smaller
_SPARSE = {"format", "shape", "data"}
_PARTS = {
    *_SPARSE,
    *["indices", "indptr", "row", "col", "coords", "offsets", "_is_array"],
}


def read_npy(stream: io.BufferedReader, source: str) -> Table:
    """Read a table from an ``.npy`` file: one column if the array has one dimension."""
    check_fits(size_of(stream) // 8, source)
    data = io.BytesIO(stream.read())
    _check_start(data.getvalue()[:200], source)
    array = _loaded(data, source, "not a NumPy file")
    if data.read(1):
        raise FileError(f"{source}: goes on after its array: it is damaged")
    return array_table(array, source, "npy")


def read_npz(
    stream: io.BufferedReader, source: str, array: str | None, id_column: Any
) -> Table:
    """
    Read a table from an ``.npz`` file, with the ids as a column of their array's name.

    By default `array` is the only one beside one called ``ids`` (or another of
    `ID_NAMES`), which holds the ids; `id_column` names the array that does, and is 0 if
    none does. The arrays of a sparse matrix, as SciPy saves it, are one.
    """
    check_fits(size_of(stream) // 8, source)
    data = io.BytesIO(stream.read())
    if not data.getvalue().startswith(b"PK"):
        raise FileError(f"{source}: a damaged .npz file")
    with _loaded(data, source, "a damaged .npz file") as archive:
        for info in archive.zip.infolist():
            if info.file_size > _MOST_DEFLATE * (info.compress_size + 1):
                raise FileError(f"{source}: a damaged .npz file (sizes that cannot be)")
            check_fits(info.file_size // 8, source)
        names = [*archive.files]
        sparse = array is None and {*names} >= _SPARSE
        if sparse:
            names = ["matrix", *(name for name in names if name not in _PARTS)]
        named = [id_column] if id_column in names else []
        ids = named or [name for name in names if name.casefold() in ID_NAMES]
        name = _chosen(names, ids, array, source)
        ids = [other for other in ids if other != name]
        if len(ids) > 1 and id_column is None:
            raise FileError(
                f"{source}: the ids may be in {_listed(ids)}; say which one with ",
                Setting("id_column", ids[0]),
                " or ",
                Setting("id_column", ids[1]),
            )
        found = _sparse(data, source) if sparse else _member(archive, name, source)
        table = array_table(found, source, "npz")
        if not ids or id_column in (0, "0"):
            return table
        return _with_ids(table, ids[0], _member(archive, ids[0], source))


def _loaded(data: Any, source: str, form: str, **options: Any) -> Any:
    """Load what NumPy can, and nothing pickled."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # NumPy's remarks on files of Python 2
            return np.load(data, allow_pickle=False, **options)
    except Exception as error:  # damaged headers make NumPy raise of all kinds
        raise FileError(f"{source}: {form} ({first_line(error)})") from error


def _check_start(data: bytes, source: str) -> None:
    """Refuse what is no array, or one of Python objects."""
    if not data.startswith(b"\x93NUMPY"):
        raise FileError(f"{source}: not a NumPy file")
    if b"|O" in data[:200]:
        raise FileError(
            f"{source}: holds pickled Python objects, which are never loaded; save "
            "numbers or text"
        )


def _member(archive: Any, name: str, source: str) -> NDArray[Any]:
    try:
        with archive.zip.open(f"{name}.npy") as member:
            _check_start(member.read(200), source)
        found: NDArray[Any] = archive[name]
        return found
    except FileError:
        raise
    except Exception as error:  # zipfile raises a dozen types on a damaged archive
        raise FileError(
            f"{source}: a damaged .npz file ({first_line(error)})"
        ) from error


def _sparse(data: io.BytesIO, source: str) -> NDArray[Any]:
    from scipy import sparse

    data.seek(0)
    try:
        matrix = sparse.load_npz(data)
        if len(matrix.shape) != 2 or min(matrix.shape) < 1:
            raise ValueError(f"its shape is {matrix.shape}")
        check_fits(matrix.shape[0] * matrix.shape[1], source)
        if hasattr(matrix, "check_format"):
            matrix.check_format(full_check=True)
        array: NDArray[Any] = matrix.toarray()
        return array
    except FileError:
        raise
    except Exception as error:
        raise FileError(
            f"{source}: a damaged sparse matrix ({first_line(error)})"
        ) from error


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


def npy_parts(path: str | Path, source: str, size: int) -> tuple[int, Any]:
    """
    Open an ``.npy`` file to read it in parts of `size` rows, the last one excepted.

    The number of rows, and a function that gives the parts from the first on. The file
    is mapped to see its shape and read part by part: if it became shorter meanwhile,
    looking at the mapped array would end the process.
    """
    with opened(path) as stream:
        _check_start(stream.read(200), source)
    facts = _loaded(path, source, "not a NumPy file", mmap_mode="r")
    _check_array(facts, source)
    n, width = facts.shape[0], facts[:1].size
    by_columns = facts.flags.f_contiguous and width > 1

    def read(first: int, count: int) -> NDArray[Any]:
        start = facts.offset + first * facts.dtype.itemsize
        array = np.fromfile(path, facts.dtype, count, offset=start)
        if array.size != count:
            raise FileError(f"{source}: became shorter while it was read")
        return array

    def parts() -> Iterator[Table]:
        for start in range(0, n, size):
            rows = min(size, n - start)
            if by_columns:
                part = np.stack([read(k * n + start, rows) for k in range(width)], 1)
            else:
                part = read(start * width, rows * width)
                part = part.reshape(rows, *facts.shape[1:])
            yield replace(array_table(part, source, "npy"), before=start)

    return n, parts


def array_table(array: NDArray[Any], source: str, form: str) -> Table:
    """Return an array of shape (n,) or (n, p) as a table without names of columns."""
    _check_array(array, source)
    matrix = array.reshape(len(array), -1)
    if array.dtype.kind in "US":
        matrix = _as_text(matrix, source)
        numbers = np.full(matrix.shape, np.nan)
    else:
        numbers = np.asfortranarray(matrix, dtype=np.float64)
    columns = (
        Column(number, None, *both)
        for number, both in enumerate(zip(matrix.T, numbers.T, strict=True), start=1)
    )
    return Table(source, tuple(columns), understood=Understood(form))


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
