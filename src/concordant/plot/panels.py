"""The structure plot: memberships of many partitions, one row of bars for each."""

import math
from collections.abc import Sequence
from itertools import groupby

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from concordant.many.aligned import AlignedClusters, align_clusters
from concordant.many.mode_groups import Modes
from concordant.partition.alignment import Align
from concordant.partition.ids import as_ids
from concordant.partition.naming import printed
from concordant.plot.order import evenly, own_order
from concordant.plot.palette import cluster_colors
from concordant.plot.picture import new_figure
from concordant.plot.stacks import draw_bars
from concordant.plot.words import (
    CHARACTER,
    POINTS,
    ink,
    labels_of,
    remark_on,
    take_literally,
    without_middle,
)

_WIDTH = 12.0  # inches of the bars
_TALLEST, _LOWEST, _ALL = 1.1, 0.2, 9.0  # inches of a row, and of all of them
_PIXELS = 270  # of a row, for each inch
_PAD = 0.015  # inches above and below a row
_MOST_OBJECTS = 6000
_TEXT, _SMALLEST_TEXT = 9.0, 6.0  # points
_LINE = 1.25  # the height of a line, of that of a character
_LONGEST = 24  # characters of the name of a group
_BELOW = 8.0  # points from the bars down to it


def structure(
    partitions: object,
    *,
    groups: object = None,
    names: Sequence[str] | None = None,
    align: Align = "position",
) -> Figure:
    """
    Draw the memberships of many partitions as stacked bars, a row for each partition.

    Clusters have the same colour in all rows, by one joint relabelling. Objects are in
    the same order in all rows: by group, within a group by the cluster that is largest
    in it.

    Parameters
    ----------
    partitions : sequence or mapping of partitions, AlignedClusters, or Modes
        As in `concordant.agreement`; what `concordant.align_clusters` returns, drawn as
        it is; or modes, of which the averaged memberships are drawn, each row with the
        number of the mode and of its partitions.
    groups : sequence of n, optional
        The group of each object, in the order in which groups are drawn; by default
        those that the partitions have, if any.
    names : sequence of k str, optional
        What the rows are called.
    align : {"position", "index", "common"}, default="position"
        How objects are matched; see `concordant.agreement`.

    Returns
    -------
    matplotlib.figure.Figure
        With one axes for each partition.

    Examples
    --------
    >>> import concordant.plot
    >>> runs = {"a": [[0.9, 0.1], [0.2, 0.8]], "b": [[0.2, 0.8], [0.7, 0.3]]}
    >>> figure = concordant.plot.structure(runs, groups=["left", "right"])
    >>> len(figure.axes)
    2
    """
    aligned = _aligned(partitions, names, align)
    figure = new_figure(_WIDTH, 1.0)
    texts = aligned.names if names is None else names
    draw_structure(figure, aligned, texts, groups)
    return figure


def draw_structure(
    figure: Figure, aligned: AlignedClusters, names: Sequence[str], groups: object
) -> None:
    """Draw the structure plot of aligned clusters on a figure, made as large as it."""
    labels = labels_of(names)
    known = _groups(groups, aligned)
    taken, remark = evenly(_order(aligned, known), _MOST_OBJECTS)
    k = len(aligned)
    height = max(_LOWEST, min(_TALLEST, _ALL / k))
    size = min(_TEXT, max(_SMALLEST_TEXT, height * POINTS / _LINE))
    margin = size * CHARACTER * max(map(len, labels.texts)) / POINTS
    below = _room_below(known)
    figure.set_size_inches(_WIDTH + margin, k * (height + 2 * _PAD) + below + 0.3)
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.set(h_pad=_PAD, hspace=0.0)  # type: ignore[call-arg]
    rows = [*figure.subplots(k, 1, squeeze=False)[:, 0]]
    colors = cluster_colors(aligned.n_clusters)
    for number, (ax, text) in enumerate(zip(rows, labels.texts, strict=True)):
        columns = aligned.memberships(number)[taken].T
        kind = aligned.partitions[number].kind
        draw_bars(ax, columns, kind, colors, math.ceil(_PIXELS * height))
        name = ax.set_ylabel(text, rotation=0, ha="right", va="center", size=size)
        take_literally([name])
    remarks = [remark_on(labels), remark]
    if known is not None:
        remarks.append(_name_groups(rows, known[taken]))
    said = "; ".join(part.replace("\n", " ") for part in remarks if part)
    if said:
        take_literally([figure.supxlabel(said, size=_TEXT)])


