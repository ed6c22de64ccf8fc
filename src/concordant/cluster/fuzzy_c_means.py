"""Fuzzy C-means."""

import math
from dataclasses import KW_ONLY, dataclass
from numbers import Real
from typing import Any, ClassVar

from sklearn.utils._param_validation import Interval

from concordant.arrays import Vector
from concordant.cluster.fixed_point import Sweep
from concordant.cluster.points import Points, fuzzy_sweep
from concordant.cluster.soft_estimator import SoftEstimator
from concordant.errors import Wordings


@dataclass(eq=False, repr=False)
class FuzzyCMeans(SoftEstimator):
    """
    Fuzzy C-means clustering.

    Minimizes the sum over points i and clusters k of w_i u_ik^m d_ik^2, where d_ik is
    the Euclidean distance of x_i to the centre c_k, by turns [1]_ over::

        u_ik = d_ik^(-2 / (m - 1)) / sum_l d_il^(-2 / (m - 1))
        c_k = sum_i w_i u_ik^m x_i / sum_i w_i u_ik^m

    Parameters
    ----------
    n_clusters : int, default=8
        The number K of clusters, no more than there are distinct points.
    fuzzifier : float, default=2.0
        m, above 1: near 1 memberships are nearly crisp, for large m they are nearly
        all 1/K.
    init : "k-means++" or array-like of shape (K, p) or (n, K), default="k-means++"
        How to start: from points drawn by k-means++, from given centres, or from a
        given membership matrix, whose weighted means are the first centres. An array
        that could be either, which requires n = p = K, is read as centres.
    n_init : int, default=10
        Number of starts; the one with the lowest objective is kept. With an array as
        `init` there is one.
    max_iter : int, default=1000
        The largest number of iterations of a start, each of them a pass over the
        points.
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
        u_ik; rows sum to 1.
    cluster_centers_ : ndarray of shape (K, p)
        The centres.
    labels_ : ndarray of shape (n,)
        The cluster of each point's largest membership, the first one if there are ties.
    objective_ : float
        The sum above, at the end; infinite if it is larger than any double.
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
    PDClustering : Memberships proportional to 1/d, less drawn by far points.

    Notes
    -----
    An iteration takes O(n K p) time; memory is O(n (K + p)). A point on a centre has
    membership 1 there, shared if several centres coincide. For m other than 2 weights
    u^m are handled by their logarithms, so that none is lost to underflow however
    near to 1 or large m is; the objective itself, of order K^(1 - m), is given as 0
    where it underflows.

    Starts whose objectives agree to 1e-8 count as equal, and the first of them is kept:
    whether rounding makes one lower by its last digit does not change which. A start is
    abandoned once its centres come within 1e-4 of the spread, or of the smallest gap
    between centres if that is less, of where an earlier start ended. Points drawn by
    k-means++ are moved by one step of fuzzy C-means with m = 2, since a centre on a
    point may be held there, for large m above all. The probabilities depend neither on
    the order of the points nor on whether points are weighted or repeated. Two centres
    that start at the same place stay together.

    With ``tol="auto"`` the centres are extrapolated from the last steps [2]_, from the
    sixth iteration on, wherever that lowers the objective. The stopping rule is the
    same, and usually so is the solution, after as little as a tenth of the iterations.
    With a number as `tol` each step is that of the formulas.

    The spread, of which `tol` is a share by default, is the median distance of points
    from the columns' medians (of some points if there are many; points right there
    are left out), so that points far away do not coarsen the result.

    Two centres coincide if the gap between them is at most 2^-30 of the spread. Both
    are then set to the first of them, to which `labels_` assigns their points. Data
    whose squared distances cannot be represented as doubles are refused.

    References
    ----------
    .. [1] J. C. Bezdek, Pattern Recognition with Fuzzy Objective Function Algorithms,
       Plenum Press, 1981.
    .. [2] D. G. Anderson, Iterative procedures for nonlinear integral equations,
       Journal of the ACM 12, 547-560, 1965.

    Examples
    --------
    >>> import numpy as np
    >>> from concordant.cluster import FuzzyCMeans
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [5.0, 5.0], [5.0, 6.0]])
    >>> model = FuzzyCMeans(2, init=[[0.0, 0.0], [5.0, 5.0]]).fit(X)
    >>> model.memberships_.round(3)
    array([[0.996, 0.004],
           [0.994, 0.006],
           [0.006, 0.994],
           [0.004, 0.996]])
    >>> model.predict_proba([[2.0, 3.0]]).round(3)
    array([[0.598, 0.402]])
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **SoftEstimator._parameter_constraints,
        "fuzzifier": [Interval(Real, 1, None, closed="neither")],
    }
    _lowered = Wordings("fuzzifier or n_clusters", "--fuzzifier or --k")

    _: KW_ONLY
    fuzzifier: float = 2.0

    def _membership_power(self) -> float:
        return self.fuzzifier

    def _membership_exponent(self) -> float:
        return 1.0 / (self.fuzzifier - 1.0)

    def _objective_factor(self) -> float:
        m = self.fuzzifier
        return 1.0 if m == 2.0 else math.exp((1.0 - m) * math.log(self.n_clusters))

    def _sweep(self, points: Points, centers: Vector, near: float) -> Sweep:
        return fuzzy_sweep(points, centers, self.fuzzifier)
