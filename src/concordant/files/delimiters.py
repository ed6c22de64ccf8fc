"""What separates the cells of a text file."""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from concordant.errors import FileError, Setting
from concordant.files.numbers import is_number, means_missing
from concordant.wording import shown

#: Each line is one cell.
NONE = "\x1f"

_MARKS = {"\t": "tab", ";": "semicolon", ",": "comma", "|": "bar"}
_NAMES = {**_MARKS, " ": "space", NONE: "none"}
_WORDS = {name: mark for mark, name in _NAMES.items()} | {"spaces": " ", "\\t": "\t"}
_MOST = 200  # rows in which numbers are counted
_QUOTED = re.compile(r'("(?:[^"]|"")*")')
_BLANKS = re.compile(r"[ \t]+")
_FAULTS = {  # of a row, by what the library says
    "unexpected end": "a quoted cell has no end",
    "new-line": "a carriage return within the line; lines end with LF or CRLF",
    "field larger": f"a cell of more than {csv.field_size_limit()} characters",
    "": "a quoted cell goes on after its quote",
}


def given_delimiter(delimiter: str, source: str) -> str:
    """Return a delimiter, or a word such as "tab" or "none", as one character."""
    character = _WORDS.get(delimiter.strip().casefold(), delimiter)
    if len(character) != 1 or character in '\r\n"':
        raise FileError(
            f"{source}: the delimiter must be one character or one of "
            f"{', '.join(_NAMES.values())}, found {shown(delimiter)}"
        )
    return character


def split_rows(
    lines: Iterable[str], delimiter: str, source: str = "", before: int = 0
) -> Iterator[tuple[int, list[str]]]:
    """
    Yield the number of the first line of each row, and its cells.

    The first has `before` lines above it. A blank as `delimiter` stands for any number
    of blanks and tabs.
    """
    blanks = delimiter == " "
    reader = csv.reader(
        map(_single_blanks, lines) if blanks else lines,
        delimiter=delimiter,
        strict=True,
        skipinitialspace=not blanks,
    )
    while True:
        number = before + reader.line_num + 1
        try:
            row = next(reader, None)
        except csv.Error as error:
            fault = next(_FAULTS[start] for start in _FAULTS if start in str(error))
            raise FileError(f"{source}, line {number}: {fault}") from error
        if row is None:
            return
        yield number, row


def _single_blanks(line: str) -> str:
    """Put one blank between cells, and leave quoted ones as they are."""
    pieces = _QUOTED.split(line)
    pieces[::2] = [_BLANKS.sub(" ", piece) for piece in pieces[::2]]
    return "".join(pieces).strip(" \r\n") + "\n"


def find_delimiter(sample: Sequence[str], source: str) -> str:
    r"""
    Return what separates cells, by the first lines of a file.

    Of tab, semicolon, comma, vertical bar and blanks it is the one that divides all
    lines into the same number of cells, two or more (the first line may have one less,
    as R writes it). Where several do, the one by which the most cells are numbers; two
    that are equally good, or blanks that divide lines of mere text, are refused.
    Failing all, the one that divides the most lines, about which messages can then be
    precise; `NONE` if there is none.

    Examples
    --------
    >>> from concordant.files.delimiters import find_delimiter
    >>> find_delimiter(["0,400\t0,600\n", "1,000\t0,000\n"], "P.txt")
    '\t'
    """
    together = "".join(sample)
    # Of each: whether every row has all cells, and the share of numbers.
    good: dict[str, tuple[bool, float]] = {}
    n_divided: dict[str, int] = {}
    for mark in (*_MARKS, " "):
        if mark in together or (mark == " " and "\t" in together):
            rows = _divided(sample, mark)
            n_divided[mark] = sum(len(row) > 1 for row in rows)
            if _is_regular(rows):
                cells = [*chain.from_iterable(rows[1:_MOST] or rows)]
                share = sum(map(_is_number, cells)) / len(cells)
                good[mark] = len(rows[0]) == len(rows[-1]), share
    blanks = good.pop(" ", None)
    most = max(good.values(), default=None)
    # Blanks take in tabs, and the blanks within the cells between these.
    if blanks is not None and (most is None or (blanks > most and "\t" not in good)):
        if blanks[1] == 0.0 and '"' not in together:
            words = shown(sample[0].strip())
            raise _unsettled(f"found {words}: one cell or several?", NONE, " ", source)
        return " "
    best = [mark for mark, merit in good.items() if merit == most]
    if len(best) > 1:
        one, other, *_ = best
        raise _unsettled("which mark separates cells?", one, other, source)
    n_divided.pop(" ", 0)
    if best or any(n_divided.values()):
        return best[0] if best else max(n_divided, key=lambda mark: n_divided[mark])
    if n_divided:  # marks between quotes, or in lines that are not well formed
        return next(iter(n_divided)) if '"' not in together else ","
    cells = together.split()
    ragged = len(cells) > sum(map(bool, map(str.strip, sample)))
    return " " if ragged and 2 * sum(map(_is_number, cells)) > len(cells) else NONE


def _unsettled(question: str, one: str, other: str, source: str) -> FileError:
    return FileError(
        f"{source}, line 1: {question} ",
        Setting("delimiter", _NAMES[one]),
        " or ",
        Setting("delimiter", _NAMES[other]),
        " says so",
    )


def _divided(sample: Sequence[str], delimiter: str) -> list[list[str]]:
    """Return rows, but for a last one that may go on below the sample."""
    rows = []
    try:
        for _, row in split_rows(sample, delimiter):
            rows.append(row)
    except FileError as error:
        if delimiter == " " or _FAULTS["unexpected end"] not in str(error):
            return []
    return [row for row in rows if row]


def _is_regular(rows: list[list[str]]) -> bool:
    """Return whether all rows have as many cells, or all but a heading."""
    first, *others = map(len, rows or [[]])
    if not others:
        return first > 1
    if others[0] == 1 or {*others} != {others[0]}:
        return False
    if first == others[0] - 1:  # R's row names are distinct
        return len({row[0] for row in rows[1:]}) == len(others)
    return first == others[0]


def _is_number(cell: str) -> bool:
    return is_number(cell) or means_missing(cell)
