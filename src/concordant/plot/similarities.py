"""Similarities of objects in two partitions: their matrices and joint density."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from numpy.typing import NDArray

from concordant.catalogue.records import FREE_SUMS
from concordant.door import checked
from concordant.errors import InputError
from concordant.execution.run import generator
from concordant.partition.alignment import MatchBy, aligned
from concordant.partition.partition import Partition, equivalence
from concordant.plot.order import common_order, evenly
from concordant.plot.palette import AMOUNT
from concordant.plot.picture import ShownPair, axes_for, given_axes, new_figure
from concordant.plot.words import (
    LITERALLY,
    add_scale,
    dashed,
    frameless,
    note,
    words_on,
)

_BINS = 50


@checked
def similarity_matrices(
    P: object,
    Q: object,
    *,
    ax: tuple[Axes, Axes] | None = None,
    names: tuple[str, str] = ("P", "Q"),
    max_objects: int = 300,
    match_by: MatchBy = "position",
) -> tuple[Axes, Axes]:
    """
    Draw how similar every two objects are, in one partition and in the other.

    Parameters
    ----------
    P, Q : Partition, or anything one can be made from
        Two partitions of the same objects, crisp or fuzzy.
    ax : tuple of two Axes, optional
        Where to draw; on a new figure by default, of pyplot if that is in use.
    names : tuple of two str, default=("P", "Q")
        What the partitions are called.
    max_objects : int, default=300
        If there are more objects, this many are shown, evenly spaced in their order.
    match_by : {"position", "id", "common"}, default="position"
        How objects are matched: by position, by ids, or only those with common ids.

    Returns
    -------
    tuple of two Axes
        With one common order of the objects: by cluster of P, then by cluster of Q.

    Examples
    --------
    >>> import concordant.plot
    >>> P = [[0.9, 0.1], [0.8, 0.2], [0.2, 0.8], [0.3, 0.7]]
    >>> left, right = concordant.plot.similarity_matrices(P, [0, 0, 1, 1])
    >>> left.get_title(), right.get_title()
    ('P', 'Q')
    """
    p, q = _with_similarities(P, Q, match_by)
    if ax is None:
        ax = ShownPair(new_figure(8.4, 4.2).subplots(1, 2))
    given_axes(ax, 2)
    taken, remark = evenly(common_order(p, q), max_objects)
    for axes, partition, name in zip(ax, (p, q), names, strict=True):
        similar = equivalence(partition, taken[:, None], taken[None, :])
        draw_matrix(axes, similar, name, "similarity of two objects")
        note(axes, remark)
    return ax


def draw_matrix(ax: Axes, values: NDArray[np.float64], title: str, what: str) -> None:
    """Draw a number from 0 to 1 for every two objects, and say what it is."""
    image = ax.imshow(values, cmap=AMOUNT, vmin=0.0, vmax=1.0, interpolation="none")
    ax.set(xticks=[], yticks=[])
    frameless(ax)
    ax.set_title(title, **LITERALLY)
    scale = add_scale(ax, image, what)
    scale.set_ticks([0.0, 0.5, 1.0], labels=["0", "½", "1"])


@checked
def joint_density(
    P: object,
    Q: object,
    *,
    ax: Axes | None = None,
    names: tuple[str, str] = ("P", "Q"),
    max_pairs: int = 1_000_000,
    random_state: int | np.random.Generator | None = None,
    match_by: MatchBy = "position",
) -> Axes:
    """
    Draw how similar pairs of objects are in P against how similar they are in Q.

    Parameters
    ----------
    P, Q : Partition, or anything one can be made from
        Two partitions of the same objects, crisp or fuzzy.
    ax : Axes, optional
        Where to draw. By default the current axes if a figure is open in pyplot, else
        those of a new figure.
    names : tuple of two str, default=("P", "Q")
        What the partitions are called.
    max_pairs : int, default=1000000
        If there are more pairs, this many are drawn at random.
    random_state : int, numpy.random.Generator or None, default=None
        Source of the sample of pairs.
    match_by : {"position", "id", "common"}, default="position"
        How objects are matched: by position, by ids, or only those with common ids.

    Returns
    -------
    Axes
        The axis of a crisp partition has two halves, for pairs that are apart and
        together in it. Unless the other one is fuzzy, there is the diagonal, on which
        both partitions say the same about a pair.

    Examples
    --------
    >>> import concordant.plot
    >>> P = [[0.9, 0.1], [0.8, 0.2], [0.2, 0.8], [0.3, 0.7]]
    >>> ax = concordant.plot.joint_density(P, [0, 0, 1, 1], names=("FCM", "truth"))
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('similarity in FCM', 'similarity in truth')
    """
    rng = generator(random_state)
    p, q = _with_similarities(P, Q, match_by)
    ax = axes_for(ax, 5.0, 4.2)
    i, j = _pairs(p.n_objects, max_pairs, rng)
    counts, _, _ = np.histogram2d(
        equivalence(p, i, j).clip(0.0, 1.0),
        equivalence(q, i, j).clip(0.0, 1.0),
        bins=[2 if x.kind == "crisp" else _BINS for x in (p, q)],
        range=((0.0, 1.0), (0.0, 1.0)),
    )
    shares = np.ma.masked_equal(counts.T / max(i.size, 1), 0.0)
    is_crisp = shares.size == 4
    if i.size:
        # The scale begins low enough for the rarest bins to be visible.
        lowest = min(shares.min(), shares.max() / 10.0)
        image = ax.imshow(
            shares,
            cmap=AMOUNT,
            norm=LogNorm(lowest, 1.0 if is_crisp else None),
            extent=(0.0, 1.0, 0.0, 1.0),
            origin="lower",
            interpolation="none",
        )
        add_scale(ax, image, "share of pairs")
    for (x, y), share in np.ndenumerate(shares.T.filled(0.0)) if is_crisp else ():
        off_the_line = 0.12 if x == y else 0.0
        place = 0.25 + 0.5 * x, 0.25 + 0.5 * y + off_the_line
        ax.text(*place, f"{share:.1%}", ha="center", va="center")
    if p.kind == q.kind:  # otherwise, halves stand against numbers
        ax.plot([0.0, 1.0], [0.0, 1.0], **dashed())
    ax.set(xlim=(0.0, 1.0), ylim=(0.0, 1.0))
    for axis, partition, name in ((ax.xaxis, p, names[0]), (ax.yaxis, q, names[1])):
        if partition.kind == "crisp":
            turned: Any = {"rotation": 90, "va": "center"} if axis is ax.yaxis else {}
            axis.set_ticks([0.25, 0.75], labels=["apart", "together"], **turned)
        else:
            axis.set_ticks(np.linspace(0, 1, 5), labels=["0", "¼", "½", "¾", "1"])
        axis.set_label_text(words_on(name, "similarity in"), **LITERALLY)
    total = p.n_objects * (p.n_objects - 1) // 2
    if i.size < total:
        note(ax, f"{i.size:,} of {total:,} pairs, drawn at random")
    return ax


def _pairs(
    n: int, most: int, rng: np.random.Generator
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return all pairs of objects, or a random sample of them if there are more."""
    if n * (n - 1) // 2 <= most:
        i, j = np.triu_indices(n, 1)
        return i, j
    i = rng.integers(n, size=most)
    return i, (i + rng.integers(1, n, size=most)) % n


def _with_similarities(
    P: object, Q: object, match_by: MatchBy
) -> tuple[Partition, Partition]:
    """Return partitions of the same objects, whose rows must sum to 1."""
    p, q = aligned(P, Q, match_by=match_by)
    for partition in (p, q):
        if partition.kind in FREE_SUMS:
            raise InputError(
                "the similarity of objects is defined for crisp and fuzzy partitions "
                f"only, and one of these is {partition.kind}; plot.memberships draws it"
            )
    return p, q
