"""The data that a command is given, clustered."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import concordant as cc
from concordant.cli.faults import Fault, warn, worded
from concordant.cli.progress_bar import Tell
from concordant.errors import Message
from concordant.files import Table, read_table
from concordant.files.label_column import labels_of
from concordant.wording import count


@dataclass(frozen=True)
class Data:
    """An n x p matrix to cluster, and the known classes to compare with."""

    name: str
    matrix: NDArray[np.float64]
    ids: NDArray[np.object_] | None
    truth: cc.Partition | None
    remarks: tuple[str, ...]


@dataclass(frozen=True)
class Clustering:
    """
    What a clustering found: the best start's values, and agreement with known classes.

    `n_places` is how many of its centres are distinct, `agreement` None if no classes
    are known.
    """

    n_clusters: int
    memberships: NDArray[np.float64]
    objective: float
    n_iterations: int
    converged: bool
    n_places: int
    agreement: cc.Concordance | None


def read_data(
    file: str, *, truth: str | None, without: Sequence[str], **reading: Any
) -> Data:
    """Read a table of objects: finite numbers in all columns but the named ones."""
    table = read_table(file, **reading)
    if table.n_objects == 1:
        raise table.fault("only one object; there is nothing to cluster", 0)
    left_out = [table.column(which) for which in without]
    known = None
    if truth is not None:
        column = table.column(truth)
        known = cc.Partition._unannounced(labels_of(table, column, offered=False)[0])
        left_out.append(column)
    for column in dict.fromkeys(left_out):
        table = table.without(column)
    _check_text(table)
    if reading["id_column"] != "0":
        _check_row_numbers(table)
    remarks = tuple(Message(each).on_command_line() for each in table.remarks)
    return Data(table.source, table.matrix(), table.ids, known, remarks)


def _check_row_numbers(table: Table) -> None:
    """Refuse a column that counts the rows, which is no feature."""
    for column in table.columns:
        first = column.numbers[0]
        counted = np.arange(table.n_objects) + first
        if (
            table.n_objects > 2
            and first in (0.0, 1.0)
            and (np.array_equal(column.numbers, counted))
        ):
            which = column.name or column.number
            raise table.fault(
                f"counts the rows; --id {which} takes it as ids, --without {which} "
                "leaves it out, --id 0 says that it is a feature",
                column=column,
            )


def cluster_by_each(
    data: Data, numbers: range, settings: Mapping[str, Any], tell: Tell
) -> list[Clustering]:
    """
    Cluster data into each of several numbers of clusters.

    The settings are ``method``, ``fuzzifier``, ``starts``, ``max_iter``, ``tol``,
    ``seed``, ``jobs`` and ``quiet``.
    """
    if numbers[-1] > len(data.matrix):
        raise Fault(
            f"{data.name}: too few objects ({len(data.matrix)}) for "
            f"{numbers[-1]} clusters"
        )
    found = []
    for position, k in enumerate(numbers):
        tell(position / len(numbers), f"{k} clusters")
        try:
            found.append(_cluster(data, k, settings))
        except ValueError as error:
            raise Fault(f"{data.name}: {worded(error)}") from error
        if not found[-1].converged and settings["tol"] != 0.0:
            warn(
                f"{data.name}: {k} clusters: not converged in {settings['max_iter']} "
                "iterations; raise --max-iter or --tol",
                quiet=settings["quiet"],
            )
        if found[-1].n_places < k:
            lower = "--k" if settings["method"] == "pd" else "--fuzzifier or --k"
            warn(
                f"{data.name}: {k} clusters: only "
                f"{count(found[-1].n_places, 'distinct centre')}; lower {lower}, or "
                "standardize the columns",
                quiet=settings["quiet"],
            )
    return found


def _cluster(data: Data, k: int, settings: Mapping[str, Any]) -> Clustering:
    from sklearn.exceptions import ConvergenceWarning

    from concordant.cluster import FuzzyCMeans, PDClustering

    shared = {
        "n_init": settings["starts"],
        "max_iter": settings["max_iter"],
        "tol": settings["tol"],
        "random_state": settings["seed"],
        "n_jobs": settings["jobs"],
    }
    model = (
        PDClustering(k, **shared)
        if settings["method"] == "pd"
        else FuzzyCMeans(k, fuzzifier=settings["fuzzifier"], **shared)
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(data.matrix)
    memberships = model.memberships_
    return Clustering(
        n_clusters=k,
        memberships=memberships,
        objective=model.objective_,
        n_iterations=model.n_iter_,
        converged=model.converged_,
        n_places=len(np.unique(model.cluster_centers_, axis=0)),
        agreement=(
            None if data.truth is None else cc.concordance(memberships, data.truth)
        ),
    )


def _check_text(table: Table) -> None:
    """Tell those whose data have a column of text what to do with it."""
    for column in table.columns:
        if not column.is_mostly_numbers:
            raise table.fault(
                f"found {str(column.cells[0])[:36]!r}, not a number; --without leaves "
                "the column out, --truth compares with it",
                0,
                column,
            )
