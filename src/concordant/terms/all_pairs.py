"""Terms of pairs from a visit to all of them."""

from dataclasses import replace
from itertools import chain

from concordant.execution.checkpoint import Job, open_job
from concordant.execution.progress import Watch
from concordant.execution.run import Run
from concordant.partition.partition import Partition
from concordant.storage.memory import keep_freed_memory
from concordant.terms.distribution import Bounded, Distribution, expected_difference
from concordant.terms.fold_pairs import fold_all_pairs
from concordant.terms.folds import Cells, Difference, PairSums
from concordant.terms.grid import RELATIVE_ERROR
from concordant.terms.pair_terms import PairTerms, Wanted
from concordant.terms.side import Side

Sides = tuple[Side, Side]


def terms_of_all_pairs(
    P: Partition, Q: Partition, wanted: Wanted, run: Run, watch: Watch
) -> PairTerms:
    """Visit all pairs once, and once more where values crowd too much for the grids."""
    sides = Side(P, wanted.value), Side(Q, wanted.value)
    differences = [Difference(wanted.value)] if wanted.discordance else []
    cells = {
        number: Cells(wanted.value, number, side.grid)
        for number, side in enumerate(sides)
        if wanted.distributions and run.known(*side.key) is None
    }
    tables = [PairSums(name) for name in wanted.tables]
    folds = [*differences, *cells.values(), *tables]
    job = open_job(run.checkpoint, _job_name(wanted), (P, Q))

    def aci() -> float | None:
        if not (wanted.discordance and len(cells) == 2):
            return None  # one that is known before holds all pairs already
        expected = expected_difference(*_distributions(sides, cells, run)).value
        return 1.0 - differences[0].mean / expected if expected > 0.0 else 1.0

    keep_freed_memory()
    if folds:
        fold_all_pairs(sides, folds, run.engine, watch, job, aci)
    both = expected = None
    if wanted.distributions:
        both = _distributions(sides, cells, run)
        for number in cells:
            run.keep(*sides[number].key, both[number])
        expected = expected_difference(*both)
        if expected.error > RELATIVE_ERROR * expected.value:
            both = _refined(sides, both, run, watch)
            expected = expected_difference(*both)
    n = P.n_objects
    discordance = None
    for fold in differences:
        means = (None, None) if both is None else (both[0].average, both[1].average)
        rounding = [
            side.rounding(mean) for side, mean in zip(sides, means, strict=True)
        ]
        discordance = Bounded(fold.mean, fold.error + (rounding[0] + rounding[1]))
    exact = all(side.is_on_multiples for side in sides)
    return PairTerms(
        n,
        "lattice" if exact and wanted.distributions else "binned",
        n * (n - 1) // 2,
        discordance,
        both,
        {fold.table: fold.pair_table() for fold in tables},
        expected,
    )


def _job_name(wanted: Wanted) -> str:
    parts = (
        ("discordance",) if wanted.discordance else (),
        ("distributions",) if wanted.distributions else (),
        wanted.tables,
    )
    return f"{wanted.value}: " + ", ".join(chain(*parts))


def _distributions(
    sides: Sides, cells: dict[int, Cells], run: Run
) -> tuple[Distribution, Distribution]:
    """Return the distributions of both sides, counted now or known before."""
    F, G = (
        _distribution(side, cells[number]) if number in cells else run.known(*side.key)
        for number, side in enumerate(sides)
    )
    return F, G


def _distribution(side: Side, cells: Cells) -> Distribution:
    found = cells.distribution()
    moved = found.displacement + side.moved(found.average)
    return replace(found, displacement=moved)


def _refined(
    sides: Sides, both: tuple[Distribution, Distribution], run: Run, watch: Watch
) -> tuple[Distribution, Distribution]:
    """Count values again on finer grids, unless they are told exactly."""
    finer = {
        number: Cells(side.value, number, grid)
        for number, side in enumerate(sides)
        if run.known(*side.finer_key) is None
        and (grid := side.finer_grid(both[number])) is not None
    }
    if finer:
        no_job = Job(None, "", "")
        fold_all_pairs(sides, list(finer.values()), run.engine, watch, no_job)
    found = list(both)
    for number, side in enumerate(sides):
        if number in finer:
            run.keep(*side.finer_key, _distribution(side, finer[number]))
            found[number] = _distribution(side, finer[number])
        else:
            found[number] = run.known(*side.finer_key) or both[number]
    return found[0], found[1]
