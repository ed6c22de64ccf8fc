"""The exact concordance: memberships are dyadic rationals, so that integers will do."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]
Limbs = NDArray[np.int64]  # numbers in base 2^56, the highest digit in the first row

_BITS = 56
_MASK = (1 << _BITS) - 1
_HALF = _BITS // 2
_CHUNK = 1024  # terms of a weighted sum that cannot overflow
_MOST_CLUSTERS = 32  # whose differences of digits can be added in 64 bits
_MOST_PAIRS = 1 << 22  # by whose number half a digit can be multiplied
_FEW_PAIRS = 1 << 16  # of which any number of digits is kept
_MOST_DIGITS = 5  # that are kept of more


@dataclass(frozen=True, eq=False)
class Truth:
    """
    Two partitions, pair by pair, as whole numbers of one unit.

    Parameters
    ----------
    x, y : ndarray of shape (digits, m)
        L1 distances of all pairs i < j, twice the dissimilarities.
    unit : Fraction
        What the last digit counts.
    cut : Fraction
        How far digits that were not kept can change a difference of dissimilarities;
        0 unless memberships span more than 280 bits.
    n_objects : int
        n, two at least.
    """

    x: Limbs
    y: Limbs
    unit: Fraction
    cut: Fraction
    n_objects: int

    @property
    def n_pairs(self) -> int:
        return self.n_objects * (self.n_objects - 1) // 2

    @cached_property
    def discordance(self) -> Fraction:
        """d, the mean of |x_s - y_s|."""
        return self._mean(_sum(self._differences), self.n_pairs)

    @cached_property
    def expected(self) -> Fraction:
        """E[d], the mean of |x_s - y_t| over all s and t."""
        m = self.n_pairs
        both = np.concatenate((self.x, self.y), axis=1)
        order = _order(both)
        is_x = order < m
        x_up_to, y_up_to = np.cumsum(is_x), np.cumsum(~is_x)
        # Each x is added once for every y below it, and taken off for those above.
        weights = 2 * np.where(is_x, y_up_to, x_up_to) - m
        return self._mean(_sum(both[:, order], weights), m * m)

    @property
    def aci(self) -> Fraction:
        """ACI, which is 1 where E[d] is 0."""
        return 1 - self.discordance / self.expected if self.expected else Fraction(1)

    @cached_property
    def largest(self) -> Fraction:
        """The largest dissimilarity of P or Q, up to its leading digit."""
        top = max(int(self.x[0].max()), int(self.y[0].max())) + 1
        return self._mean(top << (_BITS * (len(self.x) - 1)), 1)

    @cached_property
    def of_objects(self) -> list[Fraction]:
        """d_i, the mean of |x_s - y_s| over the pairs s of each object."""
        n = self.n_objects
        i, j = np.triu_indices(n, 1)
        found = []
        for t in range(n):
            its = self._differences[:, (i == t) | (j == t)]
            found.append(self._mean(_sum(its), n - 1))
        return found

    @cached_property
    def _differences(self) -> Limbs:
        difference = _carried(self.x - self.y)
        return np.where(difference[0] < 0, -difference, difference)

    def _mean(self, total: int, count: int) -> Fraction:
        return total * self.unit / (2 * count)


@dataclass(frozen=True)
class Numbers:
    """d and E[d] of any value of pairs."""

    discordance: Fraction
    expected: Fraction
    n_pairs: int
    cut: Fraction = Fraction(0)

    @property
    def aci(self) -> Fraction:
        """ACI, which is 1 where E[d] is 0."""
        return 1 - self.discordance / self.expected if self.expected else Fraction(1)


def truth(P: NDArray[Any], Q: NDArray[Any]) -> Truth:
    """Compute all distances of two partitions, labels or memberships."""
    U, V = memberships(P), memberships(Q)
    n = U.shape[1]
    m = n * (n - 1) // 2
    if max(len(U), len(V)) > _MOST_CLUSTERS or m > _MOST_PAIRS:
        raise ValueError(f"{len(U)}, {len(V)} clusters of {n} objects are too many")
    top, low = _bits(U, V)
    n_digits = max(1, -((low - top) // _BITS))
    cut = Fraction(0)
    if n_digits > _MOST_DIGITS and m > _FEW_PAIRS:
        n_digits = _MOST_DIGITS
        cut = (len(U) + len(V)) * _power(top - _BITS * n_digits)
    return Truth(
        _distances(U, top, n_digits),
        _distances(V, top, n_digits),
        _power(top - _BITS * n_digits),
        cut,
        n,
    )


def assert_within_errors(found: Any, true: Truth | Numbers, slack: float = 0.0) -> None:
    """Compare d, E[d] and ACI with the truth: none is off by more than it states."""
    if found.method == "crisp":
        slack = max(slack, 2.0**-53)  # a ratio of integers is rounded once
    for value, right, error in (
        (found.discordance, true.discordance, found.discordance_error),
        (found.expected_discordance, true.expected, found.expected_error),
        (found.aci, true.aci, found.error),
    ):
        assert abs(Fraction(value) - right) <= Fraction(error) + Fraction(slack)


def inner_truth(P: NDArray[Any], Q: NDArray[Any]) -> Numbers:
    """Compute d and E[d] of inner products, in the integers of Python."""
    sides = [memberships(side, varying=False) for side in (P, Q)]
    _, low = _bits(*sides)
    unit = _power(low)
    x, y = (_inner_products(side, unit) for side in sides)
    m = len(x)
    d = sum(abs(a - b) for a, b in zip(x, y, strict=True))
    total = n_x = n_y = 0
    for value, is_x in sorted([(a, True) for a in x] + [(b, False) for b in y]):
        # Each value is added for the others below it, and taken off for those above.
        n_x, n_y = n_x + is_x, n_y + (not is_x)
        total += value * (2 * (n_y if is_x else n_x) - m)
    square = unit * unit
    return Numbers(d * square / m, total * square / m**2, m)


def _inner_products(columns: Matrix, unit: Fraction) -> list[int]:
    """Give the inner products of all pairs i < j, in squared units."""
    whole = [[int(Fraction(x) / unit) for x in column] for column in columns.tolist()]
    u = np.array(whole, dtype=object)
    parts = ((u[:, i, None] * u[:, i + 1 :]).sum(axis=0) for i in range(u.shape[1] - 1))
    return [value for part in parts for value in part.tolist()]


def memberships(partition: NDArray[Any], varying: bool = True) -> Matrix:
    """Give K x n memberships, if varying without clusters whose objects are alike."""
    partition = np.asarray(partition)
    if partition.ndim == 1:
        partition = partition == np.unique(partition)[:, np.newaxis]
        partition = partition.T
    columns = np.ascontiguousarray(partition.T, dtype=np.float64)
    return columns[(columns != columns[:, :1]).any(axis=1)] if varying else columns


def _power(exponent: int) -> Fraction:
    return Fraction(2) ** exponent


def _bits(*matrices: Matrix) -> tuple[int, int]:
    """Find the range of bits: all are multiples of 2^low, and below 2^top."""
    values = np.concatenate([matrix.ravel() for matrix in matrices])
    values = values[values != 0.0]
    if not values.size:
        return 0, 0
    fractions, exponents = np.frexp(values)
    mantissas = np.ldexp(fractions, 53).astype(np.int64)
    trailing = np.frexp((mantissas & -mantissas).astype(np.float64))[1] - 1
    return int(exponents.max()), int((exponents - 53 + trailing).min())


def _distances(columns: Matrix, top: int, n_digits: int) -> Limbs:
    """Give the L1 distances of all pairs i < j, in digits."""
    n = columns.shape[1]
    digits = _digits(columns, top, n_digits)
    pairs = np.empty((n_digits, n * (n - 1) // 2), np.int64)
    start = 0
    for i in range(n - 1):
        stop = start + n - 1 - i
        # The sign of a difference of doubles is exact, even if the difference is not.
        signs = np.sign(columns[:, i + 1 :] - columns[:, i, np.newaxis])
        steps = digits[:, :, i + 1 :] - digits[:, :, i, np.newaxis]
        pairs[:, start:stop] = (steps * signs.astype(np.int64)).sum(axis=1)
        start = stop
    return _carried(pairs)


def _digits(values: Matrix, top: int, n_digits: int) -> Limbs:
    """Split numbers below 2^top; nothing is rounded, what is left over is dropped."""
    signs, rest = np.sign(values), np.abs(values)
    digits = np.empty((n_digits, *values.shape), np.int64)
    for row in range(n_digits):
        exponent = top - _BITS * (row + 1)
        whole = np.floor(np.ldexp(rest, -exponent))
        digits[row] = whole * signs
        rest = rest - np.ldexp(whole, exponent)
    return digits


def _carried(digits: Limbs) -> Limbs:
    """Bring all digits but the first into [0, 2^56): then numbers sort as digits do."""
    digits = digits.copy()
    for row in range(len(digits) - 1, 0, -1):
        digits[row - 1] += digits[row] >> _BITS
        digits[row] &= _MASK
    return digits


def _order(digits: Limbs) -> NDArray[np.intp]:
    """Sort numbers; by the first digit alone, which is faster, if that tells."""
    order = np.argsort(digits[0])
    ordered = digits[:, order]
    tied = ordered[0, 1:] == ordered[0, :-1]
    if (tied & (ordered[1:, 1:] != ordered[1:, :-1])).any():
        order = np.lexsort(digits[::-1])
    return order


def _sum(digits: Limbs, weights: NDArray[np.int64] | int = 1) -> int:
    """Add up numbers, each as often as its weight says, in units of the last digit."""
    total = 0
    for row in digits:
        high = _exact_sum((row >> _HALF) * weights)
        low = _exact_sum((row & ((1 << _HALF) - 1)) * weights)
        total = (total << _BITS) + (high << _HALF) + low
    return total


def _exact_sum(terms: NDArray[np.int64]) -> int:
    return sum(np.add.reduceat(terms, np.arange(0, terms.size, _CHUNK)).tolist())
