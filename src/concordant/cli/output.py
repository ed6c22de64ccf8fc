"""The result of a command is printed or written, as text, CSV or JSON."""

import csv
import io
import json
import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from concordant.cli.faults import Fault
from concordant.printing import table_lines
from concordant.storage.atomic import write_text_atomically
from concordant.wording import called

Cell = str | int | float | bool | None
Json = Cell | Sequence["Json"] | Mapping[str, "Json"]

#: A table for people to read: its headings, and rows of text in the first column and
#: numbers in the others.
Sheet = tuple[Sequence[str], Sequence[Sequence[str]]]


@dataclass(frozen=True)
class Document:
    """
    The result of a command: `json` has all of it, with its schema and version first.

    `header` and `rows` are its CSV form, `lines`, `sheets` and `notes` the text.
    """

    json: Mapping[str, Json]
    header: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    lines: Sequence[str]
    sheets: Sequence[Sheet] = ()
    notes: Sequence[str] = ()


def as_json(document: Document) -> str:
    """Return JSON in ASCII with all digits; numbers that are not finite are null."""
    return json.dumps(_finite(document.json), indent=2, allow_nan=False) + "\n"


def as_csv(document: Document) -> str:
    """Return CSV with all digits, each line ended by LF."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(document.header)
    writer.writerows(document.rows)
    return text.getvalue()


def as_text(document: Document) -> str:
    """Return lines and aligned tables for people to read."""
    tables = (table_lines(*sheet) for sheet in document.sheets)
    text = "\n\n".join(map("\n".join, (document.lines, *tables))) + "\n"
    return text + "".join(f"{note}\n" for note in document.notes)


_FORMS: dict[str, Callable[[Document], str]] = {
    "json": as_json,
    "csv": as_csv,
    "text": as_text,
}


def check_places(read: Iterable[str], **written: str | None) -> None:
    """Refuse to write over what is read, or over what another option writes."""
    taken = {place: "a file that is read" for place in read if place != "-"}
    for option, place in written.items():
        if place is None:
            continue
        for other, what in taken.items():
            if _are_one(place, other):
                raise Fault(f"--{option} {called(place)}: would overwrite {what}")
        taken[place] = f"what --{option} writes"


def deliver(document: Document, *, form: str | None, out: str | None) -> None:
    """Print a document or write it; without a `form` the suffix of `out` chooses."""
    if out is None:
        print_text(_FORMS[form or "text"](document))
        return
    suffix = Path(out).suffix.casefold().removeprefix(".")
    chosen = form or (suffix if suffix in _FORMS else "text")
    write_text_atomically(out, _FORMS[chosen](document))


def print_text(text: str) -> None:
    """Print text on standard output, in UTF-8 and with the line ends that it has."""
    click.echo(text.encode("utf-8"), nl=False)


def _are_one(one: str, other: str) -> bool:
    """Return whether two names lead to one file, be it there or not; devices may."""
    if os.path.exists(one) and os.path.exists(other):
        return os.path.isfile(one) and os.path.samefile(one, other)
    return os.path.realpath(one) == os.path.realpath(other)


def _finite(value: Json) -> Json:
    """Replace numbers that JSON has no way to write."""
    if isinstance(value, Mapping):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_finite(item) for item in value]
    return value
