"""What the pairs of two partitions tell, however it is computed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from concordant.bounded import Bounded
from concordant.catalogue.families import PAIR_SUMS
from concordant.catalogue.lookups import loaded
from concordant.catalogue.terms import CRISP_TABLE, Term
from concordant.measures.tables.pair_table import PairTable
from concordant.pairs.distribution import Distribution

#: A table, or the named tuple of other sums over pairs.
Summed = PairTable | tuple[float, ...]


class WantedTerms(NamedTuple):
    """Which terms of pairs are wanted: of which value, tables, other values."""

    value: str
    discordance: bool = False
    distributions: bool = False
    sums: tuple[Term, ...] = ()  # tables, and other sums over pairs
    others: tuple["WantedTerms", ...] = ()  # which have neither sums nor others


@dataclass(frozen=True, eq=False)
class PairTerms:
    """
    Terms that sums over pairs give.

    `discordance` is d, the mean of |x - y|; `distributions` are those of the values x
    of P and y of Q, and `expected` is E|X - Y| by these, where it is known; `sums` are
    tables, and others that are sums over pairs. What was not wanted is None or left
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
    sums: Mapping[Term, Summed] = field(default_factory=dict)
    expected: Bounded | None = None
    ratio_error: float | None = None
    others: "Mapping[str, PairTerms]" = field(default_factory=dict)

    @property
    def crisp(self) -> PairTable | None:
        """The table of two crisp partitions, which gives the terms of these."""
        found = self.sums.get(CRISP_TABLE)
        return found if isinstance(found, PairTable) else None


def summed(term: Term, sums: Iterable[float]) -> Summed:
    """Return the table, or the named sums, that a term is."""
    if term.what == "table":
        a, b, c, d = sums
        return PairTable(a, b, c, d, term.of, term.t_norm)
    found: Summed = loaded(PAIR_SUMS[term.of].sums)(*sums)
    return found


def n_sums(term: Term) -> int:
    """Return how many sums it consists of."""
    if term.what == "table":
        return 4
    return len(loaded(PAIR_SUMS[term.of].sums)._fields)
