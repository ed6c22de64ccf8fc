"""Everything about two partitions, or what is named of it."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any, Literal

import numpy as np

from concordant.catalogue import (
    INDICES,
    NULLS,
    OF_PAIRS,
    STATISTICS,
    Similarity,
    loaded,
)
from concordant.comparison import Comparison, Wanted, compared
from concordant.errors import Argument, Data, InputError, Setting, Wordings, listed
from concordant.execution.progress import Progress
from concordant.execution.run import Run
from concordant.gather import gather, null_of
from concordant.influence.interval import check_null, check_objects, check_permuted
from concordant.influence.leave_one_out import group_codes
from concordant.measures.asked_run import asked_run
from concordant.measures.pair_tables import pair_table
from concordant.partition.alignment import Align, aligned
from concordant.partition.partition import Partition
from concordant.streams.dask_arrays import on_chunks
from concordant.ways import Method, check_kinds, takes_long
from concordant.wording import check_choice, several


def compare(
    P: object,
    Q: object,
    *,
    indices: Sequence[str] | Literal["all"] | None = None,
    families: Sequence[str] | None = None,
    t_norm: str | None = None,
    interval: float | None = None,
    groups: object = None,
    test: bool = False,
    method: Method = "auto",
    tol: float | None = None,
    similarity: Similarity = "l1",
    null: str = "permutations",
    n_permutations: int = 1000,
    n_jobs: int | None = None,
    engine: object = None,
    random_state: int | np.random.Generator | None = None,
    align: Align = "position",
    checkpoint: str | PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """
    Compare two partitions by the usual indices, or by those that are named.

    Parameters
    ----------
    P, Q : Partition, or anything one can be made from
        Two partitions of the same n objects: labels of length n, or memberships of
        shape (n, K) and (n, L).
    indices : sequence of str or "all", optional
        Names that `concordant.indices` lists: of indices, as ``"aci"``, and of
        statistics of pair tables, as ``"rand"``. By default ACI, NDC, its expectation,
        NMI and all statistics; with ``"all"`` every index that is defined for P and Q.
    families : sequence of str, optional
        The families of which tables are made for the statistics, see `pair_table`; by
        default all that are defined for P and Q, except those that would take more than
        about half a minute to visit all pairs (``left_out`` names them).
    t_norm : {"min", "product", "lukasiewicz"}, optional
        Only the tables with this t-norm.
    interval : float, optional
        The level of confidence intervals for ACI and NDC, such as 0.95, which treat the
        objects as a sample; see `concordant.inference.confidence_interval`. For two
        fuzzy partitions they take two more passes over the pairs, which are not saved
        in a checkpoint. None by default.
    groups : array of n labels, or True, optional
        The group of each object, if groups rather than objects are the sample; see
        `confidence_interval`.
    test : bool, default=False
        Whether ACI is tested against chance by 9999 permutations of the objects, or all
        of them if they are fewer; see `concordant.inference.concordance_test`.
    method : str, default="auto"
        How to compute NDC and ACI; see `concordance`. ``"sampled"``, and ``"auto"``
        with `tol`, also estimate tables from a sample of pairs, unless visiting all
        pairs is quicker for NDC and ACI; methods that are specific to NDC and ACI leave
        tables exact.
    tol : float, optional
        The half width that 95 % confidence intervals from samples are to have; see
        `concordance`.
    similarity : {"l1", "inner"}, default="l1"
        The similarity of a pair on which NDC and ACI are based; see `concordance`.
    null : str, default="permutations"
        The model of chance that E[d] is taken from; see `concordance`.
    n_permutations : int, default=1000
        How many random permutations, for ``method="permutations"``.
    n_jobs : int, optional
        Number of threads; see `concordance`.
    engine : dask.distributed.Client, optional
        Where to run the work instead; see `concordance`.
    random_state : int, numpy.random.Generator or None, default=None
        Source of the samples.
    align : {"position", "index", "common"}, default="position"
        How objects are matched: by position, by ids (a pandas index too), or only
        those whose ids are on both sides.
    checkpoint : str or path, optional
        A file that keeps the work on all pairs, see `concordance`.
    progress : callable, optional
        Called as ``progress(done, total, estimate)`` while each part is computed.

    Returns
    -------
    Comparison
        It prints as a table, also in a notebook. ``comparison.aci`` is a value, as is
        ``comparison["aci"]``; ``dict(comparison)`` has all of them.

    Examples
    --------
    >>> import concordant as cc
    >>> P = [[0.9, 0.1], [0.8, 0.2], [0.2, 0.8], [0.3, 0.7]]
    >>> comparison = cc.compare(P, [0, 0, 1, 1])
    >>> round(comparison.aci, 6)
    0.425532
    >>> round(comparison["campello/min/adjusted_rand"], 6)
    0.470588
    >>> comparison = cc.compare(P, [0, 0, 1, 1], indices=["ndc"])
    >>> {name: round(score.value, 6) for name, score in comparison.scores.items()}
    {'ndc': 0.7}
    >>> cc.compare(P, [0, 0, 1, 1], indices=["ndc"], interval=0.9).intervals["ndc"]
    ConfidenceInterval(ndc 0.7000, 0.9: 0.5281 to 0.8093, jackknife)
    >>> round(cc.compare(P, [0, 0, 1, 1], test=True).pvalue, 6)
    0.333333
    """
    every = isinstance(indices, str) and indices == "all"
    wanted = Wanted(
        None if every else several("indices", indices, ' or "all"'),
        several("families", families),
        t_norm,
        interval,
        test,
        tuple(INDICES) if every else (),
    )
    return compare_wanted(
        P,
        Q,
        wanted,
        groups=groups,
        align=align,
        method=method,
        tol=tol,
        similarity=similarity,
        null=null,
        n_permutations=n_permutations,
        n_jobs=n_jobs,
        engine=engine,
        random_state=random_state,
        checkpoint=checkpoint,
        progress=progress,
    )


def compare_wanted(
    P: object,
    Q: object,
    wanted: Wanted,
    *,
    align: Align,
    groups: object = None,
    engine: object = None,
    n_jobs: int | None = None,
    **how: Any,
) -> Comparison:
    """Compute what is wanted of two partitions, as the keywords of `compare` say."""
    names = wanted.all_indices
    run = asked_run(indices=names, engine=engine, n_jobs=n_jobs, **how)
    if wanted.interval is not None:
        _check_all_pairs(run)
        check_null(null_of(run))
    if wanted.test and not NULLS[null_of(run)].permutes:
        check_permuted(null_of(run), "the test of a comparison")
    if groups is not None and groups is not False:
        _check_grouped(wanted)
    summed = on_chunks(run, P, Q, wanted, align)
    terms: dict[str, Any] = {}
    left_out: tuple[str, ...] = ()
    if summed is not None:
        wanted, left_out, terms = summed.wanted, summed.left_out, summed.terms
        if summed.data is None:
            comparison = compared(
                summed.kinds,
                summed.n_clusters,
                summed.n_objects,
                wanted,
                terms,
                left_out=left_out,
            )
            return _remembering(comparison, run)
        P, Q = summed.data
    p, q = aligned(P, Q, align=align)
    if wanted.interval is not None:
        run = replace(run, groups=group_codes(groups, "groups", p, q, align))
        check_objects(p, q, "a confidence interval", run.groups)
    if wanted.test:
        check_kinds(p, q)
    check_defined(wanted.indices or (), p, q)
    for partition in (p, q):
        partition._own()  # they are kept
    if wanted.families is None and not run.samples and takes_long(p, q):
        wanted, left_out = wanted.without_pair_tables(p.kind, q.kind)
    rest = [name for name in wanted.terms_for(p.kind, q.kind) if name not in terms]
    comparison = compared(
        (p.kind, q.kind),
        (p.n_clusters, q.n_clusters),
        p.n_objects,
        wanted,
        {**gather(p, q, rest, run), **terms},
        (p, q),
        left_out,
    )
    comparison = _remembering(comparison, run)
    if not wanted.test:
        return comparison
    from concordant.inference.permutation_test import concordance_test

    test = concordance_test(
        p,
        q,
        index=wanted.with_interval[0],
        similarity=how.get("similarity", "l1"),
        n_jobs=n_jobs,
        random_state=how.get("random_state"),
        progress=how.get("progress"),
    )
    return replace(comparison, test=test)


def check_defined(
    names: Sequence[str], P: Partition, Q: Partition, argument: str = "indices"
) -> None:
    """Refuse an index that is asked for by name and not defined for a kind."""
    records = [INDICES[name] for name in names if name in INDICES]
    if any(OF_PAIRS & {*record.terms} for record in records):
        check_kinds(P, Q)
    for record in records:
        for name, partition in (("P", P), ("Q", Q)):
            if partition.kind not in record.kinds:
                raise InputError(
                    Setting(argument, record.name),
                    f" is not defined for {partition.kind} partitions, and ",
                    Data(name),
                    f" is one; it is for {listed([*record.kinds])} ones",
                )


def _check_grouped(wanted: Wanted) -> None:
    """Refuse groups where there is no interval, or a test that leaves them aside."""
    if wanted.test:
        raise InputError(
            Argument("groups"),
            " are for ",
            Argument("interval"),
            ", and the test of a comparison permutes single objects; leave out ",
            Argument("test"),
            " and use ",
            Wordings("concordance_test", "concordant test"),
            ", which takes groups and strata",
        )
    if wanted.interval is None:
        raise InputError(
            Argument("groups"),
            " are for confidence intervals, and none is asked for; add ",
            Wordings("interval=0.95", "--interval"),
        )


def _remembering(comparison: Comparison, run: Run) -> Comparison:
    """Let a comparison tell what value of pairs and model of chance it is about."""
    return replace(comparison, similarity=run.similarity, null=null_of(run))


def _check_all_pairs(run: Run) -> None:
    """Refuse an interval around what is estimated from some pairs or permutations."""
    if not run.samples and run.method != "permutations":
        return
    left_out = Setting("method", run.method) if run.tol is None else Argument("tol")
    raise InputError(
        Argument("interval"),
        " is for indices of all pairs of objects; leave out ",
        left_out,
        " or the interval",
    )


def named_index(name: str) -> Callable[[Partition, Partition], float]:
    """Give the function of an index, or of a statistic of the default family."""
    check_choice("index", name, (*INDICES, *STATISTICS), optional=False)

    def of_index(P: Partition, Q: Partition) -> float:
        return compare(P, Q, indices=[name])[name]

    def of_statistic(P: Partition, Q: Partition) -> float:
        return float(loaded(STATISTICS[name].formula)(pair_table(P, Q)))

    function = of_index if name in INDICES else of_statistic
    function.__name__ = name
    return function
