"""Pictures of many partitions, and of clusterings of resamples."""

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.transforms import Bbox
from numpy.typing import NDArray

from concordant.catalogue.lookups import heading_of
from concordant.door import checked
from concordant.many.agreeing import Agreement
from concordant.many.aligned import AlignedClusters
from concordant.many.given import checked_names
from concordant.many.levels import Stability
from concordant.many.linkage import THRESHOLD
from concordant.plot.palette import AMOUNT, BEHIND_NUMBERS, DISTINCT
from concordant.plot.picture import axes_for
from concordant.plot.stacks import groups_of, structure, structure_size
from concordant.plot.words import (
    CHARACTER,
    LITERALLY,
    POINTS,
    add_scale,
    frameless,
    ink,
    labels_of,
    note,
    width_of,
    write_cells,
    written,
)
from concordant.wording import count

_TREE = 0.2  # the width of the tree, of that of the heat map
_GAP = 0.02  # between the two
_MARGIN = 0.05  # around what a map shows, of its extent
_ROUNDS = 4
_DRAWN = 0.85  # of the axes, when a layout has made room for ticks and titles
_CELL, _SMALLEST_CELL = 0.46, 0.21  # inches, of few and of many partitions
_LARGEST = 12.0  # inches, of a heat map
_LEAST_MAP = 5.0
_SMALLEST_TEXT, _TEXT = 6.0, 9.0  # points
_LINE = 1.35  # the height of a line, of that of a character
_BAND = 0.05, 0.95  # quantiles of sets without structure
_FEW, _BRIEF = 12, 12  # so many names of so many characters stand beside points


@checked
def agreement_heat_map(
    agreement: Agreement,
    *,
    ax: Axes | None = None,
    names: Sequence[str] | None = None,
    threshold: float = THRESHOLD,
    title: str = "",
) -> Axes:
    """
    Draw the agreement of all pairs of partitions, with their tree and modes.

    Parameters
    ----------
    agreement : Agreement
        What `concordant.agreement` returns.
    ax : matplotlib.axes.Axes, optional
        Where to draw. By default the current axes if a figure is open in pyplot, else
        those of a new figure.
    names : sequence of k str, optional
        What the partitions are called; by default as in the agreement.
    threshold : float, default=0.95
        How far any two partitions of a mode agree at least; see `Agreement.modes`.
    title : str, optional
        What stands above what is said of the modes.

    Returns
    -------
    matplotlib.axes.Axes
        With the picture: a frame around each mode of several partitions, if the best
        value of the index is 1 and there is more than one mode.

    Examples
    --------
    >>> import concordant as cc
    >>> runs = {"a": [0, 0, 1, 1], "b": [1, 1, 0, 0], "c": [0, 1, 1, 1]}
    >>> print(cc.plot.agreement_heat_map(cc.agreement(runs)).get_title())
    ACI, 2 modes (framed)
    any two of a mode agree with ACI of at least 0.95
    """
    names = agreement.names if names is None else checked_names(names, len(agreement))
    index = heading_of(agreement.index)
    above = f"{title}\n{index}" if title else index
    ax = _heat_map(agreement, labels_of(names), above, ax)
    if not agreement.has_modes:
        return ax
    modes = agreement.modes(threshold)
    corner, framed = -0.5, ""
    in_order = modes.labels[agreement.order] if len(modes) > 1 else ()
    for _, same in itertools.groupby(in_order):
        size = len([*same])
        if size > 1:
            frame = Rectangle((corner, corner), size, size, fill=False)
            frame.set(edgecolor=ink(), linewidth=1.8)
            ax.add_patch(frame)
            framed = " (framed)"
        corner += size
    found = f"{above}, {count(len(modes), 'mode')}{framed}"
    agree = f"any two of a mode agree with {index} of at least {modes.threshold}"
    ax.set_title(f"{found}\n{agree}", fontsize="medium", **LITERALLY)
    return ax


