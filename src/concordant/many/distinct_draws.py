"""Many draws of a partition, each different one once, and what they lose."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Counts, Matrix, Positions, Vector
from concordant.execution.single_thread import single_blas_thread
from concordant.kernels.shared_by_draws import (
    DISTANCES,
    LABELS,
    PRODUCTS,
    State,
    add_together,
    first_seen,
    in_common,
    tabulate,
)
from concordant.partition.labels import smallest
from concordant.partition.partition import Partition
from concordant.underflow import tiny_is_zero

#: What a crisp partition loses if a draw is true.
Loss = Literal["binder", "vi", "aci"]


@dataclass(frozen=True, eq=False)
class Draws:
    """
    The different ones among many draws.

    `rows` hold what draws say of each object: labels, one column for each draw, in the
    smallest unsigned type, or memberships, one column for each cluster of a draw. The
    clusters of draws begin at `starts`. `firsts` are the positions of the draws, and
    `which` says for each draw that was given which of the different ones it is.
    """

    rows: NDArray[Any]
    starts: Counts
    firsts: Positions
    which: Positions
    weights: Vector

    @classmethod
    def of(cls, members: Sequence[Partition], weights: Vector) -> "Draws":
        """Find the different ones."""
        columns: list[NDArray[Any]]
        if all(member.kind == "crisp" for member in members):
            most = max(member.n_clusters for member in members)
            labels = smallest(np.array([member.labels for member in members]), most)
            first_seen(labels, most)
            columns = [*labels[:, np.newaxis]]
            sizes = labels.max(axis=1).astype(np.int64) + 1
        else:
            columns = [member.columns() for member in members]
            sizes = np.array([*map(len, columns)])
        numbers: dict[bytes, int] = {}
        keys = (b"".join(sorted(map(bytes, each))) for each in columns)
        which = np.array([numbers.setdefault(key, len(numbers)) for key in keys])
        firsts = np.unique(which, return_index=True)[1]
        return cls(
            np.ascontiguousarray(np.vstack([columns[first] for first in firsts]).T),
            np.append(0, np.cumsum(sizes[firsts])),
            firsts,
            which,
            np.bincount(which, weights).astype(np.float64),
        )

    @property
    def are_crisp(self) -> bool:
        """Whether they are labels."""
        return self.rows.dtype != np.float64

    @property
    def n_objects(self) -> int:
        """The number of objects."""
        return len(self.rows)

    def __len__(self) -> int:
        return len(self.firsts)

    def some(self, numbers: Positions) -> "Draws":
        """Return some of the different ones."""
        sizes = np.diff(self.starts)[numbers]
        places = numbers
        if not self.are_crisp:
            begins = self.starts[numbers] - np.cumsum(sizes) + sizes
            places = np.repeat(begins, sizes) + np.arange(sizes.sum())
        return replace(
            self,
            rows=np.ascontiguousarray(self.rows[:, places]),
            starts=np.append(0, np.cumsum(sizes)),
            firsts=self.firsts[numbers],
            weights=self.weights[numbers],
        )

    def labels(self, number: int) -> Positions:
        """Return the clusters of a draw, of a soft one the largest memberships."""
        if self.are_crisp:
            return self.rows[:, number].astype(np.intp)
        start, stop = self.starts[number : number + 2]
        return consecutive(self.rows[:, start:stop].argmax(axis=1))

    def n_clusters(self) -> Counts:
        """Return the number of clusters that have members, of each draw."""
        if self.are_crisp:
            return np.diff(self.starts)
        is_used = (self.rows > 0.0).any(axis=0)
        return np.add.reduceat(is_used, self.starts[:-1], dtype=np.int64)

    @single_blas_thread()
    @tiny_is_zero
    def together(self) -> Matrix:
        """Return the weighted share of draws that hold each two objects together."""
        shares = self.weights / self.weights.sum()
        if not self.are_crisp:
            weighted = self.rows * np.repeat(shares, np.diff(self.starts))
            return np.asarray(weighted @ self.rows.T)
        found = np.zeros((self.n_objects, self.n_objects))
        add_together(np.ascontiguousarray(self.rows.T), self.weights, found)
        return np.asarray(found / self.weights.sum())


def consecutive(labels: NDArray[Any]) -> Positions:
    """Give the clusters that have members numbers from 0 on."""
    return np.unique(labels, return_inverse=True)[1].astype(np.intp)


class Losses:
    """What any crisp partition loses by each draw, and is expected to lose."""

    def __init__(self, draws: Draws, loss: Loss) -> None:
        self.draws, self.loss = draws, loss
        n = draws.n_objects
        of_soft = DISTANCES if loss == "aci" else PRODUCTS
        self._way = LABELS if draws.are_crisp else of_soft
        x = np.arange(n + 1.0)
        #: What a cluster of x objects counts: pairs, or x log x.
        self.values = x * (x - 1.0) / 2.0
        self._unit = 2.0 / n**2
        if loss == "vi":
            self.values, self._unit = x * np.log2(np.maximum(x, 1.0)), 1.0 / n
        self.shares = draws.weights / draws.weights.sum()
        #: What each draw counts: all of it is in common with a single cluster.
        self._own = np.zeros(0)
        self._own = self._common(self.state(np.zeros(n, dtype=np.intp)))

    def state(self, ours: Positions) -> State:
        """Return clusters beside those of the draws, with room for one more."""
        draws, K = self.draws, int(ours.max()) + 2
        corrected, B = self.loss == "aci", len(self.draws)
        sizes = np.bincount(ours, minlength=K)
        table = np.zeros(
            (draws.starts[-1] if self._way != DISTANCES else 0, K),
            dtype=np.min_scalar_type(draws.n_objects) if draws.are_crisp else float,
        )
        n_rows = B if corrected else 1
        state = State(
            self._way,
            draws.rows,
            draws.starts,
            ours.copy(),
            sizes,
            table,
            self.values,
            np.append(np.diff(self.values), 0.0),
            np.ones(B) if corrected else self.shares,
            self.shares,
            np.zeros((2 * corrected, B)),
            np.zeros(2 * corrected),
            np.zeros((n_rows, K)),
            np.zeros(K),
        )
        if self._way != DISTANCES:
            tabulate(state)
        if corrected and self._own.size:
            state.common[:] = self._common(state), self._own
            state.pairs[:] = self.values[sizes].sum(), self.values[-1]
        return state

    def _common(self, state: State) -> Vector:
        found = np.zeros(len(self.draws))
        in_common(state, found)
        return found

    def of(self, state: State) -> Vector:
        """Return the loss by each draw."""
        held, common = self.values[state.sizes].sum(), self._common(state)
        apart = held + self._own - 2.0 * common
        if self.loss != "aci":
            return np.asarray(self._unit * np.maximum(apart, 0.0))
        every = self.values[-1]
        by_chance = held * (every - self._own) + self._own * (every - held)
        found = np.zeros(len(apart))
        np.divide(apart * every, by_chance, out=found, where=by_chance > 0.0)
        return found

    def expected(self, state: State) -> float:
        """Return the mean loss."""
        return float(self.shares @ self.of(state))
