"""The paper's simulated data: normal distributions around known centres.

Each generator draws one data set and takes a `random_state`; the global NumPy state is
neither read nor set.
"""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from concordant.execution.run import generator
from concordant.wording import check_choice

ThirdCluster = Literal["as described", "as the numbers suggest"]

Sizes = Literal["equal", "dirichlet"]

# Those of the second simulation, of which the first has four.
_CENTERS = np.array(
    [[-2, -2], [2, 2], [0, 0], [-2, 2], [2, -2], [-4, 4], [4, -4], [9, 9]], dtype=float
)
_VARIANCES = {1: 0.01, 2: 0.25, 3: 1.0}  # Sigma_1, Sigma_2, Sigma_3 are I times these


@dataclass(frozen=True, eq=False)
class Sample:
    """
    A simulated data set with the clusters that it was drawn from.

    Parameters
    ----------
    data : ndarray of shape (n, p)
        The objects.
    target : ndarray of shape (n,)
        The cluster of each object, 0 to C - 1.
    centers : ndarray of shape (C, p)
        The means of the clusters.
    variances : ndarray of shape (C, p)
        The variances of the coordinates in each cluster; they are independent.
    """

    data: NDArray[np.float64]
    target: NDArray[np.intp]
    centers: NDArray[np.float64]
    variances: NDArray[np.float64]


def make_first_simulation(
    n_centers: int,
    sigma: int,
    *,
    third_cluster: ThirdCluster = "as described",
    random_state: int | np.random.Generator | None = None,
) -> Sample:
    """
    Draw a data set of the first simulation.

    Bivariate normal clusters with means [-2, -2], [2, 2], [0, 0], [-2, 2], the first
    C of them, and the covariance matrix I x 0.01, I x 0.25 or I x 1. The 100
    objects are dealt to the clusters in turn.

    Parameters
    ----------
    n_centers : {2, 3, 4}
        The number of centres, C.
    sigma : {1, 2, 3}
        Which covariance matrix: 1 for I x 0.01, 2 for I x 0.25, 3 for I x 1.
    third_cluster : {"as described", "as the numbers suggest"}, default="as described"
        Whether the third cluster has the same covariance as the others, as the paper
        says, or I x 0.01 in the data sets of three centres. There the printed values
        lie 4 to 6 standard deviations off under the first design and agree with the
        second; those of four centres agree with the first, and stay so.
    random_state : int, numpy.random.Generator or None, default=None
        Where the randomness comes from; an int gives the same data each time.

    Returns
    -------
    Sample
        Data, target, centres and variances.

    References
    ----------
    The paper, section "Comparing fuzzy and crisp partitions".

    Examples
    --------
    >>> from concordant.paper import make_first_simulation
    >>> sample = make_first_simulation(3, 2, random_state=0)
    >>> sample.data.shape
    (100, 2)
    >>> sample.target[:5].tolist()
    [0, 1, 2, 0, 1]
    """
    _check_centers(n_centers, 4)
    check_choice("third_cluster", third_cluster, get_args(ThirdCluster), optional=False)
    if sigma not in _VARIANCES:
        raise ValueError(f"sigma must be 1, 2 or 3, found {sigma!r}")
    centers = _CENTERS[:n_centers].copy()
    variances = np.full(centers.shape, _VARIANCES[sigma])
    if n_centers == 3 and third_cluster == "as the numbers suggest":
        variances[2] = _VARIANCES[1]
    return _draw(_in_turn(100, n_centers), centers, variances, generator(random_state))


