"""Two files larger than memory are read together, a part at a time."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from concordant.errors import FileError
from concordant.files.arrays import npy_parts
from concordant.files.columnar import Parts, columnar_parts
from concordant.files.formats import form_of
from concordant.files.identification import column_of_ids
from concordant.files.summary import ReadSummary
from concordant.files.table import Table
from concordant.wording import called, count, shown

#: Rows that are read at a time.
ROWS = 1 << 16

_BYTES = 16  # that a number takes: once as it is read, once in a partition


@dataclass(frozen=True)
class FileInParts:
    """
    A file that can be read a part at a time.

    The `first` part is as all `parts` are: with ids as text or whole numbers.
    """

    source: str
    n_rows: int
    first: Table
    parts: Parts

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
        return replace(
            self.first.understood,
            columns=tuple(each.title for each in self.first.columns),
            holds="labels" if self.holds_labels else "memberships",
        )

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
            "at a time"
        )
    form = form_of(path)
    n_rows, parts = (
        npy_parts(path, source, ROWS)
        if form == "npy"
        else columnar_parts(path, source, ROWS, form)
    )
    first = next(parts(), None)
    if first is None:
        raise FileError(f"{source}: is empty: it has no rows or no columns")
    ids = column_of_ids(first, id_column)
    with_ids = partial(_with_ids, number=None if ids is None else ids.number)
    complete = partial(Table.complete, drop=False)
    return FileInParts(
        source,
        n_rows,
        with_ids(first),
        lambda: map(with_ids, map(complete, parts())),
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
            there, here = ([*map(str, each.tolist())] for each in (p.ids, q.ids))
            if there != here:
                first = next(i for i, each in enumerate(here) if each != there[i])
                raise q.fault(
                    f"the id is {shown(here[first])} where {p.source} has "
                    f"{shown(there[first])}; files that are read a part at a time need "
                    "the same order: sort both by id",
                    at=first,
                )
        yield replace(p, ids=None), replace(q, ids=None)


def _with_ids(table: Table, number: int | None) -> Table:
    if number is None:
        return table
    column = table.column(number)
    understood = replace(table.understood, ids=column.title)
    rest = table.without(column)
    return replace(rest, ids=column.cells, understood=understood)
