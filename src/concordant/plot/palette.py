"""Colours that the colour-blind can tell apart, on a light ground and on a dark one."""

import numpy as np
from matplotlib.colors import LinearSegmentedColormap, to_hex, to_rgb

from concordant.partition.partition import Partition
from concordant.terms.contingency import soft_cross_table

#: The ten colours of Petroff (2021), chosen so that people with any colour vision can
#: tell them apart, in the order in which they are to be used.
DISTINCT = (
    "#3f90da",
    "#ffa90e",
    "#bd1f01",
    "#94a4a2",
    "#832db6",
    "#a96b59",
    "#e76300",
    "#b9ac70",
    "#717581",
    "#92dadd",
)

_MOST_CELLS = 1_000_000

#: From nothing to full colour: much stands out more than little on any ground.
AMOUNT = LinearSegmentedColormap.from_list(
    "amount",
    [
        (0.0, (0.33, 0.62, 0.80, 0.05)),
        (0.45, (0.24, 0.52, 0.76, 0.50)),
        (1.0, (0.13, 0.38, 0.68, 1.0)),
    ],
)

# From here on white has more contrast with AMOUNT on a light ground than black has;
# below, what is dark on a light ground and light on a dark one can be read on either.
_FULL = 0.88


def text_on(share: float, ink: str) -> str:
    """Return the colour of a number on `AMOUNT`: white on nearly full colour."""
    return "white" if share > _FULL else ink


def cluster_colors(n_clusters: int) -> list[str]:
    """Return a colour for each cluster; beyond ten they recur, lighter and darker."""
    return [
        to_hex(_shade(DISTINCT[k % len(DISTINCT)], k // len(DISTINCT)))
        for k in range(n_clusters)
    ]


def _shade(color: str, turn: int) -> tuple[float, float, float]:
    """Mix a colour with white at odd turns, and with black at even ones but 0."""
    share = _halved((turn + 1) // 2)
    ground = float(turn % 2)
    red, green, blue = (part + share * (ground - part) for part in to_rgb(color))
    return red, green, blue


def _halved(number: int) -> float:
    """Return 0, 1/2, 1/4, 3/4, 1/8, 5/8 and so on, van der Corput's sequence."""
    share, unit = 0.0, 0.5
    while number:
        number, digit = divmod(number, 2)
        share += digit * unit
        unit /= 2.0
    return share


def matching_colors(P: Partition, Q: Partition) -> tuple[list[str], list[str]]:
    """Return colours for clusters of two partitions, the same for those that match."""
    colors = cluster_colors(max(P.n_clusters, Q.n_clusters))
    return colors[: P.n_clusters], [colors[k] for k in matched_clusters(P, Q)]


def matched_clusters(P: Partition, Q: Partition) -> list[int]:
    """
    Return for each cluster of Q the one of P that shares most, greedily.

    Those left over have numbers from K on. If there are more than a million pairs of
    clusters, the result is 0 to L - 1.
    """
    K, L = P.n_clusters, Q.n_clusters
    if K * L > _MOST_CELLS:
        return [*range(L)]
    table = soft_cross_table(P, Q)
    matched = [-1] * L
    free = set(range(K))
    # A stable sort, so that ties are decided by position.
    for cell in np.argsort(-table, axis=None, kind="stable"):
        k, other = divmod(int(cell), L)
        if k in free and matched[other] < 0:
            matched[other] = k
            free.remove(k)
    spare = iter(range(K, K + L))
    return [next(spare) if k < 0 else k for k in matched]
