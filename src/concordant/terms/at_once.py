"""Terms of pairs of few objects, all at once: NumPy, no compiled code."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue import VALUES, loaded, pair_sums, parts_of, value_of
from concordant.execution.run import Run
from concordant.families.pair_table import PairTable
from concordant.pairs.dense import values_of_all_pairs
from concordant.partition.partition import Partition
from concordant.storage.memory import keep_freed_memory
from concordant.terms.distribution import SUM_ROUNDOFF, Bounded, Distribution
from concordant.terms.pair_terms import PairTerms, Wanted
from concordant.terms.side import Side
from concordant.values.t_norms import on_arrays

Vector = NDArray[np.float64]

#: Up to so many objects all pairs are held at once: a new process has the result before
#: compiled code is loaded, and later ones hardly later than by that.
FEW_OBJECTS = 450


def bytes_at_once(n: int) -> int:
    """Estimate the memory that values of all pairs take, sorted and merged."""
    return 8 * 16 * (n * (n - 1) // 2)


def fits(n: int, memory_budget: int | None) -> bool:
    """Return whether the memory may be taken."""
    return memory_budget is None or bytes_at_once(n) <= memory_budget


def held_at_once(n: int, memory_budget: int | None) -> bool:
    """Return whether objects are few, so that the values of all pairs are held."""
    return n <= FEW_OBJECTS and fits(n, memory_budget)


def terms_at_once(P: Partition, Q: Partition, wanted: Wanted, run: Run) -> PairTerms:
    """Hold the values of all pairs, and sort them."""
    sides = Side(P, wanted.value), Side(Q, wanted.value)
    n = P.n_objects
    keep_freed_memory()
    values: dict[tuple[str, int], Vector] = {}

    def of_pairs(name: str, number: int) -> Vector:
        if (name, number) not in values:
            what = value_of(name)[0].columns
            own = what == VALUES[wanted.value].columns
            side = sides[number]
            columns = side.columns if own else loaded(what)(side.partition)
            values[name, number] = values_of_all_pairs(columns, name)
        return values[name, number]

    def table(name: str) -> PairTable:
        family, t_norm = parts_of(name)
        record = pair_sums(family)
        names = record.values_for(t_norm)
        given = [of_pairs(value, number) for number in (0, 1) for value in names]
        options = () if t_norm is None else (on_arrays(t_norm),)
        parts = loaded(record.cardinalities)(*given, *options)
        a, b, c, d = (float(part.sum()) for part in parts)
        return PairTable(a, b, c, d, family, t_norm)

    def agreement(each: Wanted) -> PairTerms:
        terms = PairTerms(n, "sorted", n * (n - 1) // 2)
        if not (each.discordance or each.distributions):
            return terms
        own = Side(P, each.value), Side(Q, each.value)
        x, y = (of_pairs(each.value, number) for number in (0, 1))
        roundings = [
            side.rounding(float(z.mean())) for side, z in zip(own, (x, y), strict=True)
        ]
        if each.discordance:
            d = float(np.abs(x - y).sum()) / x.size
            error = (roundings[0] + roundings[1]) + SUM_ROUNDOFF * d
            terms = replace(terms, discordance=Bounded(d, error))
        if each.distributions:
            found = []
            for side, z, rounding in zip(own, (x, y), roundings, strict=True):
                F = run.known(*side.key)
                if F is None:
                    F = Distribution.of_values(np.sort(z), displacement=rounding)
                    run.keep(*side.key, F)
                found.append(F)
            terms = replace(terms, distributions=(found[0], found[1]))
        return terms

    return replace(
        agreement(wanted),
        tables={name: table(name) for name in wanted.tables},
        others={each.value: agreement(each) for each in wanted.others},
    )
