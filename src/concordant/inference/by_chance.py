"""Is it chance? A permutation test of the agreement of two partitions."""

import itertools
import math
from collections.abc import Callable, Iterator
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from concordant.agreement.computing import check_kinds
from concordant.agreement.result import Concordance, assemble
from concordant.chance_result import ConcordanceTest
from concordant.errors import Argument, InputError, InputTypeError, Setting
from concordant.execution.engine import Threads
from concordant.execution.progress import Progress, Watch, visible
from concordant.execution.randomness import generator
from concordant.execution.run import Run
from concordant.gather import gathered_concordance
from concordant.inference.closed_form import NullMoments, moments_of
from concordant.inference.null_draws import (
    MOST_FOR_ALL,
    Plan,
    all_permutations,
    plan_for,
)
from concordant.inference.p_values import Alternative, Exceedances, taken
from concordant.measures.named_index import named_index
from concordant.partition.alignment import Align, aligned
from concordant.partition.partition import Partition
from concordant.wording import check_choice, check_count

Vector = NDArray[np.float64]
Method = Literal["auto", "exact", "permutations", "sampled", "normal"]
#: What is computed for every permutation.
Index = Callable[[Partition, Partition], float]

_FEW = 7  # objects of which all permutations are visited anyway
_MOMENTS_UP_TO = 20_000  # objects whose pairs are visited for the sake of the sd
_SAMPLED = 1 << 20  # pairs that method="sampled" takes if nothing is said
_ALL_PAIRS_OF = 1 << 13  # objects whose dissimilarities method="permutations" keeps
_ROUNDING = 1e-12  # of an index that somebody else computed
_LONG = 10**11  # pairs times permutations for which a bar is drawn


