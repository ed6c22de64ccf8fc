"""NDC and ACI without each of the objects, from means over its pairs."""

import numpy as np
from numpy.typing import NDArray

from concordant.influence.object_means import ObjectMeans

Vector = NDArray[np.float64]

# The part of E[d] that is no more than rounding.
_ROUNDING = 1e-13
# A part of E[d] that is left without one of a few objects, and is not known well.
_LITTLE = 1e-3


def changes_of_discordance(means: ObjectMeans) -> tuple[Vector, Vector]:
    """
    Tell by how much d and E[d] change if an object is left out, for each object.

    An object has n - 1 of all m pairs, a share of r = 2 / n. With d_i the mean over its
    pairs, d becomes (d - r d_i) / (1 - r). E[d] is a mean over pairs of pairs, from
    which those are left out whose first, second, or both pairs hold the object. The
    changes are written so that nothing cancels.
    """
    n = len(means.discordance)
    share = 2.0 / n
    d, expected = float(means.discordance.mean()), means.expected
    of_d = share * (d - means.discordance) / (1.0 - share)
    once = 2.0 * expected - means.from_p - means.from_q
    twice = means.between - expected
    of_expected = share * (once + share * twice) / (1.0 - share) ** 2
    return of_d, of_expected


def changes_of_aci(means: ObjectMeans) -> Vector:
    """Tell by how much ACI changes if an object is left out, for each object."""
    d, expected = float(means.discordance.mean()), means.expected
    if expected == 0.0:
        return np.zeros(len(means.discordance))  # ACI is 1 whoever is left out
    of_d, of_expected = changes_of_discordance(means)
    left = expected + of_expected
    changes = np.full(len(left), d / expected)  # to 1, where all others are alike
    numerators = (d * of_expected - expected * of_d) / expected
    np.divide(numerators, left, out=changes, where=left > _ROUNDING * expected)
    if means.aci_without is not None:
        for i in np.flatnonzero(left <= _LITTLE * expected):
            changes[i] = means.aci_without(int(i)) - (1.0 - d / expected)
    return changes


def changes_of_ndc(means: ObjectMeans) -> Vector:
    """Tell by how much NDC changes if an object is left out, for each object."""
    return -changes_of_discordance(means)[0]
