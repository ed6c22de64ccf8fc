"""NDC, its expectation and ACI, computed by the algorithm that suits."""

import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from typing import Literal, get_args

import numpy as np

from concordant.agreement.binned_pairs import binned_pairs
from concordant.agreement.crisp_crisp import crisp_crisp
from concordant.agreement.fuzzy_crisp import fuzzy_crisp
from concordant.agreement.plan import (
    DEFAULT_BUDGET,
    Algorithm,
    both_have_two_clusters,
    choose,
    fits,
    is_precise,
    takes_long,
    visit_pairs,
)
from concordant.agreement.result import Concordance, assemble
from concordant.agreement.sampled_pairs import sampled_pairs
from concordant.agreement.sorted_pairs import bytes_to_sort, sorted_pairs
from concordant.agreement.two_clusters import two_clusters
from concordant.execution.checkpoint import open_job, open_sample
from concordant.execution.engine import Engine, Threads, chosen_engine, leaving_nothing
from concordant.execution.progress import Progress, Watch, visible
from concordant.execution.randomness import generator
from concordant.nulls.permutations import permutations
from concordant.pairs.sampling import DEFAULT_TOL, check_tol
from concordant.partition.alignment import Align, aligned
from concordant.partition.partition import Partition
from concordant.streams.chunks import one_pass_on_chunks
from concordant.wording import check_choice

Method = Literal[
    "auto",
    "exact",
    "sampled",
    "permutations",
    "crisp",
    "fuzzy-crisp",
    "two-clusters",
    "sorted",
    "binned",
]

_HINT = (
    "visiting all {pairs:.1e} pairs; an estimate with its error takes a fraction of "
    "the time: tol=1e-3"
)


