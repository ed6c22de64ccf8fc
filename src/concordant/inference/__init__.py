"""Tests, intervals, and where two partitions differ."""

TYPE_CHECKING = False  # without importing typing, which takes longer than all of this
if TYPE_CHECKING:
    from concordant.chance_result import ConcordanceTest
    from concordant.inference.intervals import confidence_interval
    from concordant.inference.local import LocalConcordance, local_concordance
    from concordant.inference.moments import NullMoments, null_moments
    from concordant.inference.paired_difference import DifferenceTest, difference_test
    from concordant.inference.permutation_test import concordance_test
    from concordant.influence.differences import ObjectDiscordance, object_discordance
    from concordant.influence.interval import ConfidenceInterval

__all__ = [
    "ConcordanceTest",
    "ConfidenceInterval",
    "DifferenceTest",
    "LocalConcordance",
    "NullMoments",
    "ObjectDiscordance",
    "concordance_test",
    "confidence_interval",
    "difference_test",
    "local_concordance",
    "null_moments",
    "object_discordance",
]

# Names are imported when they are first used, as those of the package are.
_HOMES = {
    "ConcordanceTest": "concordant.chance_result",
    "ConfidenceInterval": "concordant.influence.interval",
    "DifferenceTest": "concordant.inference.paired_difference",
    "LocalConcordance": "concordant.inference.local",
    "NullMoments": "concordant.inference.moments",
    "ObjectDiscordance": "concordant.influence.differences",
    "concordance_test": "concordant.inference.permutation_test",
    "confidence_interval": "concordant.inference.intervals",
    "difference_test": "concordant.inference.paired_difference",
    "local_concordance": "concordant.inference.local",
    "null_moments": "concordant.inference.moments",
    "object_discordance": "concordant.influence.differences",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
