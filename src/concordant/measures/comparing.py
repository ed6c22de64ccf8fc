"""Everything about two partitions, or what is named of it."""

from collections.abc import Sequence
from dataclasses import replace
from os import PathLike
from typing import Any

import numpy as np

from concordant.catalogue.families import FAMILIES, FamilyRecord
from concordant.catalogue.indices import INDICES, IndexRecord
from concordant.catalogue.lookups import families_of_kinds, loaded
from concordant.catalogue.nulls import NULLS
from concordant.catalogue.terms import OF_PAIRS, Term
from concordant.catalogue.values import Similarity
from concordant.comparison import Comparison, Wanted, compared
from concordant.compute import check_kinds, gather, null_of, takes_long
from concordant.door import checked
from concordant.errors import (
    Argument,
    Data,
    InputError,
    Message,
    Setting,
    Wordings,
    listed,
)
from concordant.execution.progress import Telling
from concordant.execution.run import Run
from concordant.inference.interval import check_null, check_objects
from concordant.inference.leave_one_out import group_codes
from concordant.measures.asked_run import asked_run
from concordant.partition.alignment import MatchBy, aligned
from concordant.partition.partition import Partition
from concordant.partition.reading import name_of_data
from concordant.printing import printed
from concordant.streams.dask_arrays import on_chunks
from concordant.underflow import tiny_is_zero
from concordant.wording import check_two_texts, several

_PERMUTATIONS = 9999  # of a test, if no number is told


