"""Where two partitions differ, as the report shows it."""

import math
from collections import Counter
from dataclasses import dataclass

import numpy as np

from concordant.execution.engine import Threads
from concordant.execution.run import Run
from concordant.inference.local import (
    MOST_CELLS,
    LocalConcordance,
    objects_seen,
    parts_of,
)
from concordant.inference.local_parts import Parts
from concordant.influence.differences import ObjectDiscordance, object_discordance
from concordant.influence.leave_one_out import LeftOut, left_out
from concordant.partition.naming import printed, shortened
from concordant.partition.partition import Partition
from concordant.report.cross_cells import MOST_CLUSTERS
from concordant.wording import count

_MOST_SENTENCES = 12
_LONGEST_NAME = 28
_FATES = {
    "kept": "kept",
    "split": "split",
    "merged": "merged",
    "rearranged": "rearranged with others",
    "dissolved": "without a counterpart",
}


@dataclass(frozen=True)
class PartView:
    """One cluster: its share of the objects, how it differs, and by chance."""

    name: str
    color: str
    share: float
    differs: float
    by_chance: float
    aci: float
    place: float  # of its ACI on a scale from 0 to 1, in percent


@dataclass(frozen=True)
class DifferingView:
    """What became of clusters, in words and numbers."""

    summary: str
    sentences: list[str]
    n_hidden: int
    sides: list[tuple[str, list[PartView], int]]  # name, clusters, how many are hidden


@dataclass(frozen=True)
class Differences:
    """What was seen of objects, and of clusters unless these are very many."""

    objects: ObjectDiscordance
    left_out: LeftOut | None = None
    clusters: LocalConcordance | None = None
    n_partners: int | None = None  # of each object, if not all others


def differences(
    P: Partition,
    Q: Partition,
    expected: float,
    names: tuple[str, str],
    n_jobs: int | None,
) -> Differences:
    """Look where partitions differ; `expected` is E[d]."""
    if P.n_objects < 2 or P.n_clusters * Q.n_clusters > MOST_CELLS:
        return Differences(object_discordance(P, Q, random_state=0))
    one, other = (shortened(name, _LONGEST_NAME) for name in names)
    rng = np.random.default_rng(0)
    run = Run(engine=Threads(n_jobs), store={})
    objects, means = objects_seen(P, Q, None, rng, run)
    exactly = expected if objects.is_exact else None
    clusters = parts_of(P, Q, objects, means, exactly, (one, other))
    by_sorts = "crisp" in (P.kind, Q.kind)
    n_partners = None if objects.is_exact or by_sorts else objects.n_partners
    without = left_out(P, Q, means.objects, run) if P.n_objects > 3 else None
    return Differences(objects, without, clusters, n_partners)


def differing_view(
    found: LocalConcordance, names: tuple[str, str], colors: tuple[list[str], list[str]]
) -> DifferingView:
    """Describe clusters that are kept, split and merged, and how far each differs."""
    changes = found.changes
    fates = Counter[str]()
    for change in changes:
        fates[change.fate] += len(change.clusters_p)
    told = [f"{fates[fate]} {words}" for fate, words in _FATES.items() if fates[fate]]
    n_new = sum(change.fate == "new" for change in changes)
    if n_new:
        told.append(f"{count(n_new, 'cluster')} of {names[1]} new")
    of_p = len(found.clusters_p.weights)
    return DifferingView(
        summary=f"Of {count(of_p, 'cluster')} of {names[0]}: {', '.join(told)}.",
        sentences=[change.sentence for change in changes[:_MOST_SENTENCES]],
        n_hidden=max(0, len(changes) - _MOST_SENTENCES),
        sides=[
            (name, *_part_views(parts, of_clusters))
            for name, parts, of_clusters in zip(
                names, (found.clusters_p, found.clusters_q), colors, strict=True
            )
        ],
    )


def _part_views(parts: Parts, colors: list[str]) -> tuple[list[PartView], int]:
    """Describe the largest clusters, in their own order."""
    first = np.argsort(-parts.weights, kind="stable")[:MOST_CLUSTERS]
    rows = [*parts.rows()]
    views = []
    for k in sorted(first.tolist()):
        row = rows[k]
        place = 0.0 if math.isnan(row["aci"]) else 100.0 * max(0.0, row["aci"])
        views.append(
            PartView(
                name=printed(row["names"][0]),
                color=colors[k],
                share=row["weight"],
                differs=row["discordance"],
                by_chance=row["expected"],
                aci=row["aci"],
                place=place,
            )
        )
    return views, len(rows) - len(views)
