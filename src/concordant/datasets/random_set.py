"""The random sets: one normal distribution whose objects are called C clusters."""

import numpy as np

from concordant.datasets.sample import Sample, check_size, draw, in_turn
from concordant.execution.randomness import generator

_VARIANCE = 0.8


def make_random_set(
    n_centers: int,
    *,
    n_objects: int = 100,
    random_state: int | np.random.Generator | None = None,
) -> Sample:
    """
    Draw a data set without clusters, whose objects are labelled in turn.

    All objects come from one bivariate normal distribution with mean [0, 0] and
    covariance matrix I x 0.8, so that an index corrected for chance should be near 0.

    Parameters
    ----------
    n_centers : {2, 3, 4}
        C, the number of labels.
    n_objects : int, default=100
        n.
    random_state : int, numpy.random.Generator or None, default=None
        Where the randomness comes from; an int gives the same data each time.

    Returns
    -------
    Sample
        Data, target, and C times the same centre and variances.

    References
    ----------
    The paper, section "Comparing fuzzy and crisp partitions".

    Examples
    --------
    >>> from concordant.datasets import make_random_set
    >>> sample = make_random_set(2, n_objects=6, random_state=0)
    >>> sample.target.tolist()
    [0, 1, 0, 1, 0, 1]
    >>> sample.centers.tolist()
    [[0.0, 0.0], [0.0, 0.0]]
    """
    check_size(n_centers, 2, 4, n_objects)
    rng = generator(random_state)
    centers = np.zeros((n_centers, 2))
    variances = np.full(centers.shape, _VARIANCE)
    return draw(in_turn(n_objects, n_centers), centers, variances, rng)
