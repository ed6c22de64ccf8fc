"""What a table that holds no memberships may be, and how to say so."""

import numpy as np
from numpy.typing import NDArray

from concordant.errors import (
    FileError,
    Keyword,
    MembershipError,
    Message,
    Piece,
    Setting,
    Wordings,
    message_of,
)
from concordant.files.table import Table
from concordant.partition.memberships import TOLERANCE
from concordant.wording import shown

#: What reads a table with one cluster per row.
TRANSPOSED = Message(Setting("transpose", True), " reads one object per column")

_SLACK = 0.05  # how far from 1 sums of rounded memberships may be
_NORMALIZED = Message(Setting("normalize", True), " divides rows by their sums")
_SIMILARITIES = (
    "; a square table with 1 on its diagonal: similarities of objects, not memberships "
    "in clusters"
)


def located(table: Table, normalize: bool, error: Exception) -> FileError:
    """Say in which line of the file a Partition found its fault, and what helps."""
    if not isinstance(error, MembershipError):
        return table.fault(message_of(error))
    if error.column is not None:
        what = f"found {error.value:g}, but memberships lie between 0 and 1"
        advice = _on_values(table, table.matrix())
        column = table.columns[error.column]
        return table.fault(what, advice, at=error.row, column=column)
    if normalize:
        what = f"memberships sum to {error.value:g}: they cannot be divided by that"
        return table.fault(what, at=error.row)
    what = f"memberships sum to {error.value:.9g}, not to 1"
    return table.fault(what, _on_sums(table, table.matrix()), at=error.row)


def choose_columns(table: Table) -> Piece:
    """Tell those whose table holds more than one partition how to choose."""
    if table.understood.form in ("npy", "npz"):
        return ""
    titles = (column.title for column in table.columns[:5])
    names = ", ".join(t if t.isprintable() else shown(t) for t in titles)
    names = names if len(names) < 60 else f"{names[:60]}..."
    one = ("; ", Keyword("column"), " takes one column as labels, ")
    more = ", ..." if len(table.columns) > 5 else ""
    return Message(
        *one, Keyword("columns"), f" several as memberships, of {names}{more}"
    )


def _on_values(table: Table, matrix: NDArray[np.float64]) -> Piece:
    first, rest = matrix[:, 0], matrix[:, 1:]
    if (matrix >= 0.0).all() and (abs(matrix.sum(axis=1) - 100.0) <= 2.0).all():
        return Message("; they are percentages: ", _NORMALIZED)
    whole = (first == np.floor(first)).all() and np.unique(first).size == first.size
    if table.ids is None and whole:
        as_ids = Wordings("as the id column", "with --id")
        hint = Message(f"; if {table.columns[0]} holds ids, give it ", as_ids)
        fits = ((rest >= 0.0) & (rest <= 1.0)).all()
        return hint if fits else Message(hint, choose_columns(table))
    if (matrix <= 0.0).all() and _sum_to_one(np.exp(matrix)):
        return "; they are logarithms of memberships: save their exponentials"
    data = Wordings("concordant.cluster is for data", "concordant cluster is for data")
    return _on_shape(table, matrix) or Message(choose_columns(table), "; ", data)


def _on_sums(table: Table, matrix: NDArray[np.float64]) -> Piece:
    if _sum_to_one(matrix.T):
        return Message("; its columns do: ", TRANSPOSED)
    if ((matrix == 0.0) | (matrix == 1.0)).all():
        return Message("; ", Keyword("column"), " takes one column as labels")
    if advice := _on_shape(table, matrix):
        return advice
    if (matrix.sum(axis=1) > 1.0 + TOLERANCE).any():
        return Message("; ", _NORMALIZED)
    noise = Setting("noise", "column")
    return Message(
        "; ", noise, " makes what is missing one more cluster, ", _NORMALIZED
    )


def _on_shape(table: Table, matrix: NDArray[np.float64]) -> Piece:
    """Tell of similarities, or of a column, such as a weight, beside memberships."""
    width = matrix.shape[1]
    if len(matrix) == width and (np.diag(matrix) == 1.0).all():
        return _SIMILARITIES
    for k in (width - 1, 0) if width > 2 else ():
        rest = np.delete(matrix, k, axis=1)
        if (rest >= 0.0).all() and (rest <= 1.0).all() and _sum_to_one(rest):
            others = [each.name or each.number for each in table.columns]
            del others[k]
            named = Wordings(
                f"columns={others}", f"--columns {','.join(map(str, others))}"
            )
            return Message(
                f"; without {table.columns[k]}, which may be a weight, they do: ",
                named if len(others) <= 12 else Keyword("columns"),
                " reads the others",
            )
    return ""


def _sum_to_one(matrix: NDArray[np.float64]) -> bool:
    return bool((abs(matrix.sum(axis=1) - 1.0) <= _SLACK).all())
