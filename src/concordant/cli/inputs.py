"""The partitions that a command is given."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from concordant.alignment import Align
from concordant.cli.faults import Fault, reworded
from concordant.files import Table, as_partition
from concordant.files.errors import FileError, UnsettledHeadingError, called
from concordant.files.partitions import prepared
from concordant.files.tables import Reading, read_columns
from concordant.files.understanding import Understood
from concordant.partition import Kind, Noise, Partition


@dataclass(frozen=True)
class Given:
    """
    A partition and where it was read from.

    Parameters
    ----------
    name : str
        The file, as messages show it.
    partition : Partition
        What it holds.
    understood : Understood
        What was decided when it was read.
    n_rows : int
        How many objects the file has.
    remarks : tuple of str
        What was noticed.
    """

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
    """
    What a document tells of a partition.

    Parameters
    ----------
    name : str
        The file, as messages show it.
    kind : str
        Its kind.
    n_objects, n_clusters : int
        Its size.
    understood : Understood
        What was decided when it was read.
    n_rows : int
        How many objects the file has.
    remarks : tuple of str
        What was noticed, one sentence each.
    """

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
    each_column: bool = False,
    **reading: Any,
) -> list[Given]:
    """
    Read the partitions that a command is given.

    Parameters
    ----------
    files : sequence of str
        Paths, of which one may be ``"-"``.
    noise : sequence of str
        ``"column"`` is for the files that hold memberships, all else for labels.
    kind : str or None
        For the files that hold memberships.
    normalize : bool
        Whether memberships are divided by their sums.
    column : sequence of str
        The columns that hold labels: one for each file, or one for those files that
        have it.
    columns : sequence of str or None
        The columns that hold memberships, in those files that have them.
    each_column : bool, default=False
        Whether each of `columns` holds the labels of a partition of its own.
    **reading
        As in `Reading`.

    Returns
    -------
    list of Given
        In the order of the files.

    Raises
    ------
    Fault
        If standard input is to be read twice, or an option is for none of the files.
    """
    if files.count("-") > 1:
        raise Fault("standard input can be read once, but - is given twice")
    said = Reading(**reading)
    whole = _read_all(files, said)
    if each_column and columns is not None:
        ((file, table),) = zip(files, whole, strict=True)
        names = [f"{called(file)}:{name}" for name in columns]
        tables = [prepared(table, replace(said, column=name)) for name in columns]
    else:
        names = [*map(called, files)]
        tables = [
            prepared(table, each)
            for table, each in zip(
                whole, _readings(whole, said, column, columns), strict=True
            )
        ]
    for_labels = _only([policy for policy in noise if policy != "column"])
    for_memberships: Noise | None = "column" if "column" in noise else None
    _check_meant(tables, f"--noise {for_labels}", for_labels, labels=True)
    _check_meant(tables, "--noise column", for_memberships, labels=False)
    _check_meant(tables, f"--kind {kind}", kind, labels=False)
    _check_meant(tables, "--normalize", normalize or None, labels=False)
    _check_meant(tables, "--labels-as-text", said.labels_as_text or None, labels=True)
    return [
        _given(
            name,
            table,
            as_partition(
                table,
                noise=for_labels,
                labels_as_text=said.labels_as_text,
                warn=False,
            )
            if _holds_labels(table)
            else as_partition(
                table,
                noise=for_memberships,
                kind=kind,
                normalize=normalize,
                warn=False,
            ),
        )
        for name, table in zip(names, tables, strict=True)
    ]


def alignment(given: Sequence[Given]) -> Align:
    """
    Tell how the objects of partitions are matched.

    Parameters
    ----------
    given : sequence of Given
        The partitions.

    Returns
    -------
    {"index", "position"}
        By their ids if all of them have ids, else by their position.
    """
    return "index" if all(g.partition.ids is not None for g in given) else "position"


def _read_all(files: Sequence[str], said: Reading) -> list[Table]:
    """Read all columns; what may be a heading is settled by the other files."""
    found: list[Table | UnsettledHeadingError] = []
    for file in files:
        try:
            found.append(read_columns(file, said))
        except UnsettledHeadingError as error:
            found.append(error)
    common = set.intersection(*map(_sizes, found))
    tables = []
    for position, table in enumerate(found):
        if isinstance(table, Table):
            tables.append(table)
            continue
        if len(common) != 1 or said.transpose:
            raise table
        (size,) = common
        heading = size == table.n_rows - 1
        other = called(files[position - 1 if position else 1])
        remark = (
            f"its first line is taken as {'a heading' if heading else 'an object'}, as "
            f"{other} has {size} objects"
        )
        tables.append(replace(table.settled(heading), remarks=(remark,)))
    return tables


def _sizes(table: Table | UnsettledHeadingError) -> set[int]:
    """Give how many objects a file may have."""
    if isinstance(table, Table):
        return {table.n_objects}
    return {table.n_rows, table.n_rows - 1}


def _readings(
    tables: Sequence[Table],
    said: Reading,
    column: Sequence[str],
    columns: Sequence[str] | None,
) -> list[Reading]:
    """Tell for each file which columns were named."""
    if column and columns is not None:
        raise Fault("--column is for labels, --columns for memberships: give one")
    if len(column) > 1:
        if len(column) != len(tables):
            raise Fault(
                f"--column is given {len(column)} times: give it once, or once for "
                f"each of {len(tables)} files"
            )
        return [replace(said, column=name) for name in column]
    wanted = columns if columns is not None else column
    if not wanted:
        return [said for _ in tables]
    here = [_has(table, wanted) for table in tables]
    if not any(here):
        for name in wanted:
            tables[0].column(name)
    chosen = replace(
        said,
        column=None if columns is not None else wanted[0],
        columns=None if columns is None else [*columns],
    )
    return [chosen if has else said for has in here]


def _has(table: Table, names: Sequence[str]) -> bool:
    try:
        for name in names:
            table.column(name)
    except FileError:
        return False
    return True


def _given(name: str, table: Table, partition: Partition) -> Given:
    remarks = (*table.remarks, *partition.remarks)
    return Given(
        name,
        partition,
        table.understood,
        table.n_objects if table.kept is None else table.n_rows,
        tuple(reworded(remark) for remark in remarks),
    )


def _holds_labels(table: Table) -> bool:
    return len(table.columns) == 1


def _only(policies: Sequence[Noise]) -> Noise | None:
    if len({*policies}) > 1:
        raise Fault(f"--noise {policies[0]} and --noise {policies[1]} exclude another")
    return policies[0] if policies else None


def _check_meant(
    tables: Sequence[Table], option: str, value: object, *, labels: bool
) -> None:
    """Refuse an option that would change nothing."""
    if value is None or any(_holds_labels(table) == labels for table in tables):
        return
    meant, found = ("labels", "memberships") if labels else ("memberships", "labels")
    raise Fault(f"{option} is for {meant}, but all files hold {found}")
