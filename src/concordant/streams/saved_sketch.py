"""The cells of a sketch as an array, and back."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.kernels.unit_places import TOP_LEVEL
from concordant.streams.sketch import Sketch
from concordant.streams.sketch_cells import Cells, level_needed
from concordant.terms.object_sums import Arrays


def sketch_arrays(sketch: Sketch, number: int) -> dict[str, NDArray[Any]]:
    """
    Give what a sketch holds.

    Parameters
    ----------
    sketch : Sketch
        Which is not empty.
    number : int
        Its number in the summary.

    Returns
    -------
    dict
        Two arrays.
    """
    cells = sketch.cells()
    return {
        f"cells{number}": cells.table,
        f"level{number}": np.array([cells.level, sketch.is_rounded], dtype=np.int64),
    }


def sketch_of(arrays: Arrays, number: int, sizes: NDArray[Any]) -> Sketch:
    """
    Make a sketch of what `sketch_arrays` gave.

    Parameters
    ----------
    arrays : mapping
        The arrays of a summary.
    number : int
        The number of the sketch.
    sizes : ndarray
        How many numbers each of its groups has.

    Returns
    -------
    Sketch
        The same.

    Raises
    ------
    ValueError
        If they cannot be what a sketch held.
    """
    table, about = arrays[f"cells{number}"], arrays[f"level{number}"]
    if table.ndim != 2 or len(table) != 5 or table.dtype != np.int64:
        raise ValueError("cells of another shape")
    if about.shape != (2,) or not 0 <= about[0] <= TOP_LEVEL:
        raise ValueError("cells of a level that does not exist")
    level, is_rounded = about.tolist()
    groups, places, counts, *_ = table
    follows = np.diff(places) > 0
    ordered = (np.diff(groups) > 0) | ((np.diff(groups) == 0) & follows)
    if not ordered.all() or (counts < 1).any() or level_needed(groups, places) > level:
        raise ValueError("cells that are not in order")
    cells = Cells(np.ascontiguousarray(table), level)
    if not np.array_equal(cells.sizes(), sizes):
        raise ValueError("cells of another number of objects")
    return Sketch.restored(cells, is_rounded=bool(is_rounded))
