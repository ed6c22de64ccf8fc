"""Terms of pairs of few objects, all at once: NumPy, no compiled code."""

from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from concordant.arrays import Vector
from concordant.bounded import SUM_ROUNDOFF, Bounded
from concordant.catalogue.families import of_pairs
from concordant.catalogue.lookups import loaded
from concordant.catalogue.terms import Term
from concordant.catalogue.values import VALUES
from concordant.execution.run import Run
from concordant.kept import kept
from concordant.pairs.dense import values_of_all_pairs
from concordant.pairs.distribution import Distribution, Join, expected_difference
from concordant.pairs.folds import Need
from concordant.pairs.pair_terms import PairTerms, Summed, WantedTerms, summed
from concordant.pairs.side import Side
from concordant.pairs.values.t_norms import on_arrays
from concordant.partition.partition import Partition
from concordant.storage.memory import keep_freed_memory

#: Up to so many objects all pairs are held at once: a new process has the result before
#: compiled code is loaded, and later ones hardly later than by that.
FEW_OBJECTS = 450


@dataclass(frozen=True, eq=False)
class Held:
    """One value of all pairs of a partition, with what it tells."""

    side: Side
    values: Vector

    @classmethod
    def of(cls, partition: Partition, value: str, run: Run) -> "Held":
        """Compute it, or take it from the store."""
        side = Side(partition, value)
        key = value, "of all pairs"
        found = run.known(partition, key)
        if found is None:
            found = cls(side, values_of_all_pairs(side.columns, value))
            run.keep(partition, key, found)
        return cast(Held, found)

    @kept
    def rounding(self) -> float:
        """How far values are off on average."""
        return self.side.rounding(float(self.values.sum()) / self.values.size)

    @kept
    def distribution(self) -> Distribution:
        """How often each occurs."""
        return Distribution.of_values(np.sort(self.values), displacement=self.rounding)


def terms_of_values(
    p: Held,
    q: Held,
    *,
    distributions: bool,
    join: Join | None = None,
    **others: Any,
) -> PairTerms:
    """Return d of one value, perhaps distributions and E|X - Y|, and other terms."""
    m = p.values.size
    d = float(np.abs(p.values - q.values).sum()) / m
    found = Bounded(d, (p.rounding + q.rounding) + SUM_ROUNDOFF * d)
    both = (p.distribution, q.distribution) if distributions else None
    expected = expected_difference(*both, join) if both and join else None
    n = p.side.partition.n_objects
    return PairTerms(n, "sorted", m, found, both, expected=expected, **others)


def terms_at_once(
    P: Partition, Q: Partition, wanted: WantedTerms, run: Run
) -> PairTerms:
    """Hold the values of all pairs, and sort them."""
    n, known = P.n_objects, dict[str, tuple[Held, Held]]()
    keep_freed_memory()

    def held(value: str) -> tuple[Held, Held]:
        if value not in known:
            known[value] = Held.of(P, value, run), Held.of(Q, value, run)
        return known[value]

    def values_of(need: Need) -> Vector:
        if need.t_norm is None:
            return held(need.value)[need.side].values
        columns = loaded(VALUES[need.value].columns)((P, Q)[need.side])
        return values_of_all_pairs(columns, need.value, need.t_norm)

    def sums_of(term: Term) -> Summed:
        record = of_pairs(term)
        names = record.values_for(term.t_norm)
        given = [values_of(Need(x, number, t)) for number in (0, 1) for x, t in names]
        options = () if term.t_norm is None else (on_arrays(term.t_norm),)
        parts = loaded(record.cardinalities)(*given, *options)
        return summed(term, (float(part.sum()) for part in parts))

    def agreement(each: WantedTerms, **found: Any) -> PairTerms:
        if not (each.discordance or each.distributions):  # tables alone
            return PairTerms(n, "sorted", n * (n - 1) // 2, **found)
        both = held(each.value)
        return terms_of_values(*both, distributions=each.distributions, **found)

    return agreement(
        wanted,
        sums={term: sums_of(term) for term in wanted.sums},
        others={each.value: agreement(each) for each in wanted.others},
    )
