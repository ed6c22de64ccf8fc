"""K-means, as scikit-learn has it, on one thread."""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.cluster import KMeans
from threadpoolctl import threadpool_limits


def k_means_labels(
    X: ArrayLike, n_clusters: int, *, n_init: int = 1, random_state: int
) -> NDArray[np.int32]:
    """
    Cluster points by K-means.

    Parameters
    ----------
    X : array-like of shape (n, p)
        The data.
    n_clusters : int
        K.
    n_init : int, default=1
        How many starts, by k-means++; the best one is kept.
    random_state : int
        Where chance comes from.

    Returns
    -------
    ndarray of shape (n,)
        The cluster of each point, the same for any number of cores.

    Examples
    --------
    >>> from concordant.cluster.k_means import k_means_labels
    >>> labels = k_means_labels([[0.0], [0.1], [5.0]], 2, random_state=0)
    >>> bool(labels[0] == labels[1] != labels[2])
    True
    """
    with threadpool_limits(1):
        model = KMeans(n_clusters, n_init=n_init, random_state=random_state).fit(X)
    labels: NDArray[np.int32] = model.labels_
    return labels
