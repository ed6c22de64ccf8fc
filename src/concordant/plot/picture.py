"""Figures that notebooks show, that pyplot knows where it is in use, and files hold."""

import io
import sys
import warnings
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from concordant.errors import Argument, InputError, InputTypeError
from concordant.storage.atomic import write_bytes_atomically
from concordant.wording import is_list, shown

#: The formats in which a figure can be saved, with what would name the time.
FORMATS: dict[str, dict[str, None]] = {
    "png": {},
    "svg": {"Date": None},
    "pdf": {"CreationDate": None},
}


class _Shown:
    """What a notebook shows as a picture where it is the last line of a cell."""

    def _ipython_display_(self: Any) -> None:
        """Leave the picture to a window of pyplot, else to `_repr_png_`."""
        if _is_open_in_pyplot(self.figure):
            from matplotlib import pyplot

            backend = mpl.get_backend().lower()
            if "inline" in backend:  # it would be shown again at the end of the cell
                pyplot.close(self.figure)
            elif backend != "agg":
                return
        raise NotImplementedError  # by which IPython is told to go on

    def _repr_png_(self: Any) -> bytes:
        return picture(self.figure, "png", dpi=self.figure.dpi)


class ShownFigure(_Shown, Figure):
    """A figure that shows itself."""


class ShownAxes(_Shown, Axes):
    """Axes that show the figure they are on."""


class ShownPair(_Shown, tuple[Axes, Axes]):
    """Two axes that show the figure they are on."""

    __slots__ = ()

    @property
    def figure(self) -> Any:
        """The figure of both."""
        return self[0].figure


def new_figure(width: float, height: float) -> Figure:
    """Make a figure of so many inches, by pyplot if that is in use."""
    make = ShownFigure
    if "matplotlib.pyplot" in sys.modules:
        from matplotlib.pyplot import figure

        return figure(FigureClass=make, figsize=(width, height), layout="constrained")
    return make(figsize=(width, height), layout="constrained")


def axes_for(ax: Axes | None, width: float, height: float) -> Axes:
    """Return the given axes, else pyplot's current ones if there are any, else new."""
    if ax is not None:
        (given,) = given_axes([ax], 1)
        return given
    if "matplotlib.pyplot" in sys.modules:
        from matplotlib import pyplot

        if pyplot.get_fignums():
            return pyplot.gca()
    return new_figure(width, height).add_subplot(axes_class=ShownAxes)


def given_axes(ax: object, needed: int) -> list[Axes]:
    """Return the axes that a user gave, as many as are needed."""
    given = [*ax] if is_list(ax) else [ax]
    axes = [each for each in given if isinstance(each, Axes)]
    if len(axes) != len(given):
        what = f" takes Axes of Matplotlib, found {shown(ax)}"
        raise InputTypeError(Argument("ax"), what)
    if len(axes) != needed:
        what = f" must be {needed} axes, one for each panel, found {len(axes)}"
        raise InputError(Argument("ax"), what)
    return axes


def picture(figure: Figure, form: str, dpi: float = 150.0) -> bytes:
    """Return a figure as the content of a file: the same bytes whenever it is drawn."""
    stream = io.BytesIO()
    with mpl.rc_context({"svg.hashsalt": "concordant"}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from")
        figure.savefig(stream, format=form, metadata=FORMATS[form], dpi=dpi)
    return stream.getvalue()


def write_picture(path: str, figure: Figure) -> None:
    """Write a figure to a file, in the format that the end of its name says."""
    form = Path(path).suffix.casefold().removeprefix(".")
    write_bytes_atomically(path, picture(figure, form))


def _is_open_in_pyplot(figure: Figure) -> bool:
    """Return whether pyplot is in use and knows a figure."""
    if "matplotlib.pyplot" not in sys.modules:
        return False
    from matplotlib._pylab_helpers import Gcf

    return any(
        manager.canvas.figure is figure for manager in Gcf.get_all_fig_managers()
    )
