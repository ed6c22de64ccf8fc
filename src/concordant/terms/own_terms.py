"""What belongs to one partition alone: computed once, and kept with it."""

import numpy as np
from numpy.typing import NDArray

from concordant.pairs.dense import dissimilarities
from concordant.partition.partition import Partition

Vector = NDArray[np.float64]


def dissimilarities_of(P: Partition) -> Vector:
    """Give the dissimilarities of all pairs of a partition of few objects."""
    return P.kept_terms.get("dissimilarities", lambda: dissimilarities(P.columns()))
