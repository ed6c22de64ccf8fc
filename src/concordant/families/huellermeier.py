"""Pairs by how similar their degrees of equivalence are (Hüllermeier et al. 2012)."""

import math

import numpy as np

from concordant.dense import dissimilarities
from concordant.families.t_norms import T_NORMS, TNorm
from concordant.partition import Partition
from concordant.tables import PairTable


def huellermeier_table(P: Partition, Q: Partition, t_norm: TNorm) -> PairTable:
    """
    Compare the degrees E_P and E_Q to which a pair is equivalent.

    With E = 1 - |u_i - u_j| / 2 in the L1 norm and D = |E_P - E_Q|:
    a = sum of t(1 - D, t(E_P, E_Q)), d = sum of t(1 - D, 1 - t(E_P, E_Q)),
    b = sum of max(E_P - E_Q, 0), c = sum of max(E_Q - E_P, 0), over all pairs i < j.

    Parameters
    ----------
    P, Q : Partition
        Two partitions of the same objects, crisp or fuzzy.
    t_norm : {"product", "min", "lukasiewicz"}
        t; the product is the one of Amodio et al. (2015), section 3.

    Returns
    -------
    PairTable
        Of family ``"huellermeier"``. With the product a + b + c + d is the number of
        pairs and the Rand index is the normalized degree of concordance.

    Notes
    -----
    O(n² (K + L)).

    References
    ----------
    Hüllermeier, Rifqi, Henzgen, Senge (2012), IEEE Transactions on Fuzzy Systems 20(3).
    """
    t = T_NORMS[t_norm]
    x, y = dissimilarities(P.columns()), dissimilarities(Q.columns())
    together = t(1.0 - x, 1.0 - y)
    concordant = 1.0 - np.abs(x - y)
    return PairTable(
        math.fsum(t(concordant, together)),
        math.fsum(np.maximum(y - x, 0.0)),
        math.fsum(np.maximum(x - y, 0.0)),
        math.fsum(t(concordant, 1.0 - together)),
        "huellermeier",
        t_norm,
    )
