"""The second simulation: two to eight clusters with variances drawn at random."""

from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from concordant.datasets.sample import Sample, check_size, draw, in_turn
from concordant.execution.randomness import generator
from concordant.wording import check_choice

Sizes = Literal["equal", "dirichlet"]

_CENTERS = np.array(
    [
        [-2.0, -2.0],
        [2.0, 2.0],
        [0.0, 0.0],
        [-2.0, 2.0],
        [2.0, -2.0],
        [-4.0, 4.0],
        [4.0, -4.0],
        [9.0, 9.0],
    ]
)


def make_second_simulation(
    n_centers: int,
    *,
    n_objects: int = 120,
    sizes: Sizes = "equal",
    concentration: float = 1.0,
    random_state: int | np.random.Generator | None = None,
) -> Sample:
    """
    Draw a data set of the second simulation.

    Bivariate normal clusters with means [-2, -2], [2, 2], [0, 0], [-2, 2], [2, -2],
    [-4, 4], [4, -4], [9, 9], the first C of them. Their coordinates are independent,
    with variances alpha_1 and alpha_2 that are drawn once for the data set,
    uniformly from (0.1, 1).

    Parameters
    ----------
    n_centers : int from 2 to 8
        C; the paper's data set number is C - 1.
    n_objects : int, default=120
        n, in all clusters together.
    sizes : {"equal", "dirichlet"}, default="equal"
        How the objects are shared out, which the paper does not say: dealt to the
        clusters in turn, or in proportions drawn from a Dirichlet distribution, one
        object at least to each.
    concentration : float, default=1.0
        The parameter of the symmetric Dirichlet distribution, above 0; the larger,
        the more equal the sizes. Not used if they are equal.
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
    >>> from concordant.datasets import make_second_simulation
    >>> np.bincount(make_second_simulation(8, random_state=0).target).tolist()
    [15, 15, 15, 15, 15, 15, 15, 15]
    >>> uneven = make_second_simulation(8, sizes="dirichlet", random_state=0)
    >>> np.bincount(uneven.target).sum()
    np.int64(120)
    """
    check_size(n_centers, 2, len(_CENTERS), n_objects)
    check_choice("sizes", sizes, get_args(Sizes), optional=False)
    if not concentration > 0:
        raise ValueError(f"concentration must be above 0, found {concentration!r}")
    rng = generator(random_state)
    centers = _CENTERS[:n_centers].copy()
    variances = np.tile(rng.uniform(0.1, 1.0, size=2), (n_centers, 1))
    if sizes == "equal":
        target = in_turn(n_objects, n_centers)
    else:
        target = _in_random_proportions(n_objects, n_centers, concentration, rng)
    return draw(target, centers, variances, rng)


def _in_random_proportions(
    n_objects: int, n_centers: int, concentration: float, rng: np.random.Generator
) -> NDArray[np.intp]:
    proportions = rng.dirichlet(np.full(n_centers, concentration))
    counts = 1 + rng.multinomial(n_objects - n_centers, proportions)
    return np.repeat(np.arange(n_centers, dtype=np.intp), counts)
