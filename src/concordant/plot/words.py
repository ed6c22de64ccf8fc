"""The words on pictures: names, remarks and numbers."""

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from numpy.typing import NDArray

from concordant.printing import printed

#: Names are shown as they are, where Matplotlib would read dollar signs as formulas.
LITERALLY: Any = {"parse_math": False}

#: Points per inch, and the width of a character as a share of its height.
POINTS, CHARACTER = 72.0, 0.6

_BEHIND = 16  # characters of a name that stands behind other words
_ALONE = 34  # characters of a name on a line of its own
_SHORT = 12  # names that are no longer are shown whole
_LONGEST = 24  # characters, unless more are needed to tell two names apart
_WORD = re.compile(r"\d+(?:\.\d+)+|[^\W_]+")  # a number with a point is one
_PART = re.compile(rf"{_WORD.pattern}|.", re.DOTALL)


def labels_of(names: Iterable[object]) -> list[str]:
    """
    Shorten names to what tells them apart.

    Whole words that all of them begin or end with are left out if a name is long; what
    is still long loses its middle, unless two different names would become the same.
    """
    shown = [printed(name) for name in names]
    if len({*shown}) > 1 and max(map(len, shown)) > _SHORT:
        start = "".join(_common([_PART.findall(name) for name in shown]))
        rest = [_PART.findall(name[len(start) :]) for name in shown]
        end = "".join(_common([parts[::-1] for parts in rest])[::-1])
        shown = [name[len(start) : len(name) - len(end)] for name in shown]
    return without_middles(shown, _LONGEST)


def _common(names: list[list[str]]) -> list[str]:
    """Return the parts that all names begin with, if a word is left of each."""
    same = takewhile(lambda parts: len({*parts}) == 1, zip(*names, strict=False))
    shared = [parts[0] for parts in same]
    while shared and not all(any(map(_WORD.match, n[len(shared) :])) for n in names):
        shared.pop()
    return shared


def without_middle(name: str, most: int) -> str:
    """Return a name of at most `most` characters, an ellipsis for its middle."""
    if len(name) <= most:
        return name
    front = (most - 1) // 2
    return f"{name[:front]}…{name[len(name) - (most - 1 - front) :]}"


def without_middles(names: Iterable[object], least: int) -> list[str]:
    """Shorten names to `least` characters, or more if two would become the same."""
    shown = [printed(name) for name in names]
    for most in range(least, max(map(len, shown), default=0) + 1):
        cut = [without_middle(name, most) for name in shown]
        if len({*cut}) == len({*shown}):
            return cut
    return shown


def words_on(name: str, words: str) -> str:
    """Return the label of an axis, with a long name on a second line."""
    shown = without_middle(printed(name), _ALONE)
    return f"{words}\n{shown}" if len(shown) > _BEHIND else f"{words} {shown}"


def ink() -> str:
    """Return the colour that text has in the style at hand."""
    return str(mpl.rcParams["text.color"])


def dashed() -> dict[str, Any]:
    """Return the look of a dashed line, for what is expected."""
    return {"color": ink(), "linewidth": 0.9, "linestyle": (0, (4, 3))}


def width_of(texts: Iterable[str], size: float) -> float:
    """Estimate the inches that the longest of texts takes, in a size in points."""
    return size * CHARACTER * max(map(len, texts)) / POINTS


def note(ax: Axes, *texts: str) -> None:
    """Add lines in small print below the axes, but for those that are empty."""
    lines = filter(None, (ax.get_xlabel(), *texts))
    ax.set_xlabel("\n".join(lines), **LITERALLY)


def frameless(ax: Axes) -> None:
    """Take the frame away."""
    ax.spines[:].set_visible(False)


def name_rows(ax: Axes, names: Sequence[str]) -> None:
    """Name rows from the top to the bottom of axes without a frame."""
    ax.set_yticks(range(len(names)), labels=names, **LITERALLY)
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    frameless(ax)


def add_scale(ax: Axes, image: ScalarMappable, label: str) -> Any:
    """Put a scale of colours without a frame beside the axes, and return it."""
    figure: Any = ax.get_figure()
    scale = figure.colorbar(image, ax=ax, shrink=0.75, pad=0.03, label=label)
    scale.outline.set_visible(False)
    return scale


def write_cells(ax: Axes, texts: NDArray[np.object_], size: float) -> None:
    """Write a text into each cell of an image."""
    middle: Any = {"ha": "center", "va": "center", "fontsize": size}
    for (row, column), text in np.ndenumerate(texts):
        ax.text(column, row, text, color=ink(), **middle)


def written(values: NDArray[np.float64], how: str) -> NDArray[np.object_]:
    """Write numbers in a format."""
    return np.array([[f"{x:{how}}" for x in row] for row in values], dtype=object)
