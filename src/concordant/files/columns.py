"""Which columns of a table hold ids, labels and memberships."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.errors import Keyword, Piece, Setting
from concordant.files.table import (
    Column,
    Reading,
    Table,
    Which,
    are_booleans,
)
from concordant.partition.ids import are_distinct
from concordant.partition.labels import Coded
from concordant.wording import shown

#: A column with such a name holds ids, unless it holds fractions. The last is what
#: pandas calls an index without a name in Parquet.
_SURE = {"id", "ids", "index", "key", "object_id", "sample_id", "rowname", "rownames"}
_SURE |= {"__index_level_0__"}

#: These may be clusters, too: their columns hold ids if their cells can be. The last
#: is what pandas calls row names that it read.
_LIKELY = {"name", "names", "object", "objects", "sample", "obs", "unnamed: 0"}

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
#: A second heading: rules, or the types of columns that Orange writes.
_SECOND = re.compile(
    r"[-=+|: ]{2,}|continuous|discrete|string|time|class|meta|ignore|nominal|numeric",
    re.IGNORECASE,
)
_FOOTER = re.compile(
    r"\(?[0-9]+ (rows?|records?)\b.*|Levels: .*|Done\.?|Total\b.*|Query OK.*|\x1a",
    re.IGNORECASE,
)


def with_ids(table: Table, id_column: Which, chosen: bool = False) -> Table:
    """
    Move the column of ids, if there is one, from the columns of a table to its ids.

    `id_column` is its name or number, 0 if there is none, None if the rules of
    ``docs/files.md`` decide. If the columns to be read were named (`chosen`), text in
    others need not be ids.
    """
    column = column_of_ids(table, id_column, chosen)
    if column is None:
        return table
    rest, ids = table.without(column), column.spread(column.texts())
    which = ", with ", Keyword("column"), " or ", Keyword("columns"), " of the others,"
    by_position = "; ", Setting("id_column", 0), *which, " matches objects by position"
    if column.is_text and column.missing.any():
        first = int(np.argmax(column.missing))
        what = f"a missing id ({str(ids[first]).strip() or 'empty'})"
        raise table.fault(what, *by_position, at=first, column=column)
    seen: dict[str, int] = {}
    for position, key in enumerate(() if are_distinct(ids) else ids.tolist()):
        if seen.setdefault(key, position) != position:
            what = f"the id {shown(key)} already occurs in {table.row(seen[key])}"
            raise table.fault(what, *by_position, at=position, column=column)
    return replace(rest, ids=ids).noting(ids=column.title)


def column_of_ids(table: Table, which: Which, chosen: bool = False) -> Column | None:
    """Return the column of ids as `with_ids` does, and refuse what cannot be ids."""
    if which in (0, "0") or (table.ids is not None and which is None):
        return None
    column = _found(table, chosen) if which is None else table.column(which)
    if column is not None and column.cells.dtype.kind not in "OUiub":
        raise table.fault("ids must be text or whole numbers", column=column)
    return column


def _found(table: Table, chosen: bool) -> Column | None:
    first, *others = table.columns
    if not others:
        return None
    has_row_names, likely = _has_row_names(table), []
    for column in table.columns:
        name = (column.name or "").strip().casefold()
        if name in _SURE and (column.is_whole or np.isnan(column.numbers).any()):
            return column
        if name in _LIKELY and _can_be_ids(column):
            likely.append(column)
    # Beside row names, a column alone holds the labels, whatever its name is.
    if likely and not (has_row_names and len(others) == 1):
        return likely[0]
    if has_row_names:
        return first
    told = not chosen and all(column.is_mostly_numbers for column in others)
    is_text = not first.is_mostly_numbers
    return first if is_text and (told or first.is_distinct) else None


def _has_row_names(table: Table) -> bool:
    """Return whether the first column is the only one without a name."""
    first, *others = table.columns
    return first.name == "" and all(column.name for column in others)


def _can_be_ids(column: Column) -> bool:
    """Return whether a column holds ids, not memberships in a cluster called so."""
    counts = column.is_whole and column.values.max() > 1.0 and column.is_distinct
    return counts or not column.is_mostly_numbers


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
    listed = isinstance(columns, list | tuple) and len(columns) > 1
    if columns is not None and (column is not None or not listed):
        several = Keyword("columns"), " is a list of two or more of memberships"
        raise table.fault(Keyword("column"), " names one of labels, or ", *several)
    chosen = [table.column(which) for which in wanted]
    for each in chosen:
        if chosen.count(each) > 1:
            raise table.fault(f"column {each.number} is named twice")
    # The ids are looked for beside the columns that were named.
    rest = (each for each in table.columns if each not in chosen)
    found = with_ids(replace(table, columns=(*rest, chosen[0])), id_column, True)
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
        names, columns = first.spread(first.texts()).tolist(), columns[1:]
    cells = (column.spread(column.cells).tolist() for column in columns)
    rows = zip(*(map(str, each) for each in cells), strict=True)
    turned = tuple(
        Column(k, name, np.array(row, dtype=object), first.mark or ".")
        for k, (name, row) in enumerate(zip(names, rows, strict=True), 1)
    )
    ids, lines = [column.name for column in columns], np.arange(1, 1 + len(columns))
    keys = np.array(ids, dtype=object) if all(ids) else None
    found = replace(table, columns=turned, ids=keys, lines=lines, unit="column")
    return found.noting(transposed=True, ids=None if keys is None else "heading")


def labels_of(
    table: Table, column: Column
) -> tuple[NDArray[Any] | Coded, tuple[Piece, ...]]:
    """
    Return the labels in a column, and remarks on them.

    What are integers, what is text and what is refused, ``docs/files.md`` says.
    """
    texts = column.texts().tolist() if column.is_text or column.as_text else []
    if column.as_text:
        return _of_rows(column, np.array(texts, dtype=object)), ()
    numbers, labels = column.values, _integers(column, texts)
    known = ~np.isnan(numbers)
    remarks: tuple[Piece, ...] = ()
    if labels is None:
        odd = known & ((np.abs(numbers) >= _SKIPPING) | (numbers != np.floor(numbers)))
        odd &= column.is_mostly_numbers
        several = {text for text in {*texts} if _SEVERAL_NUMBERS.search(text[:1000])}
        odd |= [text in several for text in texts] if several else False
        if odd.any():
            first = int(np.argmax(column.spread(odd)))
            found = f"found {shown(column.cell(first))}, but labels are whole numbers "
            need = "or text; memberships need one column per cluster, and "
            divided = Keyword("delimiter"), " says what separates columns"
            raise table.fault(found, need, *divided, at=first, column=column)
    _check_stray(table, column, texts)
    if labels is None:
        labels = np.array(texts, dtype=object)
        if known.any() and not known.all() and column.is_mostly_numbers:
            first = int(np.argmin(column.spread(known)))
            label = f"the label {shown(texts[column.at(first)])} ({table.row(first)}) "
            found = "stands among whole numbers: all labels are taken as text"
            remarks = (f"{label}{found}",)
    # A later part of a file says nothing: others may have the same labels.
    is_alone = table.n_objects == len(labels) > 2 and not table.is_part
    if is_alone and are_distinct(labels):
        one = shown(labels.tolist()[column.at(0)])
        what = f"no label occurs twice (the first is {one}), so "
        raise table.fault(what, "each would be a cluster of its own", column=column)
    return _of_rows(column, labels), remarks


def _of_rows(column: Column, labels: NDArray[Any]) -> NDArray[Any] | Coded:
    """Return the label of each row, given those of the cells."""
    if column.codes is None or labels.dtype.kind != "O":
        return column.spread(labels)
    distinct, places = np.unique(labels, return_inverse=True)
    return Coded(places[column.codes], np.array(distinct.tolist()))


def _integers(column: Column, texts: list[str]) -> NDArray[Any] | None:
    """Return the cells as integers if no label is lost that way."""
    numbers, distinct = column.values, {*texts}
    if column.cells.dtype.kind in "biu":
        return column.cells
    if np.isnan(numbers).any() or column.is_boolean:
        return None
    if distinct and all(map(_PLAIN.fullmatch, distinct)):
        kind = "i8" if len(max(distinct, key=len)) < 16 else object
        return np.array([*map(int, texts)], dtype=kind)
    same = len(distinct) == np.unique(numbers).size
    if distinct and not (same and all(map(_AS_FLOAT.fullmatch, distinct))):
        return None
    if not column.is_whole or (np.abs(numbers) >= _SKIPPING).any():
        return None
    return numbers.astype(np.int64)


def _check_stray(table: Table, column: Column, texts: list[str]) -> None:
    """Refuse a second heading above labels, and a footer below them."""
    if table.unit != "line" or table.n_objects < 3 or not texts:
        return
    ids = ["" if table.ids is None else table.ids[at] for at in (0, 1, -1)]
    labels = [texts[column.at(at)] for at in (0, 1, -1)]

    def stands_once(text: str) -> bool:
        return bool(column.spread(np.array([x == text for x in texts])).sum() == 1)

    def is_stray(at: int, pattern: re.Pattern[str]) -> bool:
        # Blanks may divide a line of words into an id and a label.
        said = ids[at], labels[at], f"{ids[at]} {labels[at]}"
        alone = at != 1 and column.is_mostly_numbers and np.isnan(column.numbers[at])
        found = alone or any(map(pattern.fullmatch, said))
        return bool(found) and stands_once(labels[at])

    first = labels[0]
    found = f"found {shown(first)}, "
    named = first.casefold() in LABEL_NAMES or ids[0].casefold() in ID_NAMES
    if named and stands_once(first):
        skip = Setting("skip", int(table.lines[0]) - 1)
        below = "the heading, below something else? ", skip, " begins with it"
        raise table.fault(found, *below, at=0, column=column)
    heads = [at for at in (0, 1) if is_stray(at, _SECOND)]
    above = not are_booleans([first]) and are_booleans(x for x in texts if x != first)
    if heads or (above and stands_once(first)):
        skip = Setting("skip", int(table.lines[max(heads, default=0)]))
        leaving = skip, " with ", Setting("header", False), " leaves it out"
        raise table.fault(found, "a second heading? ", *leaving, at=0, column=column)
    if is_stray(-1, _FOOTER):
        line = shown(f"{ids[-1]} {labels[-1]}".strip())
        what = f"found {line}, a footer? remove that line"
        raise table.fault(what, at=-1, column=column)
