"""
Pairs by t-norms of memberships (Campello 2007).

With V = max_k t(u_ik, u_jk) and X = max_{k != l} t(u_ik, u_jl), and Y, Z likewise for
Q: a = sum of t(V, Y), b = sum of t(V, Z), c = sum of t(X, Y), d = sum of t(X, Z), over
all pairs i < j; a + b + c + d is less than the number of pairs. `kernels/visits.py`
adds them up, in O(n² (K + L)).

A t-norm grows with both arguments, so that of X only the largest membership of each
object matters, or its second largest where both objects have theirs in the same
cluster. A product does so unless memberships are negative.

References
----------
Campello (2007), Pattern Recognition Letters 28(7).
"""

from concordant.catalogue import TNorm
from concordant.pairs.strata import Strata
from concordant.terms.sampled_tables import Reach


def _reach_of_min(divided: Strata) -> tuple[float, float, float, float]:
    """Bound how far a, b, c and d can differ between two pairs of a stratum."""
    # No more than one of the memberships that they are the smallest of.
    reach = max(divided.largest_p, divided.largest_q)
    return reach, reach, reach, reach


def _reach_of_product(divided: Strata) -> tuple[float, float, float, float]:
    """Bound how far a, b, c and d can differ between two pairs of a stratum."""
    # No more than the four memberships together that they are products of.
    reach = 2.0 * (divided.largest_p + divided.largest_q)
    return reach, reach, reach, reach


CAMPELLO_REACHES: dict[TNorm, Reach] = {
    "min": _reach_of_min,
    "product": _reach_of_product,
}
