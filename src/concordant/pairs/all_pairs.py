"""Terms of pairs from a visit to all of them, for two partitions or many."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain

from concordant.bounded import Bounded
from concordant.execution.checkpoint import Job
from concordant.execution.progress import Watch
from concordant.execution.run import Run
from concordant.pairs.distribution import Distribution, expected_difference
from concordant.pairs.fold_pairs import fold_all_pairs
from concordant.pairs.folds import Cells, Difference, PairSums
from concordant.pairs.grid import RELATIVE_ERROR
from concordant.pairs.pair_terms import PairTerms, WantedTerms
from concordant.pairs.side import Side
from concordant.partition.partition import Partition
from concordant.storage.memory import keep_freed_memory

# The error, in relation to E[d], with which values are counted again on a finer grid:
# grids aim at half of it.
_MOST_ERROR = 2.0 * RELATIVE_ERROR

#: Two of several partitions, by their numbers.
Pair = tuple[int, int]
Distributions = tuple[Distribution, Distribution]


def terms_of_all_pairs(
    P: Partition, Q: Partition, wanted: WantedTerms, run: Run, watch: Watch
) -> PairTerms:
    """Visit all pairs once, and once more where values crowd too much for the grids."""
    job = Job(run.checkpoint, job_name(wanted), (X.columns() for X in (P, Q)))
    return terms_of_many((P, Q), [(0, 1)], wanted, run, watch, job)[0, 1]


def terms_of_many(
    partitions: Sequence[Partition],
    pairs: Sequence[Pair],
    wanted: WantedTerms,
    run: Run,
    watch: Watch,
    job: Job,
) -> dict[Pair, PairTerms]:
    """
    Visit all pairs of objects once for some pairs of several partitions.

    Values of a partition are computed once for all of its pairs, and counted once. With
    other sums or values there are two partitions; another value of theirs is folded
    as if it were that of two more.
    """
    if run.store is None:
        run = replace(run, store={})
    sides = [Side(P, wanted.value) for P in partitions]
    asked = dict.fromkeys(pairs, wanted)
    for other in wanted.others:
        asked[len(sides), len(sides) + 1] = other
        sides += [Side(P, other.value) for P in partitions]
    differences = {
        pair: Difference(each.value, pair)
        for pair, each in asked.items()
        if each.discordance
    }
    counted = [pair for pair, each in asked.items() if each.distributions]
    numbers = dict.fromkeys(chain(*counted))
    cells = {
        number: Cells(sides[number].value, number, sides[number].grid)
        for number in numbers
        if run.known(sides[number].partition, sides[number].value) is None
    }
    sums = [PairSums(term) for term in wanted.sums]
    folds = [*differences.values(), *cells.values(), *sums]

    def aci() -> float | None:
        if len(partitions) > 2 or not (wanted.discordance and {0, 1} <= {*cells}):
            return None  # one that is known before holds all pairs already
        F, G = (sides[k].displaced(cells[k].distribution()) for k in (0, 1))
        expected = expected_difference(F, G).value
        return 1.0 - differences[0, 1].mean / expected if expected > 0.0 else 1.0

    keep_freed_memory()
    if folds:
        fold_all_pairs(sides, folds, run.engine, watch, job, aci)
    for number, held in cells.items():
        side = sides[number]
        run.keep(side.partition, side.value, side.displaced(held.distribution()))
    known = {i: run.known(sides[i].partition, sides[i].value) for i in numbers}
    both, expected = _expected(sides, counted, known, run, watch)
    n = partitions[0].n_objects
    found = {}
    for (i, j), each in asked.items():
        F_G = both.get((i, j))
        discordance = None
        if each.discordance:
            fold = differences[i, j]
            means = (None, None) if F_G is None else (F_G[0].average, F_G[1].average)
            p, q = sides[i].rounding(means[0]), sides[j].rounding(means[1])
            discordance = Bounded(fold.mean, fold.error + (p + q))
        exact = each.distributions and None not in (sides[i].unit, sides[j].unit)
        found[i, j] = PairTerms(
            n,
            "lattice" if exact else "binned",
            n * (n - 1) // 2,
            discordance,
            F_G,
            {fold.term: fold.found() for fold in sums},
            expected=expected.get((i, j)),
        )
    others = {sides[i].value: found[i, j] for i, j in asked if (i, j) not in pairs}
    return {pair: replace(found[pair], others=others) for pair in pairs}


def job_name(wanted: WantedTerms) -> str:
    """Name what is computed, as a checkpoint knows it."""
    parts = (
        ("discordance",) if wanted.discordance else (),
        ("distributions",) if wanted.distributions else (),
        map(str, wanted.sums),
        map(job_name, wanted.others),
    )
    return f"{wanted.value}: " + ", ".join(chain(*parts))


def _expected(
    sides: Sequence[Side],
    pairs: Sequence[Pair],
    known: Mapping[int, Distribution],
    run: Run,
    watch: Watch,
) -> tuple[dict[Pair, Distributions], dict[Pair, Bounded]]:
    """Return E|X - Y| of pairs of partitions, with the distributions that give it."""
    both = {(i, j): (known[i], known[j]) for i, j in pairs}
    expected = {pair: expected_difference(*F_G) for pair, F_G in both.items()}
    coarse = [p for p, e in expected.items() if e.error > _MOST_ERROR * e.value]
    crowded = {number: known[number] for number in chain(*coarse)}
    finer = _refined(sides, crowded, run, watch)
    for i, j in coarse:
        again = expected_difference(finer[i], finer[j])
        if again.error < expected[i, j].error:
            both[i, j], expected[i, j] = (finer[i], finer[j]), again
    return both, expected


def _refined(
    sides: Sequence[Side], known: Mapping[int, Distribution], run: Run, watch: Watch
) -> dict[int, Distribution]:
    """Count values again on finer grids, unless they are told exactly."""
    found, finer = dict(known), dict[int, Cells]()
    for number, F in known.items():
        side = sides[number]
        before = run.known(side.partition, (side.value, "finer"))
        if before is not None:
            found[number] = before
        elif (grid := side.finer_grid(F)) is not None:
            finer[number] = Cells(side.value, number, grid)
    if finer:
        no_job = Job(None, "", ())
        fold_all_pairs(sides, list(finer.values()), run.engine, watch, no_job)
    for number, cells in finer.items():
        side = sides[number]
        found[number] = side.displaced(cells.distribution())
        run.keep(side.partition, (side.value, "finer"), found[number])
    return found
