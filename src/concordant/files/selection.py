"""Which columns of a table hold the partition."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from concordant.errors import Keyword, Message
from concordant.files.identification import with_ids
from concordant.files.numbers import as_numbers
from concordant.files.table import Column, Table, bare


def selected(
    table: Table,
    *,
    id_column: str | int | None,
    column: str | int | None = None,
    columns: Sequence[str | int] | None = None,
) -> Table:
    """
    Keep the column that holds labels or those that hold memberships, and the ids.

    All columns beside the ids, which are found as by `with_ids`, if none was named.
    """
    if column is None and columns is None:
        return with_ids(table, id_column)
    if column is not None and columns is not None:
        raise table.fault(
            Message(
                Keyword("column"),
                " is for labels, ",
                Keyword("columns"),
                " for memberships: say one",
            )
        )
    wanted = [column] if columns is None else [*columns]
    chosen = [table.column(which) for which in wanted if which is not None]
    twice = {each.number for each in chosen if chosen.count(each) > 1}
    if twice:
        raise table.fault(f"column {min(twice)} is named twice")
    if columns is not None and len(chosen) < 2:
        raise table.fault(
            Message(
                "memberships need one column per cluster, but only one is named; "
                "labels are read by ",
                Keyword("column"),
            )
        )
    numbers = [each.number for each in chosen]
    rest = [each for each in table.columns if each.number not in numbers]
    found = None
    if rest:
        # The ids are looked for beside the columns that were named.
        aside = replace(table, columns=(*rest, chosen[0]))
        found = with_ids(aside, id_column, chosen=True)
        if chosen[0] not in found.columns:
            raise table.fault("cannot hold the ids and the labels", column=chosen[0])
    elif id_column not in (None, 0, "0"):
        raise table.fault("is named as the ids, too", column=table.column(id_column))
    understood = table.understood if found is None else found.understood
    return replace(
        table,
        columns=tuple(chosen),
        ids=None if found is None else found.ids,
        understood=understood,
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
    if others and (without_name or not first.is_mostly_numbers):
        names = [bare(str(cell)) for cell in columns[0].cells.tolist()]
        columns = columns[1:]
    else:
        names = []
    cells = np.empty((len(columns), table.n_objects), dtype=object)
    for position, column in enumerate(columns):
        cells[position] = column.cells
    heading = all(column.name for column in columns)
    text = any(column.is_text for column in columns)
    rows = []
    for position, row in enumerate(cells.T):
        number = position + 1
        name = names[position] if names else None
        if text:
            rows.append(Column(number, name, row, as_numbers([*map(str, row)])))
        else:
            row = np.array(row.tolist())
            rows.append(Column(number, name, row, row.astype(np.float64)))
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
