"""The figures of the report, as SVG."""

from collections.abc import Sequence

from concordant import plot
from concordant.chance_result import ConcordanceTest
from concordant.comparison import Comparison
from concordant.partition.naming import shortened
from concordant.partition.partition import Partition
from concordant.plot.order import common_order
from concordant.plot.svg import inline_svgs


def similarity_figures(P: Partition, Q: Partition, names: tuple[str, str]) -> list[str]:
    """
    Draw the two similarity matrices.

    Parameters
    ----------
    P, Q : Partition
        Aligned partitions, neither of them possibilistic.
    names : tuple of two str
        What they are called.

    Returns
    -------
    list of two str
        SVG elements.
    """
    short = _short(names)
    return inline_svgs(
        lambda axes: plot.similarity_matrices(P, Q, ax=(axes[0], axes[1]), names=short),
        key="similarity",
        labels=[f"Similarity matrix of the objects in {name}" for name in names],
        size=(4.4, 3.9),
    )


def density_figure(
    P: Partition, Q: Partition, names: tuple[str, str], aci: float
) -> str:
    """
    Draw the joint density of the similarities.

    Parameters
    ----------
    P, Q : Partition
        Aligned partitions, neither of them possibilistic.
    names : tuple of two str
        What they are called.
    aci : float
        Said to those who do not see the picture.

    Returns
    -------
    str
        An SVG element.
    """
    short = _short(names)
    (svg,) = inline_svgs(
        lambda axes: plot.joint_density(P, Q, ax=axes[0], names=short, random_state=0),
        key="density",
        labels=[
            f"Joint density of the similarities of pairs in {names[0]} and in "
            f"{names[1]}, around the diagonal where they are equal; ACI {aci:z.3f}"
        ],
        size=(4.4, 3.9),
    )
    return svg


def null_figure(test: ConcordanceTest) -> str:
    """
    Draw what ACI would be by chance, and where it is.

    Parameters
    ----------
    test : ConcordanceTest
        With permutations.

    Returns
    -------
    str
        An SVG element.
    """
    (svg,) = inline_svgs(
        lambda axes: plot.null_distribution(test, ax=axes[0]),
        key="null",
        labels=[
            f"Histogram of ACI over {test.null_distribution.size} permutations of the "
            f"objects, with mean {test.null_mean:z.4f} and standard deviation "
            f"{test.null_sd:.4f}, and a line at the ACI that was found, "
            f"{test.statistic:z.4f}"
        ],
        size=(4.4, 2.9),
    )
    return svg


def membership_figures(
    P: Partition,
    Q: Partition,
    names: tuple[str, str],
    colors: tuple[Sequence[str], Sequence[str]],
) -> list[str]:
    """
    Draw the memberships of both partitions, in one order of the objects.

    Parameters
    ----------
    P, Q : Partition
        Aligned partitions.
    names : tuple of two str
        What they are called.
    colors : tuple of two sequences of str
        Of their clusters.

    Returns
    -------
    list of two str
        SVG elements.
    """
    order = common_order(P, Q)
    short = _short(names)
    return inline_svgs(
        lambda axes: [
            plot.memberships(
                partition,
                ax=ax,
                name=name,
                order=order,
                colors=of_clusters,
                legend=False,
            )
            for ax, partition, name, of_clusters in zip(
                axes, (P, Q), short, colors, strict=True
            )
        ],
        key="memberships",
        labels=[f"Memberships of the objects in the clusters of {n}" for n in names],
        size=(4.4, 2.7),
    )


def family_figure(comparison: Comparison) -> str:
    """
    Draw the statistics by family.

    Parameters
    ----------
    comparison : Comparison
        What is drawn.

    Returns
    -------
    str
        An SVG element.
    """
    (svg,) = inline_svgs(
        lambda axes: plot.families(comparison, ax=axes[0]),
        key="families",
        labels=["Statistics by family, as in the table"],
        size=(4.6, 1.5 + 0.3 * len(comparison.tables)),
    )
    return svg


def _short(names: tuple[str, str]) -> tuple[str, str]:
    return shortened(names[0], 28), shortened(names[1], 28)
