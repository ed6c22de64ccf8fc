"""MALLET's topics of documents, as old and new versions write them."""

from collections.abc import Sequence

from concordant.errors import FileError
from concordant.files.numbers import as_number
from concordant.files.record import Format, numbered, soft_table
from concordant.files.table import Table
from concordant.files.text import Text
from concordant.wording import shown


def _document(line: str, is_old: bool) -> tuple[str, str, list[float]]:
    """Return the number and the name of a document, and the numbers behind them."""
    number, name, *cells = line.split(None if is_old else "\t")
    if not number.isdecimal() or not cells or (is_old and len(cells) % 2):
        raise ValueError(line)
    return number, name, [*map(float, cells)]


def _read(text: Text, run: int | None) -> Table:
    if run not in (None, 1):
        raise FileError(f"{text.source}: holds 1 run, not run {run}")
    lines = [line for line in numbered(text) if line[1] and line[1][0] != "#"]
    is_old = text.sample[0].startswith("#doc")
    names, found = [], []
    for number, line in lines:
        try:
            _, name, cells = _document(line, is_old)
        except ValueError:
            raise FileError(
                f"{text.source}, line {number}: found {shown(line)}, not a document: "
                "number, name, proportions of topics"
            ) from None
        names.append(name)
        found.append(cells)
    if is_old:
        last = max((cell for row in found for cell in row[::2]), default=0.0)
        if not 0.0 <= last < sum(map(len, found)):
            raise FileError(f"{text.source}: topic {last:g}, of fewer proportions")
        topics = int(last) + 1
        rows = [[0.0] * topics for _ in found]
        for row, cells in zip(rows, found, strict=True):
            for topic, proportion in zip(cells[::2], cells[1::2], strict=True):
                row[int(topic)] = proportion
    else:
        rows = found
    numbers = [number for number, _ in lines]
    return soft_table(text, "mallet", numbers, rows, ids=("name", names))


def _matches(sample: Sequence[str]) -> bool:
    if sample[0].startswith("#doc"):
        return len(sample) > 1
    lines = [line.rstrip() for line in sample if line.strip()][:20]
    try:
        found = [_document(line, is_old=False) for line in lines]
    except ValueError:
        return False
    named = all(as_number(name) != as_number(name) for _, name, _ in found)
    counted = [number for number, *_ in found] == [str(k) for k in range(len(lines))]
    return len(lines) > 1 and counted and named


MALLET = Format(
    "mallet",
    "'#doc name topic proportion', or lines of number, name and proportions, by tabs "
    "(doc-topics)",
    "ids: names of documents",
    _matches,
    _read,
)
