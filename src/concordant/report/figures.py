"""The figures of the report, as SVG."""

from collections.abc import Callable, Sequence
from typing import Any

from markupsafe import Markup

from concordant import plot
from concordant.chance_result import ConcordanceTest
from concordant.comparison import Comparison
from concordant.partition.naming import shortened
from concordant.partition.partition import Partition
from concordant.plot.order import common_order
from concordant.plot.svg import inline_svgs


def similarity_figures(
    P: Partition, Q: Partition, names: tuple[str, str]
) -> list[Markup]:
    """Draw the two similarity matrices."""
    return _drawn(
        lambda axes: plot.similarity_matrices(
            P, Q, ax=(axes[0], axes[1]), names=_short(names)
        ),
        key="similarity",
        labels=[f"Similarity matrix of the objects in {name}" for name in names],
        size=(4.4, 3.9),
    )


def density_figure(
    P: Partition, Q: Partition, names: tuple[str, str], aci: float
) -> Markup:
    """Draw the joint density of the similarities."""
    (svg,) = _drawn(
        lambda axes: plot.joint_density(
            P, Q, ax=axes[0], names=_short(names), random_state=0
        ),
        key="density",
        labels=[
            f"Joint density of the similarities of pairs in {names[0]} and in "
            f"{names[1]}, around the diagonal where they are equal; ACI {aci:z.3f}"
        ],
        size=(4.4, 3.9),
    )
    return svg


def null_figure(test: ConcordanceTest) -> Markup:
    """Draw the null distribution of ACI with the observed value."""
    (svg,) = _drawn(
        lambda axes: plot.null_distribution(test, ax=axes[0]),
        key="null",
        labels=[
            f"Histogram of ACI over {test.null_distribution.size} permutations of the "
            f"objects, with mean {test.null_mean:z.4f} and standard deviation "
            f"{test.null_sd:.4f}, and a line at the observed ACI, {test.statistic:z.4f}"
        ],
        size=(4.4, 2.9),
    )
    return svg


def membership_figures(
    P: Partition,
    Q: Partition,
    names: tuple[str, str],
    colors: tuple[Sequence[str], Sequence[str]],
) -> list[Markup]:
    """Draw the memberships of both partitions, in one order of the objects."""
    order = common_order(P, Q)

    def draw(axes: Sequence[Any]) -> None:
        each = zip(axes, (P, Q), _short(names), colors, strict=True)
        for ax, partition, name, of_clusters in each:
            plot.memberships(
                partition,
                ax=ax,
                name=name,
                order=order,
                colors=of_clusters,
                legend=False,
            )

    labels = [f"Memberships of the objects in the clusters of {n}" for n in names]
    return _drawn(draw, key="memberships", labels=labels, size=(4.4, 2.7))


def family_figure(comparison: Comparison) -> Markup:
    """Draw the statistics by family."""
    (svg,) = _drawn(
        lambda axes: plot.families(comparison, ax=axes[0]),
        key="families",
        labels=["Statistics by family, as in the table"],
        size=(4.6, 1.5 + 0.3 * len(comparison.tables)),
    )
    return svg


def _drawn(draw: Callable[[Sequence[Any]], object], **how: Any) -> list[Markup]:
    """Draw as `inline_svgs` does, whose elements escape names themselves."""
    return [Markup(svg) for svg in inline_svgs(draw, **how)]


def _short(names: tuple[str, str]) -> tuple[str, str]:
    return shortened(names[0], 28), shortened(names[1], 28)
