"""The statistics of every family, as dots."""

import math

from matplotlib.axes import Axes

from concordant.catalogue import STATISTICS
from concordant.comparison import Comparison
from concordant.plot.axes import frameless, ink
from concordant.plot.palette import DISTINCT
from concordant.plot.picture import current_axes

_MARKERS = "oDs^vPX<>*h"
_STEP = 0.16  # of a row: symbols of equal values can be told apart


def families(comparison: Comparison, *, ax: Axes | None = None) -> Axes:
    """
    Draw the statistics of each family, with ACI as a line.

    Parameters
    ----------
    comparison : Comparison
        What `concordant.compare` gave.
    ax : Axes, optional
        Where to draw. By default the current axes if a figure is open in pyplot, else
        those of a new figure.

    Returns
    -------
    Axes
        One row per family. Mirkin's metric, which is a count, is left out.

    Examples
    --------
    >>> import concordant as cc
    >>> import concordant.plot
    >>> comparison = cc.compare([[0.9, 0.1], [0.2, 0.8]], [[0.6, 0.4], [0.1, 0.9]])
    >>> ax = concordant.plot.families(comparison)
    >>> [label.get_text() for label in ax.get_yticklabels()][:2]
    ['campello (min)', 'campello (product)']
    """
    if ax is None:
        ax = current_axes(6.4, 1.6 + 0.3 * len(comparison.tables))
    rows = range(len(comparison.tables))
    ax.hlines(rows, 0.0, 1.0, color=ink(), alpha=0.15, linewidth=0.8)
    # What has no largest value is no share, and has no place among them.
    shown = [
        STATISTICS[name]
        for name in comparison.statistics
        if STATISTICS[name].best == 1.0
    ]
    for place, record in enumerate(shown):
        values = [comparison.of_table(record.name, name) for name in comparison.tables]
        seen = [row for row in rows if math.isfinite(values[row])]
        ax.plot(
            [values[row] for row in seen],
            [row + _STEP * (place - len(shown) // 2) for row in seen],
            linestyle="none",
            marker=_MARKERS[place % len(_MARKERS)],
            markersize=5,
            markeredgecolor=ink(),  # a dark colour on a dark ground is seen, too
            markeredgewidth=0.4,
            color=DISTINCT[place % len(DISTINCT)],
            label=record.title,
        )
    if comparison.concordance is not None:
        ax.axvline(
            comparison.concordance.aci,
            color=ink(),
            linewidth=0.9,
            linestyle=(0, (4, 3)),
            label="ACI",
        )
    ax.set_yticks(rows, labels=[*comparison.tables])
    ax.set_ylim(len(rows) - 0.4, -0.6)
    low, high = ax.get_xlim()
    ax.set_xlim(min(low, -0.03), max(high, 1.03))
    ax.tick_params(axis="y", length=0)
    ax.set_xlabel("1: perfect agreement")
    frameless(ax)
    ax.legend(
        loc="lower center",
        bbox_to_anchor=(0.5, 1.0),
        ncols=3,
        frameon=False,
        handletextpad=0.3,
        columnspacing=1.2,
    )
    return ax