def concordance_test(
    P: object,
    Q: object,
    *,
    n_permutations: int = 9999,
    alternative: Alternative = "greater",
    method: Method = "auto",
    index: str | Index = "aci",
    stop_after: int | None = None,
    n_pairs: int | None = None,
    random_state: int | np.random.Generator | None = None,
    n_jobs: int | None = None,
    align: Align = "position",
    progress: Progress | None = None,
) -> ConcordanceTest:
    """
    Test whether two partitions agree more than by chance.

    The null hypothesis is that the objects of Q are in random order: every permutation
    of them is as likely as the observed one.

    Parameters
    ----------
    P, Q : Partition, or anything one can be made from
        Two partitions of the same n objects, crisp or fuzzy.
    n_permutations : int, default=9999
        The largest number of random permutations. All n! are visited instead if there
        are no more, or if n is 7 or less.
    alternative : {"greater", "less", "two-sided"}, default="greater"
        Whether the p-value is small for a large index, for a small one, or for either;
        in the last case it is twice the smaller of the two.
    method : str, default="auto"
        ``"auto"`` draws permutations, and uses a fixed random sample of pairs if all of
        them would take more than about 20 seconds; ``"permutations"`` uses all pairs,
        ``"sampled"`` a sample, which two crisp partitions never need. ``"exact"``
        visits all n! permutations of at most 10 objects. ``"normal"`` draws none: the
        p-value is that of a normal distribution with the mean and standard deviation of
        the null distribution, an approximation because that is skewed.
    index : str or callable, default="aci"
        ``"aci"`` or ``"ndc"``; or another name that `concordant.indices` lists, or any
        function of two `Partition` that returns a number, computed anew for every
        permutation.
    stop_after : int, optional
        Stop drawing once this many permutations are at least as extreme. The p-value
        stays valid, and large ones are found quickly (Besag and Clifford 1991).
    n_pairs : int, optional
        The approximate number of pairs in a sample.
    random_state : int, numpy.random.Generator or None, default=None
        Source of the permutations and samples.
    n_jobs : int, optional
        Number of threads; see `concordant.concordance`. The result is the same.
    align : {"position", "index"}, default="position"
        How objects are matched: by position, or by their ids.
    progress : callable, optional
        Called as ``progress(done, total, None)`` with the number of permutations done.

    Returns
    -------
    ConcordanceTest
        With ``statistic``, ``pvalue``, ``null_distribution``, ``null_mean``,
        ``null_sd`` and ``zscore``.

    Raises
    ------
    ValueError
        If a partition is possibilistic (but for a callable), or a method does not go
        with the others.

    Notes
    -----
    If b of h random permutations are at least as extreme, counting ties, the p-value is
    (b + 1) / (h + 1): it is valid for every n, sample of pairs and index. All
    permutations have the same E[d], so ACI and NDC give the same p-value. Numbers that
    differ by no more than rounding are ties.

    A permutation of two crisp partitions is a contingency table with the same sizes of
    clusters, whatever n is; for a fuzzy and a crisp one it takes O(nK), for two fuzzy
    ones O(n²K), or a fixed number of pairs for large n. A sample of pairs is as valid a
    statistic as all pairs, with less power.

    Mean and standard deviation are those over all n! permutations, in closed form (see
    `null_moments`), if all pairs are used and n is 20 000 or less or both partitions
    are crisp; otherwise those of the permutations drawn, and the result says so.

    References
    ----------
    Besag, Clifford (1991), Biometrika 78(2). Phipson, Smyth (2010), Statistical
    Applications in Genetics and Molecular Biology 9(1).

    Examples
    --------
    >>> from concordant.inference import concordance_test
    >>> P = [[0.9, 0.1], [0.8, 0.2], [0.7, 0.3], [0.2, 0.8], [0.3, 0.7], [0.1, 0.9]]
    >>> result = concordance_test(P, [0, 0, 0, 1, 1, 1])
    >>> round(result.statistic, 6), round(result.pvalue, 6), result.is_exact
    (0.43299, 0.1, True)
    """
    check_choice("alternative", alternative, get_args(Alternative), optional=False)
    check_choice("method", method, get_args(Method), optional=False)
    check_count("n_permutations", n_permutations)
    for name, value in (("stop_after", stop_after), ("n_pairs", n_pairs)):
        if value is not None:
            check_count(name, value)
    if n_pairs is not None and method not in ("auto", "sampled"):
        raise InputError(
            Argument("n_pairs"),
            " goes with ",
            Setting("method", "sampled"),
            f", not with {method!r}",
        )
    function = _function(index)
    given = generator(random_state)
    # What is drawn ahead for other threads leaves the caller's generator alone.
    rng = np.random.default_rng(given.integers(2**63, size=4))
    engine = Threads(n_jobs)
    p, q = aligned(P, Q, align=align, engine=engine)
    _check_method(method, p.n_objects, stop_after)
    # All permutations are there already: none of them is enough.
    all_seen = method == "exact" or (
        method in ("auto", "permutations")
        and _all_are_few(p.n_objects, n_permutations, known=function is None)
    )
    if all_seen:
        n_permutations, stop_after = math.factorial(p.n_objects), None
    counting = _Counting(
        n_permutations, alternative, stop_after, all_seen, rng, engine, progress
    )
    if function is not None:
        if method in ("normal", "sampled"):
            raise InputError(
                Setting("method", method),
                " is for ",
                Setting("index", "aci", "ndc"),
                ", which are functions of pairs; ",
                Setting("method", "auto"),
                " permutes objects",
            )
        called = (
            index
            if isinstance(index, str)
            else str(getattr(function, "__name__", "index"))
        )
        return _of_function(p, q, function, called, counting)
    check_kinds(p, q)
    name = str(index)
    if p.n_objects < 2:
        return _without_pairs(p, name, alternative)
    if method == "normal":
        return _normal(p, q, name, counting)
    plan = (
        all_permutations(p, q)
        if all_seen
        else plan_for(
            p,
            q,
            n_permutations=n_permutations,
            n_pairs=_wanted_pairs(method, n_pairs, p, q),
            rng=rng,
        )
    )
    return _of_discordance(p, q, name, plan, counting)


class _Counting:
    """How permutations are drawn and counted."""

    def __init__(
        self,
        n_permutations: int,
        alternative: Alternative,
        stop_after: int | None,
        all_seen: bool,
        rng: np.random.Generator,
        engine: Threads,
        progress: Progress | None,
    ) -> None:
        self.n_permutations, self.alternative = n_permutations, alternative
        self.stop_after, self.all_seen = stop_after, all_seen
        self.rng, self.engine, self.progress = rng, engine, progress

    def count(
        self, batches: Iterator[Vector], observed: float, tolerance: float, long: bool
    ) -> tuple[Vector, float]:
        """Give the draws that were taken, and the p-value."""
        counted = Exceedances(observed, tolerance, self.alternative, self.stop_after)
        drawn = []
        with visible(self.progress, long=long) as tell:
            watch = Watch(tell, self.n_permutations)
            for draws in taken(batches, counted):
                drawn.append(draws)
                watch.tell(counted.n_draws)
        return np.concatenate(drawn), counted.pvalue(all_seen=self.all_seen)


