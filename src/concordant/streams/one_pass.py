"""Sums over objects from which the terms of pairs follow."""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Vector
from concordant.bounded import UNIT_ROUNDOFF, Bounded
from concordant.catalogue.records import FREE_SUMS, Kind
from concordant.measures.tables.crisp import pairs_within
from concordant.pairs.crisp_side import Sums, fuzzy_crisp_terms
from concordant.pairs.pair_terms import PairTerms
from concordant.pairs.two_clusters import (
    Differences,
    EqualCells,
    all_alike,
    distribution_of_differences,
    two_clusters_terms,
)
from concordant.pairs.values.l1 import L1
from concordant.partition.partition import Partition
from concordant.streams.sketch import UNIT, Places, Sketch, places_of
from concordant.sums.object_sums import Arrays, Numbers


class OnePass(ABC):
    """Sketches of numbers of the objects, from which the terms of pairs follow."""

    def __init__(self, n_sketches: int, largest: NDArray[Any], n_columns: int) -> None:
        self._sketches = [Sketch() for _ in range(n_sketches)]
        self._largest = largest  # of some other numbers
        # Of each column of memberships, the largest and minus the least.
        self._ends = np.full((2, n_columns), -math.inf)

    @abstractmethod
    def add(self, P: Partition, Q: Partition) -> None:
        """Add the objects of a chunk."""

    @abstractmethod
    def value(self) -> PairTerms:
        """Return the terms of pairs, of two objects or more."""

    def renumbered(self, p: Numbers, q: Numbers, K: int, L: int) -> "OnePass":
        """Return the same among K and L clusters."""
        return self

    def merge(self, other: Self) -> None:
        """Add what another one holds, which is not changed."""
        self._largest = np.maximum(self._largest, other._largest)
        self._ends = np.maximum(self._ends, other._ends)
        for mine, theirs in zip(self._sketches, other._sketches, strict=True):
            mine.merge(theirs)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return all it holds."""
        found = {"largest": self._largest, "ends": self._ends}
        for number, sketch in enumerate(self._sketches):
            found |= sketch.arrays(number)
        return found

    def restore(self, arrays: Arrays) -> None:
        """Take what `arrays` returned."""
        numbers = range(len(self._sketches))
        self._sketches = [Sketch.restored(arrays, number) for number in numbers]
        self._largest, self._ends = arrays["largest"], arrays["ends"]

    def _widen(self, columns: Vector) -> None:
        """Let memberships be known to lie between others as well."""
        ends = [columns.max(axis=1), -columns.min(axis=1)]
        self._ends = np.maximum(self._ends, ends)

    @property
    def _alike(self) -> NDArray[np.bool_]:
        """Whether the memberships of a column are the same, of all objects."""
        return np.asarray(self._ends.sum(axis=0) == 0.0)


def is_one_pass(kind_p: Kind, kind_q: Kind, K: int, L: int) -> bool:
    """Return whether NDC and ACI follow from sums over objects."""
    kinds = {kind_p, kind_q}
    return not FREE_SUMS & kinds and ("crisp" in kinds or K == L == 2)


def one_pass_sums(kind_p: Kind, kind_q: Kind, K: int, L: int) -> OnePass | None:
    """Return empty sums, if NDC and ACI follow from others than counts."""
    if kind_p == kind_q == "crisp" or not is_one_pass(kind_p, kind_q, K, L):
        return None
    if "crisp" not in (kind_p, kind_q):
        return TwoClusters()
    crisp_first = kind_p == "crisp"
    return FuzzyCrisp(L if crisp_first else K, crisp_first=crisp_first)


class FuzzyCrisp(OnePass):
    """Memberships in each cluster, of all objects and then of those of each class."""

    def __init__(self, n_clusters: int, *, crisp_first: bool) -> None:
        # By how much dissimilarities pass 1 at most.
        super().__init__(2 * n_clusters, np.zeros(1), n_clusters)
        self._n_clusters, self._crisp_first = n_clusters, crisp_first

    def add(self, P: Partition, Q: Partition) -> None:
        """Add the memberships of a chunk."""
        crisp, fuzzy = (P, Q) if self._crisp_first else (Q, P)
        everyone = np.array([P.n_objects])
        sizes = np.bincount(crisp.labels, minlength=crisp.n_clusters)
        for overall, within, column in zip(*self._halves, fuzzy.columns(), strict=True):
            places, rounding = places_of(column)
            order = np.argsort(places)
            by_class = order[np.argsort(crisp.labels[order], kind="stable")]
            places = places[by_class]
            overall.add(places, everyone, rounding)
            within.add(places, sizes, rounding)
        self._largest = np.maximum(self._largest, L1.excess(fuzzy))
        self._widen(fuzzy.columns())

    def renumbered(self, p: Numbers, q: Numbers, K: int, L: int) -> "FuzzyCrisp":
        """Return the same among further classes."""
        numbers, n_classes = (p, K) if self._crisp_first else (q, L)
        if numbers is None:
            return self
        found = FuzzyCrisp(self._n_clusters, crisp_first=self._crisp_first)
        overall, within = self._halves
        regrouped = [part.regrouped(numbers, n_classes) for part in within]
        found._sketches, found._largest = overall + regrouped, self._largest
        found._ends = self._ends
        return found

    def value(self) -> PairTerms:
        """Return the terms of pairs, of two objects or more."""
        overall, within = (_half_of_all(half, self._alike) for half in self._halves)
        sums = Sums(overall, within, 0.0, 1.0 + float(self._largest[0]))
        sizes = self._sketches[-1].cells().group_sizes
        n, n_within = int(sizes.sum()), pairs_within(sizes)
        return fuzzy_crisp_terms(sums, n_within, n, crisp_first=self._crisp_first)

    @property
    def _halves(self) -> tuple[list[Sketch], list[Sketch]]:
        return self._sketches[: self._n_clusters], self._sketches[self._n_clusters :]


def _half_of_all(sketches: Iterable[Sketch], alike: Iterable[bool]) -> Bounded:
    """Return half the sum of the differences of all clusters."""
    found = [
        Bounded(0.0, 0.0) if same else sketch.sum_of_differences()
        for sketch, same in zip(sketches, alike, strict=True)
    ]
    values, errors = zip(*found, strict=True)
    return Bounded(math.fsum(values) / 2, math.fsum(errors) / 2)


class TwoClusters(OnePass):
    """
    Differences a and b of the two memberships in P and in Q, a + b and a - b.

    They are twice p and q of `pairs/two_clusters.py`. Beside them, the largest sums
    of a row of P and of Q are kept, and minus the least.
    """

    def __init__(self) -> None:
        super().__init__(4, np.full(4, np.iinfo(np.int64).min), 4)

    def add(self, P: Partition, Q: Partition) -> None:
        """Add the differences of a chunk."""
        (a, p_sums, p_off), (b, q_sums, q_off) = map(_of_rows, (P, Q))
        extremes = [(sums.max(), -sums.min()) for sums in (p_sums, q_sums)]
        self._largest = np.maximum(self._largest, np.ravel(extremes))
        off, everyone = 2 * max(p_off, q_off), np.array([P.n_objects])
        for sketch, places, rounding in zip(
            self._sketches, (a, b, a + b, a - b), (p_off, q_off, off, off), strict=True
        ):
            sketch.add(places, everyone, rounding)
        self._widen(np.concatenate((P.columns(), Q.columns())))

    def value(self) -> PairTerms:
        """Return the terms of pairs, of two objects or more."""
        p, q = bool(self._alike[:2].all()), bool(self._alike[2:].all())
        sketches = [
            Sketch([each.cells()], 0 if same else each.rounding)
            for each, same in zip(self._sketches, (p, q, p and q, p and q), strict=True)
        ]
        sums = [sketch.sum_of_differences() for sketch in sketches]
        uneven = self._largest.reshape(2, 2).sum(axis=1).tolist()

        def distributions(n_cells: int) -> list[Differences]:
            return [
                _differences(sketch, apart, n_cells)
                for sketch, apart in zip(sketches, uneven, strict=False)
            ]

        halves = [Bounded(S.value / 2, S.error / 2) for S in sums]
        n = int(sketches[0].cells().group_sizes.sum())
        return two_clusters_terms(n, halves, 0.0, distributions)


def _of_rows(partition: Partition) -> tuple[Places, Places, int]:
    """Return differences and sums of two memberships, and how far these are off."""
    (first, off), (second, also_off) = map(places_of, partition.columns())
    return first - second, first + second, 2 * max(off, also_off)


def _differences(sketch: Sketch, uneven: int, n_cells: int) -> Differences:
    """
    Return the distribution of half the differences of the numbers of a sketch.

    Cells are joined until they are equal ones, of which there are about `n_cells`.
    """
    fine = sketch.cells()
    rounding = 0.5 * UNIT * sketch.rounding
    apart = 0.5 * UNIT * uneven + rounding
    reach = int(fine.keys[-1] - fine.keys[0])
    if reach == 0 and fine.level == 0:
        return all_alike(int(fine.sums[0].sum()), apart + rounding)
    shift = max(0, reach.bit_length() - (n_cells - 1).bit_length())
    coarse = fine.at(fine.level + shift)
    cells = coarse.keys - coarse.keys[0]
    counts, sums = np.zeros((2, 1 << int(cells[-1]).bit_length()))
    scale = 2.0**coarse.level
    counts[cells], sums[cells] = coarse.sums[0], coarse.offsets / scale
    value, error = fine.sum_of_differences(fine.keys >> shift)
    within = Bounded(value / scale, error / scale)
    width = 0.5 * UNIT * scale
    rounding += 4.0 * UNIT_ROUNDOFF * len(counts) * width
    return distribution_of_differences(
        EqualCells(counts, sums, within, width), apart, rounding
    )
