"""The memberships of the objects, stacked."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba_array
from matplotlib.patches import Patch
from numpy.typing import NDArray

from concordant.catalogue import FREE_SUMS
from concordant.partition.partition import Partition
from concordant.plot.order import evenly, own_order
from concordant.plot.palette import cluster_colors
from concordant.plot.picture import axes_for
from concordant.plot.words import (
    frameless,
    labels_of,
    note,
    remark_on,
    take_literally,
)

_LONGEST_LEGEND = 12


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
    take_literally([ax.set_title(name)])
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
        text.set_text(name)
    legend.get_title().set_multialignment("center")
    take_literally([legend.get_title(), *legend.get_texts()])
