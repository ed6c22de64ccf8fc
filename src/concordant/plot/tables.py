"""Numbers about two partitions: cross-table, families, objects, and chance."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from concordant.catalogue.families import STATISTICS
from concordant.catalogue.lookups import heading_of
from concordant.comparison import Comparison
from concordant.door import checked
from concordant.errors import Argument, InputError
from concordant.inference.chance_result import ConcordanceTest
from concordant.inference.differences import ObjectDiscordance, object_discordance
from concordant.inference.interval import ConfidenceInterval, decimals
from concordant.partition.alignment import MatchBy, aligned
from concordant.plot.order import in_matched_order
from concordant.plot.palette import BEHIND_NUMBERS, DISTINCT
from concordant.plot.picture import axes_for
from concordant.plot.words import (
    CHARACTER,
    LITERALLY,
    POINTS,
    dashed,
    frameless,
    ink,
    labels_of,
    name_rows,
    note,
    words_on,
    write_cells,
    written,
)
from concordant.sums.contingency import soft_cross_table
from concordant.wording import count

_MOST_NUMBERS = 15  # more columns or rows leave no room for them
_TEXT = 10.0  # points, where cells are wide enough
_MARKERS = "oDs^vPX<>*h"
_STEP = 0.16  # of a row: symbols of equal values can be told apart
_BINS = 40
_MARGIN = 0.06  # of the width, on both sides


@checked
def cross_table(
    P: object,
    Q: object,
    *,
    ax: Axes | None = None,
    names: tuple[str, str] = ("P", "Q"),
    match_by: MatchBy = "position",
) -> Axes:
    """
    Draw how the objects are distributed over pairs of clusters, U'V.

    These are sums of products of memberships: a fuzzy partition has numbers beside the
    diagonal even with itself. For two fuzzy partitions, the percentages of
    `concordant.local_concordance` and the table of the report count the membership that
    stays in matched clusters instead.

    Parameters
    ----------
    P, Q : Partition, or anything one can be made from
        Two partitions of the same objects, of any kind.
    ax : Axes, optional
        Where to draw. By default the current axes if a figure is open in pyplot, else
        those of a new figure.
    names : tuple of two str, default=("P", "Q")
        What the partitions are called.
    match_by : {"position", "id", "common"}, default="position"
        How objects are matched: by position, by ids, or only those with common ids.

    Returns
    -------
    Axes
        One row per cluster of P, one column per cluster of Q, in the order of those
        that they match. Numbers are written up to 15 clusters; of long names, what all
        of them share is left out.

    Examples
    --------
    >>> import concordant.plot
    >>> P = [[0.9, 0.1], [0.8, 0.2], [0.2, 0.8], [0.3, 0.7]]
    >>> ax = concordant.plot.cross_table(P, ["a", "a", "b", "b"])
    >>> [text.get_text() for text in ax.texts]
    ['1.7', '0.5', '0.3', '1.5']
    """
    p, q = aligned(P, Q, match_by=match_by)
    q = in_matched_order(p, q)
    table = soft_cross_table(p, q)
    height, width = np.minimum(table.shape, _MOST_NUMBERS).tolist()
    ax = axes_for(ax, 2.0 + 0.7 * width, 1.4 + 0.5 * height)
    ax.imshow(table, cmap=BEHIND_NUMBERS, vmin=0.0, aspect="auto", interpolation="none")
    if max(table.shape) <= _MOST_NUMBERS:
        decimals = 0 if p.kind == q.kind == "crisp" else 1
        texts = written(table, f",.{decimals}f")
        cell = float(ax.bbox.width) / ax.figure.dpi * POINTS / q.n_clusters
        size = min(_TEXT, cell / (CHARACTER * (1 + max(map(len, texts.ravel())))))
        write_cells(ax, texts, size)
        rows, columns = labels_of(p.clusters), labels_of(q.clusters)
        ax.set_yticks(range(p.n_clusters), labels=rows, **LITERALLY)
        ax.set_xticks(range(q.n_clusters), labels=columns, **LITERALLY)
        longest = _TEXT * CHARACTER * (1 + max(map(len, columns)))
        ax.tick_params(axis="x", rotation=90 if longest > cell else 0)
    ax.set_ylabel(words_on(names[0], "clusters of"), **LITERALLY)
    ax.set_xlabel(words_on(names[1], "clusters of"), **LITERALLY)
    ax.tick_params(length=0)
    frameless(ax)
    return ax


@checked
def families(comparison: Comparison, *, ax: Axes | None = None) -> Axes:
    """
    Draw the statistics of each family, with ACI as a line.

    Parameters
    ----------
    comparison : Comparison
        What `concordant.compare` gave.
    ax : Axes, optional
        Where to draw. By default the current axes if a figure is open in pyplot, else
        those of a new figure.

    Returns
    -------
    Axes
        One row per family. Mirkin's metric, which is a count, is left out.

    Examples
    --------
    >>> import concordant as cc
    >>> import concordant.plot
    >>> P, Q = [[0.9, 0.1], [0.2, 0.8]], [[0.6, 0.4], [0.1, 0.9]]
    >>> comparison = cc.compare(P, Q, families="all")
    >>> ax = concordant.plot.families(comparison)
    >>> [label.get_text() for label in ax.get_yticklabels()][:2]
    ['campello (min)', 'campello (product)']
    """
    ax = axes_for(ax, 6.4, 1.6 + 0.3 * len(comparison.tables))
    rows = range(len(comparison.tables))
    ax.hlines(rows, 0.0, 1.0, color=ink(), alpha=0.15, linewidth=0.8)
    # What has no largest value is no share, and has no place among them.
    records = [STATISTICS[name] for name in comparison.statistics]
    shown = [record for record in records if record.best == 1.0]
    for place, record in enumerate(shown):
        values = [comparison.of_table(record.name, name) for name in comparison.tables]
        seen = [row for row in rows if math.isfinite(values[row])]
        ax.plot(
            [values[row] for row in seen],
            [row + _STEP * (place - len(shown) // 2) for row in seen],
            linestyle="none",
            marker=_MARKERS[place % len(_MARKERS)],
            markersize=5,
            markeredgecolor=ink(),  # a dark colour on a dark ground is seen, too
            markeredgewidth=0.4,
            color=DISTINCT[place % len(DISTINCT)],
            label=record.title,
        )
    if comparison.concordance is not None:
        ax.axvline(comparison.concordance.aci, label="ACI", **dashed())
    name_rows(ax, [*comparison.tables])
    low, high = ax.get_xlim()
    ax.set_xlim(min(low, -0.03), max(high, 1.03))
    ax.set_xlabel("1: perfect agreement")
    ax.legend(
        loc="lower center",
        bbox_to_anchor=(0.5, 1.0),
        ncols=3,
        frameon=False,
        handletextpad=0.3,
        columnspacing=1.2,
    )
    return ax


@checked
def differing_objects(
    P: object,
    Q: object = None,
    *,
    ax: Axes | None = None,
    names: Sequence[str] | None = None,
    max_objects: int = 20,
    random_state: int | np.random.Generator | None = None,
    match_by: MatchBy = "position",
) -> Axes:
    """
    Draw the discordance of the objects that two partitions treat most differently.

    Parameters
    ----------
    P, Q : Partition, or anything one can be made from
        Two partitions of the same objects, crisp or fuzzy; or in place of P, without Q,
        what `concordant.object_discordance` gave.
    ax : Axes, optional
        Where to draw. By default the current axes if a figure is open in pyplot, else
        those of a new figure.
    names : sequence of n str, optional
        What the objects are called, by default by their ids or positions.
    max_objects : int, default=20
        Number of objects to show.
    random_state : int, numpy.random.Generator or None, default=None
        Source of the sample of partners, see `concordant.object_discordance`.
    match_by : {"position", "id", "common"}, default="position"
        How objects are matched: by position, by ids, or only those with common ids.

    Returns
    -------
    Axes
        One bar per object, called by its id or, if it has none, its position. Of long
        ids, what all of them share is left out.

    Examples
    --------
    >>> import concordant.plot
    >>> from concordant import Partition
    >>> P = Partition([0, 0, 0, 1], ids=["Ann", "Bob", "Cyd", "Dan"])
    >>> ax = concordant.plot.differing_objects(P, [0, 0, 1, 1], max_objects=2)
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['Cyd', 'Ann']
    """
    found = P
    if not isinstance(found, ObjectDiscordance):
        found = object_discordance(P, Q, random_state=random_state, match_by=match_by)
    ids: Any = found.ids if names is None else names
    n = len(found.values)
    if ids is None:
        ids = range(n)
    if len(ids) != n:
        what = f" has {count(len(ids), 'name')} for {count(n, 'object')}"
        raise InputError(Argument("names"), what)
    first = found.largest(max_objects)
    ax = axes_for(ax, 5.6, 1.0 + 0.24 * len(first))
    lengths, rows = found.values[first], range(len(first))
    errors = None if found.is_exact else 1.96 * found.standard_errors[first]
    ax.barh(rows, lengths, xerr=errors, height=0.7, color=DISTINCT[0])
    name_rows(ax, labels_of(ids[i] for i in first))
    ax.set_xlim(left=0.0)
    ax.set_xlabel("discordance:\nmean difference\nin similarity")
    ax.set_ylabel("object")
    if not found.is_exact:
        note(ax, f"from {found.n_partners:,} others, with 95 % confidence intervals")
    return ax


@checked
def confidence_interval(result: ConfidenceInterval, *, ax: Axes | None = None) -> Axes:
    """
    Draw a confidence interval on the scale of its index.

    Parameters
    ----------
    result : ConfidenceInterval
        What `concordant.confidence_interval` gave.
    ax : Axes, optional
        Where to draw. By default the current axes if a figure is open in pyplot, else
        those of a new figure.

    Returns
    -------
    Axes
        With the estimate, its interval, and a dashed line at 0.

    Examples
    --------
    >>> import concordant as cc
    >>> P = [[0.9, 0.1], [0.8, 0.2], [0.7, 0.3], [0.2, 0.8], [0.3, 0.7], [0.1, 0.9]]
    >>> ax = cc.plot.confidence_interval(cc.confidence_interval(P, [0, 0, 0, 1, 1, 1]))
    >>> ax.get_xlabel().splitlines()[0]
    'ACI 0.4330'
    """
    ax = axes_for(ax, 5.0, 1.6)
    middle = result.estimate
    below, above = max(0.0, middle - result.low), max(0.0, result.high - middle)
    ax.errorbar(
        [middle], [0.0], xerr=[[below], [above]], fmt="o", color=DISTINCT[0], capsize=4
    )
    ax.axvline(0.0, **dashed())
    low, high = min(0.0, result.low), max(1.0, result.high)
    ax.set(xlim=(low - 0.03, high + 0.03), ylim=(-1.0, 1.0), yticks=[])
    frameless(ax)
    ax.spines["bottom"].set_visible(True)
    d = decimals(result.standard_error)
    words = f"{heading_of(result.index)} {middle:z.{d}f}"
    note(ax, words, f"{100 * result.level:.4g} % interval {result.ends()}")
    return ax


@checked
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
        was found and a dashed one at the mean by chance. Where permutations are
        compared on a sample of the pairs, so are both lines: it is what the p-value
        compares, and lies beside the value of all pairs.

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
    >>> ax.get_xlabel().splitlines()
    ['ACI of 720 permutations', '(observed: 0.4330)']
    """
    null = result.null_distribution
    if not null.size:
        raise InputError(
            "the test drew no permutations, so there is no null distribution to "
            'draw; leave out method="normal"'
        )
    ax = axes_for(ax, 5.0, 3.0)
    found, mean = result.statistic, result.null_mean
    if result.sampled_statistic is not None:
        found, mean = result.sampled_statistic, float(null.mean())
    low, high = (float(end) for end in (null.min(), null.max()))
    first, last = min(low, found), max(high, found)
    room = _MARGIN * (last - first) or 0.5
    # Permutations that all give the same are one bar.
    edges = np.linspace(low, high, _BINS + 1)
    if high - low <= 1e-12 * max(1.0, abs(high)):
        edges = np.array([low - 0.02 * room, high + 0.02 * room])
    heights, _ = np.histogram(null, edges)
    ax.stairs(heights / null.size, edges, fill=True, color=DISTINCT[0])
    ax.axvline(mean, **dashed())
    ax.axvline(found, color=DISTINCT[1], linewidth=2.0)
    ax.set_xlim(first - room, last + room)
    ax.set_ylim(bottom=0.0)
    ax.set_ylabel("share of permutations")
    sampled = f"from {result.n_pairs:,} pairs, drawn at random"
    note(
        ax,
        f"{result.heading} of {null.size:,} permutation{'s' * (null.size != 1)}",
        sampled * (not result.uses_all_pairs),
        f"(observed: {found:z.4f})",
    )
    frameless(ax)
    return ax
