"""The soft cross-table as the report shows it."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.partition.naming import printed
from concordant.partition.partition import Partition
from concordant.report.clusters import sizes_of

#: Number of rows and columns that are shown at most.
MOST_CLUSTERS = 20


def cells_view(P: Partition, Q: Partition) -> dict[str, Any]:
    """Describe the soft cross-table with its sums; of many clusters, the largest."""
    rows, columns = _largest(P), _largest(Q)
    u, v = _memberships(P, rows), _memberships(Q, columns)
    in_p, in_q = _totals(P), _totals(Q)
    sums = u @ in_q
    decimals = 0 if P.kind == Q.kind == "crisp" else 2
    shares = np.rint(100.0 * (u @ v.T) / np.where(sums > 0.0, sums, 1.0)[:, None])

    def text(value: float) -> str:
        return f"{value:,.{decimals}f}"

    note = ""
    if len(rows) < P.n_clusters or len(columns) < Q.n_clusters:
        note = (
            f"The largest {len(rows)} of {P.n_clusters:,} and {len(columns)} of "
            f"{Q.n_clusters:,} clusters; sums are over all."
        )
    return {
        "columns": [printed(Q.clusters[column]) for column in columns],
        "rows": [
            (
                printed(P.clusters[k]),
                [(text(value), int(share)) for value, share in zip(*row, strict=True)],
                text(total),
            )
            for k, row, total in zip(
                rows, np.stack((u @ v.T, shares), axis=1), sums, strict=True
            )
        ],
        "totals": [text(x) for x in (*(v @ in_p), in_p @ in_q)],
        "note": note,
    }


def _largest(P: Partition) -> list[int]:
    """Return the largest clusters, in their own order."""
    first = np.argsort(-sizes_of(P), kind="stable")[:MOST_CLUSTERS]
    return sorted(first.tolist())


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
