"""The generalized Rand index of Horta and Campello, and the adjusted one."""

from collections.abc import Mapping
from typing import Any

from concordant.measures.comparing import compare
from concordant.measures.scores import Score
from concordant.partition.alignment import Align


def generalized_rand_index(
    P: object,
    Q: object,
    *,
    n_jobs: int | None = None,
    engine: object = None,
    align: Align = "position",
) -> float:
    """
    Return the mean agreement of two partitions on inner products of memberships.

    ``GRI = 1 - mean over i < j of |u_i . u_j - v_i . v_j|`` (13GRI).

    Parameters
    ----------
    P, Q : Partition, or anything one can be made from
        Two partitions of the same n objects, crisp or fuzzy.
    n_jobs : int, optional
        Number of threads; see `concordance`.
    engine : dask.distributed.Client, optional
        Where to run the work instead; see `concordance`.
    align : {"position", "index"}, default="position"
        How objects are matched: by position, or by their ids.

    Returns
    -------
    float
        From 0 to 1; higher is better. It is 1 if every pair has the same inner product
        in P as in Q, and for crisp partitions it is the Rand index.

    See Also
    --------
    adjusted_generalized_rand_index : The same, corrected for chance.

    References
    ----------
    Horta, Campello (2015), Journal of Machine Learning Research 16, 2949-2997.

    Examples
    --------
    >>> import concordant as cc
    >>> P = [[0.29, 0.71], [0.79, 0.21], [0.41, 0.59], [0.88, 0.12]]
    >>> Q = [[0.94, 0.06], [0.05, 0.95], [0.53, 0.47], [0.89, 0.11]]
    >>> round(cc.generalized_rand_index(P, Q), 6)
    0.753867
    """
    found = compare(P, Q, indices=["gri"], n_jobs=n_jobs, engine=engine, align=align)
    return found["gri"]


def adjusted_generalized_rand_index(
    P: object,
    Q: object,
    *,
    n_jobs: int | None = None,
    engine: object = None,
    align: Align = "position",
) -> float:
    """
    Return the generalized Rand index, corrected for chance.

    ``AGRI = (GRI - E[GRI]) / (1 - E[GRI])`` with the exact expectation over all
    permutations of the objects (13AGRI).

    Parameters
    ----------
    P, Q : Partition, or anything one can be made from
        Two partitions of the same n objects, crisp or fuzzy.
    n_jobs : int, optional
        Number of threads; see `concordance`.
    engine : dask.distributed.Client, optional
        Where to run the work instead; see `concordance`.
    align : {"position", "index"}, default="position"
        How objects are matched: by position, or by their ids.

    Returns
    -------
    float
        At most 1; higher is better. It is 1 if every pair has the same inner product
        in P as in Q, 0 on average for unrelated partitions, and for crisp partitions
        it is the adjusted Rand index of Hubert and Arabie.

    See Also
    --------
    concordance : With ``similarity="inner"`` the same, with its error, a test and an
        interval.

    References
    ----------
    Horta, Campello (2015), Journal of Machine Learning Research 16, 2949-2997.

    Examples
    --------
    >>> import concordant as cc
    >>> P = [[0.29, 0.71], [0.79, 0.21], [0.41, 0.59], [0.88, 0.12]]
    >>> Q = [[0.94, 0.06], [0.05, 0.95], [0.53, 0.47], [0.89, 0.11]]
    >>> round(cc.adjusted_generalized_rand_index(P, Q), 6)
    -0.051902
    """
    found = compare(P, Q, indices=["agri"], n_jobs=n_jobs, engine=engine, align=align)
    return found["agri"]


def gri(terms: Mapping[str, Any]) -> Score:
    """Return one minus the mean difference of inner products."""
    found = terms["discordance (inner)"]
    return Score(found.ndc, found.discordance_error)


def agri(terms: Mapping[str, Any]) -> Score:
    """Return the same in relation to what chance gives."""
    found = terms["concordance (inner)"]
    return Score(found.aci, found.error)
