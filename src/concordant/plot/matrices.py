"""The similarity matrices of two partitions, side by side."""

from matplotlib.axes import Axes

from concordant.catalogue import FREE_SUMS
from concordant.partition.alignment import Align, aligned
from concordant.partition.equivalence import equivalence
from concordant.partition.partition import Partition
from concordant.plot.axes import add_scale, frameless, note, take_literally
from concordant.plot.order import common_order, evenly, shown
from concordant.plot.palette import AMOUNT
from concordant.plot.picture import ShownPair, new_figure

#: How many objects a matrix shows at most.
MOST_OBJECTS = 300


def similarity_matrices(
    P: object,
    Q: object,
    *,
    ax: tuple[Axes, Axes] | None = None,
    names: tuple[str, str] = ("P", "Q"),
    max_objects: int = MOST_OBJECTS,
    align: Align = "position",
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
    align : {"position", "index"}, default="position"
        How objects are matched: by position, or by their ids.

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
    p, q = aligned(P, Q, align=align)
    refuse_possibilistic(p, q)
    if ax is None:
        ax = ShownPair(new_figure(8.4, 4.2).subplots(1, 2))
    order = common_order(p, q)
    taken = evenly(order, max_objects)
    for axes, partition, name in zip(ax, (p, q), names, strict=True):
        image = axes.imshow(
            equivalence(partition, taken[:, None], taken[None, :]),
            cmap=AMOUNT,
            vmin=0.0,
            vmax=1.0,
            interpolation="none",
        )
        axes.set(xticks=[], yticks=[])
        frameless(axes)
        take_literally([axes.set_title(name)])
        note(axes, shown(order, taken))
        scale = add_scale(axes, image, "similarity E")
        scale.set_ticks([0.0, 0.5, 1.0], labels=["0", "½", "1"])
    return ax


def refuse_possibilistic(*partitions: Partition) -> None:
    """Raise an error if a partition is possibilistic: E needs rows that sum to 1."""
    for partition in partitions:
        if partition.kind in FREE_SUMS:
            raise ValueError(
                "the similarity of objects is defined for crisp and fuzzy partitions "
                f"only, and one of these is {partition.kind}; plot.memberships draws it"
            )
