"""Pairs by how similar their degrees of equivalence are (Hüllermeier et al. 2012)."""

import math

import numpy as np

from concordant.catalogue import TNorm
from concordant.execution.checkpoint import Job
from concordant.execution.engine import Engine
from concordant.execution.progress import Watch
from concordant.execution.run import Run
from concordant.families.pair_table import PairTable
from concordant.families.t_norms import KERNEL_CODES, T_NORMS
from concordant.pairs.bands import Band
from concordant.pairs.dense import Vector, dissimilarities, few_objects
from concordant.pairs.strata import Strata
from concordant.partition.partition import Partition
from concordant.terms.visited_pairs import (
    Sampling,
    Sums,
    VisitedPairs,
    exact_sums,
    visiting,
)


def huellermeier_table(
    P: Partition,
    Q: Partition,
    t_norm: TNorm,
    engine: Engine | None = None,
    watch: Watch | None = None,
    sampling: Sampling | None = None,
    job: Job | None = None,
) -> PairTable:
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
    engine : Engine, optional
        Where bands of pairs are visited; one thread by default.
    watch : Watch, optional
        Told how far it is.
    sampling : Sampling, optional
        How to visit some pairs only.
    job : Job, optional
        Where what is done is kept.

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
    if sampling is not None or not few_objects(P.n_objects):
        visited = VisitedPairs("huellermeier", t_norm, P.n_objects, engine, watch, job)
        columns = (P.columns(), Q.columns())
        code = KERNEL_CODES[t_norm]
        return visited.table(_visit, columns, code, sampling, _reach)
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


def _visit(p: Vector, q: Vector, t_norm: int, bands: list[Band]) -> Sums:
    from concordant.kernels.visits import band_huellermeier

    sums = np.empty((len(bands), 4))
    for band, out in zip(bands, sums, strict=True):
        band_huellermeier(p, q, *band, t_norm, out)
    return exact_sums(sums)


def _reach(divided: Strata) -> tuple[float, float, float, float]:
    """Bound how far a, b, c and d can differ between two pairs of a stratum."""
    # A t-norm changes by no more than its arguments together: 1 - D, E_P and E_Q.
    apart = 0.5 * divided.largest_difference
    agreeing = apart + 0.5 * (divided.largest_p + divided.largest_q)
    return agreeing, apart, apart, agreeing


def huellermeier_family(
    P: Partition, Q: Partition, t_norm: TNorm, run: Run
) -> PairTable:
    """Give the table as every family does."""
    return huellermeier_table(
        P, Q, t_norm, *visiting("huellermeier", t_norm, P, Q, run)
    )
