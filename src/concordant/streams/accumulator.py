"""Two partitions whose objects come a chunk at a time."""

from collections.abc import Iterable, Iterator, Sequence, Sized
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Any, Self, get_args

import numpy as np

from concordant.bounded import Bounded
from concordant.catalogue.families import FAMILIES
from concordant.catalogue.indices import INDICES
from concordant.catalogue.lookups import (
    applied,
    families_of_kinds,
    loaded,
    sum_behind,
)
from concordant.catalogue.records import FREE_SUMS, Kind
from concordant.catalogue.terms import (
    CONCORDANCE,
    CRISP_TABLE,
    DISCORDANCE,
    OF_PAIRS,
    SUMS,
    Term,
)
from concordant.comparison import Comparison, Wanted, compared
from concordant.door import checked
from concordant.errors import (
    Argument,
    Data,
    InputError,
    InputTypeError,
    Setting,
    Wordings,
    message_of,
)
from concordant.execution.engine import Engine, Threads
from concordant.execution.progress import Telling, visible
from concordant.execution.run import generator
from concordant.measures.adjusted import (
    Concordance,
    adjusted,
    no_pairs,
    of_crisp_table,
)
from concordant.measures.tables.pair_table import PairTable
from concordant.naming import index_named
from concordant.nulls.permutations import expectation_of_terms
from concordant.pairs.sampling import check_tol
from concordant.partition.alignment import aligned
from concordant.partition.partition import Partition
from concordant.storage.archive import (
    Archive,
    read_archive,
    starting_with,
    write_archive,
)
from concordant.streams.object_sample import ObjectSample
from concordant.streams.one_pass import one_pass_sums
from concordant.streams.one_side import StreamedSide, seen
from concordant.sums.object_sums import Summary, terms_of_sums
from concordant.underflow import tiny_is_zero
from concordant.wording import check_choice, count, either, several

Kinds = tuple[Kind | None, Kind | None]
Sides = tuple[StreamedSide, StreamedSide]

_FILE = "concordant stream"  # what a saved accumulator calls itself
_VERSION = 9
_MOST_OBJECTS = 1 << 33  # whose places can be summed in 64 bits


