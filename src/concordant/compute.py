"""Compute each term that the wanted indices need, once, in the fastest way."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Literal, cast

import numpy as np

from concordant.bounded import UNIT_ROUNDOFF, Bounded
from concordant.catalogue.families import FAMILIES, PAIR_SUMS, of_pairs
from concordant.catalogue.lookups import applied, loaded
from concordant.catalogue.nulls import NULLS
from concordant.catalogue.records import FREE_SUMS
from concordant.catalogue.terms import (
    OBJECT_MEANS,
    OF_PAIRS,
    TERMS,
    Term,
)
from concordant.catalogue.values import SIMILARITIES, VALUES
from concordant.errors import Data, InputError, Piece, Setting, Wordings
from concordant.execution.engine import use_of_all_cores
from concordant.execution.progress import Watch, visible
from concordant.execution.run import Run
from concordant.measures.adjusted import (
    Concordance,
    adjusted,
    no_pairs,
    of_crisp_table,
    of_one_value,
)
from concordant.measures.tables.crisp import crisp_table
from concordant.measures.tables.defined import defined_table
from concordant.measures.tables.pair_table import PairTable
from concordant.nulls.expectation import Expectation
from concordant.pairs.all_pairs import terms_of_all_pairs
from concordant.pairs.at_once import FEW_OBJECTS, terms_at_once
from concordant.pairs.bands import BLOCK_HEIGHT, WIDTH, seconds_per_pair
from concordant.pairs.crisp_side import crisp_terms, fuzzy_crisp
from concordant.pairs.pair_terms import PairTerms, Summed, WantedTerms, n_sums, summed
from concordant.pairs.sampled import sampled_terms
from concordant.pairs.side import Side
from concordant.pairs.two_clusters import has_two_clusters, two_clusters
from concordant.partition.partition import Partition
from concordant.sums.object_sums import object_terms

Way = Literal["sampled", "crisp", "fuzzy-crisp", "two-clusters", "sorted", "binned"]
Method = Literal["auto", "permutations", Way]

# Beyond so many objects convolutions are faster than all pairs of two clusters.
_FEW_OF_TWO_CLUSTERS = 5000
# Up to so many objects pairs are visited where rows that sum to more than 1 make the
# shortcut for a crisp partition less than exact.
_FEW_WITH_EXCESS = 20_000
# Up to so many objects all pairs take less than a second.
_FEW_TO_SAMPLE = 20_000
_LONG = 3 * 10**10  # pairs times clusters that take about half a minute


def takes_long(P: Partition, Q: Partition) -> bool:
    """Return whether visiting all pairs takes more than about half a minute."""
    return visits_take_long(P.n_objects, P.n_clusters + Q.n_clusters)


def visits_take_long(n_objects: int, n_clusters: int) -> bool:
    """Return the same for so many objects, and clusters of both partitions."""
    return n_objects * (n_objects - 1) // 2 * n_clusters > _LONG


def seconds_of_pairs(P: Partition, Q: Partition, run: Run) -> float:
    """Estimate how long it takes to visit all pairs once."""
    threads = getattr(run.engine, "n_threads", 1)  # a method of Dask's
    n_threads = threads() if callable(threads) else threads
    n_pairs = P.n_objects * (P.n_objects - 1) // 2
    return n_pairs * seconds_per_pair(P.n_clusters + Q.n_clusters) / n_threads


def way_of(P: Partition, Q: Partition, run: Run, value: str | None = None) -> Way:
    """
    Choose the way d and E[d] are computed, or refuse one that does not apply.

    They are of the run's similarity, or of another one.
    """
    value, method = value or run.similarity, run.method
    if method in ("auto", "permutations"):
        way = _fastest(P, Q, value)
        return "sampled" if way == "binned" and _sample_pays(P, run) else way
    if lacking := _lacking(P, Q, method, value):
        chooses = Setting("method", "auto"), " chooses"
        raise InputError(Setting("method", method), f" needs {lacking}; ", *chooses)
    return cast(Way, method)


def _lacking(P: Partition, Q: Partition, method: str, value: str) -> str:
    """Return what a method needs and these partitions are not; empty if nothing."""
    kinds = sorted((P.kind, Q.kind))
    match method:
        case "crisp" if kinds != ["crisp", "crisp"]:
            return "two crisp partitions"
        case "fuzzy-crisp" if kinds != ["crisp", "fuzzy"]:
            return "a fuzzy and a crisp partition"
        case "two-clusters" if not _have_two_clusters(P, Q, value):
            return "two fuzzy partitions into two clusters each, and L1 similarity"
    return ""


def _have_two_clusters(P: Partition, Q: Partition, value: str) -> bool:
    return value == "l1" and has_two_clusters(P) and has_two_clusters(Q)


def _fastest(P: Partition, Q: Partition, value: str) -> Way:
    """Choose the fastest way whose error is negligible."""
    if P.kind == Q.kind == "crisp":
        return "crisp"
    if value not in SIMILARITIES:
        return way_of_pairs(P)
    if {P.kind, Q.kind} == {"crisp", "fuzzy"} and _is_linear(P, Q, value):
        return "fuzzy-crisp"
    if P.n_objects > _FEW_OF_TWO_CLUSTERS and _have_two_clusters(P, Q, value):
        return "two-clusters"
    return way_of_pairs(P)


def way_of_pairs(P: Partition) -> Literal["sorted", "binned"]:
    """Choose how all pairs are visited: all at once, or block by block."""
    return "sorted" if P.n_objects <= FEW_OBJECTS else "binned"


def _way_of_tables(P: Partition, run: Run) -> Way:
    """Choose how pairs are visited for tables alone: as beside d, to the same bits."""
    match run.method:
        case "sampled" | "sorted" | "binned":
            return run.method
    return "sampled" if _sample_pays(P, run) else way_of_pairs(P)


def _sample_pays(P: Partition, run: Run) -> bool:
    """Return whether a sample is allowed, and faster than all pairs."""
    return run.tol is not None and P.n_objects > _FEW_TO_SAMPLE


def _is_linear(P: Partition, Q: Partition, similarity: str) -> bool:
    """Return whether no dissimilarity passes 1 by more than many objects are worth."""
    fuzzy = P if Q.kind == "crisp" else Q
    return P.n_objects > _FEW_WITH_EXCESS or Side(fuzzy, similarity).excess == 0.0


_WITHOUT_E = (
    "; use ",
    Wordings("pair_table", "--index rand"),
    " with ",
    Setting("family", "anderson", "brouwer", "campello"),
)


def check_kinds(P: Partition, Q: Partition) -> None:
    """Refuse partitions whose rows need not sum to 1: E is not defined for these."""
    check_sums("the concordance", *_WITHOUT_E, P=P, Q=Q)


def check_sums(what: str, *remedy: Piece, **partitions: Partition) -> None:
    """Refuse a partition whose rows need not sum to 1, of those by name."""
    for name, partition in partitions.items():
        if partition.kind in FREE_SUMS:
            raise InputError(
                f"{what} is not defined for {partition.kind} partitions, and ",
                Data(name),
                " is one",
                *remedy,
            )


def terms_of_pairs(
    P: Partition, Q: Partition, wanted: WantedTerms, run: Run
) -> PairTerms:
    """
    Return the terms of pairs that are wanted, of at least two objects.

    Values that have a shortcut take it; the others, and tables, share one visit.
    """
    visit = _way_of_tables(P, run)
    ways = {each.value: _fastest(P, Q, each.value) for each in wanted.others}
    if wanted.discordance or wanted.distributions:
        way = visit
        if wanted.value in SIMILARITIES:
            way = way_of(P, Q, run, wanted.value)
        ways[wanted.value] = way
        visit = way if way in ("sorted", "binned", "sampled") else visit
    found = {
        value: terms
        for value, way in ways.items()
        if (terms := _shortcut(P, Q, value, way, run)) is not None
    }
    own = found.pop(wanted.value, None)
    others = tuple(each for each in wanted.others if each.value not in found)
    left = wanted._replace(others=others)
    if own is not None:
        left = left._replace(discordance=False, distributions=False)
    parts = [] if own is None else [own]
    if any(left[1:]):
        parts.append(_visited(P, Q, left, visit, run))
    first, *more = parts or [PairTerms(P.n_objects, visit, 0)]
    if not (more or found):
        return first
    sums = {term: x for part in parts for term, x in part.sums.items()}
    visited = {value: x for part in parts for value, x in part.others.items()}
    return replace(first, sums=sums, others={**visited, **found})


def _shortcut(
    P: Partition, Q: Partition, value: str, way: Way, run: Run
) -> PairTerms | None:
    """Return d and the distributions of a value without a visit, if there is a way."""
    if value not in SIMILARITIES:
        of_crisp = VALUES[value].of_crisp
        if not (of_crisp and P.kind == Q.kind == "crisp"):
            return None
        m = P.n_objects * (P.n_objects - 1) // 2
        return PairTerms(P.n_objects, "crisp", m, loaded(of_crisp)(P, Q))
    match way:
        case "crisp":
            return crisp_terms(P, Q)
        case "fuzzy-crisp":
            return fuzzy_crisp(P, Q, value, run.engine)
        case "two-clusters":
            return two_clusters(P, Q, run.engine)
    return None


def _visited(
    P: Partition, Q: Partition, wanted: WantedTerms, way: Way, run: Run
) -> PairTerms:
    """Return the terms that a visit to the pairs gives: all, or a sample."""
    if way == "sorted":
        return terms_at_once(P, Q, wanted, run)
    m = P.n_objects * (P.n_objects - 1) // 2
    seconds = seconds_of_pairs(P, Q, run)
    # Of a sample the time is unknown, but not long.
    work = f"visiting all {m:.1e} pairs of objects" if way == "binned" else ""
    remedy = (
        "compare(P, Q, tol=1e-3) estimates ACI from a sample of them, with its error"
        f"{use_of_all_cores(run.engine)}"
    )
    visit = sampled_terms if way == "sampled" else terms_of_all_pairs
    with visible(run.progress, seconds=seconds, work=work, remedy=remedy) as tell:
        return visit(P, Q, wanted, run, Watch(tell, m))


# Terms, beside those of values, that may be computed as `_scaled_up` says.
_SCALE_FREE = {
    Term("row products"),
    Term("pair sums", "omega"),
    Term("table", "anderson"),
}


def _is_scale_free(term: Term) -> bool:
    return term in _SCALE_FREE or (term.is_of_values and term.of != "")


def gather(
    P: Partition, Q: Partition, wanted: Iterable[Term], run: Run
) -> Mapping[Term, Any]:
    """
    Compute terms of two aligned partitions, each once.

    Terms are a `Concordance`, a discordance (NDC without its expectation, for less),
    the same `of` a value, under permutations, tables (each a `PairTable`), other sums
    over pairs, and the terms of objects that the catalogue lists.
    All sums over pairs come from one visit. A term has the same bits whatever else is
    wanted, but for the error of the discordance, which is smaller beside a concordance.
    """
    asked = tuple(dict.fromkeys(wanted))
    scaled = _scaled_up(P, Q)
    if scaled is not None and (of_scaled := [*filter(_is_scale_free, asked)]):
        rest = [term for term in asked if term not in of_scaled]
        alone = replace(run, checkpoint=None) if rest else run  # a file is for a visit
        return {**gather(*scaled, of_scaled, alone), **gather(P, Q, rest, run)}
    # Two crisp partitions have one table, by whatever name.
    others = [term for term in asked if not term.is_of_values]
    tables = {x: defined_table(P, Q, x) for x in others if x.what == "table"}
    if OBJECT_MEANS in asked and run.store is None:
        run = replace(run, store={})  # means of objects take the same distributions
    # These, which may be refused, come before the visit, and means of objects after.
    early = [term for term in others if term.what in TERMS and term != OBJECT_MEANS]
    found = {term: loaded(TERMS[term.what])(P, Q, run) for term in early}
    agreements = _agreements(asked, run)
    terms = _pair_terms(P, Q, asked, agreements, dict.fromkeys(tables.values()), run)
    of_families = (each for x in tables.values() for each in FAMILIES[x.of].terms)
    found |= object_terms(P, Q, dict.fromkeys((*others, *of_families)), run)
    if OBJECT_MEANS in asked:
        found[OBJECT_MEANS] = loaded(TERMS[OBJECT_MEANS.what])(P, Q, run)
    for term, (value, null) in agreements.items():
        own = terms if terms is None else terms.others.get(value, terms)
        if term.what == "discordance":
            found[term] = Bounded(0.0, 0.0) if own is None else own.discordance
        elif term.what == "distributions":
            found[term] = None if own is None else own.distributions
        else:
            found[term] = concordance_of(P, Q, own, run, value, null)
    sums = {term: term for term in others if term.what == "pair sums"}
    for term, defined in {**tables, **sums}.items():
        found[term] = _summed(P, Q, defined, terms, found)
    return {term: found[term] for term in asked}


def _scaled_up(P: Partition, Q: Partition) -> tuple[Partition, Partition] | None:
    """
    Multiply memberships that are all small by one power of 2, which rounds nothing.

    Indices of inner products do not depend on it, nor does Anderson's table: even the
    omega index, which cuts differences off at 1, as no sum of memberships passes 1
    before or after.
    """
    if not P.kind == Q.kind == "possibilistic":
        return None
    largest = max(float(X.columns().sum(axis=0).max(initial=0.0)) for X in (P, Q))
    exponent = math.frexp(largest)[1]
    if exponent >= 0 or largest == 0.0:
        return None
    p, q = (
        Partition(np.ldexp(X.columns().T, -exponent), kind="possibilistic")
        for X in (P, Q)
    )
    return p, q


def gathered_concordance(P: Partition, Q: Partition, run: Run) -> Concordance:
    """Return NDC, its expectation and ACI of aligned partitions, as `gather` does."""
    check_kinds(P, Q)
    value, null = run.similarity, null_of(run)
    terms = None
    if P.n_objects > 1:
        wanted = WantedTerms(value, True, NULLS[null].needs_distributions)
        terms = terms_of_pairs(P, Q, wanted, run)
    return concordance_of(P, Q, terms, run, value, null)


def null_of(run: Run) -> str:
    """Return the name of the model of chance; ``method="permutations"`` is one too."""
    return "sampled-permutations" if run.method == "permutations" else run.null


def _pair_terms(
    P: Partition,
    Q: Partition,
    asked: tuple[Term, ...],
    agreements: Mapping[Term, tuple[str, str]],
    tables: Iterable[Term],
    run: Run,
) -> PairTerms | None:
    """Compute what is wanted of the pairs, if there are any and it needs them."""
    visited = tuple(term for term in tables if FAMILIES[term.of].values)
    if not P.kind == Q.kind == "crisp":
        visited += tuple(term for term in asked if term.what == "pair sums")
    if OF_PAIRS & {*asked}:
        check_kinds(P, Q)
    if P.n_objects < 2 or not (agreements or visited):
        return None
    needs: dict[str, bool] = {}
    for term, (value, null) in agreements.items():
        needed = term.what == "concordance" and NULLS[null].needs_distributions
        needed = needed or term.what == "distributions" or needs.get(value, False)
        needs[value] = needed
    first, *rest = needs or (run.similarity,)
    others = tuple(WantedTerms(value, True, needs[value]) for value in rest)
    of_first = first, bool(needs), needs.get(first, False)
    return terms_of_pairs(P, Q, WantedTerms(*of_first, visited, others), run)


def _agreements(asked: Iterable[Term], run: Run) -> dict[Term, tuple[str, str]]:
    """Return terms of values, these and models of chance, those of the run first."""
    of_values = (term for term in asked if term.is_of_values)
    return {
        term: (term.of, "permutations") if term.of else (run.similarity, null_of(run))
        for term in sorted(of_values, key=lambda term: bool(term.of))
    }


def concordance_of(
    P: Partition,
    Q: Partition,
    terms: PairTerms | None,
    run: Run,
    value: str,
    name: str,
) -> Concordance:
    """Return ACI of a value of pairs under a model of chance."""
    if terms is None:
        return no_pairs(P.n_objects, similarity=value, null=name)
    if terms.crisp is not None and name == "permutations":
        return of_crisp_table(terms.crisp, P.n_objects, similarity=value)
    if value != run.similarity:
        run = replace(run, similarity=value)
    expected: Expectation = loaded(NULLS[name].formula)(P, Q, terms, run)
    found = adjusted(terms, expected, name, value)
    if found.error >= 1.0 and NULLS[name].permutes:
        sides = Side(P, value), Side(Q, value)
        found = of_one_value(found, *(side.only_value for side in sides))
    return found


def _summed(
    P: Partition,
    Q: Partition,
    term: Term,
    terms: PairTerms | None,
    sums: Mapping[Term, Any],
) -> Summed:
    """Return a table, or other sums over pairs, which crisp ones have by theirs."""
    found: Summed
    if terms is not None and term in terms.sums:
        found = terms.sums[term]
        return _with_rounding(P, Q, found) if isinstance(found, PairTable) else found
    if of_pairs(term).values and P.n_objects < 2:
        return summed(term, [0] * n_sums(term))
    if term.what == "table":
        record = FAMILIES[term.of]
        found = applied(record.formula, record.terms, sums)
    else:
        found = loaded(PAIR_SUMS[term.of].of_crisp)(crisp_table(P, Q))
    return found


def _with_rounding(P: Partition, Q: Partition, table: PairTable) -> PairTable:
    """Add to a table from pairs how far rounding may move its numbers."""
    rounding = FAMILIES[table.family].rounding
    if not rounding:
        return table
    m = P.n_objects * (P.n_objects - 1) // 2
    # Of blocks and of what they add up to, more than of all at once.
    relative = (min(BLOCK_HEIGHT + WIDTH, m) + 16) * UNIT_ROUNDOFF
    own = loaded(rounding)(P, Q) * m
    sizes = map(abs, (table.a, table.b, table.c, table.d))
    return replace(table, rounding=tuple(relative * x + own for x in sizes))
