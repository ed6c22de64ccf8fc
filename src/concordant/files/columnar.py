"""Apache's formats: Parquet, Arrow and Feather."""

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.errors import FileError
from concordant.files.table import Column, Table
from concordant.files.understanding import Understood
from concordant.storage.source import check_fits, size_of
from concordant.wording import first_line

_PARQUET = Understood("parquet")
_ARROW = Understood("arrow")

#: That a number takes in memory: once as it is read, once in a partition.
BYTES = 16

_LEAST = 48  # bytes of a Parquet file that take no less of memory than a number does

#: Gives the parts of a file, from the first on.
Parts = Callable[[], Iterator[Table]]


def read_parquet(stream: io.BufferedReader, source: str) -> Table:
    """Read a table with all columns of a Parquet file."""
    _check_installed(source)
    import pyarrow.parquet

    check_fits(size_of(stream) // _LEAST, source)
    data = io.BytesIO(stream.read())
    with _blaming(source):
        facts = pyarrow.parquet.read_metadata(data)
    check_fits(facts.num_rows * facts.num_columns, source)
    data.seek(0)
    return _table(lambda: pyarrow.parquet.read_table(data), source, _PARQUET)


def read_arrow(stream: io.BufferedReader, source: str) -> Table:
    """Read a table from an Arrow file or stream; Feather files are Arrow files."""
    _check_installed(source)
    import pyarrow.ipc

    check_fits(size_of(stream) // 8, source)
    data = stream.read()
    if data.startswith(b"ARROW1"):
        return _table(lambda: pyarrow.ipc.open_file(data).read_all(), source, _ARROW)
    return _table(lambda: pyarrow.ipc.open_stream(data).read_all(), source, _ARROW)


def parquet_parts(path: str | Path, source: str, size: int) -> tuple[int, Parts]:
    """
    Open a Parquet file to read it in parts of `size` rows, the last one excepted.

    The number of rows, and a function that gives the parts from the first on.
    """
    _check_installed(source)
    import pyarrow.parquet

    with _blaming(source):
        n_rows = pyarrow.parquet.ParquetFile(path).metadata.num_rows
    return n_rows, lambda: _parts(
        lambda: pyarrow.parquet.ParquetFile(path, pre_buffer=False).iter_batches(size),
        source,
        size,
        _PARQUET,
    )


def arrow_parts(path: str | Path, source: str, size: int) -> tuple[int, Parts]:
    """
    Open an Arrow or Feather file to read it part by part, as `parquet_parts`.

    It is read, not mapped: a file that becomes shorter meanwhile would end the process.
    """
    _check_installed(source)
    with _blaming(source):
        n_rows = _n_arrow_rows(path)
    return n_rows, lambda: _parts(lambda: _arrow_batches(path), source, size, _ARROW)


def _n_arrow_rows(path: str | Path) -> int:
    import pyarrow
    import pyarrow.ipc

    with pyarrow.OSFile(str(path)) as file:
        if file.read(6) == b"ARROW1":
            reader = pyarrow.ipc.open_file(file)
            if hasattr(reader, "count_rows"):
                return int(reader.count_rows())
    return sum(batch.num_rows for batch in _arrow_batches(path))


def _arrow_batches(path: str | Path) -> Iterator[Any]:
    import pyarrow
    import pyarrow.ipc

    with pyarrow.OSFile(str(path)) as file:
        if file.read(6) == b"ARROW1":
            reader = pyarrow.ipc.open_file(file)
            for number in range(reader.num_record_batches):
                yield reader.get_batch(number)
        else:
            file.seek(0)
            yield from pyarrow.ipc.open_stream(file)


def _parts(
    batches: Callable[[], Iterator[Any]],
    source: str,
    size: int,
    understood: Understood,
) -> Iterator[Table]:
    """Give tables of so many rows each, however many the batches have."""
    import pyarrow

    with _blaming(source):
        before, held, waiting = 0, 0, []
        for batch in batches():
            waiting.append(pyarrow.Table.from_batches([batch]))
            held += batch.num_rows
            while held >= size:
                rows = pyarrow.concat_tables(waiting)
                yield _part(rows.slice(0, size), source, before, understood)
                before, held, waiting = before + size, held - size, [rows.slice(size)]
        if held:
            yield _part(pyarrow.concat_tables(waiting), source, before, understood)


def _part(rows: Any, source: str, before: int, understood: Understood) -> Table:
    return replace(_table(lambda: rows, source, understood), before=before)


@contextmanager
def _blaming(source: str) -> Iterator[None]:
    """Say of which file it is what pyarrow finds wrong."""
    try:
        yield
    except FileError:
        raise
    except FileNotFoundError as error:
        raise FileError(f"{source}: no such file") from error
    except Exception as error:  # a damaged file makes pyarrow raise of all kinds
        raise FileError(
            f"{source}: a damaged or foreign file ({first_line(error)})"
        ) from error


def _check_installed(source: str) -> None:
    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise FileError(
            f"{source}: Parquet, Arrow and Feather files need pyarrow: "
            "pip install concordant[arrow]"
        ) from error


def _table(read: Callable[[], Any], source: str, understood: Understood) -> Table:
    with _blaming(source):
        arrow = read()
        arrow.validate(full=True)
        if arrow.num_rows == 0 or arrow.num_columns == 0:
            raise FileError(f"{source}: is empty: it has no rows or no columns")
        columns = [
            _column(number, name, chunks, source)
            for number, (name, chunks) in enumerate(
                zip(arrow.column_names, arrow.columns, strict=True), start=1
            )
        ]
        return Table(source, tuple(columns), understood=understood)


def _column(number: int, name: str, chunks: Any, source: str) -> Column:
    import pyarrow.types as kinds

    numbers = (kinds.is_integer, kinds.is_floating, kinds.is_boolean)
    texts = (kinds.is_string, kinds.is_large_string, kinds.is_string_view)
    place = Column(number, name, np.empty(0), np.empty(0))
    if kinds.is_dictionary(chunks.type):
        chunks = chunks.cast(chunks.type.value_type)
    if any(is_kind(chunks.type) for is_kind in numbers):
        if chunks.null_count:
            cells = np.array(chunks.to_pylist(), dtype=object)
            return Column(number, name, cells, _with_gaps(cells))
        cells = np.asarray(chunks.to_numpy())
        return Column(number, name, cells, cells.astype(np.float64))
    if any(is_kind(chunks.type) for is_kind in texts):
        cells = np.array(chunks.to_pylist(), dtype=object)
        return Column(number, name, cells, np.full(cells.shape, np.nan))
    raise FileError(f"{source}, {place}: holds {chunks.type}, not numbers or text")


def _with_gaps(cells: NDArray[np.object_]) -> NDArray[np.float64]:
    """Give numbers, NaN where there are none."""
    known = (np.nan if cell is None else float(cell) for cell in cells)
    return np.fromiter(known, dtype=np.float64, count=len(cells))
