"""The objects that two partitions treat most differently."""

import numpy as np
from matplotlib.axes import Axes

from concordant.influence.differences import object_discordance
from concordant.partition.alignment import Align, aligned
from concordant.partition.naming import shortened
from concordant.plot.axes import frameless, note, take_literally
from concordant.plot.palette import DISTINCT
from concordant.plot.picture import current_axes


def differing_objects(
    P: object,
    Q: object,
    *,
    ax: Axes | None = None,
    max_objects: int = 20,
    random_state: int | np.random.Generator | None = None,
    align: Align = "position",
) -> Axes:
    """
    Draw the discordance of the objects that two partitions treat most differently.

    Parameters
    ----------
    P, Q : Partition, or anything one can be made from
        Two partitions of the same objects, crisp or fuzzy.
    ax : Axes, optional
        Where to draw. By default the current axes if a figure is open in pyplot, else
        those of a new figure.
    max_objects : int, default=20
        Number of objects to show.
    random_state : int, numpy.random.Generator or None, default=None
        Source of the sample of partners, see `concordant.object_discordance`.
    align : {"position", "index"}, default="position"
        How objects are matched: by position, or by their ids.

    Returns
    -------
    Axes
        One bar per object, called by its id or, if it has none, its position.

    Examples
    --------
    >>> import concordant.plot
    >>> from concordant import Partition
    >>> P = Partition([0, 0, 0, 1], ids=["Ann", "Bob", "Cyd", "Dan"])
    >>> ax = concordant.plot.differing_objects(P, [0, 0, 1, 1], max_objects=2)
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['Cyd', 'Ann']
    """
    p, q = aligned(P, Q, align=align)
    found = object_discordance(p, q, random_state=random_state)
    first = found.largest(max_objects)
    if ax is None:
        ax = current_axes(5.6, 1.0 + 0.24 * len(first))
    ids = next((x.ids for x in (p, q) if x.ids is not None), np.arange(p.n_objects))
    rows = np.arange(len(first))
    errors = None if found.is_exact else 1.96 * found.standard_errors[first]
    ax.barh(rows, found.values[first], xerr=errors, height=0.7, color=DISTINCT[0])
    ax.set_yticks(rows, labels=[shortened(ids[i]) for i in first])
    ax.set_ylim(len(first) - 0.4, -0.6)
    ax.set_xlim(left=0.0)
    ax.tick_params(axis="y", length=0)
    ax.set_xlabel("discordance: mean difference in similarity")
    take_literally(ax.get_yticklabels())
    frameless(ax)
    if not found.is_exact:
        note(ax, f"from {found.n_partners:,} others, with 95 % confidence intervals")
    return ax
