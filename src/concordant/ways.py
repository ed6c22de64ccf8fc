"""Which way the terms of pairs are computed, from the data and the arguments alone."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Literal, get_args

from concordant.catalogue import FREE_SUMS, VALUES, Similarity, loaded
from concordant.errors import Data, InputError, Piece, Setting, Wordings
from concordant.execution.progress import Watch, visible
from concordant.execution.run import Run
from concordant.partition.partition import Partition
from concordant.shortcuts.crisp import crisp_terms, fuzzy_crisp
from concordant.shortcuts.two_clusters import has_two_clusters, two_clusters
from concordant.terms.all_pairs import terms_of_all_pairs
from concordant.terms.at_once import bytes_at_once, fits, held_at_once, terms_at_once
from concordant.terms.pair_terms import PairTerms, Wanted
from concordant.terms.sampled import sampled_terms
from concordant.terms.side import MOST, Side, multiples_of

Method = Literal[
    "auto",
    "exact",
    "sampled",
    "permutations",
    "crisp",
    "fuzzy-crisp",
    "two-clusters",
    "sorted",
    "lattice",
    "binned",
]
Way = Literal["crisp", "fuzzy-crisp", "two-clusters", "sorted", "binned", "sampled"]

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


def way_of(P: Partition, Q: Partition, run: Run) -> Way:
    """Choose the way d and E[d] are computed, or refuse one that does not apply."""
    method, budget = run.method, run.memory_budget
    if method in ("auto", "exact", "permutations"):
        way = _fastest(P, Q, run)
        return "sampled" if way == "binned" and _sample_pays(P, run) else way
    if lacking := _lacking(P, Q, run):
        chooses = Setting("method", "auto"), " chooses"
        raise InputError(Setting("method", method), f" needs {lacking}; ", *chooses)
    if method == "sorted" and not fits(P.n_objects, budget):
        size = f"{bytes_at_once(P.n_objects)} bytes for {P.n_objects} objects"
        raise InputError(
            Setting("method", "sorted"),
            f" takes {size}, more than memory_budget={budget}; ",
            Setting("method", "binned"),
            " takes less",
        )
    return "binned" if method == "lattice" else method  # type: ignore[return-value]


def _lacking(P: Partition, Q: Partition, run: Run) -> str:
    """Return what a method needs and these partitions are not; empty if nothing."""
    kinds = sorted((P.kind, Q.kind))
    match run.method:
        case "crisp" if kinds != ["crisp", "crisp"]:
            return "two crisp partitions"
        case "fuzzy-crisp" if kinds != ["crisp", "fuzzy"]:
            return "a fuzzy and a crisp partition"
        case "two-clusters" if run.similarity != "l1" or not _have_two_clusters(P, Q):
            return "two fuzzy partitions into two clusters each, and L1 similarity"
        case "lattice" if not both_on_multiples(P, Q):
            multiples = f"multiples of some 1 / D, with D up to {MOST}"
            return f"memberships that are {multiples}, in both partitions"
    return ""


def _have_two_clusters(P: Partition, Q: Partition) -> bool:
    return has_two_clusters(P) and has_two_clusters(Q)


def _fastest(P: Partition, Q: Partition, run: Run) -> Way:
    """Choose the fastest way whose error is negligible."""
    if P.kind == Q.kind == "crisp":
        return "crisp"
    if run.similarity not in get_args(Similarity):
        return way_of_pairs(P, run)
    if {P.kind, Q.kind} == {"crisp", "fuzzy"} and _is_linear(P, Q, run.similarity):
        return "fuzzy-crisp"
    many = P.n_objects > _FEW_OF_TWO_CLUSTERS
    if many and run.similarity == "l1" and _have_two_clusters(P, Q):
        return "two-clusters"
    return way_of_pairs(P, run)


def way_of_pairs(P: Partition, run: Run) -> Literal["sorted", "binned"]:
    """Choose how all pairs are visited: all at once, or block by block."""
    at_once = held_at_once(P.n_objects, run.memory_budget)
    return "sorted" if at_once else "binned"


def _way_of_tables(P: Partition, run: Run) -> Way:
    """Choose how pairs are visited for tables alone: as beside d, to the same bits."""
    match run.method:
        case "sampled" | "sorted" | "binned":
            return run.method
        case "lattice":
            return "binned"
    return "sampled" if _sample_pays(P, run) else way_of_pairs(P, run)


def _sample_pays(P: Partition, run: Run) -> bool:
    """Return whether a sample is allowed, and faster than all pairs."""
    return run.tol is not None and P.n_objects > _FEW_TO_SAMPLE


def _is_linear(P: Partition, Q: Partition, similarity: str) -> bool:
    """Return whether no dissimilarity passes 1 by more than many objects are worth."""
    fuzzy = P if Q.kind == "crisp" else Q
    return P.n_objects > _FEW_WITH_EXCESS or Side(fuzzy, similarity).excess == 0.0


def both_on_multiples(P: Partition, Q: Partition) -> bool:
    """Return whether memberships of both are multiples of fractions 1 / D."""
    return multiples_of(P) is not None and multiples_of(Q) is not None


def check_kinds(P: Partition, Q: Partition) -> None:
    """Refuse partitions whose rows need not sum to 1: E is not defined for these."""
    remedy = (
        "; use ",
        Wordings("pair_table", "--index rand"),
        " with ",
        Setting("family", "anderson", "brouwer", "campello"),
    )
    check_sums("the concordance", *remedy, P=P, Q=Q)


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


@contextmanager
def _watched(P: Partition, Q: Partition, way: Way, run: Run) -> Iterator[Watch]:
    m = P.n_objects * (P.n_objects - 1) // 2
    long = takes_long(P, Q)
    hint = (
        f"visiting all {m:.1e} pairs; an estimate with its error takes a fraction of "
        "the time: tol=1e-3"
    )
    with visible(run.progress, long=long, hint=hint if way == "binned" else "") as tell:
        yield Watch(tell, m)


def terms_of_pairs(P: Partition, Q: Partition, wanted: Wanted, run: Run) -> PairTerms:
    """
    Return the terms of pairs that are wanted, of at least two objects.

    Values that have a shortcut take it; the others, and tables, share one visit.
    """
    visit = _way_of_tables(P, run)
    ways: dict[str, Way] = {
        each.value: _fastest(P, Q, replace(run, similarity=each.value))
        for each in wanted.others
    }
    if wanted.discordance or wanted.distributions:
        way = visit
        if wanted.value in get_args(Similarity):
            way = way_of(P, Q, replace(run, similarity=wanted.value))
        ways[wanted.value] = way
        visit = way if way in ("sorted", "binned", "sampled") else visit
    found = {
        value: terms
        for value, way in ways.items()
        if (terms := _shortcut(P, Q, value, way, run)) is not None
    }
    own = found.pop(wanted.value, None)
    left = wanted._replace(
        others=tuple(each for each in wanted.others if each.value not in found)
    )
    if own is not None:
        left = left._replace(discordance=False, distributions=False)
    if not any(left[1:]):
        return replace(own or PairTerms(P.n_objects, visit, 0), others=found)
    visited = _visited(P, Q, left, visit, run)
    if own is None:
        return replace(visited, others=found | {**visited.others})
    tables = {**own.tables, **visited.tables}
    return replace(own, tables=tables, others=found | {**visited.others})


def _shortcut(
    P: Partition, Q: Partition, value: str, way: Way, run: Run
) -> PairTerms | None:
    """Return d and the distributions of a value without a visit, if there is a way."""
    if value not in get_args(Similarity):
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
    P: Partition, Q: Partition, wanted: Wanted, way: Way, run: Run
) -> PairTerms:
    """Return the terms that a visit to the pairs gives: all, or a sample."""
    if way == "sorted":
        return terms_at_once(P, Q, wanted, run)
    visit = sampled_terms if way == "sampled" else terms_of_all_pairs
    with _watched(P, Q, way, run) as watch:
        return visit(P, Q, wanted, run, watch)
