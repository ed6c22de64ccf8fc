"""The picture of how stable clusterings are, by the number of clusters."""

import numpy as np
from matplotlib.axes import Axes

from concordant.door import checked
from concordant.many.levels import Stability
from concordant.plot.palette import DISTINCT
from concordant.plot.picture import axes_for
from concordant.plot.words import LITERALLY, ink

_BAND = (0.05, 0.95)  # quantiles of the sets of a reference


@checked
def stability_curve(stability: Stability, *, ax: Axes | None = None) -> Axes:
    """
    Draw how stable clusterings are, by the number of clusters.

    Parameters
    ----------
    stability : Stability
        What `concordant.stability` returns.
    ax : matplotlib.axes.Axes, optional
        Where to draw. By default the current axes if a figure is open in pyplot, else
        those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        With the mean ACI between clusterings of resamples and, as a band for each
        reference, that of nine in ten sets without structure. The number of clusters is
        marked by a line, other levels by a ring.
    """
    ax = axes_for(ax, 6.4, 4.2)
    K, colors = stability.tried, DISTINCT[1:]
    for number, name in enumerate(stability.references):
        sets = stability.reference_aci[:, number].mean(axis=-1)
        low, high = np.quantile(sets, _BAND, axis=-1)
        color, told = colors[number], f"without structure, {name}"
        ax.fill_between(K, low, high, alpha=0.3, lw=0.0, color=color, label=told)
        ax.plot(K, sets.mean(axis=-1), color=color, linestyle="--", lw=1.0)
    means = stability.mean_aci
    ax.plot(K, means, color=DISTINCT[0], marker="o", label="data", zorder=3)
    for level in stability.levels:
        if level == stability.n_clusters:
            ax.axvline(level, color=ink(), linewidth=0.9, alpha=0.6, zorder=1)
        (ring,) = ax.plot(level, means[K.index(level)], marker="o", zorder=4)
        ring.set(markersize=12, markerfacecolor="none", markeredgecolor=ink())
    ax.set_xticks(K)
    ax.set_xlabel("number of clusters K")
    ax.set_ylabel("mean ACI between resamples")
    found = stability.n_clusters
    ax.set_title(f"{found} cluster{'s' if found > 1 else ''}", **LITERALLY)
    ax.legend(frameon=False)
    ax.grid(alpha=0.3)
    return ax