def make_second_simulation(
    n_centers: int,
    *,
    sizes: Sizes = "equal",
    random_state: int | np.random.Generator | None = None,
) -> Sample:
    """
    Draw a data set of the second simulation.

    120 objects in bivariate normal clusters with means [-2, -2], [2, 2], [0, 0],
    [-2, 2], [2, -2], [-4, 4], [4, -4], [9, 9], the first C of them. Their coordinates
    are independent, with variances alpha_1 and alpha_2 that are drawn once for the
    data set, uniformly from (0.1, 1).

    Parameters
    ----------
    n_centers : int from 2 to 8
        C; the paper's data set number is C - 1.
    sizes : {"equal", "dirichlet"}, default="equal"
        How the objects are shared out, which the paper does not say: dealt to the
        clusters in turn, or in proportions that are all equally likely, drawn from a
        Dirichlet distribution, one object at least to each.
    random_state : int, numpy.random.Generator or None, default=None
        Where the randomness comes from; an int gives the same data each time.

    Returns
    -------
    Sample
        Data, target, centres and variances.

    References
    ----------
    The paper, section "Comparing two fuzzy partitions".

    Examples
    --------
    >>> import numpy as np
    >>> from concordant.paper import make_second_simulation
    >>> np.bincount(make_second_simulation(8, random_state=0).target).tolist()
    [15, 15, 15, 15, 15, 15, 15, 15]
    >>> uneven = make_second_simulation(8, sizes="dirichlet", random_state=0)
    >>> np.bincount(uneven.target).sum()
    np.int64(120)
    """
    _check_centers(n_centers, len(_CENTERS))
    check_choice("sizes", sizes, get_args(Sizes), optional=False)
    rng = generator(random_state)
    centers = _CENTERS[:n_centers].copy()
    variances = np.tile(rng.uniform(0.1, 1.0, size=2), (n_centers, 1))
    if sizes == "equal":
        target = _in_turn(120, n_centers)
    else:
        proportions = rng.dirichlet(np.ones(n_centers))
        counts = 1 + rng.multinomial(120 - n_centers, proportions)
        target = np.repeat(np.arange(n_centers, dtype=np.intp), counts)
    return _draw(target, centers, variances, rng)


def make_random_set(
    n_centers: int,
    *,
    random_state: int | np.random.Generator | None = None,
) -> Sample:
    """
    Draw a data set without clusters, whose objects are labelled in turn.

    All 100 objects come from one bivariate normal distribution with mean [0, 0] and
    covariance matrix I x 0.8, so that an index corrected for chance should be near 0.

    Parameters
    ----------
    n_centers : {2, 3, 4}
        C, the number of labels.
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
    >>> from concordant.paper import make_random_set
    >>> sample = make_random_set(2, random_state=0)
    >>> sample.target[:6].tolist()
    [0, 1, 0, 1, 0, 1]
    >>> sample.centers.tolist()
    [[0.0, 0.0], [0.0, 0.0]]
    """
    _check_centers(n_centers, 4)
    centers = np.zeros((n_centers, 2))
    variances = np.full(centers.shape, 0.8)
    return _draw(_in_turn(100, n_centers), centers, variances, generator(random_state))


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
    >>> from concordant.paper import make_bias_experiment
    >>> sample = make_bias_experiment(random_state=0)
    >>> len(sample.data), sample.centers.shape
    (1036, (7, 6))
    """
    rng = generator(random_state)
    n_objects = int(rng.integers(100, 1200, endpoint=True))
    n_centers = int(rng.integers(2, 10, endpoint=True))
    n_dimensions = int(rng.integers(2, 10, endpoint=True))
    alpha = rng.uniform(0.1, 3.0)
    centers = rng.uniform(-4.0, 4.0, size=(n_centers, n_dimensions))
    variances = np.full(centers.shape, alpha)
    return _draw(_in_turn(n_objects, n_centers), centers, variances, rng)


def _draw(
    target: NDArray[np.intp],
    centers: NDArray[np.float64],
    variances: NDArray[np.float64],
    rng: np.random.Generator,
) -> Sample:
    """Draw each object from the normal distribution of its cluster."""
    noise = rng.standard_normal((target.size, centers.shape[1]))
    data = centers[target] + np.sqrt(variances)[target] * noise
    return Sample(data, target, centers, variances)


def _in_turn(n_objects: int, n_centers: int) -> NDArray[np.intp]:
    """Deal objects to clusters in turn: 0, 1, ..., C - 1, 0, 1, ..."""
    return np.arange(n_objects, dtype=np.intp) % n_centers


def _check_centers(n_centers: int, most: int) -> None:
    """Refuse a number of centres that the design does not have."""
    if not 2 <= n_centers <= most:
        raise ValueError(f"n_centers must be from 2 to {most}, found {n_centers}")
