"""The memberships of the objects, stacked."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba_array
from matplotlib.patches import Patch
from numpy.typing import NDArray

from concordant.catalogue import FREE_SUMS
from concordant.partition.naming import printed
from concordant.partition.partition import Partition
from concordant.plot.axes import frameless, note, take_literally
from concordant.plot.name_parts import labels_of, remark_on
from concordant.plot.order import evenly, own_order, shown
from concordant.plot.palette import cluster_colors
from concordant.plot.picture import current_axes

#: How many objects are shown at most.
MOST_OBJECTS = 400

_LONGEST_LEGEND = 12
_PIXELS = 300


def memberships(
    P: object,
    *,
    ax: Axes | None = None,
    name: str = "",
    order: NDArray[np.intp] | None = None,
    colors: Sequence[str] | None = None,
    legend: bool = True,
    max_objects: int = MOST_OBJECTS,
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
    if ax is None:
        ax = current_axes(7.0, 3.0)
    if order is None:
        order = own_order(partition)
    if colors is None:
        colors = cluster_colors(partition.n_clusters)
    taken = evenly(order, max_objects)
    tops = np.cumsum(partition.take(taken).columns(), axis=0)
    highest = float(tops[-1].max()) if partition.kind in FREE_SUMS else 1.0
    # One pixel wide and as many high: small whatever the numbers, and sharp.
    ax.imshow(
        painted(tops, colors, highest),
        extent=(0, taken.size, 0.0, highest),
        origin="lower",
        aspect="auto",
        interpolation="none",
    )
    ax.set_xticks([])
    ax.set_yticks([0.0, 0.5, 1.0], labels=["0", "½", "1"])
    ax.set_ylabel("membership")
    frameless(ax)
    take_literally([ax.set_title(name)])
    some = shown(order, taken)
    note(ax, some)
    if legend:
        _add_legend(ax, partition, colors, below=0.11 if some else 0.03)
    return ax


def painted(
    tops: NDArray[np.float64],
    colors: Sequence[str],
    highest: float,
    n_pixels: int = _PIXELS,
) -> NDArray[np.uint8]:
    """Colour the pixels of each object by the cluster whose share they lie in."""
    levels = (np.arange(n_pixels) + 0.5) * (highest / n_pixels)
    owners = np.stack([np.searchsorted(top, levels) for top in tops.T], axis=1)
    paints = to_rgba_array([*colors, "none"])  # above the last share there is none
    return np.asarray((255.0 * paints).round().astype(np.uint8)[owners])


def _add_legend(
    ax: Axes, partition: Partition, colors: Sequence[str], below: float
) -> None:
    if partition.n_clusters > _LONGEST_LEGEND:
        note(ax, f"{partition.n_clusters:,} clusters")
        return
    labels = labels_of([printed(cluster) for cluster in partition.clusters])
    names = labels.texts
    longest = max(map(len, names))
    legend = ax.legend(
        [Patch(color=color) for color in colors],
        [" "] * len(names),  # Matplotlib 3.9 leaves out names that begin with "_"
        loc="upper center",
        bbox_to_anchor=(0.5, -below),
        ncols=min(len(names), 4 if longest <= 10 else 2 if longest <= 24 else 1),
        title=remark_on(labels) or None,
        frameon=False,
        handlelength=1.0,
        handletextpad=0.4,
        columnspacing=1.2,
    )
    for text, name in zip(legend.get_texts(), names, strict=True):
        text.set_text(name)
    legend.get_title().set_multialignment("center")
    take_literally([legend.get_title(), *legend.get_texts()])
