"""A random sample of the objects of a stream, and what its pairs tell of all pairs."""

import math
import operator
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from concordant.agreement.computing import computed_concordance, planned
from concordant.agreement.result import Concordance, assemble
from concordant.agreement.sampled_pairs import largest_residual
from concordant.execution.run import Run
from concordant.pairs.sampling import DEFAULT_TOL, UNSEEN, student_quantile
from concordant.partition.memberships import Memberships
from concordant.partition.partition import Partition
from concordant.streams.object_spread import ObjectSpread, spread_of_objects

Vector = NDArray[np.float64]

_MOST = 1 << 20  # objects
_MOST_BYTES = 1 << 28  # of their memberships
_SHARE = 3.0  # pairs need have no less than so small a part of the width of objects
_LAST = np.uint64((1 << 64) - 1)
_NOBODY = np.empty(0, np.intp)


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


@dataclass(frozen=True, eq=False)
class _Bounds:
    """The least and largest memberships of one side, and the largest sum of a row."""

    low: Vector
    high: Vector
    total: float

    @classmethod
    def of(cls, columns: Vector) -> "_Bounds":
        """Take memberships, one cluster per row."""
        total = float(np.abs(columns).sum(axis=0).max())
        return cls(columns.min(axis=1), columns.max(axis=1), total)

    def united(self, other: "_Bounds") -> "_Bounds":
        """Take objects of both."""
        low, high = np.minimum(self.low, other.low), np.maximum(self.high, other.high)
        return _Bounds(low, high, max(self.total, other.total))

    @property
    def reach(self) -> float:
        """No dissimilarity is larger."""
        return min(0.5 * float((self.high - self.low).sum()), self.total)


@dataclass(eq=False)
class ObjectSample:
    """
    Objects drawn from a stream, each with the same probability.

    Every object gets a random number, by its place in a chunk and the number of the
    chunk, and those with the smallest are kept. So the sample does not depend on which
    chunks are worked on together.

    Parameters
    ----------
    seed : int
        Where the random numbers come from.
    run : Run
        How the concordance is computed, with the half width that is wanted.
    n_objects : int, default=0
        The number of objects seen so far.
    """

    seed: int
    run: Run
    n_objects: int = 0
    _sides: tuple[Partition, Partition] | None = None
    _drawn: list[_Drawn] = field(default_factory=list)
    _bounds: tuple[_Bounds, _Bounds] | None = None
    _limit: np.uint64 = _LAST

    def part(self, P: Partition, Q: Partition, number: int) -> "ObjectSample":
        """Draw from a chunk; this sample is not changed."""
        rng = np.random.default_rng([self.seed, number])
        keys = rng.integers(_LAST, size=P.n_objects, dtype=np.uint64, endpoint=True)
        columns = np.concatenate((P.columns(), Q.columns()))
        below = np.flatnonzero(keys <= self._limit)
        return ObjectSample(
            self.seed,
            self.run,
            P.n_objects,
            (P.take(_NOBODY), Q.take(_NOBODY)),
            [_Drawn.first(keys[below], columns[:, below], _most(len(columns)))],
            (_Bounds.of(P.columns()), _Bounds.of(Q.columns())),
        )

    def merge(self, other: "ObjectSample") -> None:
        """Take in what was drawn from other chunks."""
        self.n_objects += other.n_objects
        self._drawn += other._drawn
        if self._bounds is None or other._bounds is None:
            self._sides = self._sides or other._sides
            self._bounds = self._bounds or other._bounds
        else:
            (p, q), (more_p, more_q) = self._bounds, other._bounds
            self._bounds = p.united(more_p), q.united(more_q)
        # Now and then, as putting all together takes time.
        most = _most(len(self._drawn[0].columns))
        if sum(len(part.keys) for part in self._drawn) > 2 * most:
            self._drawn = [self._kept()]
            self._limit = self._drawn[0].keys[-1]

    def _kept(self) -> _Drawn:
        """Give the objects of the sample, in random order."""
        keys = np.concatenate([part.keys for part in self._drawn])
        columns = np.concatenate([part.columns for part in self._drawn], axis=1)
        return _Drawn.first(keys, columns, _most(len(columns)))

    def concordance(self) -> Concordance:
        """
        Estimate the concordance of all objects that were seen, at least two.

        The errors are half widths of 95 % confidence intervals: they hold what other
        objects of the stream would have said, and what other pairs of those drawn
        would have. If all objects are kept, it is their concordance by `tol`.
        """
        if self._sides is None or self._bounds is None:
            raise ValueError("no object was drawn")
        columns = self._kept().columns
        K = self._sides[0].n_clusters
        P, Q = (
            side._replace(
                kind="fuzzy", matrix=Memberships.of_columns(part), n_given=part.shape[1]
            )
            for side, part in zip(
                self._sides, (columns[:K].copy(), columns[K:].copy()), strict=True
            )
        )
        # The same pairs whenever it is asked for.
        run = replace(self.run, rng=np.random.default_rng(self.seed))
        if P.n_objects == self.n_objects:
            return computed_concordance(P, Q, planned(P, Q, run))[0]
        spread = spread_of_objects(P.columns(), Q.columns(), run.engine)
        p, q = self._bounds
        width = _Width(spread, P.n_objects, self.n_objects, (p.reach, q.reach))
        # The rest of the tolerance, if the objects leave any.
        wanted = DEFAULT_TOL if run.tol is None else float(run.tol)
        rest = math.sqrt(max(wanted**2 - width.aci**2, 0.0))
        tol = max(rest, min(width.aci, 1.0) / _SHARE)
        run = planned(P, Q, replace(run, tol=tol))
        return width.widened(computed_concordance(P, Q, run)[0])


