"""Text of STRUCTURE, CLUMPP and MALLET: how it is recognised, and what it says."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import dropwhile, groupby, takewhile

import numpy as np

from concordant.errors import FileError, Piece
from concordant.files.table import Column, ReadSummary, Table, as_number, is_number
from concordant.files.text import Text
from concordant.wording import count, shown

# Blanks are taken as a whole, as two patterns beside each other could share them in
# as many ways as there are.
_INDIVIDUAL = re.compile(
    r"\s*+(?P<number>\d+)\s++(?:(?P<label>\S+)\s++)?\([^)]*\)\s*+"
    r"(?:(?P<population>\S+)\s*+)?:\s*+(?P<memberships>[0-9.][^(|]*)(?P<rest>[(|].*)?"
)
_POPULATION = re.compile(
    r"\s*(?P<number>\S+):(?P<memberships>(?:\s+[0-9.]+(?:[eE][+-]?[0-9]+)?){2,})"
    r"\s+(?P<weight>\d+(?:\.\d+)?)"
)
_DOCUMENT = re.compile(r"(?P<number>\d+)\t(?P<label>[^\t]*)\t(?P<memberships>\S.*)")
_PAIRS = re.compile(
    r"(?P<number>\d+)\s+(?P<label>\S+)(?P<topics>(?:\s+\d{1,9}\s+\S+)+)"
)
_OTHER = re.compile(r"\|\s*Pop\s+(\S+?):([^|]*)")
_TITLE = "Inferred ancestry of individuals"
_ASSUMED = (
    "probabilities with assumed populations (USEPOPINFO): those of a parent or "
    "grandparent from another population count as memberships in it"
)
_SLACK = 0.05  # by which memberships that were rounded do not sum to 1
_BY_LABEL = "ids: labels if distinct, else numbers; groups: populations; "
_BY_NAME = "ids: names of documents if distinct, else numbers"


#: A line of a file with its number.
Line = tuple[int, str]

#: What the pattern of a format found in the lines of objects.
Found = list[re.Match[str]]

#: The memberships of objects, names of the clusters if they have any, and remarks.
Rows = tuple[list[list[str]], Sequence[str] | None, tuple[Piece, ...]]


def memberships(found: Found, source: str) -> Rows:
    """Return memberships as they stand."""
    return [match["memberships"].split() for match in found], None, ()


@dataclass(frozen=True)
class Format:
    """
    A format: its name, how it is recognised, and what it says of objects.

    Text of other programs has an object per line: `pattern` says what it looks like, by
    groups called number, memberships and perhaps label, population and weight. The
    first lines tell whether a file `matches`; `select` finds the lines of objects in
    one run, if there are several between empty lines, and `rows` the memberships in
    them. Other files are `recognised` by how their names end, or by
    how their bytes `starts`.
    """

    name: str
    recognised: str
    says: str
    pattern: re.Pattern[str] = re.compile("")
    matches: Callable[[Sequence[str]], bool] = lambda sample: False
    select: Callable[[list[Line]], list[Line]] = lambda lines: lines
    rows: Callable[[Found, str], Rows] = memberships
    has_runs: bool = False
    starts: tuple[bytes, ...] = ()


def most_of(pattern: re.Pattern[str], sample: Sequence[str]) -> Found:
    """Return the matches in the first lines if the first and the most of them match."""
    lines = [line.rstrip() for line in sample if line.strip()][:20]
    found = [match for match in map(pattern.fullmatch, lines) if match]
    fits = len(lines) > 1 and 2 * len(found) > len(lines)
    return found if fits and found[0].string == lines[0] else []


def _individuals(found: Found, source: str) -> Rows:
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


def _people(lines: list[Line]) -> list[Line]:
    """Find the individuals in what STRUCTURE writes, without rates beside them."""
    below = [*dropwhile(lambda line: _TITLE not in line[1], lines)][1:]
    people = dropwhile(lambda line: not re.match(r"\s*\d+\s", line[1]), below)
    found = [*takewhile(lambda line: line[1], people)]
    if any("Ind's r" in line for _, line in below[:3]):
        rate = re.compile(r"(:\s*)[0-9.]\S*\s*")
        found = [(number, rate.sub(r"\1", line, count=1)) for number, line in found]
    return found


def _populations(found: Found, source: str) -> Rows:
    """Remark on weights, which are left out."""
    weights = [float(match["weight"]) for match in found]
    low, high = min(weights), max(weights)
    weighted = f"weights in the last column, from {low:g} to {high:g}, are left out"
    remark = f"{weighted}: each population counts once"
    return memberships(found, source)[0], None, () if low == high else (remark,)


def _by_topic(found: Found, source: str) -> Rows:
    """Return the proportions of all topics, of which pairs are given."""
    cells = [match["topics"].split() for match in found]
    topics = [dict(zip(map(int, row[::2]), row[1::2], strict=True)) for row in cells]
    last = max((topic for row in topics for topic in row), default=0)
    if last >= sum(map(len, cells)):
        raise FileError(f"{source}: topic {last}, of fewer proportions")
    return [[row.get(k, "0") for k in range(last + 1)] for row in topics], None, ()


def _is_output(sample: Sequence[str]) -> bool:
    head = "".join(sample[:200])
    return "STRUCTURE by Pritchard" in head or _TITLE in head


def _is_popfile(sample: Sequence[str]) -> bool:
    rows = [match["memberships"].split() for match in most_of(_POPULATION, sample)]
    sums = [sum(map(as_number, row)) for row in rows]
    return bool(sums) and all(abs(total - 1.0) < _SLACK for total in sums)


def _is_new_mallet(sample: Sequence[str]) -> bool:
    found = most_of(_DOCUMENT, sample)
    return bool(found) and all(
        match["number"] == str(k)
        and not is_number(match["label"])
        and all(map(is_number, match["memberships"].split("\t")))
        for k, match in enumerate(found)
    )


#: The formats of these programs; ADMIXTURE's is a table without names.
PROGRAMS = (
    Format(
        "structure",
        "its title, or the line 'Inferred ancestry of individuals'",
        f"{_BY_LABEL}90 % intervals are left out",
        *(_INDIVIDUAL, _is_output, _people, _individuals),
    ),
    Format(
        "indfile",
        "lines such as '1 NA19916 (0) 2 : 0.9 0.1' (.indivq, CLUMPP's indfiles)",
        f"{_BY_LABEL}runs: between empty lines, or where individuals come again",
        _INDIVIDUAL,
        lambda sample: bool(most_of(_INDIVIDUAL, sample)),
        rows=_individuals,
        has_runs=True,
    ),
    Format(
        "popfile",
        "lines such as '1: 0.9 0.1 25' (CLUMPP's popfiles and outputs)",
        "ids: numbers of populations; weights: the last column, left out; runs: "
        "between empty lines, or where populations come again",
        _POPULATION,
        _is_popfile,
        rows=_populations,
        has_runs=True,
    ),
    Format(
        "mallet",
        "lines of number, name and proportions, divided by tabs (doc-topics)",
        _BY_NAME,
        *(_DOCUMENT, _is_new_mallet),
    ),
    Format(
        "mallet",
        "'#doc name topic proportion' above pairs of topic and proportion",
        _BY_NAME,
        _PAIRS,
        lambda sample: sample[0].startswith("#doc") and len(sample) > 1,
        lambda lines: lines[1:],
        _by_topic,
    ),
    Format(
        "Q",
        "rows of memberships and blanks (ADMIXTURE's .Q, fastSTRUCTURE's .meanQ)",
        "ids: from PLINK's .fam file, with --ids FILE",
    ),
)


def read_as(form: Format, text: Text, run: int | None) -> list[Table]:
    """Read all runs of a text file, or one of them, as a format says."""
    lines = [(i, line.rstrip()) for i, line in enumerate(text.lines(), text.before + 1)]
    while lines and not lines[-1][1]:
        lines.pop()
    if not form.has_runs:
        return [_table_of(form, text, lines, None)]
    parts = groupby(lines, key=lambda line: line[1] != "")
    runs = [each for is_run, part in parts if is_run for each in _runs(form, [*part])]
    if run is not None and not 1 <= run <= len(runs):
        what = f"holds {count(len(runs), 'run')}, not run {run}"
        raise FileError(f"{text.source}: {what}")
    if run is None and len(runs) == 1:
        return [_table_of(form, text, runs[0], None)]
    wanted = range(1, len(runs) + 1) if run is None else [run]
    return [_table_of(form, text, runs[each - 1], each) for each in wanted]


def _table_of(form: Format, text: Text, lines: list[Line], run: int | None) -> Table:
    """Make a table of the lines of a run."""
    source, found = text.source, []
    lines = form.select(lines)
    for number, line in lines:
        match = form.pattern.fullmatch(line)
        if match is None:
            what = f"found {shown(line.strip())}, not a line of format {form.name}"
            raise FileError(f"{source}, line {number}: {what}")
        found.append(match)
    rows, names, remarks = form.rows(found, source)
    if not rows:
        raise FileError(f"{source}: a {form.name} file without memberships")
    width = len(rows[0])
    for (number, _), row in zip(lines, rows, strict=True):
        if len(row) != width:
            here = f"{source}, line {number}: {count(len(row), 'membership')}"
            raise FileError(f"{here} where line {lines[0][0]} has {width}")
    said = {
        key: np.array([match.groupdict().get(key) for match in found], dtype=object)
        for key in ("label", "number", "population")
    }
    known = {key for key, cells in said.items() if None not in cells.tolist()}
    distinct = {key for key in known if len({*said[key].tolist()}) == len(found)}
    key = next((key for key in ("label", "number") if key in distinct), None)
    columns = (np.array(cells, dtype=object) for cells in zip(*rows, strict=True))
    titles: Sequence[str | None] = names or [None] * width
    return Table(
        source,
        tuple(Column(k + 1, titles[k], cells, ".") for k, cells in enumerate(columns)),
        np.array([number for number, _ in lines]),
        ReadSummary(form.name, encoding=text.encoding, ids=key, run=run),
        unit="line",
        ids=said[key] if key else None,
        groups=said["population"] if "population" in known else None,
        remarks=remarks,
    )


def _runs(form: Format, lines: list[Line]) -> list[list[Line]]:
    """Divide lines that no empty line divides, if all of their objects come again."""
    found = [(form.pattern.fullmatch(line), line) for _, line in lines]
    objects = [match and line[: match.start("memberships")] for match, line in found]
    size = len({*objects})
    if None in objects or objects != objects[:size] * (len(lines) // size):
        size = len(lines)
    return [lines[start : start + size] for start in range(0, len(lines), size)]
