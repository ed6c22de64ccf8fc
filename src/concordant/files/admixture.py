"""ADMIXTURE's .Q files, whose individuals are named by a file beside them."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np

from concordant.errors import FileError, Keyword, Message, Setting
from concordant.files.lines import open_text
from concordant.files.record import Format
from concordant.files.table import Table
from concordant.storage.source import opened
from concordant.wording import called, count

Q = Format(
    "Q",
    "rows of memberships between blanks (ADMIXTURE's .Q, fastSTRUCTURE's .meanQ)",
    "ids: from PLINK's .fam file by --ids FILE",
)


def with_ids_of(table: Table, path: str | Path) -> Table:
    """
    Return the table with the ids of another file.

    They stand one per line; in PLINK's ``.fam`` files, in the second column, or if
    individuals of several families have the same name, in both.
    """
    if table.ids is not None:
        raise table.fault("has ids already; leave out ", Keyword("ids"))
    source = called(path)
    with opened(path) as stream:
        lines = open_text(stream, source).lines()
        rows = [line.split() for line in lines if line.strip()]
    widths = {len(row) for row in rows}
    if widths not in ({1}, {6}):
        raise FileError(f"{source}: neither one id per line nor PLINK's six columns")
    ids = [row[min(1, len(row) - 1)] for row in rows]
    if len({*ids}) < len(ids):
        ids = [" ".join(row[:2]) for row in rows]
    if len(ids) != table.n_objects:
        raise table.fault(
            f"has {count(table.n_objects, 'object')} and {source} has "
            f"{count(len(ids), 'id')}: each object needs one"
        )
    if len({*ids}) < len(ids):
        raise FileError(f"{source}: an id occurs twice")
    understood = replace(table.understood, ids=Path(path).name)
    return replace(table, ids=np.array(ids, dtype=object), understood=understood)


def remark_on_ids(path: Path) -> tuple[Message, ...]:
    """Tell of a ``.fam`` file beside a ``.Q`` file, which has no ids itself."""
    prefix = re.fullmatch(r"(.+?)(?:\.\d+)?\.(?:mean)?Q", path.name)
    if prefix is None or not path.with_name(f"{prefix[1]}.fam").is_file():
        return ()
    beside = called(path.with_name(f"{prefix[1]}.fam"))
    return (Message("no ids; ", Setting("ids", beside), " takes those beside it"),)
