"""Sums over objects from which the terms of pairs follow."""

import math
from collections.abc import Iterable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue import FREE_SUMS, Kind
from concordant.families.crisp import pairs_within
from concordant.partition.partition import Partition
from concordant.shortcuts.crisp import Sums, fuzzy_crisp_terms
from concordant.shortcuts.two_clusters import (
    Differences,
    EqualCells,
    all_alike,
    distribution_of_differences,
    two_clusters_terms,
)
from concordant.storage.archive import checked
from concordant.streams.sketch import UNIT, Places, Sketch, places_of
from concordant.terms.distribution import UNIT_ROUNDOFF, Bounded
from concordant.terms.object_sums import Arrays, Numbers, Summary
from concordant.terms.pair_terms import PairTerms
from concordant.values.l1 import excess


class OnePass(Summary, Protocol):
    """What the terms of pairs follow from."""

    def terms(self) -> PairTerms:
        """Return the terms of two objects or more."""


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
    return FuzzyCrisp(K, L, crisp_first=kind_p == "crisp")


class FuzzyCrisp:
    """Memberships in each cluster, of all objects and of those of each class."""

    def __init__(self, K: int, L: int, *, crisp_first: bool) -> None:
        self._crisp_first = crisp_first
        n_classes, n_clusters = (K, L) if crisp_first else (L, K)
        self._sizes = np.zeros(n_classes, dtype=np.int64)
        self._n_clusters = n_clusters
        # Of all objects, cluster by cluster, and then by classes.
        self._sketches = [Sketch() for _ in range(2 * n_clusters)]
        self._excess = 0.0  # by which dissimilarities pass 1 at most

    def add(self, P: Partition, Q: Partition) -> None:
        """Sum the memberships of a chunk."""
        crisp, fuzzy = (P, Q) if self._crisp_first else (Q, P)
        n_classes = len(self._sizes)
        for overall, within, column in zip(*self._halves, fuzzy.columns(), strict=True):
            places, rounding = places_of(column)
            overall.add(None, places, 1, rounding)
            within.add(crisp.labels, places, n_classes, rounding)
        self._sizes = self._sizes + np.bincount(crisp.labels, minlength=n_classes)
        self._excess = max(self._excess, excess(fuzzy))

    def renumbered(self, p: Numbers, q: Numbers, K: int, L: int) -> "FuzzyCrisp":
        """Return the same among further classes."""
        numbers = p if self._crisp_first else q
        if numbers is None:
            return self
        found = FuzzyCrisp(K, L, crisp_first=self._crisp_first)
        found._sizes[numbers], found._excess = self._sizes, self._excess
        overall, within = self._halves
        n_classes = len(found._sizes)
        regrouped = (part.regrouped(numbers, n_classes) for part in within)
        found._sketches = [*overall, *regrouped]
        return found

    def merge(self, other: "FuzzyCrisp") -> None:
        """Add the sums of another one."""
        self._sizes = self._sizes + other._sizes
        self._excess = max(self._excess, other._excess)
        for mine, theirs in zip(self._sketches, other._sketches, strict=True):
            mine.merge(theirs)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the sizes of the classes, and all cells."""
        arrays = {"sizes": self._sizes, "excess": np.array([self._excess])}
        return arrays | _arrays_of(self._sketches)

    def restore(self, arrays: Arrays) -> None:
        """Take the sizes of the classes, and all cells."""
        sizes = checked(arrays["sizes"], np.int64, len(self._sizes))
        excess = checked(arrays["excess"], np.float64, 1)
        if not excess[0] >= 0.0:
            raise ValueError("impossible sums of rows")
        self._sizes, self._excess = sizes, float(excess[0])
        everyone, K = np.array([sizes.sum()]), self._n_clusters
        self._sketches = [
            Sketch.restored(arrays, k, everyone if k < K else sizes)
            for k in range(2 * K)
        ]

    @property
    def n_objects(self) -> int:
        """The number of objects that were counted."""
        return int(self._sizes.sum())

    def terms(self) -> PairTerms:
        """Return the terms of two objects or more."""
        overall, within = map(_half_of_all, self._halves)
        sums = Sums(overall, within, 0.0, 1.0 + self._excess)
        n, n_within = self.n_objects, pairs_within(self._sizes)
        return fuzzy_crisp_terms(sums, n_within, n, crisp_first=self._crisp_first)

    @property
    def _halves(self) -> tuple[list[Sketch], list[Sketch]]:
        return self._sketches[: self._n_clusters], self._sketches[self._n_clusters :]


def _half_of_all(sketches: Iterable[Sketch]) -> Bounded:
    """Return half the sum of the differences of all clusters."""
    found = [sketch.sum_of_differences() for sketch in sketches]
    values, errors = zip(*found, strict=True)
    return Bounded(math.fsum(values) / 2, math.fsum(errors) / 2)


def _arrays_of(sketches: Iterable[Sketch]) -> dict[str, NDArray[Any]]:
    found: dict[str, NDArray[Any]] = {}
    for number, sketch in enumerate(sketches):
        found |= sketch.arrays(number)
    return found


class TwoClusters:
    """
    Differences a and b of the two memberships in P and in Q, a + b and a - b.

    They are twice p and q of `shortcuts/two_clusters.py`. Beside them, the least and
    largest sums of a row of P and of Q are kept.
    """

    def __init__(self) -> None:
        self._sketches = [Sketch() for _ in range(4)]
        self._low = np.full(2, np.iinfo(np.int64).max)
        self._high = np.full(2, np.iinfo(np.int64).min)

    def add(self, P: Partition, Q: Partition) -> None:
        """Sum the differences of a chunk."""
        (a, p_sums, p_off), (b, q_sums, q_off) = map(_of_rows, (P, Q))
        sums, off = (p_sums, q_sums), 2 * max(p_off, q_off)
        self._low = np.minimum(self._low, [int(s.min()) for s in sums])
        self._high = np.maximum(self._high, [int(s.max()) for s in sums])
        for sketch, places, rounding in zip(
            self._sketches, (a, b, a + b, a - b), (p_off, q_off, off, off), strict=True
        ):
            sketch.add(None, places, 1, rounding)

    def renumbered(self, p: Numbers, q: Numbers, K: int, L: int) -> "TwoClusters":
        """Return itself: memberships have no labels."""
        return self

    def merge(self, other: "TwoClusters") -> None:
        """Add the sums of another one."""
        self._low = np.minimum(self._low, other._low)
        self._high = np.maximum(self._high, other._high)
        for mine, theirs in zip(self._sketches, other._sketches, strict=True):
            mine.merge(theirs)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the least and largest sums, and all cells."""
        return {"low": self._low, "high": self._high} | _arrays_of(self._sketches)

    def restore(self, arrays: Arrays) -> None:
        """Take the least and largest sums, and all cells."""
        low, high = (checked(arrays[name], np.int64, 2) for name in ("low", "high"))
        if not (low <= high).all():
            raise ValueError("impossible sums of rows")
        size = arrays["sums0"][:1].sum(axis=1)
        self._sketches = [Sketch.restored(arrays, k, size) for k in range(4)]
        self._low, self._high = low, high

    @property
    def n_objects(self) -> int:
        """The number of objects that were counted."""
        return int(self._sketches[0].cells().sums[0].sum())

    def terms(self) -> PairTerms:
        """Return the terms of two objects or more."""
        sums = [sketch.sum_of_differences() for sketch in self._sketches]

        def distributions(n_cells: int) -> list[Differences]:
            uneven = self._high - self._low
            return [
                _differences(sketch, int(apart), n_cells)
                for sketch, apart in zip(self._sketches, uneven, strict=False)
            ]

        return two_clusters_terms(
            self.n_objects,
            [Bounded(S.value / 2, S.error / 2) for S in sums],
            0.0,
            distributions,
        )


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
