"""Output of STRUCTURE, and what CLUMPP calls indfiles: one individual per line."""

import re
from collections.abc import Sequence

from concordant.errors import FileError
from concordant.files.numbers import as_number
from concordant.files.record import Line, SoftRows, TextFormat, matched

_LINE = re.compile(
    r"\s*(?P<index>\d+)\s+(?:(?P<label>\S+)\s+)?\((?P<missing>[^)]*)\)"
    r"\s*(?P<population>\S+)?\s*:\s*(?P<rest>[0-9.].*)"
)
_OTHER = re.compile(r"\|\s*Pop\s+(\S+?):([^|]*)")
_TITLE = "Inferred ancestry of individuals"
_ASSUMED = (
    "probabilities with assumed populations (USEPOPINFO): those of a parent or "
    "grandparent from another population count as memberships in it"
)


def _people(lines: Sequence[Line], source: str, skip: int = 0) -> SoftRows:
    """Read individuals, without so many numbers before their memberships."""
    what = "an individual: number, label, (missing), population, colon, memberships"
    found = matched(lines, _LINE, what, source)
    cells = [re.split(r"[(|]", each["rest"])[0].split()[skip:] for each in found]
    others = [_from_others(each["rest"]) for each in found]
    populations = [each["population"] for each in found]
    names = None
    if any(others):
        assumed = {
            str(own) for own, far in zip(populations, others, strict=True) if far
        }
        assumed = assumed.union(*others)
        names = sorted(assumed, key=lambda name: (len(name), name))
        for i, far in enumerate(others):
            if far:
                known = {**far, populations[i]: cells[i][0]}
                cells[i] = [known.get(name, "0") for name in names]
    labels = [each["label"] for each in found]
    has_labels = None not in labels and len({*labels}) == len(labels)
    return SoftRows(
        [number for number, _ in lines],
        cells,
        "label" if has_labels else "number",
        labels if has_labels else [each["index"] for each in found],
        groups=None if None in populations else populations,
        names=names,
        remarks=(_ASSUMED,) if names else (),
    )


def _from_others(rest: str) -> dict[str, str]:
    """Return the probability of each population that is not the assumed one."""
    return {
        population: repr(sum(map(as_number, cells.replace("*", " ").split())))
        for population, cells in _OTHER.findall(rest)
    }


def _output(lines: Sequence[Line], source: str) -> SoftRows:
    title = next((k for k, (_, line) in enumerate(lines) if _TITLE in line), None)
    if title is None:
        raise FileError(f"{source}: STRUCTURE's output without {_TITLE.lower()}")
    below = lines[title + 1 :]
    rates = any("Ind's r" in line for _, line in below[:3])
    starts = (k for k, (_, line) in enumerate(below) if re.match(r"\s*\d+\s", line))
    first = next(starts, len(below))
    ends = (k for k in range(first, len(below)) if not below[k][1])
    return _people(below[first : next(ends, len(below))], source, skip=int(rates))


def _is_output(sample: Sequence[str]) -> bool:
    head = "".join(sample[:200])
    return "STRUCTURE by Pritchard" in head or _TITLE in head


def _is_indfile(sample: Sequence[str]) -> bool:
    lines = [line.rstrip() for line in sample if line.strip()]
    found = [_LINE.fullmatch(line) is not None for line in lines[:20]]
    return len(lines) > 1 and found[0] and 2 * sum(found) > len(found)


STRUCTURE = TextFormat(
    "structure",
    "its title, or the line 'Inferred ancestry of individuals'",
    "ids: labels if distinct, else numbers; groups: populations; 90 % intervals are "
    "left out",
    _is_output,
    _output,
)
INDFILE = TextFormat(
    "indfile",
    "lines such as '1 NA19916 (0) 2 : 0.9 0.1' (.indivq, CLUMPP's indfiles)",
    "ids: labels if distinct, else numbers; groups: populations; runs: between empty "
    "lines",
    _is_indfile,
    _people,
    has_runs=True,
)
