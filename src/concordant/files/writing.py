"""A matrix is written as a table."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from concordant.storage.atomic import write_bytes_atomically, write_text_atomically
from concordant.storage.source import blaming
from concordant.wording import called


def write_table(
    path: str | Path,
    matrix: NDArray[np.float64],
    *,
    names: Sequence[str],
    ids: Sequence[str] | NDArray[np.object_] | None = None,
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
        The header.
    ids : sequence of n str, optional
        Written as a first column called ``id``.

    Raises
    ------
    FileError
        If that is not possible; what was there before is still there.
    """
    suffix = Path(path).suffix
    if suffix.casefold() in (".parquet", ".pq"):
        stream = io.BytesIO()
        keys = {} if ids is None else {"id": [*map(str, ids)]}
        with blaming(called(path), "cannot be written"):
            import pyarrow.parquet

            table = pyarrow.table([*keys.values(), *matrix.T], [*keys, *names])
            pyarrow.parquet.write_table(table, stream)
        write_bytes_atomically(path, stream.getvalue())
        return
    mark = "\t" if suffix.casefold() in (".tsv", ".tab") else ","
    text = table_text(matrix, names=names, ids=ids, delimiter=mark)
    if suffix == ".Q":
        rows = (" ".join(f"{x:.6f}" for x in row) for row in matrix.tolist())
        text = "\n".join([*rows, ""])
    write_text_atomically(path, text)


def table_text(
    matrix: NDArray[np.float64],
    *,
    names: Sequence[str],
    ids: Sequence[str] | NDArray[np.object_] | None = None,
    delimiter: str = ",",
) -> str:
    r"""
    Return a matrix as the text of a table, with all digits of its numbers.

    Parameters
    ----------
    matrix : ndarray of shape (n, p)
        The numbers.
    names : sequence of p str
        The header.
    ids : sequence of n str, optional
        The first column, called ``id``.
    delimiter : str, default=","
        What separates two cells.

    Returns
    -------
    str
        n + 1 lines, each ended by LF.

    Examples
    --------
    >>> import numpy as np
    >>> from concordant.files import table_text
    >>> table_text(np.array([[0.1, 0.9]]), names=["x", "y"], ids=["Ann"])
    'id,x,y\nAnn,0.1,0.9\n'
    """
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
    keys = [[] for _ in matrix] if ids is None else [[key] for key in ids]
    writer.writerow([*["id"][: ids is not None], *names])
    rows = zip(keys, matrix.tolist(), strict=True)
    writer.writerows([*key, *row] for key, row in rows)
    return text.getvalue()
