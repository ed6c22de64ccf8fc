"""One order of the objects in which the clusters of two partitions are blocks."""

import numpy as np
from numpy.typing import NDArray

from concordant.partition.partition import Partition
from concordant.plot.palette import matched_clusters


def common_order(P: Partition, Q: Partition) -> NDArray[np.intp]:
    """
    Order objects by their cluster in P, then in Q, the largest memberships first.

    Clusters of Q follow those of P that they match.
    """
    match = np.array(matched_clusters(P, Q))
    in_p, most_p = strongest(P)
    in_q, most_q = strongest(Q)
    return np.lexsort((-(most_p + most_q), match[in_q], in_p))


def own_order(P: Partition) -> NDArray[np.intp]:
    """Order objects by their cluster, the largest memberships first."""
    cluster, most = strongest(P)
    return np.lexsort((-most, cluster))


def strongest(P: Partition) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Return the cluster of each object's largest membership, and this membership."""
    if P.kind == "crisp":
        return P.labels.astype(np.intp), np.ones(P.n_objects)
    columns = P.columns()
    cluster = columns.argmax(axis=0)
    return cluster, columns[cluster, np.arange(P.n_objects)]


def evenly(order: NDArray[np.intp], most: int) -> NDArray[np.intp]:
    """Return at most `most` of the objects, evenly spaced in their order."""
    if order.size <= most:
        return order
    return order[(np.arange(most) * order.size + order.size // 2) // most]


def shown(order: NDArray[np.intp], taken: NDArray[np.intp]) -> str:
    """Return a remark that not all objects are shown; empty if all are."""
    if taken.size == order.size:
        return ""
    return f"{taken.size:,} of {order.size:,} objects, evenly spaced"
