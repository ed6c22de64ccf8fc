"""A file becomes a Partition."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from concordant.files.errors import FileError
from concordant.files.table import Table
from concordant.files.tables import read_table
from concordant.membership_error import MembershipError
from concordant.memberships import TOLERANCE
from concordant.partition import Kind, Noise, Partition


def read_partition(
    path: str | Path,
    *,
    id_column: str | int | None = None,
    delimiter: str | None = None,
    header: bool | None = None,
    array: str | None = None,
    kind: Kind | None = None,
    noise: Noise | None = None,
    normalize: bool = False,
) -> Partition:
    r"""
    Read a partition from a file.

    Beside the column of ids, one column holds labels and several hold memberships,
    one per cluster. Labels are integers if all of them are numbers, else text.

    Parameters
    ----------
    path : str or Path
        A CSV or TSV file, ``.npy``, ``.npz``, Parquet, Arrow or Feather; ``"-"`` is
        standard input.
    id_column, delimiter, header, array
        As in `read_table`: found by default.
    kind : {"crisp", "fuzzy", "possibilistic"}, optional
        As in `Partition`.
    noise : {"cluster", "singletons", "drop", "column"}, optional
        As in `Partition`: by default the label -1 is a cluster like any other, with a
        warning.
    normalize : bool, default=False
        As in `Partition`: whether rows are divided by their sums.

    Returns
    -------
    Partition
        With ids, if the file has any, and the names of the clusters from its header.

    Raises
    ------
    FileError
        With a message of one line that says what is wrong and where.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from concordant.files import read_partition
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "P.csv")
    ...     _ = path.write_text("name;left;right\nAnn;0,25;0,75\nBob;1;0\n")
    ...     P = read_partition(path)
    >>> P
    Partition(fuzzy, 2 objects, 2 clusters)
    >>> P.ids.tolist(), P.clusters.tolist()
    (['Ann', 'Bob'], ['left', 'right'])
    """
    table = read_table(
        path, id_column=id_column, delimiter=delimiter, header=header, array=array
    )
    return as_partition(table, kind=kind, noise=noise, normalize=normalize)


def as_partition(
    table: Table,
    *,
    kind: Kind | None = None,
    noise: Noise | None = None,
    normalize: bool = False,
    warn: bool = True,
) -> Partition:
    """
    Make a partition from what a file holds.

    Parameters
    ----------
    table : Table
        One column of labels, or one column of memberships per cluster.
    kind : {"crisp", "fuzzy", "possibilistic"}, optional
        As in `Partition`.
    noise : {"cluster", "singletons", "drop", "column"}, optional
        As in `Partition`.
    normalize : bool, default=False
        As in `Partition`.
    warn : bool, default=True
        Whether to warn of the label -1 if `noise` is not given; the partition's
        remarks tell of it anyway.

    Returns
    -------
    Partition
        With ids, if the table has any, and the names of the clusters.

    Raises
    ------
    FileError
        With a message of one line that says what is wrong and where.
    """
    if table.n_objects == 1:
        raise table.fault("only one object; it takes two to compare", 0)
    return part_of_partition(
        table, kind=kind, noise=noise, normalize=normalize, warn=warn
    )


def part_of_partition(
    table: Table,
    *,
    kind: Kind | None = None,
    noise: Noise | None = None,
    normalize: bool = False,
    warn: bool = True,
) -> Partition:
    """
    Do as `as_partition` for a part of the objects, of which one may be all.

    Parameters
    ----------
    table : Table
        One column of labels, or one column of memberships per cluster.
    kind, noise, normalize, warn
        As in `as_partition`.

    Returns
    -------
    Partition
        Of the objects of the table.

    Raises
    ------
    FileError
        With a message of one line that says what is wrong and where.
    """
    make = Partition if warn else Partition._unannounced
    try:
        if len(table.columns) == 1:
            return make(
                table.labels(table.columns[0]),
                kind=kind,
                noise=noise,
                ids=table.ids,
                normalize=normalize,
            )
        named = all(column.name for column in table.columns)
        return make(
            table.matrix(),
            kind=kind,
            noise=noise,
            normalize=normalize,
            ids=table.ids,
            clusters=[column.title for column in table.columns] if named else None,
        )
    except FileError:
        raise
    except (ValueError, TypeError) as error:
        raise _located(table, normalize, error) from error


def _located(table: Table, normalize: bool, error: Exception) -> FileError:
    """Say in which line of the file a Partition found its fault."""
    if not isinstance(error, MembershipError):
        return table.fault(str(error))
    if error.column is not None:
        return table.fault(
            f"found {error.value:g}, but memberships lie between 0 and 1"
            + _id_hint(table, table.matrix()[:, 0]),
            error.row,
            table.columns[error.column],
        )
    if normalize:
        return table.fault(
            f"memberships sum to {error.value:g}: they cannot be divided by that",
            error.row,
        )
    return table.fault(
        f"memberships sum to {error.value:.9g}, not to 1{_sum_hint(table.matrix())}",
        error.row,
    )


def _id_hint(table: Table, first: NDArray[np.float64]) -> str:
    """Tell those whose first column may hold ids how to say so."""
    distinct = np.unique(first).size == first.size
    if table.ids is None and distinct and (first == np.floor(first)).all():
        return f"; if {table.columns[0]} holds ids, give it as the id column"
    return ""


def _sum_hint(matrix: NDArray[np.float64]) -> str:
    if (abs(matrix.sum(axis=0) - 1.0) <= TOLERANCE).all():
        return "; its columns do: transpose it, so that each row is an object"
    if (matrix.sum(axis=1) <= 1.0 + TOLERANCE).all():
        return (
            '; noise="column" makes what is missing one more cluster, '
            "normalize=True divides rows by their sums"
        )
    return "; normalize=True divides rows by their sums"
