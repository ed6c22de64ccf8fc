"""The figures of a reproduced paper, the same for the same numbers."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from markupsafe import Markup
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from concordant.paper.paper_tables import PaperTable
from concordant.paper.real_data_studies import (
    AS_FOUND,
    COUNTS,
    EXAMPLE,
    FIFTH,
    OBJECTS,
    SIMILARITIES,
)
from concordant.paper.repetitions import Values
from concordant.paper.simulations import EXACT
from concordant.paper.verdicts import ENOUGH, WORDS, Verdict, under
from concordant.plot.palette import BEHIND_NUMBERS, DISTINCT
from concordant.plot.svg import inline_svgs
from concordant.plot.words import frameless, ink, write_cells, written

_WIDTH = 10.6  # inches
_FOUND, _MISSED, _OPEN = DISTINCT[0], DISTINCT[2], DISTINCT[8]
_OTHERS = (DISTINCT[1], DISTINCT[5])
_STYLE = {
    "axes.titlesize": 9.5,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#8a949e",
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "legend.frameon": False,
    "legend.fontsize": 8.5,
}
_STROKE: Any = {"lw": 1.3, "marker": "|", "ms": 7, "markevery": [1]}
_DOT: Any = {"ms": 4.8, "mec": "white", "mew": 0.5}
_MARKERS = {
    "reproduced": ("o", _FOUND),
    "outside": ("X", _MISSED),
    "cannot be decided": ("D", _OPEN),
}


@dataclass(frozen=True)
class Picture:
    """An ``<svg>`` element with its caption and the name of its file."""

    name: str
    caption: str
    svg: Markup


def table_picture(table: PaperTable, verdicts: Sequence[Verdict]) -> Picture:
    """Draw a table, a panel for each index, or each data set if there is one index."""
    panels: dict[str, list[tuple[str, Verdict]]] = {}
    indices = {verdict.printed.index for verdict in verdicts}
    for verdict in verdicts:
        printed = verdict.printed
        panel, label = printed.index, printed.row
        if len(indices) == 1:
            panel, label = printed.row, printed.comparison
        elif table.judgement == "value":
            label += " (true)" if printed.comparison.startswith("true") else " (PD)"
        panels.setdefault(panel, []).append((label, verdict))
    words = Counter(verdict.word for verdict in verdicts)
    found_so = ", ".join(f"{words[word]} {word}" for word in WORDS if words[word])
    caption = (
        f"{table.title}: {len(verdicts)} printed numbers on what was found "
        f"({found_so})."
    )
    n = verdicts[0].outcome.n
    few = table.judgement == "interval" and n < ENOUGH
    interval = f"lowest to highest of {n}" if few else "central 99 %"

    def draw(figure: Figure) -> None:
        columns = min(4, len(panels))
        rows = -(-len(panels) // columns)
        longest = max(map(len, panels.values()))
        same = len({tuple(label for label, _ in dots) for dots in panels.values()}) == 1
        figure.set_size_inches(_WIDTH, rows * (0.62 + 0.19 * longest) + 0.55)
        grid = figure.subplots(rows, columns, squeeze=False, sharey=same)
        others = [design.name for design in table.designs[1:]]
        handles: dict[str, Artist] = {}
        for axes in grid.flat[len(panels) :]:
            axes.set_visible(False)
        for axes, (title, dots) in zip(grid.flat, panels.items(), strict=False):
            axes.set_title(title)
            _draw_dots(axes, dots, f"{interval}, median", others)
            found, labels = axes.get_legend_handles_labels()
            handles |= zip(labels, found, strict=True)
        figure.legend(
            handles=handles.values(), loc="outside upper left", ncols=len(handles)
        )

    return _picture(table.name, caption, draw)


def _draw_dots(
    axes: Axes,
    dots: Sequence[tuple[str, Verdict]],
    stated: str,
    others: Sequence[str],
) -> None:
    """Draw printed numbers on the intervals that each design gave, a row for each."""
    for y, (_, verdict) in enumerate(dots):
        found, value = verdict.outcome, verdict.printed.value
        ends = [found.low, found.median, found.high]
        axes.plot(ends, [y] * 3, color=ink(), label=stated, **_STROKE)
        for offset, other in enumerate(verdict.alternatives, start=1):
            color = _OTHERS[others.index(other.design)]
            label, height = f"the same, {other.design}", y + 0.2 * offset
            bar = [other.low, other.high]
            axes.plot(bar, [height] * 2, color=color, lw=2.2, label=label)
        marker, color = _MARKERS[verdict.word]
        label = f"printed, {verdict.word}"
        axes.plot(value, y, marker, color=color, label=label, **_DOT)
    axes.set_yticks(range(len(dots)), [label for label, _ in dots])
    axes.set_ylim(len(dots) - 0.35, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color=ink(), alpha=0.15, lw=0.6)
    axes.set_axisbelow(True)
    axes.locator_params(axis="x", nbins=4)
    axes.margins(x=0.06)


def heat_map_picture(table: PaperTable, verdicts: Sequence[Verdict]) -> Picture:
    """Draw a table of the second simulation as printed and under each design."""
    rows = [*dict.fromkeys(verdict.printed.row for verdict in verdicts)]
    columns = [*dict.fromkeys(verdict.printed.comparison for verdict in verdicts)]
    shape = len(rows), len(columns)
    printed = np.array([verdict.printed.value for verdict in verdicts]).reshape(shape)
    maps = {"printed": printed}
    for design in table.designs:
        medians = [under(design.name, verdict).median for verdict in verdicts]
        maps[f"{design.name}, median"] = np.array(medians).reshape(shape)
    found = maps[f"{table.designs[0].name}, median"]
    caption = (
        f"{verdicts[0].printed.index} between the partition with as many clusters as "
        "centres and the one with C: as printed, and the medians over "
        f"{verdicts[0].outcome.n} repetitions with "
        f"{' and with '.join(design.name for design in table.designs)}. From the "
        f"first of them the printed ones differ by {np.abs(printed - found).max():.3f} "
        "at most."
    )

    def draw(figure: Figure) -> None:
        figure.set_size_inches(_WIDTH, 0.36 * len(rows) + 0.7)
        grid = figure.subplots(1, len(maps), squeeze=False, sharey=True)
        lowest = np.floor(10 * min(matrix.min() for matrix in maps.values())) / 10
        for axes, (title, matrix) in zip(grid.flat, maps.items(), strict=True):
            axes.imshow(
                matrix, cmap=BEHIND_NUMBERS, vmin=lowest, vmax=1.0, aspect="auto"
            )
            axes.set_title(title)
            axes.set_xticks(range(len(columns)), columns)
            axes.set_yticks(range(len(rows)), rows)
            axes.tick_params(length=0)
            frameless(axes)
            write_cells(axes, written(matrix, "z.3f"), 8)

    return _picture(f"{table.name}-map", caption, draw)


def chance_pictures(values: Values) -> list[Picture]:
    """Draw a null distribution and the convergence of permutations, if they ran."""
    if "chance" not in values:
        return []
    return [_null_picture(values["chance"]), _convergence_picture(values["chance"])]


def _null_picture(study: Mapping[Any, Any]) -> Picture:
    found, expected = (study[EXAMPLE, what, "NDC"][0] for what in (AS_FOUND, EXACT))
    draws = {what: study[EXAMPLE, what, "NDC"] for what in (OBJECTS, SIMILARITIES)}
    caption = (
        f"What chance gives for {EXAMPLE}, true partition and PD-clustering: NDC after "
        "permuting the objects and after permuting the similarities. Both have the "
        f"same exact expectation, {expected:.4f}; found is {found:.4f}."
    )

    def draw(figure: Figure) -> None:
        figure.set_size_inches(_WIDTH, 3.0)
        whole, near = figure.subplots(1, 2)
        together = np.concatenate([*draws.values()])
        bins = np.linspace(together.min(), together.max(), 41).tolist()
        for axes in (whole, near):
            for color, (label, drawn) in zip(
                (_FOUND, _OTHERS[0]), draws.items(), strict=True
            ):
                axes.hist(drawn, bins, color=color, alpha=0.6, label=label)
            axes.axvline(expected, color=ink(), ls="--", label="exact expectation")
            axes.set(xlabel="NDC", ylabel="draws")
        whole.axvline(found, color=_MISSED, lw=1.8, label="found")
        whole.set_title("With what was found")
        whole.legend(loc="upper center")
        near.set_title("Chance alone, close up")

    return _picture("null", caption, draw)


def _convergence_picture(study: Mapping[Any, Any]) -> Picture:
    exact = study[FIFTH, EXACT, "expected NDC"][0]
    errors = np.array([study[FIFTH, f"h = {h}", "expected NDC"] for h in COUNTS])
    errors -= exact
    sizes = np.sqrt(np.mean(errors**2, axis=1))
    caption = (
        f"The expectation of NDC estimated from h permutations, on {FIFTH}, over "
        f"{len(errors[0])} repetitions: its error falls as 1/√h, from {sizes[0]:.1e} "
        f"at h = 1 to {sizes[-1]:.1e} at h = {COUNTS[-1]}; the exact expectation needs "
        "none."
    )

    def draw(figure: Figure) -> None:
        figure.set_size_inches(_WIDTH, 3.4)
        left, right = figure.subplots(1, 2)
        low, median, high = np.quantile(errors, [0.005, 0.5, 0.995], axis=1)
        left.axhline(0.0, color=ink(), lw=1, ls="--", label="exact expectation")
        left.fill_between(COUNTS, low, high, color=_FOUND, alpha=0.25, lw=0)
        left.plot(COUNTS, median, "o-", color=_FOUND, ms=4, label="median")
        left.set_title("Estimate minus exact expectation: median, central 99 %")
        right.plot(COUNTS, sizes, "o", color=_FOUND, ms=5, label="root mean square")
        root = sizes[0] * np.sqrt(COUNTS[0] / np.array(COUNTS))
        right.plot(COUNTS, root, color=ink(), lw=1, ls="--", label="1 / √h")
        right.set_yscale("log")
        right.set_title("Size of the error")
        for axes in (left, right):
            axes.set_xscale("log")
            axes.set_xlabel("h, permutations")
            axes.legend()

    return _picture("convergence", caption, draw)


def _picture(name: str, caption: str, draw: Callable[[Figure], None]) -> Picture:
    (svg,) = inline_svgs(draw, key=name, labels=[caption], style=_STYLE)
    return Picture(name, caption, svg)
