"""Indices of all pairs of many partitions, what belongs to one computed once."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue.families import STATISTICS
from concordant.catalogue.indices import INDICES
from concordant.catalogue.lookups import applied
from concordant.catalogue.nulls import NULLS
from concordant.catalogue.terms import CONCORDANCE, DISCORDANCE, OF_PAIRS, Term
from concordant.comparison import Wanted, compared
from concordant.compute import (
    check_kinds,
    concordance_of_terms,
    discordance_of_terms,
    gather,
    null_of,
    seconds_of_pairs,
    way_of,
)
from concordant.errors import Data, WordedError
from concordant.execution.checkpoint import Job, check_repeatable
from concordant.execution.engine import Threads
from concordant.execution.progress import Progress, Watch, visible
from concordant.execution.run import Run
from concordant.many.given import spoken
from concordant.measures.adjusted import Score
from concordant.measures.comparing import check_defined
from concordant.nulls.permutations import expectation_of_terms
from concordant.pairs.all_pairs import Pair, job_name, terms_of_many
from concordant.pairs.bands import seconds_per_pair
from concordant.pairs.pair_terms import WantedTerms
from concordant.partition.alignment import MatchBy, all_aligned, same_objects
from concordant.partition.partition import Partition
from concordant.storage.archive import Archive

Square = NDArray[np.float64]
#: The scores of pairs of partitions, by the names of indices.
Found = dict[Pair, dict[str, Score]]

_TOGETHER = 20  # partitions; those of two such groups are visited at once
_LONG = 0.5  # seconds of a pair of partitions, from which on all work on one pair


@dataclass(frozen=True)
class Squares:
    """Indices of all pairs of k partitions, and their errors, NaN where not known."""

    values: Mapping[str, Square]
    errors: Mapping[str, Square]


@dataclass(frozen=True)
class _Members:
    """Partitions, what they are called, and how their objects are matched."""

    partitions: Sequence[Partition]
    names: Sequence[str]
    match_by: MatchBy

    def pair(self, pair: Pair) -> tuple[Partition, Partition]:
        """Return two of them with the objects that both have, in the same order."""
        both = [self.partitions[number] for number in pair]
        P, Q = all_aligned(both, [self.names[number] for number in pair], self.match_by)
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
    best = {name: INDICES[name].best for name in indices if _is_reflexive(name)}
    values = {name: np.eye(k) * best.get(name, 1.0) for name in indices}
    errors = {name: np.zeros((k, k)) for name in indices}
    rest = tuple(name for name in indices if name not in best)
    progress, run = run.progress, replace(run, store={}, progress=False)
    pairs = [*combinations(range(k), 2)]
    one_way = tuple(name for name in indices if not is_symmetric(name, run))
    n_done = len(pairs) * (1 + bool(one_way)) + k * bool(rest)
    visited = [pair for pair in pairs if _is_visited(members, pair, wanted, run)]
    seconds = sum(seconds_of_pairs(*members.pair(pair), run) for pair in visited)
    with visible(progress, seconds=seconds) as tell:
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
            places = ([i], [j]) if name in one_way else ([i, j], [j, i])
            values[name][places] = value
            errors[name][places] = np.nan if error is None else error
    return Squares(values, errors)


def is_symmetric(name: str, run: Run) -> bool:
    """Return whether P and Q may be exchanged."""
    if name not in INDICES:
        return "symmetric" in STATISTICS[name].laws
    record = INDICES[name]
    of_null = CONCORDANCE in record.terms and not NULLS[null_of(run)].symmetric
    return "symmetric" in record.laws and not of_null


def _is_reflexive(name: str) -> bool:
    return name in INDICES and "reflexive" in INDICES[name].laws


def _is_visited(members: _Members, pair: Pair, wanted: Wanted, run: Run) -> bool:
    """Return whether all pairs of objects are visited, for d and E[d] only."""
    P, Q = (members.partitions[number] for number in pair)
    terms = {*wanted.terms_for(P.kind, Q.kind)}
    if not terms <= OF_PAIRS or members.match_by != "position":
        return False
    if any(p._kept is not None for p in members.partitions) or len(P) < 2:
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
        n = len(members.partitions[0])
        name = f"{job_name(terms)}, of many, {number}"
        all_terms = terms_of_many(
            [members.partitions[i] for i in chosen],
            [(chosen.index(i), chosen.index(j)) for i, j in own],
            terms,
            run,
            Watch(done.part(len(own)), n * (n - 1) // 2),
            Job(run.checkpoint, name, members.partitions),
        )
        for pair, each in zip(own, all_terms.values(), strict=True):
            held: dict[Term, Any] = {DISCORDANCE: discordance_of_terms(each)}
            if wants_aci:
                expected = expectation_of_terms(each)
                held[CONCORDANCE] = concordance_of_terms(each, expected)
            found[pair] = {
                index: applied(INDICES[index].formula, INDICES[index].terms, held)
                for index in wanted.all_indices
            }
    return found


def _visits(pairs: Sequence[Pair]) -> Iterator[tuple[list[int], list[Pair]]]:
    """Yield partitions that are visited together, with the pairs that this does."""
    chosen = sorted({number for pair in pairs for number in pair})
    groups = [chosen[i : i + _TOGETHER] for i in range(0, len(chosen), _TOGETHER)]
    left = {*pairs}
    groups += [[]] * (len(groups) == 1)
    for one, other in combinations(groups, 2):
        both = [*one, *other]
        own = [pair for pair in combinations(both, 2) if pair in left]
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
    job = Job(run.checkpoint, said, members.partitions)
    found: Found = {}
    if job.kept is not None:
        with job.resuming():
            found = _resumed(job.kept.facts["scores"], pairs, wanted)
    left = [pair for pair in pairs if pair not in found]
    watch = Watch(done.part(len(pairs)), len(pairs))
    how = replace(run, checkpoint=None)
    results: Iterator[dict[str, Score]]
    if any(_seconds(*members.pair(pair)) > _LONG for pair in left[:1]):
        results = (scores_of_pair(members, wanted, how, pair) for pair in left)
    else:
        here = replace(how, engine=Threads(1))
        tasks = ((pair,) for pair in left)
        results = run.engine.run(scores_of_pair, (members, wanted, here), tasks)

    def state() -> Archive:
        kept = [
            [*pair, [[name, *score] for name, score in scores.items()]]
            for pair, scores in found.items()
        ]
        return Archive({"scores": kept}, {})

    with job.keeping(state):
        for pair, scores in zip(left, results, strict=True):
            found[pair] = scores
            job.offer(state)
            watch.tell(len(found))
    return found


def scores_of_pair(
    members: _Members, wanted: Wanted, run: Run, pair: Pair
) -> dict[str, Score]:
    """Return what is wanted of two partitions, by the names of indices."""
    with members.named(pair):
        P, Q = members.pair(pair)
        terms = gather(P, Q, wanted.terms_for(P.kind, Q.kind), run)
        kinds, n_clusters = (P.kind, Q.kind), (P.n_clusters, Q.n_clusters)
        scores = compared(kinds, n_clusters, P.n_objects, wanted, terms).scores
    return {name.rpartition("/")[2]: score for name, score in scores.items()}


def _seconds(P: Partition, Q: Partition) -> float:
    """Estimate how long one core takes to visit all pairs of objects."""
    n = P.n_objects
    return n * (n - 1) // 2 * seconds_per_pair(P.n_clusters + Q.n_clusters)


def _resumed(kept: Any, pairs: Sequence[Pair], wanted: Wanted) -> Found:
    """Return the scores that a file kept, of these pairs and indices and no others."""
    found = {
        (int(i), int(j)): {
            str(name): Score(float(value), None if error is None else float(error))
            for name, value, error in scores
        }
        for i, j, scores in kept
    }
    names = {*wanted.all_indices, *wanted.statistics}
    if not {*found} <= {*pairs} or any({*scores} != names for scores in found.values()):
        raise ValueError("scores of other pairs or indices")
    return found
