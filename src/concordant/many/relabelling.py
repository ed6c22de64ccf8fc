"""One joint relabelling of the clusters of many partitions."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Matrix, Vector
from concordant.errors import InputMemoryError
from concordant.execution.single_thread import single_blas_thread
from concordant.partition.partition import Partition
from concordant.storage.memory import excess
from concordant.sums.matching import best_pairs
from concordant.underflow import tiny_is_zero

#: Inner products of clusters, of shape (k, K, k, K).
Overlaps = NDArray[np.float64]
#: Which cluster of each partition stands in each common column, of shape (k, K).
Orders = NDArray[np.intp]

_SAME = 1e-12  # the relative difference of totals that are rounded differently
_ROUNDS = 5  # of relabelling by the mean, after which it has not come to rest
_NEIGHBOURS = 4  # that each partition is compared with: all, of nine or fewer
_CHECKING = 10**8  # products, beyond which neighbours are fewer
_AGREEING = 16  # first searches that end alike, after which the result is kept
_RANDOM = 20  # starts beside those from each partition
_SHAKES = 1000  # of the best relabelling without a gain, after which it is kept
_MANY = 10_000  # clusters in all, whose overlaps may not fit into memory
_WORK = 5 * 10**8  # inner products that are looked at, after which no search begins


@single_blas_thread()
@tiny_is_zero
def common_orders(
    partitions: Sequence[Partition], weights: Vector, fixed: int | None = None
) -> Orders:
    """
    Return for each partition which of its clusters stands in each common column.

    Each is relabelled by the mean of those before it, and then of all others, in O(k).
    That is kept if partitions also agree with one another that no other order is
    better: with a few others each, which are all if they are few. Else they are
    searched jointly. One partition may be `fixed` in its order.
    """
    k, K = len(partitions), max(p.n_clusters for p in partitions)
    too_much = excess(8 * (k * K) ** 2) if k * K > _MANY else ""
    if too_much:
        raise InputMemoryError(
            f"the overlaps of {K} clusters in each of {k} partitions {too_much}"
        )
    columns = [partition.columns() for partition in partitions]
    orders, total = by_running_mean(columns, weights, fixed)
    if _settled(columns, weights, fixed, orders, total) and _agree(columns, orders):
        return orders
    return joint_orders(overlaps(columns, weights), fixed)


def by_running_mean(
    columns: Sequence[Matrix], weights: Vector, fixed: int | None = None
) -> tuple[Orders, Matrix]:
    """Relabel each by the mean of those before it, and return orders and the sum."""
    K = max(map(len, columns))
    first = max(range(len(columns)), key=lambda a: len(columns[a]))
    first = first if fixed is None else fixed
    orders = np.tile(np.arange(K), (len(columns), 1))
    total = np.zeros((K, columns[0].shape[1]))
    add_to(total, columns[first], orders[first], weights[first])
    for number, own in enumerate(columns):
        if number != first:
            gains = np.zeros((K, K))
            gains[: len(own)] = own @ total.T
            orders[number] = _assigned(gains)
            add_to(total, own, orders[number], weights[number])
    return orders, total


def _settled(
    columns: Sequence[Matrix],
    weights: Vector,
    fixed: int | None,
    orders: Orders,
    total: Matrix,
) -> bool:
    """Relabel each by the mean of all others, and return whether that came to rest."""
    for _ in range(_ROUNDS):
        gains = np.zeros((len(columns), len(total), len(total)))
        for number, own in enumerate(columns):
            in_order = orders[number] < len(own)
            gains[number, : len(own)] = own @ total.T
            among = own @ own[orders[number][in_order]].T
            gains[number, : len(own), in_order] -= weights[number] * among.T
        moved = [a for a in _not_best(gains, orders) if a != fixed]
        for number in moved:
            own = columns[number]
            add_to(total, own, orders[number], -weights[number])
            gains[number] = 0.0
            gains[number, : len(own)] = own @ total.T
            orders[number] = _assigned(gains[number])
            add_to(total, own, orders[number], weights[number])
        if not moved:
            return True
    return False


def _agree(columns: Sequence[Matrix], orders: Orders) -> bool:
    """Return whether no two neighbours would rather have another order."""
    k, K, n = *orders.shape, columns[0].shape[1]
    n_others = max(1, min(_NEIGHBOURS, _CHECKING // (k * n * K * K)))
    for away in range(1, min(n_others, k // 2) + 1):
        gains = np.zeros((k, K, K))
        for a, own in enumerate(columns):
            other = columns[a - away]
            gains[a, : len(own), : len(other)] = own @ other.T
        theirs = np.roll(orders, away, axis=0)
        in_order = np.take_along_axis(gains, theirs[:, np.newaxis], axis=2)
        if _not_best(in_order, orders):
            return False
    return True


def _not_best(gains: NDArray[np.float64], orders: Orders) -> list[int]:
    """Return where another order of rows has a larger total gain, beyond rounding."""
    in_order = np.take_along_axis(gains, orders[:, :, np.newaxis], axis=1)
    now = np.diagonal(in_order, axis1=1, axis2=2)
    found = []
    for number in np.flatnonzero((now < in_order.max(axis=2)).any(axis=1)).tolist():
        rows, best = best_pairs(in_order[number])
        total = float(now[number].sum())
        if in_order[number, rows, best].sum() > total + _SAME * abs(total):
            found.append(number)
    return found


def add_to(total: Matrix, own: Matrix, order: Orders, weight: float) -> None:
    """Add the clusters of a partition, in their order, to a sum."""
    for column, cluster in enumerate(order):
        if 0 <= cluster < len(own):
            total[column] += weight * own[cluster]


def overlaps(columns: Sequence[Matrix], weights: Vector) -> Overlaps:
    """
    Return the inner products of all clusters of all partitions, times both weights.

    Partitions of fewer clusters have empty ones behind theirs.
    """
    k, K = len(columns), max(map(len, columns))
    found = np.zeros((k, K, k, K))
    for a, one in enumerate(columns):
        for b in range(a, k):
            shared = weights[a] * weights[b] * (one @ columns[b].T)
            found[a, : len(one), b, : len(columns[b])] = shared
            found[b, : len(columns[b]), a, : len(one)] = shared.T
    return found


def joint_orders(shared: Overlaps, fixed: int | None = None) -> Orders:
    """
    Return for each partition which of its clusters stands in each common column.

    The total overlap of clusters in the same column, over all pairs of partitions, is
    maximised: one partition after the other is relabelled by an assignment, given all
    others, until none gains. Searches start from the order of every partition and from
    random ones. Unless the first of these end alike, they go on from changes of the
    best. One partition may be `fixed` in its order.
    """
    search = _Search(shared, fixed)
    members = [*range(len(shared))] if fixed is None else [fixed]
    starts = (*members, *(None for _ in range(_RANDOM)))
    gains: list[int] = []
    for number in starts:
        start = search.random() if number is None else _by_partition(shared, number)
        gains.append(search.go_on(start))
        alike = len(gains) == _AGREEING and not any(gains[1:])
        if alike or search.work > _WORK:
            return search.best
    since = 0
    while since < _SHAKES and search.work < _WORK:
        start = (
            search.random() if since % 3 == 0 else search.changed(whole=since % 3 == 1)
        )
        since = 0 if search.go_on(start) > 0 else since + 1
    return search.best


class _Search:
    """The best relabelling that was found so far."""

    def __init__(self, shared: Overlaps, fixed: int | None) -> None:
        self._shared, self._fixed = shared, fixed
        self._rng = np.random.default_rng(0)  # the result depends on the data alone
        self.best: Orders = np.tile(np.arange(shared.shape[1]), (len(shared), 1))
        self._total = -np.inf
        self.work = 0

    def go_on(self, start: Orders) -> int:
        """Search from another start, and return 1 for a gain, 0 for the same, or -1."""
        orders = self._ascended(start)
        total = _total(self._shared, orders)
        if abs(total - self._total) <= _SAME * abs(total):
            return 0
        if total < self._total:
            return -1
        self.best, self._total = orders, total
        return 1

    def random(self) -> Orders:
        """Return a random relabelling."""
        return self._rng.permuted(self.best, axis=1)

    def changed(self, *, whole: bool) -> Orders:
        """Return the best, some partitions relabelled wholly or in some columns."""
        k, K = self.best.shape
        n_changed = 1 + int(self._rng.integers(max(2, k // 2)))
        rows = self._rng.choice(k, size=min(n_changed, k), replace=False)
        n_columns = K if whole else min(K, 2 + int(self._rng.integers(3)))
        columns = self._rng.choice(K, size=n_columns, replace=False)
        part = self.best[rows[:, None], columns]
        found = self.best.copy()
        found[rows[:, None], columns] = (
            self._rng.permuted(part, axis=1) if whole else part[:, ::-1]
        )
        return found

    def _ascended(self, start: Orders) -> Orders:
        """Relabel one partition after the other, given all others, until none gains."""
        orders = start.copy()
        if self._fixed is not None:
            orders = orders[:, np.argsort(orders[self._fixed])]
        k, K = orders.shape
        everyone, columns = np.arange(k)[:, None], np.arange(K)
        number = n_settled = 0
        while n_settled < k:
            own = self._shared[number]
            gains = own[:, everyone, orders].sum(axis=1)
            gains -= own[:, number, orders[number]]
            order = _assigned(gains)
            now = float(gains[orders[number], columns].sum())
            then = float(gains[order, columns].sum())
            n_settled += 1
            if number != self._fixed and then > now + _SAME * abs(now):
                orders[number], n_settled = order, 1
            number = (number + 1) % k
            self.work += k * K * K
        return orders


def _total(shared: Overlaps, orders: Orders) -> float:
    """Return the overlap of clusters in the same column, of all pairs of partitions."""
    everyone, columns = np.arange(len(orders))[:, None], np.arange(orders.shape[1])
    return sum(
        float(own[order][columns, everyone, orders].sum())
        - float(own[order, number, order].sum())
        for number, (own, order) in enumerate(zip(shared, orders, strict=True))
    )


def _by_partition(shared: Overlaps, number: int) -> Orders:
    """Relabel all partitions by their overlap with one."""
    return np.array([_assigned(own[:, number, :]) for own in shared])


def _assigned(gains: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return the row of each column whose total gain is largest, each row once."""
    return best_pairs(gains.T)[1]
