"""Two files larger than memory are read together, a part at a time."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.errors import FileError
from concordant.files.arrays import npy_parts
from concordant.files.columnar import Parts, columnar_parts
from concordant.files.formats import form_of
from concordant.files.identification import column_of_ids
from concordant.files.table import Table
from concordant.files.understanding import Understood
from concordant.wording import called, count, shown

#: Rows that are read at a time.
ROWS = 1 << 16

_BYTES = 16  # that a number takes: once as it is read, once in a partition
_FORMS = ("npy", "parquet", "arrow")


@dataclass(frozen=True)
class FileInParts:
    """
    A file that can be read a part at a time.

    It `holds_labels` if it has one column beside the ids; its parts have ids as text or
    whole numbers.
    """

    source: str
    n_rows: int
    has_ids: bool
    holds_labels: bool
    n_columns: int
    parts: Parts
    understood: Understood

    @property
    def n_bytes(self) -> int:
        """What it takes in memory, roughly."""
        return self.n_rows * self.n_columns * _BYTES


def can_be_read_in_parts(path: str | Path) -> bool:
    """Tell whether a path, other than "-", is Parquet, Arrow, Feather or ``.npy``."""
    return str(path) != "-" and form_of(path) in _FORMS


def open_in_parts(
    path: str | Path, *, id_column: str | int | None = None
) -> FileInParts:
    """
    Open a file to read it in parts of `ROWS` rows each but the last.

    Only the first has been read then; the column of ids that it has holds for all.
    """
    source = called(path)
    form = form_of(path)
    if form in ("parquet", "arrow"):
        n_rows, parts = columnar_parts(path, source, ROWS, form)
    elif form == "npy":
        n_rows, parts = npy_parts(path, source, ROWS)
    else:
        raise FileError(
            f"{source}: only Parquet, Arrow, Feather and .npy files can be read a part "
            "at a time"
        )
    first = next(parts(), None)
    if first is None:
        raise FileError(f"{source}: is empty: it has no rows or no columns")
    ids = column_of_ids(first, id_column)
    number = None if ids is None else ids.number
    rest = [each for each in first.columns if each is not ids]
    return FileInParts(
        source,
        n_rows,
        has_ids=ids is not None,
        holds_labels=len(rest) == 1,
        n_columns=len(first.columns),
        parts=lambda: (_with_ids(table, number) for table in parts()),
        understood=replace(
            first.understood,
            ids=None if ids is None else ids.title,
            columns=tuple(each.title for each in rest),
            holds="labels" if len(rest) == 1 else "memberships",
        ),
    )


def parts_of_both(P: FileInParts, Q: FileInParts) -> Iterator[tuple[Table, Table]]:
    """Give the same objects of two files, whose numbers of rows and ids must agree."""
    if P.n_rows != Q.n_rows:
        raise FileError(
            f"{P.source} has {count(P.n_rows, 'row')} and {Q.source} has {Q.n_rows}: "
            "they must describe the same objects"
        )
    for p, q in zip(P.parts(), Q.parts(), strict=True):
        _check_same_ids(p, q)
        yield replace(p, ids=None), replace(q, ids=None)


def _with_ids(table: Table, number: int | None) -> Table:
    table.check_nothing_missing()
    if number is None:
        return table
    column = table.column(number)
    return replace(table.without(column), ids=column.cells)


def _check_same_ids(p: Table, q: Table) -> None:
    if p.ids is None or q.ids is None or _equal(p.ids, q.ids):
        return
    pairs = zip(map(str, p.ids.tolist()), map(str, q.ids.tolist()), strict=True)
    for position, (one, other) in enumerate(pairs):
        if one != other:
            raise q.fault(
                f"the id is {shown(other)} where {p.source} has {shown(one)}; files "
                "that are read a part at a time need the same order: sort both by id",
                position,
            )


def _equal(one: NDArray[Any], other: NDArray[Any]) -> bool:
    return one.dtype == other.dtype and np.array_equal(one, other)
