"""The partitions that a command is given."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from concordant.cli.faults import Fault, worded
from concordant.errors import FileError, Message
from concordant.files import Table, as_partition
from concordant.files.formats import Reading, read_columns
from concordant.files.headings import UnsettledHeadingError
from concordant.files.partitions import prepared
from concordant.files.understanding import Understood
from concordant.partition.alignment import Align, in_common
from concordant.partition.partition import Kind, Noise, Partition
from concordant.wording import called


@dataclass(frozen=True)
class Given:
    """A partition, the file that it was read from, and how many objects that has."""

    name: str
    partition: Partition
    understood: Understood
    n_rows: int
    remarks: tuple[str, ...] = ()

    @property
    def described(self) -> "Described":
        """What a document tells of it."""
        partition = self.partition
        return Described(
            self.name,
            partition.kind,
            partition.n_objects,
            partition.n_clusters,
            self.understood,
            self.n_rows,
            self.remarks,
        )


@dataclass(frozen=True)
class Described:
    """What a document tells of a partition, the remarks in one sentence each."""

    name: str
    kind: str
    n_objects: int
    n_clusters: int
    understood: Understood
    n_rows: int
    remarks: tuple[str, ...] = ()


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
        raise Fault("standard input can be read once, but - is given twice")
    meant = _meant(files, only)
    said = Reading(**reading)
    try:
        given = _read(
            files, said, meant, noise, kind, normalize, column, columns, each_column
        )
        return _in_common(given) if common else given
    except FileError as error:
        told = said != Reading() or column or columns or normalize
        if not told or len(files) == 1 or only:
            raise
        raise Fault(
            f"{worded(error)}; --only FILE applies options to one file alone"
        ) from error


def alignment(given: Sequence[Given]) -> Align:
    """Match objects by their ids if all partitions have ids, else by their position."""
    return "index" if all(g.partition.ids is not None for g in given) else "position"


def _in_common(given: Sequence[Given]) -> list[Given]:
    """Keep the objects whose ids all files have."""
    for one in given:
        if one.partition.ids is None:
            raise Fault(f"--common matches objects by id, but {one.name} has no ids")
    kept = in_common([one.partition for one in given], [one.name for one in given])
    return [
        replace(one, partition=partition, remarks=_told(partition))
        for one, partition in zip(given, kept, strict=True)
    ]


def _told(partition: Partition) -> tuple[str, ...]:
    return tuple(Message(remark).on_command_line() for remark in partition._remarks)


def _read(
    files: Sequence[str],
    said: Reading,
    meant: Sequence[bool],
    noise: Sequence[Noise],
    kind: Kind | None,
    normalize: bool,
    column: Sequence[str],
    columns: Sequence[str] | None,
    each_column: bool,
) -> list[Given]:
    """Read partitions, of which options are meant for some."""
    readings = [said if here else Reading() for here in meant]
    whole = _read_all(files, readings)
    if each_column and columns is not None:
        ((file, table),) = zip(files, whole, strict=True)
        names = [f"{called(file)}:{name}" for name in columns]
        tables = [prepared(table, replace(said, column=name)) for name in columns]
        meant = [True for _ in columns]
    else:
        names = [*map(called, files)]
        readings = _with_columns(whole, readings, meant, column, columns)
        tables = [*map(prepared, whole, readings)]
    for_labels = _only([policy for policy in noise if policy != "column"])
    for_memberships: Noise | None = "column" if "column" in noise else None
    here = [table for table, is_meant in zip(tables, meant, strict=True) if is_meant]
    _check_meant(tables, f"--noise {for_labels}", for_labels, labels=True)
    _check_meant(tables, "--noise column", for_memberships, labels=False)
    _check_meant(tables, f"--kind {kind}", kind, labels=False)
    _check_meant(here, "--normalize", normalize or None, labels=False)
    _check_meant(here, "--labels-as-text", said.labels_as_text or None, labels=True)
    given = []
    for name, table, is_meant in zip(names, tables, meant, strict=True):
        if _holds_labels(table):
            as_text = said.labels_as_text and is_meant
            partition = as_partition(
                table, noise=for_labels, labels_as_text=as_text, warn=False
            )
        else:
            partition = as_partition(
                table,
                noise=for_memberships,
                kind=kind,
                normalize=normalize and is_meant,
                warn=False,
            )
        given.append(_given(name, table, partition))
    return given


def _meant(files: Sequence[str], only: Sequence[str]) -> list[bool]:
    """Tell for which files the options for reading hold."""
    if not only:
        return [True for _ in files]
    numbers = [str(number) for number, _ in enumerate(files, start=1)]
    for name in only:
        if name not in files and name not in numbers:
            raise Fault(f"--only {name}: no such file is compared")
    both = zip(files, numbers, strict=True)
    return [file in only or number in only for file, number in both]


def _read_all(files: Sequence[str], readings: Sequence[Reading]) -> list[Table]:
    """Read all columns; what may be a heading is settled by the other files."""
    found: list[Table | UnsettledHeadingError] = []
    for file, reading in zip(files, readings, strict=True):
        try:
            found.append(read_columns(file, reading))
        except UnsettledHeadingError as error:
            found.append(error)
    common = set.intersection(*map(_sizes, found))
    tables = []
    for position, table in enumerate(found):
        if isinstance(table, Table):
            tables.append(table)
            continue
        if len(common) != 1 or any(reading.transpose for reading in readings):
            raise table
        (size,) = common
        heading = size == table.n_rows - 1
        other = called(files[position - 1 if position else 1])
        remark = (
            f"its first line is taken as {'a heading' if heading else 'an object'}, as "
            f"{other} has {size} objects"
        )
        tables.append(replace(table.tables[heading], remarks=(remark,)))
    return tables


def _sizes(table: Table | UnsettledHeadingError) -> set[int]:
    """Give how many objects a file may have."""
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
    """Tell for each file which columns were named."""
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
    wanted = columns if columns is not None else column
    if not wanted:
        return [*readings]
    have = [
        here and _has(table, wanted) for table, here in zip(tables, meant, strict=True)
    ]
    if not any(have):
        table = next(table for table, here in zip(tables, meant, strict=True) if here)
        for name in wanted:
            table.column(name)
    return [
        replace(
            reading,
            column=None if columns is not None else wanted[0],
            columns=None if columns is None else [*columns],
        )
        if has
        else reading
        for reading, has in zip(readings, have, strict=True)
    ]


def _has(table: Table, names: Sequence[str]) -> bool:
    try:
        for name in names:
            table.column(name)
    except FileError:
        return False
    return True


def _given(name: str, table: Table, partition: Partition) -> Given:
    return Given(
        name,
        partition,
        table.understood,
        (table.whole or table).n_objects,
        _told(partition),
    )


def _holds_labels(table: Table) -> bool:
    return len(table.columns) == 1


def _only(policies: Sequence[Noise]) -> Noise | None:
    if len({*policies}) > 1:
        first, second, *_ = dict.fromkeys(policies)
        raise Fault(f"--noise {first} and --noise {second} exclude each other")
    return policies[0] if policies else None


def _check_meant(
    tables: Sequence[Table], option: str, value: object, *, labels: bool
) -> None:
    """Refuse an option that would change nothing."""
    if value is None or any(_holds_labels(table) == labels for table in tables):
        return
    meant, found = ("labels", "memberships") if labels else ("memberships", "labels")
    raise Fault(f"{option} is for {meant}, but all files hold {found}")
