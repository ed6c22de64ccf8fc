"""A panel for each index of partitions and their data."""

import math

import numpy as np
from matplotlib.figure import Figure

from concordant.catalogue.validity_indices import VALIDITY
from concordant.choosing.judging import Validity
from concordant.plot.palette import DISTINCT
from concordant.plot.picture import new_figure
from concordant.plot.words import LITERALLY
from concordant.printing import shortened

_ACROSS = 4
_WIDTH, _HEIGHT = 2.6, 1.9  # inches, of a panel
_SIZE = 8.0  # points, of text


def validity_panels(found: Validity) -> Figure:
    """
    Draw each index by partition, and the range of data without structure as bands.

    Parameters
    ----------
    found : Validity
        What `concordant.validity` returned.

    Returns
    -------
    matplotlib.figure.Figure
        With a panel for each index, in which the partition that it takes is marked.
    """
    n_across = min(_ACROSS, len(found.indices))
    n_down = math.ceil(len(found.indices) / n_across)
    figure = new_figure(_WIDTH * n_across, _HEIGHT * n_down)
    places = np.arange(len(found.keys))
    names = [shortened(name, 10) for name in found.names]
    for i, index in enumerate(found.indices):
        ax = figure.add_subplot(n_down, n_across, i + 1)
        for color, (name, values) in zip(
            DISTINCT[1:], found.references.items(), strict=False
        ):
            bands = np.ma.masked_invalid(values[:, i])
            low, high = bands.min(axis=0), bands.max(axis=0)
            ax.fill_between(places, low, high, color=color, alpha=0.3, lw=0)
            mean = found.means(name)[i]
            ax.plot(places, mean, color=color, ls="--", lw=1, label=name)
        ax.plot(places, found.values[i], "o-", color=DISTINCT[0], ms=4, lw=1.2)
        if index in found.choices:
            taken = found.keys.index(found.choices[index])
            value = found.values[i, taken]
            ax.plot(taken, value, "o", mfc="none", mec=DISTINCT[2], ms=10)
        ax.set_title(f"{index} ({VALIDITY[index]})", fontsize=_SIZE)
        ax.set_xticks(places, names, **LITERALLY)
        ax.tick_params(labelsize=_SIZE)
        ax.margins(x=0.1)
    if found.references:
        lines = figure.axes[0].get_legend_handles_labels()
        figure.legend(*lines, loc="outside lower center", ncols=2, fontsize=_SIZE)
    return figure
