"""Cardinalities that are sums over pairs: visited all, or as many as needed."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from concordant.bands import Band, all_bands, bands_per_task, tasks, unrolled
from concordant.engine import Engine, Threads
from concordant.progress import Watch
from concordant.sampling import groups, half_width, looks
from concordant.tables import PairTable

Vector = NDArray[np.float64]
#: Gives a, b, c and d of bands of pairs, from arrays.
Visit = Callable[..., Vector]


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
    """

    family: str
    t_norm: str
    n_objects: int
    engine: Engine | None
    watch: Watch | None

    def order(self, sampling: Sampling | None) -> NDArray[np.intp] | None:
        """Give the order in which objects are arranged: random for a sample."""
        return None if sampling is None else sampling.rng.permutation(self.n_objects)

    def table(
        self, visit: Visit, arrays: tuple[object, ...], sampling: Sampling | None
    ) -> PairTable:
        """
        Add up what `visit` gives for bands of pairs.

        Parameters
        ----------
        visit : callable
            Gives a, b, c and d of a list of bands.
        arrays : tuple
            What it gets first.
        sampling : Sampling or None
            When to stop; None: after all pairs.

        Returns
        -------
        PairTable
            The same bits for any number of threads.
        """
        if sampling is None:
            return self._all(visit, arrays)
        return self._some(visit, arrays, sampling)

    def _all(self, visit: Visit, arrays: tuple[object, ...]) -> PairTable:
        parts = []
        done = 0
        for part, bands in self._run(visit, arrays, self._tasks()):
            parts.append(part)
            done += sum(band.n_pairs for band in bands)
            self._tell(done)
        a, b, c, d = (math.fsum(column) for column in zip(*parts, strict=True))
        return PairTable(a, b, c, d, self.family, self.t_norm)

    def _some(
        self, visit: Visit, arrays: tuple[object, ...], sampling: Sampling
    ) -> PairTable:
        listed = groups(self.n_objects, sampling.rng)
        parts: list[Vector] = []
        weights: list[int] = []
        for look in looks(len(listed)):
            for part, group in self._run(visit, arrays, listed[len(parts) : look]):
                parts.append(part)
                weights.append(sum(band.n_pairs for band in group))
                self._tell(sum(weights))
            table = self._scaled(parts, weights)
            if table.error <= sampling.tol:
                break
        return table

    def _tasks(self) -> list[list[Band]]:
        n = self.n_objects
        return [bands for (bands,) in tasks(all_bands(n), bands_per_task(n))]

    def _run(
        self, visit: Visit, arrays: tuple[object, ...], lists: list[list[Band]]
    ) -> Iterator[tuple[Vector, list[Band]]]:
        engine = self.engine or Threads(1)
        results = engine.run(visit, arrays, ((bands,) for bands in lists))
        return zip(results, lists, strict=True)

    def _tell(self, done: int) -> None:
        if self.watch is not None:
            self.watch.tell(done)

    def _scaled(self, parts: list[Vector], weights: list[int]) -> PairTable:
        m = self.n_objects * (self.n_objects - 1) // 2
        sums = np.array([math.fsum(column) for column in zip(*parts, strict=True)])
        seen = sum(weights)
        a, b, c, d = (sums / seen * m).tolist()
        whole = PairTable(a, b, c, d, self.family, self.t_norm)
        widths = []
        for statistic in ("rand", "adjusted_rand"):
            # What the estimate would be without a group tells what the group says.
            without = [getattr(PairTable(*(sums - part)), statistic) for part in parts]
            residuals = [
                (seen / weight - 1.0) * (getattr(whole, statistic) - other)
                for other, weight in zip(without, weights, strict=True)
            ]
            widths.append(half_width(residuals, weights, m))
        return replace(whole, error=max(widths), n_sampled=seen)


def arranged(columns: Vector, order: NDArray[np.intp] | None) -> Vector:
    """
    Put objects in an order and unroll them.

    Parameters
    ----------
    columns : ndarray of shape (K, n)
        Memberships.
    order : ndarray of int or None
        The order; None: as they are.

    Returns
    -------
    ndarray of shape (K, n + n // 2)
        For bands of cyclic shifts.
    """
    return unrolled(columns if order is None else columns[:, order])
