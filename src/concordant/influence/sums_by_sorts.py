"""Sums over the pairs of each object where a partition is crisp: counts and sorts."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from concordant.partition.memberships import TOLERANCE
from concordant.partition.partition import Partition
from concordant.shortcuts.fuzzy_crisp import largest_excess

Vector = NDArray[np.float64]
Labels = NDArray[np.unsignedinteger[Any]]

#: Up to so many objects rows that sum to more than 1 are taken as they are.
EXACT_UP_TO = 10_000


class LinearSums(NamedTuple):
    """Sums over the other objects of |x - y|, x and y, for each object."""

    discordance: Vector
    to_all_p: Vector
    to_all_q: Vector


def is_linear(P: Partition, Q: Partition) -> bool:
    """Return whether one is crisp, and E of the other negative at most negligibly."""
    if "crisp" not in (P.kind, Q.kind):
        return False
    negligible = 0.0 if P.n_objects <= EXACT_UP_TO else TOLERANCE
    return all(
        X.kind == "crisp" or largest_excess(X.columns()) <= negligible for X in (P, Q)
    )


def linear_sums(P: Partition, Q: Partition) -> LinearSums:
    """
    Return the sums of two partitions of which one is crisp.

    1 - E_P is added up over the objects of i's class, E_P over the others: where rows
    sum to more than 1, it is neglected that E_P may be negative.
    """
    if P.kind == Q.kind:
        both = P.labels.astype(np.int64) * Q.n_clusters + Q.labels
        in_p, in_q = _class_sizes(P.labels), _class_sizes(Q.labels)
        _, cells, in_cell = np.unique(both, return_inverse=True, return_counts=True)
        differ = (in_p + in_q - 2 * in_cell[cells]).astype(np.float64)
        return LinearSums(differ, *(P.n_objects - sizes for sizes in (in_p, in_q)))
    if Q.kind != "crisp":
        return LinearSums(*(linear_sums(Q, P)[k] for k in (0, 2, 1)))
    n = P.n_objects
    to_all, within = np.zeros(n), np.zeros(n)
    for column in P.columns():
        _add_column(column, Q.labels, to_all, within)
    others = n - _class_sizes(Q.labels)
    sums = within + (others - (to_all - within))
    return LinearSums(np.maximum(sums, 0.0), to_all, others.astype(np.float64))


def mean_dissimilarities(P: Partition) -> Vector:
    """Average the dissimilarities of each object to the others."""
    n = P.n_objects
    if P.kind == "crisp":
        return np.asarray((n - _class_sizes(P.labels)) / (n - 1))
    to_all = np.zeros(n)
    for column in P.columns():
        _add_column(column, None, to_all, to_all)
    return to_all / (n - 1)


def _class_sizes(labels: Labels) -> NDArray[np.int64]:
    """Count the objects in the class of each object."""
    return np.asarray(np.bincount(labels)[labels])


def _add_column(
    column: Vector, labels: Labels | None, to_all: Vector, within: Vector
) -> None:
    """Add half of the sums of |u_i - u_j| over all j, and over those in i's class."""
    order = np.argsort(column)
    # From the least on: close memberships do not cancel.
    ordered = column[order]
    ordered -= ordered[0]
    n = len(ordered)
    ranks = np.arange(n, dtype=np.float64)
    to_all[order] += _half_sums(ordered, ranks, n, 0.0, ordered.sum())
    if labels is None:
        return
    classes = labels[order]
    by_class = np.argsort(classes, kind="stable")
    ordered, order, classes = ordered[by_class], order[by_class], classes[by_class]
    sizes = np.bincount(labels)
    ends = np.cumsum(sizes)
    starts = ends - sizes
    sums = np.concatenate(([0.0], np.cumsum(ordered)))
    ranks -= starts[classes]
    whole = sums[ends] - sums[starts]
    within[order] += _half_sums(
        ordered, ranks, sizes[classes], sums[starts][classes], whole[classes]
    )


def _half_sums(
    u: Vector, ranks: Vector, sizes: Any, before: Any, whole: Any
) -> Vector:
    """Return half of (2 r - N) u + S - 2 B: rank, size, sum of all, sum of those below."""
    below = np.cumsum(u)
    below -= u
    below -= before
    found = 2.0 * ranks
    found -= sizes
    found *= u
    found += whole
    found -= 2.0 * below
    return np.asarray(0.5 * found)
