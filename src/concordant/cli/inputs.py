"""The partitions that a command is given are read from files."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

import click

from concordant.cli.faults import Fault
from concordant.cli.output import Described, Given
from concordant.errors import FileError, Message, listed
from concordant.files import Table, as_partition
from concordant.files.formats import read_columns
from concordant.files.partitions import prepared
from concordant.files.table import Reading
from concordant.files.text import UnsettledHeadingError
from concordant.partition.alignment import all_aligned
from concordant.partition.partition import Partition
from concordant.wording import called

_OF_FILES = ("column", "columns", "normalize")  # beside those of a `Reading`


def read_given(
    files: Sequence[str],
    settings: Mapping[str, Any],
    *,
    labels: Sequence[str] = (),
    each_column: bool = False,
) -> Given:
    """
    Read the partitions that a command is given, in the order of the files.

    `settings` are the options for reading: ``noise`` "column" and ``kind`` are for the
    files that hold memberships, other ``noise`` for labels. ``column`` names the
    columns of labels, one for each file, or one for those files that have it;
    ``columns`` those of memberships, in the files that have them, or with `each_column`
    one partition each of a single file. ``normalize``, these and the rest hold for the
    files in ``only``, by name or number, if there are any. `labels` are options for a
    label of each object. Refused are standard input that is to be read twice, and an
    option that is for none of the files.
    """
    columns, only = settings["columns"], settings["only"]
    if len(files) < 2 and not (each_column and columns):
        or_columns = ", or one with --columns A,B,... of labels" * each_column
        raise click.UsageError(
            "at least two files are needed, or two runs of one, as FILE#1 FILE#2"
            f"{or_columns}"
        )
    if files.count("-") > 1:
        raise Fault("standard input can be read only once, but - is given twice")
    options = {name: settings[name] for name in labels}
    meant = _meant(files, only, [*filter(None, options.values())])
    reading = {f.name: settings[f.name] for f in fields(Reading)}
    said = Reading(**reading | {"column": None, "columns": None})
    try:
        if len(files) == 1:
            (table,) = _read_all(files, [said])
            names = [f"{called(files[0])}:{name}" for name in columns]
            tables = [prepared(table, replace(said, column=name)) for name in columns]
            meant = [True for _ in columns]
        else:
            names = [*map(called, files)]
            readings = [said if here else Reading() for here in meant]
            tables = _read_all(files, readings)
            readings = _with_columns(tables, readings, meant, settings)
            tables = [*map(prepared, tables, readings)]
        partitions = _partitions(tables, meant, settings)
        if settings["common"]:
            partitions = all_aligned(partitions, names, "common")
        have_ids = all(partition.ids is not None for partition in partitions)
        given = Given(
            [*map(_described, names, partitions, tables)],
            "index" if have_ids else "position",
            partitions,
        )
        found = {
            name: _labels(f"--{name}", value, files, given, said, settings)
            for name, value in options.items()
        }
    except FileError as error:
        is_said = said != Reading() or any(settings[x] for x in _OF_FILES)
        if only or len(files) == 1 or not (is_said or any(options.values())):
            raise
        hint = "; --only FILE applies options to one file alone"
        raise FileError(error.message, hint) from error
    return replace(given, labels=found)


def _described(name: str, partition: Partition, table: Table) -> Described:
    n_rows = (table.whole or table).n_objects
    size = partition.n_objects, partition.n_clusters
    remarks = tuple(Message(piece).on_command_line() for piece in partition._remarks)
    return Described(name, partition.kind, *size, table.understood, n_rows, remarks)


def _labels(
    option: str,
    value: str | None,
    files: Sequence[str],
    given: Given,
    said: Reading,
    settings: Mapping[str, Any],
) -> Partition | bool | None:
    """
    Read a label for each object, from a file or from a column of one of the `files`.

    True stands for the groups that the files have, if an option has no value.
    """
    if not value:
        return None if value is None else True
    if os.path.lexists(value):
        said = said if value in settings["only"] else Reading()
        first = given.described[0]
        table = _settled(_columns_of(value, said), {first.n_rows}, first.name)
        (said,) = _with_columns([table], [said], [said != Reading()], settings)
    else:
        said = replace(said, column=value, missing=None)
        read = [read_columns(file, said) for file in files if file != "-"]
        having = [table for table in read if _has(table, [value])]
        if not having:
            among = listed([called(file) for file in files])
            raise Fault(f"{option} {value}: is neither a file nor a column of {among}")
        table = having[0]
    table = prepared(table, said)
    if not holds_labels(table):
        raise FileError(f"{option} {value}: needs one label for each object")
    labels = as_partition(table, warn=False)
    P, Q, *_ = given.names
    if given.align == "index" and labels.ids is None:
        raise Fault(f"{option} {value}: has no ids, by which {P} and {Q} are matched")
    matched = "common" if settings["common"] else given.align
    titles = [*given.names, f"{option} {value}"]
    return all_aligned([*given.partitions, labels], titles, matched)[-1]


def _meant(files: Sequence[str], only: Sequence[str], others: list[str]) -> list[bool]:
    """Return for which files the options for reading hold, apart from `others`."""
    names = [{file, str(number)} for number, file in enumerate(files, start=1)]
    for name in only:
        if not any(name in each for each in [*names, others]):
            raise Fault(f"--only {name}: no such file is compared")
    return [not only or not each.isdisjoint(only) for each in names]


def _read_all(files: Sequence[str], readings: Sequence[Reading]) -> list[Table]:
    """Read all columns; what may be a heading is settled by the other files."""
    found = [*map(_columns_of, files, readings)]
    common = set.intersection(*map(_sizes, found))
    if any(reading.transpose for reading in readings):
        common = set()
    return [
        _settled(table, common, called(files[position - 1]))
        for position, table in enumerate(found)
    ]


def _columns_of(file: str, reading: Reading) -> Table | UnsettledHeadingError:
    try:
        return read_columns(file, reading)
    except UnsettledHeadingError as error:
        return error


def _settled(
    found: Table | UnsettledHeadingError, sizes: set[int], other: str
) -> Table:
    """Take a first line as a heading or not, if only one number of objects is left."""
    if isinstance(found, Table):
        return found
    left = sizes & _sizes(found)
    if len(left) != 1:
        raise found
    (size,) = left
    heading = size == found.tables[1].n_objects
    remark = (
        f"its first line is taken as {'a heading' if heading else 'an object'}, as "
        f"{other} has {size} objects"
    )
    return replace(found.tables[heading], remarks=(remark,))


def _sizes(table: Table | UnsettledHeadingError) -> set[int]:
    """Return the number of objects that a file may have."""
    if isinstance(table, Table):
        return {table.n_objects}
    return {each.n_objects for each in table.tables}


def _with_columns(
    tables: Sequence[Table],
    readings: Sequence[Reading],
    meant: Sequence[bool],
    settings: Mapping[str, Any],
) -> list[Reading]:
    """Add to the reading of each file which columns were named."""
    column, columns = settings["column"], settings["columns"]
    if column and columns is not None:
        raise Fault("--column is for labels, --columns for memberships: give one")
    if len(column) > 1:
        if len(column) != sum(meant):
            raise Fault(
                f"--column is given {len(column)} times: give it once, or once for "
                f"each of {sum(meant)} files"
            )
        names = iter(column)
        return [
            replace(reading, column=next(names)) if here else reading
            for reading, here in zip(readings, meant, strict=True)
        ]
    wanted = columns or column
    if not wanted or not any(meant):
        return [*readings]
    named = {"columns": [*wanted]} if columns else {"column": wanted[0]}
    having = [
        here and _has(table, wanted) for table, here in zip(tables, meant, strict=True)
    ]
    if not any(having):
        for name in wanted:
            tables[meant.index(True)].column(name)
    return [
        replace(reading, **named) if has else reading
        for reading, has in zip(readings, having, strict=True)
    ]


def _has(table: Table, names: Sequence[str]) -> bool:
    try:
        for name in names:
            table.column(name)
    except FileError:
        return False
    return True


def _partitions(
    tables: Sequence[Table], meant: Sequence[bool], settings: Mapping[str, Any]
) -> list[Partition]:
    """Make partitions of tables; the options for reading are meant for some."""
    noise, kind = settings["noise"], settings["kind"]
    normalize, as_text = settings["normalize"], settings["labels_as_text"]
    for_labels = [*dict.fromkeys(policy for policy in noise if policy != "column")]
    if len(for_labels) > 1:
        first, second, *_ = for_labels
        raise Fault(f"--noise {first} and --noise {second} exclude each other")
    all_hold = [*map(holds_labels, tables)]
    hold = [labels for labels, here in zip(all_hold, meant, strict=True) if here]
    for option, is_given, among, labels in (
        (f"--noise {''.join(for_labels)}", for_labels, all_hold, True),
        ("--noise column", "column" in noise, all_hold, False),
        (f"--kind {kind}", kind, all_hold, False),
        ("--normalize", normalize, hold, False),
        ("--labels-as-text", as_text, hold, True),
    ):
        if is_given:
            check_any(option, among, labels=labels)
    partitions = []
    for table, here in zip(tables, meant, strict=True):
        how: dict[str, Any] = {
            "kind": kind,
            "noise": "column" if "column" in noise else None,
            "normalize": normalize and here,
        }
        if holds_labels(table):
            how = {"noise": for_labels[0] if for_labels else None}
        partitions.append(as_partition(table, warn=False, **how))
    return partitions


def check_any(option: str, hold_labels: Sequence[bool], *, labels: bool) -> None:
    """Refuse an option for labels, or for memberships, that no file holds."""
    if labels not in hold_labels:
        what, other = ("labels", "memberships")[:: 1 if labels else -1]
        raise Fault(f"{option} is for {what}, but all files hold {other}")


def holds_labels(table: Table) -> bool:
    """Return whether a table holds labels, and not memberships."""
    return len(table.columns) == 1
