"""All pairs of many partitions as a heat map, with the modes."""

from itertools import groupby

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from concordant.catalogue import heading_of
from concordant.many.agreeing import Agreement
from concordant.plot.axes import ink
from concordant.plot.many import similarity_heat_map
from concordant.wording import count


def agreement_heat_map(agreement: Agreement, *, ax: Axes | None = None) -> Axes:
    """
    Draw the agreement of all pairs of partitions, with their tree and modes.

    Parameters
    ----------
    agreement : Agreement
        What `concordant.agreement` returns.
    ax : matplotlib.axes.Axes, optional
        Where to draw. By default the current axes if a figure is open in pyplot, else
        those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        With the picture: a frame around each mode of several partitions, if the index
        is ACI and there is more than one mode.

    Examples
    --------
    >>> import concordant as cc
    >>> runs = {"a": [0, 0, 1, 1], "b": [1, 1, 0, 0], "c": [0, 1, 1, 1]}
    >>> cc.plot.agreement_heat_map(cc.agreement(runs)).get_title()
    'ACI'
    """
    ax = similarity_heat_map(
        agreement.values,
        agreement.names,
        distances=agreement.distances,
        title=heading_of(agreement.index),
        ax=ax,
    )
    if agreement.index != "aci":
        return ax
    modes = agreement.modes()
    if len(modes) == 1:
        return ax
    start = 0
    for _, same in groupby(modes.labels[agreement.order]):
        size = len([*same])
        if size > 1:
            corner = start - 0.5, start - 0.5
            frame = Rectangle(corner, size, size, fill=False, ec=ink(), lw=1.8)
            ax.add_patch(frame)
        start += size
    ax.set_title(f"{ax.get_title()}, {count(len(modes), 'mode')} (framed)")
    return ax
