"""Agreement on inner products: the generalized Rand index, and omega of covers."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from concordant.arrays import Vector
from concordant.bounded import Bounded
from concordant.measures.adjusted import Concordance, Score
from concordant.measures.ratio import error_of_ratio
from concordant.measures.tables.pair_table import PairTable
from concordant.pairs.distribution import Distribution, expected_difference

_LOWEST = -2.0  # what chance gives in relation to itself: distances are metrics
_LEAST = 2.0**-900  # mean products of row sums below which rounding is not relative


def free_gri(inner: Bounded, outer: Bounded, sums: tuple[float, float]) -> Score:
    """Return one minus what memberships differ by, in relation to all of them."""
    apart, errors = (inner.value, outer.value), (inner.error, outer.error)
    missed, error = _missed(sums, apart, errors)
    most = max(sums)
    if most == 0.0:  # no two objects belong to clusters
        return Score(1.0, 0.0)
    if most < _LEAST:
        return Score(1.0 - min(missed / most, 1.0), 1.0)
    return Score(max(1.0 - missed / most, 0.0), min(error / most, 1.0))


def free_agri(
    inner: Concordance, outer: Concordance, sums: tuple[float, float]
) -> Score:
    """Return agreement on memberships in relation to what chance gives."""
    # All pairs have one value each, in P and in Q.
    if inner.error == outer.error == 0.0:
        return Score(min(inner.aci, outer.aci), 0.0)
    both = inner, outer
    errors = [max(x.discordance_error, x.expected_error) for x in both]
    missed, error = _missed(sums, [x.discordance for x in both], errors)
    chance, off = _missed(sums, [x.expected_discordance for x in both], errors)
    value = max(1.0 - missed / chance, _LOWEST) if chance > 0.0 else 1.0
    return Score(value, error_of_ratio(value, error, Bounded(chance, off), _LOWEST))


def _missed(
    sums: tuple[float, float], apart: Sequence[float], errors: Sequence[float]
) -> tuple[float, float]:
    """
    Return how far agreement is from complete, as a mean over pairs, and its error.

    With T the products of two objects' sums, J inner products and S = T - J, the sum of
    min(J_P, J_Q) + min(S_P, S_Q) is less than that of the larger T by half of
    |T_P - T_Q| and of the mean differences of J and of S.
    """
    value = 0.5 * (abs(sums[0] - sums[1]) + apart[0] + apart[1])
    return value, 0.5 * math.fsum(errors) + 2.0**-48 * max(sums)


class OmegaSum(NamedTuple):
    """The sum over pairs of differences of inner products, cut off at 1."""

    differences: float


def omega(
    sums: OmegaSum,
    inner: Concordance,
    distributions: tuple[Distribution, Distribution] | None,
) -> Score:
    """Return omega from differences of inner products, cut off at 1."""
    if distributions is None:
        return Score(1.0, 0.0)  # there is no pair
    F, G = distributions
    d = sums.differences / F.total
    error = inner.discordance_error + 2.0**-50
    expected, off = _expected(*sorted((F, G), key=lambda X: X.mean.tobytes()))
    if expected <= off:  # no difference passes 1, by far
        return Score(inner.aci, inner.error)
    value = max(1.0 - d / expected, _LOWEST)
    return Score(value, error_of_ratio(value, error, Bounded(expected, off), _LOWEST))


def _expected(F: Distribution, G: Distribution) -> Bounded:
    """
    Return E min(|X - Y|, 1) with a bound of its error.

    What |z| has above 1 is (|z - 1| + |z + 1|) / 2 - 1.
    """
    found = [expected_difference(_shifted(F, step), G) for step in (0.0, -1.0, 1.0)]
    value = found[0].value - (0.5 * (found[1].value + found[2].value) - 1.0)
    error = found[0].error + 0.5 * (found[1].error + found[2].error)
    return Bounded(max(value, 0.0), error + 2.0**-50 * (1.0 + found[0].value))


def _shifted(F: Distribution, step: float) -> Distribution:
    """Return the distribution of X + step, with what that rounds."""
    if step == 0.0:
        return F
    low, mean = F.low + step, F.mean + step
    high = low if F.is_of_values else F.high + step
    moved = F.displacement + 2.0**-52 * float(max(abs(F.low[0]), abs(F.high[-1])) + 1.0)
    return replace(F, low=low, high=high, mean=mean, displacement=moved, ramps=None)


def cardinalities(x: Vector, y: Vector) -> tuple[Vector]:
    """Return what each pair adds to the sum."""
    return (np.minimum(np.abs(x - y), 1.0),)


def of_crisp(table: PairTable) -> OmegaSum:
    """Return the sum of two crisp partitions."""
    return OmegaSum(table.b + table.c)
