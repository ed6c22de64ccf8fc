"""What a command has to say, in each form that it can take."""

import csv
import io
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Cell = str | int | float | bool | None
Json = Cell | Sequence["Json"] | Mapping[str, "Json"]


@dataclass(frozen=True)
class Sheet:
    """
    A table for people to read.

    Parameters
    ----------
    header : sequence of str
        The headings; what stands below the first is text, all else are numbers.
    rows : sequence of sequences of str
        The cells.
    """

    header: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Document:
    """
    The result of a command.

    Parameters
    ----------
    json : mapping
        All of it, with the keys ``schema`` and ``version`` first.
    header : sequence of str
        The columns of its CSV form.
    rows : sequence of sequences
        The cells of its CSV form.
    lines : sequence of str
        What people read above the sheets.
    sheets : sequence of Sheet
        What people read below.
    """

    json: Mapping[str, Json]
    header: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    lines: Sequence[str]
    sheets: Sequence[Sheet]


def as_json(document: Document) -> str:
    """
    Give a document as JSON.

    Parameters
    ----------
    document : Document
        The result of a command.

    Returns
    -------
    str
        ASCII. Numbers have all their digits; those that are not finite are null.
    """
    return json.dumps(_finite(document.json), indent=2, allow_nan=False) + "\n"


def as_csv(document: Document) -> str:
    """
    Give a document as CSV.

    Parameters
    ----------
    document : Document
        The result of a command.

    Returns
    -------
    str
        A header and lines, each ended by LF. Numbers have all their digits.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(document.header)
    writer.writerows(document.rows)
    return text.getvalue()


def as_plain(document: Document) -> str:
    """
    Give a document as plain text for people to read.

    Parameters
    ----------
    document : Document
        The result of a command.

    Returns
    -------
    str
        Lines and aligned columns.
    """
    blocks = ["\n".join(document.lines)] if document.lines else []
    blocks += [_plain_sheet(sheet) for sheet in document.sheets]
    return "\n\n".join(blocks) + "\n"


def _plain_sheet(sheet: Sheet) -> str:
    rows = [sheet.header, *sheet.rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for first, *others in rows:
        padded = (f"{x:>{w}}" for x, w in zip(others, widths[1:], strict=True))
        lines.append("  ".join((f"{first:<{widths[0]}}", *padded)).rstrip())
    lines.insert(1, "-" * (sum(widths) + 2 * len(widths) - 2))
    return "\n".join(lines)


def _finite(value: Json) -> Json:
    """Replace numbers that JSON has no way to write."""
    if isinstance(value, Mapping):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_finite(item) for item in value]
    return value
