"""NDC and ACI without each of the objects, or of groups of them."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Positions, Vector
from concordant.catalogue.indices import INDICES
from concordant.catalogue.lookups import applied, loaded
from concordant.catalogue.nulls import NULLS
from concordant.compute import gather, gathered_concordance, null_of, seconds_of_pairs
from concordant.errors import Argument, Data, InputError
from concordant.execution.progress import Watch, visible
from concordant.execution.run import Run
from concordant.execution.single_thread import single_blas_thread
from concordant.inference.object_means import (
    PARTNERS,
    apart,
    below,
    knots,
    object_means,
)
from concordant.inference.profiles import Rows
from concordant.inference.sums_by_sorts import EXACT_UP_TO, is_linear, linear_sums
from concordant.nulls.expectation import Influence, ObjectMeans
from concordant.pairs.at_once import FEW_OBJECTS
from concordant.pairs.grid import Grid
from concordant.pairs.side import Side
from concordant.partition.alignment import MatchBy, along
from concordant.partition.ids import keys
from concordant.partition.partition import Partition

# The part of E[d] that is no more than rounding.
_ROUNDING = 1e-13
_MANY_GROUPS = 1000  # of which each is a small part of all objects
# A part of E[d] that is left without one of a few objects, and is not known well.
_LITTLE = 1e-3


def group_codes(
    given: object, argument: str, P: Partition, Q: Partition, match_by: MatchBy
) -> Positions | None:
    """
    Return the number of each object's group, from what the caller gave, or None.

    That is one label for each object, a partition of them, or True for the groups that
    P or Q has.
    """
    if given is None or given is False:
        return None
    if given is True:
        known = [X.groups for X in (P, Q) if X.groups is not None]
        if not known or keys(known[0]) != keys(known[-1]):
            which = "have different ones" if known else "have none"
            raise InputError(
                Argument(argument),
                " stands for the groups of ",
                Data("P"),
                " and ",
                Data("Q"),
                f", and these {which}; give a label for each object",
            )
        given, match_by = known[0], "position"
    labels = along(P, Partition._named(given, argument, warn=False), argument, match_by)
    if labels.kind != "crisp":
        raise InputError(
            Argument(argument),
            " must have one label for each object, found memberships in several",
        )
    codes: Positions = np.unique(labels.labels, return_inverse=True)[1]
    return codes


@dataclass(frozen=True, eq=False)
class LeftOut:
    """
    d and E[d], and by how much they change if an object is left out, for each object.

    Or each group of objects, if the run has groups.
    """

    P: Partition
    Q: Partition
    run: Run
    discordance: float
    of_discordance: Vector
    expected: Influence

    def index_of(self, index: str, objects: NDArray[np.bool_]) -> float:
        """Compute an index of some objects, all pairs of these visited."""
        record = INDICES[index]
        P, Q, run = _of(objects, self.P, self.Q, self.run)
        terms = gather(P, Q, record.terms, run)
        value: float = applied(record.formula, record.terms, terms).value
        return value


def left_out(P: Partition, Q: Partition, means: ObjectMeans, run: Run) -> LeftOut:
    """Return what leaving out objects changes, under the model of chance of a run."""
    d = float(means.discordance.mean())
    share = 2.0 / P.n_objects  # of all pairs that one object has
    of_discordance = share * (d - means.discordance) / (1.0 - share)
    expected = loaded(NULLS[null_of(run)].influence)(P, Q, means, run)
    return LeftOut(P, Q, run, d, of_discordance, expected)


def left_out_of_run(P: Partition, Q: Partition, run: Run) -> LeftOut:
    """Compute that as a term of two partitions, from some of the pairs if these do."""
    groups, n = run.groups, P.n_objects
    if groups is not None and not _are_small(P, Q, groups, run):
        d, expected = _without_groups(P, Q, groups, run)
        influence = Influence(float(expected[0]), expected[1:] - expected[0])
        return LeftOut(P, Q, run, float(d[0]), d[1:] - d[0], influence)
    partners = None
    if run.samples and n > EXACT_UP_TO:
        partners = np.sort(run.generator().choice(n, PARTNERS, replace=False))
    left = left_out(P, Q, object_means(P, Q, run, partners), run)
    if groups is None:
        return left
    of_d, of_expected = (
        np.bincount(groups, changes) * (n - 1) / (n - np.bincount(groups))
        for changes in (left.of_discordance, left.expected.changes)
    )
    influence = left.expected._replace(changes=of_expected)
    return replace(left, of_discordance=of_d, expected=influence)


def _are_small(P: Partition, Q: Partition, groups: Positions, run: Run) -> bool:
    """Return whether groups are so small that, to first order, changes add up."""
    n_groups, n = int(groups.max()) + 1, P.n_objects
    many = n_groups > _MANY_GROUPS and n > FEW_OBJECTS
    return n_groups == n or (many and not is_linear(P, Q, run.similarity))


@single_blas_thread()
def _without_groups(P: Partition, Q: Partition, groups: Positions, run: Run) -> Vector:
    """
    Return d and E[d], of all objects and then without each group.

    All pairs but those that touch a group remain. Where |x - y| is linear, sums over
    objects and within groups tell all; up to 450 objects, and under models of chance
    other than permutations, every group is left out in turn; beyond, the values of the
    pairs of each group are shared out over knots, and taken away.
    """
    linear = is_linear(P, Q, run.similarity)
    few = P.n_objects <= FEW_OBJECTS and not linear
    if few or null_of(run) != "permutations":
        units = range(-1, int(groups.max()) + 1)  # -1 leaves out none
        left = (_of(groups != unit, P, Q, run) for unit in units)
        parts = [gathered_concordance(*one) for one in left]
        both = [(part.discordance, part.expected_discordance) for part in parts]
        return np.array(both).T
    order = np.argsort(groups, kind="stable")
    P, Q = P.take(order), Q.take(order)
    ends = np.concatenate(([0], np.cumsum(np.bincount(groups))))
    return (_linear if linear else _by_knots)(P, Q, ends, run)


def _of(
    objects: NDArray[np.bool_], P: Partition, Q: Partition, run: Run
) -> tuple[Partition, Partition, Run]:
    """Return what is known of some objects, and a run that visits all their pairs."""
    some = np.flatnonzero(objects)
    only = Run(engine=run.engine, similarity=run.similarity, null=run.null)
    return P.take(some), Q.take(some), only


def _remaining(sums: Vector, within: Vector, ends: Positions) -> Vector:
    """
    Return means over all pairs, and then over those that do not touch each group.

    `sums` are over all pairs of the objects of each group, `within` over those with
    objects of the same group, which both count twice.
    """
    overall = 0.5 * sums.sum(axis=0)
    left = np.vstack((overall, overall - (sums - 0.5 * within)))
    others = ends[-1] - np.diff(ends, prepend=0)
    return np.asarray(left / (others * (others - 1) / 2.0)[:, None])


def _members(ends: Positions) -> Iterator[tuple[int, Positions]]:
    """Yield the number and the objects of each group that has pairs."""
    for g in np.flatnonzero(np.diff(ends) > 1).tolist():
        yield g, np.arange(ends[g], ends[g + 1])


def _linear(P: Partition, Q: Partition, ends: Positions, run: Run) -> Vector:
    """Use that |x - y| is linear in x where y is 0 or 1."""
    of_objects = np.stack(linear_sums(P, Q, run.similarity), axis=1)
    sums = np.add.reduceat(of_objects, ends[:-1])
    within = np.zeros_like(sums)
    for g, some in _members(ends):
        of_group = linear_sums(P.take(some), Q.take(some), run.similarity)
        within[g] = [values.sum() for values in of_group]
    d, x, y = _remaining(sums, within, ends).T
    return np.stack((d, apart(x, y)))


def _by_knots(P: Partition, Q: Partition, ends: Positions, run: Run) -> Vector:
    """Share the values of the pairs of each group out over knots."""
    sides = Side(P, run.similarity), Side(Q, run.similarity)
    grid = knots(sides)
    low = grid.edges[0]
    rows = [Rows(side, None, low) for side in sides]
    of_groups = [rows[0].tasks(*group) for group in pairwise(ends.tolist())]
    tasks = [*chain(*of_groups)]
    owners = np.repeat(np.arange(len(of_groups)), [*map(len, of_groups)])
    sums = np.zeros((len(ends) - 1, 1 + 2 * grid.edges.size))
    with visible(run.progress, seconds=seconds_of_pairs(P, Q, run)) as tell:
        watch = Watch(tell, P.n_objects)
        found = run.engine.run(_sums_of_rows, (*rows, grid), tasks)
        for (_, done), owner, part in zip(tasks, owners.tolist(), found, strict=True):
            sums[owner] += part
            watch.tell(done)
    within = np.zeros_like(sums)
    for g, some in _members(ends):
        rows = [Rows(Side(X.take(some), run.similarity), None, low) for X in (P, Q)]
        for part in run.engine.run(_sums_of_rows, (*rows, grid), rows[0].tasks()):
            within[g] += part
    d, x, y = np.split(_remaining(sums, within, ends), [1, 1 + grid.edges.size], axis=1)
    gaps, x, y = below((grid.edges, x), (grid.edges, y))
    return np.stack((d[:, 0], apart(x, y) @ gaps))


def _sums_of_rows(p: Rows, q: Rows, grid: Grid, i0: int, i1: int) -> Vector:
    """Sum |x - y| over the pairs of some objects, and share x and y over knots."""
    x, y = p.values(i0, i1), q.values(i0, i1)
    masses = p.masses(x, grid, i0).sum(axis=0), q.masses(y, grid, i0).sum(axis=0)
    return np.concatenate(([np.abs(x - y).sum()], *masses))


def changes_of_aci(left: LeftOut) -> Vector:
    """Return by how much ACI changes if an object is left out, for each object."""
    d, (expected, of_expected) = left.discordance, left.expected
    if expected == 0.0:
        return np.zeros(len(of_expected))  # ACI is 1 whoever is left out
    remains = expected + of_expected
    changes = np.full(len(remains), d / expected)  # to 1, where all others are alike
    numerators = (d * of_expected - expected * left.of_discordance) / expected
    np.divide(numerators, remains, out=changes, where=remains > _ROUNDING * expected)
    groups = left.run.groups
    units = np.arange(left.P.n_objects) if groups is None else groups
    for i in np.flatnonzero(remains <= _LITTLE * expected):
        changes[i] = left.index_of("aci", units != i) - (1.0 - d / expected)
    return changes


def changes_of_ndc(left: LeftOut) -> Vector:
    """Return by how much NDC changes if an object is left out, for each object."""
    return -left.of_discordance
