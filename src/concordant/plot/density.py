"""The joint density of the similarities in two partitions."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from numpy.typing import NDArray

from concordant.execution.randomness import generator
from concordant.partition.alignment import Align, aligned
from concordant.partition.equivalence import equivalence
from concordant.partition.partition import Partition
from concordant.plot.axes import (
    add_scale,
    ink,
    new_axes,
    note,
    take_literally,
    words_on,
)
from concordant.plot.matrices import refuse_possibilistic
from concordant.plot.palette import AMOUNT

#: How many pairs are looked at at most.
MOST_PAIRS = 1_000_000

_BINS = 50


def joint_density(
    P: object,
    Q: object,
    *,
    ax: Axes | None = None,
    names: tuple[str, str] = ("P", "Q"),
    max_pairs: int = MOST_PAIRS,
    random_state: int | np.random.Generator | None = None,
    align: Align = "position",
) -> Axes:
    """
    Draw how similar pairs of objects are in P against how similar they are in Q.

    Parameters
    ----------
    P, Q : Partition, or anything one can be made from
        Two partitions of the same objects, crisp or fuzzy.
    ax : Axes, optional
        Where to draw; on a new figure by default.
    names : tuple of two str, default=("P", "Q")
        What the partitions are called.
    max_pairs : int, default=1000000
        If there are more pairs, so many are drawn at random.
    random_state : int, numpy.random.Generator or None, default=None
        Where a sample of pairs comes from.
    align : {"position", "index"}, default="position"
        How objects are matched: by position, or by their ids.

    Returns
    -------
    Axes
        With the diagonal, where both partitions say the same of a pair. The axis of a
        crisp partition has two halves, for pairs that are apart and together in it.

    Examples
    --------
    >>> import concordant.plot
    >>> P = [[0.9, 0.1], [0.8, 0.2], [0.2, 0.8], [0.3, 0.7]]
    >>> ax = concordant.plot.joint_density(P, [0, 0, 1, 1], names=("FCM", "truth"))
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('similarity in FCM', 'similarity in truth')
    """
    rng = generator(random_state)
    p, q = aligned(P, Q, align=align)
    refuse_possibilistic(p, q)
    if ax is None:
        ax = new_axes(5.0, 4.2)
    i, j = _pairs(p.n_objects, max_pairs, rng)
    counts, x_edges, y_edges = np.histogram2d(
        equivalence(p, i, j).clip(0.0, 1.0),
        equivalence(q, i, j).clip(0.0, 1.0),
        bins=(_n_bins(p), _n_bins(q)),
        range=((0.0, 1.0), (0.0, 1.0)),
    )
    shares = np.ma.masked_equal(counts.T / max(i.size, 1), 0.0)
    if i.size:
        image = ax.imshow(
            shares,
            cmap=AMOUNT,
            norm=LogNorm(vmin=_lowest(shares), vmax=1.0 if shares.size == 4 else None),
            extent=(0.0, 1.0, 0.0, 1.0),
            origin="lower",
            interpolation="none",
            aspect="equal",
        )
        add_scale(ax, image, "share of pairs")
    if counts.size == 4:
        _write_shares(ax, counts / max(i.size, 1), x_edges, y_edges)
    ax.plot([0.0, 1.0], [0.0, 1.0], color=ink(), linewidth=0.9, linestyle=(0, (4, 3)))
    ax.set(xlim=(0.0, 1.0), ylim=(0.0, 1.0))
    for axis, partition, name in ((ax.xaxis, p, names[0]), (ax.yaxis, q, names[1])):
        if partition.kind == "crisp":
            axis.set_ticks([0.25, 0.75], labels=["apart", "together"])
            turned = 90 if axis is ax.yaxis else 0
            for label in axis.get_ticklabels():
                label.set(rotation=turned, va="center" if turned else "top")
        else:
            axis.set_ticks(
                [0.0, 0.25, 0.5, 0.75, 1.0], labels=["0", "¼", "½", "¾", "1"]
            )
        axis.set_label_text(words_on(name, "similarity in"))
        take_literally([axis.label])
    total = p.n_objects * (p.n_objects - 1) // 2
    note(ax, f"{i.size:,} of {total:,} pairs, at random" if i.size < total else "")
    return ax


def _n_bins(partition: Partition) -> int:
    return 2 if partition.kind == "crisp" else _BINS


def _lowest(shares: Any) -> float:
    """Give a lower end of the scale that leaves the rarest bins visible."""
    least = float(shares.min())
    return min(least, float(shares.max()) / 10.0)


def _pairs(
    n: int, most: int, rng: np.random.Generator
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    if n * (n - 1) // 2 <= most:
        i, j = np.triu_indices(n, 1)
        return i, j
    i = rng.integers(n, size=most)
    return i, (i + rng.integers(1, n, size=most)) % n


def _write_shares(
    ax: Axes,
    shares: NDArray[np.float64],
    x_edges: NDArray[np.float64],
    y_edges: NDArray[np.float64],
) -> None:
    """Write the four shares of two crisp partitions into their quarters."""
    for x, column in enumerate(shares):
        for y, share in enumerate(column):
            ax.text(
                (x_edges[x] + x_edges[x + 1]) / 2,
                (y_edges[y] + y_edges[y + 1]) / 2 + (0.12 if x == y else 0.0),
                f"{share:.1%}",
                ha="center",
                va="center",
            )
