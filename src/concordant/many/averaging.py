"""The partition that is nearest to many: the least sum of squared distances."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from concordant.arrays import Matrix
from concordant.catalogue.records import FREE_SUMS
from concordant.comparison import Wanted
from concordant.errors import Message, Wordings
from concordant.execution.run import Run
from concordant.execution.single_thread import single_blas_thread
from concordant.kept import kept
from concordant.many.aligned import AlignedClusters, aligned_to, jointly_aligned
from concordant.many.every_pair import scores_of_all_pairs
from concordant.many.given import ending
from concordant.many.linkage import THRESHOLD, cut, told_range
from concordant.many.relabelling import by_running_mean
from concordant.partition.memberships import TOLERANCE
from concordant.partition.partition import Partition
from concordant.printing import Readable, Shown, short
from concordant.underflow import tiny_is_zero
from concordant.wording import count

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Which distances are squared.
Distance = Literal["euclidean", "comembership"]

_MEMBERS, _RANDOM = 10, 10  # starts of a search
# Partitions, and objects of all of them together, whose ACI takes some seconds.
_MOST_MEMBERS, _MOST_ROWS = 50, 20_000
_LEAST = 1e-6  # the least weight in a relabelling, of the largest
_MIXED = 0.1  # of a start that is random, so that no cluster stays empty
# Of projected gradients:
_STEPS = 2000
_WINDOW = 8  # steps, of whose criteria the largest may not be passed
_ENOUGH = 1e-4  # of the decrease that the gradient promises
_SHORTEST, _LONGEST = 1e-10, 1e10  # steps along the gradient, of the first
_AT_REST = 1e-9  # the change of a membership by a step along the gradient


@dataclass(frozen=True, eq=False, repr=False)
class Consensus(Readable):
    """
    The partition that is nearest to many.

    Parameters
    ----------
    partition : Partition
        The consensus.
    criterion : float
        The sum of ``w_b d_b²`` that it minimises.
    distances : ndarray of k float
        d_b, from each partition to the consensus.
    weights : ndarray of k float
        w_b.
    names : tuple of k str
        What the partitions are called.
    loss : {"euclidean", "comembership"}
        Which distance it is.
    """

    partition: Partition
    criterion: float
    distances: Matrix
    weights: Matrix
    names: tuple[str, ...]
    loss: Distance
    _given: tuple[Partition, ...] = field(repr=False)
    _aligned: AlignedClusters | None = field(default=None, repr=False)

    @kept
    def alignment(self) -> AlignedClusters:
        """The partitions, with clusters in the order of those of the consensus."""
        if self._aligned is not None:
            return self._aligned
        return aligned_to(self.partition, self._given, self.names)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What to know of it: whether the partitions fall into several modes."""
        return tuple(map(str, self._remarks))

    @kept
    def _remarks(self) -> tuple[Message, ...]:
        counted = np.flatnonzero(self.weights > 0.0).tolist()
        told = modes_among([self._given[number] for number in counted])
        return () if told is None else (told,)

    def plot(self, ax: "Axes | None" = None, **options: Any) -> "Axes":
        """
        Draw the memberships of the consensus.

        Parameters
        ----------
        ax : Axes, optional
            Where to draw.
        **options
            As in `concordant.plot.memberships`.

        Returns
        -------
        Axes
            With the picture.
        """
        from concordant.plot import memberships

        return memberships(self.partition, ax=ax, **options)

    def _title(self) -> str:
        clusters = count(self.partition.n_clusters, "cluster")
        return (
            f"{len(self.distances)} partitions, {clusters}, {self.loss}, criterion "
            f"{short(self.criterion)}"
        )

    def _shown(self) -> Shown:
        of_each = zip(self.names, self.weights, self.distances, strict=True)
        rows = [
            [ending(name), f"{weight:g}", short(distance)]
            for name, weight, distance in of_each
        ]
        header = ("partition", "weight", "distance")
        return Shown(self._title(), self.remarks, header, rows)


