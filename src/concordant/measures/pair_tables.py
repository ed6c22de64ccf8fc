"""Families: ways to get the four cardinalities of two partitions."""

from os import PathLike
from typing import Literal, get_args

import numpy as np

from concordant.catalogue.families import FAMILIES, Family
from concordant.comparison import Wanted
from concordant.door import checked
from concordant.execution.progress import Telling
from concordant.measures.comparing import compare_wanted
from concordant.measures.tables.pair_table import PairTable
from concordant.partition.alignment import MatchBy
from concordant.underflow import tiny_is_zero
from concordant.wording import check_choice

TableMethod = Literal["auto", "sampled"]


@checked
@tiny_is_zero
def pair_table(
    P: object,
    Q: object,
    *,
    family: Family | None = None,
    t_norm: str | None = None,
    method: TableMethod = "auto",
    tol: float | None = None,
    n_jobs: int | None = None,
    engine: object = None,
    random_state: int | np.random.Generator | None = None,
    match_by: MatchBy = "position",
    checkpoint: str | PathLike[str] | None = None,
    progress: Telling = None,
) -> PairTable:
    """
    Count the pairs of objects that are together in both, one or none of P and Q.

    Parameters
    ----------
    P, Q : Partition, or anything one can be made from
        Two partitions of the same n objects: labels of length n, or memberships of
        shape (n, K) and (n, L).
    family : str, optional
        The definition of the four cardinalities: ``"crisp"``, ``"campello"``,
        ``"frigui"``, ``"brouwer"``, ``"anderson"`` or ``"huellermeier"``. By default
        ``"crisp"`` if both partitions are, else ``"huellermeier"``. Every family gives
        the crisp table if both partitions are crisp.
    t_norm : {"min", "product", "lukasiewicz"}, optional
        Where the family has a choice: *campello* takes ``"min"`` (default) and
        ``"product"``; *huellermeier* takes ``"product"`` (default), ``"min"`` and
        ``"lukasiewicz"``.
    method : {"auto", "sampled"}, default="auto"
        Whether *campello* and *huellermeier* visit all pairs or as many as `tol`
        requires; ``"auto"`` samples only if `tol` is given.
    tol : float, optional
        The half width that the 95 % confidence intervals of the Rand and the adjusted
        Rand index are to have, if pairs are sampled; 1e-3 for ``method="sampled"`` by
        default. Up to 20 000 objects all pairs are visited unless ``method="sampled"``.
    n_jobs : int, optional
        Number of threads: None for 1 (or what ``joblib.parallel_config`` says), -1 for
        all cores. The result is the same to the last bit.
    engine : dask.distributed.Client or Engine, optional
        Where the work is done instead of on threads of this machine: on the workers of
        a Dask client, which is not closed. The result is the same to the last bit.
    random_state : int, numpy.random.Generator or None, default=None
        Source of the sample.
    match_by : {"position", "id", "common"}, default="position"
        How objects are matched: by position, by ids (a pandas index too), or only
        those whose ids are on both sides.
    checkpoint : str or path, optional
        A file to which the work on all pairs is saved every few seconds and when it is
        interrupted. A call with the same data and settings resumes from there. For a
        sample, `random_state` must be a whole number. What needs no such work, such as
        up to 450 objects or a crisp partition, writes no file.
    progress : callable or bool, optional
        Called as ``progress(done, total, estimate)``, with how many pairs have been
        visited and, for a sample, the adjusted Rand index so far, with its ``error``;
        see `concordance`.

    Returns
    -------
    PairTable
        The cardinalities a, b, c, d, with the statistics as properties.

    Notes
    -----
    *crisp*, *frigui*, *brouwer* and *anderson* take time in proportion to n;
    *campello* and *huellermeier* visit all n (n - 1) / 2 pairs.

    Examples
    --------
    >>> import concordant as cc
    >>> P = [[0.29, 0.71], [0.79, 0.21], [0.41, 0.59], [0.88, 0.12]]
    >>> Q = [[0.94, 0.06], [0.05, 0.95], [0.53, 0.47], [0.89, 0.11]]
    >>> round(cc.pair_table(P, Q).rand, 6)
    0.636667
    >>> round(cc.pair_table(P, Q, family="campello").rand, 6)
    0.471175
    """
    check_choice("family", family, tuple(FAMILIES))
    chosen = family or "huellermeier"
    default = next(iter(FAMILIES[chosen].t_norms), None)
    comparison = compare_wanted(
        P,
        Q,
        Wanted(("rand",), (chosen,), default if t_norm is None else t_norm),
        match_by=match_by,
        keeps=False,
        method=method,
        methods=get_args(TableMethod),
        tol=tol,
        n_jobs=n_jobs,
        engine=engine,
        random_state=random_state,
        checkpoint=checkpoint,
        progress=progress,
    )
    (table,) = comparison.tables.values()
    return table
