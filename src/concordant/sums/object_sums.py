"""Terms that are sums over objects, filled at once or chunk by chunk."""

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Matrix
from concordant.catalogue.lookups import loaded, sum_behind
from concordant.catalogue.terms import SUMS, Term
from concordant.errors import Data, InputMemoryError
from concordant.exact import rounded, units
from concordant.execution.engine import Engine, Threads
from concordant.execution.run import Run
from concordant.execution.single_thread import single_blas_thread
from concordant.partition.partition import Partition
from concordant.storage.memory import excess, keep_freed_memory

#: Where the clusters of P and of Q stand in a longer stream; None: where they are.
Numbers = NDArray[np.intp] | None
Arrays = Mapping[str, NDArray[Any]]
Places = tuple[list[int], list[int]]

#: The number of objects whose products are summed at once: they stay in the cache.
BLOCK = 4096
_BLOCKS_PER_TASK = 128
_BYTES = 64  # that a sum takes while it is added up
_SMALL = 1 << 20  # bytes that are always there
_EXACT = 160  # bytes of an exact sum: 1074 bits below 1, more than enough above
_units = np.frompyfunc(units, 1, 1)
_rounded = np.frompyfunc(rounded, 1, 1)


class Summary(Protocol):
    """What is kept of the objects that were seen, in any order."""

    def add(self, P: Partition, Q: Partition) -> None:
        """Add objects, the crisp among the partitions numbered as before."""

    def merge(self, other: Self) -> None:
        """Add what another one holds, which is not changed."""

    def renumbered(self, p: Numbers, q: Numbers, K: int, L: int) -> Self:
        """Return the same among K and L clusters; itself if nothing changes."""

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return all it holds, the same for the same objects."""

    def restore(self, arrays: Arrays) -> None:
        """Take what `arrays` returned, of a file whose bytes were checked."""

    def value(self) -> Any:
        """Return what all objects so far tell."""


def object_terms(
    P: Partition, Q: Partition, asked: Iterable[Term], run: Run
) -> dict[Term, Any]:
    """Return those of some terms that are sums over objects, with what they need."""

    def sum_of(name: str) -> Any:
        return loaded(f"{SUMS[name].chunks}.of")(P, Q, run.engine)

    kinds = P.kind, Q.kind
    terms = terms_of_sums(asked, kinds, sum_of)
    for term, found in terms.items():
        finer, whole = SUMS[term.what].finer, sum_behind(term, *kinds)
        if finer and whole:
            terms[term] = loaded(finer)(P, Q, found, terms[Term(whole)], run)
    return terms


def terms_of_sums(
    asked: Iterable[Term], kinds: tuple[str, str], value_of: Callable[[str], Any]
) -> dict[Term, Any]:
    """Return the same from the values of sums, each of which is taken once."""
    behind = {term: Term(name) for term in asked if (name := sum_behind(term, *kinds))}
    terms = {term: value_of(term.what) for term in dict.fromkeys(behind.values())}
    return terms | {
        term: loaded(view)(terms[whole])
        for term, whole in behind.items()
        if (view := SUMS[term.what].view)
    }


class ProductSums:
    """
    A matrix of sums over objects, those of chunks as Python integers.

    By default it has a row for each cluster of P and two more, and likewise columns.
    """

    def __init__(self, K: int, L: int) -> None:
        self._n_clusters = K, L
        self._sums = np.zeros(self.shape(K, L), dtype=object)
        self._largest = np.zeros(2)

    @staticmethod
    def shape(K: int, L: int) -> tuple[int, int]:
        """Return the shape of the matrix."""
        return K + 2, L + 2

    @staticmethod
    def given(P: Partition, Q: Partition, *, whole: bool) -> tuple[Any, ...]:
        """Return what else blocks need, of P and then of Q, whole or a chunk."""
        return ()

    @staticmethod
    def block(
        P: Partition, Q: Partition, given: Any, at: range, largest: Matrix
    ) -> Matrix:
        """Return the sums over some objects; raise what is largest of P and of Q."""
        raise NotImplementedError

    @staticmethod
    def exchanged(sums: Matrix, K: int, L: int) -> Matrix:
        """Return the sums of P and Q from those of Q and P."""
        return sums.T

    @staticmethod
    def places(p: list[int], q: list[int], K: int, L: int) -> Places:
        """Return where rows and columns stand among those of K and L clusters."""
        return [*p, K, K + 1], [*q, L, L + 1]

    @staticmethod
    def read(sums: Matrix, largest: Matrix, K: int) -> Any:
        """Return what sums tell; of the clusters K are those of P."""
        raise NotImplementedError

    @classmethod
    def of(cls, P: Partition, Q: Partition, engine: Engine) -> Any:
        """Return what the sums over all objects tell."""
        return cls.read(*cls._summed(P, Q, engine, whole=True), P.n_clusters)

    @classmethod
    def _summed(
        cls, P: Partition, Q: Partition, engine: Engine, *, whole: bool
    ) -> tuple[Matrix, Matrix]:
        """Return the same bits for any number of threads, and with P, Q exchanged."""
        K, L, n = P.n_clusters, Q.n_clusters, P.n_objects
        _check_fits(K, L, math.prod(cls.shape(K, L)))
        turned = comes_later(P, Q)
        given = cls.given(P, Q, whole=whole)
        data = (Q, P, given[::-1]) if turned else (P, Q, given)
        step = BLOCK * _BLOCKS_PER_TASK
        tasks = ((start, min(start + step, n)) for start in range(0, n, step))
        found = engine.run(_sum_blocks, (cls.block, *data), tasks)
        parts, largest = zip(*found, strict=True)
        most = np.max(largest, axis=0)
        if turned:
            return cls.exchanged(added(parts), K, L), most[::-1]
        return added(parts), most

    def add(self, P: Partition, Q: Partition) -> None:
        """Add the sums of a chunk, each rounded once."""
        sums, largest = self._summed(P, Q, Threads(1), whole=False)
        self._sums = self._sums + _units(sums)
        self._largest = np.maximum(self._largest, largest)

    def value(self) -> Any:
        """Return what the sums tell, each rounded once."""
        sums = np.asarray(_rounded(self._sums), dtype=np.float64)
        return self.read(sums, self._largest, self._n_clusters[0])

    def renumbered(self, p: Numbers, q: Numbers, K: int, L: int) -> Self:
        """Return the same among K and L clusters."""
        found = type(self)(K, L)
        at_p, at_q = (
            [*range(size)] if numbers is None else numbers.tolist()
            for numbers, size in zip((p, q), self._n_clusters, strict=True)
        )
        rows, columns = self.places(at_p, at_q, K, L)
        found._sums[np.ix_(rows, columns)] = self._sums
        found._largest = self._largest
        return found

    def merge(self, other: Self) -> None:
        """Add the sums of another one."""
        self._sums = self._sums + other._sums
        self._largest = np.maximum(self._largest, other._largest)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return each integer as bytes, and the largest numbers."""
        flat = b"".join(
            entry.to_bytes(_EXACT, "little", signed=True)
            for entry in self._sums.ravel().tolist()
        )
        shape = (*self._sums.shape, _EXACT)
        sums = np.frombuffer(flat, dtype=np.uint8).reshape(shape)
        return {"sums": sums, "largest": self._largest}

    def restore(self, arrays: Arrays) -> None:
        """Take integers as bytes, and the largest numbers."""
        self._largest = arrays["largest"]
        self._sums.reshape(-1)[:] = [
            int.from_bytes(entry.tobytes(), "little", signed=True)
            for entry in arrays["sums"].reshape(-1, _EXACT)
        ]


