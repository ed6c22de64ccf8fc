"""MALLET's topics of documents, as new and old versions write them."""

import re
from collections.abc import Sequence

from concordant.errors import FileError
from concordant.files.numbers import is_number
from concordant.files.record import Format, Line, Rows

_WHAT = "a document: number, name, proportions of topics"
_DOCUMENT = re.compile(r"(?P<number>\d+)\t(?P<label>[^\t]*)\t(?P<memberships>\S.*)")
_PAIRS = re.compile(
    r"(?P<number>\d+)\s+(?P<label>\S+)(?P<topics>(?:\s+\d{1,9}\s+\S+)+)"
)


def _is_new(sample: Sequence[str]) -> bool:
    lines = [line.rstrip() for line in sample if line.strip()][:20]
    return len(lines) > 1 and all(
        match
        and match["number"] == str(k)
        and not is_number(match["label"])
        and all(map(is_number, match["memberships"].split("\t")))
        for k, match in enumerate(map(_DOCUMENT.fullmatch, lines))
    )


def _is_old(sample: Sequence[str]) -> bool:
    return sample[0].startswith("#doc") and len(sample) > 1


def _without_comments(lines: list[Line], source: str) -> list[Line]:
    return [line for line in lines if line[1] and line[1][0] != "#"]


def _by_topic(found: list[re.Match[str]], source: str) -> Rows:
    """Return the proportions of all topics, of which pairs are given."""
    cells = [match["topics"].split() for match in found]
    topics = [dict(zip(map(int, row[::2]), row[1::2], strict=True)) for row in cells]
    last = max((topic for row in topics for topic in row), default=0)
    if last >= sum(map(len, cells)):
        raise FileError(f"{source}: topic {last}, of fewer proportions")
    return [[row.get(k, "0") for k in range(last + 1)] for row in topics], None, ()


MALLET = Format(
    "mallet",
    "lines of number, name and proportions, divided by tabs (doc-topics)",
    "ids: names of documents if distinct, else numbers",
    _DOCUMENT,
    _WHAT,
    _is_new,
    _without_comments,
)
OLD_MALLET = Format(
    "mallet",
    "'#doc name topic proportion' above pairs of topic and proportion",
    "ids: names of documents if distinct, else numbers",
    _PAIRS,
    _WHAT,
    _is_old,
    _without_comments,
    _by_topic,
)
