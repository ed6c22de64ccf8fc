"""The partitions that a command is given."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from concordant.catalogue import Kind
from concordant.cli.faults import Fault, worded
from concordant.cli.output import Json
from concordant.errors import FileError, Message, listed
from concordant.files import Table, as_partition
from concordant.files.formats import read_columns
from concordant.files.headings import UnsettledHeadingError
from concordant.files.partitions import prepared
from concordant.files.summary import Reading, ReadSummary
from concordant.partition.alignment import Align, all_aligned, in_common
from concordant.partition.partition import Noise, Partition
from concordant.wording import called, count


@dataclass(frozen=True)
class Described:
    """What a document says of a partition, and of its file, which has `n_rows`."""

    name: str
    kind: str
    n_objects: int
    n_clusters: int
    understood: ReadSummary
    n_rows: int
    remarks: tuple[str, ...]

    def to_dict(self) -> dict[str, Json]:
        """Return its file, kind and size, and how it was read."""
        return {
            "file": self.name,
            "kind": self.kind,
            "n_objects": self.n_objects,
            "n_clusters": self.n_clusters,
            "understood": self.understood.to_dict(),
            "remarks": [*self.remarks],
        }

    def lines(self, title: str) -> list[str]:
        """Return the same for people to read."""
        clusters = count(self.n_clusters, "cluster")
        understood = self.understood.sentence(self.n_rows)
        return [
            f"{title}: {self.name} ({self.kind}, {clusters})",
            *(f"   {line}" for line in (understood, *self.remarks)),
        ]


@dataclass(frozen=True)
class Given(Described):
    """A partition that was read from a file."""

    partition: Partition

    @classmethod
    def of(
        cls, name: str, partition: Partition, understood: ReadSummary, n_rows: int
    ) -> "Given":
        """Describe a partition."""
        return cls(
            name,
            partition.kind,
            partition.n_objects,
            partition.n_clusters,
            understood,
            n_rows,
            tuple(Message(remark).on_command_line() for remark in partition._remarks),
            partition,
        )


def matched_by(align: Align) -> str:
    """Return how objects are matched, as documents say it."""
    return "id" if align == "index" else "position"


def alignment(given: Sequence[Given]) -> Align:
    """Match objects by their ids if all partitions have ids, else by their position."""
    return "index" if all(g.partition.ids is not None for g in given) else "position"


def read_given(
    files: Sequence[str],
    *,
    noise: Sequence[Noise],
    kind: Kind | None,
    normalize: bool,
    column: Sequence[str],
    columns: Sequence[str] | None,
    only: Sequence[str] = (),
    each_column: bool = False,
    common: bool = False,
    **reading: Any,
) -> list[Given]:
    """
    Read the partitions that a command is given, in the order of the files.

    `noise` "column" and `kind` are for the files that hold memberships, other `noise`
    for labels. `column` names the columns of labels, one for each file, or one for
    those files that have it; `columns` those of memberships, in the files that have
    them, or with `each_column` one partition each. `normalize`, these and the rest of
    `reading` hold for the files in `only`, by name or number, if there are any. Refused
    are standard input that is to be read twice, and an option that is for none of the
    files.
    """
    if files.count("-") > 1:
        raise Fault("standard input can be read only once, but - is given twice")
    meant = _meant(files, only)
    said = Reading(**reading)
    try:
        if each_column and columns is not None:
            (table,) = _read_all(files, [said])
            names = [f"{called(files[0])}:{name}" for name in columns]
            tables = [prepared(table, replace(said, column=name)) for name in columns]
            meant = [True for _ in columns]
        else:
            names = [*map(called, files)]
            readings = [said if here else Reading() for here in meant]
            tables = _read_all(files, readings)
            readings = _with_columns(tables, readings, meant, column, columns)
            tables = [*map(prepared, tables, readings)]
        partitions = _partitions(tables, meant, noise, kind, normalize, said)
    except FileError as error:
        told = said != Reading() or column or columns or normalize
        if not told or len(files) == 1 or only:
            raise
        raise Fault(
            f"{worded(error)}; --only FILE applies options to one file alone"
        ) from error
    if common:
        for name, partition in zip(names, partitions, strict=True):
            if partition.ids is None:
                raise Fault(f"--common matches objects by id, but {name} has no ids")
        partitions = in_common(partitions, names)
    return [
        Given.of(name, partition, table.understood, (table.whole or table).n_objects)
        for name, partition, table in zip(names, partitions, tables, strict=True)
    ]


def read_labels(
    option: str,
    value: str | None,
    files: Sequence[str],
    given: Sequence[Given],
    settings: Mapping[str, Any],
) -> Partition | bool | None:
    """
    Read a label for each object, from a file or from a column of one of the `files`.

    True stands for the groups that the files have, if an option has no value; the
    `settings` for reading hold for a column.
    """
    if not value:
        return None if value is None else True
    reading = {f.name: settings[f.name] for f in fields(Reading) if f.name in settings}
    said = Reading(**reading | {"column": None, "columns": None, "missing": None})
    if os.path.lexists(value):
        try:
            table = read_columns(value, Reading())
        except UnsettledHeadingError as error:
            sizes = _sizes(error) & {given[0].n_rows}
            table = _settled(error, sizes, given[0].name)
        table = prepared(table, Reading())
    else:
        tables = (read_columns(file, said) for file in files if file != "-")
        having = next((table for table in tables if _has(table, [value])), None)
        if having is None:
            among = listed([called(file) for file in files])
            raise Fault(f"{option} {value}: is neither a file nor a column of {among}")
        table = prepared(having, replace(said, column=value))
    if not _holds_labels(table):
        raise Fault(f"{option} {value}: needs one label for each object")
    labels = as_partition(table, warn=False)
    if alignment(given) == "index" and labels.ids is None:
        raise Fault(
            f"{option} {value}: has no ids, by which {given[0].name} and "
            f"{given[1].name} are matched"
        )
    names = [*(g.name for g in given), f"{option} {value}"]
    partitions = [*(g.partition for g in given), labels]
    matched = "common" if settings["common"] else alignment(given)
    return all_aligned(partitions, names, matched)[-1]


def _meant(files: Sequence[str], only: Sequence[str]) -> list[bool]:
    """Return for which files the options for reading hold."""
    names = [{file, str(number)} for number, file in enumerate(files, start=1)]
    for name in only:
        if not any(name in each for each in names):
            raise Fault(f"--only {name}: no such file is compared")
    return [not only or not each.isdisjoint(only) for each in names]


def _read_all(files: Sequence[str], readings: Sequence[Reading]) -> list[Table]:
    """Read all columns; what may be a heading is settled by the other files."""
    found: list[Table | UnsettledHeadingError] = []
    for file, reading in zip(files, readings, strict=True):
        try:
            found.append(read_columns(file, reading))
        except UnsettledHeadingError as error:
            found.append(error)
    common = set.intersection(*map(_sizes, found))
    if any(reading.transpose for reading in readings):
        common = set()
    return [
        table
        if isinstance(table, Table)
        else _settled(table, common, called(files[position - 1 if position else 1]))
        for position, table in enumerate(found)
    ]


def _settled(unsettled: UnsettledHeadingError, sizes: set[int], other: str) -> Table:
    """Take a first line as a heading or not, if only one number of objects is left."""
    if len(sizes) != 1:
        raise unsettled
    (size,) = sizes
    heading = size == unsettled.n_rows - 1
    remark = (
        f"its first line is taken as {'a heading' if heading else 'an object'}, as "
        f"{other} has {size} objects"
    )
    return replace(unsettled.tables[heading], remarks=(remark,))


def _sizes(table: Table | UnsettledHeadingError) -> set[int]:
    """Return the number of objects that a file may have."""
    if isinstance(table, Table):
        return {table.n_objects}
    return {table.n_rows, table.n_rows - 1}


def _with_columns(
    tables: Sequence[Table],
    readings: Sequence[Reading],
    meant: Sequence[bool],
    column: Sequence[str],
    columns: Sequence[str] | None,
) -> list[Reading]:
    """Add to the reading of each file which columns were named."""
    if column and columns is not None:
        raise Fault("--column is for labels, --columns for memberships: give one")
    if len(column) > 1 and len(column) != sum(meant):
        raise Fault(
            f"--column is given {len(column)} times: give it once, or once for each of "
            f"{sum(meant)} files"
        )
    names = iter(column)
    if len(column) > 1:
        return [
            replace(reading, column=next(names)) if here else reading
            for reading, here in zip(readings, meant, strict=True)
        ]
    wanted = columns if columns is not None else column
    if not wanted:
        return [*readings]
    here = [table for table, is_meant in zip(tables, meant, strict=True) if is_meant]
    having = [table for table in here if _has(table, wanted)]
    if not having:
        for name in wanted:
            here[0].column(name)
    named = {"column": wanted[0]} if columns is None else {"columns": [*columns]}
    return [
        replace(reading, **named) if any(table is each for each in having) else reading
        for reading, table in zip(readings, tables, strict=True)
    ]


def _has(table: Table, names: Sequence[str]) -> bool:
    try:
        for name in names:
            table.column(name)
    except FileError:
        return False
    return True


def _partitions(
    tables: Sequence[Table],
    meant: Sequence[bool],
    noise: Sequence[Noise],
    kind: Kind | None,
    normalize: bool,
    said: Reading,
) -> list[Partition]:
    """Make partitions of tables; the options for reading are meant for some."""
    for_labels = [*dict.fromkeys(policy for policy in noise if policy != "column")]
    if len(for_labels) > 1:
        first, second, *_ = for_labels
        raise Fault(f"--noise {first} and --noise {second} exclude each other")
    here = [table for table, is_meant in zip(tables, meant, strict=True) if is_meant]
    for option, is_given, among, is_for_labels in (
        (f"--noise {''.join(for_labels)}", for_labels, tables, True),
        ("--noise column", "column" in noise, tables, False),
        (f"--kind {kind}", kind, tables, False),
        ("--normalize", normalize, here, False),
        ("--labels-as-text", said.labels_as_text, here, True),
    ):
        if is_given and all(_holds_labels(table) != is_for_labels for table in among):
            raise Fault(
                f"{option} is for {_what(is_for_labels)}, but all files hold "
                f"{_what(not is_for_labels)}"
            )
    of_labels: dict[str, Any] = {"noise": for_labels[0] if for_labels else None}
    of_memberships: dict[str, Any] = {
        "kind": kind,
        "noise": "column" if "column" in noise else None,
    }
    return [
        as_partition(
            table,
            labels_as_text=said.labels_as_text and is_meant,
            warn=False,
            **of_labels,
        )
        if _holds_labels(table)
        else as_partition(
            table, normalize=normalize and is_meant, warn=False, **of_memberships
        )
        for table, is_meant in zip(tables, meant, strict=True)
    ]


def _what(labels: bool) -> str:
    return "labels" if labels else "memberships"


def _holds_labels(table: Table) -> bool:
    return len(table.columns) == 1
