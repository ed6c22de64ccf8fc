"""The bias experiment: data sets of random size, dimension and variability."""

import numpy as np

from concordant.datasets.sample import Sample, draw, in_turn
from concordant.execution.randomness import generator

_HALF_WIDTH = 4.0


def make_bias_experiment(
    *, random_state: int | np.random.Generator | None = None
) -> Sample:
    """
    Draw a data set of the experiment on the bias of the estimated expectation.

    The number of objects n (100 to 1200), of clusters C (2 to 10) and of dimensions p
    (2 to 10) and the variance alpha (0.1 to 3) are drawn uniformly; every cluster is
    normal with covariance matrix I x alpha. Objects are dealt to the clusters in
    turn.

    Parameters
    ----------
    random_state : int, numpy.random.Generator or None, default=None
        Where the randomness comes from; an int gives the same data each time.

    Returns
    -------
    Sample
        Data, target, centres and variances.

    Notes
    -----
    The paper does not say where the centres lie; here each of their coordinates is
    drawn uniformly from (-4, 4), so that clusters overlap in some data sets and stand
    apart in others.

    References
    ----------
    The paper, end of section "The adjusted concordance index".

    Examples
    --------
    >>> from concordant.datasets import make_bias_experiment
    >>> sample = make_bias_experiment(random_state=0)
    >>> len(sample.data), sample.centers.shape
    (1036, (7, 6))
    """
    rng = generator(random_state)
    n_objects = int(rng.integers(100, 1200, endpoint=True))
    n_centers = int(rng.integers(2, 10, endpoint=True))
    n_dimensions = int(rng.integers(2, 10, endpoint=True))
    alpha = rng.uniform(0.1, 3.0)
    centers = rng.uniform(-_HALF_WIDTH, _HALF_WIDTH, size=(n_centers, n_dimensions))
    variances = np.full(centers.shape, alpha)
    return draw(in_turn(n_objects, n_centers), centers, variances, rng)
