"""Apache's formats: Parquet, Arrow and Feather."""

import io
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from concordant.errors import FileError
from concordant.files.summary import ReadSummary
from concordant.files.table import Column, Table, check_width
from concordant.storage.source import blaming, check_fits, size_of

_DAMAGED = "a damaged or foreign file"
_LEAST = 48  # bytes of a Parquet file that take no less of memory than a number does

#: Gives the parts of a file, from the first on.
Parts = Callable[[], Iterator[Table]]


def read_columnar(stream: io.BufferedReader, source: str, form: str) -> Table:
    """Read a table with all columns of a file."""
    check_fits(size_of(stream) // (_LEAST if form == "parquet" else 8), source)
    data = io.BytesIO(stream.read())
    with blaming(source, _DAMAGED):
        import pyarrow

        if form == "parquet":
            check_fits(_facts(data).num_rows * _facts(data).num_columns, source)
            check_width(_facts(data).num_columns, source)
        batches = [*_batches(data, 1 << 20, form)]
        if not batches:
            raise FileError(f"{source}: is empty: it has no rows or no columns")
        return _table(pyarrow.Table.from_batches(batches), source, form)


def columnar_parts(
    path: str | Path, source: str, size: int, form: str
) -> tuple[int, Parts]:
    """
    Open a file to read it in parts of `size` rows, the last one excepted.

    The number of rows, and a function that gives the parts from the first on. The file
    is read, not mapped: one that becomes shorter meanwhile would end the process.
    """
    with open(path, "rb") as file, blaming(source, _DAMAGED):
        n_rows = (
            _facts(file).num_rows
            if form == "parquet"
            else sum(batch.num_rows for batch in _batches(file, size, form))
        )
    return n_rows, lambda: _parts(path, source, size, form)


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


def _parts(path: str | Path, source: str, size: int, form: str) -> Iterator[Table]:
    """Yield tables of so many rows each, however many the batches have."""
    with open(path, "rb") as file, blaming(source, _DAMAGED):
        import pyarrow

        before, held, waiting = 0, 0, []
        for batch in _batches(file, size, form):
            waiting.append(pyarrow.Table.from_batches([batch]))
            held += batch.num_rows
            while held >= size:
                rows = pyarrow.concat_tables(waiting)
                part = _table(rows.slice(0, size), source, form)
                yield replace(part, before=before)
                before, held, waiting = before + size, held - size, [rows.slice(size)]
        if held:
            part = _table(pyarrow.concat_tables(waiting), source, form)
            yield replace(part, before=before)


def _table(arrow: Any, source: str, form: str) -> Table:
    arrow.validate(full=True)
    check_width(arrow.num_columns, source)
    if arrow.num_rows == 0 or arrow.num_columns == 0:
        raise FileError(f"{source}: is empty: it has no rows or no columns")
    both = zip(arrow.column_names, arrow.columns, strict=True)
    columns = [
        _column(k, name, chunks, source) for k, (name, chunks) in enumerate(both, 1)
    ]
    return Table(source, tuple(columns), understood=ReadSummary(form))


def _column(number: int, name: str, chunks: Any, source: str) -> Column:
    import pyarrow.types as kinds

    if kinds.is_dictionary(chunks.type):
        chunks = chunks.cast(chunks.type.value_type)
    texts = (kinds.is_string, kinds.is_large_string, kinds.is_string_view)
    if any(is_kind(chunks.type) for is_kind in texts):
        cells = np.array(chunks.to_pylist(), dtype=object)
        return Column(number, name, cells, np.full(cells.shape, np.nan))
    numbers = (kinds.is_integer, kinds.is_floating, kinds.is_boolean)
    if not any(is_kind(chunks.type) for is_kind in numbers):
        place = Column(number, name, np.empty(0), np.empty(0))
        raise FileError(f"{source}, {place}: holds {chunks.type}, not numbers or text")
    if chunks.null_count:
        cells = np.array(chunks.to_pylist(), dtype=object)
        known = (np.nan if cell is None else float(cell) for cell in cells)
        return Column(number, name, cells, np.fromiter(known, np.float64, len(cells)))
    cells = np.asarray(chunks.to_numpy())
    return Column(number, name, cells, cells.astype(np.float64))
