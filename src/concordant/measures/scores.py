"""The scores that follow from the concordance of two partitions."""

from collections.abc import Mapping
from typing import Any, NamedTuple


class Score(NamedTuple):
    """
    The value of an index, and how far it may be from the exact one.

    The error of a statistic of a pair table is that of a sample of pairs, beside
    rounding; None where it is not known.
    """

    value: float
    error: float | None


def aci(terms: Mapping[str, Any]) -> Score:
    """Give the adjusted concordance index, 1 - d / E[d]."""
    found = terms["concordance"]
    return Score(found.aci, found.error)


def ndc(terms: Mapping[str, Any]) -> Score:
    """Give the normalized degree of concordance, 1 - d."""
    found = terms["discordance"]
    return Score(found.ndc, found.discordance_error)


def expected(terms: Mapping[str, Any]) -> Score:
    """Give the expectation of the NDC, 1 - E[d]."""
    found = terms["concordance"]
    return Score(found.expected, found.expected_error)
