"""Colours that the colour-blind can tell apart, on a light ground and on a dark one."""

from collections.abc import Sequence

import numpy as np
from matplotlib.colors import LinearSegmentedColormap, is_color_like, to_hex, to_rgb

from concordant.errors import Argument, InputError
from concordant.wording import several, shown

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

#: From nothing to full colour: much stands out more than little on any ground.
AMOUNT = LinearSegmentedColormap.from_list(
    "amount",
    [
        (0.0, (0.33, 0.62, 0.80, 0.05)),
        (0.45, (0.24, 0.52, 0.76, 0.50)),
        (1.0, (0.13, 0.38, 0.68, 1.0)),
    ],
)

#: The same, less deep: what is dark on a light ground and light on a dark one can be
#: read on all of it.
BEHIND_NUMBERS = LinearSegmentedColormap.from_list(
    "behind numbers", AMOUNT(np.linspace(0.0, 0.7, 64))
)


def cluster_colors(n_clusters: int) -> list[str]:
    """Return a colour for each cluster; beyond ten they recur, lighter and darker."""
    return [
        to_hex(_shade(DISTINCT[k % len(DISTINCT)], k // len(DISTINCT)))
        for k in range(n_clusters)
    ]


def colors_of(given: Sequence[str] | None, n_clusters: int) -> list[str]:
    """Return a colour for each cluster, those that a user gave if there are any."""
    if given is None:
        return cluster_colors(n_clusters)
    colors = [*(several("colors", given) or ())]
    if odd := [shown(color) for color in colors if not is_color_like(color)]:
        raise InputError(Argument("colors"), f" names {odd[0]}, which is no colour")
    if len(colors) < n_clusters:
        what = f" must have {n_clusters} colours, found {len(colors)}"
        raise InputError(Argument("colors"), what)
    return colors


def _shade(color: str, turn: int) -> tuple[float, float, float]:
    """Mix a colour with white at odd turns, and with black at even ones but 0."""
    # Van der Corput's sequence, 0, 1/2, 1/4, 3/4, 1/8, 5/8 and so on.
    bits = f"{(turn + 1) // 2:b}"
    share = int(bits[::-1], 2) / 2 ** len(bits)
    red, green, blue = (part + share * (turn % 2 - part) for part in to_rgb(color))
    return red, green, blue
