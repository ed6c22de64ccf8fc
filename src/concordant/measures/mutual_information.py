"""How much two partitions tell of each other, from their soft contingency table."""

import math
from collections.abc import Mapping
from typing import Any, Literal, get_args

import numpy as np

from concordant.execution.engine import Threads
from concordant.execution.run import Run
from concordant.formulas.adjusted import Score
from concordant.formulas.information import Information, information
from concordant.measures.comparing import compare
from concordant.partition.alignment import Align, aligned
from concordant.terms.contingency import Contingency
from concordant.terms.object_sums import object_terms
from concordant.wording import check_choice

#: Of the entropies of P and Q, by which mutual information is divided.
Average = Literal["arithmetic", "geometric", "min", "max"]

_ROUNDING = 2.0**-50  # of a quotient and some differences


def normalized_mutual_information(
    P: object,
    Q: object,
    *,
    average: Average = "arithmetic",
    n_jobs: int | None = None,
    align: Align = "position",
) -> float:
    """
    Return the mutual information of two partitions, divided by their mean entropy.

    The cells of U'V, divided by their sum, are read as the joint distribution of a
    cluster of P and a cluster of Q.

    Parameters
    ----------
    P, Q : Partition, or anything one can be made from
        Two partitions of the same n objects, crisp or fuzzy.
    average : {"arithmetic", "geometric", "min", "max"}, default="arithmetic"
        Which mean of the two entropies, or the smaller or larger of them.
    n_jobs : int, optional
        Number of threads; see `concordance`.
    align : {"position", "index", "common"}, default="position"
        How objects are matched: by position, by ids, or only those with common ids.

    Returns
    -------
    float
        From 0 (clusters are independent) to 1. For crisp partitions it is the
        classical index, and 1 for equal ones; a fuzzy partition does not reach 1 with
        itself. It is not corrected for chance.

    Notes
    -----
    It is 1 if both partitions have only one cluster that is not empty, and 0 if only
    one has. Cells below 0, from memberships that rounding made negative, count as 0.

    References
    ----------
    Lei, Bezdek, Chan, Vinh, Romano, Bailey (2014), IEEE Symposium on Computational
    Intelligence and Data Mining, 24-31.

    Examples
    --------
    >>> import concordant as cc
    >>> round(cc.normalized_mutual_information([0, 0, 1, 1], [0, 0, 1, 2]), 6)
    0.8
    >>> P, Q = [0, 0, 1, 1], [0, 0, 1, 2]
    >>> round(cc.normalized_mutual_information(P, Q, average="min"), 6)
    1.0
    """
    check_choice("average", average, get_args(Average), optional=False)
    p, q = aligned(P, Q, align=align)
    terms = object_terms(p, q, ["contingency"], Run(Threads(n_jobs)))
    return _normalized(_information(terms), average).value


def adjusted_mutual_information(
    P: object,
    Q: object,
    *,
    n_jobs: int | None = None,
    random_state: int | np.random.Generator | None = None,
    align: Align = "position",
) -> float:
    """
    Return the mutual information of two partitions, corrected for chance.

    AMI = (I - E[I]) / (H - E[I]), where H is the mean of both entropies and E[I] the
    mean of I over all permutations of the objects of one partition.

    Parameters
    ----------
    P, Q : Partition, or anything one can be made from
        Two partitions of the same n objects, crisp or fuzzy.
    n_jobs : int, optional
        Number of threads; see `concordance`.
    random_state : int, numpy.random.Generator or None, default=None
        Source of permutations, where some are drawn; None always draws the same.
    align : {"position", "index", "common"}, default="position"
        How objects are matched: by position, by ids, or only those with common ids.

    Returns
    -------
    float
        At most 1, which the same crisp partition reaches; 0 is chance level. A fuzzy
        partition does not reach 1 with itself.

    Notes
    -----
    For crisp partitions E[I] is exact. For fuzzy ones it follows from the second
    moments of the cells of U'V, with a bound of what higher moments add, some 1 / n²;
    where that bound is above 1e-6, random permutations are drawn, and the smaller error
    counts. ``compare(P, Q, indices=["ami"]).scores["ami"].error`` says what was
    reached; that of draws holds in all but one of a million cases, also where what
    matters is too rare to be drawn.

    References
    ----------
    Vinh, Epps, Bailey (2010), Journal of Machine Learning Research 11, 2837-2854.

    Examples
    --------
    >>> import concordant as cc
    >>> round(cc.adjusted_mutual_information([0, 0, 1, 1], [0, 0, 1, 2]), 6)
    0.571429
    """
    found = compare(
        P, Q, indices=["ami"], n_jobs=n_jobs, random_state=random_state, align=align
    )
    return found["ami"]