def _heat_map(
    agreement: Agreement, labels: Sequence[str], title: str, ax: Axes | None
) -> Axes:
    """Draw a heat map beside the tree by which its rows are joined."""
    from scipy.cluster.hierarchy import dendrogram

    k = len(labels)
    ax = axes_for(ax, *heat_map_size(labels))
    tree: Any = {"leaves": range(k)}
    if k > 2:
        tree = dendrogram(agreement.tree, no_plot=True)
    order = tree["leaves"]
    shown = agreement.values[np.ix_(order, order)]
    lowest, highest = min(0.0, float(shown.min())), max(1.0, float(shown.max()))
    image = ax.imshow(shown, vmin=lowest, vmax=highest, cmap=AMOUNT)
    ax.set_title(title, **LITERALLY)
    cell = _cell(ax, labels)
    texts = [labels[i] for i in order]
    # Lines that are too small to be read apart are named every few rows.
    size = min(_TEXT, max(_SMALLEST_TEXT, cell / _LINE * POINTS))
    step = max(1, math.ceil(_LINE * size / POINTS / cell))
    rows = range(0, k, step)
    columns = texts
    if not _are_brief(texts):
        columns = [f"{i + 1}" for i in order]
        texts = [f"{text} ({i})" for text, i in zip(texts, columns, strict=True)]
    columns = columns[::step]
    ax.set_yticks(rows, texts[::step], **LITERALLY)
    ax.set_xticks(rows, columns, **LITERALLY)
    upright = width_of(columns, size) > 0.92 * cell * step
    ax.tick_params(length=0, labelsize=size)
    ax.tick_params(axis="x", rotation=90 if upright else 0)
    note(ax, f"one in {step} is named" * (step > 1))
    ax.xaxis.label.set_fontsize(size)
    numbers = written(shown, "z.2f")
    room = 0.85 * cell * POINTS / (CHARACTER * max(map(len, numbers.ravel())))
    if room >= _SMALLEST_TEXT:
        image.set_cmap(BEHIND_NUMBERS)
        write_cells(ax, numbers, min(_TEXT, room))
    frameless(ax)
    if k > 2:
        _draw_tree(ax, tree)
    add_scale(ax, image, "")
    return ax


def partition_map(
    distances: NDArray[np.float64],
    names: Sequence[str],
    *,
    ax: Axes | None = None,
) -> Axes:
    """
    Draw partitions as points in the plane, near to one another if they are similar.

    Parameters
    ----------
    distances : ndarray of shape (k, k)
        1 - NDC of each pair, a pseudo-metric: different partitions may coincide.
    names : sequence of k str
        What the partitions are called.
    ax : matplotlib.axes.Axes, optional
        Where to draw. By default the current axes if a figure is open in pyplot, else
        those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        With the picture.
    """
    ax = axes_for(ax, 6.4, 4.8)
    labels = labels_of(names)
    points, share = in_the_plane(distances)
    ax.scatter(points[:, 0], points[:, 1], color=DISTINCT[0], zorder=2)
    together: dict[tuple[float, ...], list[str]] = {}
    for point, name in zip(points.round(6).tolist(), labels, strict=True):
        together.setdefault(tuple(point), []).append(name)
    ax.set_aspect("equal", adjustable="datalim")
    ax.margins(_MARGIN)
    _label(ax, together)
    ax.grid(alpha=0.3)
    ax.set_title("partitions by 1 - NDC")
    shown = f"the plane shows {100 * share:.0f} % of the squared distances"
    note(ax, shown)
    return ax


def many_partitions(
    agreement: Agreement,
    distances: NDArray[np.float64],
    *,
    title: str = "",
    bars: AlignedClusters | None = None,
    groups: object = None,
    order: Sequence[object] | None = None,
) -> Figure:
    """
    Draw the heat map and the map of many partitions, and below them their bars.

    Parameters
    ----------
    agreement : Agreement
        Of all pairs.
    distances : ndarray of shape (k, k)
        1 - NDC of each pair.
    title : str, optional
        What stands above.
    bars : AlignedClusters, optional
        The partitions, if bars of memberships are to stand below.
    groups, order
        Of the objects of the bars; see `structure`.

    Returns
    -------
    matplotlib.figure.Figure
        One that belongs to no window. If the names are many or long, the points of
        the map have their numbers, as the columns of the heat map.
    """
    names = agreement.names
    texts = labels_of(names)
    width, height = heat_map_size(texts)
    beside_it = max(_LEAST_MAP, height - 1.0)
    both = width + beside_it
    figure = Figure(figsize=(both, height), layout="constrained")
    part: Any = figure
    if bars is not None:
        wide, high = structure_size(texts, groups_of(groups, bars.partitions))
        figure.set_size_inches(max(both, wide), height + high)
        parts: Any = figure.subfigures(2, 1, height_ratios=(height, high))
        part, below = parts
        structure(bars, ax=below.subplots(), names=names, groups=groups, order=order)
    if title:
        figure.suptitle(title, **LITERALLY)
    left, right = part.subplots(1, 2, width_ratios=(width, beside_it))
    agreement_heat_map(agreement, ax=left)
    if not _are_brief(texts):
        texts = [f"{i}" for i in range(1, len(names) + 1)]
    partition_map(distances, texts, ax=right)
    return figure


