"""The soft cross-table of the clusters of two partitions."""

import numpy as np
from numpy.typing import NDArray

from concordant.partition.partition import Partition


def soft_cross_table(P: Partition, Q: Partition) -> NDArray[np.float64]:
    """
    Share the objects out over pairs of clusters, U'V, an array of shape (K, L).

    The sum over objects of u_ik v_il; the contingency table if both are crisp. It takes
    O(n K L) time, and O(n) if both are crisp.

    Examples
    --------
    >>> from concordant import Partition
    >>> from concordant.partition.cross_table import soft_cross_table
    >>> P = Partition([[0.75, 0.25], [0.5, 0.5], [0.0, 1.0]])
    >>> soft_cross_table(P, Partition(["a", "a", "b"]))
    array([[1.25, 0.  ],
           [0.75, 1.  ]])
    """
    K, L = P.n_clusters, Q.n_clusters
    if P.kind == "crisp" and Q.kind == "crisp":
        cells = P.labels.astype(np.int64) * L + Q.labels
        return np.bincount(cells, minlength=K * L).reshape(K, L).astype(np.float64)
    if P.kind == "crisp":
        by_cluster = [np.bincount(P.labels, v, minlength=K) for v in Q.columns()]
        return np.stack(by_cluster, axis=1)
    if Q.kind == "crisp":
        return np.stack([np.bincount(Q.labels, u, minlength=L) for u in P.columns()])
    return np.asarray(P.columns() @ Q.columns().T)
