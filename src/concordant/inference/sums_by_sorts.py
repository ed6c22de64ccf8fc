"""Sums over the pairs of each object where a partition is crisp: counts and sorts."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Vector
from concordant.pairs.side import Side
from concordant.partition.memberships import TOLERANCE
from concordant.partition.partition import Partition

Labels = NDArray[np.unsignedinteger[Any]]

#: Up to so many objects rows that sum to more than 1 are taken as they are.
EXACT_UP_TO = 10_000


class LinearSums(NamedTuple):
    """Sums over the other objects of |x - y|, x and y, for each object."""

    discordance: Vector
    to_all_p: Vector
    to_all_q: Vector


def is_linear(P: Partition, Q: Partition, similarity: str) -> bool:
    """Return whether one is crisp, and values of the other leave 0 to 1 negligibly."""
    if "crisp" not in (P.kind, Q.kind):
        return False
    negligible = 0.0 if P.n_objects <= EXACT_UP_TO else TOLERANCE
    return all(
        X.kind == "crisp" or Side(X, similarity).excess <= negligible for X in (P, Q)
    )


def linear_sums(P: Partition, Q: Partition, similarity: str) -> LinearSums:
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
        x, y = ((P.n_objects - sizes).astype(np.float64) for sizes in (in_p, in_q))
        return LinearSums(differ, x, y)
    if Q.kind != "crisp":
        return LinearSums(*(linear_sums(Q, P, similarity)[k] for k in (0, 2, 1)))
    to_all, within = _SUMS[similarity](P.columns(), Q.labels)
    others = P.n_objects - _class_sizes(Q.labels)
    sums = within + (others - (to_all - within))
    return LinearSums(np.maximum(sums, 0.0), to_all, others.astype(np.float64))


def _class_sizes(labels: Labels) -> NDArray[np.int64]:
    """Count the objects in the class of each object."""
    return np.asarray(np.bincount(labels)[labels])


def _half_sums(columns: Vector, labels: Labels) -> tuple[Vector, Vector]:
    """
    Return half the L1 distances to all other objects, and to those of the same class.

    Of N numbers with the sum S, the one of rank r has (2 r - N) u + S - 2 B as its sum
    of differences, where B is the sum of those below it.
    """
    n = columns.shape[1]
    to_all, within = np.zeros(n), np.zeros(n)
    sizes = np.bincount(labels)
    ends = np.cumsum(sizes)
    starts = ends - sizes
    ranks = np.arange(0.0, 2.0 * n, 2.0)
    in_class = ranks - np.repeat(2.0 * starts + sizes, sizes)
    for column in columns:
        order = np.argsort(column)
        # From the least on: close memberships do not cancel.
        u = column[order]
        u -= u[0]
        sums = np.cumsum(u)
        parts = (ranks - n) * u
        parts += 2.0 * (u - sums)
        to_all[order] += parts + sums[-1]
        by_class = np.argsort(labels[order], kind="stable")
        u, order = u[by_class], order[by_class]
        sums = np.concatenate(([0.0], np.cumsum(u)))
        parts = in_class * u
        parts -= 2.0 * sums[:-1]
        parts += np.repeat(sums[starts] + sums[ends], sizes)
        within[order] += parts
    to_all *= 0.5
    within *= 0.5
    return to_all, within


def _inner_sums(columns: Vector, labels: Labels) -> tuple[Vector, Vector]:
    """Return the same for one minus inner products: those with sums over objects."""
    n = columns.shape[1]
    sums = np.stack([np.bincount(labels, row) for row in columns])
    with_itself = np.square(columns).sum(axis=0)
    with_all = sums.sum(axis=1) @ columns - with_itself
    with_class = np.einsum("ki,ki->i", sums[:, labels], columns) - with_itself
    return (n - 1) - with_all, (_class_sizes(labels) - 1) - with_class


_SUMS = {"l1": _half_sums, "inner": _inner_sums}
