"""One partition for many: the one that is nearest to all of them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue import FREE_SUMS
from concordant.errors import Argument, InputError, InputTypeError, Setting, Wordings
from concordant.execution.run import generator
from concordant.many.aligned import AlignedClusters, aligned_to, jointly_aligned
from concordant.many.given import ending, given_partitions, spoken
from concordant.partition.alignment import Align
from concordant.partition.memberships import TOLERANCE
from concordant.partition.partition import Partition
from concordant.printing import Readable, Shown, short
from concordant.wording import check_choice, check_count, count

Matrix = NDArray[np.float64]
Method = Literal["euclidean", "comembership"]

_MEMBERS, _RANDOM = 10, 10  # starts of a search
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
    alignment : AlignedClusters
        The partitions, with clusters in the order of those of the consensus.
    method : {"euclidean", "comembership"}
        Which distance it is.
    """

    partition: Partition
    criterion: float
    distances: Matrix
    weights: Matrix
    alignment: AlignedClusters = field(repr=False)
    method: Method = "euclidean"

    def __repr__(self) -> str:
        return f"Consensus({self._title()})"

    def _title(self) -> str:
        clusters = count(self.partition.n_clusters, "cluster")
        return (
            f"{len(self.distances)} partitions, {clusters}, {self.method}, criterion "
            f"{short(self.criterion)}"
        )

    def _shown(self) -> Shown:
        of_each = zip(self.alignment.names, self.weights, self.distances, strict=True)
        rows = [
            [ending(name), f"{weight:g}", short(distance)]
            for name, weight, distance in of_each
        ]
        header = ("partition", "weight", "distance")
        return Shown(self._title(), header=header, rows=rows)


def consensus(
    partitions: object,
    *,
    method: Method = "euclidean",
    n_clusters: int | None = None,
    weights: Sequence[float] | None = None,
    random_state: int | np.random.Generator | None = None,
    names: Sequence[str] | None = None,
    align: Align = "position",
) -> Consensus:
    """
    Find the partition that is nearest to many: the least sum of ``w_b d_b²``.

    Parameters
    ----------
    partitions : sequence or mapping of partitions, data frame, or path
        As in `agreement`.
    method : {"euclidean", "comembership"}, default="euclidean"
        Which distance d_b from a partition U_b to the consensus M is: ``"euclidean"``
        is ``||U_b - M||_F`` with the clusters of U_b in the order that makes it least,
        so that M is the mean of the memberships after one joint relabelling, as
        CLUMPP averages runs. ``"comembership"`` is ``||U_b U_b' - M M'||_F``, which
        needs no order of the clusters.
    n_clusters : int, optional
        The number of clusters of the consensus; by default the largest among the
        partitions, which ``"euclidean"`` always has.
    weights : sequence of k float, optional
        w_b, 1 by default.
    random_state : int, numpy.random.Generator or None, default=None
        Source of random starts, for ``"comembership"``.
    names : sequence of k str, optional
        What the partitions are called; see `agreement`.
    align : {"position", "index", "common"}, default="position"
        How objects are matched; see `agreement`. Objects that one partition drops as
        noise are left out of all.

    Returns
    -------
    Consensus
        With ``.partition``, ``.criterion``, ``.distances`` and ``.alignment``.

    Raises
    ------
    ValueError, TypeError
        As for `agreement`, and for impossible `n_clusters` and `weights`.

    Notes
    -----
    ``"euclidean"`` takes what `align_clusters` does. ``"comembership"`` takes
    projected gradients from the Euclidean mean, from up to ten of the partitions and
    from ten random starts, of which the best is returned: O(n K L) a step for L
    clusters in all partitions together, without any n x n matrix.

    References
    ----------
    Hornik (2005), Journal of Statistical Software 14(12); Gordon, Vichi (2001),
    Psychometrika 66(2); Jakobsson, Rosenberg (2007), Bioinformatics 23(14).

    Examples
    --------
    >>> import concordant as cc
    >>> runs = [[[0.9, 0.1], [0.2, 0.8]], [[0.1, 0.9], [0.6, 0.4]]]
    >>> found = cc.consensus(runs)
    >>> found.partition.memberships.round(6).tolist()
    [[0.9, 0.1], [0.3, 0.7]]
    >>> round(found.criterion, 6)
    0.04
    """
    check_choice("method", method, get_args(Method), optional=False)
    rng = generator(random_state)
    given = given_partitions(partitions, names, align)
    members = given.on_same_objects(align)
    w = _checked(weights, len(members))
    most = max(member.n_clusters for member in members)
    if n_clusters is not None:
        check_count("n_clusters", n_clusters)
    if method == "euclidean":
        if n_clusters not in (None, most):
            raise InputError(
                Setting("method", "euclidean"),
                f" gives as many clusters as the partition that has most, {most}, "
                "found ",
                Wordings(f"n_clusters={n_clusters}", f"--k {n_clusters}"),
                "; leave it out, or use ",
                Setting("method", "comembership"),
            )
        return averaged(members, given.names, w)
    return _by_comembership(members, given.names, w, n_clusters or most, rng)


