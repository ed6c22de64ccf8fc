"""Families: ways to get the four cardinalities of two partitions."""

from collections.abc import Callable
from os import PathLike
from typing import Literal, get_args

import numpy as np

from concordant.catalogue import FAMILIES, Family, TNorm, families_of_kinds, table_name
from concordant.execution.checkpoint import Job, open_job, open_sample
from concordant.execution.engine import Engine, Threads, chosen_engine, leaving_nothing
from concordant.execution.progress import Progress, Watch
from concordant.execution.randomness import generator
from concordant.families.anderson import anderson_table
from concordant.families.brouwer import brouwer_table
from concordant.families.campello import campello_table
from concordant.families.crisp import crisp_table
from concordant.families.frigui import frigui_table
from concordant.families.huellermeier import huellermeier_table
from concordant.families.pair_table import PairTable
from concordant.pairs.sampling import DEFAULT_TOL, check_tol
from concordant.partition.alignment import Align, aligned
from concordant.partition.partition import Partition
from concordant.streams.chunks import one_pass_on_chunks
from concordant.terms.visited_pairs import Sampling
from concordant.wording import check_choice, either

TableMethod = Literal["auto", "exact", "sampled"]


@leaving_nothing
def pair_table(
    P: object,
    Q: object,
    *,
    family: Family | None = None,
    t_norm: TNorm | None = None,
    method: TableMethod = "auto",
    tol: float | None = None,
    n_jobs: int | None = None,
    engine: object = None,
    random_state: int | np.random.Generator | None = None,
    align: Align = "position",
    checkpoint: str | PathLike[str] | None = None,
    progress: Progress | None = None,
) -> PairTable:
    """
    Count the pairs of objects that are together in both, one or none of P and Q.

    Parameters
    ----------
    P, Q : Partition, or what one can be made from
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
    method : {"auto", "exact", "sampled"}, default="auto"
        Whether *campello* and *huellermeier* visit all pairs or as many as `tol` takes;
        ``"auto"`` samples only if `tol` is given.
    tol : float, optional
        The half width of the 95 % confidence intervals of the Rand and the adjusted
        Rand index that a sample is to reach; 1e-3 if ``method="sampled"`` is asked for
        without it.
    n_jobs : int, optional
        How many threads: None for 1 (or what ``joblib.parallel_config`` says), -1 for
        all cores. The result is the same to the last bit.
    engine : dask.distributed.Client or Engine, optional
        Where the work is done instead of on threads of this machine: on the workers of
        a Dask client, which is not closed. The result is the same to the last bit.
    random_state : int, numpy.random.Generator or None, default=None
        Where a sample comes from.
    align : {"position", "index"}, default="position"
        How objects are matched: by position, or by their ids (a pandas index too).
    checkpoint : str or path, optional
        A file in which the work on all pairs is kept every few seconds and when it is
        interrupted. A call with the same data and settings goes on from there.
        A sample needs a whole number as `random_state` for that.
    progress : callable, optional
        Told, as ``progress(done, total, estimate)``, how many pairs are visited, and
        for a sample the adjusted Rand index so far, with its ``error``.

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
    check_choice("method", method, get_args(TableMethod), optional=False)
    check_tol(tol, method)
    rng = generator(random_state)
    runner = chosen_engine(engine, n_jobs)
    check_choice("family", family, get_args(Family))
    if family is not None and tol is None and method != "sampled":
        _check_t_norm(family, t_norm)
        summed = one_pass_on_chunks(runner, P, Q, (family,), align)
        if summed is not None:
            return next(iter(summed.tables.values()))
    p, q = aligned(P, Q, align=align, engine=Threads(n_jobs))
    sampling = None
    if tol is not None or method == "sampled":
        sampling = Sampling(DEFAULT_TOL if tol is None else float(tol), rng)

    def begin(name: str) -> Job:
        if sampling is None:
            return open_job(checkpoint, name, (p, q))
        return open_sample(checkpoint, name, (p, q), random_state)

    return family_table(p, q, family, t_norm, runner, begin, sampling, progress)


def family_table(
    P: Partition,
    Q: Partition,
    family: Family | None,
    t_norm: TNorm | None,
    engine: Engine,
    begin: Callable[[str], Job],
    sampling: Sampling | None = None,
    progress: Progress | None = None,
) -> PairTable:
    """
    Give the table of one family.

    Parameters
    ----------
    P, Q : Partition
        Aligned partitions.
    family : str or None
        The family, None for the default.
    t_norm : str or None
        The t-norm, None for the family's default.
    engine : Engine
        Where pairs are visited.
    begin : callable
        Gives the job that keeps what is done, by the name of the table.
    sampling : Sampling, optional
        How to visit some pairs only.
    progress : callable, optional
        Told how many pairs are visited.

    Returns
    -------
    PairTable
        The crisp table if both partitions are crisp.
    """
    check_choice("family", family, get_args(Family))
    both_crisp = P.kind == Q.kind == "crisp"
    if family is None:
        family = "crisp" if both_crisp else "huellermeier"
    _check_t_norm(family, t_norm)
    if both_crisp:
        return crisp_table(P, Q)
    _check_kinds(P, Q, family)
    watch = Watch(progress, P.n_objects * (P.n_objects - 1) // 2)
    match family:
        case "campello":
            t_norm = t_norm or "min"
            job = begin(table_name(family, t_norm))
            return campello_table(P, Q, t_norm, engine, watch, sampling, job)
        case "frigui":
            return frigui_table(P, Q, engine)
        case "brouwer":
            return brouwer_table(P, Q, engine)
        case "anderson":
            return anderson_table(P, Q, engine)
        case _:
            t_norm = t_norm or "product"
            job = begin(table_name(family, t_norm))
            return huellermeier_table(P, Q, t_norm, engine, watch, sampling, job)


def families_for(P: Partition, Q: Partition) -> tuple[Family, ...]:
    """
    List the families that are defined for two partitions.

    Parameters
    ----------
    P, Q : Partition
        The partitions.

    Returns
    -------
    tuple of str
        In the order of `FAMILIES`.
    """
    return families_of_kinds(P.kind, Q.kind)


def _check_t_norm(family: Family, t_norm: TNorm | None) -> None:
    check_choice("t_norm", t_norm, get_args(TNorm))
    choices = FAMILIES[family].t_norms
    if t_norm is None or t_norm in choices:
        return
    if not choices:
        raise ValueError(f"family {family!r} has no t-norm; leave out t_norm=")
    raise ValueError(
        f"t_norm must be {either(choices)} for family {family!r}, found {t_norm!r}"
    )


def _check_kinds(P: Partition, Q: Partition, family: Family) -> None:
    allowed = families_for(P, Q)
    if family in allowed:
        return
    name, kind = ("P", P.kind) if P.kind != "crisp" else ("Q", Q.kind)
    if family == "crisp":
        raise ValueError(
            f'family="crisp" needs crisp partitions, but {name} is {kind}; '
            ".harden() takes each object's largest membership"
        )
    name = "P" if P.kind == "possibilistic" else "Q"
    raise ValueError(
        f"family {family!r} is not defined for possibilistic partitions, and {name} is "
        f"one; use {either(allowed)}"
    )
