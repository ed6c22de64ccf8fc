"""The main pictures of a comparison, on one figure."""

from itertools import chain
from typing import Any

from matplotlib.figure import Figure

from concordant.comparison import READING, Comparison
from concordant.plot.order import common_order, matching_colors
from concordant.plot.picture import new_figure
from concordant.plot.similarities import joint_density, similarity_matrices
from concordant.plot.stacks import memberships
from concordant.plot.tables import cross_table, differing_objects, families
from concordant.plot.words import LITERALLY, without_middle
from concordant.printing import printed

_OBJECTS = 12  # that differ most
_LONGEST = 36  # characters of a name in the title
_ONE_LINE = 44  # characters of two names that leave room for ACI beside them


def overview(comparison: Comparison, *, names: tuple[str, str] = ("P", "Q")) -> Figure:
    """
    Draw the main pictures of a comparison.

    Parameters
    ----------
    comparison : Comparison
        What `concordant.compare` gave.
    names : tuple of two str, default=("P", "Q")
        What the partitions are called.

    Returns
    -------
    matplotlib.figure.Figure
        ACI; the similarity matrices; memberships; the cross-table and the objects that
        differ most; the joint density and the statistics by family. Of possibilistic
        partitions, what does not need similarities.

    Raises
    ------
    ValueError
        If the comparison was made without its partitions.

    Examples
    --------
    >>> import concordant as cc
    >>> P = [[0.9, 0.1], [0.8, 0.2], [0.2, 0.8], [0.3, 0.7]]
    >>> figure = cc.compare(P, [0, 0, 1, 1]).plot()
    >>> figure.get_suptitle()
    'P and Q: ACI 0.4255 (1: perfect agreement, 0: chance level)'
    """
    if comparison.partitions is None:
        raise ValueError("the comparison holds no partitions; make it by compare(P, Q)")
    P, Q = comparison.partitions
    similar = comparison.concordance is not None
    rows = 4 if similar else 2
    figure = new_figure(11.0, 1.0 + 3.7 * rows)
    first, second = (without_middle(printed(name), _LONGEST) for name in names)
    title = f"{first} and {second}"
    if comparison.concordance is not None:
        title += ":\n" if len(title) > _ONE_LINE else ": "
        title += f"ACI {comparison.concordance.aci:z.4f} ({READING})"
    figure.suptitle(title, size="x-large", **LITERALLY)
    # Each row is laid out for itself: long labels take no room from the others.
    parts: Any = figure.subfigures(rows, 1, hspace=0.02)
    axes = chain.from_iterable(part.subplots(1, 2) for part in parts)
    if similar:
        similarity_matrices(P, Q, ax=(next(axes), next(axes)), names=names)
    order, colors = common_order(P, Q), matching_colors(P, Q)
    for partition, name, its_colors in zip((P, Q), names, colors, strict=True):
        memberships(partition, ax=next(axes), name=name, order=order, colors=its_colors)
    cross_table(P, Q, ax=next(axes), names=names).set_title("objects in common")
    if similar:
        # A fixed seed: one comparison has one picture.
        objects = differing_objects(
            P, Q, ax=next(axes), max_objects=_OBJECTS, random_state=0
        )
        objects.set_title("objects that differ most")
        joint_density(P, Q, ax=next(axes), names=names, random_state=0)
    families(comparison, ax=next(axes))
    return figure
