"""Many draws of a partition: similarities of objects, numbers of clusters, bounds."""

import math
from collections.abc import Sequence
from typing import cast

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from concordant.door import checked
from concordant.many.aligned import aligned_to
from concordant.many.point_estimate import PointEstimate
from concordant.plot.order import evenly, own_order
from concordant.plot.palette import DISTINCT
from concordant.plot.picture import given_axes, new_figure
from concordant.plot.similarities import draw_matrix
from concordant.plot.stacks import draw_structure
from concordant.plot.words import note

_MOST_BARS = 12  # that are named


@checked
def posterior(
    estimate: PointEstimate,
    *,
    ax: Sequence[Axes] | None = None,
    level: float = 0.95,
    max_objects: int = 300,
) -> Figure:
    """
    Draw what many draws of a partition say.

    Parameters
    ----------
    estimate : PointEstimate
        Of `consensus`, by ``loss="binder"``, ``"vi"`` or ``"aci"``.
    ax : sequence of three Axes, optional
        Where to draw. By default those of a new figure.
    level : float, default=0.95
        Of the credible ball.
    max_objects : int, default=300
        If there are more objects, this many are shown, evenly spaced in their order.

    Returns
    -------
    matplotlib.figure.Figure
        With the similarities of objects, in the order of the clusters of the estimate;
        the share of draws by number of clusters; and the estimate with the bounds of
        the ball, in which clusters have the colour of those that they match.

    Examples
    --------
    >>> import concordant as cc
    >>> draws = [[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1]]
    >>> figure = cc.plot.posterior(cc.consensus(draws, loss="vi"))
    >>> [ax.get_title() for ax in figure.axes[:3]]
    ['similarity of objects', 'clusters of draws', 'the estimate and its 0.95 ball']
    """
    if ax is None:
        figure = new_figure(8.4, 4.6)
        grid = figure.add_gridspec(2, 2, width_ratios=[1.15, 1.0])
        places = (slice(None), 0), (0, 1), (1, 1)
        matrix, bars, strips = (figure.add_subplot(grid[place]) for place in places)
    else:
        matrix, bars, strips = given_axes(ax, 3)
    taken, remark = evenly(own_order(estimate.partition), max_objects)
    labels = estimate.partition.labels[taken]

    similar = estimate.similarities_of(taken)
    draw_matrix(matrix, similar, "similarity of objects", "share of draws")
    note(matrix, "objects, by cluster of the estimate", remark)

    shares = np.bincount(estimate.n_clusters, estimate.weights)
    shares = shares / shares.sum()
    K = np.flatnonzero(shares)
    bars.bar(K, shares[K], color=DISTINCT[0])
    step = math.ceil((K[-1] - K[0] + 1) / _MOST_BARS)
    bars.set_xticks(np.arange(K[0], K[-1] + 1, step))
    bars.set(title="clusters of draws", xlabel="number of clusters", ylabel="share")
    bars.spines[["top", "right"]].set_visible(False)

    ball = estimate.ball(level)
    rows = {
        "estimate": estimate.partition,
        "fewest clusters": ball.fewest.harden(),
        "most clusters": ball.most.harden(),
        "farthest": ball.farthest.harden(),
    }
    aligned = aligned_to(estimate.partition, [*rows.values()], [*rows])
    draw_structure(strips, aligned, [*rows], None, taken)
    strips.set_title(f"the estimate and its {level:g} ball")
    ends = np.flatnonzero(np.diff(labels.astype(np.intp))) + 1
    for panel, start in ((matrix, 0.5), (strips, 0.0)):
        panel.vlines(ends - start, *panel.get_ylim(), color="white", lw=0.5)
    note(strips, f"radius {ball.radius:.3g}")
    return cast(Figure, matrix.figure)
