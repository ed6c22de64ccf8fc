"""A visit to all pairs of objects becomes tasks, as long as the engine wants them."""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, TypeVar

from numpy.typing import NDArray

from concordant.execution.engine import Engine
from concordant.pairs.bands import Tiles, seconds_per_pair, unrolled

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
    Columns, of shape (..., n), hold what is known of each object; they are unrolled.
    `start` is the first of the `Tiles` of n objects. Yields the number of further tiles
    that are visited, and the result for these.
    """
    tiles = Tiles(columns[0].shape[-1])
    seconds, n_pairs = engine.task_seconds(), float(_PAIRS_OF_TASK)
    if seconds is not None:
        n_columns = sum(column.size // tiles.n for column in columns)
        n_pairs = seconds / seconds_per_pair(n_columns)
    step = max(1, int(n_pairs * len(tiles) / max(1, tiles.n_pairs)))
    cuts = [*range(start, len(tiles), step), len(tiles)]
    tasks = ((tiles.bands(first, last),) for first, last in pairwise(cuts))
    arrays = (*(unrolled(column) for column in columns), *others)
    runs = zip(pairwise(cuts), engine.run(visit, arrays, tasks), strict=True)
    for (first, last), result in runs:
        yield last - first, result
