"""A file becomes a Partition."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from concordant.catalogue import Kind
from concordant.errors import FileError, Message, Piece, Setting
from concordant.files.admixture import with_ids_of
from concordant.files.advice import TRANSPOSED, choose_columns, located
from concordant.files.formats import place_and_run, read_columns
from concordant.files.identification import selected, transposed
from concordant.files.label_column import labels_of
from concordant.files.summary import Missing, Reading
from concordant.files.table import Table
from concordant.partition.partition import Noise, Partition
from concordant.wording import shown


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
        run=run,
        ids=ids,
    )
    table = prepared(read_columns(path, reading), reading)
    return as_partition(
        table,
        kind=kind,
        noise=noise,
        normalize=normalize,
        labels_as_text=labels_as_text,
    )


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
    reading = Reading(run=run or 1)
    table = read_columns(place, reading)
    readings = [reading]
    if columns is not None:
        readings = [replace(reading, column=column) for column in columns]
    tables = [prepared(table, each) for each in readings]
    for other in range(2, 1 + table.n_runs if run is None else 2):
        later = read_columns(place, Reading(run=other))
        tables += [prepared(later, each) for each in readings]
    return [
        as_partition(each, kind=kind, noise=noise, normalize=normalize)
        for each in tables
    ]


def prepared(table: Table, reading: Reading) -> Table:
    """
    Keep the column of labels or those of memberships, without missing values.

    Objects with missing values are refused, or left out if that was said.
    """
    if reading.transpose:
        table = transposed(table)
    elif reading.id_column in (0, "0"):
        table = replace(table, ids=None, understood=replace(table.understood, ids=None))
    table = selected(table, reading)
    if reading.ids is not None:
        table = with_ids_of(table, reading.ids)
    holds_labels = len(table.columns) == 1
    holds = "labels" if holds_labels else "memberships"
    titles = tuple(each.title for each in table.columns)
    understood = replace(table.understood, columns=titles, holds=holds)
    hint: Piece = "" if _may_be_memberships(table) else choose_columns(table)
    if holds_labels:
        told = Message(", ", Setting("labels_as_text", True), " takes it as a label")
        hint = told if table.columns[0].is_text else ""
    return replace(table, understood=understood).complete(
        reading.missing == "drop",
        as_text=holds_labels and reading.labels_as_text,
        hint=hint,
    )


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
    kind, noise, normalize
        As in `Partition`.
    labels_as_text : bool, default=False
        As in `read_partition`.
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
    if table.n_objects == 1:
        several = len(table.columns) > 2 and not table.understood.transposed
        hint = Message("; ", TRANSPOSED) if several else ""
        raise table.fault("only one object; it takes two to compare", hint, at=0)
    partition = part_of_partition(
        table,
        kind=kind,
        noise=noise,
        normalize=normalize,
        labels_as_text=labels_as_text,
        warn=warn,
    )
    if table.kept is None or table.whole is None:
        return partition
    return partition._among(
        table.kept, table.whole.n_objects, table.whole.ids, table.whole.groups
    )


def part_of_partition(
    table: Table, *, labels_as_text: bool = False, warn: bool = True, **options: Any
) -> Partition:
    """Do as `as_partition` for a part of the objects, of which one may be all."""
    named = len(table.columns) > 1 and all(column.name for column in table.columns)
    remarks: tuple[Piece, ...] = ()
    try:
        if len(table.columns) == 1:
            (column,) = table.columns
            data, remarks = labels_of(table, column, as_text=labels_as_text)
        else:
            _check_text(table)
            data = table.matrix()
        return Partition._read(
            data,
            warn=warn,
            noticed=(*table.remarks, *remarks),
            ids=table.ids,
            groups=table.groups,
            clusters=[column.title for column in table.columns] if named else None,
            **options,
        )
    except FileError:
        raise
    except (ValueError, TypeError) as error:
        raise located(table, bool(options.get("normalize")), error) from error


def _check_text(table: Table) -> None:
    """Refuse columns of text among memberships, and say which columns there are."""
    for column in table.columns:
        if not column.is_mostly_numbers:
            what = f"found {shown(column.cell(0))}, not a number"
            raise table.fault(what, choose_columns(table), at=0, column=column)
