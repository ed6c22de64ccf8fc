"""Figures of the reproduced paper, as SVG that is the same for the same numbers."""

import io
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from concordant.plot.palette import AMOUNT, DISTINCT, text_on

Vector = NDArray[np.float64]

INK, QUIET = "#1b2733", "#8a949e"
FOUND, MISSED, OPEN = DISTINCT[0], DISTINCT[2], DISTINCT[8]
OTHERS = (DISTINCT[1], DISTINCT[5])
GRID, GROUND = "#e3e7ea", "#ffffff"

_STYLE = {
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans", "Arial", "Helvetica"],
    "font.size": 9,
    "axes.titlesize": 9.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": QUIET,
    "axes.labelcolor": INK,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "legend.frameon": False,
    "legend.fontsize": 8.5,
    "figure.facecolor": GROUND,
}
_MARKERS = {
    "reproduced": ("o", FOUND, "printed, reproduced"),
    "outside": ("X", MISSED, "printed, outside"),
    "cannot be decided": ("D", OPEN, "printed, cannot be decided"),
}


@dataclass(frozen=True)
class Dot:
    """A printed number beside the median and interval found, and other designs'."""

    label: str
    printed: float
    middle: float
    low: float
    high: float
    word: str
    others: tuple[tuple[str, float, float], ...] = ()


