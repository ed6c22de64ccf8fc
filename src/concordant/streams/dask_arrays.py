"""Dask arrays are summed where their chunks are, in one pass over the objects."""

import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from concordant.catalogue.families import FAMILIES
from concordant.catalogue.lookups import sum_behind
from concordant.catalogue.records import Kind
from concordant.catalogue.terms import OF_PAIRS, Term
from concordant.comparison import Wanted
from concordant.compute import visits_take_long
from concordant.errors import Data, InputError
from concordant.execution.engine import Threads
from concordant.execution.run import Run
from concordant.partition.noise import warn_of_noise
from concordant.partition.partition import Partition
from concordant.partition.reading import is_dask_array
from concordant.streams.accumulator import Accumulator, Kinds, one_pass_families
from concordant.streams.one_pass import is_one_pass
from concordant.wording import count, levels_to_the_caller

_FAN_IN = 8  # sums that are merged by one task


class LoadedHereWarning(UserWarning):
    """Dask arrays were loaded into this process, because pairs have to be visited."""


class OnChunks(NamedTuple):
    """
    What one pass over chunks told of two partitions.

    `terms` are those that take one pass; `data` are P and Q, loaded, if others are
    wanted, and else None. Tables that are `left_out` would take too long.
    """

    kinds: tuple[Kind, Kind]
    n_clusters: tuple[int, int]
    n_objects: int
    wanted: Wanted
    left_out: tuple[str, ...]
    terms: dict[Term, Any]
    data: tuple[Any, Any] | None


def on_chunks(
    run: Run, P: Any, Q: Any, wanted: Wanted, match_by: str = "position"
) -> OnChunks | None:
    """
    Compute terms where the chunks of Dask arrays are, as far as one pass tells them.

    None if there is no Dask array, or no client. For given chunks the result is the
    same bits, whatever the workers. No more than two chunks for each thread are worked
    on at a time.
    """
    in_chunks = is_dask_array(P), is_dask_array(Q)
    if (
        not any(in_chunks)
        or match_by != "position"
        or not hasattr(run.engine, "client")
    ):
        return None
    engine: Any = run.engine
    p, q = _in_rows(P, "P"), _in_rows(Q, "Q")
    n = p.shape[0]
    if n != q.shape[0]:
        raise InputError(
            Data("P"),
            f" has {count(n, 'object')} and ",
            Data("Q"),
            f" has {q.shape[0]}: they must describe the same objects",
        )
    engine.n_threads()  # there are workers, or it is said that there are none
    rows = (p if is_dask_array(p) else q).chunks[0]
    chunks_p, chunks_q = _chunks(p, rows), _chunks(q, rows)
    said: Kinds = (_kind(engine, p, chunks_p), _kind(engine, q, chunks_q))
    kinds = said[0] or "crisp", said[1] or "crisp"
    K, L = (1 if side.ndim == 1 else side.shape[1] for side in (p, q))
    usual = run.null == "permutations" and run.similarity == "l1"
    exact = usual and run.method == "auto"
    asked = _one_pass_terms(wanted, kinds, exact and is_one_pass(*kinds, K, L))
    terms: dict[Term, Any] = {}
    if asked:
        tables = [term.of for term in asked if term.what == "table"]
        families = [name for name in tables if name in one_pass_families(*kinds)]
        empty = Accumulator(kinds=said, families=families, indices=wanted.all_indices)
        total: Accumulator = engine.result(_summed(engine, chunks_p, chunks_q, empty))
        found = total.terms(asked, Threads(1))
        terms = {term: found[term] for term in asked if term in found}
        (K, L) = total.n_clusters
        told = zip("PQ", total.hold_noise, in_chunks, strict=True)
        for name, holds_noise, lies in told:
            if holds_noise and lies:  # of other data it was told above
                warn_of_noise(name)
    left_out: tuple[str, ...] = ()
    by_name = wanted.names_families
    if not (by_name or run.samples) and visits_take_long(n, K + L):
        wanted, left_out = wanted.without_pair_tables(*kinds)
    rest = [str(term) for term in wanted.terms_for(*kinds) if term not in terms]
    if wanted.test:
        rest.append("the permutation test")
    data = _loaded(engine, P, Q, rest) if rest else None
    return OnChunks(kinds, (K, L), n, wanted, left_out, terms, data)


