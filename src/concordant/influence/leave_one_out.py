"""NDC and ACI without each of the objects, from means over its pairs."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue import NULLS, loaded
from concordant.execution.run import Run
from concordant.gather import null_of
from concordant.influence.groups import concordance_of, without_groups
from concordant.influence.object_means import PARTNERS, object_means
from concordant.influence.sums_by_sorts import EXACT_UP_TO, is_linear
from concordant.nulls.expectation import Influence, ObjectMeans
from concordant.partition.partition import Partition
from concordant.ways import FEW_OBJECTS

Vector = NDArray[np.float64]

# The part of E[d] that is no more than rounding.
_ROUNDING = 1e-13
_MANY_GROUPS = 1000  # of which each is a small part of all objects
# A part of E[d] that is left without one of a few objects, and is not known well.
_LITTLE = 1e-3


@dataclass(frozen=True, eq=False)
class LeftOut:
    """
    d and E[d], and by how much they change if an object is left out, for each object.

    Or a group of objects: `sizes` are then those of groups. `lowest` is the least ACI
    that the model of chance allows; `aci_without` computes ACI without an object.
    """

    discordance: float
    of_discordance: Vector
    expected: Influence
    lowest: float
    aci_without: Callable[[int], float]
    n_objects: int
    sizes: NDArray[np.intp] | None = None


def left_out(P: Partition, Q: Partition, means: ObjectMeans, run: Run) -> LeftOut:
    """Return what leaving out objects changes, under the model of chance of a run."""
    n = P.n_objects
    d = float(means.discordance.mean())
    share = 2.0 / n  # of all pairs that one object has
    return LeftOut(
        d,
        share * (d - means.discordance) / (1.0 - share),
        loaded(NULLS[null_of(run)].influence)(P, Q, means, run),
        _lowest(run),
        lambda i: concordance_of(P, Q, np.delete(np.arange(n), i), run).aci,
        n,
    )


def left_out_of_run(P: Partition, Q: Partition, run: Run) -> LeftOut:
    """Compute that as a term of two partitions, from some of the pairs if these do."""
    groups = run.groups
    if groups is None:
        return _objects_left_out(P, Q, run)
    n, sizes = P.n_objects, np.bincount(groups)
    many = n > FEW_OBJECTS and not is_linear(P, Q, run.similarity)
    if len(sizes) == n or (many and len(sizes) > _MANY_GROUPS):
        # Each group is a small part of all objects: to first order, changes add up.
        left = _objects_left_out(P, Q, run)
        d, expected = left.discordance, left.expected.expected
        of_d, of_expected = (
            np.bincount(groups, changes) * (n - 1) / (n - sizes)
            for changes in (left.of_discordance, left.expected.changes)
        )
    else:
        d, expected, without, expected_without = without_groups(P, Q, groups, run)
        of_d, of_expected = without - d, expected_without - expected

    def aci_without(group: int) -> float:
        return concordance_of(P, Q, np.flatnonzero(groups != group), run).aci

    influence = Influence(expected, of_expected)
    return LeftOut(d, of_d, influence, _lowest(run), aci_without, n, sizes)


def _objects_left_out(P: Partition, Q: Partition, run: Run) -> LeftOut:
    partners = None
    if run.samples and P.n_objects > EXACT_UP_TO:
        partners = np.sort(run.generator().choice(P.n_objects, PARTNERS, replace=False))
    return left_out(P, Q, object_means(P, Q, run, partners), run)


def _lowest(run: Run) -> float:
    lowest = NULLS[null_of(run)].lowest
    return -math.inf if lowest is None else lowest


def changes_of_aci(left: LeftOut) -> Vector:
    """Return by how much ACI changes if an object is left out, for each object."""
    d, (expected, of_expected) = left.discordance, left.expected
    if expected == 0.0:
        return np.zeros(len(of_expected))  # ACI is 1 whoever is left out
    remains = expected + of_expected
    changes = np.full(len(remains), d / expected)  # to 1, where all others are alike
    numerators = (d * of_expected - expected * left.of_discordance) / expected
    np.divide(numerators, remains, out=changes, where=remains > _ROUNDING * expected)
    for i in np.flatnonzero(remains <= _LITTLE * expected):
        changes[i] = left.aci_without(int(i)) - (1.0 - d / expected)
    return changes


def changes_of_ndc(left: LeftOut) -> Vector:
    """Return by how much NDC changes if an object is left out, for each object."""
    return -left.of_discordance
