"""Names of the kinds of arrays, and positions that a user gave."""

import numpy as np
from numpy.typing import NDArray

from concordant.errors import Argument, InputError, InputTypeError
from concordant.wording import shown

Vector = NDArray[np.float64]
Matrix = NDArray[np.float64]
Counts = NDArray[np.int64]
#: Places in an array, as NumPy's indices are.
Positions = NDArray[np.intp]


def as_positions(argument: str, given: object, n: int) -> Positions:
    """Return where some of n objects stand, as integers from 0 to n - 1."""
    try:
        at = np.asarray(given)
    except ValueError:  # lists of several lengths
        at = np.zeros((0, 0))
    if at.ndim != 1 or (at.size and at.dtype.kind not in "iu"):
        what = f" must be a list of positions, found {shown(given)}"
        raise InputTypeError(Argument(argument), what)
    odd = at[(at < 0) | (at >= n)]
    if odd.size:
        what = f" takes positions from 0 to {n - 1}, found {odd[0]}"
        raise InputError(Argument(argument), what)
    return at.astype(np.intp, copy=False)
