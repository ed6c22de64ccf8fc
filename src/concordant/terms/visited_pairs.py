"""Cardinalities that are sums over pairs: visited all, or as many as needed."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concordant.exact import rounded, units
from concordant.execution.checkpoint import Job
from concordant.execution.engine import Engine, Threads
from concordant.execution.progress import Estimate, Watch
from concordant.families.pair_table import PairTable
from concordant.pairs.bands import Tiles
from concordant.pairs.sampling import half_width, looks
from concordant.pairs.strata import Strata, strata
from concordant.storage.archive import Archive
from concordant.terms.visiting import visit_tiles

Vector = NDArray[np.float64]
#: The sums a, b, c and d, in exact `units`.
Sums = tuple[int, int, int, int]
#: Gives these for bands of pairs, from arrays.
Visit = Callable[..., Sums]
#: Bounds how far each of a, b, c and d can differ between two pairs of a stratum.
Reach = Callable[[Strata], tuple[float, float, float, float]]


@dataclass(frozen=True)
class Sampling:
    """
    How a sample of pairs is drawn.

    Parameters
    ----------
    tol : float
        The half width of the 95 % confidence intervals of the Rand and the adjusted
        Rand index at which to stop.
    rng : numpy.random.Generator
        Where the order of objects comes from.
    """

    tol: float
    rng: np.random.Generator


@dataclass(frozen=True)
class VisitedPairs:
    """
    A table whose cardinalities are sums over visited pairs.

    Parameters
    ----------
    family, t_norm : str
        What the table says of itself.
    n_objects : int
        n.
    engine : Engine or None
        Where bands are visited; None: on one thread.
    watch : Watch or None
        Told how far it is.
    job : Job or None
        Where what is done is kept.
    """

    family: str
    t_norm: str
    n_objects: int
    engine: Engine | None
    watch: Watch | None
    job: Job | None

    def table(
        self,
        visit: Visit,
        columns: tuple[NDArray[Any], ...],
        t_norm: int,
        sampling: Sampling | None,
        reach: Reach,
    ) -> PairTable:
        """
        Add up what `visit` gives for bands of pairs.

        Parameters
        ----------
        visit : callable
            Called as ``visit(*unrolled columns, t_norm, bands)``.
        columns : tuple of ndarray of shape (..., n)
            What is known of each object: memberships of P and of Q, and more.
        t_norm : int
            The t-norm, as kernels know it.
        sampling : Sampling or None
            When to stop; None: after all pairs.
        reach : callable
            Bounds how far the cardinalities of two pairs of a stratum can differ.

        Returns
        -------
        PairTable
            The same bits for any engine.
        """
        parts = _Parts(self.job, one_by_one=sampling is not None)
        with parts.kept():
            if sampling is None:
                return self._all(visit, columns, t_norm, parts)
            return self._some(visit, columns, t_norm, parts, sampling, reach)

    def _all(
        self,
        visit: Visit,
        columns: tuple[NDArray[Any], ...],
        t_norm: int,
        parts: "_Parts",
    ) -> PairTable:
        tiles = Tiles(self.n_objects)
        visits = visit_tiles(self._engine, visit, columns, (t_norm,), parts.n_done)
        for n_tiles, sums in visits:
            parts.add(n_tiles, sums)
            self._tell(self._pairs() * parts.n_done // len(tiles))
        a, b, c, d = (rounded(total) for total in parts.total)
        return PairTable(a, b, c, d, self.family, self.t_norm)

    def _some(
        self,
        visit: Visit,
        columns: tuple[NDArray[Any], ...],
        t_norm: int,
        parts: "_Parts",
        sampling: Sampling,
        reach: Reach,
    ) -> PairTable:
        divided = strata(columns[0], columns[1], sampling.rng)
        arrays = (*(divided.laid_out(column) for column in columns), t_norm)
        listed = divided.groups(sampling.rng)
        tasks = ((bands,) for bands in divided.rare_bands())
        rare = [0, 0, 0, 0]
        for sums in self._engine.run(visit, arrays, tasks):
            rare = [x + y for x, y in zip(rare, sums, strict=True)]
        weights = [sum(band.n_pairs for band in group) for group in listed]

        def table_so_far() -> PairTable:
            seen = weights[: parts.n_done]
            return self._scaled(rare, parts.listed, seen, divided, reach(divided))

        def estimate() -> Estimate | None:
            if parts.n_done < 2:
                return None
            table = table_so_far()
            return Estimate(table.adjusted_rand, table.error)

        for look in looks(len(listed)):
            tiles = ((group,) for group in listed[parts.n_done : look])
            for sums in self._engine.run(visit, arrays, tiles):
                parts.add(1, sums)
                seen = divided.n_rare_pairs + sum(weights[: parts.n_done])
                self._tell(seen, estimate)
            if parts.n_done > look:
                continue  # an earlier run went on from there
            table = table_so_far()
            if table.error <= sampling.tol:
                break
        return table

    @property
    def _engine(self) -> Engine:
        return self.engine or Threads(1)

    def _pairs(self) -> int:
        return self.n_objects * (self.n_objects - 1) // 2

    def _tell(
        self, done: int, estimate: Callable[[], float | None] = lambda: None
    ) -> None:
        if self.watch is not None:
            self.watch.tell(done, estimate)

    def _scaled(
        self,
        rare: list[int],
        listed: list[Sums],
        weights: list[int],
        divided: Strata,
        reach: tuple[float, ...],
    ) -> PairTable:
        """Give the table of all pairs, from those with rare objects and some others."""
        m, seen = divided.n_pairs, sum(weights)
        totals = [sum(column) for column in zip(*listed, strict=True)]
        sums = np.array([rounded(total) for total in totals])
        parts = [np.array([rounded(x) for x in part]) for part in listed]
        known = np.array([rounded(total) for total in rare])

        def table(sums: Vector, n_pairs: int) -> PairTable:
            a, b, c, d = (known + sums / n_pairs * m).tolist()
            return PairTable(a, b, c, d, self.family, self.t_norm)

        if seen == m:
            a, b, c, d = (rounded(x + y) for x, y in zip(rare, totals, strict=True))
            whole = PairTable(a, b, c, d, self.family, self.t_norm)
            return replace(whole, n_sampled=self._pairs())
        whole = table(sums, seen)
        # One pair more of these, wholly of one of the four kinds, or one kind added.
        others = [table(sums + kind, seen + 1) for kind in np.eye(4)]
        added = [table(sums + kind, seen) for kind in np.eye(4)]
        widths = []
        for statistic in ("rand", "adjusted_rand"):
            value = getattr(whole, statistic)
            # What the estimate would be without a group tells what the group says.
            residuals = [
                (seen / weight - 1.0)
                * (value - getattr(table(sums - part, seen - weight), statistic))
                for part, weight in zip(parts, weights, strict=True)
            ]
            farthest = max(abs(getattr(other, statistic) - value) for other in others)
            slopes = [abs(getattr(more, statistic) - value) for more in added]
            largest = min((seen + 1) * farthest, seen * float(np.dot(slopes, reach)))
            widths.append(half_width(residuals, weights, m, largest))
        seen += divided.n_rare_pairs
        return replace(whole, error=max(widths), n_sampled=seen)


class _Parts:
    """
    The sums of parts of the work that are done.

    Parameters
    ----------
    job : Job or None
        Where they are kept.
    one_by_one : bool
        Whether the sums of each part are wanted, or of all parts together.
    """

    def __init__(self, job: Job | None, *, one_by_one: bool) -> None:
        self._job = job or Job(None, "", "")
        facts = {} if self._job.kept is None else self._job.kept.facts
        self.n_done: int = facts.get("n_done", 0)
        self.listed: list[Sums] = [tuple(sums) for sums in facts.get("sums", [])]
        self._one_by_one = one_by_one

    @property
    def total(self) -> Sums:
        """The sums of all parts."""
        a, b, c, d = (sum(column) for column in zip(*self.listed, strict=True))
        return a, b, c, d

    def add(self, n_done: int, sums: Sums) -> None:
        """Take in another part."""
        with self._job.changing():
            self.n_done += n_done
            self.listed.append(sums)
            if not self._one_by_one:
                self.listed = [self.total]
        self._job.offer(self._state)

    def kept(self) -> AbstractContextManager[None]:
        """Keep what is done when the work within ends, however it does."""
        return self._job.keeping(self._state)

    def _state(self) -> Archive:
        return Archive({"n_done": self.n_done, "sums": self.listed}, {})


def exact_sums(sums: NDArray[np.float64]) -> Sums:
    """
    Add up rows without rounding.

    Parameters
    ----------
    sums : ndarray of shape (n_bands, 4)
        The sums of each band.

    Returns
    -------
    tuple of int
        Those of all.
    """
    a, b, c, d = (sum(map(units, column)) for column in sums.T.tolist())
    return a, b, c, d
