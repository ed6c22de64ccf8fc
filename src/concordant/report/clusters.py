"""Clusters as the report shows them: names, sizes, colours."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from concordant.partition.naming import printed
from concordant.partition.partition import Partition
from concordant.plot.order import strongest
from concordant.report.sentences import number


@dataclass(frozen=True)
class ClusterView:
    """One cluster: its name, its size and its colour."""

    name: str
    size: str
    color: str


@dataclass(frozen=True)
class PartitionView:
    """One partition: its name, its kind, its clusters and remarks on it."""

    role: str
    name: str
    kind: str
    n_clusters: int
    clusters: list[ClusterView]
    n_hidden: int
    sureness: str
    reading: str
    remarks: list[str]


def partition_view(
    P: Partition,
    name: str,
    role: str,
    colors: Sequence[str],
    reading: str = "",
    most: int = 12,
) -> PartitionView:
    """
    Describe a partition.

    Parameters
    ----------
    P : Partition
        The partition.
    name, role : str
        What it is called, and what it is here for.
    colors : sequence of K str
        Of its clusters.
    reading : str, optional
        How it was read from its file, if it was.
    most : int, default=12
        How many clusters are listed, if there are more.

    Returns
    -------
    PartitionView
        With the clusters in their order.
    """
    if P.kind == "crisp":
        counts = _counts(P)
        sizes = [f"{size:,}" for size in counts[:most]]
        sureness = ""
    else:
        totals = P.columns().sum(axis=1)
        sizes = [f"{size:,.1f}" for size in totals[:most]]
        sureness = number(float(strongest(P)[1].mean()), 3)
    clusters = [
        ClusterView(printed(cluster), size, color)
        for cluster, size, color in zip(
            P.clusters[:most], sizes, colors[:most], strict=True
        )
    ]
    hidden = P.n_clusters - len(clusters)
    return PartitionView(
        role=role,
        name=printed(name),
        kind=P.kind,
        n_clusters=P.n_clusters,
        clusters=clusters,
        n_hidden=hidden,
        sureness=sureness,
        reading=printed(reading) if reading else "",
        remarks=[printed(remark) for remark in P.remarks],
    )


def _counts(P: Partition) -> list[int]:
    return [int(size) for size in np.bincount(P.labels, minlength=P.n_clusters)]
