"""The soft cross-table of two partitions, with its numbers."""

from matplotlib.axes import Axes

from concordant.partition.alignment import Align, aligned
from concordant.partition.naming import printed
from concordant.plot.axes import (
    CHARACTER,
    POINTS,
    frameless,
    note,
    take_literally,
    words_on,
    write_cells,
)
from concordant.plot.name_parts import labels_of, remark_on
from concordant.plot.palette import AMOUNT
from concordant.plot.picture import current_axes
from concordant.terms.contingency import soft_cross_table

_MOST_NUMBERS = 15  # more columns or rows leave no room for them
_TEXT = 10.0  # points, where cells are wide enough


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
        Where to draw. By default the current axes if a figure is open in pyplot, else
        those of a new figure.
    names : tuple of two str, default=("P", "Q")
        What the partitions are called.
    align : {"position", "index"}, default="position"
        How objects are matched: by position, or by their ids.

    Returns
    -------
    Axes
        One row per cluster of P, one column per cluster of Q. Numbers are written up
        to 15 clusters; of long names, what all of them share is left out, and said.

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
        ax = current_axes(
            2.0 + 0.7 * min(q.n_clusters, 15), 1.4 + 0.5 * min(len(table), 15)
        )
    remark = ""
    ax.imshow(table, cmap=AMOUNT, vmin=0.0, aspect="auto", interpolation="none")
    if max(table.shape) <= _MOST_NUMBERS:
        decimals = 0 if p.kind == q.kind == "crisp" else 1
        texts = [f"{value:,.{decimals}f}" for value in table.flat]
        cell = float(ax.bbox.width) / ax.figure.dpi * POINTS / q.n_clusters
        size = min(_TEXT, cell / (CHARACTER * (1 + max(map(len, texts)))))
        write_cells(ax, texts, table / (table.max() or 1.0), size)
        rows, columns = (labels_of([printed(c) for c in x.clusters]) for x in (p, q))
        ax.set_yticks(range(p.n_clusters), labels=rows.texts)
        ax.set_xticks(range(q.n_clusters), labels=columns.texts)
        remark = remark_on(rows, columns)
        longest = _TEXT * CHARACTER * (1 + max(map(len, columns.texts)))
        ax.tick_params(axis="x", rotation=90 if longest > cell else 0)
    ax.set_xlabel(f"clusters of {names[1]}")
    ax.set_ylabel(words_on(names[0], "clusters of"))
    note(ax, remark)
    ax.tick_params(length=0)
    take_literally([ax.xaxis.label, ax.yaxis.label])
    take_literally([*ax.get_xticklabels(), *ax.get_yticklabels()])
    frameless(ax)
    return ax
