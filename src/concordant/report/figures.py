"""The figures of the report about two partitions, as SVG."""

from collections.abc import Callable, Sequence

import numpy as np
from markupsafe import Markup
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from concordant import plot
from concordant.comparison import Comparison
from concordant.inference.chance_result import ConcordanceTest
from concordant.partition.partition import Partition
from concordant.plot.order import common_order
from concordant.plot.stacks import draw_both, order_of_objects, structure_size
from concordant.plot.svg import inline_svgs
from concordant.printing import shortened


def figures_of(
    P: Partition,
    Q: Partition,
    names: tuple[str, str],
    colors: tuple[Sequence[str], Sequence[str]],
    comparison: Comparison,
    test: ConcordanceTest | None,
    groups: NDArray[np.object_] | None,
) -> dict[str, list[Markup]]:
    """Draw what can be drawn of a comparison: one figure or two by each name."""
    short = shortened(names[0], 28), shortened(names[1], 28)
    order = common_order(P, Q)
    by_group = order_of_objects((P, Q), groups, None)

    def stack(*axes: Axes) -> None:
        for ax, partition, name, own in zip(axes, (P, Q), short, colors, strict=True):
            plot.memberships(
                partition, ax=ax, name=name, order=order, colors=own, legend=False
            )

    figures = {
        "families": drawn(
            "families",
            (4.6, 1.5 + 0.3 * len(comparison.tables)),
            ["Statistics by family, as in the table"],
            lambda ax: plot.families(comparison, ax=ax),
        ),
        "memberships": drawn(
            "memberships",
            (4.4, 2.7),
            [f"Memberships of the objects in the clusters of {name}" for name in names],
            stack,
        )
        if groups is None
        else drawn(
            "memberships",
            structure_size(short, groups),
            [f"Memberships of the objects by group, in {names[0]} and in {names[1]}"],
            lambda ax: draw_both(ax, P, Q, short, by_group, None, groups),
        ),
    }
    if comparison.concordance is not None:
        figures["similarity"] = drawn(
            "similarity",
            (4.4, 3.9),
            [f"Similarity matrix of the objects in {name}" for name in names],
            lambda *axes: plot.similarity_matrices(P, Q, ax=axes, names=short),
        )
        figures["density"] = drawn(
            "density",
            (4.4, 3.9),
            [
                f"Joint density of the similarities of pairs in {names[0]} and in "
                f"{names[1]}, around the diagonal where they are equal; ACI "
                f"{comparison.concordance.aci:z.3f}"
            ],
            lambda ax: plot.joint_density(P, Q, ax=ax, names=short, random_state=0),
        )
    if test is not None and test.null_distribution.size:
        figures["null"] = drawn(
            "null",
            (4.4, 2.9),
            [
                f"Histogram of ACI over {test.null_distribution.size} permutations of "
                f"the objects, with mean {test.null_mean:z.4f} and standard deviation "
                f"{test.null_sd:.4f}, and a line at the observed ACI, "
                f"{test.statistic:z.4f}"
            ],
            lambda ax: plot.null_distribution(test, ax=ax),
        )
    return figures


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
