"""The objects treated most differently, as the report shows them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from concordant.influence.differences import ObjectDiscordance
from concordant.partition.naming import printed
from concordant.partition.partition import Partition
from concordant.plot.order import strongest

_WIDEST = 0.004  # of a bar: what is less is not to be seen


@dataclass(frozen=True)
class Side:
    """Where one partition puts an object."""

    cluster: str
    membership: float
    bar: str  # a CSS gradient


@dataclass(frozen=True)
class ObjectView:
    """One object."""

    rank: int
    name: str
    discordance: float
    error: float
    sides: list[Side]
    truth: str


def object_views(
    found: ObjectDiscordance,
    partitions: Sequence[Partition],
    colors: Sequence[Sequence[str]],
    truth: Partition | None,
    most: int,
) -> list[ObjectView]:
    """
    Describe the objects that two partitions treat most differently.

    Parameters
    ----------
    found : ObjectDiscordance
        How differently each is treated.
    partitions : sequence of two Partitions
        P and Q.
    colors : sequence of two sequences of str
        Of their clusters.
    truth : Partition or None
        The true classes, in the same order.
    most : int
        How many to describe.

    Returns
    -------
    list of ObjectView
        The most different first.
    """
    first = found.largest(most)
    first = first[found.values[first] > 0.0]
    names = object_names(*partitions)
    parts = [partition.take(first) for partition in partitions]
    sides = [
        _sides(part, of_clusters)
        for part, of_clusters in zip(parts, colors, strict=True)
    ]
    classes = [""] * len(first)
    if truth is not None:
        true = truth.take(first)
        classes = [printed(true.clusters[k]) for k in strongest(true)[0]]
    return [
        ObjectView(
            rank=rank + 1,
            name=printed(names[i]),
            discordance=float(found.values[i]),
            error=float(found.standard_errors[i]),
            sides=[side[rank] for side in sides],
            truth=classes[rank],
        )
        for rank, i in enumerate(first)
    ]


def object_names(*partitions: Partition) -> NDArray[np.generic]:
    """
    Give what objects are called.

    Parameters
    ----------
    *partitions : Partition
        Of the same objects.

    Returns
    -------
    ndarray of shape (n,)
        The ids of the first partition that has any, else rows from 1.
    """
    for partition in partitions:
        if partition.ids is not None:
            return partition.ids
    return np.arange(1, partitions[0].n_objects + 1)


def _sides(part: Partition, colors: Sequence[str]) -> list[Side]:
    clusters, memberships = strongest(part)
    if part.kind == "crisp":
        bars = [colors[k] for k in clusters]
    else:
        bars = [_gradient(row, colors) for row in part.memberships]
    return [
        Side(printed(part.clusters[k]), float(membership), bar)
        for k, membership, bar in zip(clusters, memberships, bars, strict=True)
    ]


def _gradient(row: NDArray[np.float64], colors: Sequence[str]) -> str:
    """Stack memberships from left to right in a CSS gradient."""
    stops, left = [], 0.0
    for color, membership in zip(colors, row, strict=True):
        if membership < _WIDEST:
            continue
        right = left + 100.0 * membership
        stops.append(f"{color} {left:.1f}% {right:.1f}%")
        left = right
    return f"linear-gradient(90deg,{','.join(stops)})"
