"""Probabilistic distance clustering."""

import math

import numpy as np

from concordant.arrays import Vector
from concordant.cluster.fixed_point import Sweep
from concordant.cluster.points import Points, nearest_over, weighted_means
from concordant.cluster.soft_estimator import SoftEstimator


class PDClustering(SoftEstimator):
    """
    Probabilistic distance clustering.

    Minimizes the sum over points i and clusters k of w_i p_ik^2 d_ik, where d_ik is
    the Euclidean distance of x_i to the centre c_k, by turns over::

        p_ik = (1 / d_ik) / sum_l (1 / d_il)
        c_k = sum_i w_i (p_ik^2 / d_ik) x_i / sum_i w_i (p_ik^2 / d_ik)

    Parameters
    ----------
    n_clusters : int, default=8
        The number K of clusters, no more than there are distinct points.
    init : "k-means++" or array-like of shape (K, p) or (n, K), default="k-means++"
        How to start: from points drawn by k-means++, from given centres, or from a
        given membership matrix, whose means weighted by p^2 are the first centres. An
        array that could be either, which requires n = p = K, is read as centres.
    n_init : int, default=10
        Number of starts; the one with the lowest objective is kept. With an array as
        `init` there is one.
    max_iter : int, default=1000
        The largest number of iterations of a start.
    tol : float or "auto", default="auto"
        Stop when the sum of the Euclidean movements by which the formulas above move
        the centres falls below this, a length in the units of the data. ``"auto"`` is
        1e-7 times the spread of the data or, if smaller, of the gap between the
        nearest two centres, and so the same in any units; centres may then go beyond
        where the formulas put them, see the notes. With 0 there are `max_iter`
        iterations, and no warning.
    random_state : int, RandomState instance or None, default=None
        Source of the random numbers for k-means++.
    n_jobs : int, default=None
        Number of threads; None means 1 unless in a ``joblib.parallel_config``, -1 all
        cores. The result is the same, bit for bit.
    verbose : int, default=0
        Whether to print a line after each start.

    Attributes
    ----------
    memberships_ : ndarray of shape (n, K)
        p_ik; rows sum to 1.
    cluster_centers_ : ndarray of shape (K, p)
        The centres.
    labels_ : ndarray of shape (n,)
        The cluster of each point's largest membership, the first one if there are ties.
    objective_ : float
        The sum above, at the end.
    n_iter_ : int
        Number of iterations of the start that was kept.
    converged_ : bool
        Whether the centres converged.
    history_ : ndarray of shape (number of iterations,)
        The objective after each iteration; it never increases.
    n_features_in_ : int
        The number of features, p.
    feature_names_in_ : ndarray of shape (p,)
        The columns' names, if the data were a data frame with text as names.

    Warns
    -----
    sklearn.exceptions.ConvergenceWarning
        If `max_iter` ends the iteration of the kept start, or if its centres coincide.

    See Also
    --------
    FuzzyCMeans : The same with squared distances, and a fuzzifier.
    distance_partition : Memberships from known classes or centres.

    Notes
    -----
    An iteration takes O(n K p) time; memory is O(n (K + p)). A point on a centre has
    membership 1 there, shared if several centres coincide.

    The weight p^2 / d of a point on a centre is infinite, and would hold the centre
    there for ever. With T the weighted mean of the other points, R the sum of their
    weights times T - c, and h the sum of w p^2 over the points on c, the centre goes
    to ``T + min(1, h / |R|) (c - T)`` instead: it stays if and only if c is the best
    place for it [2]_, and the objective decreases otherwise. Before the iteration
    ends, centres that rest no farther than `tol` from a point are tried in the same
    way, as if they were on it.

    Starts whose objectives agree to 1e-8 count as equal, and the first of them is kept:
    whether rounding makes one lower by its last digit does not change which. A start is
    abandoned once its centres come within 1e-4 of the spread, or of the smallest gap
    between centres if that is less, of where an earlier start ended. Points drawn by
    k-means++ are moved by one step of fuzzy C-means with m = 2, since a centre on a
    point may be held there, for large m above all. The probabilities depend neither on
    the order of the points nor on whether points are weighted or repeated. Two centres
    that start at the same place stay together.

    With ``tol="auto"`` the centres are extrapolated from the last steps [3]_, from the
    sixth iteration on, wherever that lowers the objective. The stopping rule is the
    same, and usually so is the solution, after a half to a tenth of the iterations.
    With a number as `tol` each step is that of the formulas.

    The spread, of which `tol` is a share by default, is the median distance of points
    from the columns' medians (of some points if there are many; points right there
    are left out), so that points far away do not coarsen the result.

    Two centres coincide if the gap between them is at most 2^-30 of the spread. Both
    are then set to the first of them, to which `labels_` assigns their points. Data
    whose squared distances cannot be represented as doubles are refused.

    References
    ----------
    .. [1] A. Ben-Israel and C. Iyigun, Probabilistic D-Clustering, Journal of
       Classification 25, 5-26, 2008.
    .. [2] Y. Vardi and C.-H. Zhang, The multivariate L1-median and associated data
       depth, PNAS 97, 1423-1426, 2000.
    .. [3] D. G. Anderson, Iterative procedures for nonlinear integral equations,
       Journal of the ACM 12, 547-560, 1965.

    Examples
    --------
    >>> import numpy as np
    >>> from concordant.cluster import PDClustering
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [5.0, 5.0], [5.0, 6.0]])
    >>> model = PDClustering(2, init=[[0.5, 0.5], [5.0, 5.5]]).fit(X)
    >>> model.labels_
    array([0, 0, 0, 1, 1], dtype=int32)
    """

    _points_hold = True

    def _membership_exponent(self) -> float:
        return 0.5

    def _sweep(self, points: Points, centers: Vector, near: float) -> Sweep:
        """Return the objective and the step of Weiszfeld, or of Vardi and Zhang."""
        parts = points.each_block(_probabilistic_block, centers, near)
        objectives, *others = zip(*parts, strict=True)
        totals, sums, held, anchors = (np.sum(shares, axis=0) for shares in others)
        bases = weighted_means(anchors, held, centers)
        means = weighted_means(sums, totals, bases)
        pulls = totals * np.linalg.norm(means - bases, axis=1)
        stay = np.ones_like(pulls)
        np.divide(held, pulls, out=stay, where=pulls > held)
        stay = stay[:, None]
        return Sweep(
            math.fsum(objectives),
            np.where(stay < 1.0, means + stay * (bases - means), bases),
        )


def _probabilistic_block(
    points: Points, centers: Vector, near: float, rows: slice
) -> tuple[float, Vector, Vector, Vector, Vector]:
    """Return a block's objective, weights w p^2 / d, and what is held by centres."""
    X, weights = points.X[rows], points.weights[rows]
    ratios, lowest = nearest_over(points.squares(centers, rows))
    np.sqrt(ratios, out=ratios)
    nearest = np.sqrt(lowest, out=lowest)
    inverse = 1.0 / ratios.sum(axis=0)
    objective = np.dot(weights * nearest, inverse)
    pulls = ratios * inverse
    pulls *= pulls
    pulls *= weights  # w p^2
    held, anchors = np.zeros(len(centers)), np.zeros_like(centers)
    if nearest.min() <= near:
        is_near = nearest <= near * ratios
        holds = np.where(is_near, pulls, 0.0)
        held, anchors = holds.sum(axis=1), np.dot(holds, X)
        pulls[is_near] = 0.0
    pulls *= ratios
    pulls *= np.divide(1.0, nearest, out=np.zeros_like(nearest), where=nearest > 0.0)
    return float(objective), pulls.sum(axis=1), np.dot(pulls, X), held, anchors
