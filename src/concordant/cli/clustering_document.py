"""What clusterings of the same data found becomes a document."""

from collections.abc import Mapping, Sequence
from typing import Any

from concordant.catalogue import heading_of
from concordant.cli.clustering import Clustering, Data
from concordant.cli.document import Cell, Document, Json, Sheet
from concordant.wording import count

_VERSION = 1
_AGREEMENTS = ("aci", "ndc", "expected")
_METHODS = {"fcm": "fuzzy C-means", "pd": "PD-clustering"}


def clustering_document(
    data: Data,
    found: Sequence[Clustering],
    places: Sequence[str | None],
    settings: Mapping[str, Any],
) -> Document:
    """
    Make a document of clusterings.

    Parameters
    ----------
    data : Data
        What was clustered.
    found : sequence of Clustering
        What came of it.
    places : sequence of str or None
        Where the memberships of each were written.
    settings : mapping
        The options ``method``, ``fuzzifier``, ``seed`` and ``truth``.

    Returns
    -------
    Document
        Which depends on nothing else: the same input gives the same bytes.
    """
    with_truth = data.truth is not None
    n, p = data.matrix.shape
    header = ("k", "objective", "n_iterations", "converged")
    title = (
        f"{data.name}: {count(n, 'object')}, {count(p, 'column')}, by "
        f"{_METHODS[settings['method']]}"
    )
    if with_truth:
        title += f", compared with {settings['truth']}"
    return Document(
        json={
            "schema": "concordant/cluster",
            "version": _VERSION,
            "file": data.name,
            "n_objects": n,
            "n_columns": p,
            "method": settings["method"],
            "fuzzifier": settings["fuzzifier"],
            "seed": settings["seed"],
            "truth": settings["truth"],
            "clusterings": [
                _entry(clustering, place)
                for clustering, place in zip(found, places, strict=True)
            ],
        },
        header=(*header, *(_AGREEMENTS if with_truth else ())),
        rows=[_row(clustering) for clustering in found],
        lines=[title],
        sheets=[
            Sheet(
                ("clusters", "objective", "iterations", "converged")
                + (tuple(heading_of(x) for x in _AGREEMENTS) if with_truth else ()),
                [_shown(clustering) for clustering in found],
            )
        ],
    )


def _entry(clustering: Clustering, place: str | None) -> dict[str, Json]:
    agreement = clustering.agreement
    return {
        "k": clustering.n_clusters,
        "objective": clustering.objective,
        "n_iterations": clustering.n_iterations,
        "converged": clustering.converged,
        "out": place,
        "concordance": (
            None
            if agreement is None
            else {name: getattr(agreement, name) for name in _AGREEMENTS}
        ),
    }


def _row(clustering: Clustering) -> list[Cell]:
    return [
        clustering.n_clusters,
        clustering.objective,
        clustering.n_iterations,
        "true" if clustering.converged else "false",
        *_agreements(clustering),
    ]


def _shown(clustering: Clustering) -> list[str]:
    return [
        str(clustering.n_clusters),
        f"{clustering.objective:.6g}",
        str(clustering.n_iterations),
        "yes" if clustering.converged else "no",
        *(f"{value:z.6f}" for value in _agreements(clustering)),
    ]


def _agreements(clustering: Clustering) -> list[float]:
    agreement = clustering.agreement
    if agreement is None:
        return []
    return [getattr(agreement, name) for name in _AGREEMENTS]
