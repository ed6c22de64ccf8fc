"""A file becomes a Partition."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from concordant.files.formats import Missing, Reading, read_columns
from concordant.files.selection import selected, transposed
from concordant.files.table import Table
from concordant.partition.membership_error import MembershipError
from concordant.partition.memberships import TOLERANCE
from concordant.partition.partition import Kind, Noise, Partition
from concordant.storage.file_error import FileError, shown

_SLACK = 0.05  # how far from 1 the sums of a transposed table may be, that was rounded


def read_partition(
    path: str | Path,
    *,
    id_column: str | int | None = None,
    delimiter: str | None = None,
    header: bool | None = None,
    array: str | None = None,
    skip: int = 0,
    encoding: str | None = None,
    column: str | int | None = None,
    columns: Sequence[str | int] | None = None,
    transpose: bool = False,
    missing: Missing | None = None,
    labels_as_text: bool = False,
    normalize: bool = False,
    kind: Kind | None = None,
    noise: Noise | None = None,
) -> Partition:
    r"""
    Read a partition from a file.

    Beside the column of ids, one column holds labels and several hold memberships,
    one per cluster. Labels are integers if all of them are numbers, else text.

    Parameters
    ----------
    path : str or Path
        A CSV or TSV file, ``.npy``, ``.npz``, Parquet, Arrow or Feather, compressed or
        not; ``"-"`` is standard input.
    id_column, delimiter, header, array, skip, encoding
        As in `read_table`: found by default.
    column : str or int, optional
        The column that holds the labels, by its name or its number from 1, if there
        are others beside the ids.
    columns : sequence of str or int, optional
        Those that hold the memberships, if there are others.
    transpose : bool, default=False
        Whether each column is an object and each row a cluster.
    missing : {"drop"}, optional
        Leave out the objects of which a value is missing (an empty cell, ``NA``,
        ``NaN``, ``None``, ``NULL``, ``?`` and the like), here and in every partition
        that this one is compared with. By default they are refused.
    labels_as_text : bool, default=False
        Take labels as text, whatever they look like: ``NA`` is a cluster then.
    normalize : bool, default=False
        As in `Partition`: divide the memberships of each object by their sum.
    kind : {"crisp", "fuzzy", "possibilistic"}, optional
        As in `Partition`.
    noise : {"cluster", "singletons", "drop", "column"}, optional
        As in `Partition`: by default the label -1 is a cluster like any other, with a
        warning.

    Returns
    -------
    Partition
        With ids, if the file has any, and the names of the clusters from its heading.

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
    reading = Reading(
        id_column=id_column,
        delimiter=delimiter,
        header=header,
        array=array,
        skip=skip,
        encoding=encoding,
        column=column,
        columns=columns,
        transpose=transpose,
        missing=missing,
        labels_as_text=labels_as_text,
    )
    table = prepared(read_columns(path, reading), reading)
    return as_partition(
        table,
        kind=kind,
        noise=noise,
        normalize=normalize,
        labels_as_text=labels_as_text,
    )


def prepared(table: Table, reading: Reading) -> Table:
    """
    Keep what holds the partition, and deal with missing values.

    Parameters
    ----------
    table : Table
        All columns of a file.
    reading : Reading
        What was said about it.

    Returns
    -------
    Table
        One column of labels, or one column of memberships per cluster.

    Raises
    ------
    FileError
        With a message of one line that says what is wrong and where.
    """
    if reading.transpose:
        table = transposed(table)
    table = selected(
        table,
        id_column=0 if reading.transpose else reading.id_column,
        column=reading.column,
        columns=reading.columns,
    )
    holds_labels = len(table.columns) == 1
    table = replace(
        table,
        understood=replace(
            table.understood,
            columns=tuple(each.title for each in table.columns),
            holds="labels" if holds_labels else "memberships",
        ),
    )
    but_text = holds_labels and reading.labels_as_text
    if reading.missing == "drop":
        return table.without_missing(but_text=but_text)
    hint = "" if holds_labels or _may_be_memberships(table) else _column_hint(table)
    table.check_nothing_missing(but_text=but_text, hint=hint)
    return table


