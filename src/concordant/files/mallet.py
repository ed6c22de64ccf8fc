"""MALLET's topics of documents, as old and new versions write them."""

from collections.abc import Sequence

from concordant.errors import FileError
from concordant.files.numbers import is_number
from concordant.files.record import Line, SoftRows, TextFormat
from concordant.wording import shown


def _document(line: str, is_old: bool) -> list[str]:
    """Return the number of a document, its name and more; nothing if it is none."""
    cells = line.split(None if is_old else "\t")
    topics = cells[2::2] if is_old else []
    is_one = len(cells) > 2 and not (is_old and len(cells) % 2)
    whole = all(map(str.isdecimal, [*cells[:1], *topics]))
    return cells if is_one and whole and all(map(is_number, cells[2:])) else []


def _documents(lines: Sequence[Line], source: str) -> SoftRows:
    is_old = any(line.startswith("#doc") for _, line in lines[:1])
    lines = [line for line in lines if line[1] and line[1][0] != "#"]
    names, rows = [], []
    for number, line in lines:
        document = _document(line, is_old)
        if not document:
            raise FileError(
                f"{source}, line {number}: found {shown(line)}, not a document: "
                "number, name, proportions of topics"
            )
        names.append(document[1])
        rows.append(document[2:])
    if is_old:
        last = max((float(topic) for row in rows for topic in row[::2]), default=0.0)
        if not 0.0 <= last < sum(map(len, rows)):
            raise FileError(f"{source}: topic {last:g}, of fewer proportions")
        for i, row in enumerate(rows):
            share = dict(zip(map(float, row[::2]), row[1::2], strict=True))
            rows[i] = [share.get(topic, "0") for topic in range(int(last) + 1)]
    return SoftRows([number for number, _ in lines], rows, "name", names)


def _matches(sample: Sequence[str]) -> bool:
    if sample[0].startswith("#doc"):
        return len(sample) > 1
    lines = [line.rstrip() for line in sample if line.strip()][:20]
    found = [_document(line, is_old=False) for line in lines]
    return len(lines) > 1 and all(
        document and document[0] == str(k) and not is_number(document[1])
        for k, document in enumerate(found)
    )


MALLET = TextFormat(
    "mallet",
    "'#doc name topic proportion', or lines of number, name and proportions, by tabs "
    "(doc-topics)",
    "ids: names of documents",
    _matches,
    _documents,
)
