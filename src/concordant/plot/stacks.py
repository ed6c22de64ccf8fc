"""The memberships of the objects, stacked."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from concordant.naming import shortened
from concordant.partition import Partition
from concordant.plot.axes import frameless, new_axes, note, take_literally
from concordant.plot.order import evenly, own_order, shown
from concordant.plot.palette import cluster_colors

#: How many objects are shown at most.
MOST_OBJECTS = 400

_LONGEST_LEGEND = 12


def memberships(
    P: object,
    *,
    ax: Axes | None = None,
    name: str = "P",
    order: NDArray[np.intp] | None = None,
    colors: Sequence[str] | None = None,
    max_objects: int = MOST_OBJECTS,
) -> Axes:
    """
    Draw each object as a column that its memberships share out.

    Parameters
    ----------
    P : Partition, or what one can be made from
        Of any kind.
    ax : Axes, optional
        Where to draw; on a new figure by default.
    name : str, default="P"
        What the partition is called.
    order : ndarray of n int, optional
        Positions of the objects from left to right; by default those of each cluster
        together, the surest first.
    colors : sequence of K colours, optional
        Of the clusters.
    max_objects : int, default=400
        Of more objects so many are shown, evenly spaced in their order.

    Returns
    -------
    Axes
        With a legend of up to twelve clusters.

    Examples
    --------
    >>> import concordant.plot
    >>> P = [[0.9, 0.1], [0.2, 0.8], [0.8, 0.2], [0.3, 0.7]]
    >>> ax = concordant.plot.memberships(P, name="FCM")
    >>> ax.get_title()
    'FCM'
    """
    partition = P if isinstance(P, Partition) else Partition(P)
    if ax is None:
        ax = new_axes(7.0, 3.0)
    if order is None:
        order = own_order(partition)
    if colors is None:
        colors = cluster_colors(partition.n_clusters)
    taken = evenly(order, max_objects)
    heights = partition.take(taken).columns()
    tops = np.cumsum(heights, axis=0)
    edges = np.arange(taken.size + 1)
    for cluster, color, top, height in zip(
        partition.clusters, colors, tops, heights, strict=True
    ):
        if not height.any():
            continue
        ax.stairs(
            top,
            edges,
            baseline=top - height,
            fill=True,
            color=color,
            linewidth=0.3,
            label=f" {shortened(cluster, 16)}",  # Matplotlib hides those in "_"
        )
    highest = 1.0 if partition.kind != "possibilistic" else float(tops[-1].max())
    ax.set(xlim=(0, taken.size), ylim=(0.0, highest), xticks=[], yticks=[0.0, 0.5, 1.0])
    ax.set_yticks([0.0, 0.5, 1.0], labels=["0", "½", "1"])
    ax.set_ylabel("membership")
    frameless(ax)
    take_literally([ax.set_title(name)])
    _add_legend(ax, partition.n_clusters)
    note(ax, shown(order, taken))
    return ax


def _add_legend(ax: Axes, n_clusters: int) -> None:
    if n_clusters > _LONGEST_LEGEND:
        ax.set_xlabel(f"{n_clusters} clusters, in the order of the rainbow")
        return
    legend = ax.legend(
        loc="upper center",
        bbox_to_anchor=(0.5, -0.03),
        ncols=min(n_clusters, 4),
        frameon=False,
        handlelength=1.0,
        handletextpad=0.3,
        columnspacing=1.2,
    )
    take_literally(legend.get_texts())