def _may_be_memberships(table: Table) -> bool:
    """Tell whether all columns hold numbers between 0 and 1, as far as known."""
    return all(
        column.is_mostly_numbers
        and not ((column.numbers < 0.0) | (column.numbers > 1.0)).any()
        for column in table.columns
    )


def as_partition(
    table: Table,
    *,
    kind: Kind | None = None,
    noise: Noise | None = None,
    normalize: bool = False,
    labels_as_text: bool = False,
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
    labels_as_text : bool, default=False
        As in `read_partition`.
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
        several = len(table.columns) > 2 and not table.understood.transposed
        raise table.fault(
            "only one object; it takes two to compare"
            + ("; transpose=True reads one object per column" if several else ""),
            0,
        )
    partition = part_of_partition(
        table,
        kind=kind,
        noise=noise,
        normalize=normalize,
        labels_as_text=labels_as_text,
        warn=warn,
    )
    if table.kept is None:
        return partition
    return partition._among(table.kept, table.n_rows, table.all_ids)


def part_of_partition(
    table: Table,
    *,
    kind: Kind | None = None,
    noise: Noise | None = None,
    normalize: bool = False,
    labels_as_text: bool = False,
    warn: bool = True,
) -> Partition:
    """
    Do as `as_partition` for a part of the objects, of which one may be all.

    Parameters
    ----------
    table : Table
        One column of labels, or one column of memberships per cluster.
    kind, noise, normalize, labels_as_text, warn
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
            labels = table.labels(table.columns[0], as_text=labels_as_text)
            return make(
                labels, kind=kind, noise=noise, normalize=normalize, ids=table.ids
            )
        named = all(column.name for column in table.columns)
        return make(
            _memberships(table),
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


def _memberships(table: Table) -> NDArray[np.float64]:
    """Give the matrix of memberships, or say which columns there are."""
    for column in table.columns:
        if not column.is_mostly_numbers:
            raise table.fault(
                f"found {shown(column.cells[0])}, not a number" + _column_hint(table),
                0,
                column,
            )
    return table.matrix()


def _located(table: Table, normalize: bool, error: Exception) -> FileError:
    """Say in which line of the file a Partition found its fault."""
    if not isinstance(error, MembershipError):
        return table.fault(str(error))
    if error.column is not None:
        return table.fault(
            f"found {error.value:g}, but memberships lie between 0 and 1"
            + _outside_hint(table, table.matrix()),
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


def _outside_hint(table: Table, matrix: NDArray[np.float64]) -> str:
    """Tell what such numbers may be, and how to say so."""
    first = matrix[:, 0]
    distinct = np.unique(first).size == first.size
    if (matrix >= 0.0).all() and (abs(matrix.sum(axis=1) - 100.0) <= 2.0).all():
        return "; they are percentages: normalize=True divides rows by their sums"
    rest = matrix[:, 1:]
    if table.ids is None and distinct and (first == np.floor(first)).all():
        hint = f"; if {table.columns[0]} holds ids, give it as the id column"
        if ((rest >= 0.0) & (rest <= 1.0)).all():
            return hint
        return hint + _column_hint(table)
    return _column_hint(table)


def _sum_hint(matrix: NDArray[np.float64]) -> str:
    if (abs(matrix.sum(axis=0) - 1.0) <= _SLACK).all():
        return "; its columns do: transpose=True reads one object per column"
    if ((matrix == 0.0) | (matrix == 1.0)).all():
        return "; column= takes one column as labels"
    if (matrix.sum(axis=1) <= 1.0 + TOLERANCE).all():
        return (
            '; noise="column" makes what is missing one more cluster, '
            "normalize=True divides rows by their sums"
        )
    return "; normalize=True divides rows by their sums"


def _column_hint(table: Table) -> str:
    """Tell those whose table holds more than one partition how to choose."""
    if table.understood.form in ("npy", "npz"):
        return ""
    titles = (column.title for column in table.columns[:5])
    names = ", ".join(t if t.isprintable() else shown(t) for t in titles)
    more = ", ..." if len(table.columns) > 5 else ""
    return (
        "; column= takes one column as labels, columns= several as memberships, of "
        f"{names if len(names) < 60 else names[:60] + '...'}{more}"
    )
