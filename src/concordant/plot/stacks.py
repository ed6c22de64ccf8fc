"""Memberships as stacked bars: of one partition, or of many below one another."""

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba_array
from matplotlib.patches import Patch
from numpy.typing import NDArray

from concordant.arrays import as_positions
from concordant.catalogue.records import FREE_SUMS
from concordant.door import checked
from concordant.errors import Argument, InputError
from concordant.many.aligned import AlignedClusters, align_clusters
from concordant.many.given import checked_names
from concordant.many.modes import Modes
from concordant.partition.alignment import MatchBy
from concordant.partition.ids import as_ids
from concordant.partition.partition import Partition
from concordant.plot.order import both_aligned, common_order, evenly, own_order
from concordant.plot.palette import colors_of
from concordant.plot.picture import axes_for
from concordant.plot.words import (
    LITERALLY,
    POINTS,
    frameless,
    ink,
    labels_of,
    note,
    width_of,
    without_middle,
)
from concordant.printing import printed, shortened
from concordant.wording import called, several

_LONGEST_LEGEND = 12
_SHORT = 14  # characters of the name of a cluster beside another
_WIDTH = 12.0  # inches of the bars
_TALLEST, _LOWEST, _ALL = 1.1, 0.2, 9.0  # inches of a row, and of all of them
_PIXELS = 270  # of a row, for each inch
_GAP = 0.03  # of a row, below it
_MOST_OBJECTS = 6000
_TEXT, _SMALLEST_TEXT = 9.0, 5.0  # points; five are the least that journals take
_NARROW = 5.0  # inches of bars, below which names and lines are smaller
_LINE = 1.25  # the height of a line, of that of a character
_LONGEST = 24  # characters of the name of a group
_WIDEST = 500.0  # inches, which no figure has
_CAPITAL = 0.75  # the width of a capital letter, of the height of a line
_BELOW = 8.0  # points from the bars down to it


@checked
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
    colors = colors_of(colors, partition.n_clusters)
    order = as_positions("order", order, partition.n_objects)
    taken, remark = evenly(order, max_objects)
    shown = partition.take(taken)
    _draw_bars(ax, shown.columns(), shown.kind, colors)
    ax.set_xticks([])
    frameless(ax)
    ax.set_yticks([0.0, 0.5, 1.0], labels=["0", "½", "1"])
    ax.set_ylabel("membership")
    ax.set_title(name, **LITERALLY)
    note(ax, remark)
    if legend:
        _add_legend(ax, labels_of(partition.clusters), colors)
    return ax


def _draw_bars(
    ax: Axes,
    columns: NDArray[np.float64],
    kind: str,
    colors: Sequence[str],
    n_pixels: int = 300,
    between: tuple[float, float] | None = None,
) -> None:
    """Draw a bar for each object, divided by its memberships: a row for a cluster."""
    highest = float(columns.sum(axis=0).max()) if kind in FREE_SUMS else 1.0
    tops = np.cumsum(columns, axis=0)
    levels = (np.arange(n_pixels) + 0.5) * (highest / n_pixels)
    owners = np.stack([np.searchsorted(top, levels) for top in tops.T], axis=1)
    paints = to_rgba_array([*colors, "none"])  # above the last share there is none
    # One pixel wide, so that they are small whatever the numbers, and sharp.
    ax.imshow(
        (255.0 * paints).round().astype(np.uint8)[owners],
        extent=(0, columns.shape[1], *(between or (0.0, highest))),
        origin="lower",
        aspect="auto",
        interpolation="none",
    )