@checked
@tiny_is_zero
def compare(
    P: object,
    Q: object,
    *,
    indices: str | Sequence[str] | None = None,
    families: str | Sequence[str] | None = None,
    t_norm: str | None = None,
    interval: float | bool | None = None,
    groups: object = None,
    test: bool | int = False,
    tol: float | None = None,
    similarity: Similarity = "l1",
    null: str = "permutations",
    n_jobs: int | None = None,
    engine: object = None,
    random_state: int | np.random.Generator | None = None,
    match_by: MatchBy = "position",
    names: Sequence[str] | None = None,
    checkpoint: str | PathLike[str] | None = None,
    progress: Telling = None,
) -> Comparison:
    """
    Say how far two partitions agree: by ACI, or by the indices that are named.

    ACI, NDC and its expectation are computed. Tables of families of fuzzy Rand indices
    are added by ``families="all"``, or by names, and other indices by
    ``indices="all"``, or by names.

    Parameters
    ----------
    P, Q : Partition, or anything one can be made from
        Two partitions of the same n objects: labels of length n, or memberships of
        shape (n, K) and (n, L).
    indices : str or sequence of str, optional
        Names that `concordant.indices` lists: of indices, as ``"aci"``, and of
        statistics of pair tables, as ``"rand"``. By default ACI, NDC and its
        expectation; with ``"all"`` every index that is defined for P and Q.
    families : sequence of str or "all", optional
        The families of which there are tables, see `pair_table`, with the statistics
        that `indices` names, or else with all. ``"all"``, which is what statistics that
        are named take by default, are those that are defined for P and Q, except those
        that would take more than about half a minute to visit all pairs (``left_out``
        names them). By default there are tables of two crisp partitions alone, which
        cost nothing and are not printed.
    t_norm : {"min", "product", "lukasiewicz"}, optional
        Only the tables with this t-norm.
    interval : float or bool, optional
        The level of confidence intervals for ACI and NDC, True for 0.95, which treat
        the objects as a sample; see `concordant.inference.confidence_interval`. For two
        fuzzy partitions they take two more passes over the pairs, which are not saved
        in a checkpoint. None by default.
    groups : array of n labels, or True, optional
        The group of each object, if groups rather than objects are the sample; see
        `confidence_interval`.
    test : bool or int, default=False
        Whether ACI is tested against chance, by this number of permutations of the
        objects, from 99 up; True for 9999, or all of them if they are fewer; see
        `concordant.inference.concordance_test`.
    tol : float, optional
        The half width that 95 % confidence intervals from samples are to have: NDC, ACI
        and tables are estimated from a sample of pairs, unless visiting all pairs is
        quicker; see `concordance`.
    similarity : {"l1", "inner"}, default="l1"
        The similarity of a pair on which NDC and ACI are based; see `concordance`.
    null : str, default="permutations"
        The model of chance that E[d] is taken from; see `concordance`.
    n_jobs : int, optional
        Number of threads; see `concordance`.
    engine : dask.distributed.Client, optional
        Where to run the work instead; see `concordance`.
    random_state : int, numpy.random.Generator or None, default=None
        Source of the samples.
    match_by : {"position", "id", "common"}, default="position"
        How objects are matched: by position, by ids (a pandas index too), or only
        those whose ids are on both sides.
    names : sequence of two str, optional
        What P and Q are called where the comparison is shown; by default what the data
        are called (the name of a series, the class of an estimator, a file), or P and
        Q.
    checkpoint : str or path, optional
        A file that keeps the work on all pairs, see `concordance`.
    progress : callable or bool, optional
        Called as ``progress(done, total, estimate)`` while each part is computed; see
        `concordance`.

    Returns
    -------
    Comparison
        It prints in a few lines, also in a notebook. ``comparison.aci`` is a value, as
        is ``comparison["aci"]``; ``dict(comparison)`` has all of them.

    Examples
    --------
    >>> import concordant as cc
    >>> P = [[0.9, 0.1], [0.8, 0.2], [0.2, 0.8], [0.3, 0.7]]
    >>> comparison = cc.compare(P, [0, 0, 1, 1])
    >>> round(comparison.aci, 6)
    0.425532
    >>> comparison = cc.compare(P, [0, 0, 1, 1], families=["campello"])
    >>> round(comparison["campello/min/adjusted_rand"], 6)
    0.470588
    >>> comparison = cc.compare(P, [0, 0, 1, 1], indices=["ndc"])
    >>> {name: round(score.value, 6) for name, score in comparison.scores.items()}
    {'ndc': 0.7}
    >>> cc.compare(P, [0, 0, 1, 1], indices=["ndc"], interval=0.9).intervals["ndc"]
    ConfidenceInterval(ndc 0.7000, 0.9: 0.5641 to 0.8359)
    >>> round(cc.compare(P, [0, 0, 1, 1], test=True).pvalue, 6)
    0.333333
    """
    every = isinstance(indices, str) and indices.lower() == "all"
    all_families = isinstance(families, str) and families.lower() == "all"
    wanted = Wanted(
        None if every else several("indices", indices, ' or "all"'),
        "all" if all_families else several("families", families, ' or "all"'),
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
        match_by=match_by,
        names=names,
        tol=tol,
        similarity=similarity,
        null=null,
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
    match_by: MatchBy,
    names: Sequence[str] | None = None,
    groups: object = None,
    engine: object = None,
    n_jobs: int | None = None,
    argument: str = "indices",
    keeps: bool = True,
    **how: Any,
) -> Comparison:
    """
    Compute what is wanted of two partitions, as the keywords of `compare` say.

    The argument is that which names the indices. If the caller `keeps` the comparison,
    its partitions are independent of the data.
    """
    called = names_of(names, P, Q)
    asked = wanted.all_indices
    how["options"] = wanted.settling("terms")
    run = asked_run(indices=asked, engine=engine, n_jobs=n_jobs, **how)
    if wanted.interval is not None:
        _check_all_pairs(run)
        check_null(null_of(run))
    if wanted.test and not NULLS[null_of(run)].permutes:
        raise InputError(
            Argument("null"),
            " must be permutations for the test of a comparison, which permutes "
            f"objects, found {null_of(run)!r}",
        )
    if groups is not None and groups is not False:
        _check_grouped(wanted)
    setting: dict[str, Any]
    setting = {"similarity": run.similarity, "null": null_of(run), "names": called}
    summed = on_chunks(run, P, Q, wanted, match_by)
    terms: dict[Term, Any] = {}
    left_out: tuple[str, ...] = ()
    if summed is not None:
        wanted, left_out, terms = summed.wanted, summed.left_out, summed.terms
        if summed.data is None:
            setting["left_out"] = left_out
            sizes = summed.n_clusters, summed.n_objects
            return compared(summed.kinds, *sizes, wanted, terms, **setting)
        P, Q = summed.data
    p, q = aligned(P, Q, match_by=match_by)
    if wanted.interval is not None:
        run = replace(run, groups=group_codes(groups, "groups", p, q, match_by))
        check_objects(p, q, "a confidence interval", run.groups)
    if wanted.test:
        check_kinds(p, q)
    check_defined(wanted.indices or (), p, q, argument)
    for partition in (p, q) if keeps else ():
        partition._own()
    refused = _refused(wanted, p, q)
    if not (wanted.names_families or run.samples) and takes_long(p, q):
        wanted, left_out = wanted.without_pair_tables(p.kind, q.kind)
    if refused:
        wanted, undefined = wanted.without(refused, p.kind, q.kind)
        left_out += undefined
    rest = [term for term in wanted.terms_for(p.kind, q.kind) if term not in terms]
    comparison = compared(
        (p.kind, q.kind),
        (p.n_clusters, q.n_clusters),
        p.n_objects,
        wanted,
        {**gather(p, q, rest, run), **terms},
        (p, q),
        left_out,
        refused=refused,
        **setting,
    )
    if not wanted.test:
        return comparison
    from concordant.inference.permutation_test import concordance_test

    test = concordance_test(
        p,
        q,
        index=wanted.with_interval[0],
        n_permutations=_PERMUTATIONS if wanted.test is True else wanted.test,
        similarity=how.get("similarity", "l1"),
        n_jobs=n_jobs,
        random_state=how.get("random_state"),
        progress=how.get("progress"),
    )
    return replace(comparison, test=test)


