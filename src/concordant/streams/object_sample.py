"""A random sample of the objects of a stream, and what its pairs tell of all pairs."""

import math
import operator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.execution.engine import Engine
from concordant.execution.run import Run
from concordant.formulas.adjusted import Concordance
from concordant.gather import concordance_of_terms, gathered_concordance
from concordant.influence.object_means import object_means
from concordant.nulls.expectation import ObjectMeans
from concordant.nulls.permutations import expectation_of_terms
from concordant.pairs.sampling import UNSEEN, student_quantile
from concordant.partition.memberships import Memberships
from concordant.partition.partition import Partition
from concordant.terms.distribution import Bounded
from concordant.terms.object_sums import Arrays
from concordant.terms.pair_terms import PairTerms
from concordant.terms.sampled import largest_residual

Vector = NDArray[np.float64]

_MOST = 1 << 20  # objects
_MOST_BYTES = 1 << 28  # of their memberships
_LOOKED_AT, _PARTNERS = 1 << 15, 1 << 9  # objects that tell how objects differ
_SHARE = 3.0  # pairs need have no less than so small a part of the width of objects
_LAST = np.uint64((1 << 64) - 1)


@dataclass(frozen=True, eq=False)
class _Drawn:
    """Some objects: random numbers in ascending order, and a column for each."""

    keys: NDArray[np.uint64]
    columns: Vector

    @classmethod
    def first(cls, keys: NDArray[np.uint64], columns: Vector, most: int) -> "_Drawn":
        """Keep those with the smallest numbers."""
        order = np.argsort(keys, kind="stable")[:most]
        return cls(keys[order], np.ascontiguousarray(columns[:, order]))


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
    _drawn: list[_Drawn] = field(default_factory=list)
    #: The least and largest memberships, and the largest sum of a row of P and of Q.
    _bounds: tuple[Vector, Vector, Vector] | None = None
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
            [_Drawn.first(keys[below], columns[:, below], _most(len(columns)))],
            (columns.min(axis=1), columns.max(axis=1), np.array(totals)),
        )

    def merge(self, other: "ObjectSample") -> None:
        """Take in what was drawn from other chunks."""
        if self.chunks & other.chunks:
            raise ValueError(
                "accumulators that drew objects by the same random_state cannot be "
                "merged: give each of them another one"
            )
        if other._bounds is None:
            return
        if self._bounds is not None:
            (low, high, total), (low2, high2, total2) = self._bounds, other._bounds
            low, high = np.minimum(low, low2), np.maximum(high, high2)
            self._bounds = low, high, np.maximum(total, total2)
        else:
            self._bounds = other._bounds
        self.n_objects += other.n_objects
        self.n_clusters = other.n_clusters
        self.chunks = self.chunks | other.chunks
        self._drawn = [*self._drawn, *other._drawn]
        # Now and then, as putting all together takes time.
        most = _most(len(self._drawn[0].columns))
        if sum(len(part.keys) for part in self._drawn) > 2 * most:
            self._kept()

    def to_json(self) -> dict[str, Any]:
        """Return what JSON can hold of it."""
        return {
            "seed": self.seed,
            "tol": self.tol,
            "n_objects": self.n_objects,
            "n_clusters": self.n_clusters,
            "chunks": sorted(self.chunks),
        }

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the objects that are kept, and the bounds of all."""
        if self._bounds is None:
            return {}
        kept = self._kept()
        low, high, total = self._bounds
        return {
            "keys": kept.keys,
            "columns": kept.columns,
            "low": low,
            "high": high,
            "total": total,
        }

    @classmethod
    def restored(cls, facts: dict[str, Any], arrays: Arrays) -> "ObjectSample":
        """Make a sample of what was saved; refuse what cannot be: ValueError."""
        n, K = int(facts["n_objects"]), int(facts["n_clusters"])
        chunks = {(int(seed), int(number)) for seed, number in facts["chunks"]}
        sample = cls(int(facts["seed"]), float(facts["tol"]), n, K, chunks)
        if not (sample.tol > 0.0 and sample.seed >= 0):
            raise ValueError("an impossible sample")
        if n == 0:
            return sample
        names = ("keys", "columns", "low", "high", "total")
        keys, columns, low, high, total = (arrays[name] for name in names)
        width = len(columns)
        kinds = {array.dtype for array in (columns, low, high, total)}
        shapes = (columns.shape, low.shape, high.shape, total.shape, keys.shape)
        size = min(n, _most(max(width, 1)))
        known = ((width, size), (width,), (width,), (2,), (size,))
        if shapes != known or kinds != {np.dtype(np.float64)} or not 0 < K < width:
            raise ValueError("a sample of another shape")
        if keys.dtype != np.uint64 or (keys[1:] < keys[:-1]).any():
            raise ValueError("a sample that is not in order")
        inside = (columns >= low[:, np.newaxis]) & (columns <= high[:, np.newaxis])
        if not inside.all() or not np.isfinite([*low, *high, *total]).all():
            raise ValueError("a sample of impossible memberships")
        sample._drawn = [_Drawn(keys, np.ascontiguousarray(columns))]
        sample._bounds = low, high, total
        return sample

    def _kept(self) -> _Drawn:
        """Put together the objects of the sample, in random order."""
        keys = np.concatenate([part.keys for part in self._drawn])
        columns = np.concatenate([part.columns for part in self._drawn], axis=1)
        most = _most(len(columns))
        kept = _Drawn.first(keys, columns, most)
        self._drawn = [kept]
        if len(kept.keys) == most:
            self._limit = kept.keys[-1]
        return kept

    def concordance(self, engine: Engine) -> Concordance:
        """
        Estimate the concordance of all objects that were seen, at least two.

        The errors are half widths of 95 % confidence intervals: they hold what other
        objects of the stream would have said, and what other pairs of those drawn
        would have. If all objects are kept, it is their concordance by `tol`.
        """
        if self._bounds is None:
            raise ValueError("no object was drawn")
        columns, K = self._kept().columns, self.n_clusters
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
        ranges = 0.5 * (high - low)
        reach = [float(part.sum()) for part in (ranges[:K], ranges[K:])]
        # No dissimilarity is larger.
        x, y = min(reach[0], float(total[0])), min(reach[1], float(total[1]))
        width = _Width(means, P.n_objects, self.n_objects, (x, y))
        # The rest of the tolerance, if the objects leave any.
        rest = math.sqrt(max(self.tol**2 - width.aci**2, 0.0))
        tol = max(rest, min(width.aci, 1.0) / _SHARE)
        run = Run(engine=engine, tol=tol, random_state=self.seed)
        return width.widened(gathered_concordance(P, Q, run))


class _Width:
    """Half widths of 95 % confidence intervals, as far as objects make them."""

    def __init__(
        self, means: ObjectMeans, n_drawn: int, total: int, reach: tuple[float, float]
    ) -> None:
        self._n_drawn, self._total = n_drawn, total
        self._looked_at = len(means.discordance)
        x, y = reach
        w = max(x, y)
        of_d, of_e = means.discordance, means.from_p + means.from_q
        d, expected = float(of_d.mean()), 0.5 * float(of_e.mean())
        # In units of E[d], so that no square is too small for a double.
        unit = expected or 1.0
        of_d, of_e = of_d / unit, of_e / unit
        # An object stands in a share of 2 / n of the pairs.
        self.d = unit * self._half(of_d, 2.0 * max(d, w - d) / unit)
        self.expected = unit * self._half(of_e, 2.0 * (x + y) / unit)
        self.aci = math.inf
        if self.expected < expected:
            ratio = d / expected
            largest = 2.0 * largest_residual(x, y, w, ratio) / expected
            # To first order; what E[d] is off by itself enters as a factor.
            self.aci = self._half(ratio * of_e - of_d, largest)
            self.aci /= 1.0 - self.expected / expected

    def _half(self, means: Vector, largest: float) -> float:
        """Add the bound for unseen objects to the spread of those that were seen."""
        share = 1.0 - self._n_drawn / self._total
        unseen = UNSEEN / self._looked_at * largest**2
        variance = share * (4.0 * float(means.var(ddof=1)) + unseen) / self._n_drawn
        return student_quantile(self._looked_at - 1) * math.sqrt(variance)

    def widened(self, found: Concordance) -> Concordance:
        """Return the concordance of the objects that were drawn as that of all."""
        # Two samples that know nothing of each other, or one and a bound.
        both = math.hypot if found.method == "sampled" else operator.add
        d_error = both(self.d, found.discordance_error)
        e_error = both(self.expected, found.expected_discordance_error)
        terms = PairTerms(
            self._total,
            "sampled-objects",
            found.n_pairs,
            Bounded(found.discordance, d_error),
            expected=Bounded(found.expected_discordance, e_error),
            ratio_error=both(self.aci, found.error),
        )
        return concordance_of_terms(terms, expectation_of_terms(terms))


def _fuzzy(columns: Vector) -> Partition:
    """Return a fuzzy partition with these memberships, one cluster per row."""
    K, n = columns.shape
    matrix = Memberships.of_columns(columns.copy())
    one = Partition([[1.0 / K] * K])
    return one._replace(kind="fuzzy", codes=None, matrix=matrix, n_given=n)


def _most(n_columns: int) -> int:
    """Return the number of objects that are kept."""
    return min(_MOST, _MOST_BYTES // (8 * n_columns))
