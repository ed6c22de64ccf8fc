"""Element-centric similarity of two partitions, overall and of each object."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.execution.engine import Threads
from concordant.execution.run import Run
from concordant.formulas.adjusted import Score
from concordant.measures.comparing import check_defined, compare
from concordant.partition.alignment import Align, aligned
from concordant.shortcuts.random_walks import element_scores
from concordant.values.element import ALPHA


def element_centric_similarity(
    P: object,
    Q: object,
    *,
    n_jobs: int | None = None,
    engine: object = None,
    align: Align = "position",
) -> float:
    """
    Return how alike two partitions are as seen from each object.

    A random walk goes from an object to one of its clusters, from there to one of its
    objects, and so on; with probability 0.1 it starts anew. The similarity of an object
    is one minus the sum of the differences between P and Q in the probability of being
    at each object, divided by the largest possible sum, 1.8; the result is the mean.

    Parameters
    ----------
    P, Q : Partition, or anything one can be made from
        Two partitions of the same n objects, crisp, fuzzy or overlapping. Rows of fuzzy
        ones are divided by their sums.
    n_jobs : int, optional
        Number of threads; see `concordance`.
    engine : dask.distributed.Client, optional
        Where to run the work instead; see `concordance`.
    align : {"position", "index", "common"}, default="position"
        How objects are matched: by position, by ids, or only those with common ids.

    Returns
    -------
    float
        From 0 to 1, for equal partitions. It is not corrected for chance.

    See Also
    --------
    element_centric_scores : The similarity of each object.

    Notes
    -----
    O(n) for crisp partitions, O(n^2 (K + L)) for others, without a matrix of n x n: the
    walk is known from the inverse of a matrix of K x K.

    References
    ----------
    Gates, Wood, Hetrick, Ahn (2019), Scientific Reports 9, 8574.

    Examples
    --------
    >>> import concordant as cc
    >>> round(cc.element_centric_similarity([0, 0, 1, 1], [0, 0, 1, 2]), 6)
    0.75
    """
    name = "element_centric"
    found = compare(P, Q, indices=[name], n_jobs=n_jobs, engine=engine, align=align)
    return found[name]


def element_centric_scores(
    P: object,
    Q: object,
    *,
    alpha: float = ALPHA,
    n_jobs: int | None = None,
    align: Align = "position",
) -> NDArray[np.float64]:
    """
    Return the element-centric similarity of each object.

    Parameters
    ----------
    P, Q : Partition, or anything one can be made from
        Two partitions of the same n objects, crisp, fuzzy or overlapping.
    alpha : float, default=0.9
        How often the walk goes on, between 0 and 1.
    n_jobs : int, optional
        Number of threads; see `concordance`. The result is the same to the last bit.
    align : {"position", "index", "common"}, default="position"
        How objects are matched: by position, by ids, or only those with common ids.

    Returns
    -------
    ndarray of shape (n,)
        From 0 to 1 each; see `element_centric_similarity`, which is their mean.

    Examples
    --------
    >>> import concordant as cc
    >>> cc.element_centric_scores([0, 0, 1, 1], [0, 0, 1, 2]).round(6).tolist()
    [1.0, 1.0, 0.5, 0.5]
    """
    if not 0.0 < alpha < 1.0:
        raise ValueError(f"alpha must lie between 0 and 1, found {alpha!r}")
    engine = Threads(n_jobs)
    p, q = aligned(P, Q, align=align)
    check_defined(("element_centric",), p, q)
    return element_scores(p, q, Run(engine=engine), alpha)


def element_centric(terms: Mapping[str, Any]) -> Score:
    """Return the mean over objects, from differences of affinities."""
    if "mean score" in terms:
        value, error = terms["mean score"]
    else:
        others, own = terms["discordance (element)"], terms["own affinities"]
        n_others = max(own.n_objects - 1, 0)
        value = 1.0 - 0.5 * (n_others * others.discordance + own.difference)
        error = 0.5 * (n_others * others.discordance_error + own.error)
    return Score(min(max(value, 0.0), 1.0), min(error, 1.0))
