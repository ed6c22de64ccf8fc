"""
Pairs by how similar their degrees of equivalence are (Hüllermeier et al. 2012).

With E = 1 - |u_i - u_j| / 2 in the L1 norm and D = |E_P - E_Q|:
a = sum of t(1 - D, t(E_P, E_Q)), d = sum of t(1 - D, 1 - t(E_P, E_Q)),
b = sum of max(E_P - E_Q, 0), c = sum of max(E_Q - E_P, 0), over all pairs i < j.
`kernels/visits.py` adds them up, in O(n² (K + L)). With the product a + b + c + d is
the number of pairs and the Rand index is the normalized degree of concordance; it is
the one of Amodio et al. (2015), section 3.

References
----------
Hüllermeier, Rifqi, Henzgen, Senge (2012), IEEE Transactions on Fuzzy Systems 20(3).
"""

from concordant.pairs.strata import Strata


def huellermeier_reach(divided: Strata) -> tuple[float, float, float, float]:
    """Bound how far a, b, c and d can differ between two pairs of a stratum."""
    # A t-norm changes by no more than its arguments together: 1 - D, E_P and E_Q.
    apart = 0.5 * divided.largest_difference
    agreeing = apart + 0.5 * (divided.largest_p + divided.largest_q)
    return agreeing, apart, apart, agreeing
