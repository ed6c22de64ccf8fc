"""Crisp indices of fuzzy partitions whose labels are drawn from the memberships."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from concordant.arrays import Counts, Vector
from concordant.bounded import UNIT_ROUNDOFF, Bounded
from concordant.catalogue.families import STATISTICS
from concordant.catalogue.indices import INDICES
from concordant.catalogue.lookups import heading_of, loaded
from concordant.catalogue.records import FREE_SUMS
from concordant.door import checked
from concordant.errors import Data, InputError
from concordant.execution.engine import Threads
from concordant.execution.run import Run, generator
from concordant.measures.adjusted import Score
from concordant.measures.mean_of_draws import mean_by_draws, mean_of_draws
from concordant.measures.one_index import score
from concordant.measures.ratio import error_of_rand
from concordant.measures.tables.crisp import crisp_table
from concordant.measures.tables.frigui import frigui
from concordant.measures.tables.pair_table import PairTable
from concordant.naming import index_named
from concordant.partition.alignment import MatchBy, aligned
from concordant.partition.partition import Partition
from concordant.printing import Readable, Shown, size_of_error
from concordant.sums.products import MembershipSums
from concordant.underflow import tiny_is_zero
from concordant.wording import check_count, count

_CELLS = 1 << 20  # labels, or cells of their tables, that are held at a time
_AIM, _FIRST, _MOST = 5e-3, 1 << 10, 1 << 14  # error and numbers of draws of an index
_WORK = 1 << 28  # labels in all draws
# The least values for labels: of the adjusted Rand index (Chacon and Rastrojo, 2023),
# and of AMI, 1 - VI / E[VI], as VI is a metric and so at most 3 E[VI].
_LOWEST = {"adjusted_rand": -0.5, "ami": -2.0}


@dataclass(frozen=True, eq=False, repr=False)
class Hardenings(Readable):
    """
    The values of a crisp index when labels are drawn from the memberships.

    It prints its mean and the middle 95 %, in a terminal and in a notebook.

    Parameters
    ----------
    index : str
        Its name.
    draws : ndarray of shape (n_draws,)
        A value for each draw.
    mean : float
        Their expectation: exact where it follows from the pairs, as for the Rand index,
        and otherwise the mean of the draws.
    error : float
        How far `mean` may be from the exact expectation: in all but one case in a
        million, also where labels that matter are too rare to have been drawn.
    """

    index: str
    draws: Vector
    mean: float
    error: float

    @checked
    def quantile(self, share: float) -> float:
        """
        Return the value that a share of the draws does not exceed.

        Parameters
        ----------
        share : float
            Between 0 and 1.

        Returns
        -------
        float
            The quantile.
        """
        return float(np.quantile(self.draws, share))

    def __repr__(self) -> str:
        mean, middle = self._summary()
        return f"Hardenings({self.index}, {len(self.draws)} draws: {mean}, {middle})"

    def _summary(self) -> tuple[str, str]:
        low, high = self.quantile(0.025), self.quantile(0.975)
        mean = f"mean {self.mean:z.4f} within {size_of_error(self.error)}"
        return mean, f"95 % from {low:z.4f} to {high:z.4f}"

    def _shown(self) -> Shown:
        drawn = count(len(self.draws), "random hardening")
        return Shown(f"{heading_of(self.index)} of {drawn}", self._summary())


@tiny_is_zero
def random_hardenings(
    P: object,
    Q: object,
    *,
    index: str = "adjusted_rand",
    n_draws: int = 1000,
    random_state: int | np.random.Generator | None = None,
    match_by: MatchBy = "position",
) -> Hardenings:
    """
    Draw labels from the memberships, and compute a crisp index of each draw.

    Parameters
    ----------
    P, Q : Partition, or anything one can be made from
        Two partitions of the same n objects. Each object gets a cluster at random, its
        memberships being the probabilities; a crisp partition stays as it is.
    index : str, default="adjusted_rand"
        An index or statistic, as `concordant.indices` lists them.
    n_draws : int, default=1000
        How often labels are drawn.
    random_state : int, numpy.random.Generator or None, default=None
        Source of the labels.
    match_by : {"position", "id", "common"}, default="position"
        How objects are matched: by position, by ids, or only those with common ids.

    Returns
    -------
    Hardenings
        All values, and their mean with its error.

    Notes
    -----
    The mean of the Rand index is exact: it is Frigui's, of rows divided by their sums.
    The error of other means is 37 times the range of the index, divided by the number
    of draws, and what these vary adds to it. O(n (K + L)) time for a draw.

    References
    ----------
    Campagner, Ciucci, Denoeux (2023), International Journal of Approximate Reasoning
    162, 109008.

    Examples
    --------
    >>> import concordant as cc
    >>> P = [[0.9, 0.1], [0.8, 0.2], [0.2, 0.8], [0.3, 0.7]]
    >>> found = cc.random_hardenings(P, [0, 0, 1, 1], index="rand", random_state=0)
    >>> round(found.mean, 6), round(found.quantile(0.5), 6)
    (0.676667, 0.5)
    """
    index = index_named("index", index)
    of_labels = _of_labels(index)
    check_count("n_draws", n_draws)
    rng = generator(random_state)
    p, q = aligned(P, Q, match_by=match_by)
    drawn = _labels(p, q, rng, n_draws)
    draws = np.concatenate([of_labels(*some) for some in drawn])
    found = _exact_mean(p, q, index) or mean_of_draws(draws, _reach(p, q, index))
    return Hardenings(index, draws, *found)


def hardened(P: Partition, Q: Partition, run: Run) -> Bounded:
    """Return the mean adjusted Rand index, by as many draws as its error needs."""
    state = 0 if run.random_state is None else run.random_state
    of_labels, reach = _of_labels("adjusted_rand"), _reach(P, Q, "adjusted_rand")
    most = min(_MOST, max(_WORK // max(P.n_objects, 1), 16)) if reach else 1
    rng = generator(state)

    def draw(size: int) -> Iterator[Vector]:
        return (of_labels(*some) for some in _labels(P, Q, rng, size))

    return mean_by_draws(draw, reach, _AIM, min(_FIRST, most), most)


def hardened_ari(found: Bounded) -> Score:
    """Return the mean adjusted Rand index of labels that are drawn."""
    return Score(*found)


def _of_labels(index: str) -> Callable[[Counts, Counts], Vector]:
    """Return what computes an index of each of some pairs of labels, (h, n) each."""
    statistic = _statistic(index)
    if statistic is None:
        return lambda p, q: np.array(
            [score(each, other, index) for each, other in zip(p, q, strict=True)]
        )
    formula = loaded(STATISTICS[statistic].formula)
    return lambda p, q: np.array([float(formula(table)) for table in _tables(p, q)])


def _statistic(index: str) -> str | None:
    """Return the statistic of pairs that an index of two crisp partitions is."""
    return INDICES[index].of_crisp if index in INDICES else index


def _reach(P: Partition, Q: Partition, index: str) -> float:
    """Return how far two values of an index can be apart, whatever is drawn."""
    if P.kind == Q.kind == "crisp":
        return 0.0
    name = _statistic(index) or index
    low, high = (INDICES.get(name) or STATISTICS[name]).range
    if high is None:  # they count pairs, or are entropies
        n = max(P.n_objects, 1)
        high = float(n * (n - 1)) if name in STATISTICS else math.log(n)
    return high - _LOWEST.get(name, low or 0.0)


def _exact_mean(P: Partition, Q: Partition, index: str) -> Bounded | None:
    """
    Return the mean of what is linear in the pairs that are together or apart.

    Labels of different objects are independent, so that a pair is together in P with
    the probability u_i . u_j, and in both with its product with v_i . v_j.
    """
    statistic = _statistic(index)
    if statistic not in ("rand", "mirkin"):
        return None
    p, q = (
        X if X.kind == "crisp" else Partition(_probabilities(X, name).T)
        for X, name in ((P, "P"), (Q, "Q"))
    )
    table = frigui(MembershipSums.of(p, q, Threads(1)))
    off = error_of_rand(table)
    assert off is not None
    # Probabilities are quotients, and labels are drawn by rounded sums of these.
    off += 8 * (P.n_clusters + Q.n_clusters) * UNIT_ROUNDOFF
    scale = 1.0 if statistic == "rand" else float(P.n_objects * (P.n_objects - 1))
    return Bounded(float(loaded(STATISTICS[statistic].formula)(table)), scale * off)


def _tables(p: Counts, q: Counts) -> Iterator[PairTable]:
    """Count the pairs of each of some pairs of labels, (h, n) each."""
    h, n = p.shape
    K, L = (int(labels.max(initial=0)) + 1 for labels in (p, q))
    if h * K * L > 2 * _CELLS:  # of which most are empty
        return map(crisp_table, map(Partition, p), map(Partition, q))
    both = np.multiply(p, L, dtype=np.int64)
    both += q
    both += np.arange(0, h * K * L, K * L)[:, np.newaxis]
    cells = np.bincount(both.ravel(), minlength=h * K * L).reshape(h, K, L)
    parts = cells.reshape(h, -1), cells.sum(axis=2), cells.sum(axis=1)
    squares = (np.einsum("hk,hk->h", sizes, sizes) for sizes in parts)
    a, in_p, in_q = ((square - n) // 2 for square in squares)
    d = n * (n - 1) // 2 - in_p - in_q + a
    return map(PairTable, *(x.tolist() for x in (a, in_p - a, in_q - a, d)))


def _labels(
    P: Partition, Q: Partition, rng: np.random.Generator, n_draws: int
) -> Iterator[tuple[Counts, Counts]]:
    """Yield labels of both partitions, (h, n) each, some draws at a time."""
    sides = [_thresholds(X, name) for X, name in ((P, "P"), (Q, "Q"))]
    # The same labels whichever partition is P.
    order = sorted((0, 1), key=lambda side: (len(sides[side]), sides[side].tobytes()))
    step = max(1, _CELLS // max(P.n_clusters * Q.n_clusters, P.n_objects))
    kinds = [np.min_scalar_type(X.n_clusters) for X in (P, Q)]  # of small integers
    for start in range(0, n_draws, step):
        shape = min(step, n_draws - start), P.n_objects
        labels = [np.zeros(shape, kind) for kind in kinds]
        for side in order:
            if (P, Q)[side].kind == "crisp":
                labels[side] += (P, Q)[side].labels.astype(kinds[side])
                continue
            drawn = rng.random(shape)
            for below in sides[side]:
                labels[side] += (drawn >= below).view(np.uint8)
        yield labels[0], labels[1]


def _thresholds(partition: Partition, name: str) -> Vector:
    """Return cumulated probabilities but the last, (K - 1, n); none if crisp."""
    if partition.kind == "crisp":
        return np.empty((0, partition.n_objects))
    return np.cumsum(_probabilities(partition, name), axis=0)[:-1]


def _probabilities(partition: Partition, name: str) -> Vector:
    """Return memberships in the clusters that are used, of sum 1 for each object."""
    if partition.kind in FREE_SUMS:
        raise InputError(
            "memberships of ",
            Data(name),
            f", which are {partition.kind}, are not probabilities of labels",
        )
    columns = np.maximum(partition.columns(), 0.0)  # below 0 by rounding alone
    columns = columns[columns.any(axis=1)]
    return np.asarray(columns / columns.sum(axis=0))
