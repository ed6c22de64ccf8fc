"""The partitions that a command is given are read from files."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from itertools import chain
from typing import Any

import click
import numpy as np

from concordant.cli.faults import Fault, warn
from concordant.cli.output import Described, GivenFiles
from concordant.errors import FileError, Message, listed
from concordant.files import Table, as_partition
from concordant.files.columns import column_of_ids, with_ids
from concordant.files.formats import read_columns, read_runs
from concordant.files.partitions import prepared
from concordant.files.table import Reading
from concordant.files.text import UnsettledHeadingError
from concordant.partition.alignment import all_aligned
from concordant.partition.partition import Partition
from concordant.wording import called, count, shown

_OF_FILES = ("column", "columns", "normalize")  # beside those of a `Reading`
_OF_PARTITIONS = (
    "only", "ids", "run", "common", "transpose", "labels_as_text", "noise", "kind",
    "missing",
)  # fmt: skip


def read_given(
    files: Sequence[str],
    settings: Mapping[str, Any],
    *,
    each_column: bool = False,
    data: str | None = None,
    pairwise: bool = False,
    n_of_runs: int = 0,
) -> GivenFiles:
    """
    Read the partitions that a command is given, in the order of the files.

    `settings` are the options for reading: ``noise`` "column" and ``kind`` are for the
    files that hold memberships, other ``noise`` for labels. ``column`` names the
    columns of labels, one for each file, or one for those files that have it;
    ``columns`` those of memberships, in the files that have them, or with `each_column`
    one partition each of a single file. All hold for the files in ``only``, by name or
    number, if there are any. One file is enough with `data` that it is a partition of.
    Refused are standard input that is to be read twice, and an option that is for none
    of the files. With `pairwise`, ids in common are those of each two files. The first
    `n_of_runs` of the files may hold several runs, each of which then counts as a file.
    """
    columns, only = settings["columns"], settings["only"]
    if [*files, data].count("-") > 1:
        raise Fault("standard input can be read only once, but - is given twice")
    labels = {name: settings[name] for name in ("strata", "groups") if name in settings}
    meant = _meant(files, only, [*filter(None, [data, *labels.values()])])
    said = _reading(settings)
    try:
        found = [
            _runs_of(file, said if here else Reading(), may_have_several=n < n_of_runs)
            for n, (file, here) in enumerate(zip(files, meant, strict=True))
        ]
        meant = [here for here, runs in zip(meant, found, strict=True) for _ in runs]
        if len(meant) < 2 and not (each_column and columns) and data is None:
            or_columns = ", or one with --columns A,B,... of labels" * each_column
            raise click.UsageError(
                f"at least two files are needed, or one of several runs{or_columns}"
            )
        readings = [said if here else Reading() for here in meant]
        files = _named_runs(files, found)
        names = [*map(called, files)]
        read = tables = _settled_all([*chain(*found)], readings, names)
        if len(files) == 1 and each_column:
            names = [f"{names[0]}:{name}" for name in columns]
            readings = [replace(said, column=name) for name in columns]
            tables, meant = tables * len(columns), [True] * len(columns)
        else:
            readings = _with_columns(tables, readings, meant, settings)
        tables = [*map(prepared, tables, readings)]
        partitions = partitions_of(tables, meant, settings)
        in_pairs = settings["common"] and pairwise
        if settings["common"] and not pairwise:
            partitions = all_aligned(partitions, names, "common")
        have_ids = all(partition.ids is not None for partition in partitions)
        given = GivenFiles(
            [*map(_described, names, partitions, tables)],
            "common" if in_pairs else "id" if have_ids else "position",
            partitions,
            files,
        )
        given = replace(
            given,
            labels={
                name: _labels(f"--{name}", value, read, given, said, settings)
                for name, value in labels.items()
            },
        )
    except FileError as error:
        is_said = said != Reading() or any(settings[name] for name in _OF_FILES)
        alone = len(files) == 1 and data is None
        if only or alone or not (is_said or any(labels.values())):
            raise
        hint = "; --only FILE applies options to one file alone"
        raise FileError(error.message, hint) from error
    return given


def read_draws(files: Sequence[str], settings: Mapping[str, Any]) -> GivenFiles:
    """Read the partitions that are the rows or columns of a file of labels."""
    if len(files) > 1:
        raise Fault(f"--draws is for a single file, found {len(files)}")
    for name in (*_OF_PARTITIONS, *_OF_FILES):
        if settings[name]:
            option = name.replace("_", "-")
            raise Fault(f"--{option} is not for --draws; leave out one of them")
    said = _reading(settings)
    table = read_columns(files[0], said)
    if said.id_column in (0, "0"):
        table = replace(table, ids=None).noting(ids=None)
    by_row = settings["draws"] == "rows"
    numbers = column_of_ids(table, said.id_column)
    if by_row and numbers is not None:  # of draws, which may occur again in each chain
        table = table.without(numbers).noting(ids=numbers.title)
    elif not by_row:
        table = with_ids(table, said.id_column)
    for column in table.columns:
        unknown = ~(abs(column.numbers) < 2.0**53) | (column.numbers % 1.0 != 0.0)
        if unknown.any():
            first = int(unknown.argmax())
            needs = f"--draws needs whole numbers, found {shown(column.cell(first))}"
            raise table.fault(needs, at=first, column=column)
    labels = np.array([column.numbers for column in table.columns])
    ids = None if by_row else table.ids
    partitions = [
        Partition._named(each, f"partition {number}", ids=ids, warn=False)
        for number, each in enumerate(labels.T if by_row else labels, start=1)
    ]
    table = replace(table, understood=replace(table.summary(), holds="labels"))
    most = max(partitions, key=lambda partition: partition.n_clusters)
    return GivenFiles(
        [_described(called(files[0]), most, table)], "position", partitions
    )


def _reading(settings: Mapping[str, Any]) -> Reading:
    """Return how a file is read, before it is known which columns it has."""
    names = {field.name for field in fields(Reading)} - {"column", "columns"}
    return Reading(**{name: settings[name] for name in names})


def _described(name: str, partition: Partition, table: Table) -> Described:
    return Described(
        name,
        partition.kind,
        partition.n_objects,
        partition.n_clusters,
        table.understood,
        tuple(Message(piece).on_command_line() for piece in partition._remarks),
        (table.whole or table).n_objects,
    )


def _labels(
    option: str,
    value: str | None,
    read: Sequence[Table],
    given: GivenFiles,
    said: Reading,
    settings: Mapping[str, Any],
) -> Partition | bool | None:
    """
    Read a label for each object, from a file or from a column of those that are `read`.

    True stands for the groups that the files have, if an option has no value.
    """
    if not value:
        return None if value is None else True
    if os.path.lexists(value):
        said = said if value in settings["only"] else Reading()
        first = given.described[0]
        (found,) = _runs_of(value, said, may_have_several=False)
        table = _settled(found, {first.n_rows}, first.file)
        (said,) = _with_columns([table], [said], [said != Reading()], settings)
    else:
        said = replace(said, column=value, missing=None)
        having = [table for table in read if _has(table, [value])]
        if not having:
            among = listed(given.names)
            raise Fault(f"{option} {value}: is neither a file nor a column of {among}")
        table = having[0]
    table = prepared(table, said)
    if not holds_labels(table):
        raise FileError(f"{option} {value}: needs one label for each object")
    labels = as_partition(table, warn=False)
    P, Q, *_ = given.names
    if given.match_by == "id" and labels.ids is None:
        raise Fault(f"{option} {value}: has no ids, by which {P} and {Q} are matched")
    matched = "common" if settings["common"] else given.match_by
    titles = [*given.names, f"{option} {value}"]
    return all_aligned([*given.partitions, labels], titles, matched)[-1]


def _meant(files: Sequence[str], only: Sequence[str], others: list[str]) -> list[bool]:
    """Return for which files the options for reading hold, apart from `others`."""
    names = [{file, str(number)} for number, file in enumerate(files, start=1)]
    for name in only:
        if not any(name in each for each in [*names, others]):
            raise Fault(f"--only {name}: no such file is compared")
    return [not only or not each.isdisjoint(only) for each in names]


def _runs_of(
    file: str, reading: Reading, *, may_have_several: bool
) -> list[Table | UnsettledHeadingError]:
    """Read all columns, of each run if there may be several."""
    try:
        if may_have_several:
            return [*read_runs(file, reading)]
        return [read_columns(file, reading)]
    except UnsettledHeadingError as error:
        return [error]


def _named_runs(files: Sequence[str], found: Sequence[Sequence[object]]) -> list[str]:
    """Return the names of all runs, and say of files that hold several how many."""
    names = []
    for file, runs in zip(files, found, strict=True):
        if len(runs) == 1:
            names.append(file)
            continue
        names += [f"{file}#{number}" for number in range(1, len(runs) + 1)]
        warn(f"{called(file)}: holds {len(runs)} runs, and all of them are taken")
    return names


def _settled_all(
    found: Sequence[Table | UnsettledHeadingError],
    readings: Sequence[Reading],
    names: Sequence[str],
) -> list[Table]:
    """Settle by the other files what may be a heading."""
    common = set.intersection(*map(_sizes, found))
    if any(reading.transpose for reading in readings):
        common = set()
    return [
        _settled(table, common, names[position - 1])
        for position, table in enumerate(found)
    ]


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
        f"{other} has {count(size, 'object')}"
    )
    return replace(found.tables[heading], remarks=(remark,))


def _sizes(table: Table | UnsettledHeadingError) -> set[int]:
    """Return the number of objects that a file may have."""
    tables = [table] if isinstance(table, Table) else table.tables
    return {each.n_objects for each in tables}


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
    named = [*readings]
    files = [number for number, here in enumerate(meant) if here]
    if len(column) > 1:
        if len(column) != len(files):
            raise Fault(
                f"--column is given {len(column)} times: give it once, or once for "
                f"each of {len(files)} files"
            )
        for number, name in zip(files, column, strict=True):
            named[number] = replace(named[number], column=name)
        return named
    wanted = columns or column
    having = [number for number in files if _has(tables[number], wanted)]
    if files and not having:
        for name in wanted:
            tables[files[0]].column(name)
    for number in having:
        one = column[0] if column else None
        named[number] = replace(named[number], column=one, columns=columns)
    return named


def _has(table: Table, names: Sequence[str]) -> bool:
    try:
        for name in names:
            table.column(name)
    except FileError:
        return False
    return True


def partitions_of(
    tables: Sequence[Table], meant: Sequence[bool], settings: Mapping[str, Any]
) -> list[Partition]:
    """Make partitions of tables; the options for reading are meant for some."""
    kind, normalize = settings["kind"], settings["normalize"]
    column = "column" if "column" in settings["noise"] else None
    policies = [*dict.fromkeys(x for x in settings["noise"] if x != "column")]
    if len(policies) > 1:
        first, second, *_ = policies
        raise Fault(f"--noise {first} and --noise {second} exclude each other")
    policy = policies[0] if policies else None
    read = [*zip(tables, meant, strict=True)]
    among = [holds_labels(table) for table, here in read if here]
    for option, is_given, labels in (
        (f"--noise {policy}", policy, True),
        ("--noise column", column, False),
        (f"--kind {kind}", kind, False),
        ("--normalize", normalize, False),
        ("--labels-as-text", settings["labels_as_text"], True),
    ):
        if is_given and among:
            whose = "all files" if all(meant) else "the files of --only"
            check_any(option, among, labels=labels, whose=whose)
    of_memberships = {"kind": kind, "noise": column, "normalize": normalize}
    how: dict[bool, dict[str, Any]] = {True: {"noise": policy}, False: of_memberships}
    return [
        as_partition(table, warn=False, **(how[holds_labels(table)] if here else {}))
        for table, here in read
    ]


def check_any(
    option: str,
    hold_labels: Sequence[bool],
    *,
    labels: bool,
    whose: str = "all files",
) -> None:
    """Refuse an option for labels, or for memberships, that no file holds."""
    if labels not in hold_labels:
        what, other = ("labels", "memberships")[:: 1 if labels else -1]
        raise Fault(f"{option} is for {what}, but {whose} hold {other}")


def holds_labels(table: Table) -> bool:
    """Return whether a table holds labels, and not memberships."""
    return len(table.columns) == 1
