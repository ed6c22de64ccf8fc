"""Indices of all pairs of many partitions, what belongs to one computed once."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache, partial
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
from concordant.comparison import Formula, Wanted, formulas_of
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
from concordant.execution.single_thread import single_blas_thread
from concordant.kept import kept
from concordant.many.given import spoken
from concordant.many.kept_rows import kept_rows
from concordant.measures.adjusted import of_crisp_table
from concordant.measures.comparing import check_defined
from concordant.measures.tables.crisp import crisp_tables
from concordant.measures.tables.pair_table import PairTable
from concordant.pairs.all_pairs import Pair, job_name, terms_of_many
from concordant.pairs.at_once import FEW_OBJECTS, Held, terms_of_values
from concordant.pairs.distribution import Join, joined, merged
from concordant.pairs.pair_terms import PairTerms, WantedTerms
from concordant.partition.alignment import MatchBy, all_aligned, same_objects
from concordant.partition.partition import Partition
from concordant.storage.memory import keep_freed_memory

#: Pairs of partitions, with value and error of each index and statistic.
Rows = tuple[Sequence[Pair], Matrix]

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

    def put(
        self, wanted: Wanted, pairs: Sequence[Pair], rows: Matrix, turned: bool = False
    ) -> None:
        """Take a row for each pair, perhaps for that of Q and P as well."""
        if not pairs:
            return
        i, j = np.array(pairs).T
        for number, name in enumerate((*wanted.all_indices, *wanted.statistics)):
            for square, column in ((self.values, 0), (self.errors, 1)):
                square[name][i, j] = rows[:, 2 * number + column]
                if turned:
                    square[name][j, i] = square[name][i, j]


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
    found = Squares(
        {name: np.eye(k) * best.get(name, 1.0) for name in indices},
        {name: np.zeros((k, k)) for name in indices},
    )
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
        of_visited = _visited(members, visited, wanted, run, done)
        found.put(wanted, *of_visited, turned=True)
        others = sorted({*pairs}.difference(visited))
        found.put(wanted, *_by_pair(members, others, wanted, run, done), turned=True)
        if one_way:
            turned, less = [(j, i) for i, j in pairs], wanted.only(one_way)
            found.put(less, *_by_pair(members, turned, less, run, done))
        if rest:
            equal, less = [(i, i) for i in range(k)], wanted.only(rest)
            found.put(less, *_by_pair(members, equal, less, run, done))
    return found


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
) -> Rows:
    """Visit all pairs of objects, for some tens of partitions at once."""
    _, formulas = _asked(wanted, "fuzzy", "fuzzy")
    wants_aci = CONCORDANCE in wanted.terms_for("fuzzy", "fuzzy")
    terms = WantedTerms(run.similarity, discordance=True, distributions=wants_aci)
    taken: list[Pair] = []
    rows: list[list[float | None]] = []
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
        taken += own
        for pair, each in zip(own, all_terms.values(), strict=True):
            found = _of_values(*members.pair(pair), each, run)
            rows.append([number for formula in formulas for number in formula(found)])
    return taken, np.array(rows, dtype=np.float64)  # in which None is NaN


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
) -> Rows:
    """Compare partitions pair by pair: short work in parallel, long work in itself."""
    if not pairs:
        return [], np.empty((0, 0))
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
    return [*chain.from_iterable(tasks)], rows


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
    keep_freed_memory()
    asked_of = cache(partial(_asked, wanted))
    tables = _crisp_tables(members, pairs, wanted, run)
    rows = []
    with single_blas_thread():  # which is cheap inside another
        for pair in pairs:
            with members.named(pair):
                P, Q = members.pair(pair)
                asked, formulas = asked_of(P.kind, Q.kind)
                terms = _terms(P, Q, asked, run, join, tables.get(pair))
                rows.append([x for formula in formulas for x in formula(terms)])
    return np.array(rows, dtype=np.float64)  # in which None is NaN


def _asked(wanted: Wanted, *kinds: str) -> tuple[tuple[Term, ...], list[Formula]]:
    """Return the terms that two partitions need, and what makes scores of these."""
    P, Q = kinds
    made = formulas_of(wanted, (P, Q))
    return wanted.terms_for(P, Q), [formula for _, formula in made.values()]


def _crisp_tables(
    members: _Members, pairs: Sequence[Pair], wanted: Wanted, run: Run
) -> Mapping[Pair, PairTable]:
    """Return the tables of crisp partitions, if these tell all that is wanted."""
    tell = {*wanted.terms_for("crisp", "crisp")} <= _OF_CRISP and _is_usual(run)
    if not tell or not members.are_aligned or not 1 < members.n_objects <= _SHORT:
        return {}
    is_crisp = [partition.kind == "crisp" for partition in members.partitions]
    crisp = [(i, j) for i, j in pairs if is_crisp[i] and is_crisp[j]]
    return dict(zip(crisp, crisp_tables(members.partitions, crisp), strict=True))


def _is_usual(run: Run) -> bool:
    """Return whether ACI is exact, and corrects for permutations of the objects."""
    return run.method == "auto" and null_of(run) == "permutations"


def _terms(
    P: Partition,
    Q: Partition,
    asked: tuple[Term, ...],
    run: Run,
    join: Join,
    table: PairTable | None,
) -> Mapping[Term, Any]:
    """Return terms of two partitions; those of many pairs without detours."""
    if table is not None:
        both = of_crisp_table(table, P.n_objects)
        d = Bounded(both.discordance, both.discordance_error)
        return {CRISP_TABLE: table, CONCORDANCE: both, DISCORDANCE: d}
    are_fuzzy, n = P.kind == Q.kind == "fuzzy", P.n_objects
    of_values = are_fuzzy and 1 < n <= FEW_OBJECTS and {*asked} <= OF_PAIRS
    if not of_values or not _is_usual(run):
        return gather(P, Q, asked, run)
    p, q = (Held.of(each, run.similarity, run) for each in (P, Q))
    held = terms_of_values(p, q, distributions=CONCORDANCE in asked, join=join)
    return _of_values(P, Q, held, run)


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
