"""The permutation test of the agreement of two partitions."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np

from concordant.arrays import Vector
from concordant.bounded import UNIT_ROUNDOFF
from concordant.catalogue.values import Similarity
from concordant.compute import check_kinds, gathered_concordance, takes_long
from concordant.door import checked
from concordant.errors import Argument, InputError, Setting
from concordant.execution.engine import Threads
from concordant.execution.progress import Telling, Watch, timed, visible
from concordant.execution.run import Run, generator
from concordant.inference.chance_result import ConcordanceTest
from concordant.inference.chosen_index import (
    ChosenIndex,
    IndexLike,
    OfPairs,
    chosen_index,
    side_of,
)
from concordant.inference.interval import check_similarity
from concordant.inference.leave_one_out import group_codes
from concordant.inference.moments import is_constant, moments_of
from concordant.inference.permuted_objects import Exchange, Permutations, Plan
from concordant.measures.adjusted import Concordance
from concordant.partition.alignment import MatchBy, aligned
from concordant.partition.partition import Partition
from concordant.underflow import tiny_is_zero
from concordant.wording import check_choice, check_count

Alternative = Literal["greater", "less", "two-sided"]
Method = Literal["auto", "exact", "permutations", "sampled", "normal"]

_STOP_AFTER = 100  # exceedances
_MOMENTS = "null_mean", "null_sd", "null_sd_error"
_SIGNS = {"greater": (1,), "less": (-1,), "two-sided": (1, -1)}
_FEW = math.factorial(7)  # permutations that are all visited anyway
_MOST_FOR_ALL = math.factorial(10)  # if that is asked for
_MOMENTS_UP_TO = 20_000  # objects whose pairs are visited for the sake of the sd
_SAMPLED = 1 << 20  # pairs that method="sampled" takes, about
_ALL_PAIRS_OF = 1 << 13  # objects whose dissimilarities method="permutations" keeps
_ROUNDING = 1e-12  # of an index that somebody else computed
_SECONDS = 2e-10  # of a pair, for each cluster and permutation


@checked
@tiny_is_zero
def concordance_test(
    P: object,
    Q: object,
    *,
    n_permutations: int = 9999,
    alternative: Alternative = "greater",
    method: Method = "auto",
    index: IndexLike = "aci",
    similarity: Similarity = "l1",
    strata: object = None,
    groups: object = None,
    stop_after: int | None = _STOP_AFTER,
    random_state: int | np.random.Generator | None = None,
    n_jobs: int | None = None,
    match_by: MatchBy = "position",
    progress: Telling = None,
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
        Whether the p-value is small for more agreement than by chance, for less, or for
        either; in the last case it is twice the smaller of the two. Of a function of
        your own, larger values are taken for more agreement.
    method : str, default="auto"
        ``"auto"`` draws permutations, and compares them on a fixed random sample of
        pairs if all pairs would take more than a few seconds; ``"permutations"``
        uses all pairs, ``"sampled"`` a sample of about 10^6, which two crisp partitions
        never need.
        ``"exact"`` visits all n! permutations of at most 10 objects. ``"normal"`` draws
        none: the p-value is that of a normal distribution with the mean and standard
        deviation of the null distribution, an approximation because that is skewed.
    index : str or callable, default="aci"
        ``"aci"`` or ``"ndc"``; or another name that `concordant.indices` lists, or any
        function of two `Partition` that returns a number, computed anew for every
        permutation.
    similarity : {"l1", "inner"}, default="l1"
        What ACI and NDC compare: one minus half the L1 distance of the memberships of
        two objects, or their inner product (13AGRI of Horta and Campello 2015).
    strata : array of n labels, or True, optional
        Objects are permuted within strata only, where only these are exchangeable:
        the question is whether P and Q agree beyond what the strata explain. True
        takes `Partition.groups`, which files may provide. The mean and standard
        deviation are then those of the permutations drawn.
    groups : array of n labels, or True, optional
        Whole groups trade places, where objects of a group depend on each
        other. Groups must have equal sizes: the first object of a group takes the
        place of the first of another, and so on.
    stop_after : int or None, default=100
        Stop drawing once this many permutations are at least as extreme. The p-value
        stays valid, and large ones are found quickly (Besag and Clifford 1991). None
        draws all `n_permutations`.
    random_state : int, numpy.random.Generator or None, default=None
        Source of the permutations and samples.
    n_jobs : int, optional
        Number of threads; see `concordant.concordance`. The result is the same.
    match_by : {"position", "id", "common"}, default="position"
        How objects are matched: by position, by ids, or only those with common ids.
    progress : callable or bool, optional
        Called as ``progress(done, total, None)`` with the number of permutations done;
        True draws a bar, False does not. By default work of more than about ten
        seconds draws one where it is seen.

    Returns
    -------
    ConcordanceTest
        With ``statistic``, ``pvalue``, ``null_distribution``, ``null_mean``,
        ``null_sd``, ``zscore``, the number of permutations drawn and whether they
        ``stopped_early``.

    Raises
    ------
    ValueError
        If a partition is possibilistic (except for a callable), if options contradict
        each other, or if groups have different sizes, so that there is no exact
        permutation test.

    Notes
    -----
    If b of h random permutations are at least as extreme, counting ties, the p-value is
    (b + 1) / (h + 1), or b / h if they stop at the b-th: it is valid for every n,
    sample of pairs and index. All permutations have the same E[d], so ACI and NDC give
    the same p-value. Numbers that differ by no more than rounding are ties. If a
    partition says the same about all pairs, no permutation changes anything: p is 1,
    and the result says why.

    A permutation of two crisp partitions is a contingency table with the same sizes of
    clusters, whatever n is; for a fuzzy and a crisp one it takes O(nK), for two fuzzy
    ones O(n²K), or a fixed number of pairs for large n. A sample of pairs is as valid a
    statistic as all pairs, with less power. The statistic in the result is that of all
    pairs, as `concordance` gives it, unless it takes more than half a minute; that of
    the sample is beside it. For two fuzzy partitions of more than 100 objects, the
    numbers in `null_distribution` that are not near the observed one have seven digits.

    Mean and standard deviation are those over all n! permutations, in closed form (see
    `null_moments`), if n is 20 000 or less or both partitions are crisp; otherwise
    those of the permutations drawn, and the result says so.

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

    Within two strata, permutations say less:

    >>> result = concordance_test(P, [0, 0, 0, 1, 1, 1], strata=[0, 0, 1, 1, 1, 0])
    >>> result.n_permutations, round(result.pvalue, 6)
    (36, 0.111111)
    """
    check_choice("alternative", alternative, get_args(Alternative), optional=False)
    check_choice("method", method, get_args(Method), optional=False)
    check_count("n_permutations", n_permutations)
    if stop_after is not None:
        check_count("stop_after", stop_after)
    chosen = chosen_index(index)
    of_pairs = isinstance(chosen, OfPairs)
    check_similarity(similarity, of_pairs=of_pairs)
    given = generator(random_state)
    # What is drawn ahead for other threads leaves the caller's generator alone.
    rng = np.random.default_rng(given.integers(2**63, size=4))
    run = Run(engine=Threads(n_jobs), similarity=similarity, progress=progress)
    p, q = aligned(P, Q, match_by=match_by)
    codes = (
        group_codes(labels, name, p, q, match_by)
        for name, labels in (("strata", strata), ("groups", groups))
    )
    exchange = Exchange.of(p.n_objects, *codes)
    _check_method(method, exchange, stop_after)
    few = _FEW if of_pairs else 0
    # All permutations are there already: none of them is enough.
    all_seen = method == "exact" or (
        method in ("auto", "permutations")
        and exchange.n_orders <= min(_MOST_FOR_ALL, max(n_permutations, few))
    )
    if all_seen:
        n_permutations, stop_after = int(exchange.n_orders), None
    drawn = p, q, run, exchange, n_permutations, rng
    side = side_of(index, alternative)
    test = _Test(*drawn, chosen, alternative, side, stop_after, all_seen)
    if not of_pairs:
        if method in ("normal", "sampled"):
            raise InputError(
                Setting("method", method),
                " is for ",
                Setting("index", "aci", "ndc"),
                ", which are functions of pairs; ",
                Setting("method", "auto"),
                " permutes objects",
            )
        return test.of_any()
    check_kinds(p, q)
    if p.n_objects < 2 or is_constant(p) or is_constant(q):
        return test.of_constant()
    if method == "normal":
        return test.by_normal()
    if all_seen:
        return test.of_discordance(test.few(all_orders=True))
    return test.of_discordance(test.plan(_wanted_pairs(method, p, q)))


