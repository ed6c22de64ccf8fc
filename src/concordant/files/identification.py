"""Which column of a table holds the ids of the objects."""

from dataclasses import replace

import numpy as np

from concordant.files.errors import shown
from concordant.files.table import Column, Table

#: A column with such a name holds ids.
ID_NAMES = frozenset(
    {
        "id",
        "ids",
        "index",
        "key",
        "name",
        "names",
        "object",
        "object_id",
        "objects",
        "rowname",
        "rownames",
        "sample",
        "sample_id",
        "__index_level_0__",  # what pandas calls an index without a name in Parquet
    }
)


def with_ids(table: Table, id_column: str | int | None) -> Table:
    """
    Move the column of ids from the columns of a table to its ids.

    Parameters
    ----------
    table : Table
        With all columns of the file.
    id_column : str, int or None
        The name or number of the column, 0 if there is none. None: the first column
        whose name is one of `ID_NAMES`; else the first column of all, if it is the
        only one without a name, or if it holds text and its cells are distinct or
        all other columns hold numbers. A table of one column has no ids.

    Returns
    -------
    Table
        The same one if no column holds ids.

    Raises
    ------
    FileError
        If two objects have the same id.
    """
    column = column_of_ids(table, id_column)
    if column is None:
        return table
    rest = table.without(column)
    ids = np.array([str(cell) for cell in column.cells.tolist()], dtype=object)
    _check_distinct(table, column, ids.tolist())
    return replace(rest, ids=ids)


def column_of_ids(table: Table, id_column: str | int | None) -> Column | None:
    """
    Find the column that holds ids.

    Parameters
    ----------
    table : Table
        With all columns of the file.
    id_column : str, int or None
        As in `with_ids`.

    Returns
    -------
    Column or None
        None if there is none.

    Raises
    ------
    FileError
        If it holds what cannot be ids.
    """
    if id_column in (0, "0"):
        return None
    column = _found(table) if id_column is None else table.column(id_column)
    if column is not None and column.cells.dtype.kind not in "OUiub":
        raise table.fault("ids must be text or whole numbers", column=column)
    return column


def _found(table: Table) -> Column | None:
    if len(table.columns) == 1:
        return None
    for column in table.columns:
        if column.name is not None and column.name.strip().casefold() in ID_NAMES:
            return column
    first, *others = table.columns
    if first.name == "" and all(column.name for column in others):
        return first
    if first.is_mostly_numbers:
        return None
    distinct = len(set(first.cells.tolist())) == table.n_objects
    return first if distinct or all(c.is_mostly_numbers for c in others) else None


def _check_distinct(table: Table, column: Column, ids: list[str]) -> None:
    seen: dict[str, int] = {}
    for position, key in enumerate(ids):
        before = seen.setdefault(key, position)
        if before != position:
            raise table.fault(
                f"the id {shown(key)} stands in {table.row(before)} already",
                position,
                column,
            )
