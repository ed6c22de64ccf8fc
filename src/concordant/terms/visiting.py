"""A visit to all pairs of objects becomes tasks, as long as the engine wants them."""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, TypeVar

from numpy.typing import NDArray

from concordant.execution.engine import Engine
from concordant.pairs.bands import Tiles, seconds_per_pair, unrolled
from concordant.pairs.blocks import (
    blocks_needed,
    blocks_of,
    spans_of_tiles,
    visit_blocks,
)

R = TypeVar("R")

_PAIRS_OF_TASK = 1 << 20  # of a thread: some milliseconds


def visit_tiles(
    engine: Engine,
    visit: Callable[..., R],
    columns: Sequence[NDArray[Any]],
    others: Sequence[Any],
    start: int,
) -> Iterator[tuple[int, R]]:
    """
    Visit all pairs from a tile on, in order.

    `visit` is a function of a module, called as ``visit(*columns, *others, bands)``.
    Columns, of shape (..., n), hold what is known of each object; they are unrolled, or
    blocks of them put side by side. `start` is the first of the `Tiles` of n objects.
    Yields how many tiles more are visited, and the result for these.
    """
    tiles = Tiles(columns[0].shape[-1])
    seconds = engine.task_seconds()
    if seconds is None:
        arrays = (*(unrolled(column) for column in columns), *others)
        step = max(1, _PAIRS_OF_TASK * len(tiles) // max(1, tiles.n_pairs))
        cuts = [*range(start, len(tiles), step), len(tiles)]
        tasks = ((tiles.bands(first, last),) for first, last in pairwise(cuts))
        runs = zip(pairwise(cuts), engine.run(visit, arrays, tasks), strict=True)
        for (first, last), result in runs:
            yield last - first, result
        return
    n_columns = sum(column.size // tiles.n for column in columns)
    spans = list(spans_of_tiles(tiles, start, seconds / seconds_per_pair(n_columns)))
    results = engine.run(
        _visit,
        blocks_of(columns),
        ((visit, tuple(others), tiles.n, first, last) for first, last in spans),
        needs=(blocks_needed(tiles, first, last) for first, last in spans),
    )
    for (first, last), result in zip(spans, results, strict=True):
        yield last - first, result


def _visit(*given: Any) -> Any:
    """Take apart what a task is given: its blocks, then how to visit them."""
    *blocks, visit, others, n, first, last = given
    return visit_blocks(blocks, visit, others, n, first, last)
