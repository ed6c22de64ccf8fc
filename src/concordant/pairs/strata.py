"""Few objects that all others are compared with, and what the others can still do."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Positions, Vector
from concordant.pairs.bands import WIDTH, Band

_MOST_RARE = 64
_RARE_PAIRS = 1 << 22  # with one of them, at most
_RARE_SHARE = 32  # one in so many objects at most
_LOOKED_AT = 1 << 15  # objects that tell which clusters of P and Q belong together
_BANDS_OF_TASK = 64


@dataclass(frozen=True, eq=False)
class Strata:
    """
    Objects in two strata: the rare ones, met by all, and the others, to be sampled.

    The rare ones are furthest from the bulk in P or Q, or differ most between the two.
    For two of the others there are bounds: of their L1 distance in P and in Q, of the
    difference between their two values, and of how far both moved from P to Q.
    """

    rare: Positions
    others: Positions  # in random order
    largest_p: float
    largest_q: float
    largest_difference: float
    largest_moved: float

    @property
    def n_pairs(self) -> int:
        """The number of pairs that can be sampled: of two of the others."""
        n = len(self.others)
        return n * (n - 1) // 2

    @property
    def n_rare_pairs(self) -> int:
        """The number of pairs with a rare object."""
        r = len(self.rare)
        return r * len(self.others) + r * (r - 1) // 2

    def laid_out(self, columns: NDArray[np.float64]) -> NDArray[np.float64]:
        """Put the rare objects first, then the others, `unrolled`."""
        r, n = len(self.rare), columns.shape[-1]
        half = len(self.others) // 2
        out = np.empty((len(columns), n + half))
        out[..., :r] = columns[..., self.rare]
        for row, column in zip(out, columns, strict=True):
            np.take(column, self.others, out=row[r:n], mode="clip")
        out[..., n:] = out[..., r : r + half]
        return out

    def rare_bands(self) -> list[list[Band]]:
        """List all pairs with a rare object once, as tasks."""
        r = len(self.rare)
        n = r + len(self.others)
        if r == 0:
            return []
        # Shifts that stay within the objects for all of the rare ones, then the rest.
        bands = [
            Band(0, r, first, min(WIDTH, n - r + 1 - first))
            for first in range(1, n - r + 1, WIDTH)
        ]
        bands += [Band(i, i + 1, n - r + 1, r - 1 - i) for i in range(r - 1)]
        return [
            bands[start : start + _BANDS_OF_TASK]
            for start in range(0, len(bands), _BANDS_OF_TASK)
        ]

    def shifted(self, bands: Sequence[Band]) -> list[Band]:
        """Turn bands of the others into bands of all, as they are laid out."""
        r = len(self.rare)
        return [band._replace(i0=band.i0 + r, i1=band.i1 + r) for band in bands]


@dataclass(frozen=True, eq=False)
class Remoteness:
    """
    What bounds the L1 distances of objects, and how far these differ between P and Q.

    Objects have distances from a centre, in P and in Q, and of their memberships in P
    from those in Q, where each cluster of P has its own of Q as long as there are any.
    Two objects are at most the sum of their distances from the centre apart, and their
    distance in P differs from that in Q by at most the sum of what they moved. That
    holds for any centre and any clusters that go together, so that a part of the
    objects may tell which.
    """

    away_p: Vector
    away_q: Vector
    moved: Vector

    @classmethod
    def of(cls, p: Vector, q: Vector) -> "Remoteness":
        """Take memberships of shape (K, n) and (L, n), in O(n (K + L)) time."""
        step = max(1, p.shape[1] // _LOOKED_AT)
        return cls(_away(p, step), _away(q, step), _moved(p, q, step))

    def rarest(self, count: int) -> Positions:
        """Find the objects that have most of the sum of one of the three distances."""
        parts = (self.away_p, self.away_q, self.moved)
        shares = np.max([_shares(part) for part in parts], axis=0)
        return _largest(shares, count)

    def differences(self, partners: Positions) -> Vector:
        """Bound, for each object, how far its distances to partners differ."""
        away_p = self.away_p + self.away_p[partners].max()
        away_q = self.away_q + self.away_q[partners].max()
        moved = self.moved + self.moved[partners].max()
        return np.asarray(np.minimum(np.maximum(away_p, away_q), moved))


def n_rare(n: int) -> int:
    """Tell how many of n objects all others are compared with."""
    return min(_MOST_RARE, n // _RARE_SHARE)


def strata(p: Vector, q: Vector, rng: np.random.Generator) -> Strata:
    """Choose the rare objects: at most 64, fewer of many, and one in 32 of few."""
    n = p.shape[1]
    remoteness = Remoteness.of(p, q)
    rare = remoteness.rarest(min(n_rare(n), _RARE_PAIRS // n))
    others = np.delete(np.arange(n), rare)
    largest_p = min(_two_largest(remoteness.away_p[others]), _farthest(p, others))
    largest_q = min(_two_largest(remoteness.away_q[others]), _farthest(q, others))
    moved = _two_largest(remoteness.moved[others])
    difference = min(max(largest_p, largest_q), moved)
    order = rng.permutation(others)
    return Strata(rare, order, largest_p, largest_q, difference, moved)


def _largest(shares: Vector, count: int) -> Positions:
    """Find the objects with the largest shares: of equal ones the first in the data."""
    if count == 0:
        return np.empty(0, np.intp)
    last = np.partition(shares, -count)[-count]
    above, equal = np.flatnonzero(shares > last), np.flatnonzero(shares == last)
    return np.sort(np.concatenate((above, equal[: count - above.size])))


def _away(columns: Vector, step: int) -> Vector:
    """Give the distance of each object from the median."""
    centre = np.median(columns[:, ::step], axis=1)
    return _sum_of_distances(columns, centre)


def _moved(p: Vector, q: Vector, step: int) -> Vector:
    """Give the distance of each object's memberships in P from those in Q."""
    partner = _matched(p[:, ::step], q[:, ::step])
    alone = [column for k, column in enumerate(p) if k not in partner]
    alone += [column for k, column in enumerate(q) if k not in partner.values()]
    matched = _sum_of_distances(p[list(partner)], q[list(partner.values())])
    return matched + _sum_of_distances(alone, np.zeros(len(alone)))


