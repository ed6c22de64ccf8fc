"""A file of any format becomes a Table."""

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from concordant.errors import FileError, Setting
from concordant.files.admixture import Q, remark_on_ids
from concordant.files.arrays import read_numpy
from concordant.files.columnar import read_columnar
from concordant.files.foreign import (
    refuse_foreign,
    refuse_foreign_name,
    refuse_foreign_text,
)
from concordant.files.identification import with_ids
from concordant.files.lines import open_text
from concordant.files.mallet import MALLET
from concordant.files.record import Format, TextFormat, read_as
from concordant.files.structure import INDFILE, POPFILE, STRUCTURE
from concordant.files.summary import Missing, Reading
from concordant.files.table import Table
from concordant.files.text import read_text
from concordant.storage.compression import SUFFIXES, expanded
from concordant.storage.source import opened
from concordant.wording import called

#: All formats that are read. Text is tried last.
FORMATS = (
    STRUCTURE,
    INDFILE,
    POPFILE,
    MALLET,
    Q,
    Format(
        "text",
        ".csv, .tsv, .tab, .txt, and whatever is none of the others",
        "ids: a column called id, name or the like, or a first one of text",
    ),
    Format("npy", ".npy, its first bytes", "no ids"),
    Format(
        "npz",
        ".npz, its first bytes (sparse matrices of SciPy too)",
        "ids: an array called ids, names or the like",
    ),
    Format("parquet", ".parquet, .pq, its first bytes", "ids: as in text"),
    Format("arrow", ".arrow, .feather, .ipc, its first bytes", "ids: as in text"),
)
_BY_SUFFIX = {
    **dict.fromkeys([".csv", ".tsv", ".tab", ".txt"], "text"),
    **{".npy": "npy", ".npz": "npz", ".parquet": "parquet", ".pq": "parquet"},
    **dict.fromkeys([".arrow", ".arrows", ".feather", ".ipc"], "arrow"),
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
    skip: int = 0,
    encoding: str | None = None,
    missing: Missing | None = None,
) -> Table:
    r"""
    Read a table, one object per row.

    Parameters
    ----------
    path : str or Path
        A CSV or TSV file, ``.npy``, ``.npz``, Parquet (``.parquet``, ``.pq``), Arrow or
        Feather (``.arrow``, ``.feather``, ``.ipc``), compressed by gzip, bzip2, xz or
        zstd or not; ``"-"`` is standard input. The suffix determines the format;
        otherwise, and for standard input, the first bytes do.
    id_column : str, int or None, default=None
        The column that holds the ids of the objects, by its name or its number from
        1; 0 if there is none. Found by default: the first column that is called
        ``id``, ``name``, ``object``, ``sample``, ``index`` or the like; else the first
        of all, if it holds text and its cells are distinct or all other columns hold
        numbers.
    delimiter : str, optional
        What separates the cells of a text file: a character, or one of ``"tab"``,
        ``"semicolon"``, ``"comma"``, ``"bar"``, ``"space"`` (any number of blanks) and
        ``"none"`` (each line is one cell). Found by default.
    header : bool, optional
        Whether the first row of a text file names the columns. Found by default, and
        refused if both are possible.
    array : str, optional
        Which array of an ``.npz`` file to read; by default the only one beside ids.
    skip : int, default=0
        How many lines at the top of a text file to leave out.
    encoding : str, optional
        How the characters of a text file are encoded; UTF-8 by default, or as its
        byte order mark says.
    missing : {"drop"}, optional
        Leave out the objects of which a value is missing (an empty cell, ``NA``,
        ``NaN``, ``None``, ``NULL``, ``?`` and the like). By default they are refused.

    Returns
    -------
    Table
        Columns of numbers and text, and the ids as text. Its ``understood`` says what
        was decided.

    Raises
    ------
    FileError
        With a message of one line that says what is wrong and where.

    Notes
    -----
    Nothing is repaired: missing values, rows of different length and
    duplicate ids are refused. No pickled object is ever loaded. Blanks around a cell
    are not part of it.

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
    reading = Reading(
        id_column, delimiter, header, array, skip, encoding, missing=missing
    )
    return with_ids(read_columns(path, reading), id_column).complete(missing == "drop")


def read_columns(path: str | Path, reading: Reading) -> Table:
    """
    Read all columns of a file as they stand there, ids and missing values among them.

    Raises `UnsettledHeadingError` if the first row of text may be a heading or an
    object.
    """
    path, run = place_and_run(path, reading.run)
    source = called(path)
    with _opened(path, source) as (stream, compression):
        form = _form(path, stream)
        if form == "text":
            table = _read_text(path, stream, source, reading, run, compression)
        elif form in ("npy", "npz"):
            table = read_numpy(stream, source, reading)
        else:
            table = read_columnar(stream, source, form)
    if run not in (None, 1) and table.understood.run is None:
        raise FileError(
            f"{source}: holds one partition; leave out ", Setting("run", run)
        )
    return replace(table, understood=replace(table.understood, compression=compression))


def _read_text(
    path: str | Path,
    stream: io.BufferedReader,
    source: str,
    reading: Reading,
    run: int | None,
    compression: str | None,
) -> Table:
    own = None if compression or str(path) == "-" else Path(path)
    text = open_text(stream, source, reading.skip, reading.encoding, own)
    if reading.delimiter is None and reading.header is None and reading.skip == 0:
        refuse_foreign_text(text.sample, source)
        for form in FORMATS:
            if isinstance(form, TextFormat) and form.matches(text.sample or [""]):
                return read_as(form, text, run)
    tabs = _inner(path).suffix.casefold() in (".tsv", ".tab")
    table = read_text(text, reading, tabs)
    if reading.ids is None and own is not None:
        table = replace(table, remarks=(*table.remarks, *remark_on_ids(own)))
    return table


def place_and_run(path: str | Path, run: int | None) -> tuple[str | Path, int | None]:
    """Return the file and the run that ``FILE#2`` means, if no file is called so."""
    found = re.fullmatch(r"(.+)#([0-9]{1,6})", str(path), re.DOTALL)
    if found is None or run is not None or "\0" in str(path) or Path(path).exists():
        return path, run
    return found[1], int(found[2])


def form_of(path: str | Path) -> str:
    """
    Return the form of a file, not of standard input, by its suffix or first bytes.

    One of "text", "npy", "npz", "parquet", "arrow" and "compressed".
    """
    with _opened(place_and_run(path, None)[0], called(path)) as (stream, compression):
        return "compressed" if compression else _form(path, stream)


@contextmanager
def _opened(
    path: str | Path, source: str
) -> Iterator[tuple[io.BufferedReader, str | None]]:
    with opened(path) as stream:
        refuse_foreign_name(_inner(path), source)
        inner, compression = expanded(stream, source)
        refuse_foreign(_inner(path), inner, source)
        yield inner, compression


def _inner(path: str | Path) -> Path:
    """Take off what the name of a compressed file ends in."""
    name = Path(path)
    return name.with_suffix("") if name.suffix.casefold() in SUFFIXES else name


def _form(path: str | Path, stream: io.BufferedReader) -> str:
    start, by_suffix = stream.peek(8), _BY_SUFFIX.get(_inner(path).suffix.casefold())
    found = (form for magic, form in _BY_FIRST_BYTES.items() if start.startswith(magic))
    return by_suffix or next(found, "text")
