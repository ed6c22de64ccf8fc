"""The partitions that a command is given."""

from collections.abc import Sequence
from dataclasses import dataclass

from concordant.alignment import Align
from concordant.cli.faults import Fault
from concordant.files import Table, as_partition, read_table
from concordant.files.errors import called
from concordant.partition import Kind, Noise, Partition


@dataclass(frozen=True)
class Given:
    """
    A partition and what it is called.

    Parameters
    ----------
    name : str
        The file, as messages show it.
    partition : Partition
        What it holds.
    """

    name: str
    partition: Partition

    @property
    def described(self) -> "Described":
        """What a document tells of it."""
        partition = self.partition
        return Described(
            self.name, partition.kind, partition.n_objects, partition.n_clusters
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
    """

    name: str
    kind: str
    n_objects: int
    n_clusters: int


def read_given(
    files: Sequence[str],
    *,
    id_column: str | None,
    delimiter: str | None,
    header: bool | None,
    array: str | None,
    noise: Sequence[Noise],
    kind: Kind | None,
) -> list[Given]:
    """
    Read the partitions that a command is given.

    Parameters
    ----------
    files : sequence of str
        Paths, of which one may be ``"-"``.
    id_column, delimiter, header, array
        As in `concordant.files.read_table`.
    noise : sequence of str
        ``"column"`` is for the files that hold memberships, all else for labels.
    kind : str or None
        For the files that hold memberships.

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
    tables = [
        read_table(
            file, id_column=id_column, delimiter=delimiter, header=header, array=array
        )
        for file in files
    ]
    for_labels = _only([policy for policy in noise if policy != "column"])
    for_memberships: Noise | None = "column" if "column" in noise else None
    _check_meant(tables, f"--noise {for_labels}", for_labels, labels=True)
    _check_meant(tables, "--noise column", for_memberships, labels=False)
    _check_meant(tables, f"--kind {kind}", kind, labels=False)
    return [
        Given(
            called(file),
            as_partition(table, noise=for_labels, warn=False)
            if _holds_labels(table)
            else as_partition(table, noise=for_memberships, kind=kind, warn=False),
        )
        for file, table in zip(files, tables, strict=True)
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


def _holds_labels(table: Table) -> bool:
    return len(table.columns) == 1


def _only(policies: Sequence[Noise]) -> Noise | None:
    if len({*policies}) > 1:
        raise Fault(f"--noise {policies[0]} and --noise {policies[1]} exclude another")
    return policies[0] if policies else None


def _check_meant(
    tables: Sequence[Table], option: str, value: str | None, *, labels: bool
) -> None:
    """Refuse an option that would change nothing."""
    if value is None or any(_holds_labels(table) == labels for table in tables):
        return
    meant, found = ("labels", "memberships") if labels else ("memberships", "labels")
    raise Fault(f"{option} is for {meant}, but all files hold {found}")
