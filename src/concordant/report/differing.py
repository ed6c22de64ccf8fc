"""Clusters and objects of two partitions, and where they differ, for the report."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.execution.engine import Threads
from concordant.execution.run import Run
from concordant.inference.correspondence import crossing
from concordant.inference.differences import (
    ObjectDiscordance,
    discordance_of_objects,
)
from concordant.inference.leave_one_out import LeftOut, left_out
from concordant.inference.local import (
    MOST_CELLS,
    LocalConcordance,
    Parts,
    objects_seen,
    parts_of,
)
from concordant.inference.object_means import object_means
from concordant.measures.adjusted import Concordance
from concordant.partition.partition import Partition
from concordant.plot.order import strongest
from concordant.plot.words import without_middles
from concordant.printing import number

#: Number of clusters of a partition that tables show at most.
MOST_CLUSTERS = 20

_LISTED = 12
_LONGEST_NAME = 28
_MOST_OBJECTS = 50
_LEAST = 0.004  # a share of a bar that is too narrow to be seen
_FATES = {
    "kept": "kept",
    "split": "split",
    "merged": "merged",
    "rearranged": "rearranged with others",
    "dissolved": "without a counterpart",
}


def partition_view(
    P: Partition, name: str, role: str, colors: Sequence[str], reading: str
) -> dict[str, Any]:
    """Describe a partition: its clusters with size and colour, and remarks on it."""
    is_crisp = P.kind == "crisp"
    sizes = [f"{size:,.{0 if is_crisp else 1}f}" for size in _sizes(P)[:_LISTED]]
    names = P.clusters[:_LISTED].tolist()
    return {
        "role": role,
        "name": name,
        "of": P,
        "clusters": [*zip(names, sizes, colors, strict=False)],
        "largest": "" if is_crisp else number(float(strongest(P)[1].mean()), 3),
        "reading": reading,
    }


def cells_view(P: Partition, Q: Partition, *, as_told: bool) -> dict[str, Any]:
    """
    Describe the cross-table of clusters with its sums; of many clusters, the largest.

    It is the one that sentences on clusters are about, if there are any: `as_told`.
    """
    rows, columns = _largest(_sizes(P)), _largest(_sizes(Q))
    if as_told:
        table = crossing(P, Q)
        cells, sums, totals = table[np.ix_(rows, columns)], table.sum(1), table.sum(0)
        sums, totals = sums[rows], np.append(totals[columns], totals.sum())
    else:
        table = _with_total(P, rows) @ _with_total(Q, columns).T
        cells, sums, totals = table[:-1, :-1], table[:-1, -1], table[-1]
    shares = np.rint(100.0 * cells / np.where(sums > 0.0, sums, 1.0)[:, None])
    decimals = 0 if P.kind == Q.kind == "crisp" else 2

    def texts(values: NDArray[np.float64]) -> list[str]:
        return [f"{value:,.{decimals}f}" for value in values]

    shaded = [
        [*zip(texts(row), share.astype(int).tolist(), strict=True)]
        for row, share in zip(cells, shares, strict=True)
    ]
    return {
        "columns": Q.clusters[columns],
        "rows": [*zip(P.clusters[rows], shaded, texts(sums), strict=True)],
        "totals": texts(totals),
        "n_clusters": (P.n_clusters, Q.n_clusters),
        "by_minima": as_told and P.kind == Q.kind == "fuzzy",
    }


def _largest(sizes: NDArray[np.float64]) -> list[int]:
    """Return the largest clusters that a table shows, in their own order."""
    return sorted(np.argsort(-sizes, kind="stable")[:MOST_CLUSTERS].tolist())


def _sizes(P: Partition) -> NDArray[np.float64]:
    """Return the sum of the memberships in each cluster."""
    if P.kind == "crisp":
        return np.bincount(P.labels, minlength=P.n_clusters).astype(np.float64)
    return np.asarray(P.columns().sum(axis=1))


def _with_total(P: Partition, clusters: list[int]) -> NDArray[np.float64]:
    """Return the memberships in some clusters, one per row, and in all together."""
    if P.kind == "crisp":
        rows = np.equal.outer(clusters, P.labels)
        return np.vstack((rows, np.ones(P.n_objects)))
    columns = P.columns()
    return np.vstack((columns[clusters], columns.sum(axis=0)))


@dataclass(frozen=True)
class Differences:
    """How objects differ, and clusters unless these are very many."""

    objects: ObjectDiscordance
    left_out: LeftOut | None = None
    clusters: LocalConcordance | None = None
    n_partners: int | None = None  # of each object, if not all others


def differences(
    P: Partition,
    Q: Partition,
    found: Concordance,
    names: tuple[str, str],
    n_jobs: int | None,
) -> Differences:
    """Find where partitions differ, by the similarity of their concordance."""
    rng = np.random.default_rng(0)
    if P.n_objects < 2 or P.n_clusters * Q.n_clusters > MOST_CELLS:
        return Differences(discordance_of_objects(P, Q, found.similarity, None, rng))
    one, other = without_middles(names, _LONGEST_NAME)
    run = Run(engine=Threads(n_jobs), similarity=found.similarity, store={})
    objects, means = objects_seen(P, Q, None, rng, run)
    exactly = None
    if objects.is_exact and found.null == "permutations":
        exactly = found.expected_discordance
    clusters = parts_of(P, Q, objects, means, exactly, (one, other))
    by_sorts = "crisp" in (P.kind, Q.kind)
    n_partners = None if objects.is_exact or by_sorts else objects.n_partners
    if P.n_objects <= 3:
        return Differences(objects, None, clusters, n_partners)
    partners = None
    if not objects.is_exact:
        partners = np.sort(rng.choice(P.n_objects, objects.n_partners, replace=False))
    without = left_out(P, Q, object_means(P, Q, run, partners), run)
    return Differences(objects, without, clusters, n_partners)


def differing_view(
    found: LocalConcordance, names: tuple[str, str], colors: tuple[list[str], list[str]]
) -> dict[str, Any]:
    """Describe clusters that are kept, split and merged, and how far each differs."""
    fates = Counter[str]()
    for change in found.changes:
        fates[change.fate] += len(change.clusters_p) or 1  # P has none of the new
    sides = zip(names, (found.clusters_p, found.clusters_q), colors, strict=True)
    return {
        "n_clusters": len(found.clusters_p.weights),
        "fates": [(fates[fate], told) for fate, told in _FATES.items() if fates[fate]],
        "n_new": fates["new"],
        "changes": found.changes,
        "sides": [
            (name, _part_views(parts, of_clusters), len(parts.weights))
            for name, parts, of_clusters in sides
        ],
    }


def _part_views(parts: Parts, colors: list[str]) -> list[dict[str, Any]]:
    """Describe the largest clusters, in their own order."""
    rows = [*parts.rows()]
    return [{**rows[k], "color": colors[k]} for k in _largest(parts.weights)]


def object_views(
    found: ObjectDiscordance,
    partitions: Sequence[Partition],
    colors: Sequence[Sequence[str]],
    truth: Partition | None,
) -> list[dict[str, Any]]:
    """Describe the objects that two partitions treat most differently, in order."""
    first = found.largest(_MOST_OBJECTS)
    first = first[found.values[first] > 0.0]
    with_ids = (partition.ids for partition in partitions if partition.ids is not None)
    ids = next(with_ids, None)
    sides = [
        _sides(partition.take(first), of_clusters)
        for partition, of_clusters in zip(partitions, colors, strict=True)
    ]
    classes: Sequence[object] = [""] * len(first)
    if truth is not None:
        classes = [*truth.clusters[strongest(truth.take(first))[0]]]
    return [
        {
            "name": f"{i + 1} (index {i})" if ids is None else ids[i],
            "discordance": float(found.values[i]),
            "error": float(found.standard_errors[i]),
            "sides": [side[rank] for side in sides],
            "truth": classes[rank],
        }
        for rank, i in enumerate(first)
    ]


def _sides(part: Partition, colors: Sequence[str]) -> list[tuple[object, float, str]]:
    """Return the cluster of each object, its membership, and a bar as a CSS colour."""
    clusters, memberships = strongest(part)
    if part.kind == "crisp":
        bars = [colors[k] for k in clusters]
    else:
        bars = [_gradient(row, colors) for row in part.memberships]
    return [*zip(part.clusters[clusters], memberships.tolist(), bars, strict=True)]


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