def _matched(p: Vector, q: Vector) -> dict[int, int]:
    """Match clusters of P with those of Q, those that share most first."""
    shared = np.array([[np.minimum(x, y).sum() for y in q] for x in p])
    partner: dict[int, int] = {}
    for _ in range(min(shared.shape)):
        of_p, of_q = divmod(int(np.argmax(shared)), len(q))
        partner[of_p] = of_q
        shared[of_p, :] = shared[:, of_q] = -np.inf
    return partner


def _sum_of_distances(
    columns: Sequence[Vector] | Vector, others: Sequence[Vector] | Vector
) -> Vector:
    """Add up |u - v| over clusters, for every object."""
    return np.asarray(
        sum(np.abs(u - v) for u, v in zip(columns, others, strict=True)), np.float64
    )


def _shares(parts: Vector) -> Vector:
    """Give what each object has of the sum."""
    total = parts.sum()
    return parts / total if total > 0.0 else np.zeros_like(parts)


def _two_largest(bounds: Vector) -> float:
    """Add the two largest, which bounds the sum for any two objects."""
    return float(np.partition(bounds, -2)[-2:].sum()) if bounds.size > 1 else 0.0


def _farthest(columns: Vector, objects: Positions) -> float:
    """Bound the L1 distances of some objects: by ranges, and by lengths of two rows."""
    ranges, lengths = 0.0, np.zeros(len(objects))
    for column in columns:
        values = column[objects]
        ranges += float(np.ptp(values))
        lengths += np.abs(values)
    return min(ranges, _two_largest(lengths))
