"""What is known of a format, and the table that one of soft memberships becomes."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from concordant.errors import FileError, Piece, Setting, Wordings
from concordant.files.numbers import as_numbers
from concordant.files.table import Column, Table, check_width
from concordant.files.text import Text
from concordant.files.understanding import Understood
from concordant.wording import count, shown

#: A line of a file with its number.
Line = tuple[int, str]


@dataclass(frozen=True)
class SoftRows:
    """
    What the lines of a file say: memberships as text, and what objects are called.

    `id_name` is what the column of ids is called, which are ids if no two are the same.
    """

    lines: Sequence[int]
    cells: Sequence[Sequence[str]]
    id_name: str
    ids: Sequence[str]
    groups: Sequence[str] | None = None
    names: Sequence[str] | None = None
    remarks: tuple[Piece, ...] = ()


@dataclass(frozen=True)
class Format:
    """A format: its name, how it is recognised, and what it says of objects."""

    name: str
    recognised: str
    says: str


@dataclass(frozen=True)
class TextFormat(Format):
    """
    A format of text, recognised by its first lines.

    `rows` reads the lines, or those of one run if there are several between empty ones.
    """

    matches: Callable[[Sequence[str]], bool]
    rows: Callable[[Sequence[Line], str], SoftRows]
    has_runs: bool = False


def matched(
    lines: Sequence[Line], pattern: re.Pattern[str], what: str, source: str
) -> list[re.Match[str]]:
    """Match each line, or refuse one that is not `what` it should be."""
    found = []
    for number, line in lines:
        match = pattern.fullmatch(line)
        if match is None:
            line = shown(line.strip())
            raise FileError(f"{source}, line {number}: found {line}, not {what}")
        found.append(match)
    return found


def read_as(form: TextFormat, text: Text, run: int | None) -> Table:
    """Read a text file, or one run of it, as a format says."""
    lines = [(i, line.rstrip()) for i, line in enumerate(text.lines(), text.before + 1)]
    n_runs = 1
    if form.has_runs:
        lines, n_runs = _one_run(lines, run, text.source)
    soft = form.rows(lines, text.source)
    width = len(soft.cells[0]) if soft.cells else 0
    if width == 0:
        raise FileError(f"{text.source}: a {form.name} file without memberships")
    check_width(width, text.source)
    for line, row in zip(soft.lines, soft.cells, strict=True):
        if len(row) != width:
            raise FileError(
                f"{text.source}, line {line}: {count(len(row), 'membership')} where "
                f"line {soft.lines[0]} has {width}"
            )
    columns = tuple(
        Column(
            k + 1,
            soft.names[k] if soft.names else None,
            np.array(cells, dtype=object),
            as_numbers(cells, ".", False),
        )
        for k, cells in enumerate(zip(*soft.cells, strict=True))
    )
    distinct = len({*soft.ids}) == len(soft.ids)
    return Table(
        text.source,
        columns,
        ids=np.array(soft.ids, dtype=object) if distinct else None,
        groups=None if soft.groups is None else np.array(soft.groups, dtype=object),
        lines=soft.lines,
        n_runs=n_runs,
        understood=Understood(
            form.name,
            encoding=text.encoding,
            ids=soft.id_name if distinct else None,
            run=run if form.has_runs else None,
        ),
        remarks=soft.remarks,
    )


def _one_run(
    lines: Sequence[Line], run: int | None, source: str
) -> tuple[list[Line], int]:
    """Return the lines of a run, between empty lines, and the number of runs."""
    runs: list[list[Line]] = [[]]
    for number, line in lines:
        if line:
            runs[-1].append((number, line))
        elif runs[-1]:
            runs.append([])
    runs = [each for each in runs if each]
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
