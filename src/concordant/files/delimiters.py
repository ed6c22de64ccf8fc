"""What separates the cells of a text file."""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from concordant.errors import FileError, Setting
from concordant.files.numbers import as_number, means_missing
from concordant.wording import shown

#: Each line is one cell.
NONE = "\x1f"

_CANDIDATES = {"\t": "tab", ";": "semicolon", ",": "comma", "|": "bar"}
_NAMES = {**_CANDIDATES, " ": "space"}
_WORDS = {name: mark for mark, name in _NAMES.items()} | {
    "spaces": " ",
    "none": NONE,
    "\\t": "\t",
}
_QUOTED = re.compile(r'("(?:[^"]|"")*")')
_BLANKS = re.compile(r"[ \t]+")
_Merit = tuple[bool, float]  # whether each row has all cells, the share of numbers


class UndividedRowError(csv.Error):
    """A row whose quotes or line ends are not those of CSV: its line, and why."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(line, reason)
        self.line, self.reason = line, reason


def given_delimiter(delimiter: str, source: str) -> str:
    """Return a delimiter, or a word such as "tab" or "none", as one character."""
    character = _WORDS.get(delimiter.strip().casefold(), delimiter)
    if len(character) != 1 or character in '\r\n"':
        raise FileError(
            f"{source}: the delimiter must be one character or one of "
            f"{', '.join(_NAMES.values())} and none, found {shown(delimiter)}"
        )
    return character


def split_rows(
    lines: Iterable[str], delimiter: str, *, strict: bool = True
) -> Iterator[tuple[int, list[str]]]:
    """
    Yield the number of the first line of each row, from 1, and its cells.

    A blank as `delimiter` stands for any number of blanks and tabs.
    """
    last = ""
    is_over = False

    def noted() -> Iterator[str]:
        nonlocal last, is_over
        for last in lines:
            yield _single_blanks(last) if delimiter == " " else last
        is_over = True

    reader = csv.reader(
        noted(), delimiter=delimiter, strict=strict, skipinitialspace=delimiter != " "
    )
    while True:
        number = reader.line_num + 1
        try:
            row = next(reader, None)
        except csv.Error as error:
            if is_over:
                reason = "a quoted cell has no end"
            elif "\r" in last.rstrip("\r\n"):
                reason = "a carriage return within the line; lines end with LF or CRLF"
            elif len(last) > csv.field_size_limit():
                reason = f"a cell of more than {csv.field_size_limit()} characters"
            else:
                reason = "a quoted cell goes on after its quote"
            raise UndividedRowError(number, reason) from error
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
    good: dict[str, _Merit] = {}
    divided: dict[str, int] = {}
    together = "".join(sample)
    for delimiter in _NAMES:
        if delimiter not in together and not (delimiter == " " and "\t" in together):
            continue
        rows = _divided(sample, delimiter)
        n_divided = sum(len(row) > 1 for row in rows)
        if n_divided == 0:
            continue
        divided[delimiter] = n_divided
        if _is_regular(rows):
            full = len(rows[0]) == len(rows[-1])
            good[delimiter] = full, _share_of_numbers(rows)
    found = _best(good, sample, source)
    if found is not None:
        return found
    marks = {mark: divided[mark] for mark in _CANDIDATES if mark in divided}
    if marks:
        return max(marks, key=lambda mark: marks[mark])
    present = [mark for mark in _CANDIDATES if mark in together]
    if present:  # between quotes, or in lines that are not well formed
        return present[0] if '"' not in together else ","
    return " " if _are_ragged_numbers(sample) else NONE


def _best(good: dict[str, _Merit], sample: Sequence[str], source: str) -> str | None:
    """Choose among the delimiters that give a regular table."""
    blanks = good.pop(" ", None)
    most = max(good.values(), default=None)
    # Blanks take in tabs, and the blanks within the cells between these.
    if blanks is not None and (most is None or (blanks > most and "\t" not in good)):
        if blanks[1] == 0.0 and not any('"' in line for line in sample):
            raise FileError(
                f"{source}, line 1: found {shown(sample[0].strip())}: one cell or "
                "several? ",
                Setting("delimiter", "none"),
                " says one, ",
                Setting("delimiter", "space"),
                " says several",
            )
        return " "
    best = [mark for mark, merit in good.items() if merit == most]
    if len(best) > 1:
        one, other = (_NAMES[mark] for mark in best[:2])
        raise FileError(
            f"{source}, line 1: the cells may be divided by {one}s or by {other}s; ",
            Setting("delimiter", one),
            " or ",
            Setting("delimiter", other),
            " says which",
        )
    return best[0] if best else None


def _divided(sample: Sequence[str], delimiter: str) -> list[list[str]]:
    try:
        return [row for _, row in split_rows(sample, delimiter) if row]
    except csv.Error:
        pass
    if delimiter == " ":
        return []
    try:  # the last quoted cell may go on below the sample
        loose = split_rows(sample, delimiter, strict=False)
        return [row for _, row in loose if row][:-1]
    except csv.Error:
        return []


def _is_regular(rows: list[list[str]]) -> bool:
    """Return whether all rows have as many cells, or all but a heading."""
    first, *others = map(len, rows)
    if not others:
        return first > 1
    if others[0] == 1 or {*others} != {others[0]}:
        return False
    if first == others[0] - 1:  # R's row names are distinct
        return len({row[0] for row in rows[1:]}) == len(others)
    return first == others[0]


def _share_of_numbers(rows: list[list[str]]) -> float:
    cells = [*chain.from_iterable(rows[1:] or rows)]
    return sum(map(_is_number, cells)) / len(cells)


def _is_number(cell: str) -> bool:
    number = as_number(cell)
    return number == number or means_missing(cell)


def _are_ragged_numbers(sample: Sequence[str]) -> bool:
    """Return whether lines without any mark are numbers between blanks."""
    cells = [*chain.from_iterable(line.split() for line in sample)]
    lines = sum(bool(line.strip()) for line in sample)
    return len(cells) > lines and 2 * sum(map(_is_number, cells)) > len(cells)