class _Width:
    """Half widths of 95 % confidence intervals, as far as objects make them."""

    def __init__(
        self, spread: ObjectSpread, n_drawn: int, total: int, reach: tuple[float, float]
    ) -> None:
        self._n_drawn, self._total, self._looked_at = n_drawn, total, spread.n_objects
        x, y = reach
        w = max(x, y)
        d, expected = spread.d, spread.expected
        # An object stands in a share of 2 / n of the pairs.
        self.d = self._half(spread.of_d, 2.0 * max(d, w - d))
        self.expected = self._half(spread.of_expected, 2.0 * (x + y))
        self.aci = math.inf
        if self.expected < expected:
            largest = 2.0 * largest_residual(x, y, w, d / expected) / expected
            # To first order; what E[d] is off by itself enters as a factor.
            self.aci = self._half(spread.of_aci, largest)
            self.aci /= 1.0 - self.expected / expected

    def _half(self, deviation: float, largest: float) -> float:
        """Add three objects that nobody saw to the spread of those that were seen."""
        share = 1.0 - self._n_drawn / self._total
        unseen = UNSEEN / self._looked_at * largest**2
        variance = share * (deviation**2 + unseen) / self._n_drawn
        return student_quantile(self._looked_at - 1) * math.sqrt(variance)

    def widened(self, found: Concordance) -> Concordance:
        """Let the concordance of the objects that were drawn stand for all."""
        # Two samples that know nothing of each other, or one and a bound.
        both = math.hypot if found.method == "sampled" else operator.add
        result = assemble(
            found.discordance,
            found.expected_discordance,
            n_objects=self._total,
            n_pairs=found.n_pairs,
            method="sampled-objects",
            discordance_error=both(self.d, found.discordance_error),
            expected_discordance_error=both(
                self.expected, found.expected_discordance_error
            ),
        )
        return replace(result, error=min(both(self.aci, found.error), result.error))


def _most(n_columns: int) -> int:
    """Tell how many objects are kept."""
    return min(_MOST, _MOST_BYTES // (8 * n_columns))
