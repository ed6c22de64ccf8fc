"""What stands between the cells of a text file."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from concordant.files.missing import means_missing
from concordant.files.numbers import as_number
from concordant.storage.file_error import FileError, shown

#: Each line is one cell.
NONE = "\x1f"

#: What people call delimiters.
WORDS = {
    "tab": "\t",
    "semicolon": ";",
    "comma": ",",
    "bar": "|",
    "space": " ",
    "spaces": " ",
    "none": NONE,
}

_CANDIDATES = ("\t", ";", ",", "|")
_NAMES = {"\t": "tab", ";": "semicolon", ",": "comma", "|": "bar", " ": "space"}
_Merit = tuple[bool, float]  # whether each row has all cells, the share of numbers


def given_delimiter(delimiter: str, source: str) -> str:
    """
    Read what somebody said of the delimiter.

    Parameters
    ----------
    delimiter : str
        One character, or a word such as ``"tab"``, ``"space"`` or ``"none"``.
    source : str
        What messages call the file.

    Returns
    -------
    str
        One character.

    Raises
    ------
    FileError
        If it is neither.
    """
    character = WORDS.get(delimiter.strip().casefold(), delimiter)
    if character == "\\t":
        return "\t"
    if len(character) != 1 or character in '\r\n"':
        raise FileError(
            f"{source}: the delimiter must be one character or one of "
            f"{', '.join(_NAMES.values())} and none, found {shown(delimiter)}"
        )
    return character


def split_rows(lines: Iterable[str], delimiter: str) -> "Rows":
    """
    Divide lines into cells.

    Parameters
    ----------
    lines : iterable of str
        With their ends.
    delimiter : str
        One character; a blank stands for any number of blanks and tabs.

    Returns
    -------
    Rows
        To be iterated over.
    """
    return _Blanks(lines) if delimiter == " " else _Csv(lines, delimiter)


class Rows(Iterator[list[str]]):
    """Rows of cells, and how many lines they took."""

    line_num: int


class _Csv(Rows):
    """What Python's reader of CSV makes of lines."""

    def __init__(self, lines: Iterable[str], delimiter: str) -> None:
        self._reader = csv.reader(
            lines, delimiter=delimiter, strict=True, skipinitialspace=True
        )

    def __next__(self) -> list[str]:
        return next(self._reader)

    @property
    def line_num(self) -> int:  # type: ignore[override]
        return self._reader.line_num


class _Blanks(Rows):
    """Cells between blanks, of which those in quotes may hold some."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = iter(lines)
        self.line_num = 0

    def __next__(self) -> list[str]:
        line = next(self._lines).rstrip("\r\n").replace("\t", " ")
        self.line_num += 1
        if "\r" in line:
            raise csv.Error("new-line")
        if '"' not in line:
            return [cell for cell in line.split(" ") if cell]
        return _cells_between_blanks(line)


def _cells_between_blanks(line: str) -> list[str]:
    cells, at = [], 0
    while at < len(line):
        if line[at] == " ":
            at += 1
            continue
        if line[at] != '"':
            end = line.find(" ", at)
            end = len(line) if end < 0 else end
            cells.append(line[at:end])
        else:
            end = line.find('"', at + 1)
            while end >= 0 and line[end + 1 : end + 2] == '"':
                end = line.find('"', end + 2)
            if end < 0:
                raise csv.Error("unexpected end of data")
            cells.append(line[at + 1 : end].replace('""', '"'))
            end += 1
            if line[end : end + 1] not in ("", " "):
                raise csv.Error("a quote")
        at = end
    return cells


def find_delimiter(sample: Sequence[str], source: str) -> str:
    r"""
    Find what stands between cells.

    Parameters
    ----------
    sample : sequence of str
        The first lines of the file, with their ends.
    source : str
        What messages call the file.

    Returns
    -------
    str
        Of tab, semicolon, comma, vertical bar and blanks the one that divides all
        lines into the same number of cells, two or more (the first line may have one
        less, as R writes it). Where several do, the one by which the most cells are
        numbers. Failing all, the one that divides the most lines, about which messages
        can then be precise; `NONE` if there is none.

    Raises
    ------
    FileError
        If two of them are equally good, or blanks divide lines of mere text.

    Examples
    --------
    >>> from concordant.files.delimiters import find_delimiter
    >>> find_delimiter(["0,400\t0,600\n", "1,000\t0,000\n"], "P.txt")
    '\t'
    """
    good: dict[str, _Merit] = {}
    divided: dict[str, int] = {}
    for delimiter in (*_CANDIDATES, " "):
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
    present = [mark for mark in _CANDIDATES if any(mark in line for line in sample)]
    if present:  # between quotes, or in lines that are not well formed
        return present[0] if '"' not in "".join(sample) else ","
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
                'several? delimiter="none" says one, delimiter="space" says several'
            )
        return " "
    best = [mark for mark, merit in good.items() if merit == most]
    if len(best) > 1:
        one, other = (_NAMES[mark] for mark in best[:2])
        raise FileError(
            f"{source}, line 1: the cells may be divided by {one}s or by {other}s; "
            f'delimiter="{one}" or delimiter="{other}" says which'
        )
    return best[0] if best else None


def _divided(sample: Sequence[str], delimiter: str) -> list[list[str]]:
    try:
        return [row for row in split_rows(sample, delimiter) if row]
    except csv.Error:
        pass
    if delimiter == " ":
        return []
    try:  # the last quoted cell may go on below the sample
        loose = csv.reader(sample, delimiter=delimiter, skipinitialspace=True)
        return [row for row in loose if row][:-1]
    except csv.Error:
        return []


def _is_regular(rows: list[list[str]]) -> bool:
    """Tell whether all rows have the same number of cells, or all but a heading."""
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
    numbers = sum(_is_number(cell) for cell in cells)
    return numbers / len(cells)


def _is_number(cell: str) -> bool:
    number = as_number(cell)
    return number == number or means_missing(cell)


def _are_ragged_numbers(sample: Sequence[str]) -> bool:
    """Tell whether lines without any mark are numbers between blanks."""
    cells = [*chain.from_iterable(line.split() for line in sample)]
    lines = sum(bool(line.strip()) for line in sample)
    return len(cells) > lines and 2 * sum(map(_is_number, cells)) > len(cells)
