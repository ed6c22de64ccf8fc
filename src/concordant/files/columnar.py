"""Apache's formats: Parquet, Arrow and Feather."""

import io
from collections.abc import Callable
from typing import Any

import numpy as np

from concordant.files.errors import FileError, first_line
from concordant.files.table import Column, Table


def read_parquet(stream: io.BufferedReader, source: str) -> Table:
    """
    Read a table from a Parquet file.

    Parameters
    ----------
    stream : io.BufferedReader
        The file.
    source : str
        What messages call it.

    Returns
    -------
    Table
        With all columns.

    Raises
    ------
    FileError
        If it is not such a file, or pyarrow is not installed.
    """
    _check_installed(source)
    import pyarrow.parquet

    data = io.BytesIO(stream.read())
    return _table(lambda: pyarrow.parquet.read_table(data), source)


def read_arrow(stream: io.BufferedReader, source: str) -> Table:
    """
    Read a table from an Arrow file or stream; Feather files are Arrow files.

    Parameters
    ----------
    stream : io.BufferedReader
        The file.
    source : str
        What messages call it.

    Returns
    -------
    Table
        With all columns.

    Raises
    ------
    FileError
        If it is not such a file, or pyarrow is not installed.
    """
    _check_installed(source)
    import pyarrow.ipc

    data = stream.read()
    if data.startswith(b"ARROW1"):
        return _table(lambda: pyarrow.ipc.open_file(data).read_all(), source)
    return _table(lambda: pyarrow.ipc.open_stream(data).read_all(), source)


def _check_installed(source: str) -> None:
    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise FileError(
            f"{source}: Parquet, Arrow and Feather files need pyarrow: "
            "pip install concordant[arrow]"
        ) from error


def _table(read: Callable[[], Any], source: str) -> Table:
    try:
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
    except FileError:
        raise
    except Exception as error:  # a damaged file makes pyarrow raise of all kinds
        raise FileError(
            f"{source}: a damaged or foreign file ({first_line(error)})"
        ) from error
    return Table(source, tuple(columns))


def _column(number: int, name: str, chunks: Any, source: str) -> Column:
    import pyarrow.types as kinds

    numbers = (kinds.is_integer, kinds.is_floating, kinds.is_boolean)
    texts = (kinds.is_string, kinds.is_large_string, kinds.is_string_view)
    place = Column(number, name, np.empty(0), np.empty(0))
    if chunks.null_count:
        row = chunks.is_null().index(True).as_py() + 1
        raise FileError(f"{source}, row {row}, {place}: a missing value (null)")
    if kinds.is_dictionary(chunks.type):
        chunks = chunks.cast(chunks.type.value_type)
    if any(is_kind(chunks.type) for is_kind in numbers):
        cells = np.asarray(chunks.to_numpy())
        return Column(number, name, cells, cells.astype(np.float64))
    if any(is_kind(chunks.type) for is_kind in texts):
        cells = np.array(chunks.to_pylist(), dtype=object)
        return Column(number, name, cells, np.full(cells.shape, np.nan))
    raise FileError(f"{source}, {place}: holds {chunks.type}, not numbers or text")
