"""CLUMPP's popfiles and outputs: one population per line, with its weight."""

import re
from collections.abc import Sequence

from concordant.errors import FileError
from concordant.files.numbers import as_number
from concordant.files.record import Format, numbered, one_run, soft_table
from concordant.files.table import Table
from concordant.files.text import Text
from concordant.wording import shown

_LINE = re.compile(
    r"\s*(\S+):((?:\s+[0-9.]+(?:[eE][+-]?[0-9]+)?){2,})\s+(\d+(?:\.\d+)?)"
)
_SLACK = 0.05  # by which memberships that were rounded do not sum to 1


def _read(text: Text, run: int | None) -> Table:
    lines = one_run(numbered(text), run, text.source)
    rows, names, weights = [], [], []
    for number, line in lines:
        found = _LINE.fullmatch(line)
        try:
            if found is None:
                raise ValueError
            rows.append([float(cell) for cell in found[2].split()])
        except ValueError:
            raise FileError(
                f"{text.source}, line {number}: found {shown(line.strip())}, not a "
                "population: name, colon, memberships, weight"
            ) from None
        names.append(found[1])
        weights.append(float(found[3]))
    low, high = min(weights), max(weights)
    remark = (
        f"weights in the last column, from {low:g} to {high:g}, are left out: each "
        "population counts once"
    )
    return soft_table(
        text,
        "popfile",
        [number for number, _ in lines],
        rows,
        ids=("number", names),
        run=run,
        remarks=() if low == high else (remark,),
    )


def _matches(sample: Sequence[str]) -> bool:
    lines = [line.rstrip() for line in sample if line.strip()][:20]
    found = [match for match in map(_LINE.fullmatch, lines) if match]
    if len(lines) < 2 or 2 * len(found) <= len(lines):
        return False
    sums = [sum(map(as_number, match[2].split())) for match in found]
    return all(abs(total - 1.0) < _SLACK for total in sums)


POPFILE = Format(
    "popfile",
    "lines such as '1: 0.9 0.1 25' (CLUMPP's popfiles and outputs)",
    "ids: numbers of populations; weights: the last column, left out; runs: between "
    "empty lines",
    _matches,
    _read,
)
