"""Terms of pairs of few objects, all at once: NumPy, no compiled code."""

import numpy as np

from concordant.arrays import Vector
from concordant.bounded import SUM_ROUNDOFF, Bounded
from concordant.catalogue.families import of_pairs
from concordant.catalogue.lookups import loaded
from concordant.catalogue.terms import Term
from concordant.catalogue.values import VALUES
from concordant.execution.run import Run
from concordant.pairs.dense import values_of_all_pairs
from concordant.pairs.distribution import Distribution
from concordant.pairs.folds import Need
from concordant.pairs.pair_terms import PairTerms, Summed, WantedTerms, summed
from concordant.pairs.side import Side
from concordant.pairs.values.t_norms import on_arrays
from concordant.partition.partition import Partition
from concordant.storage.memory import keep_freed_memory

#: Up to so many objects all pairs are held at once: a new process has the result before
#: compiled code is loaded, and later ones hardly later than by that.
FEW_OBJECTS = 450


def terms_at_once(
    P: Partition, Q: Partition, wanted: WantedTerms, run: Run
) -> PairTerms:
    """Hold the values of all pairs, and sort them."""
    n, names = P.n_objects, (wanted.value, *(each.value for each in wanted.others))
    sides = {name: (Side(P, name), Side(Q, name)) for name in names}
    keep_freed_memory()
    values: dict[Need, Vector] = {}

    def values_of(need: Need) -> Vector:
        if need not in values:
            if need.value in sides:
                columns = sides[need.value][need.side].columns
            else:
                columns = loaded(VALUES[need.value].columns)((P, Q)[need.side])
            values[need] = values_of_all_pairs(columns, need.value, need.t_norm)
        return values[need]

    def sums_of(term: Term) -> Summed:
        record = of_pairs(term)
        names = record.values_for(term.t_norm)
        given = [values_of(Need(x, number, t)) for number in (0, 1) for x, t in names]
        options = () if term.t_norm is None else (on_arrays(term.t_norm),)
        parts = loaded(record.cardinalities)(*given, *options)
        return summed(term, (float(part.sum()) for part in parts))

    def agreement(each: WantedTerms) -> PairTerms:
        discordance = distributions = None
        if each.discordance or each.distributions:
            own = sides[each.value]
            x, y = (values_of(Need(each.value, number)) for number in (0, 1))
            means = float(x.sum()) / x.size, float(y.sum()) / y.size
            roundings = own[0].rounding(means[0]), own[1].rounding(means[1])
        if each.discordance:
            d = float(np.abs(x - y).sum()) / x.size
            discordance = Bounded(d, sum(roundings) + SUM_ROUNDOFF * d)
        if each.distributions:
            distributions = (
                distribution(own[0], x, roundings[0]),
                distribution(own[1], y, roundings[1]),
            )
        return PairTerms(
            n,
            "sorted",
            n * (n - 1) // 2,
            discordance,
            distributions,
            {term: sums_of(term) for term in each.sums},
            others={other.value: agreement(other) for other in each.others},
        )

    def distribution(side: Side, values: Vector, rounding: float) -> Distribution:
        found: Distribution | None = run.known(*side.key)
        if found is None:
            found = Distribution.of_values(np.sort(values), displacement=rounding)
            run.keep(*side.key, found)
        return found

    return agreement(wanted)