def check_defined(
    names: Sequence[str], P: Partition, Q: Partition, argument: str = "indices"
) -> None:
    """
    Refuse an index that is asked for by name and not defined for a kind.

    Without an argument that names it, the index has its title.
    """
    records = [INDICES[name] for name in names if name in INDICES]
    if any(OF_PAIRS & {*record.terms} for record in records):
        check_kinds(P, Q)
    for record in records:
        for name, partition in (("P", P), ("Q", Q)):
            if partition.kind not in record.kinds:
                raise InputError(
                    Setting(argument, record.name) if argument else record.title,
                    f" is not defined for {partition.kind} partitions, and ",
                    Data(name),
                    f" is one; it is for {listed([*record.kinds])} ones",
                )


def _refused(wanted: Wanted, P: Partition, Q: Partition) -> dict[str, Message]:
    """Say why what nobody asked for by name is not defined for two partitions."""
    kinds = P.kind, Q.kind
    records: list[IndexRecord | FamilyRecord] = []
    if wanted.indices is None:
        records += [INDICES[name] for name in wanted.indices_for(*kinds)]
    if wanted.statistics and not wanted.names_families:
        records += [FAMILIES[name] for name in families_of_kinds(*kinds)]
    found = {}
    for record in records:
        if record.check:
            try:
                loaded(record.check)(P, Q)
            except InputError as error:
                found[record.name] = error.message
    return found


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


def names_of(names: Sequence[str] | None, P: object, Q: object) -> tuple[str, str]:
    """Return what partitions are called: as the caller or the data say, or P and Q."""
    if names is None:
        own = name_of_data(P) or "P", name_of_data(Q) or "Q"
        return own if own[0] != own[1] else ("P", "Q")
    check_two_texts("names", names)
    return printed(names[0]), printed(names[1])


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
