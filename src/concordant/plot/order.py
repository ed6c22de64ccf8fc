"""One order of objects, and one colour of clusters, for two partitions."""

import numpy as np
from numpy.typing import NDArray

from concordant.errors import Argument, InputError
from concordant.execution.engine import Threads
from concordant.many.aligned import AlignedClusters
from concordant.partition.partition import Partition
from concordant.plot.palette import cluster_colors
from concordant.sums.matching import matching

_MOST_CELLS = 1_000_000


def matched_clusters(P: Partition, Q: Partition) -> NDArray[np.intp]:
    """
    Return for each cluster of Q its partner in P, as `match_clusters` finds it.

    Those left over have numbers from K on. If there are more than a million pairs of
    clusters, the result is 0 to L - 1.
    """
    K, L = P.n_clusters, Q.n_clusters
    if K * L > _MOST_CELLS:
        return np.arange(L)
    found = matching(P, Q, "euclidean", Threads(1))
    partners = np.full(L, -1)
    partners[found.clusters_q] = found.clusters_p
    alone = partners < 0
    partners[alone] = np.arange(K, K + alone.sum())
    return partners


def both_aligned(P: Partition, Q: Partition, names: tuple[str, str]) -> AlignedClusters:
    """Return both with common columns, those of P before what is left over of Q."""
    partners = matched_clusters(P, Q)
    orders = np.full((2, max(P.n_clusters, Q.n_clusters)), -1)
    orders[0, : P.n_clusters] = np.arange(P.n_clusters)
    orders[1, partners] = np.arange(Q.n_clusters)
    return AlignedClusters((orders[0], orders[1]), names, (P, Q))


def matching_colors(P: Partition, Q: Partition) -> tuple[list[str], list[str]]:
    """Return colours for clusters of two partitions, the same for those that match."""
    colors = cluster_colors(max(P.n_clusters, Q.n_clusters))
    return colors[: P.n_clusters], [colors[k] for k in matched_clusters(P, Q)]


def in_matched_order(P: Partition, Q: Partition) -> Partition:
    """Return Q with its clusters in the order of those of P that they match."""
    return Q._with_clusters(np.argsort(matched_clusters(P, Q)))


def common_order(P: Partition, Q: Partition) -> NDArray[np.intp]:
    """
    Order objects by their cluster in P, then in Q, the largest memberships first.

    Clusters of Q follow those of P that they match.
    """
    in_p, most_p = strongest(P)
    in_q, most_q = strongest(Q)
    return np.lexsort((-(most_p + most_q), matched_clusters(P, Q)[in_q], in_p))


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


def evenly(order: NDArray[np.intp], most: int) -> tuple[NDArray[np.intp], str]:
    """Return at most `most` objects, evenly spaced, and a remark if not all are."""
    n = order.size
    if n == 0:
        raise InputError(Argument("order"), " must name one object at least")
    if n <= most:
        return order, ""
    taken = order[(np.arange(most) * n + n // 2) // most]
    return taken, f"{most:,} of {n:,} objects, evenly spaced"
