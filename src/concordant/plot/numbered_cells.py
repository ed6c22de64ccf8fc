"""The soft cross-table of two partitions, with its numbers."""

import numpy as np
from matplotlib.axes import Axes

from concordant.partition.alignment import Align, aligned
from concordant.partition.cross_table import soft_cross_table
from concordant.partition.naming import shortened
from concordant.plot.axes import frameless, ink, new_axes, take_literally
from concordant.plot.palette import AMOUNT, text_on

_MOST_NUMBERS = 15  # more columns or rows leave no room for them


def cross_table(
    P: object,
    Q: object,
    *,
    ax: Axes | None = None,
    names: tuple[str, str] = ("P", "Q"),
    align: Align = "position",
) -> Axes:
    """
    Draw how the objects are distributed over pairs of clusters, U'V.

    Parameters
    ----------
    P, Q : Partition, or anything one can be made from
        Two partitions of the same objects, of any kind.
    ax : Axes, optional
        Where to draw; on a new figure by default.
    names : tuple of two str, default=("P", "Q")
        What the partitions are called.
    align : {"position", "index"}, default="position"
        How objects are matched: by position, or by their ids.

    Returns
    -------
    Axes
        One row per cluster of P, one column per cluster of Q. Numbers are written up
        to 15 clusters.

    Examples
    --------
    >>> import concordant.plot
    >>> P = [[0.9, 0.1], [0.8, 0.2], [0.2, 0.8], [0.3, 0.7]]
    >>> ax = concordant.plot.cross_table(P, ["a", "a", "b", "b"])
    >>> [text.get_text() for text in ax.texts]
    ['1.7', '0.5', '0.3', '1.5']
    """
    p, q = aligned(P, Q, align=align)
    table = soft_cross_table(p, q)
    if ax is None:
        ax = new_axes(
            2.0 + 0.7 * min(q.n_clusters, 15), 1.4 + 0.5 * min(len(table), 15)
        )
    ax.imshow(table, cmap=AMOUNT, vmin=0.0, aspect="auto", interpolation="none")
    if max(table.shape) <= _MOST_NUMBERS:
        most = float(table.max()) or 1.0
        crisp = p.kind == q.kind == "crisp"
        for (row, column), value in np.ndenumerate(table):
            ax.text(
                column,
                row,
                f"{value:,.0f}" if crisp else f"{value:,.1f}",
                ha="center",
                va="center",
                color=text_on(value / most, ink()),
            )
        ax.set_xticks(range(q.n_clusters), labels=[shortened(c) for c in q.clusters])
        ax.set_yticks(range(p.n_clusters), labels=[shortened(c) for c in p.clusters])
    ax.set(xlabel=f"clusters of {names[1]}", ylabel=f"clusters of {names[0]}")
    ax.tick_params(length=0)
    take_literally([ax.xaxis.label, ax.yaxis.label])
    take_literally([*ax.get_xticklabels(), *ax.get_yticklabels()])
    frameless(ax)
    return ax
