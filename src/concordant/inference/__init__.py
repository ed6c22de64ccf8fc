"""Tests, intervals, and where two partitions differ."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concordant.inference.chance_result import ConcordanceTest
    from concordant.inference.confidence import (
        DifferenceTest,
        confidence_interval,
        difference_test,
    )
    from concordant.inference.differences import ObjectDiscordance, object_discordance
    from concordant.inference.interval import ConfidenceInterval
    from concordant.inference.local import LocalConcordance, local_concordance
    from concordant.inference.moments import NullMoments, null_moments
    from concordant.inference.permutation_test import concordance_test

# Imported when they are first used: a comparison holds results of this room, whose
# functions compare.
_HOMES = {
    "ConcordanceTest": "chance_result",
    "ConfidenceInterval": "interval",
    "DifferenceTest": "confidence",
    "LocalConcordance": "local",
    "NullMoments": "moments",
    "ObjectDiscordance": "differences",
    "concordance_test": "permutation_test",
    "confidence_interval": "confidence",
    "difference_test": "confidence",
    "local_concordance": "local",
    "null_moments": "moments",
    "object_discordance": "differences",
}
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


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
