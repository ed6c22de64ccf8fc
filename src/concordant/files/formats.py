"""A file of any format becomes a Table, whole or a part at a time."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import Any

from concordant.errors import FileError, Setting, Wordings
from concordant.files.binary import count_rows, parts_of, read_binary
from concordant.files.columns import column_of_ids, with_ids
from concordant.files.programs import PROGRAMS, Format, read_as
from concordant.files.table import Missing, Reading, Table, Which
from concordant.files.text import open_text, read_text
from concordant.storage.source import SUFFIXES, expanded, opened
from concordant.wording import called, count, shown

#: What other files are: how their names end, what they say of ids, their first bytes.
_FORMS = (
    Format("text", ".csv .tsv .tab .txt", "ids: a column called id, or one of text"),
    Format("npy", ".npy", "no ids", starts=(b"\x93NUMPY",)),
    Format("npz", ".npz", "ids: an array called ids or the like", starts=(b"PK\3\4",)),
    Format("parquet", ".parquet .pq", "ids: as in text", starts=(b"PAR1",)),
    Format(
        "arrow",
        ".arrow .arrows .feather .ipc",
        "ids: as in text",
        starts=(b"ARROW1", b"\xff\xff\xff\xff"),
    ),
)

#: All formats that are read. Text is what is none of the others.
FORMATS = (*PROGRAMS, *_FORMS)

#: What converts files of other programs, by how their names end or how they begin.
_FOREIGN = {
    r"\.xls[xm]?\n": "an Excel workbook: save the sheet as CSV, or in Python "
    "pandas.read_excel('{source}').to_csv('sheet.csv', index=False) does so",
    r"\.h5ad\n": "an AnnData file: in Python, anndata.read_h5ad('{source}')"
    ".obs['leiden'].to_csv('leiden.csv') writes the labels called leiden",
    r"\.fam\n": "PLINK's list of individuals: --ids, or ids=, names those of a .Q so",
    r"\.(bed|bim|pgen)\n": "genotypes of PLINK: ADMIXTURE finds clusters in them, "
    "and its .Q holds the memberships",
    r".*\nUsing the parameter settings in the file": "CLUMPP's report of its settings, "
    "without memberships; its OUTFILE holds them",
    r".*\nEstimated Clustering Probabilities": "a file of TESS: awk -F'\\t\\t' "
    "'/^[0-9]+:/{{sub(/^[0-9]+:\\t/,\"\");print $1}}' {source} > {source}.Q "
    "converts it",
    r".*\n(?s:.)*RESULTS OF ADMIXTURE ANALYSIS": "a file of BAPS: sed -n "
    "'s/^[0-9]*:\\(.*\\):.*/\\1/p' {source} > {source}.Q converts it",
    r"\.(pkl|pickle|joblib|ods|numbers|rds|rda|rdata|mat|h5|hdf5|sav|dta|json|sas7bdat)\n|"
    r".*\n(%%MatrixMarket|\{|\[[\[({\"'])": "a file of another program: save it there "
    "as CSV, or in Python with numpy.save",
}

#: Rows that are read at a time.
ROWS = 1 << 16


def read_table(
    path: str | Path,
    *,
    id_column: Which = None,
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
    said = id_column, delimiter, header, array, skip, encoding
    reading = Reading(*said, missing=missing)
    return with_ids(read_columns(path, reading), id_column).complete(missing == "drop")


def read_columns(
    path: str | Path, reading: Reading, content: bytes | None = None
) -> Table:
    """
    Read all columns of a file as `read_runs` does, which must hold one run.

    If several, one of them must be said.
    """
    first, *others = read_runs(path, reading, content)
    if others:
        told = Setting("run", 1), f" or {first.source}#1 reads the first"
        raise first.fault(f"holds {1 + len(others)} runs; ", *told)
    return first


def read_runs(
    path: str | Path, reading: Reading, content: bytes | None = None
) -> list[Table]:
    """
    Read all columns of each run as they stand there, ids and missing values among them.

    `content` is what the file is about to hold, if it is not written yet.
    Raises `UnsettledHeadingError` if the first row of text may be a heading or an
    object.
    """
    run = reading.run
    if content is None:
        path, run = place_and_run(path, run)
    source = called(path)
    with _opened(path, content) as (stream, form, compression):
        if form != "text":
            tables = [read_binary(stream, source, form, reading)]
        else:
            text = open_text(stream, source, reading)
            known = None
            said = reading.delimiter, reading.header, reading.skip or None
            if said == (None, None, None) and text.sample:
                _refuse_foreign(_inner(path), source, text.sample)
                matching = (each for each in PROGRAMS if each.matches(text.sample))
                known = next(matching, None)
            tables = read_as(known, text, run) if known else [read_text(text, reading)]
    if run not in (None, 1) and tables[0].understood.run is None:
        raise FileError(f"{source}: holds one run; leave out ", Setting("run", run))
    return [table.noting(compression=compression) for table in tables]


def place_and_run(path: str | Path, run: int | None) -> tuple[str | Path, int | None]:
    """Return the file and the run that ``FILE#2`` means, if no file is called so."""
    found = re.fullmatch(r"(.+)#([0-9]{1,6})", str(path), re.DOTALL)
    if found is None or run is not None or "\0" in str(path) or Path(path).exists():
        return path, run
    return found[1], int(found[2])


