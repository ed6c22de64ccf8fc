"""What the pairs of two partitions tell, however it is computed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from concordant.families.pair_table import PairTable
from concordant.terms.distribution import Bounded, Distribution


class Wanted(NamedTuple):
    """Which terms of pairs are wanted: of which value, tables by name, other values."""

    value: str
    discordance: bool = False
    distributions: bool = False
    tables: tuple[str, ...] = ()
    others: tuple["Wanted", ...] = ()  # which have neither tables nor others


@dataclass(frozen=True, eq=False)
class PairTerms:
    """
    Terms that sums over pairs give.

    `discordance` is d, the mean of |x - y|; `distributions` are those of the values x
    of P and y of Q, and `expected` is E|X - Y| by these, where it is known; `tables`
    are those of families that are sums over pairs. What was not wanted is None or left
    out. `others` are the terms of other values that were wanted beside. Where d and
    E|X - Y| are estimated and off together, `ratio_error` is the error of their
    quotient. `method` names the algorithm and `n_pairs` the number of pairs that it
    visited or accounts for.
    """

    n_objects: int
    method: str
    n_pairs: int
    discordance: Bounded | None = None
    distributions: tuple[Distribution, Distribution] | None = None
    tables: Mapping[str, PairTable] = field(default_factory=dict)
    expected: Bounded | None = None
    ratio_error: float | None = None
    others: "Mapping[str, PairTerms]" = field(default_factory=dict)
