"""The objects treated most differently, as the report shows them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.influence.differences import ObjectDiscordance
from concordant.partition.naming import printed
from concordant.partition.partition import Partition
from concordant.plot.order import strongest

_LEAST = 0.004  # a share of a bar that is too narrow to be seen


def object_views(
    found: ObjectDiscordance,
    partitions: Sequence[Partition],
    colors: Sequence[Sequence[str]],
    truth: Partition | None,
    most: int,
) -> list[dict[str, Any]]:
    """Describe the objects that two partitions treat most differently, in order."""
    first = found.largest(most)
    first = first[found.values[first] > 0.0]
    names = object_names(*partitions)
    sides = [
        _sides(partition.take(first), of_clusters)
        for partition, of_clusters in zip(partitions, colors, strict=True)
    ]
    classes = [""] * len(first)
    if truth is not None:
        true = truth.take(first)
        classes = [printed(true.clusters[k]) for k in strongest(true)[0]]
    return [
        {
            "rank": rank + 1,
            "name": printed(names[i]),
            "discordance": float(found.values[i]),
            "error": float(found.standard_errors[i]),
            "sides": [side[rank] for side in sides],
            "truth": classes[rank],
        }
        for rank, i in enumerate(first)
    ]


def object_names(*partitions: Partition) -> NDArray[np.generic]:
    """Return the ids of the first partition that has any, else rows from 1."""
    for partition in partitions:
        if partition.ids is not None:
            return partition.ids
    return np.arange(1, partitions[0].n_objects + 1)


def _sides(part: Partition, colors: Sequence[str]) -> list[tuple[str, float, str]]:
    """Return the cluster of each object, its membership, and a bar as a CSS colour."""
    clusters, memberships = strongest(part)
    if part.kind == "crisp":
        bars = [colors[k] for k in clusters]
    else:
        bars = [_gradient(row, colors) for row in part.memberships]
    names = [printed(part.clusters[k]) for k in clusters]
    return [*zip(names, memberships.tolist(), bars, strict=True)]


def _gradient(row: NDArray[np.float64], colors: Sequence[str]) -> str:
    """Stack memberships from left to right in a CSS gradient."""
    stops, left = [], 0.0
    for color, membership in zip(colors, row, strict=True):
        if membership < _LEAST:
            continue
        right = left + 100.0 * membership
        stops.append(f"{color} {left:.1f}% {right:.1f}%")
        left = right
    return f"linear-gradient(90deg,{','.join(stops)})"
