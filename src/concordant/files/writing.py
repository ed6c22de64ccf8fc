"""A matrix is written as a table."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from concordant.errors import FileError
from concordant.files.columns import ID_NAMES, with_ids
from concordant.files.formats import foreign, form_of, read_columns
from concordant.files.table import Reading, are_booleans, is_number, means_missing
from concordant.storage.atomic import write_bytes_atomically
from concordant.storage.source import SUFFIXES, blaming
from concordant.wording import called, shown

Ids = Sequence[str] | NDArray[np.object_]


def write_table(
    path: str | Path,
    matrix: NDArray[np.float64],
    *,
    names: Sequence[str],
    ids: Ids | None = None,
) -> None:
    """
    Write a matrix as a table that `read_table` reads back, bit for bit except for .Q.

    Parameters
    ----------
    path : str or Path
        Where to; a name in ``.parquet`` or ``.pq`` gets Parquet, one in ``.Q`` six
        decimals between blanks without names and ids, as ADMIXTURE writes them, one in
        ``.tsv`` or ``.tab`` tabs, any other commas.
    matrix : ndarray of shape (n, p)
        The numbers.
    names : sequence of p str
        The header. If one of them, such as ``0`` or ``NA``, would not be read as the
        name of a cluster, all begin with ``cluster_``.
    ids : sequence of n str, optional
        Written as a first column called ``id``.

    Raises
    ------
    FileError
        If that is not possible, or if ids or names would not be read back as they are;
        what was there before is still there.
    """
    check_table_name(path)
    suffix = Path(path).suffix
    if form_of(path) == "parquet":
        names, stream = _readable(names), io.BytesIO()
        keys = {} if ids is None else {"id": [*map(str, ids)]}
        with blaming(called(path), "cannot be written"):
            import pyarrow.parquet

            table = pyarrow.table([*keys.values(), *matrix.T], [*keys, *names])
            pyarrow.parquet.write_table(table, stream)
        content = stream.getvalue()
        _check_read_back(path, content, matrix, names, ids)
    elif suffix == ".Q":
        rows = (" ".join(f"{x:.6f}" for x in row) for row in matrix.tolist())
        content = "\n".join([*rows, ""]).encode()
    else:
        mark = "\t" if suffix.casefold() in (".tsv", ".tab") else ","
        content = _text(path, matrix, names, ids, mark).encode()
    write_bytes_atomically(path, content)


def check_table_name(path: str | Path) -> None:
    """Refuse the name of a file that would not be read as a table as it is written."""
    suffix, form = Path(path).suffix, form_of(path)
    is_compressed = suffix.casefold() in SUFFIXES
    if form not in ("text", "parquet") or is_compressed or foreign(Path(path)):
        others = "TSV (.tsv), Parquet (.parquet) or as ADMIXTURE does (.Q)"
        what = f"tables are written as CSV (.csv), {others}, not {suffix}"
        raise FileError(f"{called(path)}: {what}")


def table_text(
    matrix: NDArray[np.float64],
    *,
    names: Sequence[str],
    ids: Ids | None = None,
    delimiter: str = ",",
) -> str:
    r"""
    Return a matrix as the text of a table, with all digits of its numbers.

    Parameters
    ----------
    matrix : ndarray of shape (n, p)
        The numbers.
    names : sequence of p str
        The header, as `write_table` writes it.
    ids : sequence of n str, optional
        The first column, called ``id``.
    delimiter : str, default=","
        What separates two cells.

    Returns
    -------
    str
        n + 1 lines, each ended by LF.

    Raises
    ------
    FileError
        If ids or names would not be read back as they are.

    Examples
    --------
    >>> import numpy as np
    >>> from concordant.files import table_text
    >>> table_text(np.array([[0.1, 0.9]]), names=["x", "y"], ids=["Ann"])
    'id,x,y\nAnn,0.1,0.9\n'
    """
    return _text("the table", matrix, names, ids, delimiter)


def _text(
    path: str | Path,
    matrix: NDArray[np.float64],
    names: Sequence[str],
    ids: Ids | None,
    delimiter: str,
) -> str:
    names, text = _readable(names), io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
    keys = [[] for _ in matrix] if ids is None else [[key] for key in ids]
    writer.writerow([*["id"][: ids is not None], *names])
    rows = zip(keys, matrix.tolist(), strict=True)
    writer.writerows([*key, *row] for key, row in rows)
    content = text.getvalue().encode("utf-8", "surrogatepass")
    _check_read_back(path, content, matrix, names, ids)
    return text.getvalue()


def _readable(names: Sequence[str]) -> list[str]:
    """Return names of clusters that are read as such above memberships."""
    for name in names:
        is_id = name.strip().casefold() in ID_NAMES
        if is_id or is_number(name) or means_missing(name) or are_booleans([name]):
            return [f"cluster_{each}" for each in names]
    return [*names]


def _check_read_back(
    path: str | Path,
    content: bytes,
    matrix: NDArray[np.float64],
    names: Sequence[str],
    ids: Ids | None,
) -> None:
    """Refuse to write what would be read as something else."""
    source, written = called(path), [*map(str, [] if ids is None else ids), *names]
    try:
        table = with_ids(read_columns(path, Reading(), content), None)
        is_same = np.array_equal(table.matrix(), matrix)
    except FileError as error:
        what = str(error).removeprefix(source).lstrip(":, ").partition("; ")[0]
    else:
        keys = [] if table.ids is None else table.ids.tolist()
        read = [*keys, *(column.name for column in table.columns)]
        if is_same and read == written:
            return
        unlike = (pair for pair in zip(written, read, strict=False) if len({*pair}) > 1)
        what = "{} as {}".format(*map(shown, next(unlike, ("the table", "another"))))
    advice = "; choose other ids or names of clusters"
    raise FileError(f"{source}: would not be read back as written: {what}{advice}")
