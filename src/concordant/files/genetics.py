"""Output of STRUCTURE, CLUMPP's indfiles and popfiles, and ADMIXTURE's .Q files."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from concordant.errors import FileError, Keyword, Message, Setting
from concordant.files.lines import open_text
from concordant.files.numbers import as_number
from concordant.files.record import Format, Line, Rows, memberships, most_of
from concordant.files.table import Table
from concordant.storage.source import opened
from concordant.wording import called, count

_INDIVIDUAL = re.compile(
    r"\s*(?P<number>\d+)\s+(?:(?P<label>\S+)\s+)?\([^)]*\)\s*(?P<population>\S+)?\s*:"
    r"\s*(?P<memberships>[0-9.][^(|]*)(?P<rest>[(|].*)?"
)
_WHAT = "an individual: number, label, (missing), population, colon, memberships"
_POPULATION = re.compile(
    r"\s*(?P<number>\S+):(?P<memberships>(?:\s+[0-9.]+(?:[eE][+-]?[0-9]+)?){2,})"
    r"\s+(?P<weight>\d+(?:\.\d+)?)"
)
_OTHER = re.compile(r"\|\s*Pop\s+(\S+?):([^|]*)")
_TITLE = "Inferred ancestry of individuals"
_ASSUMED = (
    "probabilities with assumed populations (USEPOPINFO): those of a parent or "
    "grandparent from another population count as memberships in it"
)
_SLACK = 0.05  # by which memberships that were rounded do not sum to 1


def _individuals(found: list[re.Match[str]], source: str) -> Rows:
    """Return memberships, in all populations where one is assumed."""
    rows, names, remarks = memberships(found, source)
    others = [_from_others(match["rest"] or "") for match in found]
    if not any(others):
        return rows, names, remarks
    for match, far, row in zip(found, others, rows, strict=True):
        if far:
            far[str(match["population"])] = row[0]
    names = sorted(set().union(*others), key=lambda name: (len(name), name))
    for i, known in enumerate(others):
        if known:
            rows[i] = [known.get(name, "0") for name in names]
    return rows, names, (_ASSUMED,)


def _from_others(rest: str) -> dict[str, str]:
    """Return the probability of each population that is not the assumed one."""
    return {
        population: repr(sum(map(as_number, cells.replace("*", " ").split())))
        for population, cells in _OTHER.findall(rest)
    }


def _people(lines: list[Line], source: str) -> list[Line]:
    """Find the individuals in what STRUCTURE writes, without rates beside them."""
    title = next((k for k, (_, line) in enumerate(lines) if _TITLE in line), None)
    if title is None:
        raise FileError(f"{source}: STRUCTURE's output without {_TITLE.lower()}")
    below = lines[title + 1 :]
    starts = (k for k, (_, line) in enumerate(below) if re.match(r"\s*\d+\s", line))
    first = next(starts, len(below))
    ends = (k for k in range(first, len(below)) if not below[k][1])
    people = below[first : next(ends, len(below))]
    if any("Ind's r" in line for _, line in below[:3]):
        rate = re.compile(r"(:\s*)[0-9.]\S*\s*")
        people = [(number, rate.sub(r"\1", line, count=1)) for number, line in people]
    return people


def _populations(found: list[re.Match[str]], source: str) -> Rows:
    """Remark on weights, which are left out."""
    weights = [float(match["weight"]) for match in found]
    low, high = min(weights), max(weights)
    remark = (
        f"weights in the last column, from {low:g} to {high:g}, are left out: each "
        "population counts once"
    )
    return memberships(found, source)[0], None, () if low == high else (remark,)


def _is_output(sample: Sequence[str]) -> bool:
    head = "".join(sample[:200])
    return "STRUCTURE by Pritchard" in head or _TITLE in head


def _is_indfile(sample: Sequence[str]) -> bool:
    first = next((line.rstrip() for line in sample if line.strip()), "")
    found = most_of(_INDIVIDUAL, sample)
    return bool(found) and found[0].string == first


def _is_popfile(sample: Sequence[str]) -> bool:
    rows = [match["memberships"].split() for match in most_of(_POPULATION, sample)]
    sums = [sum(map(as_number, row)) for row in rows]
    return bool(sums) and all(abs(total - 1.0) < _SLACK for total in sums)


STRUCTURE = Format(
    "structure",
    "its title, or the line 'Inferred ancestry of individuals'",
    "ids: labels if distinct, else numbers; groups: populations; 90 % intervals are "
    "left out",
    _INDIVIDUAL,
    _WHAT,
    _is_output,
    _people,
    _individuals,
)
INDFILE = Format(
    "indfile",
    "lines such as '1 NA19916 (0) 2 : 0.9 0.1' (.indivq, CLUMPP's indfiles)",
    "ids: labels if distinct, else numbers; groups: populations; runs: between empty "
    "lines",
    _INDIVIDUAL,
    _WHAT,
    _is_indfile,
    rows=_individuals,
    has_runs=True,
)
POPFILE = Format(
    "popfile",
    "lines such as '1: 0.9 0.1 25' (CLUMPP's popfiles and outputs)",
    "ids: numbers of populations; weights: the last column, left out; runs: between "
    "empty lines",
    _POPULATION,
    "a population: name, colon, memberships, weight",
    _is_popfile,
    rows=_populations,
    has_runs=True,
)
Q = Format(
    "Q",
    "rows of memberships and blanks (ADMIXTURE's .Q, fastSTRUCTURE's .meanQ)",
    "ids: from PLINK's .fam file, with --ids FILE",
)


def with_ids_of(table: Table, path: str | Path) -> Table:
    """
    Return the table with the ids of another file.

    They stand one per line; in PLINK's ``.fam`` files, in the second column, or if
    individuals of several families have the same name, in both.
    """
    if table.ids is not None:
        raise table.fault("has ids already; leave out ", Keyword("ids"))
    source = called(path)
    with opened(path) as stream:
        lines = open_text(stream, source).lines()
        rows = [line.split() for line in lines if line.strip()]
    if {len(row) for row in rows} not in ({1}, {6}):
        raise FileError(f"{source}: neither one id per line nor PLINK's six columns")
    ids = [row[min(1, len(row) - 1)] for row in rows]
    if len({*ids}) < len(ids):
        ids = [" ".join(row[:2]) for row in rows]
    if len(ids) != table.n_objects:
        raise table.fault(
            f"has {count(table.n_objects, 'object')} and {source} has "
            f"{count(len(ids), 'id')}: each object needs one"
        )
    if len({*ids}) < len(ids):
        raise FileError(f"{source}: an id occurs twice")
    understood = replace(table.understood, ids=Path(path).name)
    return replace(table, ids=np.array(ids, dtype=object), understood=understood)


def remark_on_ids(path: Path) -> tuple[Message, ...]:
    """Tell of a ``.fam`` file beside a ``.Q`` file, which has no ids itself."""
    prefix = re.fullmatch(r"(.+?)(?:\.\d+)?\.(?:mean)?Q", path.name)
    if prefix is None or not path.with_name(f"{prefix[1]}.fam").is_file():
        return ()
    beside = called(path.with_name(f"{prefix[1]}.fam"))
    return (Message("no ids; ", Setting("ids", beside), " takes those beside it"),)
