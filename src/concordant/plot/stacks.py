"""Memberships as stacked bars: of one partition, or of many below one another."""

import math
from collections.abc import Sequence
from itertools import groupby
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba_array
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from numpy.typing import NDArray

from concordant.catalogue import FREE_SUMS
from concordant.many.aligned import AlignedClusters, align_clusters
from concordant.many.mode_groups import Modes
from concordant.partition.alignment import Align
from concordant.partition.ids import as_ids
from concordant.partition.partition import Partition
from concordant.plot.order import evenly, own_order
from concordant.plot.palette import cluster_colors
from concordant.plot.picture import axes_for, new_figure
from concordant.plot.words import (
    LITERALLY,
    POINTS,
    frameless,
    ink,
    labels_of,
    note,
    remark_on,
    width_of,
    without_middle,
)
from concordant.printing import printed

_LONGEST_LEGEND = 12
_WIDTH = 12.0  # inches of the bars
_TALLEST, _LOWEST, _ALL = 1.1, 0.2, 9.0  # inches of a row, and of all of them
_PIXELS = 270  # of a row, for each inch
_PAD = 0.015  # inches above and below a row
_MOST_OBJECTS = 6000
_TEXT, _SMALLEST_TEXT = 9.0, 6.0  # points
_LINE = 1.25  # the height of a line, of that of a character
_LONGEST = 24  # characters of the name of a group
_BELOW = 8.0  # points from the bars down to it


def memberships(
    P: object,
    *,
    ax: Axes | None = None,
    name: str = "",
    order: NDArray[np.intp] | None = None,
    colors: Sequence[str] | None = None,
    legend: bool = True,
    max_objects: int = 400,
) -> Axes:
    """
    Draw each object as a column, divided by its memberships.

    Parameters
    ----------
    P : Partition, or anything one can be made from
        Of any kind.
    ax : Axes, optional
        Where to draw. By default the current axes if a figure is open in pyplot, else
        those of a new figure.
    name : str, optional
        What the partition is called, as a title.
    order : ndarray of n int, optional
        Positions of the objects from left to right; by default those of each cluster
        together, the surest first.
    colors : sequence of K colours, optional
        Of the clusters.
    legend : bool, default=True
        Whether to name the clusters below, if there are not more than twelve.
    max_objects : int, default=400
        If there are more objects, this many are shown, evenly spaced in their order.

    Returns
    -------
    Axes
        With one column per object.

    Notes
    -----
    Ten clusters have colours that people with any colour vision can tell apart. More
    have lighter and darker shades of these, too, which cannot all be told apart; a
    cluster lies above those before it, whatever its colour.

    Examples
    --------
    >>> import concordant.plot
    >>> P = [[0.9, 0.1], [0.2, 0.8], [0.8, 0.2], [0.3, 0.7]]
    >>> ax = concordant.plot.memberships(P, name="FCM")
    >>> ax.get_title()
    'FCM'
    """
    partition = P if isinstance(P, Partition) else Partition(P)
    ax = axes_for(ax, 7.0, 3.0)
    if order is None:
        order = own_order(partition)
    if colors is None:
        colors = cluster_colors(partition.n_clusters)
    taken, remark = evenly(order, max_objects)
    shown = partition.take(taken)
    draw_bars(ax, shown.columns(), shown.kind, colors)
    ax.set_yticks([0.0, 0.5, 1.0], labels=["0", "½", "1"])
    ax.set_ylabel("membership")
    ax.set_title(name, **LITERALLY)
    note(ax, remark)
    if legend:
        _add_legend(ax, partition, colors, below=0.11 if remark else 0.03)
    return ax


def draw_bars(
    ax: Axes,
    columns: NDArray[np.float64],
    kind: str,
    colors: Sequence[str],
    n_pixels: int = 300,
) -> None:
    """Draw a bar for each object, divided by its memberships: a row for a cluster."""
    tops = np.cumsum(columns, axis=0)
    highest = float(tops[-1].max()) if kind in FREE_SUMS else 1.0
    levels = (np.arange(n_pixels) + 0.5) * (highest / n_pixels)
    owners = np.stack([np.searchsorted(top, levels) for top in tops.T], axis=1)
    paints = to_rgba_array([*colors, "none"])  # above the last share there is none
    # One pixel wide and as many high: small whatever the numbers, and sharp.
    ax.imshow(
        (255.0 * paints).round().astype(np.uint8)[owners],
        extent=(0, tops.shape[1], 0.0, highest),
        origin="lower",
        aspect="auto",
        interpolation="none",
    )
    ax.set(xticks=[], yticks=[])
    frameless(ax)


def _add_legend(
    ax: Axes, partition: Partition, colors: Sequence[str], below: float
) -> None:
    if partition.n_clusters > _LONGEST_LEGEND:
        note(ax, f"{partition.n_clusters:,} clusters")
        return
    labels = labels_of(partition.clusters)
    longest = max(map(len, labels.texts))
    blanks = [" "] * len(labels.texts)  # names that begin with "_" would be left out
    legend = ax.legend(
        [Patch(color=color) for color in colors],
        blanks,
        loc="upper center",
        bbox_to_anchor=(0.5, -below),
        ncols=min(len(blanks), 4 if longest <= 10 else 2 if longest <= 24 else 1),
        title=remark_on(labels) or None,
        frameon=False,
        handlelength=1.0,
        handletextpad=0.4,
        columnspacing=1.2,
    )
    for text, name in zip(legend.get_texts(), labels.texts, strict=True):
        text.set(text=name, **LITERALLY)
    legend.get_title().set(multialignment="center", **LITERALLY)


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
    margin = width_of(labels.texts, size)
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
        beside: Any = {"rotation": 0, "ha": "right", "va": "center", "size": size}
        ax.set_ylabel(text, **beside, **LITERALLY)
    remarks = [remark_on(labels), remark]
    if known is not None:
        remarks.append(_name_groups(rows, known[taken]))
    said = "; ".join(part.replace("\n", " ") for part in remarks if part)
    if said:
        figure.supxlabel(said, size=_TEXT, **LITERALLY)


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
    return 0.35 + width_of((without_middle(name, _LONGEST) for name in groups), _TEXT)


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
        rows[-1].annotate(
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
            **LITERALLY,
        )
    return f"one in {step} groups is named" if step > 1 else ""


def _apart(
    wanted: NDArray[np.float64], least: float, width: float
) -> NDArray[np.float64]:
    """Return places in the same order, no nearer than `least`, near to those wanted."""
    steps = least * np.arange(len(wanted))
    # Half way between moving only to the right and moving only to the left.
    to_right = np.maximum.accumulate(wanted - steps)
    to_left = np.minimum.accumulate((wanted - steps)[::-1])[::-1]
    last = width - 0.5 * least - steps[-1]
    return np.asarray(np.clip((to_right + to_left) / 2.0, 0.5 * least, last) + steps)