def averaged(
    members: Sequence[Partition], names: Sequence[str], weights: Matrix
) -> Consensus:
    """Return the mean of the memberships, after one joint relabelling."""
    shares = weights / weights.max()  # which neither overflow nor vanish when squared
    # Partitions that count nothing are relabelled as well.
    aligned = jointly_aligned(members, names, np.maximum(shares, _LEAST))
    rows = [aligned.memberships(number) for number in range(len(members))]
    M = sum(w * U for w, U in zip(shares, rows, strict=True)) / shares.sum()
    distances = np.array([float(np.linalg.norm(U - M)) for U in rows])
    return Consensus(
        mean_partition(M, members),
        float(weights @ np.square(distances)),
        distances,
        weights,
        aligned,
    )


def _by_comembership(
    members: Sequence[Partition],
    names: Sequence[str],
    weights: Matrix,
    K: int,
    rng: np.random.Generator,
) -> Consensus:
    for member, name in zip(members, names, strict=True):
        if member.kind in FREE_SUMS:
            raise InputError(
                Setting("method", "comembership"),
                f" needs rows that sum to 1, and {spoken(name)} is {member.kind}; use ",
                Setting("method", "euclidean"),
            )
    rows = [np.ascontiguousarray(member.memberships) for member in members]
    criterion = Criterion(rows, weights / weights.max())
    starts = _starts(averaged(members, names, weights).partition, rows, K, rng)
    _, M = min((criterion.minimized(start) for start in starts), key=lambda one: one[0])
    distances = np.array([Criterion([U], np.ones(1)).at(M)[0] for U in rows])
    distances = np.sqrt(np.maximum(distances, 0.0))
    found = mean_partition(M, members)
    return Consensus(
        found,
        float(weights @ np.square(distances)),
        distances,
        weights,
        aligned_to(found, members, names),
        "comembership",
    )


def _starts(
    mean: Partition, rows: Sequence[Matrix], K: int, rng: np.random.Generator
) -> Iterator[Matrix]:
    """Yield memberships in K clusters: of partitions with no more, and random ones."""
    n = mean.n_objects
    some = [U for U in (mean.memberships, *rows) if U.shape[1] <= K][: 1 + _MEMBERS]
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
        ids=_first(member.ids for member in members),
        groups=_first(member.groups for member in members),
    )


def _first(known: Iterable[object]) -> object:
    return next((each for each in known if each is not None), None)


def _checked(weights: Sequence[float] | None, k: int) -> Matrix:
    if weights is None:
        return np.ones(k)
    try:
        found = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputTypeError(
            Argument("weights"), f" must be numbers, found {weights!r}"
        ) from None
    if found.shape != (k,):
        raise InputError(
            Argument("weights"),
            f" must be one number for each of {k} partitions, found shape "
            f"{found.shape}",
        )
    if not np.isfinite(found).all() or (found < 0.0).any() or not found.any():
        raise InputError(
            Argument("weights"),
            f" must be finite and not negative, and not all 0, found {found.tolist()}",
        )
    return found


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
