"""What is known of a format, and how one with an object per line becomes a table."""

import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from concordant.errors import FileError, Piece, Setting, Wordings
from concordant.files.lines import Text
from concordant.files.numbers import as_numbers
from concordant.files.summary import ReadSummary
from concordant.files.table import Column, Table, check_width
from concordant.wording import count, shown

#: A line of a file with its number.
Line = tuple[int, str]

#: Lines of objects, names of the clusters if they have any, and remarks.
Prepared = tuple[list[Line], Sequence[str] | None, tuple[Piece, ...]]


@dataclass(frozen=True)
class Format:
    """A format: its name, how it is recognised, and what it says of objects."""

    name: str
    recognised: str
    says: str


@dataclass(frozen=True)
class Pattern:
    """
    What the line of an object looks like, and what it is.

    Groups of the expression are called number, memberships and perhaps label,
    population and weight.
    """

    expression: re.Pattern[str]
    what: str

    def matched(self, lines: Sequence[Line], source: str) -> list[re.Match[str]]:
        """Match each line, or refuse one that is not what it should be."""
        found = []
        for number, line in lines:
            match = self.expression.fullmatch(line)
            if match is None:
                found_here = f"found {shown(line.strip())}, not {self.what}"
                raise FileError(f"{source}, line {number}: {found_here}")
            found.append(match)
        return found

    def most_of(self, sample: Sequence[str]) -> list[re.Match[str]]:
        """Return the matches in the first lines if the most of them match."""
        lines = [line.rstrip() for line in sample if line.strip()][:20]
        found = [match for match in map(self.expression.fullmatch, lines) if match]
        return found if len(lines) > 1 and 2 * len(found) > len(lines) else []


@dataclass(frozen=True)
class TextFormat(Format):
    """
    A format of text with one object per line, recognised by its first lines.

    `prepare` finds the lines of objects and writes them as the pattern has them, in one
    run if there are several between empty lines.
    """

    matches: Callable[[Sequence[str]], bool]
    pattern: Pattern
    prepare: Callable[[list[Line], str], Prepared]
    has_runs: bool = False


def read_as(form: TextFormat, text: Text, run: int | None) -> Table:
    """Read a text file, or one run of it, as a format says."""
    source = text.source
    lines = [(i, line.rstrip()) for i, line in enumerate(text.lines(), text.before + 1)]
    n_runs = 1
    if form.has_runs:
        lines, n_runs = _one_run(lines, run, source)
    lines, names, remarks = form.prepare(lines, source)
    found = [match.groupdict() for match in form.pattern.matched(lines, source)]
    rows = [each["memberships"].split() for each in found]
    if not rows:
        raise FileError(f"{source}: a {form.name} file without memberships")
    width = len(names or rows[0])
    check_width(width, source)
    for (line, _), row in zip(lines, rows, strict=True):
        if len(row) != width:
            raise FileError(
                f"{source}, line {line}: {count(len(row), 'membership')} where line "
                f"{lines[0][0]} has {width}"
            )
    titles: Sequence[str | None] = names or [None] * width
    cells = zip(*rows, strict=True)
    said = {key: [each.get(key) for each in found] for key in ("label", "number")}
    key = next((key for key in said if _are_distinct(said[key])), None)
    groups = [each.get("population") for each in found]
    return Table(
        source,
        tuple(
            Column(k, name, np.array(each, dtype=object), as_numbers(each, ".", False))
            for k, (name, each) in enumerate(zip(titles, cells, strict=True), start=1)
        ),
        ids=None if key is None else np.array(said[key], dtype=object),
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
