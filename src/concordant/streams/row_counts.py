"""Rounded tables as they come: objects counted by their rows, while these are few."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from concordant.partition.distinct_rows import Counts, Vector, few_distinct_rows
from concordant.partition.memberships import TOLERANCE
from concordant.partition.rounding import rounding_of
from concordant.terms.object_sums import Arrays

_SOME = 64  # objects, which mostly tell that memberships are not rounded


class Counted(NamedTuple):
    """Distinct rows, one per column and in order, and how many objects have each."""

    rows: Vector
    counts: Counts


class RowCounts:
    """
    The distinct rows of both sides together, and how many objects have each.

    Parameters
    ----------
    n_columns : int
        How many numbers a row has.
    most : int
        How many distinct rows are kept.

    Notes
    -----
    Nothing is kept once there are more than that, or memberships that are not rounded
    to a few digits: rows of others sum to 1, and need not be known. Both depend on the
    objects alone, not on the order in which they came.
    """

    def __init__(self, n_columns: int, most: int) -> None:
        self._n_columns = n_columns
        self._most = most
        self._runs: list[Counted] | None = []

    def kept(self) -> Counted | None:
        """Give the rows; None if there are too many, or no objects at all."""
        if not self._runs:
            return None
        if len(self._runs) > 1:
            rows = np.concatenate([run.rows for run in self._runs], axis=1)
            counts = np.concatenate([run.counts for run in self._runs])
            found = few_distinct_rows(rows, self._most, counts)
            self._runs = None if found is None else [Counted(*found[:2])]
        return None if self._runs is None else self._runs[0]

    def add(
        self, *memberships: Vector, labels: NDArray[np.integer] | None = None
    ) -> None:
        """Count the objects of a chunk, by columns of each fuzzy side, and labels."""
        some = [columns[:, :_SOME] for columns in memberships]
        if self._runs is None or not _are_rounded(np.vstack(some)):
            self._runs = None
            return
        last = () if labels is None else (labels,)
        found = few_distinct_rows(np.vstack((*memberships, *last)), self._most)
        K = self._n_columns - len(last)
        if found is None or not _are_rounded(found.columns[:K]):
            self._runs = None
        else:
            self._append([Counted(*found[:2])])

    def renumber(self, classes: NDArray[np.intp]) -> None:
        """Give new numbers, in the same order, to what stands last in each row."""
        if self._runs is not None:
            self._runs = [
                Counted(
                    np.vstack((rows[:-1], classes[rows[-1].astype(np.intp)])), counts
                )
                for rows, counts in self._runs
            ]

    def merge(self, other: "RowCounts") -> None:
        """Add the counts of another one."""
        self.start_at(other)
        if other._runs is not None:
            self._append(other._runs)

    def start_at(self, longer: "RowCounts") -> None:
        """Keep nothing if a longer stream does not."""
        if longer._runs is None:
            self._runs = None

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Give rows and counts, none if there are too many."""
        empty = Counted(np.empty((self._n_columns, 0)), np.empty(0, dtype=np.int64))
        return (self.kept() or empty)._asdict()

    def restore(self, arrays: Arrays, n_objects: int) -> None:
        """Take rows and counts of so many objects."""
        rows, counts = arrays["rows"], arrays["counts"]
        shaped = rows.shape == (self._n_columns, counts.size) and counts.ndim == 1
        if not shaped or rows.dtype != np.float64 or counts.dtype != np.int64:
            raise ValueError("rows of another shape")
        if counts.size == 0:
            self._runs = None
            return
        known = np.isfinite(rows).all()
        found = few_distinct_rows(rows, self._most) if known else None
        if found is None or not np.array_equal(found.columns, rows):
            raise ValueError("rows that are not in order")
        if (counts < 1).any() or sum(counts.tolist()) != n_objects:
            raise ValueError("rows of another number of objects")
        self._runs = [Counted(found.columns, counts)]

    def _append(self, runs: list[Counted]) -> None:
        if self._runs is None:
            return
        # Runs wait until they are long, so that each row is sorted few times.
        self._runs = [*self._runs, *runs]
        if sum(run.counts.size for run in self._runs) > 2 * self._most:
            self.kept()


def _are_rounded(columns: Vector) -> bool:
    """Tell whether memberships are rounded so that rows need not sum to 1."""
    return rounding_of(columns.T, TOLERANCE) is not None
