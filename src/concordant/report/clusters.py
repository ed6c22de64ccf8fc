"""Partitions, their clusters and the cross-table as the report shows them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.partition.naming import printed
from concordant.partition.partition import Partition
from concordant.plot.order import strongest
from concordant.report.sentences import number

#: Number of clusters of a partition that tables show at most.
MOST_CLUSTERS = 20

_LISTED = 12


def partition_view(
    P: Partition, name: str, role: str, colors: Sequence[str], reading: str
) -> dict[str, Any]:
    """Describe a partition: its clusters with size and colour, and remarks on it."""
    is_crisp = P.kind == "crisp"
    sizes = [f"{size:,.{0 if is_crisp else 1}f}" for size in _sizes(P)[:_LISTED]]
    names = [printed(cluster) for cluster in P.clusters[:_LISTED]]
    return {
        "role": role,
        "name": printed(name),
        "kind": P.kind,
        "n_clusters": P.n_clusters,
        "clusters": [*zip(names, sizes, colors, strict=False)],
        "n_hidden": P.n_clusters - len(names),
        "largest": "" if is_crisp else number(float(strongest(P)[1].mean()), 3),
        "reading": printed(reading) if reading else "",
        "remarks": [printed(remark) for remark in P.remarks],
    }


def cells_view(P: Partition, Q: Partition) -> dict[str, Any]:
    """Describe the soft cross-table with its sums; of many clusters, the largest."""
    rows, columns = largest(_sizes(P)), largest(_sizes(Q))
    u, v = _memberships(P, rows), _memberships(Q, columns)
    in_p, in_q = _totals(P), _totals(Q)
    cells, sums = u @ v.T, u @ in_q
    shares = np.rint(100.0 * cells / np.where(sums > 0.0, sums, 1.0)[:, None])
    decimals = 0 if P.kind == Q.kind == "crisp" else 2

    def texts(values: NDArray[np.float64]) -> list[str]:
        return [f"{value:,.{decimals}f}" for value in values]

    note = ""
    if len(rows) < P.n_clusters or len(columns) < Q.n_clusters:
        note = (
            f"The largest {len(rows)} of {P.n_clusters:,} and {len(columns)} of "
            f"{Q.n_clusters:,} clusters; sums are over all."
        )
    named = [printed(P.clusters[k]) for k in rows]
    shaded = [
        [*zip(texts(row), share.astype(int).tolist(), strict=True)]
        for row, share in zip(cells, shares, strict=True)
    ]
    return {
        "columns": [printed(Q.clusters[k]) for k in columns],
        "rows": [*zip(named, shaded, texts(sums), strict=True)],
        "totals": texts(np.append(v @ in_p, in_p @ in_q)),
        "note": note,
    }


def largest(sizes: NDArray[np.float64]) -> list[int]:
    """Return the largest clusters that a table shows, in their own order."""
    return sorted(np.argsort(-sizes, kind="stable")[:MOST_CLUSTERS].tolist())


def _sizes(P: Partition) -> NDArray[np.float64]:
    """Return the sum of the memberships in each cluster."""
    if P.kind == "crisp":
        return np.bincount(P.labels, minlength=P.n_clusters).astype(np.float64)
    return np.asarray(P.columns().sum(axis=1))


def _memberships(P: Partition, clusters: list[int]) -> NDArray[np.float64]:
    """Return the memberships in some clusters, one per row."""
    if P.kind == "crisp":
        return np.asarray(np.equal.outer(clusters, P.labels), dtype=np.float64)
    return P.columns()[clusters]


def _totals(P: Partition) -> NDArray[np.float64]:
    """Return the sum of each object's memberships."""
    if P.kind == "crisp":
        return np.ones(P.n_objects)
    return np.asarray(P.columns().sum(axis=0))