@leaving_nothing
def concordance(
    P: object,
    Q: object,
    *,
    method: Method = "auto",
    tol: float | None = None,
    n_jobs: int | None = None,
    engine: object = None,
    random_state: int | np.random.Generator | None = None,
    n_permutations: int = 1000,
    memory_budget: int | None = None,
    clip: bool = False,
    align: Align = "position",
    checkpoint: str | PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Concordance:
    """
    Measure how far two partitions agree, with what chance would give.

    d is the mean over all pairs of ``|E_P - E_Q|``, NDC = 1 - d and
    ACI = 1 - d / E[d], where E[d] is the mean of d over all permutations of the
    objects.

    Parameters
    ----------
    P, Q : Partition, or what one can be made from
        Two partitions of the same n objects, crisp or fuzzy: labels of length n, or
        memberships of shape (n, K) and (n, L).
    method : str, default="auto"
        ``"auto"`` and ``"exact"`` compute all three exactly, up to an error that the
        result states, by the algorithm that suits; ``"auto"`` samples if `tol` is
        given and all pairs would have to be visited. ``"sampled"`` estimates them from
        as many pairs as `tol` takes. ``"permutations"`` averages E[d] over
        permutations of the similarities, as the paper does: all m! of them for m <= 8
        pairs, `n_permutations` random ones beyond. An algorithm can also be forced by
        its name: ``"crisp"``, ``"fuzzy-crisp"``, ``"two-clusters"``, ``"sorted"``,
        ``"binned"``.
    tol : float, optional
        The half width of the 95 % confidence interval of ACI that a sample is to
        reach; 1e-3 if ``method="sampled"`` is asked for without it.
    n_jobs : int, optional
        How many threads: None for 1 (or what ``joblib.parallel_config`` says), -1 for
        all cores. The result is the same to the last bit.
    engine : dask.distributed.Client or Engine, optional
        Where the work is done instead of on threads of this machine: on the workers of
        a Dask client, which is not closed. The result is the same to the last bit.
    random_state : int, numpy.random.Generator or None, default=None
        Where samples and permutations come from.
    n_permutations : int, default=1000
        How many random permutations.
    memory_budget : int, optional
        Bytes that sorting dissimilarities may take; 64 MiB by default, beyond which
        they are counted in bins. If ``method="sorted"`` is forced, no limit by default.
    clip : bool, default=False
        Whether a negative ACI is set to 0, as the paper allows.
    align : {"position", "index"}, default="position"
        How objects are matched: by position, or by their ids.
    checkpoint : str or path, optional
        A file in which the work on all pairs is kept every few seconds and when it is
        interrupted. A call with the same data and settings goes on from there.
        A sample needs a whole number as `random_state` for that.
    progress : callable, optional
        Told, as ``progress(done, total, estimate)``, how many pairs are visited and
        what ACI is so far, for a sample with its ``error``. By default work of more
        than about half a minute draws a bar, if standard error is a terminal.

    Returns
    -------
    Concordance
        With the numbers, their errors, and the method that was used.

    Raises
    ------
    ValueError
        If a partition is possibilistic: E is defined for rows that sum to 1.

    Notes
    -----
    With fewer than two objects there is no pair to disagree on, and NDC and ACI are 1.
    If one partition says the same of every pair (one cluster, all singletons, equal
    rows), ACI is 0, as nothing but chance could make the other agree with it; if both
    do and their similarities are equal, it is 1.

    Two crisp partitions take O(n), a fuzzy and a crisp one O(n K log n), two fuzzy
    ones into two clusters O(n log n), all others O(n² (K + L)) time; memory is
    O(n (K + L)).

    References
    ----------
    Amodio, D'Ambrosio, Iorio, Siciliano (2015), section 4.

    Examples
    --------
    The fuzzy example of the paper:

    >>> import concordant as cc
    >>> P = [[0.29, 0.71], [0.79, 0.21], [0.41, 0.59], [0.88, 0.12]]
    >>> Q = [[0.94, 0.06], [0.05, 0.95], [0.53, 0.47], [0.89, 0.11]]
    >>> result = cc.concordance(P, Q)
    >>> round(result.ndc, 6), round(result.expected, 6), round(result.aci, 6)
    (0.636667, 0.697222, -0.2)
    """
    check_choice("method", method, get_args(Method), optional=False)
    check_tol(tol, method)
    _check_count("n_permutations", n_permutations)
    if memory_budget is not None:
        _check_count("memory_budget", memory_budget)
    rng = generator(random_state)
    runner = chosen_engine(engine, n_jobs)
    summed = None
    if method in ("auto", "exact") and tol is None:
        summed = one_pass_on_chunks(runner, P, Q, (), align)
    if summed is not None and summed.concordance is not None:
        return _clipped(summed.concordance, clip)
    p, q = aligned(P, Q, align=align, engine=Threads(n_jobs))
    _check_kinds(p, q)
    if p.n_objects < 2:
        result = assemble(0.0, 0.0, n_objects=p.n_objects, method="no pairs")
    elif method == "permutations":
        result = permutations(p, q, n_permutations=n_permutations, rng=rng)
    else:
        algorithm = _algorithm(p, q, method, tol, memory_budget)
        with _watched(p, q, algorithm, progress) as watch:
            if algorithm == "sampled":
                result = sampled_pairs(
                    p,
                    q,
                    tol=DEFAULT_TOL if tol is None else float(tol),
                    rng=rng,
                    engine=runner,
                    watch=watch,
                    job=open_sample(checkpoint, "concordance", (p, q), random_state),
                )
            else:
                result = _run(
                    p, q, algorithm, method, runner, watch, checkpoint, memory_budget
                )
    return _clipped(result, clip)


def _clipped(result: Concordance, clip: bool) -> Concordance:
    return dataclasses.replace(result, aci=0.0) if clip and result.aci < 0.0 else result


def _check_count(name: str, value: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name} must be an integer, found {value!r}")
    if value < 1:
        raise ValueError(f"{name} must be at least 1, found {value}")


def _check_kinds(P: Partition, Q: Partition) -> None:
    for name, partition in (("P", P), ("Q", Q)):
        if partition.kind == "possibilistic":
            raise ValueError(
                f"the concordance is not defined for possibilistic partitions, and "
                f'{name} is one; use pair_table with family="anderson", "brouwer" or '
                '"campello"'
            )


def _algorithm(
    P: Partition,
    Q: Partition,
    method: Method,
    tol: float | None,
    memory_budget: int | None,
) -> Algorithm | Literal["sampled"]:
    """Turn what the caller asked for into the name of an algorithm that can do it."""
    if method in ("auto", "exact"):
        budget = DEFAULT_BUDGET if memory_budget is None else memory_budget
        algorithm = choose(P, Q, budget)
        if tol is not None and algorithm in ("sorted", "binned"):
            return "sampled"
        return algorithm
    if method == "sampled":
        return "sampled"
    kinds = sorted((P.kind, Q.kind))
    needs = {
        "crisp": (kinds == ["crisp", "crisp"], "two crisp partitions"),
        "fuzzy-crisp": (kinds == ["crisp", "fuzzy"], "a fuzzy and a crisp partition"),
        "two-clusters": (
            both_have_two_clusters(P, Q),
            "two fuzzy partitions into two clusters each",
        ),
    }
    met, what = needs.get(method, (True, ""))
    if not met:
        raise ValueError(f'method={method!r} needs {what}; method="auto" chooses')
    if method == "sorted" and memory_budget is not None and not fits(P, memory_budget):
        raise ValueError(
            f'method="sorted" takes {bytes_to_sort(P.n_objects)} bytes for '
            f"{P.n_objects} objects, more than memory_budget={memory_budget}; "
            'method="binned" takes less'
        )
    return method  # type: ignore[return-value]


@contextmanager
def _watched(
    P: Partition, Q: Partition, algorithm: str, progress: Progress | None
) -> Iterator[Watch]:
    m = P.n_objects * (P.n_objects - 1) // 2
    long = algorithm in ("binned", "sampled") and takes_long(P, Q)
    hint = _HINT.format(pairs=m) if algorithm == "binned" else ""
    with visible(progress, long=long, hint=hint) as tell:
        yield Watch(tell, m)


def _run(
    P: Partition,
    Q: Partition,
    algorithm: Algorithm,
    method: Method,
    engine: Engine,
    watch: Watch,
    checkpoint: str | PathLike[str] | None,
    memory_budget: int | None,
) -> Concordance:
    budget = DEFAULT_BUDGET if memory_budget is None else memory_budget
    match algorithm:
        case "crisp":
            return crisp_crisp(P, Q)
        case "fuzzy-crisp" if Q.kind == "crisp":
            result = fuzzy_crisp(P, Q, engine)
        case "fuzzy-crisp":
            result = fuzzy_crisp(Q, P, engine)
        case "two-clusters":
            result = two_clusters(P, Q, engine)
    if algorithm in ("fuzzy-crisp", "two-clusters"):
        if method == algorithm or is_precise(result, P, budget):
            return result
        algorithm = visit_pairs(P, budget)
    if algorithm == "sorted":
        return sorted_pairs(P, Q)
    job = open_job(checkpoint, "concordance", (P, Q))
    return binned_pairs(P, Q, engine, watch, job)


def normalized_degree_of_concordance(
    P: object,
    Q: object,
    *,
    n_jobs: int | None = None,
    engine: object = None,
    align: Align = "position",
) -> float:
    """
    Give the mean agreement of two partitions on their pairs of objects.

    ``NDC = 1 - mean over i < j of |E_P(i, j) - E_Q(i, j)|``, with
    ``E(i, j) = 1 - |u_i - u_j| / 2`` in the L1 norm.

    Parameters
    ----------
    P, Q : Partition, or what one can be made from
        Two partitions of the same n objects, crisp or fuzzy.
    n_jobs : int, optional
        How many threads, see `concordance`.
    engine : dask.distributed.Client, optional
        Where the work is done instead, see `concordance`.
    align : {"position", "index"}, default="position"
        How objects are matched: by position, or by their ids.

    Returns
    -------
    float
        From 0 to 1; higher is better. It is 1 if and only if every pair is exactly as
        similar in P as in Q, and for crisp partitions it is the Rand index.

    References
    ----------
    Hüllermeier, Rifqi, Henzgen, Senge (2012), IEEE Transactions on Fuzzy Systems 20(3).

    Examples
    --------
    >>> import concordant as cc
    >>> cc.normalized_degree_of_concordance([0, 0, 1, 0], [0, 1, 1, 0])
    0.5
    """
    return concordance(P, Q, n_jobs=n_jobs, engine=engine, align=align).ndc


def adjusted_concordance_index(
    P: object,
    Q: object,
    *,
    clip: bool = False,
    n_jobs: int | None = None,
    engine: object = None,
    align: Align = "position",
) -> float:
    """
    Give the agreement of two partitions, corrected for chance.

    ACI = (NDC - E[NDC]) / (1 - E[NDC]), with the exact expectation over all
    permutations of the objects.

    Parameters
    ----------
    P, Q : Partition, or what one can be made from
        Two partitions of the same n objects, crisp or fuzzy.
    clip : bool, default=False
        Whether a negative value is set to 0, as the paper allows.
    n_jobs : int, optional
        How many threads, see `concordance`.
    engine : dask.distributed.Client, optional
        Where the work is done instead, see `concordance`.
    align : {"position", "index"}, default="position"
        How objects are matched: by position, or by their ids.

    Returns
    -------
    float
        At most 1; higher is better. It is 1 if every pair is exactly as similar in P
        as in Q, 0 on average for unrelated partitions if the objects of one are
        exchangeable, and for crisp partitions it is the adjusted Rand index of Hubert
        and Arabie.

    References
    ----------
    Amodio, D'Ambrosio, Iorio, Siciliano (2015), section 4.

    Examples
    --------
    >>> import concordant as cc
    >>> cc.adjusted_concordance_index([0, 0, 1, 1], [1, 1, 0, 0])
    1.0
    >>> P = [[0.9, 0.1], [0.8, 0.2], [0.2, 0.8], [0.3, 0.7]]
    >>> round(cc.adjusted_concordance_index(P, [0, 0, 1, 1]), 6)
    0.425532
    """
    return concordance(P, Q, clip=clip, n_jobs=n_jobs, engine=engine, align=align).aci