def _aligned(
    partitions: object, names: Sequence[str] | None, align: Align
) -> AlignedClusters:
    if isinstance(partitions, AlignedClusters):
        return partitions
    if isinstance(partitions, Modes):
        return align_clusters(
            [mode.partition for mode in partitions], names=mode_names(partitions)
        )
    return align_clusters(partitions, names=names, align=align)


def mode_names(modes: Modes) -> list[str]:
    """Return what modes are called: by their number and that of their partitions."""
    return [f"mode {place} ({len(mode)})" for place, mode in enumerate(modes, start=1)]


def _groups(groups: object, aligned: AlignedClusters) -> NDArray[np.object_] | None:
    """Return the name of each object's group, or None if there are no groups."""
    if groups is None:
        own = (partition.groups for partition in aligned.partitions)
        groups = next((each for each in own if each is not None), None)
    if groups is None:
        return None
    n = aligned.partitions[0].n_objects
    ids = as_ids(groups, n, "each partition", "groups")
    return np.array([*map(printed, ids)], dtype=object)


def _order(
    aligned: AlignedClusters, groups: NDArray[np.object_] | None
) -> NDArray[np.intp]:
    """Order objects by group, then by the cluster that is largest in their group."""
    first = max(aligned.partitions, key=lambda partition: partition.n_clusters)
    if groups is None:
        return own_order(first)
    _, start, number = np.unique(
        groups.astype(str), return_index=True, return_inverse=True
    )
    U = first.columns().T
    totals = np.zeros((len(start), U.shape[1]))
    np.add.at(totals, number, U)
    own = U[np.arange(len(U)), totals.argmax(axis=1)[number]]
    return np.lexsort((-own, start[number]))


def _room_below(groups: NDArray[np.object_] | None) -> float:
    """Estimate the inches that the names of groups need."""
    if groups is None:
        return 0.0
    longest = max(len(without_middle(name, _LONGEST)) for name in groups)
    return 0.35 + _TEXT * CHARACTER * longest / POINTS


def _name_groups(rows: Sequence[Axes], groups: NDArray[np.object_]) -> str:
    """Divide groups by lines, name them below, and say if not all are named."""
    runs = [(name, len([*same])) for name, same in groupby(groups)]
    ends = np.cumsum([size for _, size in runs])
    for ax in rows:
        whole = ax.get_xaxis_transform()
        ax.vlines(ends[:-1], 0.0, 1.0, color=ink(), lw=0.7, transform=whole)
        ax.set_xlim(0, ends[-1])
    line = _TEXT * _LINE / POINTS * ends[-1] / _WIDTH  # in objects
    step = max(1, math.ceil(len(runs) * line / ends[-1]))
    named = [*range(0, len(runs), step)]
    centres = np.array([ends[i] - runs[i][1] / 2.0 for i in named])
    places = _apart(centres, line, float(ends[-1]))
    stroke = {"arrowstyle": "-", "lw": 0.5, "color": ink(), "shrinkA": 0, "shrinkB": 0}
    for i, centre, place in zip(named, centres, places, strict=True):
        text = rows[-1].annotate(
            without_middle(runs[i][0], _LONGEST),
            (centre, 0.0),
            xycoords=("data", "axes fraction"),
            xytext=(place, -_BELOW),
            textcoords=("data", "axes points"),
            rotation=90,
            ha="center",
            va="top",
            size=_TEXT,
            arrowprops=stroke,
            annotation_clip=False,
        )
        take_literally([text])
    return f"one in {step} groups is named" if step > 1 else ""


def _apart(
    wanted: NDArray[np.float64], least: float, width: float
) -> NDArray[np.float64]:
    """Return places in the same order, no nearer than `least`, near to those wanted."""
    steps = least * np.arange(len(wanted))
    # Least squares under an order: pool places that would overlap.
    blocks: list[list[float]] = []
    for value in (wanted - steps).tolist():
        blocks.append([value, 1.0])
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            (a, m), (b, w) = blocks[-2:]
            blocks[-2:] = [[(a * m + b * w) / (m + w), m + w]]
    pooled = np.concatenate([np.full(int(m), value) for value, m in blocks])
    last = width - 0.5 * least - steps[-1]
    return np.asarray(np.clip(pooled, 0.5 * least, last) + steps)
