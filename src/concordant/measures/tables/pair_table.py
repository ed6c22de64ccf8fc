"""The four cardinalities of two partitions, with the statistics that follow."""

import math
from dataclasses import dataclass

from concordant.catalogue.families import STATISTICS
from concordant.catalogue.lookups import loaded
from concordant.catalogue.terms import Term
from concordant.printing import Readable, Shown, short, size_of_error

#: How far a, b, c and d may be off, if that is known.
Offs = tuple[float, ...] | None

_TINY = 2.0**-256  # below it, products lose digits or are 0


@dataclass(frozen=True)
class PairTable(Readable):
    """
    How the pairs of objects are joined in two partitions: a, b, c and d.

    Parameters
    ----------
    a : int or float
        Pairs that are together in both P and Q.
    b : int or float
        Pairs that are together in P but not in Q.
    c : int or float
        Pairs that are together in Q but not in P.
    d : int or float
        Pairs that are together in neither.
    family : str, default="crisp"
        The definition that gave them.
    t_norm : str, optional
        The t-norm, where the family has a choice.
    error : float, default=0
        The half width of the 95 % confidence intervals of the Rand and the adjusted
        Rand index, if the table is estimated from a sample of pairs.
    n_sampled : int, optional
        How many pairs that sample has.
    rounding : tuple of four floats, optional
        How far a, b, c and d may be off by rounding, where that is known; integers are
        exact.

    Notes
    -----
    Crisp tables hold Python integers, of any size, and their statistics are correctly
    rounded. Where a statistic is 0 / 0, no pair speaks against the partitions being
    equal, and it is 1. The cardinalities of the family *anderson* can be negative;
    where that leaves a statistic without a value, it is NaN.

    Examples
    --------
    The crisp example of Amodio et al. (2015), section 4:

    >>> from concordant import pair_table
    >>> table = pair_table([0, 0, 1, 0], [0, 1, 1, 0])
    >>> (table.a, table.b, table.c, table.d)
    (1, 2, 1, 2)
    >>> table.rand, table.adjusted_rand
    (0.5, 0.0)
    """

    a: int | float
    b: int | float
    c: int | float
    d: int | float
    family: str = "crisp"
    t_norm: str | None = None
    error: float = 0.0
    n_sampled: int | None = None
    rounding: Offs = None

    @property
    def rand(self) -> float:
        """(a + d) / (a + b + c + d), from 0 to 1; 1 if there is no pair."""
        a, b, c, d = self.a, self.b, self.c, self.d
        return _ratio(_sum(a, d), _sum(a + d, b + c))

    @property
    def adjusted_rand(self) -> float:
        """
        2 (ad - bc) / (b² + c² + 2ad + (a + d)(b + c)), at most 1 for crisp partitions.

        It is the Hubert-Arabie form: 1 where b = c = 0, and for the families *crisp*,
        *frigui* and *brouwer* 0 on average over all permutations of the objects.
        """
        a, b, c, d = self.a, self.b, self.c, self.d
        if b == 0 and c == 0:
            return 1.0
        largest = max(map(abs, (a, b, c, d)))
        if largest < _TINY:
            power = -math.frexp(largest)[1]
            a, b, c, d = (math.ldexp(number, power) for number in (a, b, c, d))
        disagreeing = (b * b + c * c) + (a + d) * (b + c)
        return _ratio(2 * (a * d - b * c), _sum(2 * (a * d), disagreeing))

    @property
    def jaccard(self) -> float:
        """Jaccard's a / (a + b + c), from 0 to 1; 1 if a = b = c = 0."""
        return _ratio(self.a, _sum(self.a, self.b + self.c))

    @property
    def fowlkes_mallows(self) -> float:
        """
        Fowlkes and Mallows' a / sqrt((a + b)(a + c)), from 0 to 1 unless a < 0.

        It is 1 if neither partition joins any pair and 0 if only one of them does.
        """
        joined_in_p, joined_in_q = _sum(self.a, self.b), _sum(self.a, self.c)
        if joined_in_p == 0 or joined_in_q == 0:
            if self.a != 0:
                return math.nan
            return 1.0 if joined_in_p == joined_in_q else 0.0
        if (joined_in_p < 0) != (joined_in_q < 0):
            return math.nan
        if isinstance(self.a, int):
            return _root_of_ratio(self.a**2, int(joined_in_p * joined_in_q))
        precision, recall = self.a / joined_in_p, self.a / joined_in_q
        root = math.sqrt(abs(precision)) * math.sqrt(abs(recall))
        return math.copysign(root, self.a)

    @property
    def mirkin(self) -> float:
        """2 (b + c), a distance: 0 if the partitions are equal."""
        return float(2 * (self.b + self.c))

    @property
    def dice(self) -> float:
        """2a / (2a + b + c), from 0 to 1; 1 if a = b = c = 0."""
        return _ratio(2 * self.a, _sum(2 * self.a, self.b + self.c))

    def _shown(self) -> Shown:
        title = f"Pair table, family {Term('table', self.family, self.t_norm)}"
        if self.n_sampled is not None:
            error = size_of_error(self.error)
            title += f", from {self.n_sampled} pairs; Rand and adj. Rand within {error}"
        names = ("in both", "in P only", "in Q only", "in neither")
        counts = [
            (f"{letter}, pairs together {name}", _count(getattr(self, letter)))
            for letter, name in zip("abcd", names, strict=True)
        ]
        statistics = [
            (record.title, short(loaded(record.formula)(self)))
            for record in STATISTICS.values()
        ]
        return Shown(title, header=("", ""), rows=counts + statistics)


def _count(number: int | float) -> str:
    return str(number) if isinstance(number, int) else short(number)


def _ratio(numerator: int | float, denominator: int | float) -> float:
    """Divide, where 0 / 0 is 1 and a number / 0 has no value."""
    if denominator == 0:
        return 1.0 if numerator == 0 else math.nan
    return numerator / denominator


def _sum(x: int | float, y: int | float) -> int | float:
    """Add, where a negative and a positive number may cancel but for rounding."""
    total = x + y
    return 0 if min(x, y) < 0 and abs(total) <= 2.0**-48 * abs(x) else total


def _root_of_ratio(numerator: int, denominator: int) -> float:
    """Take the square root of a ratio of integers, at most 1, rounded once."""
    bits = 64 + max(denominator.bit_length() - numerator.bit_length(), 0) // 2
    return math.isqrt((numerator << 2 * bits) // denominator) / (1 << bits)
