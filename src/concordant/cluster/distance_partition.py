"""The fuzzy partition that known classes or centres imply, and K-means' classes."""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.cluster import KMeans
from sklearn.utils import check_array
from threadpoolctl import threadpool_limits

from concordant.cluster.points import Points, memberships
from concordant.cluster.soft_estimator import centred, median_of_columns
from concordant.errors import InputError, InputTypeError
from concordant.execution.engine import Threads
from concordant.partition.partition import Partition
from concordant.wording import count


def distance_partition(
    X: ArrayLike,
    labels: object = None,
    *,
    centers: ArrayLike | None = None,
    n_jobs: int | None = None,
) -> NDArray[np.float64]:
    """
    Return memberships proportional to 1/d, with d the distances to means or centres.

    With d_ik the Euclidean distance of x_i to the mean (or centre) of class k, the
    membership is (1 / d_ik) / sum_l (1 / d_il), as in PD-clustering. This is the "true"
    fuzzy partition of data whose classes are known.

    Parameters
    ----------
    X : array-like of shape (n, p)
        The data.
    labels : array-like of shape (n,), optional
        The class of each point, of any type a `Partition` takes. Labels and data are
        matched by position.
    centers : array-like of shape (K, p), optional
        The centres; give these or `labels`.
    n_jobs : int, default=None
        Number of threads; None means 1 unless in a ``joblib.parallel_config``, -1 all
        cores. The result is the same, bit for bit.

    Returns
    -------
    ndarray of shape (n, K)
        Memberships in [0, 1]; rows sum to 1. The columns are the classes in sorted
        order, or the centres as given. A point on a centre has membership 1 there,
        shared if several centres coincide.

    See Also
    --------
    PDClustering : Finds the centres too.

    Notes
    -----
    O(n K p) time, O(n (K + p)) memory.

    Examples
    --------
    >>> import numpy as np
    >>> from concordant.cluster import distance_partition
    >>> X = np.array([[0.0], [2.0], [7.0], [9.0]])
    >>> distance_partition(X, ["a", "a", "b", "b"]).round(3)
    array([[0.889, 0.111],
           [0.857, 0.143],
           [0.143, 0.857],
           [0.111, 0.889]])
    >>> distance_partition(X, centers=[[1.0], [9.0]])[-1]
    array([0., 1.])
    """
    if (labels is None) == (centers is None):
        raise InputTypeError("give either labels or centers, and not both")
    data = check_array(X, dtype=np.float64, input_name="X")
    if centers is None:
        means = _class_means(data, Partition._named(labels, "labels"))
    else:
        means = check_array(centers, dtype=np.float64, input_name="centers")
        if means.shape[1] != data.shape[1]:
            raise InputError(
                f"centers has {count(means.shape[1], 'feature')}, but X has "
                f"{data.shape[1]}"
            )
    weights = np.ones(len(data))
    origin = median_of_columns(data, weights)
    points = Points.of(centred(data, origin, "X"), weights, Threads(n_jobs))
    return memberships(points, centred(means, origin, "centers"), 0.5)


def k_means_labels(
    X: ArrayLike, n_clusters: int, *, random_state: int
) -> NDArray[np.int32]:
    """Return the clusters of points by K-means, the same for any number of cores."""
    with threadpool_limits(1):
        model = KMeans(n_clusters, n_init=1, random_state=random_state).fit(X)
    labels: NDArray[np.int32] = model.labels_
    return labels


def _class_means(X: NDArray[np.float64], classes: Partition) -> NDArray[np.float64]:
    if len(classes) != len(X):
        raise InputError(
            f"labels has {count(len(classes), 'object')} and X has {len(X)}: they must "
            "describe the same objects"
        )
    return np.array(
        [X[classes.labels == k].mean(axis=0) for k in range(classes.n_clusters)]
    )
