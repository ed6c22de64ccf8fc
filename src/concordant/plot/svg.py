"""A figure becomes SVG that a page can hold, in the page's own ink."""

import html
import io
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import matplotlib as mpl
from markupsafe import Markup
from matplotlib.figure import Figure

# Stands for the colour of the page's text until that is put in its place.
_INK = "#fedcba"

_STYLE = {
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 9.0,
    "axes.titlesize": 10.0,
    "axes.titleweight": "bold",
    "xtick.labelsize": 8.5,
    "ytick.labelsize": 8.5,
    "axes.linewidth": 0.6,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.minor.width": 0.4,
    "ytick.minor.width": 0.4,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "text.color": _INK,
    "axes.labelcolor": _INK,
    "axes.edgecolor": _INK,
    "xtick.color": _INK,
    "ytick.color": _INK,
}


def inline_svgs(
    draw: Callable[..., object],
    *,
    key: str,
    labels: Sequence[str],
    style: Mapping[str, Any] = MappingProxyType({}),
) -> list[Markup]:
    """
    Return figures as SVG elements, the same for the same pictures.

    `draw` draws on as many figures as there are labels, which describe them, and `key`
    makes ids unique on a page. The style of the user is not used; lines and text have
    the colour of the text around them. The width in points is `--width` in CSS.
    """
    with mpl.rc_context(), warnings.catch_warnings():
        # Text stays text: the reader's fonts have glyphs that Matplotlib's lack.
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        warnings.filterwarnings("ignore", message="Matplotlib currently does not")
        mpl.rcdefaults()
        own: Any = {**_STYLE, **style, "svg.hashsalt": f"concordant {key}"}
        mpl.rcParams.update(own)
        figures = [Figure(layout="constrained") for _ in labels]
        draw(*figures)
        return [
            _embedded(figure, f"{key}-{number}", label)
            for number, (figure, label) in enumerate(zip(figures, labels, strict=True))
        ]


def _embedded(figure: Figure, key: str, label: str) -> Markup:
    """Take the element out of its file; what stands between tags is left alone."""
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    svg = text.getvalue()
    svg = svg[svg.index("<svg") :].rstrip()
    svg = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>", "", svg, flags=re.S)
    svg = re.sub(r"<[^>]*>", lambda tag: _of_the_page(tag[0], key), svg)
    told = (
        f'class="plot" role="img" focusable="false" aria-label="{html.escape(label)}"'
    )
    width = f'style="--width: {72.0 * figure.get_size_inches()[0]:.0f}px"'
    return Markup(svg.replace("<svg", f"<svg {told} {width}", 1))


def _of_the_page(tag: str, key: str) -> str:
    """Give a tag the page's ink and fonts, and ids of its own."""
    tag = tag.replace(_INK, "currentColor")
    tag = re.sub(r"font-family: [^;\"]*; ", "", tag)
    return re.sub(r'( id="|href="#|url\(#)', rf"\1{key}-", tag)
