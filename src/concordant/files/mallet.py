"""MALLET's topics of documents, as old and new versions write them."""

import re
from collections.abc import Sequence

from concordant.errors import FileError
from concordant.files.numbers import is_number
from concordant.files.record import Line, Pattern, Prepared, TextFormat

_WHAT = "a document: number, name, proportions of topics"
_DOCUMENT = Pattern(
    re.compile(r"(?P<number>\d+)\t(?P<label>[^\t]*)\t(?P<memberships>\S.*)"), _WHAT
)
_OLD = Pattern(re.compile(r"(\d+)\s+(\S+)((?:\s+\d{1,9}\s+\S+)+)"), _WHAT)


def _documents(lines: list[Line], source: str) -> Prepared:
    """Write the proportions of all topics, where old versions have pairs of them."""
    is_old = any(line.startswith("#doc") for _, line in lines[:1])
    lines = [line for line in lines if line[1] and line[1][0] != "#"]
    if not is_old:
        return lines, None, ()
    found = _OLD.matched(lines, source)
    cells = [match[3].split() for match in found]
    topics = [dict(zip(map(int, row[::2]), row[1::2], strict=True)) for row in cells]
    last = max((topic for row in topics for topic in row), default=0)
    if last >= sum(map(len, cells)):
        raise FileError(f"{source}: topic {last}, of fewer proportions")
    for i, (match, row) in enumerate(zip(found, topics, strict=True)):
        shares = " ".join(row.get(topic, "0") for topic in range(last + 1))
        lines[i] = lines[i][0], f"{match[1]}\t{match[2]}\t{shares}"
    return lines, None, ()


def _matches(sample: Sequence[str]) -> bool:
    if sample[0].startswith("#doc"):
        return len(sample) > 1
    lines = [line.rstrip() for line in sample if line.strip()][:20]
    found = [*map(_DOCUMENT.expression.fullmatch, lines)]
    return len(lines) > 1 and all(
        match
        and match["number"] == str(k)
        and not is_number(match["label"])
        and all(map(is_number, match["memberships"].split("\t")))
        for k, match in enumerate(found)
    )


MALLET = TextFormat(
    "mallet",
    "'#doc name topic proportion', or lines of number, name and proportions, by tabs "
    "(doc-topics)",
    "ids: names of documents",
    _matches,
    _DOCUMENT,
    _documents,
)
