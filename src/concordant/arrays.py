"""Names of the kinds of arrays."""

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Matrix = NDArray[np.float64]
Counts = NDArray[np.int64]
#: Places in an array, as NumPy's indices are.
Positions = NDArray[np.intp]
