"""Output of STRUCTURE, and what CLUMPP calls indfiles: one individual per line."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from concordant.errors import FileError
from concordant.files.record import Format, Line, numbered, one_run, soft_table
from concordant.files.table import Table
from concordant.files.text import Text
from concordant.wording import shown

_LINE = re.compile(
    r"\s*(?P<index>\d+)\s+(?:(?P<label>\S+)\s+)?\((?P<missing>[^)]*)\)"
    r"\s*(?P<population>\S+)?\s*:\s*(?P<rest>[0-9.].*)"
)
_START = re.compile(r"\s*\d+\s")
_OTHER = re.compile(r"\|\s*Pop\s+(\S+?):([^|]*)")
_TITLE = "Inferred ancestry of individuals"
_ASSUMED = (
    "probabilities with assumed populations (USEPOPINFO): those of a parent or "
    "grandparent from another population count as memberships in it"
)


@dataclass(frozen=True)
class _Individual:
    index: str
    label: str | None
    population: str | None
    memberships: list[float]
    others: dict[str, float]  # by population, with assumed ones


def _individual(line: Line, source: str, skip: int = 0) -> _Individual:
    number, text = line
    found = _LINE.fullmatch(text)
    try:
        if found is None:
            raise ValueError
        own, *_ = re.split(r"[(|]", found["rest"])
        others = {
            population: sum(map(float, cells.replace("*", " ").split()))
            for population, cells in _OTHER.findall(found["rest"])
        }
        memberships = [float(cell) for cell in own.split()][skip:]
    except ValueError:
        raise FileError(
            f"{source}, line {number}: found {shown(text.strip())}, not an individual: "
            "number, label, (missing), population, colon, memberships"
        ) from None
    return _Individual(
        found["index"], found["label"], found["population"], memberships, others
    )


def _table(
    text: Text, form: str, lines: Sequence[Line], run: int | None, skip: int = 0
) -> Table:
    people = [_individual(line, text.source, skip) for line in lines]
    rows, names = [each.memberships for each in people], None
    remarks: tuple[str, ...] = ()
    assumed = {name for each in people for name in each.others}
    if assumed:
        assumed |= {each.population or "" for each in people if each.others}
        names = sorted(assumed, key=lambda name: (len(name), name))
        rows = [
            each.memberships
            if not each.others
            else [
                each.memberships[0]
                if name == each.population
                else each.others.get(name, 0.0)
                for name in names
            ]
            for each in people
        ]
        remarks = (_ASSUMED,)
    labels = [each.label for each in people]
    ids = (
        ("label", [str(label) for label in labels])
        if None not in labels and len({*labels}) == len(labels)
        else ("number", [each.index for each in people])
    )
    populations = [each.population for each in people]
    return soft_table(
        text,
        form,
        [number for number, _ in lines],
        rows,
        names=names,
        ids=ids,
        groups=None if None in populations else [*map(str, populations)],
        run=run,
        remarks=remarks,
    )


def _read_structure(text: Text, run: int | None) -> Table:
    if run not in (None, 1):
        raise FileError(f"{text.source}: holds 1 run, not run {run}")
    lines = numbered(text)
    title = next((k for k, (_, line) in enumerate(lines) if _TITLE in line), None)
    if title is None:
        raise FileError(f"{text.source}: STRUCTURE's output without {_TITLE.lower()}")
    below = lines[title + 1 :]
    rates = any("Ind's r" in line for _, line in below[:3])
    first = next((k for k, (_, line) in enumerate(below) if _START.match(line)), 0)
    stop = next(
        (k for k in range(first, len(below)) if not below[k][1].strip()), len(below)
    )
    return _table(text, "structure", below[first:stop], None, skip=int(rates))


def _read_indfile(text: Text, run: int | None) -> Table:
    return _table(text, "indfile", one_run(numbered(text), run, text.source), run)


def _is_structure(sample: Sequence[str]) -> bool:
    head = "".join(sample[:200])
    return "STRUCTURE by Pritchard" in head or _TITLE in head


def _is_indfile(sample: Sequence[str]) -> bool:
    lines = [line.rstrip() for line in sample if line.strip()]
    found = [_LINE.fullmatch(line) is not None for line in lines[:20]]
    return len(lines) > 1 and found[0] and 2 * sum(found) > len(found)


STRUCTURE = Format(
    "structure",
    "its title, or the line 'Inferred ancestry of individuals'",
    "ids: labels if distinct, else numbers; groups: populations; 90 % intervals are "
    "left out",
    _is_structure,
    _read_structure,
)
INDFILE = Format(
    "indfile",
    "lines such as '1 NA19916 (0) 2 : 0.9 0.1' (.indivq, CLUMPP's indfiles)",
    "ids: labels if distinct, else numbers; groups: populations; runs: between empty "
    "lines",
    _is_indfile,
    _read_indfile,
)
