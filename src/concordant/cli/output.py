"""A document goes to a terminal, a pipe or a file."""

import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import click

from concordant.cli.document import Document, as_csv, as_json, as_plain
from concordant.cli.faults import Fault
from concordant.cli.interruption import check_not_stopped
from concordant.files import write_text_atomically
from concordant.wording import called

_FORMS: dict[str, Callable[[Document], str]] = {
    "json": as_json,
    "csv": as_csv,
    "plain": as_plain,
}


def check_places(read: Iterable[str], **written: str | None) -> None:
    """Refuse to write over what is read, or over what another option writes."""
    taken = {place: "a file that is read" for place in read if place != "-"}
    for option, place in written.items():
        if place is None:
            continue
        for other, what in taken.items():
            if _are_one(place, other):
                raise Fault(f"--{option} {called(place)}: is {what}")
        taken[place] = f"what --{option} writes"


def _are_one(one: str, other: str) -> bool:
    """Tell whether two names lead to one file, be it there or not; devices may."""
    if os.path.exists(one) and os.path.exists(other):
        return os.path.isfile(one) and os.path.samefile(one, other)
    return os.path.realpath(one) == os.path.realpath(other)


def deliver(document: Document, *, form: str | None, out: str | None) -> None:
    """
    Print a document, or write it to a file.

    The form is "json" or "csv"; None: what the suffix of the file says, else a table
    for people.
    """
    if out is not None:
        suffix = Path(out).suffix.casefold().removeprefix(".")
        chosen = form or (suffix if suffix in _FORMS else "plain")
        write_text_atomically(out, _FORMS[chosen](document))
        return
    check_not_stopped()
    if form is None and sys.stdout.isatty():
        _print_in_terminal(document)
    else:
        print_text(_FORMS[form or "plain"](document))


def print_text(text: str) -> None:
    """Print text on standard output, in UTF-8 and with the line ends that it has."""
    check_not_stopped()
    click.echo(text.encode("utf-8"), nl=False)


def _print_in_terminal(document: Document) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False, markup=False, emoji=False)
    for line in document.lines:
        console.print(line, soft_wrap=True)
    for sheet in document.sheets:
        first, *others = sheet.header
        table = Table(box=box.SIMPLE_HEAD)
        table.add_column(first, overflow="fold")
        for heading in others:
            table.add_column(heading, justify="right", no_wrap=True)
        for row in sheet.rows:
            table.add_row(*row)
        # In a narrow terminal lines are broken; no digit is cut off.
        whole = console.measure(table, options=console.options.update(width=10_000))
        console.width = max(console.width, whole.maximum)
        console.print(table)