def _function(index: object) -> Index | None:
    """Give the function to call for every permutation; None for ACI and NDC."""
    if index in ("aci", "ndc"):
        return None
    if callable(index):
        return index
    if isinstance(index, str):
        return named_index(index)
    raise InputTypeError(
        Argument("index"),
        " must be a name that concordant.indices() lists, or a function of two "
        f"partitions, found {index!r}",
    )


def _check_method(method: Method, n: int, stop_after: int | None) -> None:
    if method == "exact" and n > MOST_FOR_ALL:
        raise InputError(
            Setting("method", "exact"),
            f" visits all n! permutations of at most {MOST_FOR_ALL} objects, found "
            f"{n}; ",
            Setting("method", "permutations"),
            " draws some of them",
        )
    if stop_after is not None and method in ("exact", "normal"):
        raise InputError(
            Argument("stop_after"),
            " is for random permutations, and ",
            Setting("method", method),
            " draws none; leave out one of them",
        )


def _all_are_few(n: int, n_permutations: int, *, known: bool) -> bool:
    """Tell whether all permutations are visited rather than random ones."""
    return n <= MOST_FOR_ALL and (
        (known and n <= _FEW) or math.factorial(n) <= n_permutations
    )


def _wanted_pairs(
    method: Method, n_pairs: int | None, P: Partition, Q: Partition
) -> int | None:
    """Tell how many pairs the statistic rests on; None: by the time they take."""
    n = P.n_objects
    if method == "permutations":
        if P.kind == Q.kind == "fuzzy" and n > _ALL_PAIRS_OF:
            raise InputError(
                Setting("method", "permutations"),
                f" keeps the dissimilarities of all pairs, of at most {_ALL_PAIRS_OF} "
                f"objects, found {n}; ",
                Setting("method", "sampled"),
                " takes a sample of them",
            )
        return n * (n - 1) // 2
    return _SAMPLED if method == "sampled" and n_pairs is None else n_pairs


def _without_pairs(
    P: Partition, index: str, alternative: Alternative
) -> ConcordanceTest:
    """Say that all permutations of a single object are the same."""
    return ConcordanceTest(
        statistic=1.0,
        pvalue=1.0,
        null_distribution=np.ones(1),
        null_mean=1.0,
        null_sd=0.0,
        null_sd_error=0.0,
        null_moments="closed form",
        n_permutations=1,
        n_objects=P.n_objects,
        n_pairs=0,
        alternative=alternative,
        method="all permutations",
        index=index,
        null_mean_discordance=0.0,
        null_sd_discordance=0.0,
    )


def _of_discordance(
    P: Partition, Q: Partition, index: str, plan: Plan, counting: _Counting
) -> ConcordanceTest:
    """Test ACI or NDC, which the smaller d is, the larger they are."""
    run = Run(engine=counting.engine)
    if plan.expected is None:
        found = gathered_concordance(P, Q, run)
    else:
        found = assemble(
            plan.observed, plan.expected, n_objects=P.n_objects, method=plan.method
        )
    draws = plan.draw(counting.rng, counting.n_permutations, counting.engine)
    agreement, pvalue = counting.count(
        (-batch for batch in draws),
        -plan.observed,
        plan.tolerance,
        long=counting.n_permutations * plan.n_pairs > _LONG,
    )
    # Differences within rounding are none.
    more = agreement + plan.observed
    more[np.abs(more) <= plan.tolerance] = 0.0
    unit = 1.0 if index == "ndc" else found.expected_discordance
    null = _value(found, index) + (more / unit if unit > 0.0 else more)
    moments = None
    if plan.expected is None and _has_moments(P, Q):
        moments = moments_of(P, Q, found, counting.engine)
    return _assembled(found, index, plan, null, pvalue, moments, counting)


def _has_moments(P: Partition, Q: Partition) -> bool:
    return P.kind == Q.kind == "crisp" or P.n_objects <= _MOMENTS_UP_TO


def _value(found: Concordance, index: str) -> float:
    return found.ndc if index == "ndc" else found.aci


