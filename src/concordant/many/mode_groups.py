"""Groups of partitions that found the same solution."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue import VALUES, Similarity, loaded
from concordant.inference.moments import null_moments
from concordant.many.given import ending
from concordant.pairs.dense import to_objects, values_of_all_pairs
from concordant.partition.partition import Partition
from concordant.printing import Readable, Shown, short, shortened
from concordant.wording import count

Square = NDArray[np.float64]
Vector = NDArray[np.float64]
#: Positions of partitions.
Runs = tuple[int, ...]

_LISTED = 60  # characters of the names of a mode
_LEVEL = 0.05  # of all comparisons of two groups together
_OBJECTS = 300  # that tell how contrasts vary from object to object
_FEWEST = 4  # objects that tell it, as for an interval


@dataclass(frozen=True, eq=False, repr=False)
class Mode:
    """
    Partitions that found the same solution.

    Parameters
    ----------
    runs : tuple of int
        Their positions.
    names : tuple of str
        What they are called.
    typical : int
        The position of the one that agrees best with the others of the mode.
    agreement : float
        The mean ACI of pairs within the mode; NaN for a single partition.
    partition : Partition
        Their memberships, averaged after one joint relabelling.
    """

    runs: Runs
    names: tuple[str, ...]
    typical: int
    agreement: float
    partition: Partition = field(repr=False)

    def __len__(self) -> int:
        return len(self.runs)

    def __repr__(self) -> str:
        return f"Mode({', '.join(self.names)})"


class Modes(Readable, tuple[Mode, ...]):
    """Modes, the largest first, which print as a table."""

    __slots__ = ()

    @property
    def labels(self) -> NDArray[np.intp]:
        """The number of each partition's mode, from 0 on."""
        found = np.empty(sum(map(len, self)), dtype=np.intp)
        for number, mode in enumerate(self):
            found[[*mode.runs]] = number
        return found

    def _shown(self) -> Shown:
        n_runs = sum(map(len, self))
        rows = []
        for number, mode in enumerate(self, start=1):
            names = dict(zip(mode.runs, mode.names, strict=True))
            listed = shortened(", ".join(map(ending, mode.names)), _LISTED)
            typical = ending(names[mode.typical])
            size, agreement = f"{len(mode)}", short(mode.agreement)
            rows.append([f"{number}", typical, listed, size, agreement])
        alone = "two partitions are one mode if they agree more than by chance"
        return Shown(
            f"{count(len(self), 'mode')} of {count(n_runs, 'partition')}",
            [alone] if n_runs == 2 and len(self) == 1 else [],
            ("mode", "typical", "partitions", "size", "ACI within"),
            rows,
            n_texts=3,
        )


def coherent_groups(
    partitions: Sequence[Partition],
    distances: Square,
    tree: Square,
    value: Similarity,
) -> list[Runs]:
    """
    Divide partitions of the same objects into groups that say the same.

    Two branches of the tree say the same unless partitions of different branches are
    farther apart than those of the same branch: by more than objects let them vary, at
    a level for all pairs of groups together, and by more than 1 / sqrt(n). Two single
    partitions say the same unless they agree no more than by chance.
    """
    contrast = _Contrast(partitions, distances, value)
    groups = [(number,) for number in range(len(partitions))]
    branches: list[Runs] = [*groups]
    coherent = {*groups}
    for one, other in tree[:, :2].astype(int).tolist():
        left, right = branches[one], branches[other]
        both = tuple(sorted(left + right))
        branches.append(both)
        if left in coherent and right in coherent and not contrast.differ(left, right):
            coherent.add(both)
    found: list[Runs] = []
    for group in sorted(coherent, key=len, reverse=True):
        if not any({*group} <= {*larger} for larger in found):
            found.append(group)
    return [part for group in found for part in contrast.justified(group)]


class _Contrast:
    """How much farther apart groups are than the partitions within."""

    def __init__(
        self, partitions: Sequence[Partition], distances: Square, value: Similarity
    ) -> None:
        self._distances = distances
        k, n = len(distances), partitions[0].n_objects
        rng = np.random.default_rng(0)  # the result depends on the data alone
        some = np.sort(rng.choice(n, size=min(n, _OBJECTS), replace=False))
        columns = loaded(VALUES[value].columns)
        self._some = [partition.take(some) for partition in partitions]
        self._values = [values_of_all_pairs(columns(p), value) for p in self._some]
        self._similarity = value
        self._n, self._n_some = n, len(some)
        self._all = frozenset(range(k))
        # All pairs of disjoint groups, none of them empty, and of single partitions.
        self._quantile = _quantile((3**k - 2 ** (k + 1) + 1) // 2)
        self._of_chance = _quantile(k * (k - 1) // 2)

    def differ(self, left: Runs, right: Runs) -> bool:
        """Return whether two groups are farther apart than the partitions within."""
        inside = [group for group in (left, right) if len(group) > 1]
        weights: dict[tuple[int, int], float] = {}
        for group in inside:
            pairs = [*combinations(group, 2)]
            weights |= dict.fromkeys(pairs, -1.0 / (len(inside) * len(pairs)))
        if not inside:  # nothing tells how far apart the same ones are
            return self._are_unrelated(*left, *right)
        across = [*product(left, right)]
        return self._is_positive(weights | dict.fromkeys(across, 1.0 / len(across)))

    def _are_unrelated(self, a: int, b: int) -> bool:
        """Return whether two partitions agree no more than by chance."""
        away = float(self._distances[a, b])
        if away <= 1.0 / math.sqrt(self._n) or self._n < _FEWEST:
            return False
        moments = null_moments(
            self._some[a], self._some[b], similarity=self._similarity
        )
        return 1.0 - away <= self._of_chance * moments.aci_sd

    def justified(self, group: Runs) -> Iterator[Runs]:
        """Yield a group; two partitions singly, unless nearer than to all others."""
        others = self._all.difference(group)
        if len(group) != 2 or not others:
            yield group
            return
        across = [*product(group, others)]
        weights = {group: -1.0, **dict.fromkeys(across, 1.0 / len(across))}
        if self._is_positive(weights):
            yield group
        else:
            yield from ((number,) for number in group)

    def _is_positive(self, weights: dict[tuple[int, int], float]) -> bool:
        """Return whether a weighted sum of distances is more than noise."""
        total = sum(w * self._distances[pair] for pair, w in weights.items())
        if total <= 1.0 / math.sqrt(self._n) or self._n < _FEWEST:
            return False
        of_pairs = np.zeros_like(self._values[0])
        for (a, b), weight in weights.items():
            away = np.abs(self._values[a] - self._values[b])
            mean = float(away.mean())
            if mean > 0.0:  # as far apart on average as by all objects
                of_pairs += weight * float(self._distances[a, b]) / mean * away
        of_objects = to_objects(of_pairs, self._n_some) / (self._n_some - 1)
        error = 2.0 * float(of_objects.std(ddof=1)) / math.sqrt(self._n)
        return bool(total > self._quantile * error)


def _quantile(n_pairs: int) -> float:
    """Return how many standard errors hardly one of so many comparisons passes."""
    from scipy.special import ndtri_exp

    return -float(ndtri_exp(math.log(_LEVEL) - math.log(max(1, n_pairs))))
