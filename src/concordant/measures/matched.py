"""Agreement of memberships after the best matching of clusters."""

from dataclasses import replace
from typing import get_args

from concordant.execution.engine import Threads
from concordant.measures.adjusted import Score
from concordant.measures.comparing import check_defined
from concordant.partition.alignment import MatchBy, aligned
from concordant.sums.matching import Distance, Matching, matching
from concordant.underflow import tiny_is_zero
from concordant.wording import check_choice


@tiny_is_zero
def match_clusters(
    P: object,
    Q: object,
    *,
    distance: Distance = "euclidean",
    n_jobs: int | None = None,
    match_by: MatchBy = "position",
) -> Matching:
    """
    Match the clusters of two partitions one to one, so that memberships are nearest.

    Parameters
    ----------
    P, Q : Partition, or anything one can be made from
        Two partitions of the same n objects, crisp or fuzzy, into K and L clusters.
    distance : {"euclidean", "manhattan", "cosine"}, default="euclidean"
        The distance between U and V to minimize, whose columns are in matching order; a
        cluster without a partner is compared with memberships of 0.
    n_jobs : int, optional
        Number of threads; see `concordance`.
    match_by : {"position", "id", "common"}, default="position"
        How objects are matched: by position, by ids, or only those with common ids.

    Returns
    -------
    Matching
        Which cluster is which, and the agreement: ``1 - ||U - V|| / sqrt(2 n)`` with
        the Euclidean distance, ``1 - |U - V| / (2 n)`` with the sum of absolute
        differences, and with the cosine that of the angle between U and V. It is 1 for
        equal memberships, and not corrected for chance.

    Raises
    ------
    ValueError
        If a partition is possibilistic or overlapping: its rows may sum to anything,
        and the distance has no largest value.

    Notes
    -----
    O(n K L) time and the assignment of K to L clusters. The Euclidean agreement is G'
    of CLUMPP and ``cl_agreement(method = "euclidean")`` of R's clue; the others are its
    methods "manhattan" and "angle".

    References
    ----------
    Jakobsson, Rosenberg (2007), Bioinformatics 23, 1801-1806. Hornik (2005), Journal of
    Statistical Software 14 (12).

    Examples
    --------
    >>> import concordant as cc
    >>> P = [[0.9, 0.1], [0.8, 0.2], [0.2, 0.8], [0.3, 0.7]]
    >>> found = cc.match_clusters(P, [1, 1, 0, 0])
    >>> found.clusters_p.tolist(), found.clusters_q.tolist()
    ([0, 1], [1, 0])
    >>> round(found.agreement, 6)
    0.787868
    >>> round(cc.compare(P, [1, 1, 0, 0], indices=["matched"])["matched"], 6)
    0.787868
    """
    check_choice("distance", distance, get_args(Distance), optional=False)
    engine = Threads(n_jobs)
    p, q = aligned(P, Q, match_by=match_by)
    check_defined(("matched",), p, q, argument="")
    found = matching(p, q, distance, engine)
    return replace(found, names=(p.clusters, q.clusters))


def matched(found: Matching) -> Score:
    """Return the agreement of matched memberships, by the Euclidean distance."""
    return Score(found.agreement, found.error)
