"""The clusters of many partitions, with the same number for those that are the same."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Matrix, as_positions
from concordant.catalogue.indices import INDICES
from concordant.errors import Argument, InputError
from concordant.kept import kept
from concordant.many.given import ending, given_partitions, spoken
from concordant.many.relabelling import Orders, common_orders
from concordant.partition.alignment import MatchBy, all_aligned
from concordant.partition.partition import Partition
from concordant.printing import Readable, Shown, short, shortened
from concordant.underflow import tiny_is_zero
from concordant.wording import count

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# A reference counts so much more than all partitions that these only settle what it
# leaves open.
_REFERENCE = 1e6
_LISTED = 200  # characters of names in a message


@dataclass(frozen=True, eq=False, repr=False)
class AlignedClusters(Readable):
    """
    Partitions whose clusters are numbered alike.

    Parameters
    ----------
    orders : tuple of k ndarray of int
        Of each partition, which of the clusters that were given stands in each of the
        K common columns; -1 where it has none.
    names : tuple of k str
        What the partitions are called.
    """

    orders: tuple[NDArray[np.intp], ...]
    names: tuple[str, ...]
    _given: tuple[Partition, ...] = field(repr=False)

    @kept
    def partitions(self) -> tuple[Partition, ...]:
        """The partitions, their clusters in the common order."""
        both = zip(self._given, self.orders, strict=True)
        return tuple(given._with_clusters(order[order >= 0]) for given, order in both)

    @property
    def n_clusters(self) -> int:
        """The number of common columns, K."""
        return len(self.orders[0])

    def memberships(self, number: int) -> Matrix:
        """
        Return the memberships of a partition in the common columns.

        Parameters
        ----------
        number : int
            The position of the partition.

        Returns
        -------
        ndarray of shape (n, K)
            With zeros in the columns of clusters that it does not have.
        """
        (number,) = as_positions("number", [number], len(self.partitions))
        return self.columns(number).T

    def columns(self, number: int) -> Matrix:
        """Return them as a partition has its columns: one cluster per row."""
        order = self.orders[number]
        given = self._given[number].columns()
        found = np.zeros((len(order), given.shape[1]))
        found[order >= 0] = given[order[order >= 0]]
        return found

    @kept
    @tiny_is_zero
    def similarity(self) -> Matrix:
        """
        G' of each pair under this numbering, of shape (k, k).

        G' = 1 - ||U - V||_F / sqrt(2 n), with zeros for clusters that one of them does
        not have: 1 for equal memberships, 0 for crisp ones that have nothing in common.
        It is NaN where one of them is possibilistic or overlapping: rows that may sum
        to anything have no largest distance.
        """
        k = len(self._given)
        defined = [each.kind in INDICES["matched"].kinds for each in self._given]
        found = np.where(np.outer(defined, defined), np.eye(k), np.nan)
        twice = 2.0 * self._given[0].n_objects
        columns = [self.columns(number) for number in range(k)]
        for a, b in combinations(np.flatnonzero(defined).tolist(), 2):
            away = float(np.square(columns[a] - columns[b]).sum())
            found[a, b] = found[b, a] = 1.0 - (away / twice) ** 0.5
        return found

    @property
    def mean_similarity(self) -> float:
        """H', the mean of G' over all pairs of partitions; NaN if one of these is."""
        k = len(self._given)
        if k < 2:
            return 1.0
        return float(self.similarity[np.triu_indices(k, 1)].mean())

    def __len__(self) -> int:
        return len(self._given)

    def plot(self, ax: "Axes | None" = None, **options: Any) -> "Axes":
        """
        Draw the memberships as stacked bars, a row for each partition.

        Parameters
        ----------
        ax : Axes, optional
            Where to draw.
        **options
            As in `concordant.plot.structure`.

        Returns
        -------
        Axes
            With the picture.
        """
        from concordant.plot import structure

        return structure(self, ax=ax, **options)

    def _title(self) -> str:
        clusters = count(self.n_clusters, "common cluster")
        return f"{len(self)} partitions, {clusters}{self.told_similarity(', ')}"

    def told_similarity(self, before: str) -> str:
        """Say how large H' is, but not if the numbers of clusters differ."""
        several = len({each.n_clusters for each in self._given}) > 1
        told = f"{before}mean similarity H' {short(self.mean_similarity)}"
        return "" if several else told

    def _shown(self) -> Shown:
        numbers = [f"{c + 1}" for c in range(self.n_clusters)]
        rows = [
            [ending(name), *("" if c < 0 else str(given.clusters[c]) for c in order)]
            for name, order, given in zip(
                self.names, self.orders, self._given, strict=True
            )
        ]
        return Shown(self._title(), header=["cluster", *numbers], rows=rows)


