"""The main pictures of a comparison, on one figure."""

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby, islice
from string import ascii_lowercase
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from concordant.comparison import Comparison
from concordant.door import checked
from concordant.errors import Argument, InputError
from concordant.partition.partition import Partition
from concordant.plot.order import in_matched_order
from concordant.plot.picture import given_axes, new_figure
from concordant.plot.similarities import joint_density, similarity_matrices
from concordant.plot.stacks import draw_both
from concordant.plot.tables import (
    confidence_interval,
    cross_table,
    differing_objects,
    families,
    null_distribution,
)
from concordant.plot.words import LITERALLY, without_middles
from concordant.wording import several, shown

_WIDTH, _ROW = 7.0, 2.7  # inches: two columns of a paper
_OBJECTS = 12  # that differ most
_FIRST = ("memberships", "cross_table", "null", "interval")  # drawn by default
_ROWS = {"similarity": 2, "families": 1}  # axes of panels with a row of their own
_LONGEST = 28  # characters of a name in the title
_SHORTER = 18  # characters of a name in a panel, which has a letter beside its title

#: What draws each panel on its axes.
Panels = dict[str, Callable[..., object]]


@checked
def overview(
    comparison: Comparison,
    *,
    ax: Sequence[Axes] | None = None,
    names: tuple[str, str] | None = None,
    order: NDArray[Any] | None = None,
    colors: Sequence[str] | None = None,
    panels: str | Sequence[str] | None = None,
) -> Figure:
    """
    Draw a comparison: two to four panels for a paper, or all that there are.

    Parameters
    ----------
    comparison : Comparison
        What `concordant.compare` gave.
    ax : sequence of Axes, optional
        Where to draw, one for each letter; on a new figure by default.
    names : tuple of two str, optional
        What the partitions are called; by default `names` of the comparison.
    order : ndarray of n int, optional
        Positions of the objects from left to right in the bars of memberships; by
        default those of each cluster together.
    colors : sequence of colours, optional
        Of the clusters of P, and of those of Q that match no cluster of P.
    panels : "all", or sequence of str, optional
        By default ``"memberships"``, ``"cross_table"`` and, if they were computed,
        ``"null"`` (the null distribution of a test) and ``"interval"``. There are also
        ``"similarity"`` (on two axes), ``"density"``, ``"objects"`` (those that differ
        most) and ``"families"`` (if there are tables). Of possibilistic partitions,
        there are those that do not need similarities.

    Returns
    -------
    matplotlib.figure.Figure
        With letters from (a) on.

    Raises
    ------
    ValueError
        If the comparison was made without its partitions, or lacks what a panel shows.

    Examples
    --------
    >>> import concordant as cc
    >>> P = [[0.9, 0.1], [0.8, 0.2], [0.2, 0.8], [0.3, 0.7]]
    >>> figure = cc.compare(P, [0, 0, 1, 1]).plot(names=("FCM", "species"))
    >>> figure.get_suptitle()
    'FCM and species: ACI 0.4255'
    >>> [ax.get_title(loc="left") for ax in figure.axes]
    ['(a)', '(b)']
    """
    if comparison.partitions is None:
        raise InputError("the comparison holds no partitions; make it by compare(P, Q)")
    P, Q = comparison.partitions
    Q = in_matched_order(P, Q)
    names = names or comparison.names
    one, other = without_middles(names, _SHORTER)
    there = panels_of(comparison, P, Q, (one, other), order, colors)
    if panels is None:
        panels = [name for name in _FIRST if name in there]
    chosen = _known(panels, there)
    if ax is None:
        widths = _widths(chosen)
        figure = new_figure(_WIDTH, 0.4 + _ROW * len(widths))
        axes = [*_grid(figure, widths)]
        figure.suptitle(_title(comparison, names), **LITERALLY)
    else:
        axes = given_axes(ax, sum(_ROWS.get(name, 1) for name in chosen))
    left = iter(axes)
    for name in chosen:
        there[name](*islice(left, _ROWS.get(name, 1)))
    for letter, each in zip(ascii_lowercase, axes, strict=False):
        each.set_title(f"({letter})", loc="left", fontweight="bold")
    figure_of: Any = axes[0].figure
    return figure if ax is None else figure_of


def panels_of(
    comparison: Comparison,
    P: Partition,
    Q: Partition,
    names: tuple[str, str],
    order: NDArray[Any] | None = None,
    colors: Sequence[str] | None = None,
) -> Panels:
    """Return what can be drawn of a comparison."""
    # A fixed seed: one comparison has one picture.
    there: Panels = {
        "memberships": lambda ax: draw_both(ax, P, Q, names, order, colors),
        "cross_table": lambda ax: cross_table(P, Q, ax=ax, names=names),
    }
    test, interval = comparison.test, next(iter(comparison.intervals.values()), None)
    if test is not None and test.null_distribution.size:
        there["null"] = lambda ax: null_distribution(test, ax=ax)
    if interval is not None:
        there["interval"] = lambda ax: confidence_interval(interval, ax=ax)
    if comparison.concordance is not None:
        some: Any = {"max_objects": _OBJECTS, "random_state": 0}
        there |= {
            "density": lambda ax: joint_density(
                P, Q, ax=ax, names=names, random_state=0
            ),
            "objects": lambda ax: differing_objects(P, Q, ax=ax, **some),
            "similarity": lambda *ax: similarity_matrices(P, Q, ax=ax, names=names),
        }
    if comparison.tables:
        there["families"] = lambda ax: families(comparison, ax=ax)
    return there


def _known(panels: str | Iterable[str], there: Panels) -> list[str]:
    """Return the names of panels, all of which must be there."""
    if isinstance(panels, str) and panels == "all":
        return [*there]
    asked = several("panels", panels) or ()
    odd = [name for name in asked if not isinstance(name, str) or name not in there]
    if odd:
        raise InputError(
            Argument("panels"),
            f" names {shown(odd[0])}, which this comparison does not have; it has "
            f"{', '.join(there)}, and compare(P, Q, test=True, interval=0.95) adds "
            "null and interval",
        )
    if not asked:
        raise InputError(Argument("panels"), f" names none of {', '.join(there)}")
    return [*asked]


def _widths(panels: Sequence[str]) -> list[int]:
    """Return the number of axes of each row: two if they are no panel of a row."""
    widths: list[int] = []
    for alone, same in groupby(panels, lambda name: name in _ROWS):
        names = [*same]
        if alone:
            widths += [_ROWS[name] for name in names]
        else:
            widths += [1] * (len(names) % 2) + [2] * (len(names) // 2)
    return widths


def _grid(figure: Figure, widths: Sequence[int]) -> Iterable[Axes]:
    """Yield axes row by row."""
    # Each row is laid out for itself: long labels take no room from the others.
    # A scale of colours stands nearer to its panel than to the names of the next one.
    layout: Any = figure.get_layout_engine()
    layout.set(wspace=0.08)
    parts: Any = figure.subfigures(len(widths), 1, squeeze=False)
    for part, width in zip(parts[:, 0], widths, strict=True):
        yield from part.subplots(1, width, squeeze=False)[0]


def _title(comparison: Comparison, names: tuple[str, str]) -> str:
    first, second = without_middles(names, _LONGEST)
    title = f"{first} and {second}"
    if comparison.concordance is None:
        return title
    return f"{title}: ACI {comparison.concordance.aci:z.4f}"