def _one_pass_terms(
    wanted: Wanted, kinds: tuple[Kind, Kind], agreement: bool
) -> list[Term]:
    """Return the terms that are wanted and follow from sums over objects."""
    asked = []
    for term in wanted.terms_for(*kinds):
        one_pass = sum_behind(term, *kinds) is not None
        if term in OF_PAIRS:
            one_pass = agreement
        elif term.what == "table":
            one_pass = bool(FAMILIES[term.of].terms)
        if one_pass:
            asked.append(term)
    return asked


def _loaded(engine: Any, P: Any, Q: Any, terms: Sequence[str]) -> tuple[Any, Any]:
    """Load Dask arrays once, and say so."""
    named = {name: data for name, data in (("P", P), ("Q", Q)) if is_dask_array(data)}
    n_bytes = sum(data.nbytes for data in named.values())
    warnings.warn(
        f"{' and '.join(named)}, Dask arrays of {n_bytes / 1e6:.3g} MB, are loaded "
        f"here: {', '.join(terms)} cannot be summed where the chunks are; ask for what "
        "takes one pass over the objects, or load them before the call",
        LoadedHereWarning,
        stacklevel=levels_to_the_caller(),
    )
    futures = engine.client.compute([*named.values()])
    found = dict(zip(named, map(engine.result, futures), strict=True))
    return found.get("P", P), found.get("Q", Q)


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
        raise InputError(
            f"{name} must be labels (1-D) or memberships (2-D), found {data.ndim} "
            "dimensions"
        )
    if np.isnan(data.shape[0]):
        raise InputError(
            f"{name} has chunks of unknown size; call its .compute_chunk_sizes() first"
        )
    return data if data.ndim == 1 else data.rechunk({1: -1})


def _chunks(data: Any, rows: Sequence[int]) -> list[Any]:
    """Cut data along the chunks of the other."""
    if is_dask_array(data):
        return list(data.rechunk({0: tuple(rows)}).to_delayed().ravel())
    return np.split(data, np.cumsum(rows)[:-1])


def _kind(engine: Any, data: Any, chunks: list[Any]) -> Kind | None:
    """Return what memberships are: crisp only if every chunk is."""
    if data.ndim == 1:
        return None
    for chunk in chunks:
        found: Kind = engine.result(engine.submit(_kind_of, _sent(engine, chunk)))
        if found == "fuzzy":
            return found
    return "crisp"


def _summed(
    engine: Any, chunks_p: list[Any], chunks_q: list[Any], empty: Accumulator
) -> Any:
    """Add chunks to some sums, of which each takes one at a time, and merge these."""
    sums: list[Any] = [empty] * min(2 * engine.n_threads(), len(chunks_p))
    for number, (p, q) in enumerate(zip(chunks_p, chunks_q, strict=True)):
        place = number % len(sums)
        if number >= len(sums):
            engine.wait(sums[place])
        chunk = _sent(engine, p), _sent(engine, q)
        sums[place] = engine.submit(_added, sums[place], empty, *chunk, number)
    while len(sums) > 1:
        starts = range(0, len(sums), _FAN_IN)
        sums = [engine.submit(_merged, *sums[i : i + _FAN_IN]) for i in starts]
    return sums[0]  # no frame of a traceback keeps the others


def _sent(engine: Any, chunk: Any) -> Any:
    return chunk if isinstance(chunk, np.ndarray) else engine.client.compute(chunk)


def _kind_of(chunk: object) -> Kind:
    return Partition(chunk).kind


def _added(
    before: Accumulator, empty: Accumulator, p: object, q: object, number: int
) -> Accumulator:
    return _merged(before, empty.part(p, q, number, warn=False))


def _merged(first: Accumulator, *others: Accumulator) -> Accumulator:
    total = first.part((), (), 0)
    for part in (first, *others):
        total.merge(part)
    return total
