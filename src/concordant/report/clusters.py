"""Partitions and their clusters as the report shows them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.partition.naming import printed
from concordant.partition.partition import Partition
from concordant.plot.order import strongest
from concordant.report.sentences import number

_MOST_CLUSTERS = 12


def partition_view(
    P: Partition, name: str, role: str, colors: Sequence[str], reading: str
) -> dict[str, Any]:
    """Describe a partition: its clusters with size and colour, and remarks on it."""
    largest = ""
    if P.kind != "crisp":
        largest = number(float(strongest(P)[1].mean()), 3)
    digits = 0 if P.kind == "crisp" else 1
    sizes = [f"{size:,.{digits}f}" for size in sizes_of(P)[:_MOST_CLUSTERS]]
    names = [printed(cluster) for cluster in P.clusters[:_MOST_CLUSTERS]]
    return {
        "role": role,
        "name": printed(name),
        "kind": P.kind,
        "n_clusters": P.n_clusters,
        "clusters": [*zip(names, sizes, colors, strict=False)],
        "n_hidden": P.n_clusters - len(names),
        "largest": largest,
        "reading": printed(reading) if reading else "",
        "remarks": [printed(remark) for remark in P.remarks],
    }


def sizes_of(P: Partition) -> NDArray[np.float64]:
    """Return the sum of the memberships in each cluster."""
    if P.kind == "crisp":
        return np.bincount(P.labels, minlength=P.n_clusters).astype(np.float64)
    return np.asarray(P.columns().sum(axis=1))
