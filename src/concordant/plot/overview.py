"""The main pictures of a comparison, on one figure."""

from matplotlib.figure import Figure

from concordant.comparison import Comparison
from concordant.plot.density import joint_density
from concordant.plot.dots import families
from concordant.plot.matrices import similarity_matrices
from concordant.plot.numbered_cells import cross_table
from concordant.plot.order import common_order
from concordant.plot.palette import matching_colors
from concordant.plot.stacks import memberships


def overview(comparison: Comparison, *, names: tuple[str, str] = ("P", "Q")) -> Figure:
    """
    Draw the main pictures of a comparison.

    Parameters
    ----------
    comparison : Comparison
        What `concordant.compare` gave.
    names : tuple of two str, default=("P", "Q")
        What the partitions are called.

    Returns
    -------
    matplotlib.figure.Figure
        The similarity matrices and the joint density, unless a partition is
        possibilistic; memberships; the cross-table and the statistics by family.

    Raises
    ------
    ValueError
        If the comparison was made without its partitions.

    Examples
    --------
    >>> import concordant as cc
    >>> P = [[0.9, 0.1], [0.8, 0.2], [0.2, 0.8], [0.3, 0.7]]
    >>> figure = cc.compare(P, [0, 0, 1, 1]).plot()
    >>> type(figure).__name__
    'Figure'
    """
    if comparison.partitions is None:
        raise ValueError("the comparison holds no partitions; make it by compare(P, Q)")
    P, Q = comparison.partitions
    similar = comparison.concordance is not None
    figure = Figure(figsize=(11.0, 12.0 if similar else 8.0), layout="constrained")
    rows = figure.add_gridspec(3 if similar else 2, 2)
    lowest = 2 if similar else 1
    if similar:
        both = (figure.add_subplot(rows[0, 0]), figure.add_subplot(rows[0, 1]))
        similarity_matrices(P, Q, ax=both, names=names)
        # A fixed seed: one comparison has one picture.
        density = figure.add_subplot(rows[lowest, 0])
        joint_density(P, Q, ax=density, names=names, random_state=0)
    else:
        table = figure.add_subplot(rows[lowest, 0])
        cross_table(P, Q, ax=table, names=names)
    order, colors = common_order(P, Q), matching_colors(P, Q)
    for column, partition in enumerate((P, Q)):
        memberships(
            partition,
            ax=figure.add_subplot(rows[lowest - 1, column]),
            name=names[column],
            order=order,
            colors=colors[column],
        )
    families(comparison, ax=figure.add_subplot(rows[lowest, 1]))
    return figure
