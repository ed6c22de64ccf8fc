"""Crisp indices of fuzzy partitions whose labels are drawn from the memberships."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue import FREE_SUMS, STATISTICS, heading_of, loaded
from concordant.errors import Data, InputError
from concordant.execution.engine import Threads
from concordant.execution.run import Run, generator
from concordant.families.frigui import frigui
from concordant.formulas.adjusted import Score
from concordant.formulas.draws import mean_of_draws
from concordant.measures.comparing import named_index
from concordant.partition.alignment import Align, aligned
from concordant.partition.partition import Partition
from concordant.printing import Readable, Shown, size_of_error
from concordant.terms.distribution import Bounded
from concordant.terms.products import MembershipSums
from concordant.wording import check_count, count

Vector = NDArray[np.float64]
Counts = NDArray[np.int64]

_CELLS = 1 << 20  # labels, or cells of their tables, that are held at a time
_SURE = 5.0  # standard errors of a mean of draws
_AIM, _FIRST, _MOST = 5e-3, 1 << 10, 1 << 14  # error and numbers of draws of an index
_WORK = 1 << 28  # labels in all draws
_LOWEST = -0.5  # adjusted Rand index (Chacon and Rastrojo, 2023)
_LINEAR = ("rand", "mirkin", "ndc")  # in the pairs that are together or apart


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
        How far `mean` may be from the exact expectation: five standard errors of a mean
        of draws, which say nothing about labels too rare to have been drawn.
    """

    index: str
    draws: Vector
    mean: float
    error: float

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


def random_hardenings(
    P: object,
    Q: object,
    *,
    index: str = "adjusted_rand",
    n_draws: int = 1000,
    random_state: int | np.random.Generator | None = None,
    align: Align = "position",
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
    align : {"position", "index", "common"}, default="position"
        How objects are matched: by position, by ids, or only those with common ids.

    Returns
    -------
    Hardenings
        All values, and their mean with its error.

    Notes
    -----
    The mean of the Rand index is exact: it is Frigui's. O(n (K + L)) time for a draw.

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
    measure = named_index(index)
    check_count("n_draws", n_draws)
    rng = generator(random_state)
    p, q = aligned(P, Q, align=align)
    drawn = (
        pair for some in _labels(p, q, rng, n_draws) for pair in zip(*some, strict=True)
    )
    draws = np.array([measure(*map(Partition, pair)) for pair in drawn])
    mean, error = _mean(draws)
    if index in _LINEAR:
        table = frigui({"products": MembershipSums.of(p, q, Threads(1))})
        name = "rand" if index == "ndc" else index
        mean = float(loaded(STATISTICS[name].formula)(table))
        error = 1e-12 * max(1.0, abs(mean))
    return Hardenings(index, draws, mean, error)


def hardened(P: Partition, Q: Partition, run: Run) -> Bounded:
    """Return the mean adjusted Rand index, by as many draws as its error needs."""
    state = 0 if run.random_state is None else run.random_state
    most = min(_MOST, max(_WORK // max(P.n_objects, 1), 16))
    reach = 1.0 - _LOWEST
    if P.kind == Q.kind == "crisp":
        most, reach = 1, 0.0
    rng, draws, size = generator(state), np.empty(0), min(_FIRST, most)
    while True:
        more = [_adjusted_rand(*some) for some in _labels(P, Q, rng, size)]
        draws = np.concatenate((draws, *more))
        found = mean_of_draws(draws, reach)
        if found.error <= _AIM or 2 * len(draws) > most:
            return found
        size = len(draws)


def hardened_ari(terms: Mapping[str, Any]) -> Score:
    """Return the mean adjusted Rand index of labels that are drawn."""
    found: Bounded = terms["hardened"]
    return Score(*found)


def _mean(draws: Vector) -> tuple[float, float]:
    mean = math.fsum(draws) / len(draws)
    if len(draws) == 1:
        return mean, math.inf
    variance = math.fsum((draws - mean) ** 2) / (len(draws) - 1)
    return mean, _SURE * math.sqrt(variance / len(draws)) + 2.0**-50


def _labels(
    P: Partition, Q: Partition, rng: np.random.Generator, n_draws: int
) -> Iterator[tuple[Counts, Counts]]:
    """Yield labels of both partitions that are drawn, (h, n) each, some at a time."""
    sides = [_cumulated(X, name) for X, name in ((P, "P"), (Q, "Q"))]
    # The same labels whichever partition is P.
    order = sorted((0, 1), key=lambda side: (len(sides[side]), sides[side].tobytes()))
    K, L = (len(side) for side in sides)
    step = max(1, _CELLS // max(K * L, P.n_objects))
    for start in range(0, n_draws, step):
        shape = min(step, n_draws - start), P.n_objects
        labels = [np.zeros(shape, dtype=np.int64) for _ in sides]
        for side in order:
            drawn = rng.random(shape)
            for below in sides[side][:-1]:
                labels[side] += drawn >= below
        yield labels[0], labels[1]


def _cumulated(partition: Partition, name: str) -> Vector:
    """Return cumulated memberships in the clusters that are used, which end at 1."""
    if partition.kind in FREE_SUMS:
        raise InputError(
            "memberships of ",
            Data(name),
            f", which are {partition.kind}, are not probabilities of labels",
        )
    columns = partition.columns()
    cumulated = np.cumsum(columns[columns.any(axis=1)], axis=0)
    return np.asarray(cumulated / cumulated[-1])


def _adjusted_rand(p: Counts, q: Counts) -> Vector:
    """Return the adjusted Rand index of each of some pairs of labels."""
    h, n = p.shape
    K, L = p.max(initial=0) + 1, q.max(initial=0) + 1
    cells = (np.arange(h)[:, np.newaxis] * K + p) * L + q
    tables = np.bincount(cells.ravel(), minlength=h * K * L).reshape(h, K, L)

    def pairs(sizes: Counts) -> Vector:
        return np.asarray((sizes * (sizes - 1.0) / 2.0).sum(axis=1))

    m, both = max(n * (n - 1.0) / 2.0, 1.0), pairs(tables.reshape(h, -1))
    in_p, in_q = pairs(tables.sum(axis=2)), pairs(tables.sum(axis=1))
    # 1 - d / E[d]; where no permutation differs, both are one cluster, or singletons
    d = in_p + in_q - 2.0 * both
    expected = in_p + in_q - 2.0 * in_p * in_q / m
    share = np.divide(d, expected, out=np.zeros(h), where=expected > 0.0)
    return np.asarray(1.0 - share)