def _draw_tree(ax: Axes, tree: dict[str, Any]) -> None:
    """Draw to the right of a heat map, in its own units, how rows are joined."""
    k = len(tree["leaves"])
    highest = float(np.max(tree["dcoord"]))
    start, width = k - 0.5 + _GAP * k, _TREE * k
    for heights, rows in zip(tree["dcoord"], tree["icoord"], strict=True):
        along = start + width * np.asarray(heights) / (highest or 1.0)
        # SciPy puts the leaves at 5, 15, 25 and so on.
        ax.plot(along, np.asarray(rows) / 10.0 - 0.5, color=ink(), lw=0.8, alpha=0.8)
    ax.set_xlim(-0.5, start + width + 0.01 * k)
    ax.annotate(
        f"complete\nlinkage\n0 to {highest:.2g}",
        (start + width / 2.0, k - 0.5),
        xytext=(0.0, -4.0),
        textcoords="offset points",
        ha="center",
        va="top",
        fontsize=_TEXT - 1.0,
        annotation_clip=False,
    )


def _are_brief(texts: Sequence[str]) -> bool:
    """Return whether names can stand at columns and beside points."""
    return len(texts) <= _FEW and max(map(len, texts)) <= _BRIEF


def _room_for(texts: Sequence[str]) -> float:
    """Estimate the inches that names need beside a heat map."""
    return width_of((f"{text} (000)" for text in texts), _TEXT)


def heat_map_size(texts: Sequence[str]) -> tuple[float, float]:
    """Choose the width and height of a figure for a heat map, in inches."""
    k = len(texts)
    wanted = k * (_CELL if k <= _FEW else _SMALLEST_CELL)
    side = min(_LARGEST, max(2.6, wanted))
    # Names that stand upright below the columns need room.
    below = width_of(texts, _TEXT) if _are_brief(texts) else 0.0
    return side * (1.0 + _GAP + _TREE) + _room_for(texts) + 1.2, side + 1.9 + below


def _cell(ax: Axes, texts: Sequence[str]) -> float:
    """Estimate the size of a cell of a heat map, in inches."""
    width, height = (length / ax.figure.dpi for length in ax.bbox.size)
    side = min(width - _room_for(texts), height - 0.4)
    return max(0.01, side / (len(texts) * (1 + _TREE)))


def _label(ax: Axes, together: dict[tuple[float, ...], list[str]]) -> None:
    """Write the names of points beside them, and make room for these."""
    points = np.array([*together])
    inches = _DRAWN * float(min(ax.bbox.size)) / ax.figure.dpi
    corners = points
    # The room that names take shrinks the unit in which they are measured.
    for _ in range(_ROUNDS):
        extent = float(np.ptp(corners, axis=0).max()) or 1.0
        unit = extent * (1.0 + 2.0 * _MARGIN) / inches  # of the data, for an inch
        line = _TEXT * _LINE / POINTS * unit
        character = _TEXT * CHARACTER / POINTS * unit
        sizes = np.array(
            [
                (character * max(map(len, names)), line * len(names))
                for names in together.values()
            ]
        )
        places = beside(points, sizes, 0.6 * line)
        low = places - sizes * [0.0, 0.5]
        corners = np.concatenate([points, low, low + sizes])
    ax.update_datalim(corners)
    ax.autoscale_view()
    for names, point, place, size in zip(
        together.values(), points, places, sizes, strict=True
    ):
        # Where the label is nearest to its point, as a share of its width and height.
        ends = np.clip((point - place) / size + [0.0, 0.5], 0.0, 1.0)
        far = np.hypot(*(place + (ends - [0.0, 0.5]) * size - point)) > 0.75 * line
        arrow = {"arrowstyle": "-", "alpha": 0.5, "relpos": ends, "shrinkA": 0.0}
        left = ends[0] == 1.0
        ax.annotate(
            "\n".join(names),
            point,
            xytext=(place[0] + left * size[0], place[1]),
            ha="right" if left else "left",
            va="center",
            fontsize=_TEXT,
            arrowprops=arrow if far else None,
            **LITERALLY,
        )


