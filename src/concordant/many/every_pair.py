"""Indices of all pairs of many partitions, what belongs to one computed once."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import accumulate, chain, combinations, pairwise, product
from typing import Any

import numpy as np

from concordant.arrays import Matrix
from concordant.bounded import Bounded
from concordant.catalogue.indices import INDICES
from concordant.catalogue.lookups import measure
from concordant.catalogue.nulls import NULLS
from concordant.catalogue.terms import (
    CONCORDANCE,
    CRISP_TABLE,
    DISCORDANCE,
    OF_PAIRS,
    Term,
)
from concordant.comparison import Wanted, scores_of
from concordant.compute import (
    check_kinds,
    concordance_of,
    gather,
    null_of,
    seconds_of_pairs,
    way_of,
)
from concordant.errors import Data, WordedError
from concordant.execution.checkpoint import Job, check_repeatable
from concordant.execution.engine import Threads, use_of_all_cores
from concordant.execution.progress import Progress, Watch, visible
from concordant.execution.run import Run
from concordant.kept import kept
from concordant.many.given import spoken
from concordant.many.kept_rows import kept_rows
from concordant.measures.adjusted import of_crisp_table
from concordant.measures.comparing import check_defined
from concordant.measures.tables.crisp import crisp_table
from concordant.pairs.all_pairs import Pair, job_name, terms_of_many
from concordant.pairs.at_once import FEW_OBJECTS, Held, terms_of_values
from concordant.pairs.distribution import Join, expected_difference, joined, merged
from concordant.pairs.pair_terms import PairTerms, WantedTerms
from concordant.partition.alignment import MatchBy, all_aligned, same_objects
from concordant.partition.partition import Partition

#: Value and error of indices, by their names, of pairs of partitions.
Found = dict[Pair, Mapping[str, tuple[float, float | None]]]

_TOGETHER = 20  # partitions; those of two such groups are visited at once
#: Of the time that two partitions take alone, in that of a pair of many.
LEAST_SHARE = 0.2
_SHORT = 20_000  # objects, up to which hundreds of crisp pairs take no second
_MANY = 1 << 25  # values of pairs to be merged, that are worth loading compiled code
_OF_CRISP = OF_PAIRS | {CRISP_TABLE}
_QUICK = "table", "contingency", "bonds"  # terms that take well under a millisecond
_LONG = 0.5  # seconds of a pair of partitions, from which on all work on one pair


@dataclass(frozen=True)
class Squares:
    """Indices of all pairs of k partitions, and their errors, NaN where not known."""

    values: Mapping[str, Matrix]
    errors: Mapping[str, Matrix]


@dataclass(frozen=True)
class _Members:
    """Partitions, what they are called, and how their objects are matched."""

    partitions: Sequence[Partition]
    names: Sequence[str]
    match_by: MatchBy

    @kept
    def are_aligned(self) -> bool:
        """Whether the i-th object is the same in all of them."""
        return self.match_by == "position" and all(
            partition._kept is None for partition in self.partitions
        )

    @property
    def n_objects(self) -> int:
        """The number of objects of the first of them."""
        return self.partitions[0].n_objects

    def pair(self, pair: Pair) -> tuple[Partition, Partition]:
        """Return two of them with the objects that both have, in the same order."""
        i, j = pair
        both = self.partitions[i], self.partitions[j]
        if self.are_aligned:
            return both
        P, Q = all_aligned(both, [self.names[i], self.names[j]], self.match_by)
        return P, Q

    def matching(self) -> str:
        """Return a fingerprint of what objects are matched by, beside memberships."""
        from hashlib import blake2b

        digest = blake2b(self.match_by.encode(), digest_size=16)
        for partition in self.partitions:
            for which in (partition._kept, partition._ids):
                digest.update(repr(None if which is None else [*which]).encode())
        return digest.hexdigest()

    @contextmanager
    def named(self, pair: Pair) -> Iterator[None]:
        """Call two partitions by their names in what is said of P and Q."""
        try:
            yield
        except WordedError as error:
            called = dict(zip("PQ", (self.names[i] for i in pair), strict=True))
            raise type(error)(
                *(
                    Data(called[piece.name])
                    if isinstance(piece, Data) and piece.name in called
                    else piece
                    for piece in error.message.pieces
                )
            ) from error


class _Done:
    """How many of all pairs of partitions are done, which a callback is told."""

    def __init__(self, progress: Progress | None, total: int) -> None:
        self._progress, self._total, self._done = progress, total, 0

    def part(self, size: int) -> Progress | None:
        """Return a callback for work that does so many of them."""
        tell, before = self._progress, self._done
        self._done += size
        if tell is None:
            return None
        return lambda done, total, _: tell(
            before + size * done // max(total, 1), self._total, None
        )


def scores_of_all_pairs(
    partitions: Sequence[Partition],
    names: Sequence[str],
    wanted: Wanted,
    run: Run,
    match_by: MatchBy = "position",
) -> Squares:
    """
    Compute what is wanted of all pairs of partitions, with one family and t-norm.

    Of each partition with itself, too: indices that are reflexive have their best value
    there, and all others are computed. Pairs are compared on the objects that both
    have.
    """
    names = [*map(spoken, names)]
    if match_by == "common" and same_objects(partitions):
        match_by = "id"
    if match_by != "common" and all(p._kept is None for p in partitions):
        partitions, match_by = all_aligned(partitions, names, match_by), "position"
    members = _Members(partitions, names, match_by)
    k = len(partitions)
    for pair in pairwise(range(k)):
        with members.named(pair):
            P, Q = (partitions[number] for number in pair)
            check_defined(wanted.indices or (), P, Q, "index")
    indices = (*wanted.all_indices, *wanted.statistics)
    best = {
        name: INDICES[name].best
        for name in indices
        if name in INDICES and "reflexive" in INDICES[name].laws
    }
    values = {name: np.eye(k) * best.get(name, 1.0) for name in indices}
    errors = {name: np.zeros((k, k)) for name in indices}
    rest = tuple(name for name in indices if name not in best)
    progress, run = run.progress, replace(run, progress=False)
    if members.are_aligned and members.n_objects > FEW_OBJECTS:
        run = replace(run, store={})  # of fewer objects, groups of pairs have their own
    pairs = [*combinations(range(k), 2)]
    one_way = tuple(name for name in indices if not is_symmetric(name, run))
    n_done = len(pairs) * (1 + bool(one_way)) + k * bool(rest)
    visited = [pair for pair in pairs if _is_visited(members, pair, wanted, run)]
    seconds = sum(_seconds_of_visit(members, *visit, run) for visit in _visits(visited))
    work = f"visiting all pairs of objects for {len(visited)} pairs of partitions"
    remedy = f'checkpoint="file" keeps what is done{use_of_all_cores(run.engine)}'
    with visible(progress, seconds=seconds, work=work, remedy=remedy) as tell:
        done = _Done(tell, n_done)
        found = _visited(members, visited, wanted, run, done)
        others = [pair for pair in pairs if pair not in found]
        found |= _by_pair(members, others, wanted, run, done)
        if one_way:
            turned = [(j, i) for i, j in pairs]
            of_turned = wanted.only(one_way)
            found |= _by_pair(members, turned, of_turned, run, done)
        if rest:
            itself = wanted.only(rest)
            found |= _by_pair(members, [(i, i) for i in range(k)], itself, run, done)
    for (i, j), scores in found.items():
        for name, (value, error) in scores.items():
            values[name][i, j] = value
            errors[name][i, j] = np.nan if error is None else error
            if name not in one_way:
                values[name][j, i], errors[name][j, i] = value, errors[name][i, j]
    return Squares(values, errors)


def is_symmetric(name: str, run: Run) -> bool:
    """Return whether P and Q may be exchanged."""
    if name in INDICES and CONCORDANCE in INDICES[name].terms:
        return NULLS[null_of(run)].symmetric
    return "symmetric" in measure(name).laws


def _is_visited(members: _Members, pair: Pair, wanted: Wanted, run: Run) -> bool:
    """Return whether all pairs of objects are visited, for d and E[d] only."""
    if not members.are_aligned or members.n_objects <= FEW_OBJECTS:
        return False
    P, Q = members.pair(pair)
    if not {*wanted.terms_for(P.kind, Q.kind)} <= OF_PAIRS:
        return False
    with members.named(pair):
        check_kinds(P, Q)
        way = way_of(P, Q, run)
    return way == "binned" and null_of(run) == "permutations"


def _visited(
    members: _Members, pairs: Sequence[Pair], wanted: Wanted, run: Run, done: _Done
) -> Found:
    """Visit all pairs of objects, for some tens of partitions at once."""
    wants_aci = CONCORDANCE in wanted.terms_for("fuzzy", "fuzzy")
    terms = WantedTerms(run.similarity, discordance=True, distributions=wants_aci)
    found: Found = {}
    for number, (chosen, own) in enumerate(_visits(pairs)):
        n = members.n_objects
        name = f"{job_name(terms)}, of many, {number}"
        all_terms = terms_of_many(
            [members.partitions[i] for i in chosen],
            [(chosen.index(i), chosen.index(j)) for i, j in own],
            terms,
            run,
            Watch(done.part(len(own)), n * (n - 1) // 2),
            Job(run.checkpoint, name, (X.columns() for X in members.partitions)),
        )
        for pair, each in zip(own, all_terms.values(), strict=True):
            both = _of_values(*members.pair(pair), each, run)
            found[pair] = scores_of(wanted, ("fuzzy", "fuzzy"), both)
    return found


def _seconds_of_visit(
    members: _Members, chosen: Sequence[int], own: Sequence[Pair], run: Run
) -> float:
    """Estimate how long partitions take together: most of it is to know their pairs."""
    each = [seconds_of_pairs(*members.pair(pair), run) for pair in own]
    own_share = (1.0 - LEAST_SHARE) / 2 * len(chosen) / len(own)
    return (own_share + LEAST_SHARE) * sum(each)


def _visits(pairs: Sequence[Pair]) -> Iterator[tuple[list[int], list[Pair]]]:
    """Yield partitions that are visited together, with the pairs that this does."""
    chosen = sorted({number for pair in pairs for number in pair})
    groups = [chosen[i : i + _TOGETHER] for i in range(0, len(chosen), _TOGETHER)]
    left = {*pairs}
    groups += [[]] * (len(groups) == 1)
    for one, other in combinations(groups, 2):
        both = [*one, *other]
        own = [pair for pair in product(both, both) if pair in left]
        left.difference_update(own)
        if own:
            yield both, own


def _by_pair(
    members: _Members, pairs: Sequence[Pair], wanted: Wanted, run: Run, done: _Done
) -> Found:
    """Compare partitions pair by pair: short work in parallel, long work in itself."""
    if not pairs:
        return {}
    said = (
        f"{wanted}, {run.similarity}, {run.method}, {run.tol}, {run.null}, "
        f"{run.n_permutations}, {run.random_state}, {pairs[0]}, {members.matching()}"
    )
    if run.checkpoint is not None and (run.samples or run.method == "permutations"):
        check_repeatable(run.random_state)
    job = Job(run.checkpoint, said, (X.columns() for X in members.partitions))
    engine, run = run.engine, replace(run, checkpoint=None)
    here = replace(run, engine=Threads(1))
    if seconds_of_pairs(*members.pair(pairs[0]), here) > _LONG:
        engine, here = here.engine, run
    m = members.n_objects * (members.n_objects - 1) // 2
    data = members, wanted, here, merged if len(pairs) * m > _MANY else joined
    tasks = _tasks(members, pairs, wanted, run)

    def others(n_done: int) -> Iterator[Matrix]:
        places = accumulate(map(len, tasks), initial=-n_done)
        each = zip(tasks, places, strict=False)
        left = (task[max(0, -place) :] for task, place in each)
        return engine.run(_scores, data, ((task,) for task in left if task))

    names = *wanted.all_indices, *wanted.statistics
    watch = Watch(done.part(len(pairs)), len(pairs))
    rows = kept_rows(job, (len(pairs), 2 * len(names)), others, watch)
    return {
        pair: dict(zip(names, zip(row[::2], row[1::2], strict=True), strict=True))
        for pair, row in zip(chain.from_iterable(tasks), rows.tolist(), strict=True)
    }


def _tasks(
    members: _Members, pairs: Sequence[Pair], wanted: Wanted, run: Run
) -> list[list[Pair]]:
    """Put pairs of few objects together by their partitions; others stand alone."""
    kinds = {partition.kind for partition in members.partitions}
    terms = {term for both in product(kinds, kinds) for term in wanted.terms_for(*both)}
    most = _SHORT if kinds == {"crisp"} else FEW_OBJECTS
    if (
        members.n_objects <= most
        and members.are_aligned
        and null_of(run) == "permutations"
        and all(term in OF_PAIRS or term.what in _QUICK for term in terms)
    ):
        return [own for _, own in _visits(pairs)]
    return [[pair] for pair in pairs]


def _scores(
    members: _Members, wanted: Wanted, run: Run, join: Join, pairs: Sequence[Pair]
) -> Matrix:
    """Return a row for each pair: value and error of each index and statistic."""
    if run.store is None:  # what these pairs share is gone with them
        run = replace(run, store={})
    names = *wanted.all_indices, *wanted.statistics
    rows = []
    for pair in pairs:
        with members.named(pair):
            P, Q = members.pair(pair)
            kinds = P.kind, Q.kind
            terms = _terms(P, Q, wanted.terms_for(*kinds), run, join)
            found = scores_of(wanted, kinds, terms)
            rows.append([number for name in names for number in found[name]])
    return np.array(rows, dtype=np.float64)  # in which None is NaN


def _terms(
    P: Partition, Q: Partition, asked: tuple[Term, ...], run: Run, join: Join
) -> Mapping[Term, Any]:
    """Return terms of two partitions; those of many pairs without detours."""
    kinds, n = {P.kind, Q.kind}, P.n_objects
    is_usual = run.method == "auto" and null_of(run) == "permutations" and n > 1
    if is_usual and kinds == {"crisp"} and {*asked} <= _OF_CRISP:
        table = crisp_table(P, Q)
        both = of_crisp_table(table, n)
        d = Bounded(both.discordance, both.discordance_error)
        return {CRISP_TABLE: table, CONCORDANCE: both, DISCORDANCE: d}
    if is_usual and kinds == {"fuzzy"} and {*asked} <= OF_PAIRS and n <= FEW_OBJECTS:
        p, q = (Held.of(each, run.similarity, run) for each in (P, Q))
        held = terms_of_values(p, q, distributions=CONCORDANCE in asked)
        if held.distributions is not None:
            expected = expected_difference(*held.distributions, join)
            held = replace(held, expected=expected)
        return _of_values(P, Q, held, run)
    return gather(P, Q, asked, run)


def _of_values(
    P: Partition, Q: Partition, held: PairTerms, run: Run
) -> dict[Term, Any]:
    """Return the discordance and, if there are distributions, the concordance."""
    found: dict[Term, Any] = {DISCORDANCE: held.discordance}
    if held.distributions is not None:
        found[CONCORDANCE] = concordance_of(
            P, Q, held, run, run.similarity, "permutations"
        )
    return found
