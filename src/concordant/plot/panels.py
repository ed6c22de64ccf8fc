"""A panel for each index of partitions and their data."""

import math
from collections.abc import Sequence
from typing import cast

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from concordant.catalogue.validity_indices import VALIDITY
from concordant.choosing.judging import Validity
from concordant.many.given import ending
from concordant.plot.palette import DISTINCT
from concordant.plot.picture import given_axes, new_figure
from concordant.plot.words import LITERALLY, width_of

_ACROSS = 4
_WIDTH, _HEIGHT = 2.6, 1.9  # inches, of a panel
_SIZE = 8.0  # points, of text


def validity_panels(found: Validity, *, ax: Sequence[Axes] | None = None) -> Figure:
    """
    Draw each index by partition, and the range of data without structure as bands.

    Parameters
    ----------
    found : Validity
        What `concordant.validity` returned.
    ax : sequence of Axes, optional
        Where to draw, one for each index. By default those of a new figure.

    Returns
    -------
    matplotlib.figure.Figure
        With a panel for each index, in which the partition that it takes is marked.
    """
    names = [ending(name, 14) for name in found.names]
    length = width_of(names, _SIZE)
    upright = length * len(names) > _WIDTH
    if ax is None:
        n_across = min(_ACROSS, len(found.indices))
        n_down = math.ceil(len(found.indices) / n_across)
        figure = new_figure(_WIDTH * n_across, (_HEIGHT + length * upright) * n_down)
        places_of = range(1, len(found.indices) + 1)
        panels = [figure.add_subplot(n_down, n_across, place) for place in places_of]
    else:
        panels = given_axes(ax, len(found.indices))
    drawn = cast(Figure, panels[0].figure)
    places = np.arange(len(found.keys))
    for i, (index, panel) in enumerate(zip(found.indices, panels, strict=True)):
        for color, (name, values) in zip(
            DISTINCT[1:], found.references.items(), strict=False
        ):
            bands = np.ma.masked_invalid(values[:, i])
            low, high = bands.min(axis=0), bands.max(axis=0)
            panel.fill_between(places, low, high, color=color, alpha=0.3, lw=0)
            mean = found.means(name)[i]
            panel.plot(places, mean, color=color, ls="--", lw=1, label=name)
        panel.plot(places, found.values[i], "o-", color=DISTINCT[0], ms=4, lw=1.2)
        if index in found.choices:
            taken = found.keys.index(found.choices[index])
            value = found.values[i, taken]
            panel.plot(taken, value, "o", mfc="none", mec=DISTINCT[2], ms=10)
        panel.set_title(f"{index} ({VALIDITY[index]})", fontsize=_SIZE)
        panel.set_xticks(places, names, **LITERALLY)
        panel.tick_params(labelsize=_SIZE)
        panel.tick_params(axis="x", rotation=90 if upright else 0)
        panel.margins(x=0.1)
    if found.references:
        lines = panels[0].get_legend_handles_labels()
        if ax is None:
            drawn.legend(*lines, loc="outside lower center", ncols=2, fontsize=_SIZE)
        else:
            panels[0].legend(*lines, fontsize=_SIZE)
    return drawn
