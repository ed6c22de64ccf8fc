"""The figures of the report about two partitions, as SVG."""

from collections.abc import Callable, Sequence

import numpy as np
from markupsafe import Markup
from matplotlib.figure import Figure
from numpy.typing import NDArray

from concordant.comparison import Comparison
from concordant.partition.partition import Partition
from concordant.plot.overview import panels_of
from concordant.plot.stacks import draw_both, order_of_objects, structure_size
from concordant.plot.svg import inline_svgs
from concordant.plot.words import without_middles


def figures_of(
    P: Partition,
    Q: Partition,
    names: tuple[str, str],
    comparison: Comparison,
    groups: NDArray[np.object_] | None,
) -> dict[str, list[Markup]]:
    """Draw what can be drawn of a comparison: one figure or two by each name."""
    one, other = without_middles(names, 28)
    short = one, other
    both = " and in ".join(names)
    order = None if groups is None else order_of_objects((P, Q), groups, None)
    panels = panels_of(comparison, P, Q, short) | {
        "memberships": lambda ax: draw_both(
            ax, P, Q, short, order, None, groups, legend=False
        )
    }
    told = {
        "families": ["Statistics by family, as in the table"],
        "memberships": [
            "Memberships of the objects, in the same order, in the clusters of "
            f"{' and of '.join(names)}"
        ],
        "similarity": [f"Similarity matrix of the objects in {name}" for name in names],
        "density": [f"Joint density of the similarities of pairs in {both}"],
        "null": [
            "Histogram of ACI over permutations of the objects, with lines at its mean "
            "and at the observed ACI"
        ],
    }
    sizes = {
        "families": (4.6, 1.5 + 0.3 * len(comparison.tables)),
        "memberships": structure_size(short, groups),
        "null": (4.4, 2.9),
    }
    return {
        name: drawn(name, sizes.get(name, (4.4, 3.9)), labels, panels[name])
        for name, labels in told.items()
        if name in panels
    }


def drawn(
    key: str,
    size: tuple[float, float],
    labels: Sequence[str],
    draw: Callable[..., object],
) -> list[Markup]:
    """Draw on the axes of figures of so many inches."""

    def on_figures(*figures: Figure) -> None:
        for figure in figures:
            figure.set_size_inches(size)
        draw(*(figure.subplots() for figure in figures))

    return inline_svgs(on_figures, key=key, labels=labels)
