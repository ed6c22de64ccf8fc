"""MALLET's topics of documents, as old and new versions write them."""

import re
from collections.abc import Sequence

from concordant.errors import FileError
from concordant.files.record import Format, numbered, soft_table
from concordant.files.table import Table
from concordant.files.text import Text
from concordant.wording import shown

_NUMBER = r"[0-9.]+(?:[eE][+-]?[0-9]+)?"
_NEW = re.compile(rf"(\d+)\t([^\t]*[^\t\d.][^\t]*)((?:\t{_NUMBER})+)")
_OLD = re.compile(rf"(\d+)\s+(\S+)((?:\s+\d+\s+{_NUMBER})+)")


def _read(text: Text, run: int | None) -> Table:
    if run not in (None, 1):
        raise FileError(f"{text.source}: holds 1 run, not run {run}")
    lines = [line for line in numbered(text) if line[1] and line[1][0] != "#"]
    is_old = text.sample[0].startswith("#doc")
    names, found = [], []
    for number, line in lines:
        match = (_OLD if is_old else _NEW).fullmatch(line)
        try:
            if match is None:
                raise ValueError
            cells = [float(cell) for cell in match[3].split()]
        except ValueError:
            raise FileError(
                f"{text.source}, line {number}: found {shown(line)}, not a document: "
                "number, name, proportions of topics"
            ) from None
        names.append(match[2])
        found.append(cells)
    if is_old:
        topics = 1 + max((int(cell) for row in found for cell in row[::2]), default=0)
        if topics > sum(map(len, found)):
            raise FileError(f"{text.source}: {topics} topics, more than proportions")
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
    found = [_NEW.fullmatch(line) for line in lines]
    counted = [match[1] for match in found if match]
    return len(lines) > 1 and counted == [str(k) for k in range(len(lines))]


MALLET = Format(
    "mallet",
    "'#doc name topic proportion', or lines of number, name and proportions, by tabs "
    "(doc-topics)",
    "ids: names of documents",
    _matches,
    _read,
)
