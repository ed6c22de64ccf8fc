"""
Pairs by the agreement of similarities (Hüllermeier, Rifqi, Henzgen and Senge 2012).

With E_P and E_Q the similarities of a pair, D = |E_P - E_Q| and a t-norm T:
a = sum of T(1 - D, T(E_P, E_Q)), d = sum of T(1 - D, 1 - T(E_P, E_Q)), b and c the sums
of the positive and the negative part of E_P - E_Q, over all pairs i < j.
"""

import numpy as np

from concordant.arrays import Vector
from concordant.bounded import UNIT_ROUNDOFF
from concordant.pairs.values.t_norms import OnArrays
from concordant.partition.partition import Partition


def cardinalities(
    x: Vector, y: Vector, t: OnArrays
) -> tuple[Vector, Vector, Vector, Vector]:
    """Return what each pair adds to a, b, c and d, from its dissimilarities."""
    difference = y - x
    together = t(1.0 - x, 1.0 - y)
    in_p_alone = np.maximum(difference, 0.0)
    in_q_alone = in_p_alone - difference  # exactly
    agreement = np.subtract(1.0, np.abs(difference, out=difference), out=difference)
    in_both = t(agreement, together)
    apart = np.subtract(1.0, together, out=together)
    return in_both, in_p_alone, in_q_alone, t(agreement, apart)


def rounding(P: Partition, Q: Partition) -> float:
    """Bound how far what a pair adds is off: by values, of K differences, and t."""
    return (3 * (P.n_clusters + Q.n_clusters) + 24) * UNIT_ROUNDOFF
