"""A figure becomes SVG that a page can hold, in the page's own ink."""

import html
import io
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

# Stands for the colour of the page's text until that is put in its place.
_INK = "#fedcba"

_STYLE = {
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 9.0,
    "axes.titlesize": 10.0,
    "axes.titleweight": "bold",
    "axes.labelsize": 9.0,
    "legend.fontsize": 9.0,
    "xtick.labelsize": 8.5,
    "ytick.labelsize": 8.5,
    "axes.linewidth": 0.6,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.minor.width": 0.4,
    "ytick.minor.width": 0.4,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
    "savefig.edgecolor": "none",
    "text.color": _INK,
    "axes.labelcolor": _INK,
    "axes.edgecolor": _INK,
    "xtick.color": _INK,
    "ytick.color": _INK,
}


def inline_svgs(
    draw: Callable[[Sequence[Axes]], object],
    *,
    key: str,
    labels: Sequence[str],
    size: tuple[float, float],
) -> list[str]:
    """
    Return figures of one picture each as SVG elements, the same for the same pictures.

    `draw` draws on the axes of all of them, `key` makes ids unique on a page, `labels`
    describe the figures, and `size` is in inches. The style of the user is not used;
    lines and text have the colour of the text around them.
    """
    with _plain_style(key):
        figures = [Figure(figsize=size, layout="constrained") for _ in labels]
        draw([figure.subplots() for figure in figures])
        return [
            _embedded(_saved(figure), f"{key}-{number}", label)
            for number, (figure, label) in enumerate(zip(figures, labels, strict=True))
        ]


def inline_svg(draw: Callable[[], Figure], *, key: str, label: str) -> str:
    """Return the figure that `draw` makes as an SVG element; see `inline_svgs`."""
    with _plain_style(key):
        return _embedded(_saved(draw()), key, label)


def _saved(figure: Figure) -> str:
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    return text.getvalue()


@contextmanager
def _plain_style(key: str) -> Iterator[None]:
    with mpl.rc_context(), warnings.catch_warnings():
        # Text stays text: the reader's fonts have glyphs that Matplotlib's lack.
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        warnings.filterwarnings("ignore", message="Matplotlib currently does not")
        mpl.rcdefaults()
        style: Any = _STYLE | {"svg.hashsalt": f"concordant {key}"}
        mpl.rcParams.update(style)
        yield


def _embedded(svg: str, key: str, label: str) -> str:
    """Take the element out of its file; what stands between tags is left alone."""
    svg = svg[svg.index("<svg") :].rstrip()
    svg = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>", "", svg, flags=re.S)
    view = re.search(r'viewBox="[^"]*"', svg)
    svg = re.sub(r"<[^>]*>", lambda tag: _of_the_page(tag[0], key), svg)
    opening = '<svg class="plot" role="img" focusable="false"'
    opening += f' aria-label="{html.escape(label)}"'
    opening += f' xmlns:xlink="http://www.w3.org/1999/xlink" {view[0] if view else ""}>'
    return opening + svg[svg.index(">") + 1 :]


def _of_the_page(tag: str, key: str) -> str:
    """Give a tag the page's ink and fonts, and ids of its own."""
    tag = tag.replace(_INK, "currentColor")
    tag = re.sub(r"font-family: [^;\"]*; ", "", tag)
    return re.sub(r'( id="|href="#|url\(#)', rf"\1{key}-", tag)
