"""ADMIXTURE's .Q files, whose individuals are named by a file beside them."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from concordant.errors import FileError, Keyword, Message, Setting
from concordant.files.lines import as_utf8, lines_of
from concordant.files.record import Format
from concordant.files.table import Table
from concordant.storage.source import opened
from concordant.wording import called, count

Q = Format(
    "Q",
    "rows of memberships between blanks (ADMIXTURE's .Q, fastSTRUCTURE's .meanQ)",
    "ids: from PLINK's .fam file by --ids FILE",
)


def read_ids(path: str | Path) -> NDArray[np.object_]:
    """
    Read ids, one per line; of PLINK's ``.fam`` files, the second column.

    If individuals of several families have the same name, their ids are both columns.
    """
    source = called(path)
    with opened(path) as stream:
        utf8, _ = as_utf8(stream, source, None)
        rows = [line.split() for line in lines_of(utf8, source) if line.strip()]
    widths = {len(row) for row in rows}
    if widths == {1}:
        return np.array([row[0] for row in rows], dtype=object)
    if widths != {6}:
        raise FileError(f"{source}: neither one id per line nor PLINK's six columns")
    names = [row[1] for row in rows]
    if len({*names}) < len(names):
        names = [f"{row[0]} {row[1]}" for row in rows]
    return np.array(names, dtype=object)


def with_ids_of(table: Table, path: str | Path) -> Table:
    """Return the table with the ids of another file."""
    if table.ids is not None:
        raise table.fault(Message("has ids already; leave out ", Keyword("ids")))
    ids = read_ids(path)
    if len(ids) != table.n_objects:
        raise table.fault(
            f"has {count(table.n_objects, 'object')} and {called(path)} has "
            f"{count(len(ids), 'id')}: each object needs one"
        )
    if len({*ids}) < len(ids):
        raise FileError(f"{called(path)}: an id occurs twice")
    understood = replace(table.understood, ids=Path(path).name)
    return replace(table, ids=ids, understood=understood)


def remark_on_ids(path: str | Path) -> tuple[Message, ...]:
    """Tell of a ``.fam`` file beside a ``.Q`` file, which has no ids itself."""
    place = Path(path)
    prefix = re.fullmatch(r"(.+?)(?:\.\d+)?\.(?:mean)?Q", place.name)
    if prefix is None or not place.with_name(f"{prefix[1]}.fam").is_file():
        return ()
    beside = called(place.with_name(f"{prefix[1]}.fam"))
    return (Message("no ids; ", Setting("ids", beside), " takes those beside it"),)
