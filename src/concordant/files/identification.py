"""Which columns of a table hold the ids of the objects, and which the partition."""

from dataclasses import replace

import numpy as np

from concordant.errors import Keyword, Setting
from concordant.files.summary import Reading
from concordant.files.table import Column, Table
from concordant.wording import shown

#: A column with such a name holds ids, unless it holds fractions. The last is what
#: pandas calls an index without a name in Parquet.
_SURE = {"id", "ids", "index", "key", "object_id", "sample_id", "rowname", "rownames"}
_SURE |= {"__index_level_0__"}

#: These may be clusters, too: their columns hold ids if their cells can be.
_LIKELY = {"name", "names", "object", "objects", "sample", "obs"}

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
    ids = column.texts()
    none = Setting("id_column", 0)
    if column.is_text and column.missing.any():
        first = int(np.argmax(column.missing))
        what = f"a missing id ({ids[first]})" if ids[first].strip() else "an empty cell"
        by_position = ("; ", none, " matches objects by their position")
        raise table.fault(what, *by_position, at=first, column=column)
    seen: dict[str, int] = {}
    for position, key in enumerate(ids):
        before = seen.setdefault(key, position)
        if before != position:
            what = f"the id {shown(key)} already occurs in {table.row(before)}; "
            no_ids = (none, " says that these are not ids")
            raise table.fault(what, *no_ids, at=position, column=column)
    understood = replace(table.understood, ids=column.title)
    return replace(rest, ids=np.array(ids, dtype=object), understood=understood)


def column_of_ids(
    table: Table, id_column: str | int | None, *, chosen: bool = False
) -> Column | None:
    """Return the column of ids as `with_ids` does, and refuse what cannot be ids."""
    if id_column in (0, "0") or (table.ids is not None and id_column is None):
        return None
    column = _found(table, chosen) if id_column is None else table.column(id_column)
    if column is not None and column.cells.dtype.kind not in "OUiub":
        raise table.fault("ids must be text or whole numbers", column=column)
    return column


def _found(table: Table, chosen: bool) -> Column | None:
    if len(table.columns) == 1:
        return None
    names = [(column.name or "").strip().casefold() for column in table.columns]
    for name, column in zip(names, table.columns, strict=True):
        if name in _SURE and (column.is_whole or np.isnan(column.numbers).any()):
            return column
    first, *others = table.columns
    has_row_names = first.name == "" and all(column.name for column in others)
    for name, column in zip(names, table.columns, strict=True):
        if name in _LIKELY and _can_be_ids(column, table):
            # Beside row names, a column alone holds the labels, whatever its name is.
            return first if has_row_names and len(others) == 1 else column
    if has_row_names:
        return first
    if first.is_mostly_numbers:
        return None
    distinct = len({*first.cells.tolist()}) == table.n_objects
    told = not chosen and all(column.is_mostly_numbers for column in others)
    return first if distinct or told else None


def _can_be_ids(column: Column, table: Table) -> bool:
    """Return whether a column holds ids, not memberships in a cluster called so."""
    if not column.is_mostly_numbers:
        return True
    if not column.is_whole or len({*column.cells.tolist()}) < table.n_objects:
        return False
    if column.numbers.min() >= 0.0 and column.numbers.max() <= 1.0:
        raise table.fault(
            "ids, or the memberships in a cluster? ",
            Setting("id_column", column.name),
            " says ids, ",
            Setting("id_column", 0),
            " says memberships",
            column=column,
        )
    return True


def selected(table: Table, reading: Reading) -> Table:
    """
    Keep the column that holds labels or those that hold memberships, and the ids.

    All columns beside the ids, which are found as by `with_ids`, if none was named.
    """
    column, columns = reading.column, reading.columns
    id_column = 0 if reading.transpose or reading.ids else reading.id_column
    if column is None and columns is None:
        return with_ids(table, id_column)
    wanted = [column] if column is not None else [*(columns or ())]
    if len(wanted) < (1 if columns is None else 2) or (columns and column is not None):
        raise table.fault(
            Keyword("column"),
            " names one column of labels, or ",
            Keyword("columns"),
            " two or more of memberships",
        )
    chosen = [table.column(which) for which in wanted]
    for each in chosen:
        if chosen.count(each) > 1:
            raise table.fault(f"column {each.number} is named twice")
    if id_column not in (None, 0, "0") and table.column(id_column) in chosen:
        raise table.fault("cannot hold the ids, too", column=table.column(id_column))
    # The ids are looked for beside the columns that were named.
    rest = (each for each in table.columns if each not in chosen)
    found = with_ids(replace(table, columns=(*rest, chosen[0])), id_column, chosen=True)
    if chosen[0] not in found.columns:
        raise table.fault("cannot hold the ids, too", column=chosen[0])
    return replace(
        table, columns=tuple(chosen), ids=found.ids, understood=found.understood
    )


def transposed(table: Table) -> Table:
    """
    Take rows as columns: one object per row, of a table with one cluster per row.

    The names of the columns become ids, and a column of names the names of the
    clusters.
    """
    columns = table.columns
    first, *others = columns
    without_name = first.name == "" and all(column.name for column in others)
    names: list[str] = []
    if others and (without_name or not first.is_mostly_numbers):
        names, columns = first.texts(), columns[1:]
    heading = all(column.name for column in columns)
    rows = []
    for position in range(table.n_objects):
        cells = np.array([column.cell(position) for column in columns], dtype=object)
        numbers = np.array([column.numbers[position] for column in columns])
        if not any(isinstance(cell, str) for cell in cells):
            cells = np.array(cells.tolist())
        name = names[position] if names else None
        rows.append(Column(position + 1, name, cells, numbers))
    ids = np.array([column.name for column in columns], dtype=object)
    return replace(
        table,
        columns=tuple(rows),
        ids=ids if heading else None,
        lines=None,
        understood=replace(
            table.understood, transposed=True, ids="heading" if heading else None
        ),
    )
