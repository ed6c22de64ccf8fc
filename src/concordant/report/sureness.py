"""Whether the agreement may be chance, and how sure it is, as the report shows it."""

from dataclasses import dataclass

from concordant.comparison import Comparison
from concordant.inference.permutation_test import concordance_test
from concordant.inference.test_result import ConcordanceTest
from concordant.influence.interval import (
    ConfidenceInterval,
    decimals,
    interval_of_score,
)
from concordant.partition.partition import Partition
from concordant.report.differing import Differences
from concordant.report.sentences import error_is_of_sample, number

LEVEL = 0.95
PERMUTATIONS = 999

# Permutations times pairs times clusters that take a second or so.
_WORK = 25 * 10**8
_PER_OBJECT = 16  # times as long as a pair takes an object in a permutation of labels


@dataclass(frozen=True)
class SurenessView:
    """What chance gives, what other objects would give, and what was left out."""

    facts: list[tuple[str, str, str]]  # what, how much, what it means
    interval: str
    notes: list[str]


def tested(P: Partition, Q: Partition, n_jobs: int | None) -> ConcordanceTest:
    """Test the agreement of two partitions, in a few seconds whatever their size."""
    return concordance_test(
        P,
        Q,
        n_permutations=PERMUTATIONS,
        stop_after=None,
        n_pairs=_affordable(P, Q),
        random_state=0,
        n_jobs=n_jobs,
    )


def _affordable(P: Partition, Q: Partition) -> int | None:
    """Tell on how many pairs a test rests; None: as many as it takes by itself."""
    n = P.n_objects
    kinds = {P.kind, Q.kind}
    if kinds == {"crisp"}:
        return None
    n_clusters = max(2, min(X.n_clusters for X in (P, Q) if X.kind != "crisp"))
    if "crisp" in kinds:
        objects = _WORK // (PERMUTATIONS * n_clusters * _PER_OBJECT)
        return None if n <= objects else objects * (objects - 1) // 2
    pairs = _WORK // (PERMUTATIONS * n_clusters)
    return None if n * (n - 1) // 2 <= pairs else pairs


def _interval(comparison: Comparison, seen: Differences) -> ConfidenceInterval | str:
    """Give the interval of ACI, or say why there is none."""
    if "aci" in comparison.intervals:
        return comparison.intervals["aci"]
    result = comparison.concordance
    assert result is not None
    if result.n_objects < 4:
        return "A confidence interval needs at least 4 objects."
    if error_is_of_sample(result):
        return "ACI is an estimate itself, and has no confidence interval."
    if seen.left_out is None:
        return (
            "A confidence interval with so many clusters takes long, and is left out; "
            "concordant compare --interval has it."
        )
    return interval_of_score("aci", result.aci, seen.left_out, LEVEL)


def sureness_view(
    test: ConcordanceTest, comparison: Comparison, seen: Differences
) -> SurenessView:
    """Describe a test and an interval."""
    facts = [
        (
            "p-value",
            _p_value(test),
            "Share of unrelated partitions that agree as much.",
        ),
        ("z", number(test.zscore, 1), "Standard deviations above the mean by chance."),
        (
            "By chance",
            f"{number(test.null_mean)} ± {number(test.null_sd)}",
            "Mean and standard deviation of ACI.",
        ),
    ]
    notes = [_capital(line) for line in test.sentences()[1:]]
    interval = _interval(comparison, seen)
    if isinstance(interval, str):
        return SurenessView(facts, "", [*notes, interval])
    d = decimals(interval.standard_error)
    ends = f"{number(interval.low, d)} to {number(interval.high, d)}"
    level = f"{100 * interval.level:.4g} %"
    facts.append(
        (
            f"{level} interval",
            ends,
            "For ACI of all objects of which these are a sample.",
        )
    )
    facts.append(
        (
            "Standard error",
            number(interval.standard_error, d),
            "How far ACI of such a sample typically is from that.",
        )
    )
    if seen.n_partners is not None and "aci" not in comparison.intervals:
        notes.append(
            "The standard error and the interval rest on the pairs of each object with "
            f"{seen.n_partners:,} others, drawn at random; concordant compare "
            "--interval takes all pairs."
        )
    return SurenessView(facts, f"{level} interval {ends}", notes)


def _p_value(test: ConcordanceTest) -> str:
    return f"{test.pvalue:.4f}" if test.pvalue < 0.1 else f"{test.pvalue:.3f}"


def _capital(line: str) -> str:
    return f"{line[0].upper()}{line[1:]}."
