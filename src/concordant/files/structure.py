"""Output of STRUCTURE, and CLUMPP's indfiles and popfiles."""

import re
from collections.abc import Sequence

from concordant.errors import FileError
from concordant.files.numbers import as_number
from concordant.files.record import Line, Pattern, Prepared, TextFormat

_INDIVIDUAL = Pattern(
    re.compile(
        r"\s*(?P<number>\d+)\s+(?:(?P<label>\S+)\s+)?\([^)]*\)"
        r"\s*(?P<population>\S+)?\s*:\s*(?P<memberships>[0-9.][^(|]*)(?:[(|].*)?"
    ),
    "an individual: number, label, (missing), population, colon, memberships",
)
_POPULATION = Pattern(
    re.compile(
        r"\s*(?P<number>\S+):(?P<memberships>(?:\s+[0-9.]+(?:[eE][+-]?[0-9]+)?){2,})"
        r"\s+(?P<weight>\d+(?:\.\d+)?)"
    ),
    "a population: name, colon, memberships, weight",
)
_OTHER = re.compile(r"\|\s*Pop\s+(\S+?):([^|]*)")
_TITLE = "Inferred ancestry of individuals"
_ASSUMED = (
    "probabilities with assumed populations (USEPOPINFO): those of a parent or "
    "grandparent from another population count as memberships in it"
)
_SLACK = 0.05  # by which memberships that were rounded do not sum to 1


def _individuals(lines: list[Line], source: str) -> Prepared:
    """Write the memberships in all populations, where one is assumed."""
    found = _INDIVIDUAL.matched(lines, source)
    others = [_from_others(m.string[m.start("memberships") :]) for m in found]
    if not any(others):
        return lines, None, ()
    both = [*zip(found, others, strict=True)]
    assumed = {str(m["population"]) for m, far in both if far}.union(*others)
    names = sorted(assumed, key=lambda name: (len(name), name))
    for i, (match, far) in enumerate(both):
        if far:
            own = match["memberships"].split()[0]
            known = {**far, match["population"]: own}
            shares = " ".join(known.get(name, "0") for name in names)
            head = match.string[: match.start("memberships")]
            lines[i] = lines[i][0], f"{head}{shares}"
    return lines, names, (_ASSUMED,)


def _from_others(rest: str) -> dict[str, str]:
    """Return the probability of each population that is not the assumed one."""
    return {
        population: repr(sum(map(as_number, cells.replace("*", " ").split())))
        for population, cells in _OTHER.findall(rest)
    }


def _output(lines: list[Line], source: str) -> Prepared:
    """Find the individuals in what STRUCTURE writes, without rates beside them."""
    title = next((k for k, (_, line) in enumerate(lines) if _TITLE in line), None)
    if title is None:
        raise FileError(f"{source}: STRUCTURE's output without {_TITLE.lower()}")
    below = lines[title + 1 :]
    rates = any("Ind's r" in line for _, line in below[:3])
    starts = (k for k, (_, line) in enumerate(below) if re.match(r"\s*\d+\s", line))
    first = next(starts, len(below))
    ends = (k for k in range(first, len(below)) if not below[k][1])
    people = below[first : next(ends, len(below))]
    for i, match in enumerate(_INDIVIDUAL.matched(people, source) if rates else ()):
        at = match.start("memberships")
        rest = re.sub(r"\S+\s*", "", match.string[at:], count=1)
        people[i] = people[i][0], match.string[:at] + rest
    return _individuals(people, source)


def _populations(lines: list[Line], source: str) -> Prepared:
    """Remark on weights, which are left out."""
    weights = [float(match["weight"]) for match in _POPULATION.matched(lines, source)]
    low, high = min(weights), max(weights)
    remark = (
        f"weights in the last column, from {low:g} to {high:g}, are left out: each "
        "population counts once"
    )
    return lines, None, () if low == high else (remark,)


def _is_output(sample: Sequence[str]) -> bool:
    head = "".join(sample[:200])
    return "STRUCTURE by Pritchard" in head or _TITLE in head


def _is_indfile(sample: Sequence[str]) -> bool:
    first = next((line.rstrip() for line in sample if line.strip()), "")
    found = _INDIVIDUAL.most_of(sample)
    return bool(found) and found[0].string == first


def _is_popfile(sample: Sequence[str]) -> bool:
    rows = [match["memberships"].split() for match in _POPULATION.most_of(sample)]
    sums = [sum(map(as_number, row)) for row in rows]
    return bool(sums) and all(abs(total - 1.0) < _SLACK for total in sums)


STRUCTURE = TextFormat(
    "structure",
    "its title, or the line 'Inferred ancestry of individuals'",
    "ids: labels if distinct, else numbers; groups: populations; 90 % intervals are "
    "left out",
    _is_output,
    _INDIVIDUAL,
    _output,
)
INDFILE = TextFormat(
    "indfile",
    "lines such as '1 NA19916 (0) 2 : 0.9 0.1' (.indivq, CLUMPP's indfiles)",
    "ids: labels if distinct, else numbers; groups: populations; runs: between empty "
    "lines",
    _is_indfile,
    _INDIVIDUAL,
    _individuals,
    has_runs=True,
)
POPFILE = TextFormat(
    "popfile",
    "lines such as '1: 0.9 0.1 25' (CLUMPP's popfiles and outputs)",
    "ids: numbers of populations; weights: the last column, left out; runs: between "
    "empty lines",
    _is_popfile,
    _POPULATION,
    _populations,
    has_runs=True,
)
