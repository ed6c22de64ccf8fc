"""Binary files: NumPy's arrays, SciPy's sparse matrices, Parquet, Arrow and Feather."""

import math
import os
import re
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.errors import FileError, Setting
from concordant.files.columns import ID_NAMES
from concordant.files.table import Column, Found, Reading, ReadSummary, Table
from concordant.storage.source import blaming, check_fits, size_of
from concordant.wording import shown

_WHAT = "not a NumPy file of numbers or text, or a damaged one"
_SPARSE = {"format", "shape", "data"}
_PARTS = {*_SPARSE, "indices", "indptr", "row", "col", "coords", "offsets", "_is_array"}
_DAMAGED = "a damaged or foreign file"
_LEAST = 48  # bytes of a Parquet file that take no less of memory than a number does
_ROWS = 1 << 20  # of a batch
_TEXT = re.compile(r"(large_)?string(_view)?")
_TYPES = re.compile(rf"u?int\d+|halffloat|float|double|bool|{_TEXT.pattern}")


def read_binary(stream: Any, source: str, form: str, reading: Reading) -> Table:
    """
    Read a table with all columns of a file, that of ids among them.

    Of an archive, `array` is by default the only one beside one called ``ids`` (or
    another of `ID_NAMES`), which holds the ids; `id_column` names the array that does,
    and is 0 if none does. The arrays of a sparse matrix, as SciPy saves it, are one.
    """
    check_fits(size_of(stream) // (_LEAST if form == "parquet" else 8), source)
    if form in ("parquet", "arrow"):
        (table,) = _columnar_parts(stream, source, form)
        return table
    with blaming(source, _WHAT):
        loaded = _loaded(stream, stream.peek(6))
        if not isinstance(loaded, np.ndarray):
            return _read_archive(loaded, stream, source, reading)
        if stream.read(1):
            raise ValueError("there is more after its array")
        return _array_table(loaded, source, form)


def parts_of(stream: Any, source: str, form: str, size: int) -> Iterator[Table]:
    """Yield tables of `size` rows each, but the last, of all but archives."""
    if form != "npy":
        yield from _columnar_parts(stream, source, form, size)
        return
    n_bytes, array = size_of(stream), _mapped(stream, source)
    for first in range(0, len(array), size):
        # To look at what is mapped and no longer there would end the process.
        if os.path.getsize(stream.name) < n_bytes:
            raise FileError(f"{source}: became shorter while it was read")
        rows = np.array(array[first : first + size])
        yield _array_table(rows, source, form, first)


def count_rows(stream: Any, source: str, form: str) -> int:
    """Return the number of rows of a file that is no archive."""
    if form == "npy":
        return len(_mapped(stream, source))
    with blaming(source, _DAMAGED):
        import pyarrow.parquet

        if form == "parquet":
            return int(pyarrow.parquet.read_metadata(stream).num_rows)
        return sum(batch.num_rows for batch in _batches(stream, source, form, None))


def _mapped(stream: Any, source: str) -> NDArray[Any]:
    with blaming(source, _WHAT):
        array: NDArray[Any] = _loaded(stream.name, stream.peek(6), mmap_mode="r")
        _check_array(array, source)
        return array


def _loaded(file: Any, start: bytes, **how: Any) -> Any:
    """Load what NumPy can, and nothing pickled."""
    if not start.startswith((b"\x93NUMPY", b"PK")):
        raise ValueError("its first bytes are wrong")
    with warnings.catch_warnings(action="ignore"):  # on files of Python 2
        return np.load(file, allow_pickle=False, **how)


def _read_archive(archive: Any, stream: Any, source: str, reading: Reading) -> Table:
    for info in archive.zip.infolist():
        check_fits(info.file_size // 8, source)
    stored = (name for name in archive.zip.namelist() if name.endswith(".npy"))
    names = [name.removesuffix(".npy") for name in stored]
    if reading.array is None and _SPARSE <= {*names} <= _PARTS:
        return _array_table(_sparse(stream, source), source, "npz")
    likely = [name for name in names if name.casefold() in ID_NAMES]
    ids = [str(reading.id_column)] if reading.id_column in names else likely
    wanted = [name for name in names if name not in (*ids, *likely)] or names
    if reading.array is not None:
        wanted = [name for name in names if name == reading.array]
    name = _only(wanted, names, source, "array")
    table = _array_table(archive[name], source, "npz")
    ids = [other for other in ids if other != name]
    if not ids or reading.id_column in (0, "0"):
        return table
    key = _only(ids, ids, source, "id_column")
    column, *others = _array_table(archive[key], source, "npz").columns
    if others or column.cells.size != table.n_objects:
        raise table.fault(f"the array {shown(key)} cannot be the ids of its objects")
    return replace(table, columns=(replace(column, number=0, name=key), *table.columns))


def _sparse(stream: Any, source: str) -> NDArray[Any]:
    from scipy import sparse

    stream.seek(0)
    matrix = sparse.load_npz(stream)
    check_fits(math.prod(matrix.shape), source)
    if hasattr(matrix, "check_format"):
        matrix.check_format(full_check=True)
    return np.asarray(matrix.toarray())


def _only(found: list[str], names: list[str], source: str, argument: str) -> str:
    if not names:
        raise FileError(f"{source}: holds no array; unpack it, or save it as CSV")
    if len(found) != 1:
        listed = ", ".join(map(shown, names[:6]))
        which = Setting(argument, *names[:2])
        raise FileError(f"{source}: holds {listed}; say which one with ", which)
    return found[0]


def _array_table(array: NDArray[Any], source: str, form: str, before: int = 0) -> Table:
    """Return an array of shape (n,) or (n, p) as a table without names of columns."""
    _check_array(array, source)
    matrix = array.reshape(len(array), -1)
    if array.dtype.kind == "U":
        with blaming(source, "holds text that is not Unicode"):
            # Python trusts NumPy's code points blindly, so decode them by themselves.
            matrix.astype(matrix.dtype.newbyteorder("<")).tobytes().decode("utf-32-le")
            matrix = matrix.astype(object)
    columns = (Column(k, None, cells) for k, cells in enumerate(matrix.T, start=1))
    return _part(source, columns, len(matrix), form, before)


def _part(
    source: str, columns: Iterable[Column], n_rows: int, form: str, before: int
) -> Table:
    """Return a table, of which some rows stand `before` in the file."""
    lines = np.arange(1, 1 + n_rows) + before
    return Table(source, tuple(columns), lines, ReadSummary(form), is_part=before > 0)


def _check_array(array: NDArray[Any], source: str) -> None:
    """Refuse an array that is neither labels nor a matrix."""
    kind = getattr(array, "dtype", np.dtype(object))
    if kind.kind not in "biufU" or kind.itemsize == 0:
        raise FileError(f"{source}: holds {kind}, not numbers or text")
    if array.ndim not in (1, 2) or array.size == 0:
        what = "must be labels (1-D) or a matrix (2-D), found an array of shape"
        raise FileError(f"{source}: {what} {array.shape}")


def _columnar_parts(
    stream: Any, source: str, form: str, size: int | None = None
) -> Iterator[Table]:
    """Yield tables of `size` rows, or one of all, however many the batches have."""
    with blaming(source, _DAMAGED):
        import pyarrow

        before, held, waiting = 0, 0, []
        for batch in _batches(stream, source, form, size):
            waiting.append(pyarrow.Table.from_batches([batch]))
            held += batch.num_rows
            while size is not None and held >= size:
                rows = pyarrow.concat_tables(waiting)
                yield _table(rows.slice(0, size), source, form, before)
                before, held, waiting = before + size, held - size, [rows.slice(size)]
        if held == before == 0 or not waiting[0].num_columns:
            raise FileError(f"{source}: is empty: it has no rows or no columns")
        if held:
            yield _table(pyarrow.concat_tables(waiting), source, form, before)


def _batches(stream: Any, source: str, form: str, size: int | None) -> Any:
    """Return the batches of a file, of `size` rows at most if it is Parquet."""
    import pyarrow.ipc
    import pyarrow.parquet

    if form == "parquet":
        schema = pyarrow.parquet.read_schema(stream)
        stream.seek(0)
        # Labels that come again and again are then held once, however long they are.
        texts = [field.name for field in schema if _TEXT.fullmatch(str(field.type))]
        how = {"read_dictionary": texts, "pre_buffer": False}
        file = pyarrow.parquet.ParquetFile(stream, **how)
        if size is None:
            check_fits(file.metadata.num_rows * file.metadata.num_columns, source)
        return file.iter_batches(size or _ROWS)
    if not stream.peek(6).startswith(b"ARROW1"):
        return pyarrow.ipc.open_stream(stream)
    reader = pyarrow.ipc.open_file(stream)
    return map(reader.get_batch, range(reader.num_record_batches))


def _table(arrow: Any, source: str, form: str, before: int) -> Table:
    check_fits(arrow.num_rows * arrow.num_columns, source)
    arrow.validate(full=True)
    columns = []
    for k, name in enumerate(arrow.column_names, start=1):
        chunks, place = arrow.column(k - 1), f"{source}, column {k} ({shown(name)})"
        cells, codes = _cells(chunks, place)
        columns.append(Column(k, name, cells, codes=codes).take(slice(None)))
    return _part(source, columns, arrow.num_rows, form, before)


def _cells(chunks: Any, place: str) -> Found:
    import pyarrow

    if pyarrow.types.is_dictionary(chunks.type):
        if _TEXT.fullmatch(str(chunks.type.value_type)):
            return _labels(chunks)
        chunks = chunks.cast(chunks.type.value_type)
    if not _TYPES.fullmatch(str(chunks.type)):
        raise FileError(f"{place}: holds {chunks.type}, not numbers or text")
    return np.asarray(chunks.to_numpy()), None


def _labels(chunks: Any) -> Found:
    """Return the texts of all dictionaries, and which of them stands in each row."""
    import pyarrow

    number: dict[str | None, int] = {}
    codes = []
    for chunk in chunks.chunks:
        values = chunk.dictionary
        if str(values.type) == "string_view":  # by polars
            values = values.cast(pyarrow.string())
        texts = [*values.to_pylist(), None]
        places = np.array([number.setdefault(text, len(number)) for text in texts])
        indices = chunk.indices.cast(pyarrow.int64()).fill_null(len(values))
        codes.append(places[indices.to_numpy()])
    return np.array([*number], dtype=object), np.concatenate(codes)
