"""Pictures of many partitions at once."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from concordant.plot.axes import ink
from concordant.plot.beside_points import beside
from concordant.plot.palette import AMOUNT, DISTINCT
from concordant.plot.plane import in_the_plane

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_NUMBERS = 12  # beyond so many partitions, cells are too small for numbers
_LONGEST_NAME = 32
_DARK = 0.55  # of the scale, from where on numbers are white
_MARGIN = 0.3  # around the points of a map, of their extent
_LINE = 0.18  # inches, the height of a line of text
_CHARACTER = 0.09  # inches, about the width of a character


def similarity_heat_map(
    values: NDArray[np.float64],
    names: Sequence[str],
    *,
    distances: NDArray[np.float64] | None = None,
    title: str = "ACI",
    ax: "Axes | None" = None,
) -> "Axes":
    """
    Draw all pairs of partitions as a heat map in which similar ones are neighbours.

    Parameters
    ----------
    values : ndarray of shape (k, k)
        An index of each pair.
    names : sequence of k str
        What the partitions are called.
    distances : ndarray of shape (k, k), optional
        By which the partitions are ordered; 1 - `values` by default.
    title : str, default="ACI"
        What the values are.
    ax : matplotlib.axes.Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib.axes.Axes
        With the picture.
    """
    ax = _new_axes() if ax is None else ax
    order = by_similarity(1.0 - values if distances is None else distances)
    shown = values[np.ix_(order, order)]
    labels = [_shortened(names[i]) for i in order]
    lowest, highest = min(0.0, float(shown.min())), max(1.0, float(shown.max()))
    image = ax.imshow(shown, vmin=lowest, vmax=highest, cmap=AMOUNT)
    ticks = range(len(order))
    ax.set_xticks(ticks, labels, rotation=45, ha="right", parse_math=False)
    ax.set_yticks(ticks, labels, parse_math=False)
    ax.set_title(title)
    if len(order) <= _MOST_NUMBERS:
        dark = lowest + _DARK * (highest - lowest)
        for (row, column), value in np.ndenumerate(shown):
            colour = "white" if value > dark else ink()
            ax.text(column, row, f"{value:.2f}", color=colour, ha="center", va="center")
    figure = ax.get_figure(root=True)
    if figure is not None:
        figure.colorbar(image, ax=ax, shrink=0.8)
    return ax


def partition_map(
    distances: NDArray[np.float64],
    names: Sequence[str],
    *,
    ax: "Axes | None" = None,
) -> "Axes":
    """
    Draw partitions as points in the plane, near to one another if they are similar.

    Parameters
    ----------
    distances : ndarray of shape (k, k)
        1 - NDC of each pair, a pseudo-metric: different partitions may coincide.
    names : sequence of k str
        What the partitions are called.
    ax : matplotlib.axes.Axes, optional
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib.axes.Axes
        With the picture.
    """
    ax = _new_axes() if ax is None else ax
    points, share = in_the_plane(distances)
    ax.scatter(points[:, 0], points[:, 1], color=DISTINCT[0], zorder=2)
    together: dict[tuple[float, ...], list[str]] = {}
    for point, name in zip(points.round(6).tolist(), names, strict=True):
        together.setdefault(tuple(point), []).append(_shortened(name))
    ax.set_aspect("equal", adjustable="datalim")
    ax.margins(_MARGIN)
    _label(ax, together)
    ax.grid(alpha=0.3)
    ax.set_title("partitions by 1 - NDC")
    ax.set_xlabel(f"the plane shows {share:.0%} of the squared distances")
    return ax


def many_partitions(
    values: NDArray[np.float64],
    distances: NDArray[np.float64],
    names: Sequence[str],
    *,
    title: str = "ACI",
) -> Figure:
    """
    Draw the heat map and the map of many partitions side by side.

    Parameters
    ----------
    values : ndarray of shape (k, k)
        An index of each pair.
    distances : ndarray of shape (k, k)
        1 - NDC of each pair.
    names : sequence of k str
        What the partitions are called.
    title : str, default="ACI"
        What the values are.

    Returns
    -------
    matplotlib.figure.Figure
        One that belongs to no window.
    """
    side = float(np.clip(0.5 * len(names), 5.0, 12.0))
    figure = Figure(figsize=(2.0 * side + 1.0, side), layout="constrained")
    left, right = figure.subplots(1, 2)
    similarity_heat_map(values, names, distances=distances, title=title, ax=left)
    partition_map(distances, names, ax=right)
    return figure


def by_similarity(distances: NDArray[np.float64]) -> list[int]:
    """
    Order objects so that similar ones are neighbours.

    Parameters
    ----------
    distances : ndarray of shape (k, k)
        Symmetric, with zeros on the diagonal.

    Returns
    -------
    list of k int
        The leaves of the average linkage tree, in the order that makes the sum of
        the distances between neighbours least.
    """
    if len(distances) < 3:
        return [*range(len(distances))]
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.spatial.distance import squareform

    pairs = squareform(distances, checks=False)
    order = leaves_list(linkage(pairs, "average", optimal_ordering=True))
    return [int(leaf) for leaf in order]


def _new_axes() -> "Axes":
    return Figure(layout="constrained").subplots()


def _label(ax: "Axes", together: dict[tuple[float, ...], list[str]]) -> None:
    """Write the names of points beside them."""
    points = np.array([*together])
    texts = ["\n".join(names) for names in together.values()]
    extent = float(np.ptp(points, axis=0).max()) or 1.0
    figure = ax.get_figure(root=True)
    inches = ax.bbox.width / figure.dpi if figure is not None else 4.0
    unit = extent * (1.0 + 2.0 * _MARGIN) / inches  # of the data, for an inch
    sizes = [
        (_CHARACTER * max(map(len, names)) * unit, _LINE * len(names) * unit)
        for names in together.values()
    ]
    places = beside(points, sizes, _LINE / 2.0 * unit)
    for text, point, place in zip(texts, points, places, strict=True):
        line = {"arrowstyle": "-", "alpha": 0.4, "relpos": (0.0, 0.5), "shrinkA": 0.0}
        moved = place[1] != point[1]
        ax.annotate(
            text,
            (float(point[0]), float(point[1])),
            xytext=(float(place[0]), float(place[1])),
            va="center",
            arrowprops=line if moved else None,
            parse_math=False,
        )


def _shortened(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"...{name[3 - _LONGEST_NAME :]}"
