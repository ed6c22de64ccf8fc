"""One order of the objects in which the clusters of two partitions are blocks."""

import numpy as np
from numpy.typing import NDArray

from concordant.partition.partition import Partition
from concordant.plot.palette import matched_clusters


def common_order(P: Partition, Q: Partition) -> NDArray[np.intp]:
    """
    Order objects by their cluster in P, then by that in Q, the surest first.

    Parameters
    ----------
    P, Q : Partition
        Aligned partitions.

    Returns
    -------
    ndarray of int
        Positions of the objects. Clusters of Q follow those of P that they match.
    """
    match = np.array(matched_clusters(P, Q))
    in_p, sure_p = strongest(P)
    in_q, sure_q = strongest(Q)
    return np.lexsort((-(sure_p + sure_q), match[in_q], in_p))


def own_order(P: Partition) -> NDArray[np.intp]:
    """
    Order objects by their cluster, the surest first.

    Parameters
    ----------
    P : Partition
        The partition.

    Returns
    -------
    ndarray of int
        Positions of the objects.
    """
    cluster, sure = strongest(P)
    return np.lexsort((-sure, cluster))


def strongest(P: Partition) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """
    Find each object's largest membership.

    Parameters
    ----------
    P : Partition
        The partition.

    Returns
    -------
    tuple of two ndarrays of shape (n,)
        The number of its cluster, and the membership.
    """
    if P.kind == "crisp":
        return P.labels.astype(np.intp), np.ones(P.n_objects)
    columns = P.columns()
    cluster = columns.argmax(axis=0)
    return cluster, columns[cluster, np.arange(P.n_objects)]


def evenly(order: NDArray[np.intp], most: int) -> NDArray[np.intp]:
    """
    Take some objects, evenly spaced in an order.

    Parameters
    ----------
    order : ndarray of int
        Positions of the objects.
    most : int
        How many to take, if there are more.

    Returns
    -------
    ndarray of int
        Positions of those taken, in the same order.
    """
    if order.size <= most:
        return order
    return order[(np.arange(most) * order.size + order.size // 2) // most]


def shown(order: NDArray[np.intp], taken: NDArray[np.intp]) -> str:
    """
    Say that not all objects are shown.

    Parameters
    ----------
    order, taken : ndarray of int
        All objects, and those that are shown.

    Returns
    -------
    str
        Empty if all are.
    """
    if taken.size == order.size:
        return ""
    return f"{taken.size:,} of {order.size:,} objects, evenly spaced"