@tiny_is_zero
def align_clusters(
    partitions: object,
    reference: object = None,
    *,
    names: Sequence[str] | None = None,
    match_by: MatchBy = "position",
) -> AlignedClusters:
    """
    Align the clusters of many partitions by one joint relabelling.

    The order of clusters has no meaning in most clusterings. All partitions are
    relabelled together, so that the sum of ``||U_a - U_b||_F²`` over all pairs is as
    small as a search by assignments can make it.

    Parameters
    ----------
    partitions : sequence or mapping of partitions, data frame, or path
        As in `agreement`. They may have different numbers of clusters: those of
        partitions with fewer are numbered as the ones that they overlap most with.
    reference : partition, or the name of one of the partitions, optional
        Whose order of clusters all others follow. By default the clusters are in the
        order of the first of the partitions that have most.
    names : sequence of k str, optional
        What the partitions are called; see `agreement`.
    match_by : {"position", "id", "common"}, default="position"
        How objects are matched; see `agreement`. Objects that one partition drops as
        noise are left out of all.

    Returns
    -------
    AlignedClusters
        With the relabelled ``.partitions``, their ``.orders``, G' of all pairs as
        ``.similarity`` and H' as ``.mean_similarity``.

    Raises
    ------
    ValueError, TypeError
        As for `agreement`.

    Notes
    -----
    One partition after the other is relabelled by a linear assignment, given all
    others, until none gains. This is repeated from every partition, from random
    relabellings and from changes of the best, unless the first searches end alike, as
    they do where the partitions have much in common. The result depends on the
    data alone. All of it needs inner products of clusters only: O(k² K² n) once, then
    O(k K²) and an assignment for each step.

    References
    ----------
    Jakobsson, Rosenberg (2007), Bioinformatics 23(14), for G' and H'.

    Examples
    --------
    >>> import concordant as cc
    >>> runs = [[[0.9, 0.1], [0.2, 0.8]], [[0.1, 0.9], [0.7, 0.3]]]
    >>> found = cc.align_clusters(runs)
    >>> found.partitions[1].memberships.tolist()
    [[0.9, 0.1], [0.3, 0.7]]
    >>> found.orders[1].tolist()
    [1, 0]
    >>> round(found.mean_similarity, 6)
    0.929289
    """
    given = given_partitions(partitions, names, match_by, at_least=1)
    members = given.on_same_objects(match_by)
    if reference is None:
        return jointly_aligned(members, given.names)
    if isinstance(reference, str) and reference in given.names:
        fixed = members[given.names.index(reference)]
    else:
        path = reference.partition("#")[0] if isinstance(reference, str) else "."
        if not os.path.exists(path):
            names = shortened(", ".join(given.names), _LISTED)
            must = " must be a partition or the name of one"
            found = f", found {reference!r}; the names are {names}"
            raise InputError(Argument("reference"), must, found)
        fixed = Partition._named(reference, "reference")
        called = [*map(spoken, given.names), "reference"]
        *members, fixed = all_aligned([*members, fixed], called, match_by)
    return aligned_to(fixed, members, given.names)


def jointly_aligned(
    members: Sequence[Partition],
    names: Sequence[str],
    weights: Matrix | None = None,
) -> AlignedClusters:
    """Align clusters, in the order of the first partition that has most of them."""
    if weights is None:
        weights = np.ones(len(members))
    orders = common_orders(members, weights)
    first = max(range(len(members)), key=lambda a: members[a].n_clusters)
    return _renumbered(members, orders[:, np.argsort(orders[first])], names)


def aligned_to(
    reference: Partition, members: Sequence[Partition], names: Sequence[str]
) -> AlignedClusters:
    """Align clusters, in the order of those of a reference."""
    weights = np.append(np.ones(len(members)), _REFERENCE)
    orders = common_orders([*members, reference], weights, fixed=len(members))
    return _renumbered(members, orders[:-1], names)


def _renumbered(
    members: Sequence[Partition], orders: Orders, names: Sequence[str]
) -> AlignedClusters:
    there = (
        np.where(order < member.n_clusters, order, -1)
        for member, order in zip(members, orders, strict=True)
    )
    return AlignedClusters(tuple(there), tuple(names), tuple(members))
