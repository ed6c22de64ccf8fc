"""K-means, as scikit-learn has it, on one thread."""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.cluster import KMeans
from threadpoolctl import threadpool_limits


def k_means_labels(
    X: ArrayLike, n_clusters: int, *, n_init: int = 1, random_state: int
) -> NDArray[np.int32]:
    """Return the clusters of points by K-means, the same for any number of cores."""
    with threadpool_limits(1):
        model = KMeans(n_clusters, n_init=n_init, random_state=random_state).fit(X)
    labels: NDArray[np.int32] = model.labels_
    return labels
