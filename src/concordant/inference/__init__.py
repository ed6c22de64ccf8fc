"""Tests, intervals, and where two partitions differ."""

from concordant.chance_result import ConcordanceTest
from concordant.inference.intervals import (
    DifferenceTest,
    confidence_interval,
    difference_test,
)
from concordant.inference.local import LocalConcordance, local_concordance
from concordant.inference.moments import NullMoments, null_moments
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
