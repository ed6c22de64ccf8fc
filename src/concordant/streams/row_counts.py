"""Objects as they come, counted by their rows while few are distinct."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.agreement.few_rows import FEW_ROWS
from concordant.distinct_rows import Counts, Vector, few_distinct_rows
from concordant.streams.summary import Arrays


class RowCounts:
    """
    The distinct rows of both sides together, and how many objects have each.

    Parameters
    ----------
    n_columns : int
        How many numbers a row has.

    Notes
    -----
    Beyond `FEW_ROWS` distinct rows there is nothing that is kept. Whether there are
    more depends on the objects alone, not on the order in which they came.
    """

    def __init__(self, n_columns: int) -> None:
        self._n_columns = n_columns
        self._kept: tuple[Vector, Counts] | None = (
            np.empty((n_columns, 0)),
            np.empty(0, dtype=np.int64),
        )

    @property
    def kept(self) -> tuple[Vector, Counts] | None:
        """The rows, one per column, and their counts; None if there are too many."""
        return self._kept

    def add(self, *sides: NDArray[Any]) -> None:
        """Count the objects of a chunk, given columns of each side."""
        if self._kept is not None:
            columns = np.vstack(sides)
            self._append(columns, np.ones(columns.shape[1], dtype=np.int64))

    def renumber(self, classes: NDArray[np.intp]) -> None:
        """Give new numbers, in the same order, to what stands last in each row."""
        if self._kept is not None:
            rows, counts = self._kept
            last = classes[rows[-1].astype(np.intp)]
            self._kept = np.vstack((rows[:-1], last)), counts

    def merge(self, other: "RowCounts") -> None:
        """Add the counts of another one."""
        if other._kept is None:
            self._kept = None
        elif self._kept is not None:
            self._append(*other._kept)

    def start_at(self, longer: "RowCounts") -> None:
        """Keep nothing if a longer stream does not."""
        if longer._kept is None:
            self._kept = None

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Give rows and counts, none if there are too many."""
        empty = np.empty((self._n_columns, 0)), np.empty(0, dtype=np.int64)
        rows, counts = self._kept or empty
        return {"rows": rows, "counts": counts}

    def restore(self, arrays: Arrays, n_objects: int) -> None:
        """Take rows and counts of so many objects."""
        rows, counts = arrays["rows"], arrays["counts"]
        shaped = rows.shape == (self._n_columns, counts.size) and counts.ndim == 1
        if not shaped or rows.dtype != np.float64 or counts.dtype != np.int64:
            raise ValueError("rows of another shape")
        if counts.size == 0:
            self._kept = None
            return
        found = np.isfinite(rows).all() and few_distinct_rows(rows, FEW_ROWS)
        if not found or not np.array_equal(found.columns, rows):
            raise ValueError("rows that are not in order")
        if (counts < 1).any() or sum(counts.tolist()) != n_objects:
            raise ValueError("rows of another number of objects")
        self._kept = found.columns, counts

    def _append(self, rows: Vector, counts: Counts) -> None:
        if self._kept is None:
            return
        mine, my_counts = self._kept
        both = np.concatenate((mine, rows), axis=1)
        found = few_distinct_rows(both, FEW_ROWS, np.concatenate((my_counts, counts)))
        self._kept = None if found is None else (found.columns, found.counts)
