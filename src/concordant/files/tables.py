"""A file of any format becomes a Table."""

import io
from pathlib import Path

from concordant.files.arrays import read_npy, read_npz
from concordant.files.columnar import read_arrow, read_parquet
from concordant.files.delimited import read_delimited
from concordant.files.errors import called
from concordant.files.identification import with_ids
from concordant.files.source import opened
from concordant.files.table import Table, check_nothing_missing

_BY_SUFFIX = {
    ".csv": "text",
    ".tsv": "text",
    ".tab": "text",
    ".txt": "text",
    ".npy": "npy",
    ".npz": "npz",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".arrows": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
}
_BY_FIRST_BYTES = {
    b"\x93NUMPY": "npy",
    b"PK\x03\x04": "npz",
    b"PAR1": "parquet",
    b"ARROW1": "arrow",
    b"\xff\xff\xff\xff": "arrow",
}


def read_table(
    path: str | Path,
    *,
    id_column: str | int | None = None,
    delimiter: str | None = None,
    header: bool | None = None,
    array: str | None = None,
) -> Table:
    r"""
    Read a table, one object per row.

    Parameters
    ----------
    path : str or Path
        A CSV or TSV file, ``.npy``, ``.npz``, Parquet (``.parquet``, ``.pq``), Arrow
        or Feather (``.arrow``, ``.feather``, ``.ipc``); ``"-"`` is standard input.
        The suffix tells the format; with none of these, and from standard input, the
        first bytes do.
    id_column : str, int or None, default=None
        The column that holds the ids of the objects, by its name or its number from
        1; 0 if there is none. Found by default: the first column that is called
        ``id``, ``name``, ``object``, ``sample``, ``index`` or the like; else the first
        of all, if it holds text and its cells are distinct or all other columns hold
        numbers.
    delimiter : str, optional
        What stands between the cells of a text file. Found by default among tab,
        semicolon and comma.
    header : bool, optional
        Whether the first row of a text file names the columns. Found by default: it
        does if its cells are not numbers where those below are.
    array : str, optional
        Which array of an ``.npz`` file to read; by default the only one beside ids.

    Returns
    -------
    Table
        Columns of numbers and text, and the ids as text.

    Raises
    ------
    FileError
        With a message of one line that says what is wrong and where.

    Notes
    -----
    Nothing is repaired: an empty cell, a NaN, a row of another length, an id that
    stands twice are refused. No pickled object is ever loaded.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from concordant.files import read_table
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "data.csv")
    ...     _ = path.write_text("name,x,y\nAnn,1,2.5\nBob,0,1e3\n")
    ...     table = read_table(path)
    >>> table.ids.tolist()
    ['Ann', 'Bob']
    >>> table.matrix().tolist()
    [[1.0, 2.5], [0.0, 1000.0]]
    """
    source = called(path)
    suffix = Path(path).suffix.casefold()
    with opened(path) as stream:
        form = _form(path, stream)
        if form == "npy":
            table = read_npy(stream, source)
        elif form == "npz":
            table = read_npz(stream, source, array=array)
        elif form == "parquet":
            table = read_parquet(stream, source)
        elif form == "arrow":
            table = read_arrow(stream, source)
        else:
            if delimiter is None and suffix in (".tsv", ".tab"):
                delimiter = "\t"
            table = read_delimited(stream, source, delimiter=delimiter, header=header)
    check_nothing_missing(table)
    return with_ids(table, id_column)


def form_of(path: str | Path) -> str:
    """
    Tell the format of a file.

    Parameters
    ----------
    path : str or Path
        The file, not standard input.

    Returns
    -------
    {"text", "npy", "npz", "parquet", "arrow"}
        By its suffix, or its first bytes.
    """
    with opened(path) as stream:
        return _form(path, stream)


def _form(path: str | Path, stream: io.BufferedReader) -> str:
    by_suffix = _BY_SUFFIX.get(Path(path).suffix.casefold())
    return by_suffix or _by_first_bytes(stream.peek(8))


def _by_first_bytes(start: bytes) -> str:
    for magic, form in _BY_FIRST_BYTES.items():
        if start.startswith(magic):
            return form
    return "text"
