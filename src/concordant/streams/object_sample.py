"""A random sample of the objects of a stream, and what its pairs tell of all pairs."""

import math
import operator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Vector
from concordant.bounded import Bounded
from concordant.compute import gathered_concordance
from concordant.errors import InputError
from concordant.execution.engine import Engine
from concordant.execution.run import Run
from concordant.inference.object_means import object_means
from concordant.measures.adjusted import Concordance, adjusted
from concordant.nulls.expectation import ObjectMeans
from concordant.nulls.permutations import expectation_of_terms
from concordant.pairs.pair_terms import PairTerms
from concordant.pairs.sampled import largest_residual
from concordant.pairs.sampling import UNSEEN, student_quantile
from concordant.partition.partition import Partition
from concordant.sums.object_sums import Arrays

#: Some objects: random numbers in ascending order, and a column for each.
Drawn = tuple[NDArray[np.uint64], Vector]

_MOST = 1 << 20  # objects
_MOST_BYTES = 1 << 28  # of their memberships
_LOOKED_AT, _PARTNERS = 1 << 15, 1 << 9  # objects that tell how objects differ
_SHARE = 3.0  # pairs need have no less than so small a part of the width of objects
_LAST = np.uint64((1 << 64) - 1)


@dataclass(eq=False)
class ObjectSample:
    """
    Objects drawn from a stream, each with the same probability.

    Every object gets a random number, by its place in a chunk, the number of the chunk
    and the seed, and those with the smallest are kept. So the sample does not depend on
    which chunks are worked on together. `tol` is the half width of the 95 % confidence
    interval that is wanted, `chunks` are the seeds and numbers of the chunks so far.
    """

    seed: int
    tol: float
    n_objects: int = 0
    n_clusters: int = 0
    chunks: set[tuple[int, int]] = field(default_factory=set)
    _drawn: list[Drawn] = field(default_factory=list)
    #: Minus the least and then the largest memberships, and sums of a row of P and Q.
    _largest: Vector = field(default_factory=lambda: np.array(-np.inf))
    _limit: np.uint64 = _LAST

    def part(self, P: Partition, Q: Partition, number: int) -> "ObjectSample":
        """Draw from a chunk; this sample is not changed."""
        rng = np.random.default_rng([self.seed, number])
        keys = rng.integers(_LAST, size=P.n_objects, dtype=np.uint64, endpoint=True)
        columns = np.concatenate((P.columns(), Q.columns()))
        below = np.flatnonzero(keys <= self._limit)
        totals = [np.abs(side.columns()).sum(axis=0).max() for side in (P, Q)]
        return ObjectSample(
            self.seed,
            self.tol,
            P.n_objects,
            P.n_clusters,
            {(self.seed, number)},
            [_first(keys[below], columns[:, below])],
            np.concatenate((-columns.min(axis=1), columns.max(axis=1), totals)),
        )

    def merge(self, other: "ObjectSample") -> None:
        """Take in what was drawn from other chunks."""
        if self.chunks & other.chunks:
            raise InputError(
                "accumulators that drew objects by the same random_state cannot be "
                "merged: give each of them another one"
            )
        if not other.n_objects:
            return
        self.n_objects += other.n_objects
        self.n_clusters = other.n_clusters
        self.chunks = self.chunks | other.chunks
        self._drawn = [*self._drawn, *other._drawn]
        self._largest = np.maximum(self._largest, other._largest)
        # Now and then, as putting all together takes time.
        most = _most(len(self._drawn[0][1]))
        if sum(keys.size for keys, _ in self._drawn) > 2 * most:
            self._kept()

    def to_json(self) -> dict[str, Any]:
        """Return what JSON can hold of it."""
        names = ("seed", "tol", "n_objects", "n_clusters")
        return {name: getattr(self, name) for name in names} | {
            "chunks": sorted(self.chunks)
        }

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the objects that are kept, and the bounds of all."""
        if not self.n_objects:
            return {}
        keys, columns = self._kept()
        return {"keys": keys, "columns": columns, "largest": self._largest}

    @classmethod
    def restored(cls, facts: dict[str, Any], arrays: Arrays) -> "ObjectSample":
        """Make a sample of what was saved."""
        chunks = {(seed, number) for seed, number in facts["chunks"]}
        sample = cls(**{**facts, "chunks": chunks})
        if sample.n_objects:
            sample._drawn = [(arrays["keys"], arrays["columns"])]
            sample._largest = arrays["largest"]
        return sample

    @property
    def _bounds(self) -> tuple[Vector, Vector, Vector]:
        """The least and largest memberships, and the largest sums of a row."""
        least, most = np.split(self._largest[:-2], 2)
        return -least, most, self._largest[-2:]

    def _kept(self) -> Drawn:
        """Put together the objects of the sample, in random order."""
        keys, columns = zip(*self._drawn, strict=True)
        kept = _first(np.concatenate(keys), np.concatenate(columns, axis=1))
        self._drawn = [kept]
        if kept[0].size == _most(len(kept[1])):
            self._limit = kept[0][-1]
        return kept

    def concordance(self, engine: Engine) -> Concordance:
        """
        Estimate the concordance of all objects that were seen, at least two.

        The errors are half widths of 95 % confidence intervals: they hold what other
        objects of the stream would have said, and what other pairs of those drawn
        would have. If all objects are kept, it is their concordance by `tol`.
        """
        columns, K = self._kept()[1], self.n_clusters
        P, Q = _fuzzy(columns[:K]), _fuzzy(columns[K:])
        # The same pairs whenever it is asked for.
        run = Run(engine=engine, tol=self.tol, random_state=self.seed)
        if P.n_objects == self.n_objects:
            return gathered_concordance(P, Q, run)
        # They are in random order.
        p, q = (_fuzzy(X[:, :_LOOKED_AT]) for X in (columns[:K], columns[K:]))
        partners = np.arange(min(p.n_objects, _PARTNERS))
        means = object_means(p, q, Run(engine=engine), partners)
        low, high, total = self._bounds
        ranges = np.split(0.5 * (high - low), [K])
        # No dissimilarity is larger.
        x, y = (
            min(float(part.sum()), size)
            for part, size in zip(ranges, total.tolist(), strict=True)
        )
        widths = _widths(means, P.n_objects, self.n_objects, (x, y))
        width_d, width_e, width = widths
        # The rest of the tolerance, if the objects leave any.
        rest = math.sqrt(max(self.tol**2 - width**2, 0.0))
        tol = max(rest, min(width, 1.0) / _SHARE)
        found = gathered_concordance(P, Q, replace(run, tol=tol))
        # Two samples that know nothing of each other, or one and a bound.
        both = math.hypot if found.method == "sampled" else operator.add
        d_error = both(width_d, found.discordance_error)
        e_error = both(width_e, found.expected_discordance_error)
        terms = PairTerms(
            self.n_objects,
            "sampled-objects",
            found.n_pairs,
            Bounded(found.discordance, d_error),
            expected=Bounded(found.expected_discordance, e_error),
            ratio_error=both(width, found.error),
        )
        return adjusted(terms, expectation_of_terms(terms))


def _widths(
    means: ObjectMeans, n_drawn: int, total: int, reach: tuple[float, float]
) -> tuple[float, float, float]:
    """Return half widths of d, E[d] and ACI, as far as objects make them."""
    x, y = reach
    w = max(x, y)
    looked_at = len(means.discordance)
    share = 1.0 - n_drawn / total

    def half(means: Vector, largest: float) -> float:
        """Add a bound for unseen objects to the spread of those that were seen."""
        unseen = UNSEEN / looked_at * largest**2
        variance = share * (4.0 * float(means.var(ddof=1)) + unseen) / n_drawn
        return student_quantile(looked_at - 1) * math.sqrt(variance)

    of_d, of_e = means.discordance, means.from_p + means.from_q
    d, expected = float(of_d.mean()), 0.5 * float(of_e.mean())
    # In units of E[d], so that no square is too small for a double.
    unit = expected or 1.0
    of_d, of_e = of_d / unit, of_e / unit
    # An object stands in a share of 2 / n of the pairs.
    width_d = unit * half(of_d, 2.0 * max(d, w - d) / unit)
    width_e = unit * half(of_e, 2.0 * (x + y) / unit)
    if width_e >= expected:
        return width_d, width_e, math.inf
    ratio = d / expected
    largest = 2.0 * largest_residual(x, y, w, ratio) / expected
    # To first order; what E[d] is off by itself enters as a factor.
    width = half(ratio * of_e - of_d, largest) / (1.0 - width_e / expected)
    return width_d, width_e, width


def _first(keys: NDArray[np.uint64], columns: Vector) -> Drawn:
    """Keep the objects with the smallest numbers, as many as are held."""
    order = np.argsort(keys, kind="stable")[: _most(len(columns))]
    return keys[order], np.ascontiguousarray(columns[:, order])


def _fuzzy(columns: Vector) -> Partition:
    """Return a fuzzy partition with these memberships, one cluster per row."""
    K, n = columns.shape
    matrix = columns.copy()
    one = Partition([[1.0 / K] * K])
    return one._replace(kind="fuzzy", codes=None, matrix=matrix, n_given=n)


def _most(n_columns: int) -> int:
    """Return the number of objects that are kept."""
    return min(_MOST, _MOST_BYTES // (8 * n_columns))