@single_blas_thread()
@tiny_is_zero
def averaged(
    members: Sequence[Partition], names: Sequence[str], weights: Matrix
) -> Consensus:
    """Return the mean of the memberships, after one joint relabelling."""
    shares = weights / weights.max()  # which neither overflow nor vanish when squared
    # Partitions that count nothing are relabelled as well.
    aligned = jointly_aligned(members, names, np.maximum(shares, _LEAST))
    mean = np.zeros((aligned.n_clusters, members[0].n_objects))
    for number, share in enumerate(shares):
        mean += share / shares.sum() * aligned.columns(number)
    squares = (
        sum(float(away @ away) for away in aligned.columns(number) - mean)
        for number in range(len(members))
    )
    distances = np.sqrt([*squares])
    return Consensus(
        mean_partition(mean.T, members),
        float(weights @ np.square(distances)),
        distances,
        weights,
        tuple(names),
        "euclidean",
        tuple(members),
        aligned,
    )


@tiny_is_zero
def modes_among(members: Sequence[Partition]) -> Message | None:
    """
    Say so if partitions fall into several modes, and what to do.

    Of many, some are looked at, and of many objects a sample. Nothing is said where ACI
    is not defined.
    """
    k, n = len(members), members[0].n_objects
    if k < 2 or n < 2 or any(member.kind in FREE_SUMS for member in members):
        return None
    chosen = [members[k * i // _MOST_MEMBERS] for i in range(_MOST_MEMBERS)]
    taken = members if k <= _MOST_MEMBERS else chosen
    m = min(n, _MOST_ROWS // len(taken))
    if m < n:
        some = np.sort(np.random.default_rng(0).choice(n, m, replace=False))
        taken = [member.take(some) for member in taken]
    names = [f"{number}" for number in range(1, len(taken) + 1)]
    near = scores_of_all_pairs(taken, names, Wanted(("aci",)), Run()).values["aci"]
    groups, *ends = cut(near, THRESHOLD)
    if len(groups) == 1:
        return None
    by_some = f"by {m} of the {n} objects, " * (m < n)
    of_them = f"{len(taken)} of the " * (len(taken) < k)
    return Message(
        f"{by_some}{of_them}{k} partitions fall into {len(groups)} modes: any two of a "
        f"mode agree with ACI of at least {THRESHOLD} ({told_range(*ends)}); a "
        "consensus of different solutions is none of them; ",
        Wordings("agreement(partitions).modes()", "concordant modes"),
        " finds the modes and averages each, also for a lower threshold",
    )


@single_blas_thread()
def by_comembership(
    members: Sequence[Partition],
    names: Sequence[str],
    weights: Matrix,
    K: int,
    rng: np.random.Generator,
) -> Consensus:
    """Search for memberships in K clusters with the nearest co-memberships."""
    rows = [np.ascontiguousarray(member.memberships) for member in members]
    criterion = Criterion(rows, weights / weights.max())
    columns = [member.columns() for member in members]
    _, total = by_running_mean(columns, weights / weights.sum())
    starts = _starts([total.T, *rows], K, rng)
    _, M = min((criterion.minimized(start) for start in starts), key=lambda one: one[0])
    distances = np.array([Criterion([U], np.ones(1)).at(M)[0] for U in rows])
    distances = np.sqrt(np.maximum(distances, 0.0))
    found = mean_partition(M, members)
    return Consensus(
        found,
        float(weights @ np.square(distances)),
        distances,
        weights,
        tuple(names),
        "comembership",
        tuple(members),
    )


def _starts(
    rows: Sequence[Matrix], K: int, rng: np.random.Generator
) -> Iterator[Matrix]:
    """Yield memberships in K clusters: of partitions with no more, and random ones."""
    n = len(rows[0])
    some = [U for U in rows if U.shape[1] <= K][: 1 + _MEMBERS]
    for U in some:
        start = _MIXED * rng.dirichlet(np.ones(K), n)
        start[:, : U.shape[1]] += (1.0 - _MIXED) * U
        yield start / start.sum(axis=1, keepdims=True)
    for _ in range(_RANDOM):
        yield rng.dirichlet(np.ones(K), n)


def mean_partition(M: Matrix, members: Sequence[Partition]) -> Partition:
    """Make a partition with the ids and groups that the members have."""
    is_free = any(member.kind in FREE_SUMS for member in members)
    away = float(np.abs(M.sum(axis=1) - 1.0).max())
    return Partition(
        M,
        kind="possibilistic" if is_free else None,
        normalize=not is_free and away > TOLERANCE,
        **known_objects(members),
    )


def known_objects(members: Sequence[Partition]) -> dict[str, Any]:
    """Return the first ids and groups that any of some partitions has."""
    return {
        what: next((x for p in members if (x := getattr(p, what)) is not None), None)
        for what in ("ids", "groups")
    }


class Criterion:
    """
    The sum of w_b ||U_b U_b' - M M'||_F², with its gradient, without n x n matrices.

    It is W ||M'M||² - 2 sum w_b ||U_b'M||² + sum w_b ||U_b'U_b||², where W is the sum
    of the weights: with all U_b side by side, O(n K L) for L clusters in all.
    """

    def __init__(self, members: Iterable[Matrix], weights: Matrix) -> None:
        members = [*members]
        roots = np.sqrt(weights)
        self._all = np.hstack([w * U for w, U in zip(roots, members, strict=True)])
        n, n_columns = self._all.shape
        if n_columns > n:  # as few columns as objects have the same inner products
            squares, vectors = np.linalg.eigh(self._all @ self._all.T)
            self._all = vectors * np.sqrt(np.maximum(squares, 0.0))
        self._weight = float(weights.sum())
        self._own = sum(
            float(w * np.square(U.T @ U).sum())
            for w, U in zip(weights, members, strict=True)
        )

    def at(self, M: Matrix) -> tuple[float, Matrix]:
        """Return the criterion and its gradient."""
        inner, across = M.T @ M, self._all.T @ M
        value = self._weight * np.square(inner).sum() - 2.0 * np.square(across).sum()
        gradient = 4.0 * (self._weight * (M @ inner) - self._all @ across)
        return float(value) + self._own, gradient

    def minimized(self, start: Matrix) -> tuple[float, Matrix]:
        """
        Return a local minimum over memberships whose rows sum to 1.

        Spectral projected gradients (Birgin, Martínez and Raydan 2000).
        """
        M = start
        value, gradient = self.at(M)
        best, recent = (value, M), [value]
        scale = 1.0 / max(float(np.abs(gradient).max()), 1e-300)
        unit = scale
        for _ in range(_STEPS):
            direction = in_simplex(M - scale * gradient) - M
            if np.abs(direction).max() <= _AT_REST * min(1.0, scale / unit):
                break
            slope = float((gradient * direction).sum())
            length = 1.0
            while True:
                trial = M + length * direction
                value, slopes = self.at(trial)
                allowed = max(recent) + _ENOUGH * length * slope
                if value <= allowed or length < _SHORTEST:
                    break
                length *= 0.5
            moved, turned = trial - M, slopes - gradient
            curved = float((moved * turned).sum())
            along = float(np.square(moved).sum())
            scale = along / curved if curved > 0.0 else _LONGEST * unit
            scale = min(max(scale, _SHORTEST * unit), _LONGEST * unit)
            M, gradient = trial, slopes
            recent = [*recent[1 - _WINDOW :], value]
            if value < best[0]:
                best = value, M
        return best


def in_simplex(rows: Matrix) -> Matrix:
    """Return the nearest rows that are not negative and sum to 1."""
    K = rows.shape[1]
    ordered = -np.sort(-rows, axis=1)
    excess = (np.cumsum(ordered, axis=1) - 1.0) / np.arange(1, K + 1)
    n_positive = (ordered > excess).sum(axis=1)
    cut = excess[np.arange(len(rows)), n_positive - 1]
    return np.asarray(np.maximum(rows - cut[:, None], 0.0))
