"""Whether the agreement may be chance, and how uncertain it is."""

from typing import Any, cast

from concordant.catalogue.nulls import NULLS
from concordant.catalogue.values import Similarity
from concordant.comparison import Comparison
from concordant.inference.chance_result import ConcordanceTest
from concordant.inference.interval import (
    ConfidenceInterval,
    decimals,
    interval_of_score,
)
from concordant.inference.permutation_test import concordance_test
from concordant.partition.partition import Partition
from concordant.printing import number
from concordant.report.differing import Differences

_LEVEL = 0.95


def tested(
    P: Partition, Q: Partition, comparison: Comparison, n_jobs: int | None
) -> ConcordanceTest | None:
    """
    Return the test of ACI of a comparison, or make one in a few seconds.

    It is None under a model of chance that does not permute objects, as a test does.
    """
    if not NULLS[comparison.null].permutes:
        return None
    if comparison.test is not None and comparison.test.index == "aci":
        return comparison.test
    return concordance_test(
        P,
        Q,
        similarity=cast(Similarity, comparison.similarity),
        random_state=0,
        n_jobs=n_jobs,
    )


def _interval(comparison: Comparison, seen: Differences) -> ConfidenceInterval | str:
    """Return the interval of ACI, or the reason why there is none."""
    if "aci" in comparison.intervals:
        return comparison.intervals["aci"]
    result = comparison.concordance
    assert result is not None
    if result.n_objects < 4:
        return "A confidence interval needs at least 4 objects."
    if result.is_estimate:
        return "ACI is an estimate itself, and has no confidence interval."
    if not NULLS[result.null].permutes:
        return "There is no confidence interval under this model of chance."
    if seen.left_out is None:
        return (
            "With so many clusters a confidence interval takes long and is left out; "
            "concordant compare --interval computes it."
        )
    return interval_of_score("aci", result.aci, seen.left_out, _LEVEL)


def uncertainty_view(
    test: ConcordanceTest | None, comparison: Comparison, seen: Differences
) -> dict[str, Any]:
    """Describe a test and an interval: itself, facts, in words, and notes."""
    facts, notes = _of_test(test)
    sampled = test is not None and test.sampled_statistic is not None
    said: dict[str, Any] = {"facts": facts, "notes": notes, "sampled": sampled}
    interval = _interval(comparison, seen)
    if isinstance(interval, str):
        notes.append(interval)
        return said | {"of_aci": None, "interval": ""}
    d = decimals(interval.standard_error)
    ends = f"{number(interval.low, d)} to {number(interval.high, d)}"
    level = f"{100 * interval.level:.4g} %"
    standard_error = number(interval.standard_error, d)
    drawn = "objects" if interval.n_groups is None else f"{interval.n_groups} groups"
    facts += [
        (
            f"{level} interval",
            ends,
            f"For the population these {drawn} are drawn from.",
        ),
        ("Standard error", standard_error, "Of ACI, over samples of this size."),
    ]
    if seen.n_partners is not None and "aci" not in comparison.intervals:
        notes.append(
            "The standard error and the interval are based on the pairs of each object "
            f"with {seen.n_partners:,} others, drawn at random; concordant compare "
            "--interval takes all pairs."
        )
    return said | {"of_aci": interval, "interval": f"{level} interval {ends}"}


def _of_test(
    test: ConcordanceTest | None,
) -> tuple[list[tuple[str, str, str]], list[str]]:
    if test is None:
        return [], ["A test permutes objects, which this model of chance does not."]
    p = f"{test.pvalue:.4f}" if test.pvalue < 0.1 else f"{test.pvalue:.3f}"
    by_chance = f"{number(test.null_mean)} ± {number(test.null_sd)}"
    facts = [
        ("p-value", p, "Probability that unrelated partitions agree at least as much."),
        ("z", number(test.zscore, 1), "Standard deviations above the mean by chance."),
        ("By chance", by_chance, "Mean and standard deviation of ACI."),
    ]
    return facts, [f"{line[0].upper()}{line[1:]}." for line in test.sentences()[1:]]
