"""The pairs of tiles, from blocks of objects that lie side by side."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from concordant.pairs.bands import Band, Tiles

R = TypeVar("R")
#: What is known of the objects of one row of tiles.
Block = list[NDArray[Any]]

#: A task holds its own block of objects and at most so many others.
MOST_BLOCKS = 12


def blocks_of(columns: Sequence[NDArray[Any]]) -> list[Block]:
    """
    Cut what is known of objects along the rows of their tiles.

    Parameters
    ----------
    columns : sequence of ndarray of shape (..., n)
        What is known of each object, along the last axis.

    Returns
    -------
    list of list of ndarray
        A block for each row.
    """
    tiles = Tiles(columns[0].shape[-1])
    return [
        [column[..., slice(*tiles.rows(row))] for column in columns]
        for row in range(tiles.n_rows)
    ]


def spans_of_tiles(
    tiles: Tiles, start: int, n_pairs: float
) -> Iterator[tuple[int, int]]:
    """
    Cut the tiles of each row into spans, of so many pairs if `MOST_BLOCKS` allow.

    Yields the first tile of each span and the one behind its last, from `start` on.
    """
    width = len(tiles.shifts)
    i0, i1 = tiles.rows(0)
    most_shifts = min(n_pairs / (i1 - i0), (MOST_BLOCKS - 2) * (i1 - i0))
    n_tiles = max(1, round(most_shifts / tiles.shifts[0][1]))
    n_spans = -(-width // n_tiles)
    for row in range(tiles.n_rows):
        for span in range(n_spans):
            first, last = (
                row * width + width * edge // n_spans for edge in (span, span + 1)
            )
            if last > start:
                yield max(first, start), last


def blocks_needed(tiles: Tiles, first: int, last: int) -> list[int]:
    """
    Tell which blocks tiles of one row need.

    Parameters
    ----------
    tiles : Tiles
        All tiles.
    first, last : int
        Those from `first` to before `last`, of one row.

    Returns
    -------
    list of int
        Their own block, then those with the objects that their shifts lead to.
    """
    row, start, stop = _reach(tiles, first, last)
    blocks = [row]
    while start < stop:
        block = _block_at(tiles, start % tiles.n)
        blocks.append(block)
        start += tiles.rows(block)[1] - start % tiles.n
    return blocks


def visit_blocks(
    blocks: Sequence[Block],
    task: Callable[..., R],
    others: Sequence[Any],
    n: int,
    first: int,
    last: int,
) -> R:
    """
    Run a task on the pairs of tiles.

    Parameters
    ----------
    blocks : sequence of list of ndarray
        The `blocks_needed`.
    task : callable
        Called as ``task(*columns, *others, bands)``.
    others : sequence
        What it gets beside.
    n : int
        How many objects there are.
    first, last : int
        The tiles from `first` to before `last`, of one row.

    Returns
    -------
    object
        What the task gives.
    """
    tiles = Tiles(n)
    row, start, _ = _reach(tiles, first, last)
    i0, i1 = tiles.rows(row)
    before = start % n - tiles.rows(_block_at(tiles, start % n))[0]
    columns = [np.concatenate(parts, axis=-1) for parts in zip(*blocks, strict=True)]
    # Object i is at i - i0, and object i + s behind the own block, as those met begin
    # with object start - before.
    further = (i1 - i0) - (start - before) + i0
    bands = [
        Band(band.i0 - i0, band.i1 - i0, band.first + further, band.width)
        for band in tiles.bands(first, last)
    ]
    return task(*columns, *others, bands)


def _reach(tiles: Tiles, first: int, last: int) -> tuple[int, int, int]:
    """Give the row of tiles, and the objects that its shifts lead to (modulo n)."""
    row = first // len(tiles.shifts)
    i0, i1 = tiles.rows(row)
    shortest, _ = tiles.shifts[first % len(tiles.shifts)]
    longest, width = tiles.shifts[(last - 1) % len(tiles.shifts)]
    return row, i0 + shortest, i1 - 1 + longest + width


def _block_at(tiles: Tiles, position: int) -> int:
    return ((position + 1) * tiles.n_rows - 1) // tiles.n
