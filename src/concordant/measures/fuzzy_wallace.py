"""Fuzzy Wallace indices: agreement on pairs that one partition holds together."""

from collections.abc import Mapping
from typing import Any

from concordant.measures.comparing import compare
from concordant.measures.scores import Score
from concordant.partition.alignment import Align


def wallace_homogeneity(
    P: object,
    Q: object,
    *,
    n_jobs: int | None = None,
    engine: object = None,
    align: Align = "position",
) -> float:
    """
    Return how far both partitions agree on pairs that Q holds together.

    The mean of ``1 - |E_P - E_Q|`` over pairs, weighted by ``v_i . v_j``.

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
        From 0 to 1; higher is better. For crisp partitions it is the share of the
        pairs within a cluster of Q that are within a cluster of P (Wallace). It is 1
        where Q holds no pair together.

    Examples
    --------
    >>> import concordant as cc
    >>> cc.wallace_homogeneity([0, 0, 1, 1], [0, 0, 1, 2])
    1.0
    >>> cc.wallace_completeness([0, 0, 1, 1], [0, 0, 1, 2])
    0.5
    """
    name = "wallace_homogeneity"
    return compare(P, Q, indices=[name], n_jobs=n_jobs, engine=engine, align=align)[
        name
    ]


def wallace_completeness(
    P: object,
    Q: object,
    *,
    n_jobs: int | None = None,
    engine: object = None,
    align: Align = "position",
) -> float:
    """
    Return how far both partitions agree on pairs that P holds together.

    The mean of ``1 - |E_P - E_Q|`` over pairs, weighted by ``u_i . u_j``: the
    `wallace_homogeneity` of Q and P.

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
        From 0 to 1; higher is better. It is 1 where P holds no pair together.

    Examples
    --------
    >>> import concordant as cc
    >>> P = [[0.9, 0.1], [0.8, 0.2], [0.2, 0.8], [0.3, 0.7]]
    >>> round(cc.wallace_completeness(P, [0, 0, 1, 1]), 6)
    0.748872
    """
    name = "wallace_completeness"
    return compare(P, Q, indices=[name], n_jobs=n_jobs, engine=engine, align=align)[
        name
    ]


def homogeneity(terms: Mapping[str, Any]) -> Score:
    """Return the agreement on pairs that Q holds together."""
    sums = terms["wallace"]
    return Score(sums.b / sums.d if sums.d > 0.0 else 1.0, None)


def completeness(terms: Mapping[str, Any]) -> Score:
    """Return the agreement on pairs that P holds together."""
    sums = terms["wallace"]
    return Score(sums.a / sums.c if sums.c > 0.0 else 1.0, None)
