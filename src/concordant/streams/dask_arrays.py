"""Dask arrays are summed where their chunks are, in one pass over the objects."""

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from concordant.comparison import Comparison
from concordant.errors import Data, InputError
from concordant.partition.noise import warn_of_noise
from concordant.partition.partition import Kind, Partition
from concordant.partition.reading import is_dask_array
from concordant.streams.accumulator import (
    Accumulator,
    Kinds,
    one_pass_agreement,
    one_pass_families,
)
from concordant.wording import count

_FAN_IN = 8  # sums that are merged by one task


def one_pass(
    cluster: Any, P: Any, Q: Any, families: Sequence[str]
) -> Comparison | None:
    """
    Compare two partitions, of which at least one is a Dask array.

    Parameters
    ----------
    cluster : Cluster
        Where the chunks are.
    P, Q : Dask array, or what a Partition can be made from
        Two partitions of the same objects.
    families : sequence of str
        The families of which tables are wanted; if it is empty, the concordance is.

    Returns
    -------
    Comparison or None
        None if what is wanted takes all pairs.

    Notes
    -----
    For given chunks the result is the same bits, whatever the workers. No more than
    two chunks for each thread are worked on at a time.
    """
    in_chunks = is_dask_array(P), is_dask_array(Q)
    P, Q = _in_rows(P, "P"), _in_rows(Q, "Q")
    if P.shape[0] != Q.shape[0]:
        raise InputError(
            Data("P"),
            f" has {count(P.shape[0], 'object')} and ",
            Data("Q"),
            f" has {Q.shape[0]}: they must describe the same objects",
        )
    cluster.wait_for_workers()
    rows = (P if is_dask_array(P) else Q).chunks[0]
    chunks_p, chunks_q = _chunks(P, rows), _chunks(Q, rows)
    kinds = _kind(cluster, P, chunks_p), _kind(cluster, Q, chunks_q)
    if not _is_one_pass(P, Q, kinds, families):
        return None
    parts = _parts(cluster, chunks_p, chunks_q, kinds, tuple(families))
    accumulator: Accumulator = cluster.result(_merged_in_a_tree(cluster, parts))
    found = zip("PQ", accumulator.hold_noise, in_chunks, strict=True)
    for name, holds_noise, lies_in_chunks in found:
        if holds_noise and lies_in_chunks:  # of other data it was told above
            warn_of_noise(name)
    return accumulator.result()


def _is_one_pass(P: Any, Q: Any, kinds: Kinds, families: Sequence[str]) -> bool:
    p, q = (kind or "crisp" for kind in kinds)
    if families:
        return p == q == "crisp" or {*families} <= {*one_pass_families(p, q)}
    K, L = (1 if side.ndim == 1 else side.shape[1] for side in (P, Q))
    return one_pass_agreement(p, q, K, L)


def _in_rows(data: Any, name: str) -> Any:
    """Let chunks of a Dask array hold whole rows; check other data."""
    if not is_dask_array(data):
        partition = Partition._named(data, name)
        return np.asarray(
            partition.clusters[partition.labels]
            if partition.kind == "crisp"
            else partition.memberships
        )
    if data.ndim not in (1, 2):
        raise ValueError(
            f"{name} must be labels (1-D) or memberships (2-D), found {data.ndim} "
            "dimensions"
        )
    if np.isnan(data.shape[0]):
        raise ValueError(
            f"{name} has chunks of unknown size; call its .compute_chunk_sizes() first"
        )
    return data if data.ndim == 1 else data.rechunk({1: -1})


def _chunks(data: Any, rows: Sequence[int]) -> list[Any]:
    """Cut data along the chunks of the other."""
    if is_dask_array(data):
        return list(data.rechunk({0: tuple(rows)}).to_delayed().ravel())
    return np.split(data, np.cumsum(rows)[:-1])


def _kind(cluster: Any, data: Any, chunks: list[Any]) -> Kind | None:
    """Tell what memberships are: crisp only if every chunk is."""
    if data.ndim == 1:
        return None
    for chunk in chunks:
        found: Kind = cluster.result(cluster.submit(_kind_of, _sent(cluster, chunk)))
        if found == "fuzzy":
            return found
    return "crisp"


def _parts(
    cluster: Any,
    chunks_p: list[Any],
    chunks_q: list[Any],
    kinds: Kinds,
    families: tuple[str, ...],
) -> Iterator[Any]:
    """Sum chunk by chunk, of which only some are worked on at a time."""
    working: deque[Any] = deque()
    for number, (p, q) in enumerate(zip(chunks_p, chunks_q, strict=True)):
        chunk = (_sent(cluster, p), _sent(cluster, q))
        part = cluster.submit(_part, *chunk, kinds, families, number)
        working.append(part)
        if len(working) >= 2 * sum(cluster.threads().values()):
            cluster.wait(working.popleft())
        yield part


def _merged_in_a_tree(cluster: Any, parts: Iterator[Any]) -> Any:
    levels: list[list[Any]] = [[]]
    for part in parts:
        levels[0].append(part)
        for depth, level in enumerate(levels):
            if len(level) < _FAN_IN:
                break
            if depth + 1 == len(levels):
                levels.append([])
            levels[depth + 1].append(cluster.submit(_merged, *level))
            level.clear()
    return cluster.submit(_merged, *(part for level in levels for part in level))


def _sent(cluster: Any, chunk: Any) -> Any:
    return chunk if isinstance(chunk, np.ndarray) else cluster.borrowed(chunk)


def _kind_of(chunk: object) -> Kind:
    return Partition(chunk).kind


def _part(
    p: object, q: object, kinds: Kinds, families: tuple[str, ...], number: int
) -> Accumulator:
    accumulator = Accumulator(kinds=kinds, families=families)
    return accumulator.part(p, q, number, warn=False)


def _merged(first: Accumulator, *others: Accumulator) -> Accumulator:
    total = Accumulator(kinds=first._kinds, families=first._families)
    for part in (first, *others):
        total.merge(part)
    return total
