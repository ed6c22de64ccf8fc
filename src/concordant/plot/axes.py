"""Axes to draw on, and the words on them."""

from collections.abc import Iterable
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.figure import Figure
from matplotlib.text import Text

from concordant.partition.naming import printed
from concordant.plot.name_parts import without_middle

_LONG = 16  # characters of a name that do not stand behind other words
_LONGEST = 34  # characters of a name on a line of its own


def new_axes(width: float, height: float) -> Axes:
    """
    Make axes on a figure of their own, which no global state refers to.

    Parameters
    ----------
    width, height : float
        Of the figure, in inches.

    Returns
    -------
    matplotlib.axes.Axes
        Empty.
    """
    return Figure(figsize=(width, height), layout="constrained").subplots()


def ink() -> str:
    """
    Give the colour that text has in the style at hand.

    Returns
    -------
    str
        A Matplotlib colour.
    """
    return str(mpl.rcParams["text.color"])


def take_literally(texts: Iterable[Text]) -> None:
    """
    Show names as they are, where Matplotlib would read dollar signs as formulas.

    Parameters
    ----------
    texts : iterable of Text
        Titles, labels, entries of a legend.
    """
    for text in texts:
        text.set_parse_math(False)


def note(ax: Axes, text: str) -> None:
    """
    Say something in small print below the axes, as that not all objects are shown.

    Parameters
    ----------
    ax : Axes
        The axes; what their horizontal axis is called comes first.
    text : str
        What to say; nothing if empty.
    """
    if text:
        label = ax.get_xlabel()
        ax.set_xlabel(f"{label}\n{text}" if label else text)


def words_on(name: str, words: str) -> str:
    """
    Say what an axis is about, on a second line if the name is long.

    Parameters
    ----------
    name : str
        Of a partition.
    words : str
        What stands before it.

    Returns
    -------
    str
        A label in which a very long name has lost its middle.
    """
    shown = without_middle(printed(name), _LONGEST)
    return f"{words}\n{shown}" if len(shown) > _LONG else f"{words} {shown}"


def frameless(ax: Axes) -> None:
    """
    Take the frame away.

    Parameters
    ----------
    ax : Axes
        The axes.
    """
    for spine in ax.spines.values():
        spine.set_visible(False)


def add_scale(ax: Axes, image: ScalarMappable, label: str) -> Any:
    """
    Put a scale of colours beside the axes.

    Parameters
    ----------
    ax : Axes
        The axes.
    image : ScalarMappable
        What was drawn in these colours.
    label : str
        What they mean.

    Returns
    -------
    matplotlib.colorbar.Colorbar
        Without a frame.
    """
    figure: Any = ax.get_figure()
    scale = figure.colorbar(image, ax=ax, shrink=0.75, pad=0.03)
    scale.set_label(label)
    scale.outline.set_visible(False)
    return scale
