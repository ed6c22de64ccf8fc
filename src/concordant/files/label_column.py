"""A column of a file becomes labels, or is refused as what cannot be labels."""

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.errors import Keyword, Message, Piece, Setting
from concordant.files.headings import LABEL_NAMES
from concordant.files.identification import ID_NAMES
from concordant.files.table import Column, Table
from concordant.wording import shown

_SKIPPING = 2.0**53  # from here on, doubles leave out integers
_PLAIN = re.compile(r"0|-?[1-9][0-9]{0,3999}")
_AS_FLOAT = re.compile(r"-?(?:0|[1-9][0-9]*)\.[0-9]*(?:[eE][+-]?[0-9]+)?")
_SEVERAL_NUMBERS = re.compile(r"[0-9][.,][0-9]+[^0-9.,]+[0-9]*[.,][0-9]")
_RULE = re.compile(r"[-=+|: ]{2,}")
_TYPE_NAMES = (
    "c d s t m i continuous discrete string time class meta ignore nominal numeric "
    "categorical text char varchar integer double"
)
_TYPES = frozenset(_TYPE_NAMES.split())
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
    told = _Offer(offered)
    if not column.is_text and column.cells.dtype.kind in "biu":
        _check_repeated(table, column, column.cells, told)
        return column.cells, ()
    numbers = column.numbers
    known = ~np.isnan(numbers)
    texts = column.texts() if column.is_text else []
    integers = _integers(texts, numbers)
    if integers is not None and not column.is_boolean:
        _check_repeated(table, column, integers, told)
        return integers, ()
    odd = known & ((np.abs(numbers) >= _SKIPPING) | (numbers != np.floor(numbers)))
    if odd.any() and column.is_mostly_numbers:
        first = int(np.argmax(odd))
        raise table.fault(
            Message(
                f"found {numbers[first]:g}, but labels are whole numbers or text; "
                "memberships need one column per cluster",
                told("takes them as text"),
            ),
            first,
            column,
        )
    if column.words:  # of a large file, whose text was not kept
        first = min(column.words)
        raise table.fault(
            Message(
                f"found {shown(column.words[first])} among numbers",
                told("takes all as text"),
            ),
            first,
            column,
        )
    _check_strays(table, column, texts, told)
    distinct = {*texts}
    for label in distinct:
        if len(label) < 1000 and _SEVERAL_NUMBERS.search(label):
            raise table.fault(
                Message(
                    f"found {shown(label)}, where one label is expected; ",
                    Keyword("delimiter"),
                    " says what separates cells",
                    told("takes it as it is"),
                ),
                texts.index(label),
                column,
            )
    labels = np.array(texts, dtype=object)
    _check_repeated(table, column, labels, told)
    if known.any() and not known.all() and column.is_mostly_numbers:
        first = int(np.argmin(known))
        remark = (
            f"the label {shown(texts[first])} ({table.row(first)}) stands among whole "
            "numbers: all labels are taken as text"
        )
        return labels, (remark,)
    return labels, ()


class _Offer:
    """Says that labels can be taken as text, to those who can."""

    def __init__(self, offered: bool) -> None:
        self._offered = offered

    def __call__(self, does: str) -> Piece:
        if not self._offered:
            return ""
        return Message("; ", Setting("labels_as_text", True), f" {does}")


def _integers(texts: list[str], numbers: NDArray[np.float64]) -> NDArray[Any] | None:
    """Return integers if no label is lost that way."""
    if np.isnan(numbers).any():
        return None
    distinct = {*texts}
    if distinct and all(map(_PLAIN.fullmatch, distinct)):
        if len(max(distinct, key=len)) < 16:
            return numbers.astype(np.int64)
        known = {text: int(text) for text in distinct}
        return np.array([known[text] for text in texts], dtype=object)
    if not (np.isfinite(numbers).all() and (numbers == np.floor(numbers)).all()):
        return None
    if (np.abs(numbers) >= _SKIPPING).any():
        return None
    same = len(distinct) == np.unique(numbers).size
    if distinct and not (same and all(map(_AS_FLOAT.fullmatch, distinct))):
        return None
    return numbers.astype(np.int64)


def _check_repeated(
    table: Table, column: Column, labels: NDArray[Any], told: _Offer
) -> None:
    # Of a later part of a file that says nothing: others may have the same labels.
    if table.before or len(labels) < 3 or len({*labels.tolist()}) < len(labels):
        return
    raise table.fault(
        Message(
            f"no label occurs twice (the first is {shown(labels.tolist()[0])}), so "
            "each object would be a cluster of its own",
            told("says that this is meant"),
        ),
        column=column,
    )


def _check_strays(table: Table, column: Column, texts: list[str], told: _Offer) -> None:
    """Refuse a second heading above labels of text, and a footer below them."""
    if table.lines is None or table.before or len(texts) < 3:
        return
    ids = [""] * len(texts) if table.ids is None else table.ids.tolist()
    among_numbers = column.is_mostly_numbers
    counts = {text: texts.count(text) for text in {texts[0], texts[1], texts[-1]}}

    def is_stray(position: int) -> bool:
        text, key = texts[position], ids[position].casefold()
        if counts[text] > 1:
            return False
        alone = among_numbers and np.isnan(column.numbers[position])
        types = text.casefold() in _TYPES and (len(text) > 1 or key in _TYPES)
        return bool(alone or types or _RULE.fullmatch(text))

    def line(position: int) -> int:
        at = position if table.kept is None else int(table.kept[position])
        return int(table.lines[at])

    if counts[texts[0]] == 1 and (
        texts[0].casefold() in LABEL_NAMES or ids[0].casefold() in ID_NAMES
    ):
        remedy = Message(Setting("skip", line(0) - 1), " begins with it")
        what = "the heading, below something else?"
    elif is_stray(0):
        n_strays = 1 + is_stray(1)
        remedy = Message(
            Setting("skip", line(n_strays - 1)),
            " with ",
            Setting("header", False),
            " leaves it out",
        )
        what = "a second heading?"
    elif counts[texts[-1]] == 1 and (
        _FOOTER.fullmatch(texts[-1]) or (among_numbers and np.isnan(column.numbers[-1]))
    ):
        raise table.fault(
            Message(
                f"found {shown(texts[-1])}, a footer? remove that line",
                told("takes it as a label"),
            ),
            len(texts) - 1,
            column,
        )
    else:
        return
    raise table.fault(
        Message(
            f"found {shown(texts[0])}, {what} ", remedy, told("takes it as a label")
        ),
        0,
        column,
    )
