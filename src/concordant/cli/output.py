"""A document goes to a terminal, a pipe or a file."""

import sys
from collections.abc import Callable
from pathlib import Path

import click

from concordant.cli.document import Document, as_csv, as_json, as_plain
from concordant.cli.interruption import check_not_stopped
from concordant.files import write_text_atomically

_FORMS: dict[str, Callable[[Document], str]] = {
    "json": as_json,
    "csv": as_csv,
    "plain": as_plain,
}


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
