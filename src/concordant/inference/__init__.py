"""Tests, intervals, and where two partitions differ."""

TYPE_CHECKING = False  # without importing typing, which takes longer than all of this
if TYPE_CHECKING:
    from concordant.inference.by_chance import concordance_test
    from concordant.inference.chance_result import ConcordanceTest
    from concordant.inference.closed_form import NullMoments, null_moments
    from concordant.inference.differences import ObjectDiscordance, object_discordance
    from concordant.inference.intervals import ConfidenceInterval, confidence_interval
    from concordant.inference.local import LocalConcordance, local_concordance
    from concordant.inference.paired_difference import DifferenceTest, difference_test

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
    "ConcordanceTest": "chance_result",
    "NullMoments": "closed_form",
    "concordance_test": "by_chance",
    "null_moments": "closed_form",
    "ConfidenceInterval": "intervals",
    "DifferenceTest": "paired_difference",
    "LocalConcordance": "local",
    "ObjectDiscordance": "differences",
    "confidence_interval": "intervals",
    "difference_test": "paired_difference",
    "local_concordance": "local",
    "object_discordance": "differences",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
