"""A column of a file becomes labels, or is refused as what cannot be labels."""

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.errors import FileError, Keyword, Piece, Setting
from concordant.files.headings import LABEL_NAMES
from concordant.files.identification import ID_NAMES
from concordant.files.table import Column, Table
from concordant.wording import shown

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


def labels_of(
    table: Table, column: Column, *, as_text: bool = False, offered: bool = True
) -> tuple[NDArray[Any], tuple[Piece, ...]]:
    """
    Return the labels in a column, and remarks on them.

    Plain decimal integers are integers, to the last digit; so are whole numbers that
    are all written as floats, if no two that look different are equal. Anything else is
    text, without the blanks around it, as all is if it is said (`as_text`); that this
    can be said is told if it is `offered`. Refused are fractions, text that is not
    likely to be labels, what looks like a second heading or a footer, and labels of
    which no two are the same.
    """
    if as_text:
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

    def line(position: int) -> int:
        return int(
            table.lines[position if table.kept is None else table.kept[position]]
        )

    heads = [is_stray(i, _SECOND, f"{ids[i]}\t{texts[i]}") for i in (0, 1)]
    found = f"found {shown(texts[0])}, "
    named = texts[0].casefold() in LABEL_NAMES or ids[0].casefold() in ID_NAMES
    if named and texts.count(texts[0]) == 1:
        skip = Setting("skip", line(0) - 1)
        return 0, found, "the heading, below something else? ", skip, " begins with it"
    if heads[0]:
        skip = Setting("skip", line(int(heads[1])))
        leaving = (skip, " with ", Setting("header", False), " leaves it out")
        return 0, found, "a second heading? ", *leaving
    last = len(texts) - 1
    for text in (texts[last], ids[last]):
        if is_stray(last, _FOOTER, text):
            return last, f"found {shown(text)}, a footer? remove that line"
    return ()
