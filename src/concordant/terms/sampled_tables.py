"""Tables of pairs that are estimated from as many of these as needed."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue import parts_of_table
from concordant.exact import rounded
from concordant.execution.checkpoint import Job
from concordant.execution.engine import Engine
from concordant.execution.progress import Estimate, Watch
from concordant.families.pair_table import PairTable
from concordant.pairs.sampling import half_width, looks
from concordant.pairs.strata import Strata, strata
from concordant.partition.partition import Partition
from concordant.storage.archive import Archive
from concordant.terms.table_sums import Sums, WantedTables

Vector = NDArray[np.float64]


class HasTables(Protocol):
    """What bands of pairs add up to."""

    tables: dict[str, Sums]


#: Gives this for bands of pairs, from arrays.
Visit = Callable[..., HasTables]
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
class SampledTable:
    """
    A table whose cardinalities are sums over a sample of pairs.

    Parameters
    ----------
    name : str
        Its family and t-norm.
    P, Q : Partition
        Partitions of the same objects.
    visit : callable
        Adds up bands of pairs: ``BandSums.of``.
    reach : callable
        Bounds how far the cardinalities of two pairs of a stratum can differ.
    engine : Engine
        Where bands are visited.
    watch : Watch
        Told how far it is.
    job : Job
        Where what is done is kept.
    """

    name: str
    P: Partition
    Q: Partition
    visit: Visit
    reach: Reach
    engine: Engine
    watch: Watch
    job: Job

    def estimate(self, sampling: Sampling) -> PairTable:
        """Visit pairs until the table is known well enough."""
        parts = _Parts(self.job)
        with parts.kept():
            return self._estimate(parts, sampling)

    def _estimate(self, parts: "_Parts", sampling: Sampling) -> PairTable:
        wanted = WantedTables.of(self.P, self.Q, (self.name,))
        columns = (self.P.columns(), self.Q.columns())
        divided = strata(*columns, sampling.rng)
        known = (*columns, *wanted.columns(self.P, self.Q))
        laid_out = [divided.laid_out(column) for column in known]
        arrays = (*laid_out, None, False, wanted, (None, None))
        listed = divided.groups(sampling.rng)
        tasks = ((bands,) for bands in divided.rare_bands())
        rare = [0, 0, 0, 0]
        for part in self.engine.run(self.visit, arrays, tasks):
            sums = part.tables[self.name]
            rare = [x + y for x, y in zip(rare, sums, strict=True)]
        weights = [sum(band.n_pairs for band in group) for group in listed]

        def table_so_far() -> PairTable:
            seen = weights[: parts.n_done]
            reach = self.reach(divided)
            return self._scaled(rare, parts.listed, seen, divided, reach)

        def estimate() -> Estimate | None:
            if parts.n_done < 2:
                return None
            table = table_so_far()
            return Estimate(table.adjusted_rand, table.error)

        for look in looks(len(listed)):
            tiles = ((group,) for group in listed[parts.n_done : look])
            for part in self.engine.run(self.visit, arrays, tiles):
                parts.add(part.tables[self.name])
                seen = divided.n_rare_pairs + sum(weights[: parts.n_done])
                self.watch.tell(seen, estimate)
            if parts.n_done > look:
                continue  # an earlier run went on from there
            table = table_so_far()
            if table.error <= sampling.tol:
                break
        return table

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
            return PairTable(a, b, c, d, *parts_of_table(self.name))

        if seen == m:
            a, b, c, d = (rounded(x + y) for x, y in zip(rare, totals, strict=True))
            whole = PairTable(a, b, c, d, *parts_of_table(self.name))
            n = self.P.n_objects
            return replace(whole, n_sampled=n * (n - 1) // 2)
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
    """The sums of each part of the work that is done."""

    def __init__(self, job: Job) -> None:
        self._job = job
        facts = {} if job.kept is None else job.kept.facts
        self.listed: list[Sums] = [tuple(sums) for sums in facts.get("sums", [])]

    @property
    def n_done(self) -> int:
        """How many parts there are."""
        return len(self.listed)

    def add(self, sums: Sums) -> None:
        """Take in another part."""
        with self._job.changing():
            self.listed.append(sums)
        self._job.offer(self._state)

    def kept(self) -> AbstractContextManager[None]:
        """Keep what is done when the work within ends, however it does."""
        return self._job.keeping(self._state)

    def _state(self) -> Archive:
        return Archive({"sums": self.listed}, {})
