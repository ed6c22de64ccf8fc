"""Which columns of a table hold ids, labels and memberships."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.errors import FileError, Keyword, Piece, Setting
from concordant.files.numbers import are_booleans
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

_LABELS = (
    "category class classes cluster cluster_id cluster_label clusters community "
    "component group groups label labels partition species target truth type"
)

#: What columns of labels are called.
LABEL_NAMES = frozenset(_LABELS.split())

_SKIPPING = 2.0**53  # from here on, doubles leave out integers
_PLAIN = re.compile(r"0|-?[1-9][0-9]{0,3999}")
_AS_FLOAT = re.compile(r"-?(?:0|[1-9][0-9]*)\.[0-9]*(?:[eE][+-]?[0-9]+)?")
_SEVERAL_NUMBERS = re.compile(r"[0-9][.,][0-9]+[^0-9.,]+[0-9]*[.,][0-9]")
_TYPE = (
    "continuous|discrete|string|time|class|meta|ignore|nominal|numeric|categorical|text"
    "|char|varchar|integer|double"
)
#: A second heading, of an id and a label: rules, or types of columns.
_SECOND = re.compile(
    rf".*\t(?:[-=+|: ]{{2,}}|{_TYPE})|(?:{_TYPE}|[cdstmi])\t[cdstmi]",
    re.IGNORECASE | re.DOTALL,
)
_FOOTER = re.compile(
    r"\(?[0-9]+ (rows?|records?)\b.*|Levels: .*|Done\.?|Total\b.*|Query OK.*|\x1a",
    re.IGNORECASE,
)


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
    has_row_names = _has_row_names(table)
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


def _has_row_names(table: Table) -> bool:
    """Return whether the first column is the only one without a name."""
    first, *others = table.columns
    return first.name == "" and all(column.name for column in others)


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
    return replace(found, columns=tuple(chosen))


def transposed(table: Table) -> Table:
    """
    Take rows as columns: one object per row, of a table with one cluster per row.

    The names of the columns become ids, and a column of names the names of the
    clusters.
    """
    columns = table.columns
    first, *others = columns
    names: list[str | None] = [None] * table.n_objects
    if others and (_has_row_names(table) or not first.is_mostly_numbers):
        names, columns = [*first.texts()], columns[1:]
    rows = zip(*(column.cells.tolist() for column in columns), strict=True)
    turned: list[Column] = []
    for number, (name, row) in enumerate(zip(names, rows, strict=True), start=1):
        is_text = any(isinstance(cell, str) for cell in row)
        cells = np.array(row, dtype=object if is_text else None)
        turned.append(replace(columns[0], number=number, name=name, cells=cells))
    ids = [column.name for column in columns]
    return replace(
        table,
        columns=tuple(turned),
        ids=np.array(ids, dtype=object) if all(ids) else None,
        lines=None,
        understood=replace(
            table.understood, transposed=True, ids="heading" if all(ids) else None
        ),
    )


def labels_of(
    table: Table, column: Column, *, offered: bool = True
) -> tuple[NDArray[Any], tuple[Piece, ...]]:
    """
    Return the labels in a column, and remarks on them.

    Plain decimal integers are integers, to the last digit; so are whole numbers that
    are all written as floats, if no two that look different are equal. Anything else is
    text, without the blanks around it, as all is if the table says so; that this can be
    said is told if it is `offered`. Refused are fractions, text that is not
    likely to be labels, what looks like a second heading or a footer, and labels of
    which no two are the same.
    """
    if table.as_text:
        return np.array(column.texts(), dtype=object), ()

    def fault(position: int | None, *what: Piece) -> FileError:
        told = ("; ", Setting("labels_as_text", True), " takes labels as text")
        return table.fault(*what, *told[: 3 * offered], at=position, column=column)

    numbers = column.numbers
    known = ~np.isnan(numbers)
    labels = _integers(column)
    odd = known & ((np.abs(numbers) >= _SKIPPING) | (numbers != np.floor(numbers)))
    if labels is None and odd.any() and column.is_mostly_numbers:
        first = int(np.argmax(odd))
        raise fault(
            first,
            f"found {numbers[first]:g}, but labels are whole numbers or text; "
            "memberships need one column per cluster",
        )
    texts = column.texts() if column.is_text else []
    if stray := _stray(table, column, texts):
        raise fault(*stray)
    remarks: tuple[Piece, ...] = ()
    if labels is None:
        for label in dict.fromkeys(texts):
            if len(label) < 1000 and _SEVERAL_NUMBERS.search(label):
                raise fault(
                    texts.index(label),
                    f"found {shown(label)}, where one label is expected; ",
                    Keyword("delimiter"),
                    " says what separates cells",
                )
        labels = np.array(texts, dtype=object)
        if known.any() and not known.all() and column.is_mostly_numbers:
            first = int(np.argmin(known))
            remarks = (
                f"the label {shown(texts[first])} ({table.row(first)}) stands among "
                "whole numbers: all labels are taken as text",
            )
    # A later part of a file says nothing: others may have the same labels.
    if not table.before and len({*labels.tolist()}) == len(labels) > 2:
        raise fault(
            None,
            f"no label occurs twice (the first is {shown(labels.tolist()[0])}), so "
            "each object would be a cluster of its own",
        )
    return labels, remarks


def _integers(column: Column) -> NDArray[Any] | None:
    """Return integers if no label is lost that way."""
    numbers = column.numbers
    if column.cells.dtype.kind in "biu":
        return column.cells
    if np.isnan(numbers).any() or column.is_boolean:
        return None
    texts = column.texts() if column.is_text else []
    distinct = {*texts}
    if distinct and all(map(_PLAIN.fullmatch, distinct)):
        known = {text: int(text) for text in distinct}
        small = len(max(distinct, key=len)) < 16
        return np.array(
            [known[text] for text in texts], dtype="i8" if small else object
        )
    if not column.is_whole or (np.abs(numbers) >= _SKIPPING).any():
        return None
    same = len(distinct) == np.unique(numbers).size
    if distinct and not (same and all(map(_AS_FLOAT.fullmatch, distinct))):
        return None
    return numbers.astype(np.int64)


def _stray(table: Table, column: Column, texts: list[str]) -> tuple[Any, ...]:
    """Return where a second heading or a footer stands among labels, and a remedy."""
    if table.lines is None or table.before or len(texts) < 3:
        return ()
    ids = [""] * len(texts) if table.ids is None else table.ids.tolist()

    def is_stray(position: int, pattern: re.Pattern[str], text: str) -> bool:
        alone = column.is_mostly_numbers and np.isnan(column.numbers[position])
        once = texts.count(texts[position]) == 1
        return once and bool(alone or pattern.fullmatch(text))

    heads = [is_stray(i, _SECOND, f"{ids[i]}\t{texts[i]}") for i in (0, 1)]
    heads[0] |= are_booleans(texts[1:]) and not are_booleans(texts[:1])
    found = f"found {shown(texts[0])}, "
    named = texts[0].casefold() in LABEL_NAMES or ids[0].casefold() in ID_NAMES
    if named and texts.count(texts[0]) == 1:
        skip = Setting("skip", table.line(0) - 1)
        return 0, found, "the heading, below something else? ", skip, " begins with it"
    if heads[0]:
        skip = Setting("skip", table.line(int(heads[1])))
        leaving = (skip, " with ", Setting("header", False), " leaves it out")
        return 0, found, "a second heading? ", *leaving
    last = len(texts) - 1
    for text in (texts[last], ids[last]):
        if is_stray(last, _FOOTER, text):
            return last, f"found {shown(text)}, a footer? remove that line"
    return ()