class Accumulator:
    """
    Sums of two partitions whose objects come one chunk at a time.

    Parameters
    ----------
    kinds : tuple of two {"crisp", "fuzzy", "possibilistic", "overlapping"} or None
        What P and Q are; found from the first chunk by default. Say ``"fuzzy"`` if the
        first memberships may happen to be zeros and ones.
    families : sequence of str, optional
        The families of which tables are wanted: by default all that take one pass,
        which are *frigui*, *brouwer* and *anderson*, and all families if P and Q are
        crisp. None if it is empty.
    indices : sequence of str, optional
        Indices to compute in addition to those that `compare` computes by default.
    tol : float, optional
        If NDC and ACI require pairs of objects, the half width of the 95 % confidence
        interval of ACI that an estimate from a sample of the objects is to reach; see
        `stream`. By default there is no estimate.
    random_state : int, numpy.random.Generator or None, default=None
        Source of the samples of objects and of their pairs. Accumulators that are to be
        merged need different ones.

    Notes
    -----
    The order of chunks and of merging does not change a bit: counts and cells are
    integers, and the products of a chunk are rounded once and then added exactly. How
    objects are divided into chunks can change the last bits of the tables of fuzzy
    partitions, and nothing else.

    Memory does not grow with the number of objects: a table of at most 2^18 cells,
    8 MB, for each cluster of a fuzzy partition and once more for its classes; four
    such tables for two clusters with two clusters. The error of the result covers what
    the cells leave open, and the amount by which rows of a rounded table exceed 1.

    NDC and ACI of two fuzzy partitions require all pairs, which one pass cannot
    provide, unless both have two clusters. With *brouwer*, directions are measured from
    that of equal memberships: if all objects point in nearly the same other direction,
    to within 1e-6 say, as many digits are lost as cosines differ in.

    Examples
    --------
    >>> import concordant as cc
    >>> half = cc.Accumulator().update([[0.9, 0.1], [0.8, 0.2]], [0, 0])
    >>> other_half = cc.Accumulator().update([[0.2, 0.8], [0.3, 0.7]], [1, 1])
    >>> comparison = half.merge(other_half).result()
    >>> round(comparison.concordance.aci, 6)
    0.425532
    """

    def __init__(
        self,
        *,
        kinds: Kinds = (None, None),
        families: Sequence[str] | None = None,
        indices: Sequence[str] = (),
        tol: float | None = None,
        random_state: int | np.random.Generator | None = None,
    ) -> None:
        if not isinstance(kinds, list | tuple) or len(kinds) != 2:
            raise InputError(
                'kinds must be two, one of P and one of Q, as ("fuzzy", None), found '
                f"{kinds!r}"
            )
        for kind in kinds:
            check_choice("kinds", kind, get_args(Kind))
        self._families = several("families", families)
        for family in self._families or ():
            check_choice("families", family, tuple(FAMILIES), optional=False)
        self._kinds: Kinds = (kinds[0], kinds[1])
        named = (index_named("indices", x) for x in several("indices", indices) or ())
        self._indices = tuple(index for index in named if index in INDICES)
        self._sides: Sides | None = None
        self._sample: ObjectSample | None = None
        source = generator(random_state)
        if tol is not None:
            check_tol(tol, "auto")
            self._sample = ObjectSample(int(source.integers(1 << 63)), float(tol))
        # By the names of `SUMS`, and what the terms of pairs follow from as "pairs".
        self._held: dict[str, Summary] = {}
        self._n_objects = 0
        self._n_chunks = 0

    def __repr__(self) -> str:
        return f"Accumulator({count(self._n_objects, 'object')})"

    @property
    def n_objects(self) -> int:
        """The number of objects seen so far."""
        return self._n_objects

    @property
    def n_chunks(self) -> int:
        """The number of chunks seen so far."""
        return self._n_chunks

    @property
    def n_clusters(self) -> tuple[int, int]:
        """The numbers of clusters of P and Q seen so far."""
        p, q = (side.n_clusters for side in self._sides) if self._sides else (0, 0)
        return p, q

    @property
    def hold_noise(self) -> tuple[bool, bool]:
        """Whether labels of P, and of Q, contain -1, which often marks noise."""
        p, q = (
            (side.holds_noise for side in self._sides) if self._sides else (False,) * 2
        )
        return p, q

    @tiny_is_zero
    def update(self, P_chunk: object, Q_chunk: object) -> Self:
        """
        Add objects.

        Parameters
        ----------
        P_chunk, Q_chunk : Partition, or anything one can be made from
            Two partitions of the same objects, which were not seen before. Labels are
            matched by their value from chunk to chunk, memberships by their column.
            A chunk without objects changes nothing.

        Returns
        -------
        Accumulator
            Itself.

        Raises
        ------
        ValueError
            If a chunk is invalid or does not match those before it; nothing of it is
            kept.
        """
        return self.merge(self.part(P_chunk, Q_chunk, self._n_chunks))

    def part(
        self, P_chunk: object, Q_chunk: object, number: int, *, warn: bool = True
    ) -> "Accumulator":
        """
        Make an accumulator of one chunk, to be merged with this one.

        Parameters
        ----------
        P_chunk, Q_chunk : Partition, or anything one can be made from
            Two partitions of the same objects.
        number : int
            What errors call the chunk, counted from 0.
        warn : bool, default=True
            Whether to warn of the label -1.

        Returns
        -------
        Accumulator
            A new one; this one is not changed, so that several threads can do so.
        """
        part = copy(self)
        part._sides, part._held, part._n_objects, part._n_chunks = None, {}, 0, 1
        if self._sample is not None:
            part._sample = ObjectSample(self._sample.seed, self._sample.tol)
        if _is_empty(P_chunk) and _is_empty(Q_chunk):
            return part
        kind_p, kind_q = (x.kind for x in self._sides) if self._sides else self._kinds
        with _blaming_chunk(number):
            P = _as_kind(P_chunk, kind_p, "P", warn)
            Q = _as_kind(Q_chunk, kind_q, "Q", warn)
            p, q = aligned(P, Q)
            p, side_p = seen(P_chunk, p, "P", kind_p)
            q, side_q = seen(Q_chunk, q, "Q", kind_q)
            self._united(side_p, side_q)
        part._sides, part._held = (side_p, side_q), self._empty_sums(side_p, side_q)
        with _blaming_chunk(number):
            for summary in part._held.values():
                summary.add(p, q)
        if self._sample is not None and part._needs_pairs:
            part._sample = self._sample.part(p, q, number)
        part._n_objects = p.n_objects
        return part

    @checked
    def merge(self, other: "Accumulator") -> Self:
        """
        Add what another accumulator has seen.

        Parameters
        ----------
        other : Accumulator
            Of other objects; it is not changed.

        Returns
        -------
        Accumulator
            Itself.

        Raises
        ------
        ValueError
            If the two are not parts of one stream: of other kinds, clusters or
            families.
        """
        if other._sides is None:
            self._n_chunks += other._n_chunks
            return self
        if self._n_objects + other._n_objects >= _MOST_OBJECTS:
            raise InputError(f"a stream has fewer than {_MOST_OBJECTS} objects")
        p, q = self._united(*other._sides)
        held = self._renumbered(p, q) if self._sides else self._empty_sums(p, q)
        if held.keys() != other._held.keys():
            raise InputError(
                "accumulators with different families= or indices= cannot be merged"
            )
        if (self._sample is None) != (other._sample is None):
            raise InputError("accumulators with and without tol= cannot be merged")
        if self._sample is not None and other._sample is not None:
            self._sample.merge(other._sample)
        self._sides, self._held = (p, q), held
        for name, summary in other._renumbered(p, q).items():
            held[name].merge(summary)
        self._n_objects += other._n_objects
        self._n_chunks += other._n_chunks
        return self

    @tiny_is_zero
    def result(
        self, wanted: Wanted | None = None, *, n_jobs: int | None = None
    ) -> Comparison:
        """
        Return the indices of all objects seen so far.

        Parameters
        ----------
        wanted : Wanted, optional
            Which indices; by default all that one pass provides.
        n_jobs : int, optional
            Number of threads for an estimate from objects that were drawn.

        Returns
        -------
        Comparison
            With the tables of the families, and the concordance unless it takes all
            pairs. More objects can be added afterwards.

        Raises
        ------
        ValueError
            If no objects were seen.
        """
        if self._sides is None:
            raise InputError("no chunk was given: there is nothing to compare")
        p, q = self._sides
        asked = wanted or Wanted(
            families="all" if self._families is None else self._families,
            besides=self._indices,
        )
        comparison = compared(
            (p.kind, q.kind),
            (p.n_clusters, q.n_clusters),
            self._n_objects,
            asked,
            self.terms(asked.terms_for(p.kind, q.kind), Threads(n_jobs)),
        )
        comparison.scores.of_stream = True
        if wanted is None and self._families is None:  # nobody asked for the tables
            return replace(comparison, prints_tables=False)
        return comparison

    @checked
    def save(self, path: str | Path) -> None:
        """
        Write everything seen so far to a file.

        Parameters
        ----------
        path : str or Path
            Where to write; an existing file is replaced, whole or not at all.

        Raises
        ------
        FileError
            If that is not possible.

        Notes
        -----
        The same objects give the same bytes. The file holds sums and counts, and with
        `tol` the memberships of the objects that were drawn.
        """
        facts = {
            "kinds": self._kinds,
            "families": self._families,
            "indices": self._indices,
            "n_objects": self._n_objects,
            "n_chunks": self._n_chunks,
            "sides": None
            if self._sides is None
            else [side.to_json() for side in self._sides],
            "sample": None if self._sample is None else self._sample.to_json(),
        }
        sample = {} if self._sample is None else {"sample": self._sample}
        arrays = {
            f"{name}.{key}": array
            for name, summary in (self._held | sample).items()
            for key, array in summary.arrays().items()
        }
        write_archive(path, _FILE, _VERSION, Archive(facts, arrays))

    @classmethod
    @checked
    def load(cls, path: str | Path) -> "Accumulator":
        """
        Read what `save` wrote.

        Parameters
        ----------
        path : str or Path
            Where from.

        Returns
        -------
        Accumulator
            One that continues where the saved one was.

        Raises
        ------
        FileError
            With a message of one line, if it is not such a file, is of another version,
            is cut short or was changed.
        """
        with read_archive(path, _FILE, _VERSION) as (facts, arrays):
            accumulator = cls(
                kinds=tuple(facts["kinds"]),
                families=facts["families"],
                indices=facts["indices"],
            )
            accumulator._n_objects = int(facts["n_objects"])
            accumulator._n_chunks = int(facts["n_chunks"])
            if facts["sides"] is not None:
                p, q = (StreamedSide.from_json(side) for side in facts["sides"])
                accumulator._sides = p, q
                accumulator._held = accumulator._empty_sums(p, q)
            for name, summary in accumulator._held.items():
                summary.restore(starting_with(f"{name}.", arrays))
            if facts["sample"] is not None:
                given = starting_with("sample.", arrays)
                accumulator._sample = ObjectSample.restored(facts["sample"], given)
        return accumulator

    def _empty_sums(self, p: StreamedSide, q: StreamedSide) -> dict[str, Summary]:
        """Return the sums that NDC and ACI, tables and indices need, of no objects."""
        K, L = p.n_clusters, q.n_clusters
        terms = (
            *(FAMILIES[name].terms for name in self._wanted(p, q)),
            *(INDICES[name].terms for name in self._indices),
        )
        names = {sum_behind(term, p.kind, q.kind) for some in terms for term in some}
        held: dict[str, Summary] = {
            name: loaded(SUMS[name].chunks)(K, L) for name in SUMS if name in names
        }
        pairs = one_pass_sums(p.kind, q.kind, K, L)
        return held if pairs is None else held | {"pairs": pairs}

    @property
    def _needs_pairs(self) -> bool:
        """Whether NDC and ACI are defined, and follow from no sums over objects."""
        kinds = [side.kind for side in self._sides or ()]
        return "pairs" not in self._held and kinds == ["fuzzy", "fuzzy"]

    def _wanted(self, p: StreamedSide, q: StreamedSide) -> tuple[str, ...]:
        """Return the families of which there will be tables."""
        if p.kind == q.kind == "crisp":
            return ("crisp",)
        one_pass = one_pass_families(p.kind, q.kind)
        if self._families is None:
            return one_pass
        for family in self._families:
            if family not in one_pass:
                raise InputError(
                    Setting("family", family),
                    f" of {p.kind} and {q.kind} partitions is not one pass over the "
                    f"objects: use {either(one_pass)}, or ",
                    Wordings("compare all objects at once", "--no-stream"),
                )
        return self._families

    def _united(self, p: StreamedSide, q: StreamedSide) -> Sides:
        """Return the sides with those of further objects, or refuse these."""
        if self._sides is not None:
            return self._sides[0].united(p), self._sides[1].united(q)
        for said, side in zip(self._kinds, (p, q), strict=True):
            if said not in (None, side.kind):
                raise InputError(Data(side.name), f" is {side.kind}, not {said}")
        return p, q

    def _renumbered(self, p: StreamedSide, q: StreamedSide) -> dict[str, Summary]:
        """Return the sums by the labels of a longer stream."""
        if self._sides is None or (p, q) == self._sides:
            return self._held
        numbers = self._sides[0].numbers_in(p), self._sides[1].numbers_in(q)
        return {
            name: summary.renumbered(*numbers, p.n_clusters, q.n_clusters)
            for name, summary in self._held.items()
        }

    def terms(self, asked: Sequence[Term], engine: Engine) -> dict[Term, Any]:
        """Return the terms that are known; an estimate only if it is asked for."""
        if self._sides is None:
            return {}
        p, q = self._sides
        kinds = p.kind, q.kind
        there = [
            term
            for term in map(Term, SUMS)
            if sum_behind(term, *kinds) in self._held
            and (term in asked or not SUMS[term.what].view)
        ]
        terms = terms_of_sums(there, kinds, lambda name: self._held[name].value())
        for family in self._wanted(p, q):
            record = FAMILIES[family]
            table = applied(record.formula, record.terms, terms)
            terms[Term("table", family)] = table
        found = self._concordance(terms.get(CRISP_TABLE), asked, engine)
        if found is not None:
            terms[CONCORDANCE] = found
            d, error = found.discordance, found.discordance_error
            terms[DISCORDANCE] = Bounded(d, error)
        return terms

    def _concordance(
        self, crisp: PairTable | None, asked: Sequence[Term], engine: Engine
    ) -> Concordance | None:
        """Return NDC and ACI if they are known, an estimate only if it is asked for."""
        pairs = self._held.get("pairs")
        estimated = self._needs_pairs and bool(OF_PAIRS & {*asked})
        sample = self._sample if estimated else None
        if crisp is None and pairs is None and sample is None:
            return None
        if self._n_objects < 2:
            return no_pairs(self._n_objects)
        if crisp is not None:
            return of_crisp_table(crisp, self._n_objects)
        if pairs is None:
            return None if sample is None else sample.concordance(engine)
        terms = pairs.value()
        return adjusted(terms, expectation_of_terms(terms))