@dataclass(frozen=True, eq=False)
class _Test(Permutations):
    """Two aligned partitions, and how permutations are drawn and counted."""

    index: ChosenIndex
    alternative: Alternative
    side: str  # of the values that the p-value is small for
    stop_after: int | None
    all_seen: bool

    def concordance(self) -> tuple[Concordance, float]:
        """Return the concordance of all pairs, and which of it is tested."""
        found = gathered_concordance(self.P, self.Q, self.run)
        return found, found.ndc if self.index.name == "ndc" else found.aci

    def count(
        self,
        batches: Iterator[Vector],
        observed: float,
        tolerance: float,
        seconds: float,
    ) -> tuple[Vector, dict[str, Any]]:
        """
        Return the draws up to the one that is enough, and what they say.

        With `stop_after`, counting in a direction ends with that many draws at least as
        extreme, and their share of the draws so far is the p-value (Besag and Clifford
        1991); else it is (b + 1) / (h + 1), as what was found is one of the equally
        likely draws. Numbers that differ by no more than `tolerance` are equal.
        """
        enough = self.stop_after or math.inf
        least = {sign: sign * observed - tolerance for sign in _SIGNS[self.side]}
        counts = dict.fromkeys(least, 0)
        drawn, n_drawn = [], 0
        work = f"testing with {self.n_permutations} permutations, if all are needed,"
        with visible(self.run.progress, seconds=seconds, work=work) as tell:
            watch = Watch(tell, self.n_permutations)
            for batch in batches:
                drawn.append(batch)
                n_drawn += batch.size
                for sign in least:
                    counts[sign] += int((sign * batch >= least[sign]).sum())
                watch.tell(n_drawn)
                if min(counts.values()) >= enough:
                    break
        draws, ends, shares = np.concatenate(drawn), [], []
        itself = 0 if self.all_seen else 1  # of all permutations, what was found is one
        for sign, count in counts.items():
            if count >= enough:
                extreme = np.flatnonzero(sign * draws >= least[sign])
                ends.append(int(extreme[int(enough) - 1]) + 1)
                shares.append(enough / ends[-1])
            else:
                ends.append(n_drawn)
                shares.append((count + itself) / (n_drawn + itself))
        pvalue = min(1.0, len(shares) * min(shares))
        stopped = max(ends) < self.n_permutations
        return draws[: max(ends)], {"pvalue": pvalue, "stopped_early": stopped}

    def of_discordance(self, plan: Plan) -> ConcordanceTest:
        """Test ACI or NDC, which the smaller d is, the larger they are."""
        found = sampled = None
        if plan.of_sample is None:
            found, statistic = self.concordance()
            d, expected = found.discordance, found.expected_discordance
            compared = statistic
        else:
            d, expected = plan.of_sample
            statistic = compared = sampled = 1.0 - d / self._unit(expected)
            if "crisp" in (self.P.kind, self.Q.kind) or not takes_long(self.P, self.Q):
                found, statistic = self.concordance()
        seconds = self.n_permutations * plan.work * _SECONDS
        draws, said = self.count(plan.draws, plan.observed, plan.tolerance, seconds)
        more = draws - plan.observed
        more[np.abs(more) <= plan.tolerance] = 0.0  # differences within rounding
        per_unit = self._unit(expected)
        null = compared + more * (plan.unit / per_unit)
        off = plan.near if np.abs(more).max() > plan.near else plan.tolerance
        said |= {"n_pairs": plan.n_pairs, "sampled_statistic": sampled}
        if found is not None and self._has_moments():
            said |= self._closed_form(found)
        else:
            said |= self._of_draws(null)
            mean_d = d + per_unit * (compared - said["null_mean"])
            said["null_mean_discordance"] = mean_d
            said["null_sd_discordance"] = per_unit * said["null_sd"]
            off = max(off, plan.tolerance) * plan.unit / per_unit
            said["rounding"] = off + UNIT_ROUNDOFF
        return self._result(plan.method, statistic, null, **said)

    def by_normal(self) -> ConcordanceTest:
        """Take the p-value from z alone."""
        found, statistic = self.concordance()
        said = {"pvalue": 1.0, **self._closed_form(found)}
        tested = self._result("normal", statistic, np.empty(0), **said)
        z = tested.zscore
        if math.isnan(z):  # nothing but rounding
            return tested
        upper, lower = (0.5 * math.erfc(side * z / math.sqrt(2.0)) for side in (1, -1))
        both = {"greater": upper, "less": lower}
        pvalue = both.get(self.side, 2.0 * min(upper, lower))
        return replace(tested, pvalue=pvalue)

    def of_constant(self) -> ConcordanceTest:
        """Answer where no permutation changes anything."""
        remark = "there is no pair of objects"
        statistic, d = 1.0, None
        if self.P.n_objects > 1:
            of_p, of_q = is_constant(self.P), is_constant(self.Q)
            remark = f"{'P' if of_p else 'Q'} says the same about all pairs of objects"
            if self.index.name == "aci" and not (of_p and of_q):
                statistic = 0.0
            else:
                found, statistic = self.concordance()
                d = found.discordance
        return self._result(
            "no permutation",
            statistic,
            np.array([statistic]),
            pvalue=1.0,
            remark=f"{remark}: no permutation changes the index",
            null_moments="closed form",
            null_mean=statistic,
            null_sd=0.0,
            null_sd_error=0.0,
            null_mean_discordance=d,
            null_sd_discordance=0.0,
        )

    def of_any(self) -> ConcordanceTest:
        """Test any index, computed for every permutation of the objects of Q."""
        observed, seconds = timed(
            lambda: self.index.value(self.P, self.Q, self.run), self.n_permutations
        )
        orders = (self.exchange.random(self.rng, size) for size in self._batches(1))
        one_by_one = self.exchange.all(1) if self.all_seen else orders
        values = (
            np.array([self.index.value(self.P, self.Q._permuted(order), self.run)])
            for (order,) in one_by_one
        )
        tolerance = _ROUNDING * max(1.0, abs(observed))
        null, said = self.count(values, observed, tolerance, seconds)
        method = "all permutations" if self.all_seen else "permuted objects"
        said |= {**self._of_draws(null), "rounding": tolerance}
        return self._result(method, observed, null, **said)

    def _unit(self, expected: float) -> float:
        """Return the d that an index is 1 less of: E[d] for ACI."""
        return expected if self.index.name == "aci" and expected > 0.0 else 1.0

    def _has_moments(self) -> bool:
        """Return whether moments over all permutations are known, and affordable."""
        crisp = self.P.kind == self.Q.kind == "crisp"
        return not self.exchange.by and (crisp or self.P.n_objects <= _MOMENTS_UP_TO)

    def _closed_form(self, found: Concordance) -> dict[str, Any]:
        """Return the moments, and how far rounding may move the index from the mean."""
        moments = moments_of(self.P, self.Q, found, self.run)
        mean, sd = moments.discordance_mean, moments.discordance_sd
        of_index = moments.aci_mean, moments.aci_sd, moments.aci_sd_error
        rounding = found.error
        if self.index.name == "ndc":
            of_index = max(0.0, 1.0 - mean), sd, moments.discordance_sd_error
            rounding = moments.rounding
        return {
            "null_moments": "closed form",
            **dict(zip(_MOMENTS, of_index, strict=True)),
            "null_mean_discordance": mean,
            "null_sd_discordance": sd,
            "rounding": rounding + UNIT_ROUNDOFF,
        }

    def _of_draws(self, null: Vector) -> dict[str, Any]:
        """Return the moments of draws, and half the width of an interval of the sd."""
        mean = math.fsum(null) / null.size
        deviations = null - mean
        variance = float(np.square(deviations).mean())
        error = 0.0 if self.all_seen or null.size > 1 else math.inf
        if not self.all_seen and variance > 0.0:
            kurtosis = float((deviations**4).mean()) / variance**2
            variance *= null.size / (null.size - 1)
            share = max(kurtosis - 1.0, 0.0) / (4 * null.size)
            error = 1.96 * math.sqrt(variance) * math.sqrt(share)
        found = mean, math.sqrt(variance), error
        moments = dict(zip(_MOMENTS, found, strict=True))
        return {"null_moments": "permutations", **moments}

    def _result(
        self, method: str, value: float, null: Vector, **said: Any
    ) -> ConcordanceTest:
        n, by = self.P.n_objects, self.exchange.by
        return ConcordanceTest(
            statistic=value,
            null_distribution=null,
            n_permutations=null.size,
            n_objects=n,
            alternative=self.alternative,
            method=method,
            index=self.index.name,
            similarity=self.run.similarity,
            n_strata=self.exchange.starts.size - 1 if by == "strata" else None,
            n_groups=self.exchange.n_units if by == "groups" else None,
            **{"n_pairs": n * (n - 1) // 2, **said},
        )


def _check_method(method: Method, exchange: Exchange, stop_after: int | None) -> None:
    if method == "exact" and exchange.n_orders > _MOST_FOR_ALL:
        n = exchange.order.size
        raise InputError(
            Setting("method", "exact"),
            f" visits all n! permutations of at most 10 objects, found {n}; "
            if not exchange.by
            else f" visits at most {_MOST_FOR_ALL} permutations, and {exchange.by} "
            f"of {n} objects have more; ",
            Setting("method", "permutations"),
            " draws some of them",
        )
    if method == "normal" and exchange.by:
        raise InputError(
            Setting("method", "normal"),
            " takes the mean and the standard deviation over all permutations, and ",
            Argument(exchange.by),
            " allow only some of them; ",
            Setting("method", "auto"),
            " draws these",
        )
    if stop_after not in (None, _STOP_AFTER) and method in ("exact", "normal"):
        raise InputError(
            Argument("stop_after"),
            " is for random permutations, and ",
            Setting("method", method),
            " draws none; leave out one of them",
        )


def _wanted_pairs(method: Method, P: Partition, Q: Partition) -> int | None:
    """Return on how many pairs draws rest; None: by the time they take."""
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
    return _SAMPLED if method == "sampled" else None
