"""A file of any format becomes a Table, whole or a part at a time."""

import io
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from concordant.errors import FileError, Setting, Wordings
from concordant.files.binary import (
    columnar_parts,
    count_rows,
    npy_parts,
    read_columnar,
    read_numpy,
)
from concordant.files.columns import column_of_ids, with_ids
from concordant.files.delimited import read_text
from concordant.files.foreign import refuse_foreign, refuse_foreign_text
from concordant.files.genetics import (
    INDFILE,
    POPFILE,
    STRUCTURE,
    Q,
    remark_on_ids,
)
from concordant.files.lines import open_text
from concordant.files.mallet import MALLET, OLD_MALLET
from concordant.files.record import Format, read_as
from concordant.files.summary import Missing, Reading, ReadSummary
from concordant.files.table import Table
from concordant.storage.source import SUFFIXES, expanded, opened
from concordant.wording import called, count, shown

#: All formats that are read. Text is tried last.
FORMATS = (
    STRUCTURE,
    INDFILE,
    POPFILE,
    MALLET,
    OLD_MALLET,
    Q,
    Format(
        "text",
        ".csv, .tsv, .tab, .txt, and anything that is not listed here",
        "ids: a column called id, name or the like, or a first column of text",
    ),
    Format("npy", ".npy, or its first bytes", "no ids"),
    Format(
        "npz",
        ".npz, or its first bytes (sparse matrices of SciPy, too)",
        "ids: an array called ids, names or the like",
    ),
    Format("parquet", ".parquet, .pq, or its first bytes", "ids: as in text"),
    Format("arrow", ".arrow, .feather, .ipc, or its first bytes", "ids: as in text"),
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

#: Rows that are read at a time.
ROWS = 1 << 16

_BYTES = 16  # that a number takes: once as it is read, once in a partition


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
    source, inner = called(path), _inner(path)
    with _opened(path, source) as (stream, compression):
        form = _form(path, stream)
        if form == "text":
            own = None if compression or str(path) == "-" else Path(path)
            text = open_text(stream, source, reading.skip, reading.encoding, own)
            found = None
            if (
                reading.delimiter is None
                and reading.header is None
                and not reading.skip
            ):
                refuse_foreign_text(inner, text.sample, source)
                matching = (each for each in FORMATS if each.matches(text.sample))
                found = next(matching, None) if text.sample else None
            if found is not None:
                table = read_as(found, text, run)
            else:
                tabs = inner.suffix.casefold() in (".tsv", ".tab")
                table = read_text(text, reading, tabs)
                if own is not None and reading.ids is None:
                    remarks = (*table.remarks, *remark_on_ids(own))
                    table = replace(table, remarks=remarks)
        elif form in ("npy", "npz"):
            table = read_numpy(stream, source, reading)
        else:
            table = read_columnar(stream, source, form)
    if run not in (None, 1) and table.understood.run is None:
        raise FileError(
            f"{source}: holds one partition; leave out ", Setting("run", run)
        )
    return replace(table, understood=replace(table.understood, compression=compression))


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
        refuse_foreign(_inner(path), stream, source)
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


@dataclass(frozen=True)
class FileInParts:
    """
    A file that can be read a part at a time.

    The `first` part is as all `parts` are: with ids as text or whole numbers.
    """

    source: str
    n_rows: int
    first: Table
    parts: Callable[[], Iterator[Table]]

    @property
    def has_ids(self) -> bool:
        """Whether objects have ids."""
        return self.first.ids is not None

    @property
    def holds_labels(self) -> bool:
        """Whether it has one column beside the ids."""
        return len(self.first.columns) == 1

    @property
    def understood(self) -> ReadSummary:
        """What was decided about the file."""
        return self.first.summary()

    @property
    def n_bytes(self) -> int:
        """What it takes in memory, roughly."""
        return self.n_rows * (len(self.first.columns) + self.has_ids) * _BYTES


def can_be_read_in_parts(path: str | Path) -> bool:
    """Return whether a path, not "-", is Parquet, Arrow, Feather or ``.npy``."""
    return str(path) != "-" and form_of(path) in ("npy", "parquet", "arrow")


def open_in_parts(
    path: str | Path, *, id_column: str | int | None = None
) -> FileInParts:
    """
    Open a file to read it in parts of `ROWS` rows each but the last.

    Only the first has been read then; the column of ids that it has holds for all.
    """
    source = called(path)
    if not can_be_read_in_parts(path):
        raise FileError(
            f"{source}: only Parquet, Arrow, Feather and .npy files can be read a part "
            "at a time",
            Wordings("", "; leave out --stream"),
        )
    form = form_of(path)
    if form == "npy":
        n_rows, tables = npy_parts(path, source, ROWS)
    else:
        with open(path, "rb") as file:
            n_rows = count_rows(file, source, form)

        def tables() -> Iterator[Table]:
            # Read, not mapped: a file that becomes shorter would end the process.
            with open(path, "rb") as file:
                yield from columnar_parts(file, source, form, ROWS)

    first = next(tables())
    ids = column_of_ids(first, id_column)

    def with_ids(table: Table) -> Table:
        if ids is None:
            return table
        column = table.column(ids.number)
        understood = replace(table.understood, ids=column.title)
        return replace(table.without(column), ids=column.cells, understood=understood)

    return FileInParts(
        source,
        n_rows,
        with_ids(first),
        lambda: (with_ids(table.complete(drop=False)) for table in tables()),
    )


def parts_of_both(P: FileInParts, Q: FileInParts) -> Iterator[tuple[Table, Table]]:
    """Yield the same objects of two files, whose numbers of rows and ids must agree."""
    if P.n_rows != Q.n_rows:
        raise FileError(
            f"{P.source} has {count(P.n_rows, 'row')} and {Q.source} has {Q.n_rows}: "
            "they must describe the same objects"
        )
    for p, q in zip(P.parts(), Q.parts(), strict=True):
        if p.ids is not None and q.ids is not None:
            both = zip(map(str, p.ids.tolist()), map(str, q.ids.tolist()), strict=True)
            for at, (there, here) in enumerate(both):
                if there != here:
                    raise q.fault(
                        f"the id is {shown(here)} where {p.source} has {shown(there)}; "
                        "files that are read a part at a time need the same order: "
                        "sort both by id",
                        at=at,
                    )
        yield replace(p, ids=None), replace(q, ids=None)
