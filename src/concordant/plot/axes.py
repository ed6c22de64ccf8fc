"""The words on axes, and their frames."""

from collections.abc import Iterable
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.text import Text
from numpy.typing import NDArray

from concordant.partition.naming import printed
from concordant.plot.name_parts import without_middle
from concordant.plot.palette import text_on

_LONG = 16  # characters of a name that do not stand behind other words
_LONGEST = 34  # characters of a name on a line of its own

#: Points per inch, and the width of a character as a share of its height.
POINTS, CHARACTER = 72.0, 0.6


def ink() -> str:
    """Return the colour that text has in the style at hand."""
    return str(mpl.rcParams["text.color"])


def take_literally(texts: Iterable[Text]) -> None:
    """Show names as they are, where Matplotlib would read dollar signs as formulas."""
    for text in texts:
        text.set_parse_math(False)


def note(ax: Axes, text: str) -> None:
    """Add a line in small print below the axes, unless it is empty."""
    if text:
        label = ax.get_xlabel()
        ax.set_xlabel(f"{label}\n{text}" if label else text)


def words_on(name: str, words: str) -> str:
    """Return the label of an axis, with a long name on a second line."""
    shown = without_middle(printed(name), _LONGEST)
    return f"{words}\n{shown}" if len(shown) > _LONG else f"{words} {shown}"


def frameless(ax: Axes) -> None:
    """Take the frame away."""
    ax.spines[:].set_visible(False)


def add_scale(ax: Axes, image: ScalarMappable, label: str) -> Any:
    """Put a scale of colours without a frame beside the axes, and return it."""
    figure: Any = ax.get_figure()
    scale = figure.colorbar(image, ax=ax, shrink=0.75, pad=0.03, label=label)
    scale.outline.set_visible(False)
    return scale


def write_cells(
    ax: Axes, texts: Iterable[str], shares: NDArray[np.float64], size: float
) -> None:
    """Write a text into each cell of an image, whose colours are at these shares."""
    middle: Any = {"ha": "center", "va": "center", "fontsize": size}
    for text, ((row, column), share) in zip(texts, np.ndenumerate(shares), strict=True):
        ax.text(column, row, text, color=text_on(share, ink()), **middle)
