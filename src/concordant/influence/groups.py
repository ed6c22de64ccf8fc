"""Groups of objects, and what NDC and ACI are without each of them."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from concordant.errors import Argument, Data, InputError
from concordant.execution.progress import Watch, visible
from concordant.execution.run import Run
from concordant.formulas.adjusted import Concordance
from concordant.gather import gathered_concordance, null_of
from concordant.influence.object_means import apart, below, knots
from concordant.influence.profiles import Rows, on_knots
from concordant.influence.sums_by_sorts import is_linear, linear_sums
from concordant.partition.alignment import Align, along
from concordant.partition.ids import keys
from concordant.partition.partition import Partition
from concordant.terms.grid import Grid
from concordant.terms.side import Side
from concordant.ways import FEW_OBJECTS, takes_long

Vector = NDArray[np.float64]
Positions = NDArray[np.intp]

_HELD = 1 << 22  # numbers of several groups that are held at once


def group_codes(
    given: object, argument: str, P: Partition, Q: Partition, align: Align
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
        given, align = known[0], "position"
    labels = along(P, Partition._named(given, argument, warn=False), argument, align)
    if labels.kind != "crisp":
        raise InputError(
            Argument(argument),
            " must have one label for each object, found memberships in several",
        )
    codes: Positions = np.unique(labels.labels, return_inverse=True)[1]
    return codes


class WithoutGroups(NamedTuple):
    """d and E[d] of all objects, and without each of the groups."""

    discordance: float
    expected: float
    discordance_without: Vector
    expected_without: Vector


def without_groups(
    P: Partition, Q: Partition, groups: Positions, run: Run
) -> WithoutGroups:
    """
    Return d and E[d] without each group.

    All pairs but those that touch a group remain. Where |x - y| is linear, sums over
    objects and within groups tell all; up to 450 objects, and under models of chance
    other than permutations, every group is left out in turn; beyond, the values of the
    pairs of each group are shared out over knots, and taken away.
    """
    if null_of(run) != "permutations" or (
        P.n_objects <= FEW_OBJECTS and not is_linear(P, Q, run.similarity)
    ):
        return _one_by_one(P, Q, groups, run)
    order = np.argsort(groups, kind="stable")
    P, Q = P.take(order), Q.take(order)
    ends = np.concatenate(([0], np.cumsum(np.bincount(groups))))
    if is_linear(P, Q, run.similarity):
        return _linear(P, Q, ends, run.similarity)
    return _by_knots((Side(P, run.similarity), Side(Q, run.similarity)), ends, run)


def concordance_of(
    P: Partition, Q: Partition, some: Positions, run: Run
) -> Concordance:
    """Return the concordance of some of the objects, all their pairs visited."""
    only = Run(engine=run.engine, similarity=run.similarity, null=run.null)
    return gathered_concordance(P.take(some), Q.take(some), only)


def _one_by_one(
    P: Partition, Q: Partition, groups: Positions, run: Run
) -> WithoutGroups:
    numbers = range(-1, int(groups.max()) + 1)  # -1 leaves out none
    parts = [
        concordance_of(P, Q, np.flatnonzero(groups != number), run)
        for number in numbers
    ]
    d, *without = (part.discordance for part in parts)
    expected, *expected_without = (part.expected_discordance for part in parts)
    return WithoutGroups(d, expected, np.array(without), np.array(expected_without))


def _remaining(sums: Vector, within: Vector, ends: Positions) -> tuple[Vector, Vector]:
    """
    Return means over all pairs, and over those that do not touch each group.

    `sums` are over all pairs of the objects of each group, `within` over those with
    objects of the same group, which both count twice.
    """
    n, others = int(ends[-1]), int(ends[-1]) - np.diff(ends)
    overall = 0.5 * sums.sum(axis=0)
    left = overall - (sums - 0.5 * within)
    pairs = others * (others - 1) / 2.0
    return overall / (n * (n - 1) / 2.0), left / pairs[:, None]


def _linear(
    P: Partition, Q: Partition, ends: Positions, similarity: str
) -> WithoutGroups:
    """Use that |x - y| is linear in x where y is 0 or 1."""
    of_objects = np.stack(linear_sums(P, Q, similarity), axis=1)
    sums = np.add.reduceat(of_objects, ends[:-1])
    within = np.zeros_like(sums)
    for g in np.flatnonzero(np.diff(ends) > 1).tolist():
        members = np.arange(ends[g], ends[g + 1])
        of_group = linear_sums(P.take(members), Q.take(members), similarity)
        within[g] = [values.sum() for values in of_group]
    (d, x, y), left = _remaining(sums, within, ends)
    return WithoutGroups(
        float(d), float(apart(x, y)), left[:, 0], apart(left[:, 1], left[:, 2])
    )


def _by_knots(sides: tuple[Side, Side], ends: Positions, run: Run) -> WithoutGroups:
    """Share the values of the pairs of each group out over knots."""
    grid = knots(sides)
    rows = [Rows(side, None, grid.edges[0]) for side in sides]
    height = rows[0].height
    tasks = [
        (i, min(i + height, stop))
        for start, stop in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)
        for i in range(start, stop, height)
    ]
    owners = np.searchsorted(ends, [i for i, _ in tasks], side="right") - 1
    sums = np.zeros((len(ends) - 1, 1 + 2 * grid.edges.size))
    P, Q = (side.partition for side in sides)
    with visible(run.progress, long=takes_long(P, Q)) as tell:
        watch = Watch(tell, P.n_objects)
        found = run.engine.run(_sums_of_rows, (*rows, grid), tasks)
        for (_, done), owner, part in zip(tasks, owners.tolist(), found, strict=True):
            sums[owner] += part
            watch.tell(done)
    within = np.zeros_like(sums)
    for g in np.flatnonzero(np.diff(ends) > 1).tolist():
        members = np.arange(ends[g], ends[g + 1])
        of_group = [
            Rows(Side(side.partition.take(members), side.value), None, grid.edges[0])
            for side in sides
        ]
        for part in run.engine.run(
            _sums_of_rows, (*of_group, grid), of_group[0].tasks()
        ):
            within[g] += part
    overall, left = _remaining(sums, within, ends)
    at_once = max(1, _HELD // grid.edges.size)
    parts = (left[g : g + at_once] for g in range(0, len(left), at_once))
    expected = np.concatenate([_expected(part, grid) for part in parts])
    all_expected = _expected(overall[None], grid)[0]
    return WithoutGroups(float(overall[0]), float(all_expected), left[:, 0], expected)


def _sums_of_rows(p: Rows, q: Rows, grid: Grid, i0: int, i1: int) -> Vector:
    """Sum |x - y| over the pairs of some objects, and share x and y over knots."""
    apart = np.abs(p.values(i0, i1) - q.values(i0, i1)).sum()
    masses = [on_knots(*one.profiles(grid, i0, i1)).sum(axis=0) for one in (p, q)]
    return np.concatenate(([apart], *masses))


def _expected(means: Vector, grid: Grid) -> Vector:
    """Return E|X - Y| from masses on knots, for each group."""
    x, y = np.split(means[:, 1:], 2, axis=1)
    gaps, up_to_x, up_to_y = below((grid.edges, x), (grid.edges, y))
    return np.asarray((up_to_x * (1.0 - up_to_y) + (1.0 - up_to_x) * up_to_y) @ gaps)