def _add_legend(ax: Axes, labels: Sequence[str], colors: Sequence[str]) -> None:
    """Name the clusters below, or say how many they are."""
    if len(labels) > _LONGEST_LEGEND:
        note(ax, f"{len(labels):,} clusters")
        return
    longest = max(map(len, labels))
    blanks = [" "] * len(labels)  # names that begin with "_" would be left out
    legend = ax.legend(
        [Patch(color=color) for color in colors],
        blanks,
        loc="upper center",
        bbox_to_anchor=(0.5, -0.11 if ax.get_xlabel() else -0.03),
        ncols=min(len(blanks), 4 if longest <= 10 else 2 if longest <= 24 else 1),
        frameon=False,
        handlelength=1.0,
        handletextpad=0.4,
        columnspacing=1.2,
    )
    for text, name in zip(legend.get_texts(), labels, strict=True):
        text.set(text=name, **LITERALLY)


@checked
def structure(
    partitions: object,
    *,
    ax: Axes | None = None,
    names: Sequence[str] | None = None,
    groups: object = None,
    order: Sequence[object] | None = None,
    colors: Sequence[str] | None = None,
    title: str = "",
    width: float | None = None,
    match_by: MatchBy = "position",
) -> Axes:
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
        number of the mode, of its runs and of their clusters.
    ax : Axes, optional
        Where to draw. By default the current axes if a figure is open in pyplot, else
        those of a new figure.
    names : sequence of k str, optional
        What the rows are called.
    groups : sequence of n, optional
        The group of each object, in the order in which groups are drawn; by default
        those that the partitions have, if any.
    order : sequence, optional
        The groups from left to right, each once. Without groups the objects, by their
        ids or, if they have none, by their positions.
    colors : sequence of K colours, optional
        Of the clusters.
    title : str, optional
        What stands above.
    width : float, optional
        The width of the figure that is made, in inches: 3.3 for a column of a paper,
        say. By default as wide as twelve inches of bars and the names need.
    match_by : {"position", "id", "common"}, default="position"
        How objects are matched; see `concordant.agreement`.

    Returns
    -------
    Axes
        With a row of bars for each partition.

    Raises
    ------
    ValueError
        If there are other groups than objects, or `order` does not name each once.

    Examples
    --------
    >>> import concordant.plot
    >>> runs = {"a": [[0.9, 0.1], [0.2, 0.8]], "b": [[0.2, 0.8], [0.7, 0.3]]}
    >>> ax = concordant.plot.structure(runs, groups=["left", "right"])
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['a', 'b']
    """
    if isinstance(partitions, Modes):
        aligned, labels = partitions.aligned, in_two_lines(partitions.titles)
    else:
        aligned = (
            partitions
            if isinstance(partitions, AlignedClusters)
            else align_clusters(partitions, names=names, match_by=match_by)
        )
        labels = labels_of(aligned.names)
    if names is not None:
        labels = labels_of(checked_names(names, len(aligned)))
    known = groups_of(groups, aligned.partitions)
    places = order_of_objects(aligned.partitions, known, order)
    ax = axes_for(ax, *structure_size(labels, known, width))
    draw_structure(ax, aligned, labels, known, places, colors)
    ax.set_title(title, **LITERALLY)
    return ax


def draw_structure(
    ax: Axes,
    aligned: AlignedClusters,
    labels: Sequence[str],
    groups: NDArray[np.object_] | None,
    places: NDArray[np.intp],
    colors: Sequence[str] | None = None,
) -> None:
    """Draw a row of bars for each partition, the objects in the order of `places`."""
    taken, remark = evenly(places, _MOST_OBJECTS)
    k, n = len(aligned), taken.size
    width, height = (length / ax.figure.dpi for length in ax.bbox.size)
    height /= k
    n_pixels = math.ceil(_PIXELS * min(_TALLEST, height))
    colors = colors_of(colors, aligned.n_clusters)
    members = tuple(member.take(taken) for member in aligned._given)
    shown = replace(aligned, _given=members)
    for number, member in enumerate(members):
        between = k - number - 1 + _GAP, k - number
        columns = shown.memberships(number).T
        _draw_bars(ax, columns, member.kind, colors, n_pixels, between)
    ax.set(xlim=(0, n), ylim=(0, k), xticks=[])
    rows = [k - number - 0.5 for number in range(k)]
    size = _size_of_names(height, labels, width)
    ax.set_yticks(rows, labels=labels, size=size, **LITERALLY)
    ax.tick_params(length=0)
    frameless(ax)
    named = "" if groups is None else _name_groups(ax, groups[taken], width)
    note(ax, remark, named)


def draw_both(
    ax: Axes,
    P: Partition,
    Q: Partition,
    names: tuple[str, str],
    order: NDArray[np.intp] | None,
    colors: Sequence[str] | None,
    groups: NDArray[np.object_] | None = None,
    *,
    legend: bool = True,
) -> None:
    """Draw two partitions, with one colour for clusters that match."""
    aligned = both_aligned(P, Q, names)
    whole = common_order(P, Q) if order is None else order
    whole = as_positions("order", whole, P.n_objects)
    colors = colors_of(colors, aligned.n_clusters)
    draw_structure(ax, aligned, labels_of(names), groups, whole, colors)
    if not legend or aligned.n_clusters > _LONGEST_LEGEND:
        return
    texts = []
    for columns in zip(*aligned.orders, strict=True):
        both = zip((P, Q), columns, strict=True)
        own = [each.clusters[column] for each, column in both if column >= 0]
        shown = (without_middle(printed(name), _SHORT) for name in own)
        texts.append(" / ".join(dict.fromkeys(shown)))
    _add_legend(ax, texts, colors[: len(texts)])


def structure_size(
    labels: Sequence[str],
    groups: Sequence[object] | NDArray[np.object_] | None,
    width: float | None = None,
) -> tuple[float, float]:
    """Choose the width and height of a figure for rows with these labels, in inches."""
    height = max(_LOWEST, min(_TALLEST, _ALL / len(labels)))
    if width is not None:
        if not 0.0 < width < _WIDEST:
            what = f" must be a number of inches, such as 3.3, found {width:.4g}"
            raise InputError(Argument("width"), what)
        height = max(_LOWEST, height * min(1.0, math.sqrt(width / _WIDTH)))
    below = 0.0
    if groups is not None:
        names = (without_middle(printed(name), _LONGEST) for name in groups)
        below = 0.35 + width_of(names, _TEXT)
    lines = [line for label in labels for line in label.split("\n")]
    margin = width_of(lines, _size_of_names(height, labels))
    whole = _WIDTH + margin if width is None else width
    return whole, len(labels) * height + below + 0.3


def _size_of_names(
    height: float, labels: Sequence[str], width: float = _WIDTH
) -> float:
    """Choose the size of names of rows of so many inches, in points."""
    lines = 1 + max(label.count("\n") for label in labels)
    room = height * POINTS / _LINE / lines
    most = _TEXT * min(1.0, math.sqrt(width / _NARROW))
    return min(most, max(_SMALLEST_TEXT, room))


def in_two_lines(titles: Sequence[str]) -> list[str]:
    """Break the titles of modes after the colon."""
    return [title.replace(": ", ":\n") for title in titles]


def groups_of(
    groups: object, partitions: Sequence[Partition]
) -> NDArray[np.object_] | None:
    """
    Return the name of each object's group, or None if there are no groups.

    They are those that the partitions have, if None are given; True demands these.
    """
    if groups is None or groups is True:
        own = (partition.groups for partition in partitions)
        found = next((each for each in own if each is not None), None)
        if groups is True and found is None:
            raise InputError(
                Argument("groups"),
                " stands for the groups of the partitions, and these have none; give a "
                "label for each object",
            )
        groups = found
    elif isinstance(groups, Partition):
        groups = groups.clusters[groups.labels]
    if groups is None:
        return None
    n = partitions[0].n_objects
    ids = as_ids(groups, n, "each partition", "groups")
    return np.array([*map(printed, ids)], dtype=object)


def order_of_objects(
    partitions: Sequence[Partition],
    groups: NDArray[np.object_] | None,
    wanted: Sequence[object] | None,
) -> NDArray[np.intp]:
    """Order objects by group, then by the cluster that is largest in their group."""
    first = max(partitions, key=lambda partition: partition.n_clusters)
    if groups is None:
        if wanted is None:
            return own_order(first)
        ids = first.ids
        names = range(first.n_objects) if ids is None else [*map(printed, ids)]
        return np.asarray(places_of(wanted, [*names], "object"))
    of_groups = list(dict.fromkeys(groups.tolist()))
    rank = np.arange(len(of_groups))
    if wanted is not None:
        rank[places_of(wanted, of_groups, "group")] = np.arange(len(of_groups))
    places = dict(zip(of_groups, rank.tolist(), strict=True))
    number = np.array([places[group] for group in groups])
    U = first.columns().T
    totals = np.zeros((len(of_groups), U.shape[1]))
    np.add.at(totals, number, U)
    own = U[np.arange(len(U)), totals.argmax(axis=1)[number]]
    return np.lexsort((-own, number))


def places_of(
    wanted: Sequence[object], names: Sequence[object], what: str
) -> list[int]:
    """Return where what is wanted stands among names, each of which it names once."""
    places = {printed(name): place for place, name in enumerate(names)}
    said = [printed(each) for each in several("order", wanted) or ()]
    if odd := next((each for each in said if each not in places), None):
        raise InputError(
            Argument("order"),
            f" names {called(odd)}, which is no {what}; there are "
            f"{shortened(', '.join(places), 80)}",
        )
    if len(said) != len(places) or len({*said}) != len(said):
        left = [name for name in places if name not in said]
        why = f"and {called(left[0])} is missing" if left else "and one is there twice"
        raise InputError(Argument("order"), f" must name each {what} once, {why}")
    return [places[each] for each in said]


def _name_groups(ax: Axes, groups: NDArray[np.object_], width: float) -> str:
    """Divide groups by lines, name them below, and say if not all are named."""
    thin = min(1.0, width / _NARROW)
    runs = [(name, len([*same])) for name, same in groupby(groups)]
    ends = np.cumsum([size for _, size in runs])
    whole = ax.get_xaxis_transform()
    ax.vlines(ends[:-1], 0.0, 1.0, color=ink(), lw=0.7 * thin, transform=whole)
    ax.set_xlim(0, ends[-1])
    # Where names are many, they are smaller, and then fewer.
    room = width * POINTS / _LINE / len(runs)
    size = min(_TEXT, max(_SMALLEST_TEXT, room))
    line = size * _LINE / POINTS * ends[-1] / width  # in objects
    step = max(1, math.ceil(len(runs) * line / ends[-1] - 1e-9))
    named = [*range(0, len(runs), step)]
    centres = np.array([ends[i] - runs[i][1] / 2.0 for i in named])
    places = _apart(centres, line, float(ends[-1]))
    stroke = {
        "arrowstyle": "-",
        "lw": 0.5 * thin,
        "color": ink(),
        "shrinkA": 0,
        "shrinkB": 0,
    }
    for i, centre, place in zip(named, centres, places, strict=True):
        ax.annotate(
            without_middle(runs[i][0], _LONGEST),
            (centre, 0.0),
            xycoords=("data", "axes fraction"),
            xytext=(place, -_BELOW),
            textcoords=("data", "axes points"),
            rotation=90,
            ha="center",
            va="top",
            size=size,
            arrowprops=stroke,
            annotation_clip=False,
            **LITERALLY,
        )
    longest = max(len(without_middle(runs[i][0], _LONGEST)) for i in named)
    ax.xaxis.labelpad = _BELOW + (longest + 1) * size * _CAPITAL
    ax.xaxis.label.set_fontsize(size)
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
