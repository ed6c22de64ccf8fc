"""Binary files: NumPy's arrays, SciPy's sparse matrices, Parquet, Arrow and Feather."""

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
from concordant.files.columns import ID_NAMES
from concordant.files.summary import Reading, ReadSummary
from concordant.files.table import Column, Table, check_width
from concordant.storage.source import blaming, check_fits, opened, size_of
from concordant.wording import shown

_WHAT = "not a NumPy file of numbers or text, or a damaged one"
_SPARSE = {"format", "shape", "data"}
_PARTS = {*_SPARSE, "indices", "indptr", "row", "col", "coords", "offsets", "_is_array"}
_DAMAGED = "a damaged or foreign file"
_LEAST = 48  # bytes of a Parquet file that take no less of memory than a number does
_ROWS = 1 << 20  # of a batch


def read_numpy(stream: io.BufferedReader, source: str, reading: Reading) -> Table:
    """
    Read a table from an array, or from an archive, with its ids as a first column.

    Of an archive, `array` is by default the only one beside one called ``ids`` (or
    another of `ID_NAMES`), which holds the ids; `id_column` names the array that does,
    and is 0 if none does. The arrays of a sparse matrix, as SciPy saves it, are one.
    """
    check_fits(size_of(stream) // 8, source)
    with blaming(source, _WHAT):
        loaded = _loaded(stream, stream.peek(6))
        if not isinstance(loaded, np.ndarray):
            return _read_archive(loaded, stream, source, reading)
        if stream.read(1):
            raise ValueError("there is more after its array")
        return array_table(loaded, source, "npy")


def npy_parts(path: str | Path, source: str, size: int) -> tuple[int, Any]:
    """
    Open an ``.npy`` file to read it in parts of `size` rows, the last one excepted.

    The number of rows, and a function that gives the parts from the first on.
    """
    with opened(path) as stream:
        n_bytes, start = size_of(stream), stream.peek(6)
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
        raise ValueError("its first bytes are wrong")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # NumPy's remarks on files of Python 2
        return np.load(file, allow_pickle=False, **how)


def _read_archive(
    archive: Any, stream: io.BufferedReader, source: str, reading: Reading
) -> Table:
    array, id_column = reading.array, reading.id_column
    for info in archive.zip.infolist():
        check_fits(info.file_size // 8, source)
    names = [*archive.files]
    is_sparse = array is None and {*names} >= _SPARSE
    if is_sparse:
        names = ["matrix", *(name for name in names if name not in _PARTS)]
    ids = [name for name in names if name.casefold() in ID_NAMES]
    rest = [name for name in names if name not in (*ids, id_column)] or names
    name = array or _only(rest, source)
    if name not in names:
        raise FileError(
            f"{source}: no array {shown(array)}; there are {_listed(names)}"
        )
    table = array_table(
        _sparse(stream, source) if is_sparse else archive[name], source, "npz"
    )
    ids = [str(id_column)] if id_column in names else ids
    ids = [other for other in ids if other != name]
    if not ids or id_column in (0, "0"):
        return table
    key = _only(ids, source, "arrays of ids", "id_column")
    column, *others = array_table(archive[key], source, "npz").columns
    if others or column.cells.size != table.n_objects:
        what = f"the array {shown(key)} cannot be the ids of {table.n_objects} objects"
        raise table.fault(what)
    return replace(table, columns=(replace(column, number=0, name=key), *table.columns))


def _sparse(stream: io.BufferedReader, source: str) -> NDArray[Any]:
    from scipy import sparse

    stream.seek(0)
    matrix = sparse.load_npz(stream)
    if len(matrix.shape) != 2 or min(matrix.shape) < 1:
        raise ValueError(f"the shape of its matrix is {matrix.shape}")
    check_fits(matrix.shape[0] * matrix.shape[1], source)
    if hasattr(matrix, "check_format"):
        matrix.check_format(full_check=True)
    array: NDArray[Any] = matrix.toarray()
    return array


def _only(
    names: list[str], source: str, what: str = "arrays", argument: str = "array"
) -> str:
    if not names:
        raise FileError(f"{source}: holds no array")
    if len(names) > 1:
        raise FileError(
            f"{source}: holds {len(names)} {what} ({_listed(names)}); say which one "
            "with ",
            Setting(argument, *names[:2]),
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
            matrix = np.char.decode(matrix, "utf-8") if is_bytes else matrix
            # Python trusts NumPy's code points blindly, so look at them as numbers.
            order = np.dtype(np.uint32).newbyteorder(matrix.dtype.byteorder)
            codes = np.ascontiguousarray(matrix).view(order)
            if ((codes > sys.maxunicode) | (codes >> 11 == 27)).any():
                raise ValueError("a code point that no character has")
            matrix = matrix.astype(object)
    columns = (Column(k, None, cells) for k, cells in enumerate(matrix.T, start=1))
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


def read_columnar(stream: io.BufferedReader, source: str, form: str) -> Table:
    """Read a table with all columns of a file."""
    check_fits(size_of(stream) // (_LEAST if form == "parquet" else 8), source)
    if form == "parquet":
        with blaming(source, _DAMAGED):
            facts = _facts(stream)
            check_fits(facts.num_rows * facts.num_columns, source)
            check_width(facts.num_columns, source)
    (table,) = columnar_parts(stream, source, form)
    return table


def count_rows(file: Any, source: str, form: str) -> int:
    """Return the number of rows of a file."""
    with blaming(source, _DAMAGED):
        if form == "parquet":
            return int(_facts(file).num_rows)
        return sum(batch.num_rows for batch in _batches(file, _ROWS, form))


def columnar_parts(
    file: Any, source: str, form: str, size: int | None = None
) -> Iterator[Table]:
    """Yield tables of `size` rows, or one of all, however many the batches have."""
    with blaming(source, _DAMAGED):
        import pyarrow

        before, held, waiting = 0, 0, []
        for batch in _batches(file, size or _ROWS, form):
            waiting.append(pyarrow.Table.from_batches([batch]))
            held += batch.num_rows
            while size is not None and held >= size:
                rows = pyarrow.concat_tables(waiting)
                part = _table(rows.slice(0, size), source, form)
                yield replace(part, before=before)
                before, held, waiting = before + size, held - size, [rows.slice(size)]
        if held == before == 0 or not waiting[0].num_columns:
            raise FileError(f"{source}: is empty: it has no rows or no columns")
        if held:
            part = _table(pyarrow.concat_tables(waiting), source, form)
            yield replace(part, before=before)


def _facts(file: Any) -> Any:
    import pyarrow.parquet

    return pyarrow.parquet.read_metadata(file)


def _batches(file: Any, size: int, form: str) -> Iterator[Any]:
    import pyarrow.ipc

    if form == "parquet":
        import pyarrow.parquet

        opened = pyarrow.parquet.ParquetFile(file, pre_buffer=False)
        yield from opened.iter_batches(size)
        return
    is_file = file.read(6) == b"ARROW1"
    file.seek(0)
    if is_file:
        reader = pyarrow.ipc.open_file(file)
        yield from map(reader.get_batch, range(reader.num_record_batches))
    else:
        yield from pyarrow.ipc.open_stream(file)


def _table(arrow: Any, source: str, form: str) -> Table:
    arrow.validate(full=True)
    check_width(arrow.num_columns, source)
    both = zip(arrow.column_names, arrow.columns, strict=True)
    columns = [
        Column(k, name, _cells(chunks, f"{source}, column {k} ({shown(name)})"))
        for k, (name, chunks) in enumerate(both, start=1)
    ]
    return Table(source, tuple(columns), understood=ReadSummary(form))


def _cells(chunks: Any, place: str) -> NDArray[Any]:
    import pyarrow.types as kinds

    if kinds.is_dictionary(chunks.type):
        chunks = chunks.cast(chunks.type.value_type)
    if kinds.is_boolean(chunks.type) and chunks.null_count:
        chunks = chunks.cast("float64")
    known = (
        *(kinds.is_string, kinds.is_large_string, kinds.is_string_view),
        *(kinds.is_integer, kinds.is_floating, kinds.is_boolean),
    )
    if not any(is_kind(chunks.type) for is_kind in known):
        raise FileError(f"{place}: holds {chunks.type}, not numbers or text")
    return np.asarray(chunks.to_numpy())
