"""Apache's formats: Parquet, Arrow and Feather."""

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from concordant.errors import FileError
from concordant.files.table import Column, Table, check_width
from concordant.files.understanding import Understood
from concordant.storage.source import check_fits, size_of
from concordant.wording import first_line

_LEAST = 48  # bytes of a Parquet file that take no less of memory than a number does

#: Gives the parts of a file, from the first on.
Parts = Callable[[], Iterator[Table]]


def read_parquet(stream: io.BufferedReader, source: str) -> Table:
    """Read a table with all columns of a Parquet file."""
    check_fits(size_of(stream) // _LEAST, source)
    data = io.BytesIO(stream.read())
    with _blaming(source):
        import pyarrow.parquet

        facts = pyarrow.parquet.read_metadata(data)
        check_fits(facts.num_rows * facts.num_columns, source)
        check_width(facts.num_columns, source)
        data.seek(0)
        return _table(pyarrow.parquet.read_table(data), source, "parquet")


def read_arrow(stream: io.BufferedReader, source: str) -> Table:
    """Read a table from an Arrow file or stream; Feather files are Arrow files."""
    check_fits(size_of(stream) // 8, source)
    data = stream.read()
    with _blaming(source):
        import pyarrow.ipc

        is_file = data.startswith(b"ARROW1")
        reader = (pyarrow.ipc.open_file if is_file else pyarrow.ipc.open_stream)(data)
        return _table(reader.read_all(), source, "arrow")


def columnar_parts(
    path: str | Path, source: str, size: int, form: str
) -> tuple[int, Parts]:
    """
    Open a Parquet, Arrow or Feather file to read it in parts of `size` rows.

    The number of rows, and a function that gives the parts from the first on. The file
    is read, not mapped: one that becomes shorter meanwhile would end the process.
    """
    with _blaming(source):
        if form == "parquet":
            import pyarrow.parquet

            n_rows = pyarrow.parquet.ParquetFile(path).metadata.num_rows
        else:
            n_rows = sum(batch.num_rows for batch in _batches(path, size, form))
    return n_rows, lambda: _parts(path, source, size, form)


def _batches(path: str | Path, size: int, form: str) -> Iterator[Any]:
    import pyarrow
    import pyarrow.ipc

    if form == "parquet":
        import pyarrow.parquet

        file = pyarrow.parquet.ParquetFile(path, pre_buffer=False)
        yield from file.iter_batches(size)
        return
    with pyarrow.OSFile(str(path)) as source:
        if source.read(6) == b"ARROW1":
            reader = pyarrow.ipc.open_file(source)
            for number in range(reader.num_record_batches):
                yield reader.get_batch(number)
        else:
            source.seek(0)
            yield from pyarrow.ipc.open_stream(source)


def _parts(path: str | Path, source: str, size: int, form: str) -> Iterator[Table]:
    """Yield tables of so many rows each, however many the batches have."""
    with _blaming(source):
        import pyarrow

        before, held, waiting = 0, 0, []
        for batch in _batches(path, size, form):
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


@contextmanager
def _blaming(source: str) -> Iterator[None]:
    """Say of which file it is what pyarrow finds wrong, or that it is missing."""
    try:
        yield
    except FileError:
        raise
    except ImportError as error:
        raise FileError(
            f"{source}: Parquet, Arrow and Feather files need pyarrow: "
            "pip install concordant[arrow]"
        ) from error
    except FileNotFoundError as error:
        raise FileError(f"{source}: no such file") from error
    except Exception as error:  # a damaged file makes pyarrow raise of all kinds
        raise FileError(
            f"{source}: a damaged or foreign file ({first_line(error)})"
        ) from error


def _table(arrow: Any, source: str, form: str) -> Table:
    arrow.validate(full=True)
    check_width(arrow.num_columns, source)
    if arrow.num_rows == 0 or arrow.num_columns == 0:
        raise FileError(f"{source}: is empty: it has no rows or no columns")
    both = zip(arrow.column_names, arrow.columns, strict=True)
    columns = [
        _column(k, name, chunks, source) for k, (name, chunks) in enumerate(both, 1)
    ]
    return Table(source, tuple(columns), understood=Understood(form))


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