def form_in_parts(path: str | Path) -> str | None:
    """Return the form, "npy", "parquet" or "arrow", if it can be read in parts."""
    if str(path) == "-":
        return None
    with _opened(place_and_run(path, None)[0]) as (_, form, compression):
        return None if form in ("text", "npz") or compression else form


@contextmanager
def _opened(
    path: str | Path, held: bytes | None = None
) -> Iterator[tuple[Any, str, str | None]]:
    """Open a file; give its content with its form, and how it was compressed."""
    source, inner = called(path), _inner(path)
    about: Any = opened(path) if held is None else BufferedReader(BytesIO(held))
    with about as stream:
        _refuse_foreign(inner, source)
        content, compression = expanded(stream, source)
        start = content.peek(8)
        found = [form.name for form in _FORMS if start.startswith(form.starts)]
        yield content, form_of(inner, *found), compression


def form_of(path: str | Path, *found: str) -> str:
    """Return the form that the name of a file says, or else what was `found`."""
    suffix = Path(path).suffix.casefold()
    said = (form.name for form in _FORMS if suffix in form.recognised.split())
    return next(said, [*found, "text"][0])


def _inner(path: str | Path) -> Path:
    """Take off what the name of a compressed file ends in."""
    name = Path(path)
    return name.with_suffix("") if name.suffix.casefold() in SUFFIXES else name


def _refuse_foreign(path: Path, source: str, sample: Sequence[str] = ()) -> None:
    """Refuse a file of another program, known by its name or its first lines."""
    what = foreign(path, sample)
    if what:
        raise FileError(f"{source}: {what.format(source=source)}")


def foreign(path: Path, sample: Sequence[str] = ()) -> str:
    """Return what a file of another program is and what converts it, or nothing."""
    start = f"{path.suffix.casefold()}\n" + "".join(sample[:5]).lstrip()
    found = (what for pattern, what in _FOREIGN.items() if re.match(pattern, start))
    return next(found, "")


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


def open_in_parts(path: str | Path, *, id_column: Which = None) -> FileInParts:
    """
    Open a file to read it in parts of `ROWS` rows each but the last.

    Only the first has been read then; the column of ids that it has holds for all.
    """
    source, form = called(path), form_in_parts(path)
    if form is None:
        why = "only Parquet, Arrow, Feather and .npy files can be read a part at a time"
        raise FileError(f"{source}: {why}", Wordings("", "; leave out --stream"))

    def tables() -> Iterator[Table]:
        # Read, not mapped: a file that becomes shorter would end the process.
        with opened(path) as stream:
            yield from parts_of(stream, source, form, ROWS)

    def with_ids(table: Table) -> Table:
        if ids is None:
            return table
        column = table.column(ids.number)
        rest, cells = table.without(column), column.spread(column.cells)
        return replace(rest, ids=cells).noting(ids=column.title)

    with opened(path) as stream:
        n_rows = count_rows(stream, source, form)
    first = next(tables())
    ids = column_of_ids(first, id_column)

    def parts() -> Iterator[Table]:
        return (with_ids(table.complete(drop=False)) for table in tables())

    return FileInParts(source, n_rows, with_ids(first), parts)


def parts_of_both(P: FileInParts, Q: FileInParts) -> Iterator[tuple[Table, Table]]:
    """Yield the same objects of two files, whose numbers of rows and ids must agree."""
    if P.n_rows != Q.n_rows:
        rows = f"{count(P.n_rows, 'row')} and {Q.source} has {Q.n_rows}"
        raise FileError(f"{P.source} has {rows}: they must describe the same objects")
    for p, q in zip(P.parts(), Q.parts(), strict=True):
        ids = [map(str, part.ids.tolist()) for part in (p, q) if part.ids is not None]
        for at, (there, here) in enumerate(zip(*ids, strict=True) if ids[1:] else ()):
            if there != here:
                what = f"the id is {shown(here)} where {p.source} has {shown(there)}; "
                raise q.fault(what, "sort both files by id", at=at)
        yield replace(p, ids=None), replace(q, ids=None)