@checked
@tiny_is_zero
def stream(
    chunks: Iterable[tuple[object, object]],
    *,
    kinds: Kinds = (None, None),
    families: Sequence[str] | None = None,
    tol: float | None = None,
    random_state: int | np.random.Generator | None = None,
    n_jobs: int | None = None,
    progress: Telling = None,
) -> Comparison:
    """
    Compare two partitions of more objects than fit in memory.

    Parameters
    ----------
    chunks : iterable of pairs (P_chunk, Q_chunk)
        Two partitions of the same objects, a part of all objects at a time: labels, or
        memberships with the same columns in all chunks. Chunks of 10^5 to 10^6 objects
        are best.
    kinds : tuple of two {"crisp", "fuzzy", "possibilistic", "overlapping"} or None
        What P and Q are; found from the first chunk by default. Say ``"fuzzy"`` if the
        first memberships may happen to be zeros and ones.
    families : sequence of str, optional
        The families of which tables are wanted, see `Accumulator`.
    tol : float, optional
        If NDC and ACI require pairs of objects, the half width of the 95 % confidence
        interval of ACI that an estimate is to reach, if the objects that are kept in
        memory allow; ``error`` says what it reached. By default there is no estimate.
    random_state : int, numpy.random.Generator or None, default=None
        Source of the samples of objects and of their pairs.
    n_jobs : int, optional
        How many chunks are summed at a time, on threads: None for 1, -1 for all cores.
        The result is the same to the last bit.
    progress : callable or bool, optional
        Called as ``progress(done, total, None)`` with the number of objects seen; the
        total is 0, as it is not known. True draws a bar.

    Returns
    -------
    Comparison
        With NDC and ACI if either partition is crisp, or if both have two clusters,
        and the tables of families that need no pairs. The error of NDC and ACI is
        certified, and does not grow with the number of objects. With `tol` there are
        NDC and ACI of any two fuzzy partitions, as estimates: ``method`` is
        ``"sampled-objects"`` then, unless all objects could be kept.

    Notes
    -----
    One pass, O(n K log n) time; memory for some chunks and some 20 MB per cluster, and
    with `tol` for up to 2^20 objects, whose memberships take 256 MiB at most, and for a
    sample of their pairs: some 1.2 GB in all for so many objects in 4 and 4 clusters.

    See Also
    --------
    Accumulator : The same a chunk at a time, to be merged, saved and loaded.

    Examples
    --------
    >>> import concordant as cc
    >>> P = [[0.9, 0.1], [0.8, 0.2], [0.2, 0.8], [0.3, 0.7]]
    >>> Q = [0, 0, 1, 1]
    >>> chunks = ((P[i : i + 2], Q[i : i + 2]) for i in (0, 2))
    >>> round(cc.stream(chunks).concordance.aci, 6)
    0.425532
    """
    accumulator = Accumulator(
        kinds=kinds, families=families, tol=tol, random_state=random_state
    )
    with visible(progress, seconds=0.0) as tell:
        for _ in summed(accumulator, chunks, Threads(n_jobs)):
            if tell is not None:
                tell(accumulator.n_objects, 0, None)
    return accumulator.result(n_jobs=n_jobs)