def mutual_information(terms: Mapping[str, Any]) -> Score:
    """Return the mutual information in nats."""
    found = _information(terms)
    return Score(found.mutual, found.error)


def vi(terms: Mapping[str, Any]) -> Score:
    """Return the variation of information, in nats."""
    found = _information(terms)
    return Score(found.unexplained, found.error)


def nmi(terms: Mapping[str, Any]) -> Score:
    """Return mutual information, divided by the mean of both entropies."""
    return _normalized(_information(terms), "arithmetic")


def homogeneity(terms: Mapping[str, Any]) -> Score:
    """Return how much of the entropy of P the clusters of Q explain."""
    found = _information(terms)
    return _share(found.p_given_q, found.of_p, found)


def completeness(terms: Mapping[str, Any]) -> Score:
    """Return how much of the entropy of Q the clusters of P explain."""
    found = _information(terms)
    return _share(found.q_given_p, found.of_q, found)


def purity(terms: Mapping[str, Any]) -> Score:
    """Return the share of the largest cell of each cluster of Q."""
    table: Contingency = terms["contingency"]
    largest = np.zeros(table.shape[1])
    np.maximum.at(largest, table.columns, table.cells)
    total = math.fsum(np.maximum(table.cells, 0))  # below 0 by rounding alone
    if total == 0.0:
        return Score(1.0, 0.0)
    return Score(math.fsum(largest) / total, 4.0 * table.rounding + _ROUNDING)


def ami(terms: Mapping[str, Any]) -> Score:
    """Return mutual information less its expectation, as a share of the most."""
    found, expected = _information(terms), terms["expected information"]
    if found.unexplained == 0.0:
        return Score(1.0, 0.0 if found.known else 1.0)
    most = 0.5 * found.of_both - expected.value
    error = found.error + expected.error
    if most <= error:
        return Score(0.0, math.inf)
    value = min((found.mutual - expected.value) / most, 1.0)
    return Score(value, error * (1.0 + abs(1.0 - value)) / (most - error) + _ROUNDING)


def _information(terms: Mapping[str, Any]) -> Information:
    return information(terms["contingency"])


def _normalized(found: Information, average: Average) -> Score:
    """Take the share of the entropies that neither explains of the other from 1."""
    if found.of_both == 0.0:
        return Score(1.0, 0.0 if found.known else 1.0)
    if average == "arithmetic":
        return _share(found.unexplained, found.of_both, found)
    entropies = found.of_p, found.of_q
    means = {
        "geometric": math.sqrt(found.of_p * found.of_q),
        "min": min(entropies),
        "max": max(entropies),
    }
    if means[average] == 0.0:
        return Score(0.0, 0.0 if found.known else 1.0)
    value = min(found.mutual / means[average], 1.0)
    least = max(entropies) if average == "max" else min(entropies)
    return Score(value, min(1.0, 4.0 * found.error / least))


def _share(unexplained: float, entropy: float, found: Information) -> Score:
    """Return what is explained of an entropy; 1 if there is nothing to explain."""
    if entropy == 0.0:
        return Score(1.0, 0.0 if found.known else 1.0)
    value = max(0.0, 1.0 - unexplained / entropy)
    return Score(value, min(1.0, 2.0 * found.error * (1.0 + value) / entropy))
