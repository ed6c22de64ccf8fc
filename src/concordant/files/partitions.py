"""A file becomes a Partition."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue.records import Kind, Noise
from concordant.door import checked
from concordant.errors import (
    FileError,
    Keyword,
    MembershipError,
    Message,
    Piece,
    Setting,
    message_of,
)
from concordant.files.columns import labels_of, selected, transposed
from concordant.files.formats import place_and_run, read_columns, read_runs
from concordant.files.table import Missing, Reading, Table, Which
from concordant.files.text import open_text
from concordant.partition.memberships import (
    SIMILARITIES,
    TOLERANCE,
    few_wrong,
    suspected,
)
from concordant.partition.partition import Partition
from concordant.storage.source import opened
from concordant.wording import called, count

_TRANSPOSED = Message(Setting("transpose", True), " reads one object per column")
_MISSING = -9  # of programs of genetics
_FREQUENCIES = ".P", ".meanP"  # what names of ADMIXTURE's and fastSTRUCTURE's end in
_NORMALIZED = Message(Setting("normalize", True), " divides rows by their sums")


@checked
def read_partition(
    path: str | Path,
    *,
    id_column: Which = None,
    delimiter: str | None = None,
    header: bool | None = None,
    array: str | None = None,
    skip: int = 0,
    encoding: str | None = None,
    column: Which = None,
    columns: Sequence[str | int] | None = None,
    transpose: bool = False,
    missing: Missing | None = None,
    labels_as_text: bool = False,
    run: int | None = None,
    ids: str | Path | None = None,
    normalize: bool = False,
    kind: Kind | None = None,
    noise: Noise | None = None,
) -> Partition:
    r"""
    Read a partition from a file.

    Apart from the column of ids, one column holds labels and several hold memberships,
    one per cluster. Labels are integers if all of them are plain whole numbers, else
    text. Output of STRUCTURE, ADMIXTURE, CLUMPP and MALLET is recognized.

    Parameters
    ----------
    path : str or Path
        A CSV or TSV file, ``.npy``, ``.npz``, Parquet, Arrow or Feather, compressed or
        not, or a file of one of the programs above; ``"-"`` is standard input, and
        ``"FILE#2"`` the second run of a file that holds several.
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
    run : int, optional
        Which run to read of a file of CLUMPP that holds several, from 1.
    ids : str or Path, optional
        A file that names the objects: one id per line, or PLINK's ``.fam``.
    normalize : bool, default=False
        As in `Partition`: divide the memberships of each object by their sum.
    kind : {"crisp", "fuzzy", "possibilistic", "overlapping"}, optional
        As in `Partition`.
    noise : {"cluster", "singletons", "drop", "column"}, optional
        As in `Partition`: by default the label -1 is a cluster like any other, with a
        warning.

    Returns
    -------
    Partition
        With ids and groups, if the file has any, and the names of the clusters from
        its heading.

    Raises
    ------
    FileError
        With a message of one line that says what is wrong and where.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from concordant import read_partition
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "P.csv")
    ...     _ = path.write_text("name;left;right\nAnn;0,25;0,75\nBob;1;0\n")
    ...     P = read_partition(path)
    >>> P
    Partition(fuzzy, 2 objects, 2 clusters)
    >>> P.ids.tolist(), P.clusters.tolist()
    (['Ann', 'Bob'], ['left', 'right'])
    """
    said = id_column, delimiter, header, array, skip, encoding, column, columns
    reading = Reading(*said, transpose, missing, labels_as_text, run, ids)
    table = prepared(read_columns(path, reading), reading)
    return as_partition(table, kind=kind, noise=noise, normalize=normalize)


@checked
def read_partitions(
    path: str | Path,
    *,
    columns: Sequence[str | int] | None = None,
    normalize: bool = False,
    kind: Kind | None = None,
    noise: Noise | None = None,
) -> list[Partition]:
    r"""
    Read all partitions of a file: the runs of CLUMPP's, or several columns of labels.

    Parameters
    ----------
    path : str or Path
        As in `read_partition`; ``"FILE#2"`` is the second run alone.
    columns : sequence of str or int, optional
        Columns that hold labels, by name or number from 1: one partition each. By
        default the file is read as `read_partition` does, and each run of it is one.
    normalize, kind, noise
        As in `Partition`.

    Returns
    -------
    list of Partition
        One for each run or column, in their order.

    Raises
    ------
    FileError
        With a message of one line that says what is wrong and where.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from concordant import read_partitions
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "runs.txt")
    ...     _ = path.write_text("1: .9 .1 1\n2: .2 .8 1\n\n1: .1 .9 1\n2: 1 0 1\n")
    ...     read_partitions(path)
    [Partition(fuzzy, 2 objects, 2 clusters), Partition(fuzzy, 2 objects, 2 clusters)]
    """
    place, run = place_and_run(path, None)
    how: dict[str, Any] = {"kind": kind, "noise": noise, "normalize": normalize}
    return [
        as_partition(prepared(table, Reading(column=column)), **how)
        for table in read_runs(place, Reading(run=run))
        for column in (columns if columns is not None else [None])
    ]


def prepared(table: Table, reading: Reading) -> Table:
    """
    Keep the column of labels or those of memberships, without missing values.

    Objects with missing values are refused, or left out if that was said.
    """
    if reading.transpose:
        table = transposed(table)
    elif reading.id_column in (0, "0"):
        table = replace(table, ids=None).noting(ids=None)
    table = selected(table, reading)
    if reading.ids is not None:
        table = _with_ids_of(table, reading.ids)
    table = replace(table, understood=table.summary())
    hint: Piece = _choose_columns(table)
    if len(table.columns) == 1:
        column = replace(table.columns[0], as_text=reading.labels_as_text)
        table = replace(table, columns=(column,))
        taken = Message(", ", Setting("labels_as_text", True), " takes it as a label")
        hint = taken if column.is_text else ""
    return table.complete(reading.missing == "drop", hint=hint)


def _with_ids_of(table: Table, path: str | Path) -> Table:
    """
    Return the table with the ids of another file.

    They stand one per line; in PLINK's ``.fam`` files, in the second column, or if
    individuals of several families have the same name, in both.
    """
    if table.ids is not None:
        raise table.fault("has ids already; leave out ", Keyword("ids"))
    source = called(path)
    with opened(path) as stream:
        text = open_text(stream, source, Reading())
        rows = [line.split() for line in text.lines() if line.strip()]
    if {len(row) for row in rows} not in ({1}, {6}):
        raise FileError(f"{source}: neither one id per line nor PLINK's six columns")
    ids = [row[len(row) > 1] for row in rows]
    if len({*ids}) < len(ids):
        ids = [" ".join(row[:2]) for row in rows]
    if len({*ids}) != len(ids) or len(ids) != table.n_objects:
        n, n_ids = count(table.n_objects, "object"), count(len({*ids}), "id")
        raise table.fault(f"has {n} and {source} has {n_ids}: each object needs one")
    return replace(table, ids=np.array(ids, dtype=object)).noting(ids=Path(path).name)


def as_partition(
    table: Table,
    *,
    kind: Kind | None = None,
    noise: Noise | None = None,
    normalize: bool = False,
    warn: bool = True,
) -> Partition:
    """
    Make a partition from what a file, or a part of it, holds.

    Parameters
    ----------
    table : Table
        One column of labels, or one column of memberships per cluster.
    kind, noise, normalize
        As in `Partition`.
    warn : bool, default=True
        Whether to warn of the label -1 if `noise` is not given; the partition's
        remarks tell of it anyway.

    Returns
    -------
    Partition
        With ids and groups, if the table has any, and the names of the clusters.

    Raises
    ------
    FileError
        With a message of one line that says what is wrong and where.
    """
    columns, noticed = table.columns, table.remarks
    if table.n_objects == 1 and not table.is_part:
        several = len(columns) > 2 and table.unit != "column"
        hint = Message("; ", _TRANSPOSED) if several else ""
        raise table.fault("only one object; it takes two to compare", hint, at=0)
    clusters = None
    data: Any
    if len(columns) == 1:
        try:
            data, remarks = labels_of(table, columns[0])
        except FileError as error:
            as_text = Setting("labels_as_text", True), " takes labels as text"
            raise FileError(error.message, "; ", *as_text) from error
        noticed += remarks
    else:
        data = table.matrix(_choose_columns(table))
        names = [column.name for column in columns]
        clusters = names if all(names) else None
    how = {"kind": kind, "noise": noise, "normalize": normalize, "warn": warn}
    whom = {"ids": table.ids, "groups": table.groups, "clusters": clusters}
    try:
        partition = Partition._named(data, "data", noticed=noticed, **whom, **how)
    except MembershipError as error:
        raise _located(table, data, normalize, error) from error
    except (ValueError, TypeError) as error:
        raise table.fault(message_of(error)) from error
    return among_whole(table, partition)


def among_whole(table: Table, partition: Partition) -> Partition:
    """Return a partition of the objects of a table that knows all of the file."""
    whole = table.whole
    if whole is None:
        return partition
    kept = np.searchsorted(whole.lines, table.lines)
    return partition._among(kept, whole.n_objects, whole.ids, whole.groups)


def _located(
    table: Table, matrix: NDArray[np.float64], normalize: bool, error: MembershipError
) -> FileError:
    """Say in which line of the file a fault of memberships is, and what helps."""
    column = None if error.column is None else table.columns[error.column]
    hint = _hint(table, matrix, error)
    if 2 <= error.row == table.n_objects - 1:
        hint = Message("; if it is a total of the others, remove it", hint)
    if column is None and normalize:
        what, hint = f"memberships sum to {error.value:g}: nothing to divide by", ""
    elif column is None:
        what = f"memberships sum to {error.value:.9g}, not to 1"
    elif 0.0 < error.value < 1.0:
        what = f"found {error.value:g}, but memberships are 0 or 1 for "
        degrees = "; ", Setting("kind", "possibilistic"), " is for degrees"
        hint = Message(Setting("kind", "overlapping"), *degrees)
    else:
        what = f"found {error.value:g}, but memberships lie between 0 and 1"
    return table.fault(what, hint, at=error.row, column=column)


def _hint(table: Table, matrix: NDArray[np.float64], error: MembershipError) -> Piece:
    """Return what a table may be that holds no memberships, by the first fault."""
    suspect = suspected(matrix)
    ways = _TRANSPOSED, Message("leave out ", Setting("transpose", True))
    told: dict[str, Piece] = {
        "percentages": Message("; they are percentages: ", _NORMALIZED),
        "logarithms": "; they are logarithms of memberships: save their exponentials",
        "similarities": SIMILARITIES,
        "transposed": Message("; its columns do: ", ways[table.unit == "column"]),
    }
    if suspect in told:
        return told[suspect]
    if error.column is not None and error.value == _MISSING:
        drops = Setting("missing", "drop"), " leaves such objects out"
        return Message(
            f"; if {_MISSING} stands for a missing value, write NA: ", *drops
        )
    if error.column is not None:
        return Message(_choose_columns(table), "; concordant cluster is for data")
    if Path(table.source).suffix in _FREQUENCIES:
        return "; is it ADMIXTURE's file of allele frequencies? its .Q has memberships"
    crisp = np.isin(matrix, (0.0, 1.0)).all(axis=0)
    labels = Message("; ", Keyword("column"), " takes one column as labels")
    if crisp.all():
        kind = Setting("kind", "overlapping")
        return Message(labels, ", ", kind, " objects in several clusters or in none")
    if suspect in ("first", "last"):
        column = table.columns[0 if suspect == "first" else -1]
        weight = f"; without {column}, which may be a weight, they do"
        return Message(weight, _choose_columns(table.without(column)))
    noise = Setting("noise", "column"), " makes what is missing one more cluster"
    too_much = error.value > 1.0 or (matrix.sum(axis=1) > 1.0 + TOLERANCE).any()
    few, said = few_wrong(matrix), "" if too_much else Message("; ", *noise)
    if few:
        return Message(few, said)
    beside = labels if (crisp & (np.ptp(matrix, axis=0) > 0.0)).any() else ""
    return Message(beside, said, ", " if said else "; ", _NORMALIZED)


def _choose_columns(table: Table) -> Message:
    """Tell those whose table holds more than one partition how to choose."""
    ids = "; ", Keyword("id_column"), " names the ids, "
    labels = Keyword("column"), " a column of labels, "
    several = Keyword("columns"), f" those of memberships, of {table.listing}"
    return Message(*ids, *labels, *several)