def summed(
    accumulator: Accumulator, chunks: Iterable[tuple[object, object]], engine: Threads
) -> Iterator[int]:
    """Add chunks to an accumulator, and yield the number of objects after each."""
    numbered = ((*_pair(chunk), number) for number, chunk in enumerate(chunks))
    # The first tells the kinds, which the others must know.
    for P_chunk, Q_chunk, _ in numbered:
        accumulator.update(P_chunk, Q_chunk)
        del P_chunk, Q_chunk
        yield accumulator.n_objects
        break
    for part in engine.run(accumulator.part, (), numbered):
        yield accumulator.merge(part).n_objects


def one_pass_families(*kinds: str) -> tuple[str, ...]:
    """Return the families whose tables follow from sums over objects."""
    return tuple(name for name in families_of_kinds(*kinds) if FAMILIES[name].terms)


@contextmanager
def _blaming_chunk(number: int) -> Iterator[None]:
    """Say in which chunk a fault was found."""
    try:
        yield
    except (ValueError, TypeError) as error:
        kind = InputTypeError if isinstance(error, TypeError) else InputError
        raise kind(f"chunk {number}: ", message_of(error)) from error


def _is_empty(data: object) -> bool:
    """Return whether a chunk has no objects."""
    shape = getattr(data, "shape", None)  # sparse matrices have no length
    if isinstance(shape, tuple):
        return shape[:1] == (0,)
    return isinstance(data, Sized) and len(data) == 0


def _as_kind(data: object, kind: Kind | None, name: str, warn: bool) -> Partition:
    """Let memberships be possibilistic where that was said."""
    if kind not in FREE_SUMS or isinstance(data, Partition):
        return Partition._named(data, name, warn=warn)
    return Partition(data, kind=kind)


def _pair(chunk: Any) -> tuple[object, object]:
    """Refuse what is no pair of parts of P and Q."""
    if isinstance(chunk, tuple | list) and len(chunk) == 2:
        return chunk[0], chunk[1]
    is_sized = isinstance(chunk, Sized) and not isinstance(chunk, str | bytes)
    size = f" of {len(chunk)}" if is_sized else ""
    raise InputTypeError(
        Argument("chunks"),
        " must be pairs (P_chunk, Q_chunk) of the same objects, found "
        f"{type(chunk).__name__}{size}; for two whole partitions, pass [(P, Q)]",
    )
