"""How much two partitions tell of each other, from their soft contingency table."""

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Vector
from concordant.bounded import UNIT_ROUNDOFF, Bounded
from concordant.measures.adjusted import Score
from concordant.measures.ratio import error_of_ratio
from concordant.sums.contingency import Contingency

#: Of the entropies of P and Q, by which mutual information is divided.
Average = Literal["arithmetic", "geometric", "min", "max"]

_ROUNDING = 2.0**-50  # of a quotient and some differences
_LOGARITHMS = 8 * 2.0**-53  # the relative error of one, of its argument, and of sums
_LEAST = 2.0**-400  # in relation to the largest: what cells are left out
_LEFT_OUT = 2.0**-360  # what these could add


@dataclass(frozen=True)
class Information:
    """
    Entropies of the clusters of P and of Q, and what is left of them given the other.

    Each of them is at most its part `relative` from the exact one, beside `left_out`.
    `known` is whether no cluster was too small to be added.
    """

    of_p: float
    of_q: float
    p_given_q: float
    q_given_p: float
    relative: float = 0.0
    left_out: float = 0.0
    known: bool = True

    @property
    def of_both(self) -> float:
        """The sum of both entropies."""
        return self.of_p + self.of_q

    @property
    def unexplained(self) -> float:
        """The variation of information: what neither tells of the other."""
        return self.p_given_q + self.q_given_p

    @property
    def mutual(self) -> Bounded:
        """What the smaller entropy loses if the other partition is known."""
        sides = (self.of_p, self.p_given_q), (self.of_q, self.q_given_p)
        entropy, left = min(sides)
        return Bounded(max(0.0, entropy - left), self.error_of(entropy + left))

    def error_of(self, entropies: float) -> float:
        """Bound how far an entropy, or the sum of two, is from the exact one."""
        return self.relative * entropies + 2.0 * self.left_out


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


def information(table: Contingency) -> Information:
    """Read the cells, divided by their sum, as a joint distribution of clusters."""
    largest = float(table.cells.max(initial=0))
    # Negative ones are rounding that was let in, and the least change no sum.
    present = table.cells > _LEAST * largest
    rows, columns = table.rows[present], table.columns[present]
    n_seen = np.unique(rows).size, np.unique(columns).size
    known = n_seen[0] >= table.n_used[0] and n_seen[1] >= table.n_used[1]
    cells = table.cells[present].astype(np.float64)
    if cells.size == 0:
        return Information(0.0, 0.0, 0.0, 0.0)
    # The margins of the cells themselves, so that no share is more than 1.
    in_p = _Summed.of(rows, cells, table.shape[0])
    in_q = _Summed.of(columns, cells, table.shape[1])
    shares = cells / (0.5 * (in_p.total + in_q.total))  # the same for Q and P
    # No logarithm is of more than 1, and all are 0 if the clusters are the same.
    p_given_q = _sum(-shares * _log_share(cells, in_q.others, in_q.sums[columns]))
    q_given_p = _sum(-shares * _log_share(cells, in_p.others, in_p.sums[rows]))
    # What errors of cells, margins and logarithms do to entropies.
    relative = 4.0 * (table.rounding + _LOGARITHMS)
    dropped = not known or cells.size < np.count_nonzero(table.cells > 0)
    left_out = _LEFT_OUT if dropped else 0.0
    found = in_p.entropy(), in_q.entropy(), p_given_q, q_given_p
    return Information(*found, relative, left_out, known)


@dataclass(frozen=True)
class _Summed:
    """Sums of the cells of each cluster, and what is left without a cell or cluster."""

    sums: Vector
    others: Vector  # in the same cluster, for each cell
    total: float
    rest: Vector  # in other clusters, for each cluster

    @classmethod
    def of(cls, clusters: NDArray[np.int64], cells: Vector, size: int) -> "_Summed":
        """Add up cells."""
        sums, others = _sums_and_others(clusters, cells, size)
        total, rest = _sums_and_others(np.zeros(size, np.int64), sums, 1)
        return cls(sums, others, float(total[0]), rest)

    def entropy(self) -> float:
        """Return the entropy of the clusters."""
        used = self.sums > 0.0
        sums, rest = self.sums[used], self.rest[used]
        return _sum(-sums / self.total * _log_share(sums, rest, self.total))


def _sums_and_others(
    clusters: NDArray[np.int64], cells: Vector, size: int
) -> tuple[Vector, Vector]:
    """Sum the cells of each cluster, and those but one, whatever their order."""
    order = np.lexsort((cells, clusters))
    starts = np.searchsorted(clusters[order], np.arange(size + 1))
    ordered = cells[order].tolist()
    sums = np.array([math.fsum(ordered[i:j]) for i, j in pairwise(starts)])
    others = sums[clusters] - cells
    # Beside the largest, which is the last of its cluster, there may be next to none.
    ends = [(i, j - 1) for i, j in pairwise(starts) if i < j]
    others[order[[j for _, j in ends]]] = [math.fsum(ordered[i:j]) for i, j in ends]
    return sums, others


def _log_share(part: Vector, rest: Vector, whole: Vector | float) -> Vector:
    """Return log(part / whole), with all digits where the rest is next to nothing."""
    near = np.log1p(-np.minimum(rest / whole, 0.5))
    return np.where(rest < part, near, np.log(part / whole))


def _sum(parts: Vector) -> float:
    """Add up what is not negative but for rounding, and never to -0."""
    return max(0.0, math.fsum(parts))
