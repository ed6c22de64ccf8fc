"""A fuzzy and a crisp partition as they come: memberships by cells and classes."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.agreement.beyond_one import (
    BeyondOne,
    at_most,
    exactly,
    largest_excess,
)
from concordant.agreement.classes import Classes, classes_of, sorted_within
from concordant.agreement.fuzzy_crisp import fuzzy_crisp_from
from concordant.agreement.result import Concordance
from concordant.families.crisp import pairs_within
from concordant.partition.memberships import TOLERANCE
from concordant.partition.partition import Partition
from concordant.streams.row_counts import RowCounts
from concordant.streams.saved_sketch import sketch_arrays, sketch_of
from concordant.streams.sketch import Sketch
from concordant.streams.sketch_cells import Places, places_of
from concordant.terms.object_sums import Arrays, Numbers

_MOST_ROWS = 1 << 16  # distinct ones that are kept


class ClassColumns:
    """
    Each cluster's memberships, of all objects and of those of each class.

    Parameters
    ----------
    n_clusters : int
        How many clusters the fuzzy side has.
    n_classes : int
        How many clusters the crisp side has.
    crisp_first : bool
        Whether the crisp side is P.
    """

    def __init__(self, n_clusters: int, n_classes: int, *, crisp_first: bool) -> None:
        self._crisp_first = crisp_first
        self._sizes = np.zeros(n_classes, dtype=np.int64)
        self._overall = [Sketch() for _ in range(n_clusters)]
        self._within = [Sketch() for _ in range(n_clusters)]
        self._excess = 0.0  # by which dissimilarities pass 1 at most
        self._rows = RowCounts(n_clusters + 1, _MOST_ROWS)

    def add(self, P: Partition, Q: Partition) -> None:
        """Sum the memberships of a chunk."""
        crisp, fuzzy = (P, Q) if self._crisp_first else (Q, P)
        classes = classes_of(crisp.labels)
        sizes = np.zeros_like(self._sizes)
        sizes[classes.numbers] = classes.sizes
        in_class = classes.places()
        groups = np.repeat(np.arange(len(sizes)), sizes)
        for column, overall, within in zip(
            fuzzy.columns(), self._overall, self._within, strict=True
        ):
            places, is_rounded = places_of(column)
            ordered = np.empty_like(places)
            ordered[in_class] = _sorted_within(places, classes)
            within.add(groups, ordered, is_rounded=is_rounded)
            # One array for both: many of them wait for their turn to be merged.
            overall.add(None, ordered, is_rounded=is_rounded)
        self._sizes += sizes
        self._excess = max(self._excess, largest_excess(fuzzy.columns()))
        self._rows.add(fuzzy.columns(), labels=crisp.labels)

    def renumber(self, p: Numbers, q: Numbers, K: int, L: int) -> None:
        """Make room for further classes."""
        numbers, n_classes = (p, K) if self._crisp_first else (q, L)
        if numbers is None:
            return
        sizes = np.zeros(n_classes, dtype=np.int64)
        sizes[numbers] = self._sizes
        self._sizes = sizes
        for sketch in self._within:
            sketch.regroup(numbers)
        self._rows.renumber(numbers)

    def merge(self, other: "ClassColumns") -> None:
        """Add the sums of another one."""
        self._sizes = self._sizes + other._sizes
        for mine, theirs in zip(self._sketches(), other._sketches(), strict=True):
            mine.merge(theirs)
        self._excess = max(self._excess, other._excess)
        self._rows.merge(other._rows)

    def start_at(self, longer: "ClassColumns") -> None:
        """Let cells be no finer than those of a longer stream have become."""
        self._overall = [Sketch(sketch.level) for sketch in longer._overall]
        self._within = [Sketch(sketch.level) for sketch in longer._within]
        self._rows.start_at(longer._rows)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Give the sizes of the classes, and all cells."""
        arrays: dict[str, NDArray[Any]] = {
            "sizes": self._sizes,
            "excess": np.array([self._excess]),
            **self._rows.arrays(),
        }
        for number, sketch in enumerate(self._sketches()):
            arrays |= sketch_arrays(sketch, number)
        return arrays

    def restore(self, arrays: Arrays) -> None:
        """Take the sizes of the classes, and all cells."""
        sizes = arrays["sizes"]
        if sizes.shape != self._sizes.shape or sizes.dtype != np.int64:
            raise ValueError("sizes of other classes")
        excess = arrays["excess"]
        if excess.shape != (1,) or excess.dtype != np.float64 or not excess[0] >= 0.0:
            raise ValueError("sums of rows that cannot be")
        self._excess = float(excess[0])
        total, K = sizes[sizes > 0], len(self._overall)
        everyone = np.array([sizes.sum()])
        self._sizes = sizes
        self._overall = [sketch_of(arrays, k, everyone) for k in range(K)]
        self._within = [sketch_of(arrays, K + k, total) for k in range(K)]
        self._rows.restore(arrays, int(sizes.sum()))
        self._check_classes()

    @property
    def n_objects(self) -> int:
        """How many objects were counted."""
        return int(self._sizes.sum())

    def concordance(self) -> Concordance:
        """Give the concordance of two objects or more."""
        overall = [sketch.spread() for sketch in self._overall]
        within = [sketch.spread() for sketch in self._within]
        n, M = self.n_objects, pairs_within(self._sizes)
        return fuzzy_crisp_from(
            math.fsum(spread.total for spread in overall) / 2,
            math.fsum(spread.total for spread in within) / 2,
            M,
            n,
            beyond=self._beyond_one(n * (n - 1) // 2, M),
            T_error=math.fsum(spread.error for spread in overall) / 2,
            W_error=math.fsum(spread.error for spread in within) / 2,
        )

    def _beyond_one(self, n_pairs: int, n_within: int) -> BeyondOne:
        """Sum by how much dissimilarities pass 1, or bound it if rows are many."""
        kept = self._rows.kept() if self._excess > TOLERANCE else None
        exact = None if kept is None else exactly(kept.rows, kept.counts)
        if exact is not None:
            return exact
        return at_most(self._excess, len(self._overall), n_pairs, n_within)

    def _check_classes(self) -> None:
        """Refuse rows of other classes than were counted."""
        kept = self._rows.kept()
        if kept is None:
            return
        rows, counts = kept
        sizes = np.zeros_like(self._sizes)
        classes = rows[-1].astype(np.intp)
        known = (rows[-1] >= 0) & (rows[-1] < sizes.size) & (rows[-1] == classes)
        if not known.all():
            raise ValueError("rows of classes that do not exist")
        np.add.at(sizes, classes, counts)
        if not np.array_equal(sizes, self._sizes):
            raise ValueError("rows of another number of objects")

    def _sketches(self) -> list[Sketch]:
        return [*self._overall, *self._within]


def _sorted_within(places: Places, classes: Classes) -> Places:
    rows = sorted_within(places, classes.order, classes.sizes)
    return np.concatenate([row.ravel() for row in rows])
