"""Folds of all pairs, tile by tile, which an engine runs and a file can keep."""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, TypeVar

from numpy.typing import NDArray

from concordant.arrays import Vector
from concordant.catalogue.lookups import loaded
from concordant.catalogue.values import VALUES
from concordant.execution.checkpoint import Job
from concordant.execution.engine import Engine
from concordant.execution.progress import Watch
from concordant.pairs.bands import BLOCK_SIZE, Tiles, seconds_per_pair, unrolled
from concordant.pairs.folds import Block, Fold, in_fours, resume_all, states
from concordant.pairs.side import Side
from concordant.storage.archive import Archive

R = TypeVar("R")
#: What is known of objects, by what it is and the number of the partition.
Known = dict[tuple[str, int], Vector]

_PAIRS_OF_TASK = 1 << 20  # of a thread: some milliseconds


def known_of_objects(sides: Sequence[Side], folds: Sequence[Fold]) -> Known:
    """Return what folds need of each object."""
    known: Known = {}
    for value, number, _ in (need for fold in folds for need in fold.needs):
        side, record = sides[number], VALUES[value]
        what = record.columns
        if (what, number) not in known:
            own = what == VALUES[side.value].columns
            columns = side.columns if own else loaded(what)(side.partition)
            known[what, number] = in_fours(columns, record.fills_up)
    return known


def fold_bands(*given: Any) -> list[Any]:
    """Return folds of bands, given columns, their names, the folds and the bands."""
    *columns, names, folds, bands = given
    block = Block(dict(zip(names, columns, strict=True)), BLOCK_SIZE)
    found = [fold.empty() for fold in folds]
    for band in bands:
        for place in band.blocks():
            block.move(*place)
            for fold in found:
                fold.add(block)
    return found


def visit_tiles(
    engine: Engine,
    visit: Callable[..., R],
    columns: Sequence[NDArray[Any]],
    others: Sequence[Any],
    start: int,
    *,
    fixed: bool = False,
) -> Iterator[tuple[int, R]]:
    """
    Visit all pairs from a tile on, in order.

    `visit` is a function of a module, called as ``visit(*columns, *others, bands)``.
    Columns, of shape (..., n), hold what is known of each object; they are unrolled.
    `start` is the first of the `Tiles` of n objects. Yields the number of further tiles
    that are visited, and the result for these. Where results are sums that are rounded,
    tasks must be `fixed`, the same for all engines, so that bits are the same.
    """
    tiles = Tiles(columns[0].shape[-1])
    seconds, n_pairs = engine.task_seconds(), float(_PAIRS_OF_TASK)
    if seconds is not None and not fixed:
        n_columns = sum(column.size // tiles.n for column in columns)
        n_pairs = seconds / seconds_per_pair(n_columns)
    step = max(1, int(n_pairs * len(tiles) / max(1, tiles.n_pairs)))
    cuts = [*range(start, len(tiles), step), len(tiles)]
    tasks = ((tiles.bands(first, last),) for first, last in pairwise(cuts))
    arrays = (*(unrolled(column) for column in columns), *others)
    runs = zip(pairwise(cuts), engine.run(visit, arrays, tasks), strict=True)
    for (first, last), result in runs:
        yield last - first, result


def fold_all_pairs(
    sides: Sequence[Side],
    folds: Sequence[Any],
    engine: Engine,
    watch: Watch,
    job: Job,
    estimate: Callable[[], float | None] = lambda: None,
) -> None:
    """Fill folds with all pairs, or with those that an interrupted job has left."""
    n_done = 0
    if job.kept is not None:
        with job.resuming():
            n_done = job.kept.facts["n_done"]
            resume_all(folds, job.kept.facts["folds"], job.kept.arrays)

    def state() -> Archive:
        facts, arrays = states(folds)
        return Archive({"n_done": n_done, "folds": facts}, arrays)

    known = known_of_objects(sides, folds)
    others = (list(known), [fold.empty() for fold in folds])
    with job.keeping(state):
        tiles = visit_tiles(engine, fold_bands, list(known.values()), others, n_done)
        for n_tiles, part in tiles:
            with job.changing():
                for fold, more in zip(folds, part, strict=True):
                    fold.merge(more)
                n_done += n_tiles
            job.offer(state)
            watch.tell(folds[0].n_pairs, estimate)
