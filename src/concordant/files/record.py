"""What is known of a format, and how one with an object per line becomes a table."""

import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from concordant.errors import FileError, Piece, Setting, Wordings
from concordant.files.lines import Text
from concordant.files.summary import ReadSummary
from concordant.files.table import Column, Table, check_width
from concordant.wording import count, shown

#: A line of a file with its number.
Line = tuple[int, str]

#: The memberships of objects, names of the clusters if they have any, and remarks.
Rows = tuple[list[list[str]], Sequence[str] | None, tuple[Piece, ...]]


def memberships(found: list[re.Match[str]], source: str) -> Rows:
    """Return memberships as they stand."""
    return [match["memberships"].split() for match in found], None, ()


@dataclass(frozen=True)
class Format:
    """
    A format: its name, how it is recognised, and what it says of objects.

    Text of other programs has an object per line: `pattern` says what it looks like, by
    groups called number, memberships and perhaps label, population and weight, and
    `what` it is. The first lines tell whether a file `matches`; `select` finds the
    lines of objects in one run, if there are several between empty lines, and `rows`
    the memberships in them.
    """

    name: str
    recognised: str
    says: str
    pattern: re.Pattern[str] | None = None
    what: str = ""
    matches: Callable[[Sequence[str]], bool] = lambda sample: False
    select: Callable[[list[Line], str], list[Line]] = lambda lines, source: lines
    rows: Callable[[list[re.Match[str]], str], Rows] = memberships
    has_runs: bool = False


def most_of(pattern: re.Pattern[str], sample: Sequence[str]) -> list[re.Match[str]]:
    """Return the matches in the first lines if the most of them match."""
    lines = [line.rstrip() for line in sample if line.strip()][:20]
    found = [match for match in map(pattern.fullmatch, lines) if match]
    return found if len(lines) > 1 and 2 * len(found) > len(lines) else []


def read_as(form: Format, text: Text, run: int | None) -> Table:
    """Read a text file, or one run of it, as a format says."""
    source = text.source
    lines = [(i, line.rstrip()) for i, line in enumerate(text.lines(), text.before + 1)]
    n_runs = 1
    if form.has_runs:
        lines, n_runs = _one_run(lines, run, source)
    lines = form.select(lines, source)
    found = []
    for number, line in lines:
        match = form.pattern.fullmatch(line) if form.pattern else None
        if match is None:
            what = f"found {shown(line.strip())}, not {form.what}"
            raise FileError(f"{source}, line {number}: {what}")
        found.append(match)
    rows, names, remarks = form.rows(found, source)
    if not rows:
        raise FileError(f"{source}: a {form.name} file without memberships")
    width = len(rows[0])
    check_width(width, source)
    titles: Sequence[str | None] = names or [None] * width
    for (line_number, _), row in zip(lines, rows, strict=True):
        if len(row) != width:
            raise FileError(
                f"{source}, line {line_number}: {count(len(row), 'membership')} where "
                f"line {lines[0][0]} has {width}"
            )
    said = [match.groupdict() for match in found]
    ids = {key: [each.get(key) for each in said] for key in ("label", "number")}
    key = next((key for key in ids if _are_distinct(ids[key])), None)
    groups = [each.get("population") for each in said]
    return Table(
        source,
        tuple(
            Column(k + 1, titles[k], np.array(cells, dtype=object), ".")
            for k, cells in enumerate(zip(*rows, strict=True))
        ),
        ids=None if key is None else np.array(ids[key], dtype=object),
        groups=None if None in groups else np.array(groups, dtype=object),
        lines=[number for number, _ in lines],
        n_runs=n_runs,
        understood=ReadSummary(
            form.name,
            encoding=text.encoding,
            ids=key,
            run=run if form.has_runs else None,
        ),
        remarks=remarks,
    )


def _are_distinct(ids: Sequence[str | None]) -> bool:
    return None not in ids and len({*ids}) == len(ids)


def _one_run(
    lines: Sequence[Line], run: int | None, source: str
) -> tuple[list[Line], int]:
    """Return the lines of a run, between empty lines, and the number of runs."""
    parts = itertools.groupby(lines, key=lambda line: line[1] != "")
    runs = [[*part] for is_run, part in parts if is_run]
    if run is None and len(runs) > 1:
        raise FileError(
            f"{source}: holds {len(runs)} runs; ",
            Setting("run", 1),
            Wordings(
                f' or "{source}#1" reads the first, read_partitions all',
                f" or {source}#1 reads the first",
            ),
        )
    if run is not None and not 1 <= run <= len(runs):
        raise FileError(f"{source}: holds {count(len(runs), 'run')}, not run {run}")
    return runs[(run or 1) - 1], len(runs)
