"""CLUMPP's popfiles and outputs: one population per line, with its weight."""

import re
from collections.abc import Sequence

from concordant.files.numbers import as_number
from concordant.files.record import Line, SoftRows, TextFormat, matched

_LINE = re.compile(
    r"\s*(\S+):((?:\s+[0-9.]+(?:[eE][+-]?[0-9]+)?){2,})\s+(\d+(?:\.\d+)?)"
)
_SLACK = 0.05  # by which memberships that were rounded do not sum to 1


def _populations(lines: Sequence[Line], source: str) -> SoftRows:
    what = "a population: name, colon, memberships, weight"
    found = matched(lines, _LINE, what, source)
    weights = [float(match[3]) for match in found]
    low, high = min(weights), max(weights)
    remark = (
        f"weights in the last column, from {low:g} to {high:g}, are left out: each "
        "population counts once"
    )
    return SoftRows(
        [number for number, _ in lines],
        [match[2].split() for match in found],
        "number",
        [match[1] for match in found],
        remarks=() if low == high else (remark,),
    )


def _matches(sample: Sequence[str]) -> bool:
    lines = [line.rstrip() for line in sample if line.strip()][:20]
    found = [match for match in map(_LINE.fullmatch, lines) if match]
    sums = [sum(map(as_number, match[2].split())) for match in found]
    most = len(lines) > 1 and 2 * len(found) > len(lines)
    return most and all(abs(total - 1.0) < _SLACK for total in sums)


POPFILE = TextFormat(
    "popfile",
    "lines such as '1: 0.9 0.1 25' (CLUMPP's popfiles and outputs)",
    "ids: numbers of populations; weights: the last column, left out; runs: between "
    "empty lines",
    _matches,
    _populations,
    has_runs=True,
)
