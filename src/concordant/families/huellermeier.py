"""Pairs by how similar their degrees of equivalence are (Hüllermeier et al. 2012)."""

import numpy as np

from concordant.catalogue import TNorm
from concordant.exact import summed
from concordant.execution.run import Run
from concordant.families.pair_table import PairTable
from concordant.families.t_norms import T_NORMS
from concordant.pairs.strata import Strata
from concordant.partition.partition import Partition
from concordant.terms.own_terms import dissimilarities_of


def huellermeier_table(P: Partition, Q: Partition, t_norm: TNorm) -> PairTable:
    """
    Compare the degrees E_P and E_Q to which a pair of few objects is equivalent.

    With E = 1 - |u_i - u_j| / 2 in the L1 norm and D = |E_P - E_Q|:
    a = sum of t(1 - D, t(E_P, E_Q)), d = sum of t(1 - D, 1 - t(E_P, E_Q)),
    b = sum of max(E_P - E_Q, 0), c = sum of max(E_Q - E_P, 0), over all pairs i < j.

    Notes
    -----
    O(n² (K + L)) time and O(n²) memory. With the product a + b + c + d is the number of
    pairs and the Rand index is the normalized degree of concordance; it is the one of
    Amodio et al. (2015), section 3.

    References
    ----------
    Hüllermeier, Rifqi, Henzgen, Senge (2012), IEEE Transactions on Fuzzy Systems 20(3).
    """
    x, y = dissimilarities_of(P), dissimilarities_of(Q)
    t = T_NORMS[t_norm]
    together = t(1.0 - x, 1.0 - y)
    concordant = 1.0 - np.abs(x - y)
    return PairTable(
        summed(t(concordant, together)),
        summed(np.maximum(y - x, 0.0)),
        summed(np.maximum(x - y, 0.0)),
        summed(t(concordant, 1.0 - together)),
        "huellermeier",
        t_norm,
    )


def huellermeier_reach(divided: Strata) -> tuple[float, float, float, float]:
    """Bound how far a, b, c and d can differ between two pairs of a stratum."""
    # A t-norm changes by no more than its arguments together: 1 - D, E_P and E_Q.
    apart = 0.5 * divided.largest_difference
    agreeing = apart + 0.5 * (divided.largest_p + divided.largest_q)
    return agreeing, apart, apart, agreeing


def huellermeier_family(
    P: Partition, Q: Partition, t_norm: TNorm, run: Run
) -> PairTable:
    """Give the table of few objects as every family does."""
    return huellermeier_table(P, Q, t_norm)
