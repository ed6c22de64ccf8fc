"""The HTML page about many partitions."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from concordant.catalogue.lookups import heading_of
from concordant.door import checked
from concordant.errors import InputError, Setting
from concordant.files import write_text_atomically
from concordant.many.agreeing import Agreement
from concordant.many.aligned import AlignedClusters, jointly_aligned
from concordant.many.averaging import mean_partition
from concordant.many.linkage import THRESHOLD
from concordant.many.modes import Modes
from concordant.measures.adjusted import said_of_setting
from concordant.plot.many import agreement_heat_map, heat_map_size
from concordant.plot.palette import DISTINCT, cluster_colors
from concordant.plot.stacks import (
    draw_structure,
    groups_of,
    in_two_lines,
    order_of_objects,
    structure_size,
)
from concordant.plot.words import labels_of
from concordant.printing import size_of_error
from concordant.report.figures import drawn
from concordant.report.page import rendered, with_groups

#: Number of partitions up to which the page has a table of all pairs.
MOST_IN_TABLE = 30

_SEEN = 1e-5  # an error below is not seen in four decimals


@checked
def write_agreement_report(
    agreement: Agreement, path: str | Path, **options: Any
) -> None:
    """
    Write a report about many partitions: one self-contained HTML page.

    It has the modes, a heat map of ACI with the tree, the structure plot of the
    memberships, each partition with its mean ACI, and a table of all pairs.

    Parameters
    ----------
    agreement : Agreement
        ACI of all pairs, as `concordant.agreement` returns it.
    path : str or Path
        Where to. The file is written whole or not at all.
    **options
        As in `render_agreement_report`: a threshold for modes, and groups of the
        objects.

    Raises
    ------
    ValueError
        If the agreement is not by ACI, the threshold is above 1, or the groups are of
        other objects.
    FileError
        If the file cannot be written; what was there before is still there.

    Notes
    -----
    The same partitions give the same bytes.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import concordant as cc
    >>> from concordant.report import write_agreement_report
    >>> runs = {"a": [0, 0, 1, 1], "b": [1, 1, 0, 0], "c": [0, 1, 1, 1]}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "report.html")
    ...     write_agreement_report(cc.agreement(runs), path)
    ...     path.read_text(encoding="utf-8")[:15]
    '<!doctype html>'
    """
    write_text_atomically(path, render_agreement_report(agreement, **options))


@checked
def render_agreement_report(
    agreement: Agreement,
    *,
    threshold: float = THRESHOLD,
    groups: object = None,
    readings: Sequence[str] = (),
) -> str:
    """
    Return the page that `write_agreement_report` writes.

    Parameters
    ----------
    agreement : Agreement
        ACI of all pairs, as `concordant.agreement` returns it.
    threshold : float, default=0.95
        ACI that any two partitions of a mode have at least; see `Agreement.modes`.
    groups : sequence of n labels, or Partition, optional
        The group of each object, by which objects are drawn; by default the groups that
        the partitions have, if any. True demands these.
    readings : sequence of str, optional
        How each partition was read, a sentence for each, which the page shows.

    Returns
    -------
    str
        HTML.
    """
    if agreement.index != "aci":
        raise InputError(
            f"the report is about ACI, and this is {heading_of(agreement.index)}; use ",
            Setting("index", "aci"),
        )
    modes = agreement.modes(threshold)
    members, labelled = with_groups(
        agreement.partitions, agreement.names, agreement.match_by, groups
    )
    order = [run for mode in modes for run in mode.runs]
    aligned = jointly_aligned(
        [members[run] for run in order], [agreement.names[run] for run in order]
    )
    rows = [aligned]
    if 1 < len(modes) < len(agreement):
        rows.insert(0, _averaged(modes, aligned))
    labels = labels_of(agreement.names)
    named_groups = groups_of(labelled, members)
    # The objects stand in one order in all pictures.
    places = order_of_objects(rows[0].partitions, named_groups, None)
    reference = max(aligned.partitions, key=lambda member: member.n_clusters)
    colors = cluster_colors(aligned.n_clusters)
    largest = float(np.nan_to_num(agreement.errors).max())
    page: dict[str, object] = {
        "agreement": agreement,
        "n_objects": members[0].n_objects,
        "setting": said_of_setting(agreement.similarity, agreement.null),
        "modes": modes,
        "pairs": agreement.values[np.triu_indices(len(agreement), 1)],
        "error": size_of_error(largest) if largest > _SEEN else "",
        "mean_similarity": aligned.mean_similarity,
        "of_k": modes.by_n_clusters,
        "typical": [mode.typical for mode in modes if len(mode) > 1],
        "heat_map": drawn(
            "agreement",
            heat_map_size(labels),
            [f"Heat map of ACI of {len(agreement)} partitions, with a tree"],
            lambda ax: agreement_heat_map(agreement, threshold=threshold, ax=ax),
        )[0],
        "pictures": [
            _structure(each, named_groups, places, of_modes=each is not aligned)
            for each in rows
        ],
        "clusters": [*zip(reference.clusters, colors, strict=True)],
        "many_colors": aligned.n_clusters > len(DISTINCT),
        "grouped": named_groups is not None,
        "means": _means(agreement).tolist(),
        "readings": _by_reading(readings),
        "has_table": len(agreement) <= MOST_IN_TABLE,
        "short_names": labels,
    }
    return rendered("agreement.html", page)


def _means(agreement: Agreement) -> NDArray[np.float64]:
    """Return the mean ACI of each partition with the others."""
    values = agreement.values
    return np.asarray((values.sum(axis=1) - values.diagonal()) / (len(values) - 1))


def _by_reading(readings: Sequence[str]) -> list[tuple[str, str]]:
    """Return each way of reading once, with the numbers of the partitions."""
    read: dict[str, list[str]] = {}
    for number, reading in enumerate(readings, start=1):
        read.setdefault(reading, []).append(f"{number}")
    return [(", ".join(numbers), reading) for reading, numbers in read.items()]


def _averaged(modes: Modes, aligned: AlignedClusters) -> AlignedClusters:
    """Return the mean of each mode's rows, which are in the order of the modes."""
    means, start = [], 0
    for mode in modes:
        rows = [aligned.memberships(start + place) for place in range(len(mode))]
        means.append(mean_partition(np.mean(rows, axis=0), aligned.partitions))
        start += len(mode)
    columns = (np.arange(aligned.n_clusters),) * len(means)
    return AlignedClusters(columns, tuple(modes.titles), tuple(means))


def _structure(
    aligned: AlignedClusters,
    groups: NDArray[np.object_] | None,
    places: NDArray[np.intp],
    *,
    of_modes: bool,
) -> Markup:
    names = aligned.names
    labels = in_two_lines(names) if of_modes else labels_of(names)
    of = "modes" if of_modes else "partitions"
    label = f"Structure plot: memberships of the objects in {of} as stacked bars"
    return drawn(
        f"structure-{of}",
        structure_size(labels, groups),
        [label],
        lambda ax: draw_structure(ax, aligned, labels, groups, places),
    )[0]