def in_the_plane(
    distances: NDArray[np.float64],
) -> tuple[NDArray[np.float64], float]:
    """
    Place points by classical multidimensional scaling (Torgerson 1952).

    Returns them with the share of the positive eigenvalues that the plane shows. Of the
    two directions of an axis, the one in which the farthest point is positive is taken.
    """
    squares = distances**2
    centred = squares - squares.mean(axis=0)
    centred = -0.5 * (centred - centred.mean(axis=1, keepdims=True))
    values, vectors = np.linalg.eigh((centred + centred.T) / 2.0)
    values = np.maximum(values[::-1], 0.0)
    points = np.zeros((len(distances), 2))
    width = min(2, len(distances))
    points[:, :width] = vectors[:, ::-1][:, :width] * np.sqrt(values[:width])
    farthest = np.abs(points).argmax(axis=0)
    points *= np.where(points[farthest, [0, 1]] < 0.0, -1.0, 1.0)
    total = float(values.sum())
    return points, float(values[:2].sum()) / total if total > 0.0 else 1.0


def beside(
    points: NDArray[np.float64], sizes: NDArray[np.float64], gap: float
) -> NDArray[np.float64]:
    """
    Return the left end of the label of each point, in the middle of its height.

    `sizes` are widths and heights, `gap` is the distance from the point at which a
    label begins: to the right, else to the left, above or below, or farther and farther
    away, so that it covers no point and no earlier label. Highest points first.
    """
    taken = [Bbox([point - gap / 2.0, point + gap / 2.0]) for point in points]
    places = np.empty_like(points)
    for i in np.lexsort((points[:, 0], -points[:, 1])):
        for x, y in _around(points[i], sizes[i], gap):
            box = Bbox.from_bounds(x, y - sizes[i, 1] / 2.0, *sizes[i])
            if not box.count_overlaps(taken):
                break
        places[i] = x, y
        taken.append(box)
    return places


def _around(
    point: NDArray[np.float64], size: NDArray[np.float64], gap: float
) -> Iterator[tuple[float, float]]:
    """Yield places for a label, the best first, without end, as all may be taken."""
    (x, y), (width, height) = point.tolist(), size.tolist()
    for far in itertools.count():
        away = gap + far * height / 2.0
        right, left, middle = x + away, x - away - width, x - width / 2.0
        up, down = y + height / 2.0 + away, y - height / 2.0 - away
        if far == 0:
            yield right, y
            yield left, y
        for aside in (right, left, middle):
            yield aside, up
            yield aside, down


@checked
def stability_curve(stability: Stability, *, ax: Axes | None = None) -> Axes:
    """
    Draw how stable clusterings are, by the number of clusters.

    Parameters
    ----------
    stability : Stability
        What `concordant.stability` returns.
    ax : matplotlib.axes.Axes, optional
        Where to draw. By default the current axes if a figure is open in pyplot, else
        those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        With the mean ACI between clusterings of resamples and, as a band for each
        reference, that of nine in ten sets without structure. The number of clusters is
        marked by a line, other levels by a ring.
    """
    ax = axes_for(ax, 6.4, 4.2)
    K, colors = stability.tried, DISTINCT[1:]
    for number, name in enumerate(stability.references):
        sets = stability.reference_aci[:, number].mean(axis=-1)
        low, high = np.quantile(sets, _BAND, axis=-1)
        color, told = colors[number], f"without structure, {name}"
        ax.fill_between(K, low, high, alpha=0.3, lw=0.0, color=color, label=told)
        ax.plot(K, sets.mean(axis=-1), color=color, linestyle="--", lw=1.0)
    means = stability.mean_aci
    ax.plot(K, means, color=DISTINCT[0], marker="o", label="data", zorder=3)
    for level in stability.levels:
        if level == stability.n_clusters:
            ax.axvline(level, color=ink(), linewidth=0.9, alpha=0.6, zorder=1)
        (ring,) = ax.plot(level, means[K.index(level)], marker="o", zorder=4)
        ring.set(markersize=12, markerfacecolor="none", markeredgecolor=ink())
    ax.set_xticks(K)
    ax.set_xlabel("number of clusters K")
    ax.set_ylabel("mean ACI between resamples")
    found = stability.n_clusters
    ax.set_title(f"{found} cluster{'s' if found > 1 else ''}", **LITERALLY)
    ax.legend(frameon=False)
    ax.grid(alpha=0.3)
    return ax