def _sum_blocks(
    block: Callable[..., Matrix],
    P: Partition,
    Q: Partition,
    given: tuple[Any, ...],
    start: int,
    stop: int,
) -> tuple[Matrix, Matrix]:
    """Add up the sums of some objects, in blocks that do not depend on threads."""
    # Where sums by cluster are many, as many objects, so that clearing them is cheap.
    step = max(BLOCK, P.n_clusters) if P.kind == "crisp" else BLOCK
    blocks = (range(i, min(i + step, stop)) for i in range(start, stop, step))
    largest = np.zeros(2)
    keep_freed_memory()
    with single_blas_thread():
        sums = added(block(P, Q, given, at, largest) for at in blocks)
    return sums, largest


def comes_later(P: Partition, Q: Partition) -> bool:
    """Order two partitions: a product of matrices may not have the same bits turned."""
    if "crisp" in (P.kind, Q.kind):
        return P.kind != "crisp"
    if P.n_clusters != Q.n_clusters:
        return P.n_clusters > Q.n_clusters
    for start in range(0, P.n_objects, BLOCK):
        p, q = P.rows(start, start + BLOCK), Q.rows(start, start + BLOCK)
        differ = np.flatnonzero(p != q)
        if differ.size:
            return bool(p.flat[differ[0]] > q.flat[differ[0]])
    return False


def added(parts: Iterable[Matrix]) -> Matrix:
    """Add matrices in their order, with what each addition loses (Neumaier's sum)."""
    each = iter(parts)
    total = next(each)
    lost: Matrix = np.zeros(())
    for part in each:
        more = total + part
        taken = more - total
        lost = lost + ((total - (more - taken)) + (part - taken))
        total = more
    return np.asarray(total + lost)


def _check_fits(K: int, L: int, n_sums: int) -> None:
    """Refuse sums that no memory holds, before they are allocated."""
    n_bytes = _BYTES * n_sums
    too_much = excess(n_bytes) if n_bytes > _SMALL else ""
    if too_much:
        raise InputMemoryError(
            f"the products of {K} clusters of ",
            Data("P"),
            f" with {L} of ",
            Data("Q"),
            f" {too_much}; ACI and NDC do without them",
        )
