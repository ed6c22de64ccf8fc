"""How much two partitions tell of each other, from their soft contingency table."""

import math
from typing import Literal

import numpy as np

from concordant.bounded import UNIT_ROUNDOFF, Bounded
from concordant.measures.adjusted import Score
from concordant.measures.information import Information, information
from concordant.measures.ratio import error_of_ratio
from concordant.sums.contingency import Contingency

#: Of the entropies of P and Q, by which mutual information is divided.
Average = Literal["arithmetic", "geometric", "min", "max"]

_ROUNDING = 2.0**-50  # of a quotient and some differences


def mutual_information(table: Contingency) -> Score:
    """Return the mutual information in nats."""
    return Score(*information(table).mutual)


def vi(table: Contingency) -> Score:
    """Return the variation of information, in nats."""
    found = information(table)
    return Score(found.unexplained, found.error_of(found.unexplained))


def nmi(table: Contingency, average: Average = "arithmetic") -> Score:
    """Return mutual information, divided by the mean of both entropies."""
    found = information(table)
    if average == "arithmetic" or found.of_both == 0.0:
        return _share(found.unexplained, found.of_both, found)
    means = {
        "geometric": math.sqrt(found.of_p) * math.sqrt(found.of_q),
        "min": min(found.of_p, found.of_q),
        "max": max(found.of_p, found.of_q),
    }
    mean, (mutual, error) = means[average], found.mutual
    if mean == 0.0:
        return Score(0.0, 0.0 if found.known else 1.0)
    value = min(mutual / mean, 1.0)
    return Score(value, _of_quotient(value, error, mean, found))


def homogeneity(table: Contingency) -> Score:
    """Return how much of the entropy of P the clusters of Q explain."""
    found = information(table)
    return _share(found.p_given_q, found.of_p, found)


def completeness(table: Contingency) -> Score:
    """Return how much of the entropy of Q the clusters of P explain."""
    found = information(table)
    return _share(found.q_given_p, found.of_q, found)


def purity(table: Contingency) -> Score:
    """Return the share of the largest cell of each cluster of Q."""
    largest = np.zeros(table.shape[1])
    np.maximum.at(largest, table.columns, table.cells)
    total = math.fsum(np.maximum(table.cells, 0))  # below 0 by rounding alone
    if total == 0.0:
        return Score(1.0, 0.0)
    return Score(math.fsum(largest) / total, 4.0 * table.rounding + _ROUNDING)


def ami(table: Contingency, expected: Bounded) -> Score:
    """Return mutual information less its expectation, as a share of the most."""
    found = information(table)
    if found.unexplained == 0.0:
        return Score(1.0, 0.0 if found.known else 1.0)
    half = 0.5 * found.of_both
    most = half - expected.value
    off = 0.5 * found.error_of(found.of_both) + expected.error
    off += 2.0 * UNIT_ROUNDOFF * half
    value = 1.0 - 0.5 * found.unexplained / most if most > off else 0.0
    error = 0.5 * found.error_of(found.unexplained)
    return Score(value, error_of_ratio(value, error, Bounded(most, off)))


def _share(unexplained: float, entropy: float, found: Information) -> Score:
    """Return what is explained of an entropy; 1 if there is nothing to explain."""
    if entropy == 0.0:
        return Score(1.0, 0.0 if found.known else 1.0)
    part = min(unexplained / entropy, 1.0)
    error = _of_quotient(part, found.error_of(unexplained), entropy, found)
    return Score(1.0 - part, error)


def _of_quotient(
    value: float, error: float, entropy: float, found: Information
) -> float:
    """Bound how far a part of an entropy is off, if that part is off by `error`."""
    off = error + (1.0 + value) * found.error_of(entropy)
    return min(1.0, 2.0 * off / entropy + _ROUNDING)
