"""Errors of ratios: of 1 - d / E[d], and of statistics of a pair table."""

import math
from collections.abc import Callable

from concordant.bounded import UNIT_ROUNDOFF, Bounded
from concordant.measures.tables.pair_table import PairTable

_Parts = tuple[Bounded, Bounded]

_FEW = 32 * UNIT_ROUNDOFF  # the rounding of a few operations, relative to their terms


def error_of_ratio(
    adjusted: float, d_error: float, expected: Bounded, lowest: float | None = None
) -> float:
    """
    Bound the error of 1 - d / e, given those of d and of e = E[d].

    Let d' >= 0 and e' > 0 be the exact numbers, |d - d'| <= D and |e - e'| <= E. As
    d / e - d' / e' = (d - d' + (d / e) (e' - e)) / e', the quotient is off by at most
    (D + (d / e) E) / (e - E). It is also (d - d' + (d' / e') (e' - e)) / e: where
    1 - d / e was cut off at a bound of the exact value, what it was cut off at is as
    good in the place of d / e. The quotient and the difference round by no more than
    (1 + 2 d / e) / 2^53, and the bound itself by less than what is added to it.

    It is 0 where e is exactly 0, and infinite where e' may be 0, but no more than what
    is left of the range if exact values are from `lowest` to 1.
    """
    e, e_error = expected
    ratio = abs(1.0 - adjusted)
    if e <= e_error:
        error = math.inf if e_error else 0.0
    else:
        error = (d_error + ratio * e_error) / (e - e_error)
        error = error * (1.0 + _FEW) + 2.0 * (1.0 + ratio) * UNIT_ROUNDOFF
    if lowest is None:
        return error
    return min(error, max(1.0 - adjusted, adjusted - lowest))


def error_of_rand(table: PairTable) -> float | None:
    """Bound the error of (a + d) / N = 1 - (b + c) / N, N being the sum of all four."""

    def parts(a: Bounded, b: Bounded, c: Bounded, d: Bounded) -> _Parts:
        return _sum(b, c), _sum(_sum(a, d), _sum(b, c))

    return _error_of_statistic(table, table.rand, parts)


def error_of_adjusted_rand(table: PairTable) -> float | None:
    """
    Bound the error of 1 - (b + c) / e with e = ((a+b)(b+d) + (a+c)(c+d)) / N.

    That is how many pairs differ by chance: a + b are together in P, and b + d apart
    in Q; a + c are together in Q, and c + d apart in P.
    """

    def parts(a: Bounded, b: Bounded, c: Bounded, d: Bounded) -> _Parts:
        in_p_alone = _product(_sum(a, b), _sum(b, d))
        in_q_alone = _product(_sum(a, c), _sum(c, d))
        differ = _sum(b, c)
        pairs = _sum(_sum(a, d), differ)
        return _product(differ, pairs), _sum(in_p_alone, in_q_alone)

    return _error_of_statistic(table, table.adjusted_rand, parts)


def _error_of_statistic(
    table: PairTable, value: float, parts: Callable[..., _Parts]
) -> float | None:
    """Bound the error of 1 - differ / expected, beside that of a sample of pairs."""
    if isinstance(table.a, int):
        return 0.0  # a ratio of integers is rounded once
    if table.rounding is None:
        return None
    numbers = table.a, table.b, table.c, table.d
    largest = max(*map(abs, numbers), *table.rounding)
    power = -math.frexp(largest)[1]  # so that no product is too small
    scaled = [math.ldexp(x, power) for x in numbers]
    off = (math.ldexp(x, power) for x in table.rounding)
    differ, expected = parts(*map(Bounded, scaled, off))
    found = error_of_ratio(
        value, differ.error, Bounded(abs(expected.value), expected.error)
    )
    if not math.isfinite(value) or not math.isfinite(found):
        return math.inf
    if expected.value == 0.0:
        return table.error + found
    # Where numbers below 0 cancel, as in Anderson's tables, so do digits.
    _, without_signs = parts(*(Bounded(abs(x), 0.0) for x in scaled))
    rounding = _FEW * (1.0 + abs(value)) * without_signs.value / abs(expected.value)
    return table.error + found + rounding


def _sum(x: Bounded, y: Bounded) -> Bounded:
    """Add two numbers."""
    size = abs(x.value) + abs(y.value)
    return Bounded(x.value + y.value, (x.error + y.error) + _FEW * size)


def _product(x: Bounded, y: Bounded) -> Bounded:
    """Multiply two numbers."""
    error = abs(x.value) * y.error + (abs(y.value) + y.error) * x.error
    value = x.value * y.value
    return Bounded(value, error + _FEW * abs(value))