def _assembled(
    found: Concordance,
    index: str,
    plan: Plan,
    null: Vector,
    pvalue: float,
    moments: NullMoments | None,
    counting: _Counting,
) -> ConcordanceTest:
    if moments is None:
        mean, sd, error = _moments_of_draws(null)
        unit = 1.0 if index == "ndc" else found.expected_discordance
        mean_d = found.discordance + unit * (_value(found, index) - mean)
        sd_d = unit * sd
    else:
        mean, sd, error = _moments_of_index(moments, found, index)
        mean_d, sd_d = moments.discordance_mean, moments.discordance_sd
    return ConcordanceTest(
        statistic=_value(found, index),
        pvalue=pvalue,
        null_distribution=null,
        null_mean=mean,
        null_sd=sd,
        null_sd_error=error,
        null_moments="permutations" if moments is None else "closed form",
        n_permutations=null.size,
        n_objects=found.n_objects,
        n_pairs=plan.n_pairs,
        alternative=counting.alternative,
        method=plan.method,
        index=index,
        null_mean_discordance=mean_d,
        null_sd_discordance=sd_d,
    )


def _moments_of_index(
    moments: NullMoments, found: Concordance, index: str
) -> tuple[float, float, float]:
    if index == "ndc":
        sd, error = moments.discordance_sd, moments.discordance_sd_error
        return found.expected, sd, error
    return moments.aci_mean, moments.aci_sd, moments.aci_sd_error


def _moments_of_draws(null: Vector) -> tuple[float, float, float]:
    """Give mean, standard deviation and half the width of the latter's interval."""
    mean = math.fsum(null) / null.size
    deviations = null - mean
    variance = float(np.square(deviations).mean())
    if null.size < 2 or variance == 0.0:
        return mean, 0.0, 0.0 if null.size > 1 else math.inf
    kurtosis = float((deviations**4).mean()) / variance**2
    sd = math.sqrt(variance * null.size / (null.size - 1))
    return mean, sd, 1.96 * sd * math.sqrt(max(kurtosis - 1.0, 0.0) / (4 * null.size))


def _normal(
    P: Partition, Q: Partition, index: str, counting: _Counting
) -> ConcordanceTest:
    """Take the p-value from z alone."""
    found = gathered_concordance(P, Q, Run(engine=counting.engine))
    moments = moments_of(P, Q, found, counting.engine)
    z = moments.zscore
    pvalue = 1.0
    if not math.isnan(z):
        upper, lower = (0.5 * math.erfc(side * z / math.sqrt(2.0)) for side in (1, -1))
        both = {"greater": upper, "less": lower}
        pvalue = both.get(counting.alternative, 2.0 * min(upper, lower))
    plan = Plan("normal", found.n_pairs, 0.0, 0.0, lambda *_: iter(()))
    return _assembled(found, index, plan, np.empty(0), pvalue, moments, counting)


def _of_function(
    P: Partition, Q: Partition, function: Index, name: str, counting: _Counting
) -> ConcordanceTest:
    """Test any index, called for every permutation of the objects of Q."""
    n = P.n_objects
    observed = float(function(P, Q))
    if not math.isfinite(observed):
        raise ValueError(f"index must give a finite number, found {observed} for P, Q")

    def orders() -> Iterator[NDArray[np.intp]]:
        if counting.all_seen:
            for order in itertools.permutations(range(n)):
                yield np.array(order, dtype=np.intp)
        else:
            for _ in range(counting.n_permutations):
                yield counting.rng.permutation(n)

    def values() -> Iterator[Vector]:
        for order in orders():
            value = float(function(P, Q._permuted(order)))
            if not math.isfinite(value):
                raise ValueError(
                    f"index must give a finite number, found {value} for permuted "
                    "objects"
                )
            yield np.array([value])

    tolerance = _ROUNDING * max(1.0, abs(observed))
    null, pvalue = counting.count(values(), observed, tolerance, long=False)
    mean, sd, error = _moments_of_draws(null)
    if counting.all_seen:
        sd, error = float(null.std()), 0.0
    return ConcordanceTest(
        statistic=observed,
        pvalue=pvalue,
        null_distribution=null,
        null_mean=mean,
        null_sd=sd,
        null_sd_error=error,
        null_moments="permutations",
        n_permutations=null.size,
        n_objects=n,
        n_pairs=n * (n - 1) // 2,
        alternative=counting.alternative,
        method="all permutations" if counting.all_seen else "permuted objects",
        index=name,
    )
