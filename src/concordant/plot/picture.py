"""A figure becomes the bytes of a file."""

import io
import warnings
from typing import TYPE_CHECKING

import matplotlib as mpl

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: The formats in which a figure can be saved, with what would name the time.
FORMATS: dict[str, dict[str, None]] = {
    "png": {},
    "svg": {"Date": None},
    "pdf": {"CreationDate": None},
}


def picture(figure: "Figure", form: str) -> bytes:
    """
    Give a figure as the content of a file.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        What to draw.
    form : {"png", "svg", "pdf"}
        The format.

    Returns
    -------
    bytes
        The same for the same figure, whenever it is drawn.
    """
    stream = io.BytesIO()
    with mpl.rc_context({"svg.hashsalt": "concordant"}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from")
        figure.savefig(stream, format=form, metadata=FORMATS[form], dpi=150)
    return stream.getvalue()
