"""The search for the partition whose expected loss is least."""

from collections.abc import Iterator, Sequence

import numpy as np

from concordant.arrays import Positions
from concordant.kernels.shared_by_draws import (
    State,
    first_seen,
    price_of_cluster,
    sweep,
)
from concordant.many.distinct_draws import Draws, Loss, Losses, consecutive

_CANDIDATES, _JUDGES = 200, 500  # draws that are ranked, and those that rank them
_TREE = 4000  # objects, of which a tree is made
_SINGLETONS = 4e8  # squared objects by draws, up to which a search starts from them
_CUTS, _DRAWS = 3, 12  # that searches start from
_AGREEING = 4  # searches in a row that end alike, after which no other begins
_SHAKES = 40  # of the best without a gain, after which it is kept
_WORK = 6e8  # numbers looked at by sweeps, after which there are no more
_SWEEPS = 100
_PIECES = 5  # of each cluster, that are tried as one of their own
_GAIN = 1e-12  # of a loss, below which it is rounding


def least_loss(
    draws: Draws, loss: Loss, most: int | None, rng: np.random.Generator
) -> Positions:
    """
    Return the labels of the partition that loses least, with `most` clusters.

    Clusters are numbered in the order of their first objects.
    """
    draws = draws.some(np.flatnonzero(draws.weights > 0.0))
    search = _Steps(Losses(draws, loss), most or draws.n_objects, rng)
    n_alike = 0
    for start in _starts(draws, loss, search.most, rng):
        n_alike = 0 if search.go_on(start) else n_alike + search.is_alike
        if n_alike == _AGREEING:
            break
    while search.split():
        pass
    n_alike = 0
    while n_alike < _SHAKES and search.work < _WORK:
        n_alike = 0 if search.go_on(search.shaken()) else n_alike + 1
    found = search.best[np.newaxis]
    first_seen(found, draws.n_objects)
    return search.best


class _Steps:
    """The best partition that was found so far."""

    def __init__(self, losses: Losses, most: int, rng: np.random.Generator) -> None:
        self._losses, self.most, self._rng = losses, most, rng
        is_corrected = losses.loss == "aci"
        self._least = _GAIN * (1.0 if is_corrected else max(losses.values[-1], 1.0))
        self.work = 0.0
        self.best = np.zeros(losses.draws.n_objects, dtype=np.intp)
        self._loss = losses.expected(losses.state(self.best))

    def shaken(self) -> Positions:
        """Return the best with two clusters merged, or a cluster as a draw has it."""
        found, draws = self.best.copy(), self._losses.draws
        if self._rng.random() < 0.5:
            found[found == self._rng.choice(found)] = self._rng.choice(found)
        else:
            theirs = draws.labels(int(self._rng.integers(len(draws))))
            found[theirs == self._rng.choice(theirs)] = found.max() + 1
        return found

    def go_on(self, start: Positions) -> bool:
        """Descend from a start, and return whether that is better than all before."""
        labels = self._descended(start)
        state = self._losses.state(labels)
        if not self._is_better(state):
            self.is_alike = self._losses.expected(state) < self._loss + _GAIN
            return False
        self.best, self._loss = labels, self._losses.expected(state)
        return True

    def _is_better(self, state: State) -> bool:
        return self._losses.expected(state) < self._loss - _GAIN

    def _descended(self, labels: Positions) -> Positions:
        """Move objects and merge clusters until nothing is better."""
        state = self._losses.state(consecutive(labels))
        for _ in range(_SWEEPS):
            state = self._merged(self._swept(state))
            if not self._n_moved:
                break
        return consecutive(state.ours)

    def _swept(self, state: State) -> State:
        K = len(state.sizes) - 1
        among = np.arange(K + (self.most > K))
        order = self._rng.permutation(len(state.ours))
        self.work += float(len(order)) * len(self._losses.draws) * len(among)
        self._n_moved = sweep(state, order, among, self._least)
        return self._losses.state(consecutive(state.ours))

    def _merged(self, state: State) -> State:
        """Merge clusters as long as that is better, or there are too many."""
        while True:
            K = len(state.sizes) - 1
            gain, pair = -np.inf if self.most < K else self._least, None
            for one in range(K - 1):
                others = np.arange(one + 1, K + 1)  # the last one is empty
                price_of_cluster(state, one, others)
                *costs, alone = state.costs[: len(others)]
                other = int(np.argmin(costs))
                if alone - costs[other] > gain:
                    gain, pair = alone - costs[other], (one, one + 1 + other)
            if pair is None:
                return state
            self._n_moved += 1
            ours = np.where(state.ours == pair[0], pair[1], state.ours)
            state = self._losses.state(consecutive(ours))

    def split(self) -> bool:
        """Give a piece of a cluster one of its own, and return whether that helped."""
        better = (state.ours for state in self._pieces() if self._is_better(state))
        return any(self.go_on(start) for start in better)

    def _pieces(self) -> Iterator[State]:
        """Yield the best with a cluster in two, as a draw has it, but improved."""
        labels, draws = self.best, self._losses.draws
        K = int(labels.max()) + 1
        for cluster in range(K if self.most > K else 0):
            members = np.flatnonzero(labels == cluster)
            numbers = self._rng.permutation(len(draws))[:_PIECES]
            for number in numbers if len(members) > 1 else ():
                theirs = draws.labels(number)[members]
                piece = members[theirs == self._rng.choice(theirs)]
                if len(piece) == len(members):
                    continue
                ours = labels.copy()
                ours[piece] = K
                state = self._losses.state(ours)
                for _ in range(_SWEEPS):
                    order = self._rng.permutation(members)
                    if not sweep(state, order, np.array([cluster, K]), self._least):
                        break
                yield state


def _starts(
    draws: Draws, loss: Loss, most: int, rng: np.random.Generator
) -> Iterator[Positions]:
    """Yield the best draws, the best cuts of the tree, and singletons."""
    n, B = draws.n_objects, len(draws)
    numbers = rng.permutation(B)
    judges = draws.some(np.sort(numbers[:_JUDGES]))
    if n <= _TREE:
        yield from _best(judges, loss, [*_cuts(judges, most)], _CUTS)
    candidates = [draws.labels(number) for number in numbers[:_CANDIDATES]]
    yield from _best(judges, loss, candidates, _DRAWS)
    if float(n) ** 2 * B <= _SINGLETONS and most >= n:
        yield np.arange(n)


def _best(
    draws: Draws, loss: Loss, candidates: Sequence[Positions], number: int
) -> Iterator[Positions]:
    """Yield the best of some partitions, by some of the draws."""
    losses = Losses(draws, loss)
    of_each = [losses.expected(losses.state(labels)) for labels in candidates]
    for place in np.argsort(of_each, kind="stable")[:number]:
        yield candidates[place]


def _cuts(draws: Draws, most: int) -> Iterator[Positions]:
    """Yield the cuts of the average linkage tree."""
    from scipy.cluster.hierarchy import cut_tree, linkage
    from scipy.spatial.distance import squareform

    n = draws.n_objects
    if n < 2:
        return
    apart = squareform(1.0 - draws.together(), checks=False)
    tree = linkage(np.maximum(apart, 0.0), "average")
    K = min(n, most, 2 * int(draws.n_clusters().max()))
    yield from cut_tree(tree, range(1, K + 1)).T.astype(np.intp)
