"""What chance gives an index, with the value that was found."""

import numpy as np
from matplotlib.axes import Axes

from concordant.chance_result import ConcordanceTest
from concordant.plot.axes import frameless, ink, note, take_literally
from concordant.plot.palette import DISTINCT
from concordant.plot.picture import current_axes

_BINS = 40
_MARGIN = 0.06  # of the width, on both sides


def null_distribution(result: ConcordanceTest, *, ax: Axes | None = None) -> Axes:
    """
    Draw the null distribution of a test, with the observed index.

    Parameters
    ----------
    result : ConcordanceTest
        What `concordant.inference.concordance_test` gave, with permutations.
    ax : Axes, optional
        Where to draw. By default the current axes if a figure is open in pyplot, else
        those of a new figure.

    Returns
    -------
    Axes
        A histogram of the index over the permutations, with a line at the value that
        was found and a dashed one at the mean by chance.

    Raises
    ------
    ValueError
        If no permutation was drawn, as by ``method="normal"``.

    Examples
    --------
    >>> import concordant.plot
    >>> from concordant.inference import concordance_test
    >>> P = [[0.9, 0.1], [0.8, 0.2], [0.7, 0.3], [0.2, 0.8], [0.3, 0.7], [0.1, 0.9]]
    >>> result = concordance_test(P, [0, 0, 0, 1, 1, 1])
    >>> ax = concordant.plot.null_distribution(result)
    >>> ax.get_xlabel()
    'ACI of 720 permutations (observed: 0.4330)'
    """
    null = result.null_distribution
    if not null.size:
        raise ValueError(
            "the test drew no permutations, so there is no null distribution to "
            'draw; leave out method="normal"'
        )
    if ax is None:
        ax = current_axes(5.0, 3.0)
    found = result.statistic
    low, high = (float(end) for end in (null.min(), null.max()))
    first, last = min(low, found), max(high, found)
    room = _MARGIN * (last - first) or 0.5
    # Permutations that all give the same are one bar.
    edges = np.linspace(low, high, _BINS + 1)
    if high - low <= 1e-12 * max(1.0, abs(high)):
        edges = np.array([low - 0.02 * room, high + 0.02 * room])
    heights, _ = np.histogram(null, edges)
    ax.stairs(heights / null.size, edges, fill=True, color=DISTINCT[0])
    ax.axvline(result.null_mean, color=ink(), linewidth=0.8, linestyle=(0, (4, 3)))
    ax.axvline(found, color=DISTINCT[1], linewidth=2.0)
    ax.set_xlim(first - room, last + room)
    ax.set_ylim(bottom=0.0)
    ax.set_ylabel("share of permutations")
    words = f"{null.size:,} permutations (observed: {found:z.4f})"
    ax.set_xlabel(f"{result.heading} of {words}")
    take_literally([ax.xaxis.label])
    frameless(ax)
    if not result.uses_all_pairs:
        note(ax, f"from {result.n_pairs:,} pairs, drawn at random")
    return ax