def dots_and_intervals(
    panels: Mapping[str, Sequence[Dot]],
    *,
    name: str,
    description: str,
    interval: str = "central 99 %",
) -> str:
    """Draw printed numbers on the intervals that repetitions gave, by panel."""

    def draw(figure: Figure) -> None:
        longest = max(len(dots) for dots in panels.values())
        colours = _colours(panels)
        columns = min(4, len(panels))
        rows = -(-len(panels) // columns)
        grid = figure.subplots(rows, columns, squeeze=False, sharey=_same(panels))
        figure.set_size_inches(10.6, rows * (0.62 + 0.19 * longest) + 0.55)
        for axes in grid.flat[len(panels) :]:
            axes.set_visible(False)
        for axes, (title, dots) in zip(grid.flat, panels.items(), strict=False):
            axes.set_title(title)
            _draw_dots(axes, dots, colours)
        _legend(figure, panels, colours, interval)

    return _svg(draw, name, description)


def heat_maps(
    maps: Mapping[str, Vector],
    *,
    rows: Sequence[str],
    columns: Sequence[str],
    name: str,
    description: str,
) -> str:
    """Draw tables of an index as colours, with their numbers."""

    def draw(figure: Figure) -> None:
        figure.set_size_inches(10.6, 0.36 * len(rows) + 0.7)
        grid = figure.subplots(1, len(maps), squeeze=False, sharey=True)
        lowest = np.floor(10 * min(matrix.min() for matrix in maps.values())) / 10
        for axes, (title, matrix) in zip(grid.flat, maps.items(), strict=True):
            axes.imshow(matrix, cmap=AMOUNT, vmin=lowest, vmax=1.0, aspect="auto")
            axes.set_title(title)
            axes.set_xticks(range(len(columns)), columns)
            axes.set_yticks(range(len(rows)), rows)
            axes.tick_params(length=0)
            axes.spines[:].set_visible(False)
            for (i, j), value in np.ndenumerate(matrix):
                colour = text_on((value - lowest) / (1.0 - lowest), INK)
                axes.text(
                    j,
                    i,
                    f"{value:z.3f}",
                    ha="center",
                    va="center",
                    color=colour,
                    size=8,
                )

    return _svg(draw, name, description)


def null_distribution(
    found: float,
    expected: float,
    draws: Mapping[str, Vector],
    *,
    name: str,
    description: str,
) -> str:
    """Draw what chance gives, with what was found and the exact expectation."""

    def draw(figure: Figure) -> None:
        figure.set_size_inches(10.6, 3.0)
        whole, near = figure.subplots(1, 2)
        low = min(values.min() for values in draws.values())
        high = max(values.max() for values in draws.values())
        bins = np.linspace(low, high, 41).tolist()
        for axes in (whole, near):
            for colour, (label, values) in zip(
                (FOUND, OTHERS[0]), draws.items(), strict=True
            ):
                axes.hist(values, bins, color=colour, alpha=0.6, label=label)
            axes.axvline(expected, color=INK, ls="--", label="exact expectation")
            axes.set_xlabel("NDC")
            axes.set_ylabel("draws")
        whole.axvline(found, color=MISSED, lw=1.8, label="found")
        whole.set_title("With what was found")
        whole.legend(loc="upper center")
        near.set_title("Chance alone, close up")

    return _svg(draw, name, description)


def convergence(
    counts: Sequence[int], errors: Sequence[Vector], *, name: str, description: str
) -> str:
    """Draw how estimates from h permutations approach the exact expectation."""

    def draw(figure: Figure) -> None:
        figure.set_size_inches(10.6, 3.4)
        left, right = figure.subplots(1, 2)
        quantiles = np.array([np.quantile(e, [0.005, 0.5, 0.995]) for e in errors])
        left.axhline(0.0, color=INK, lw=1, ls="--", label="exact expectation")
        left.fill_between(
            counts, quantiles[:, 0], quantiles[:, 2], color=FOUND, alpha=0.25, lw=0
        )
        left.plot(counts, quantiles[:, 1], "o-", color=FOUND, ms=4, label="median")
        left.set_title("Estimate minus exact expectation: median, central 99 %")
        spread = np.array([np.sqrt(np.mean(e**2)) for e in errors])
        right.plot(counts, spread, "o", color=FOUND, ms=5, label="root mean square")
        root = spread[0] * np.sqrt(counts[0] / np.array(counts))
        right.plot(counts, root, color=INK, lw=1, ls="--", label="1 / √h")
        right.set_yscale("log")
        right.set_title("Size of the error")
        for axes in (left, right):
            axes.set_xscale("log")
            axes.set_xlabel("h, permutations")
            axes.legend()

    return _svg(draw, name, description)


def in_page_ink(svg: str) -> str:
    """Give a figure the ink and the ground of the page that holds it."""
    svg = svg.replace(f'style="fill: {GROUND}"/>', 'style="fill: none"/>')
    svg = svg.replace(GRID, "currentColor; stroke-opacity: 0.15")
    return svg.replace(INK, "currentColor")


def _same(panels: Mapping[str, Sequence[Dot]]) -> bool:
    return len({tuple(dot.label for dot in dots) for dots in panels.values()}) == 1


def _colours(panels: Mapping[str, Sequence[Dot]]) -> dict[str, str]:
    """Give each other design a colour."""
    names = dict.fromkeys(
        name for dots in panels.values() for dot in dots for name, _, _ in dot.others
    )
    return dict(zip(names, OTHERS, strict=False))


def _draw_dots(axes: Axes, dots: Sequence[Dot], colours: Mapping[str, str]) -> None:
    for y, dot in enumerate(dots):
        for offset, (design, low, high) in enumerate(dot.others, start=1):
            height = y + 0.2 * offset
            axes.plot([low, high], [height, height], color=colours[design], lw=2.2)
        axes.plot([dot.low, dot.high], [y, y], color=INK, lw=1.3, solid_capstyle="butt")
        axes.plot(dot.middle, y, "|", color=INK, ms=7)
        marker, colour, _ = _MARKERS[dot.word]
        axes.plot(dot.printed, y, marker, color=colour, ms=4.8, mec="white", mew=0.5)
    axes.set_yticks(range(len(dots)), [dot.label for dot in dots])
    axes.set_ylim(len(dots) - 0.35, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color=GRID, lw=0.6)
    axes.set_axisbelow(True)
    axes.locator_params(axis="x", nbins=4)
    axes.margins(x=0.06)


def _legend(
    figure: Figure,
    panels: Mapping[str, Sequence[Dot]],
    colours: Mapping[str, str],
    interval: str,
) -> None:
    everything = [dot for dots in panels.values() for dot in dots]
    handles = [
        Line2D([], [], color=INK, lw=1.3, marker="|", label=f"{interval}, median")
    ]
    handles += [
        Line2D([], [], color=colour, lw=2.2, label=f"the same, {design}")
        for design, colour in colours.items()
    ]
    for word, (marker, colour, label) in _MARKERS.items():
        if any(dot.word == word for dot in everything):
            handles.append(
                Line2D([], [], color=colour, lw=0, marker=marker, label=label)
            )
    figure.legend(handles=handles, loc="outside upper left", ncols=len(handles))


def _svg(draw: Callable[[Figure], None], name: str, description: str) -> str:
    with mpl.rc_context():
        mpl.rcdefaults()  # whatever the style of the user is
        style: Any = {**_STYLE, "svg.hashsalt": name}
        mpl.rcParams.update(style)
        figure = Figure(layout="constrained")
        draw(figure)
        text = io.StringIO()
        blank = {"Date": None, "Creator": None, "Format": None, "Type": None}
        figure.savefig(text, format="svg", metadata=blank)
    svg = text.getvalue()
    svg = svg[svg.index("<svg") :].strip()
    # Names such as "figure_1" would stand on a page once per figure.
    svg = re.sub(r'( id="|href="#|url\(#)', rf"\1{name}-", svg)
    return svg.replace("<svg", f'<svg role="img" aria-label="{escape(description)}"', 1)
