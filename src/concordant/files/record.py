"""What is known of a format, and the table that one of soft memberships becomes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from concordant.errors import FileError, Piece, Setting, Wordings
from concordant.files.table import Column, Table, check_width
from concordant.files.text import Text
from concordant.files.understanding import Understood
from concordant.wording import count

#: A line of a file with its number.
Line = tuple[int, str]


@dataclass(frozen=True)
class Format:
    """
    A format: its name, how it is recognised, and what it says of objects.

    Formats of text are recognised by their first lines and read by `read`, which is
    told which run is wanted; all others are known by their suffixes or first bytes.
    """

    name: str
    recognised: str
    says: str
    matches: Callable[[Sequence[str]], bool] | None = None
    read: Callable[[Text, int | None], Table] | None = None


def numbered(text: Text) -> list[Line]:
    """Return all lines with their numbers, without the blanks at their ends."""
    lines = enumerate(text.lines(), start=text.before + 1)
    return [(number, line.rstrip()) for number, line in lines]


def one_run(lines: Sequence[Line], run: int | None, source: str) -> list[Line]:
    """Return the lines of a run, of those that empty lines separate."""
    runs: list[list[Line]] = [[]]
    for number, line in lines:
        if line.strip():
            runs[-1].append((number, line))
        elif runs[-1]:
            runs.append([])
    runs = [each for each in runs if each]
    if run is None and len(runs) > 1:
        raise FileError(
            f"{source}: holds {len(runs)} runs; ",
            Setting("run", 1),
            Wordings(
                f' or "{source}#1" reads the first', f" or {source}#1 reads the first"
            ),
        )
    if run is not None and not 1 <= run <= len(runs):
        raise FileError(f"{source}: holds {count(len(runs), 'run')}, not run {run}")
    return runs[(run or 1) - 1]


def soft_table(
    text: Text,
    form: str,
    lines: Sequence[int],
    rows: Sequence[Sequence[float]],
    *,
    names: Sequence[str] | None = None,
    ids: tuple[str, Sequence[str]] | None = None,
    groups: Sequence[str] | None = None,
    run: int | None = None,
    remarks: tuple[Piece, ...] = (),
) -> Table:
    """
    Return rows of memberships as a table.

    `ids` are what their column is called, and its cells, which are ids if no two are
    the same.
    """
    for line, row in zip(lines, rows, strict=True):
        if len(row) != len(rows[0]):
            raise FileError(
                f"{text.source}, line {line}: {count(len(row), 'membership')} where "
                f"line {lines[0]} has {len(rows[0])}"
            )
    if not rows or not rows[0]:
        raise FileError(f"{text.source}: a {form} file without memberships")
    check_width(len(rows[0]), text.source)
    matrix = np.array(rows).T.copy()
    columns = tuple(
        Column(k, names[k - 1] if names else None, numbers, numbers)
        for k, numbers in enumerate(matrix, start=1)
    )
    distinct = ids is not None and len({*ids[1]}) == len(rows)
    return Table(
        text.source,
        columns,
        ids=np.array(ids[1], dtype=object) if ids and distinct else None,
        groups=None if groups is None else np.array(groups, dtype=object),
        lines=lines,
        understood=Understood(
            form,
            encoding=text.encoding,
            ids=ids[0] if ids and distinct else None,
            run=run,
        ),
        remarks=remarks,
    )
