"""Which column of a table holds the ids of the objects."""

from dataclasses import replace

import numpy as np

from concordant.errors import Message, Setting
from concordant.files.table import Column, Table, bare
from concordant.wording import shown

#: A column with such a name holds ids, unless it holds fractions.
_SURE = frozenset(
    {
        "id",
        "ids",
        "index",
        "key",
        "object_id",
        "rowname",
        "rownames",
        "sample_id",
        "__index_level_0__",  # what pandas calls an index without a name in Parquet
    }
)

#: These may be clusters, too: their columns hold ids if their cells can be.
_LIKELY = frozenset({"name", "names", "object", "objects", "sample"})

#: What columns of ids are called.
ID_NAMES = _SURE | _LIKELY


def with_ids(
    table: Table, id_column: str | int | None, *, chosen: bool = False
) -> Table:
    """
    Move the column of ids, if there is one, from the columns of a table to its ids.

    `id_column` is its name or number, 0 if there is none. None: the first column whose
    name is one of `ID_NAMES` and whose cells can be ids; else the first column of all,
    if it is the only one without a name, or if it holds text and its cells are distinct
    or all other columns hold numbers. A table of one column has no ids. If the columns
    to be read were named (`chosen`), text in others need not be ids. Each object must
    have an id of its own.
    """
    column = column_of_ids(table, id_column, chosen=chosen)
    if column is None:
        return table
    rest = table.without(column)
    ids = np.array([bare(str(cell)) for cell in column.cells.tolist()], dtype=object)
    if column.missing.any():
        first = int(np.argmax(column.missing))
        cell = ids[first].strip()
        raise table.fault(
            Message(
                f"a missing id ({cell}); " if cell else "an empty cell; ",
                Setting("id_column", 0),
                " matches objects by their position",
            ),
            first,
            column,
        )
    _check_distinct(table, column, ids.tolist())
    understood = replace(table.understood, ids=column.title)
    return replace(rest, ids=ids, understood=understood)


def column_of_ids(
    table: Table, id_column: str | int | None, *, chosen: bool = False
) -> Column | None:
    """Find the column of ids as `with_ids` does, and refuse what cannot be ids."""
    if id_column in (0, "0"):
        return None
    column = _found(table, chosen) if id_column is None else table.column(id_column)
    if column is not None and column.cells.dtype.kind not in "OUiub":
        raise table.fault("ids must be text or whole numbers", column=column)
    return column


def _found(table: Table, chosen: bool) -> Column | None:
    if len(table.columns) == 1:
        return None
    for column in table.columns:
        name = (column.name or "").strip().casefold()
        if name in _SURE and not _holds_fractions(column):
            return column
    first, *others = table.columns
    has_row_names = first.name == "" and all(column.name for column in others)
    for column in table.columns:
        name = (column.name or "").strip().casefold()
        if name in _LIKELY and _can_be_ids(column, table):
            # Beside row names, a column alone holds the labels, whatever its name is.
            return first if has_row_names and len(others) == 1 else column
    if has_row_names:
        return first
    if first.is_mostly_numbers:
        return None
    distinct = len(set(first.cells.tolist())) == table.n_objects
    told = not chosen and all(column.is_mostly_numbers for column in others)
    return first if distinct or told else None


def _holds_fractions(column: Column) -> bool:
    return column.is_numeric and not column.is_whole


def _can_be_ids(column: Column, table: Table) -> bool:
    """Tell ids from the memberships in a cluster that happens to be called so."""
    if column.is_mostly_numbers:
        distinct = {*column.cells.tolist()}
        if not column.is_whole or len(distinct) < table.n_objects:
            return False
        if column.numbers.min() >= 0.0 and column.numbers.max() <= 1.0:
            raise table.fault(
                Message(
                    "ids, or the memberships in a cluster? ",
                    Setting("id_column", column.name),
                    " says ids, ",
                    Setting("id_column", 0),
                    " says memberships",
                ),
                column=column,
            )
    return True


def _check_distinct(table: Table, column: Column, ids: list[str]) -> None:
    seen: dict[str, int] = {}
    for position, key in enumerate(ids):
        before = seen.setdefault(key, position)
        if before != position:
            raise table.fault(
                Message(
                    f"the id {shown(key)} already occurs in {table.row(before)}; ",
                    Setting("id_column", 0),
                    " says that these are not ids",
                ),
                position,
                column,
            )
