"""Two partitions on lattices: all pairs once, dissimilarities counted as integers."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from concordant.agreement.lattices import Lattice
from concordant.agreement.result import Concordance, assemble
from concordant.agreement.roundoff import UNIT_ROUNDOFF
from concordant.execution.checkpoint import Job
from concordant.execution.engine import Engine
from concordant.execution.progress import Watch
from concordant.kernels.plain_visits import plain_band_counts
from concordant.kernels.worth import compiled_pays
from concordant.pairs.bands import Band
from concordant.storage.archive import Archive
from concordant.terms.visiting import visit_tiles

Counts = NDArray[np.int64]
Numerators = NDArray[np.uint16]

# Counters of each of a few distances, which stay in the first cache.
_COPY_BITS, _FEW_DISTANCES = 2, 1024
_MOST_COUNTED = (1 << 32) - 1  # pairs, by counters of 32 bits


def lattice_pairs(
    p: Lattice, q: Lattice, engine: Engine, watch: Watch, job: Job
) -> Concordance:
    """
    Compute the concordance by one pass over all pairs, in integers.

    Parameters
    ----------
    p, q : Lattice
        Memberships of the same objects, two at least.
    engine : Engine
        Where bands of pairs are visited.
    watch : Watch
        Told how far it is.
    job : Job
        Where what is done is kept.

    Returns
    -------
    Concordance
        Of the multiples of 1 / D, correctly rounded. The errors contain how far the
        memberships as they are, which are doubles, are from these: 0 if D is a power of
        two, else some 1e-16 at most.

    Notes
    -----
    O(n² (K + L)) time, O(n (K + L) + D) memory. All sums are integers, so that the
    result does not depend on the engine.
    """
    units = Units.of(p, q)
    n = p.numerators.shape[1]
    if job.kept is None:
        sums = LatticeSums.nothing(p.n_distances, q.n_distances)
        state = Visit(0, sums)
    else:
        state = Visit.from_archive(job.kept)
    with job.keeping(lambda: state.to_archive()):
        state.run(p, q, units, engine, watch, job)
    return _concordance(state.sums, units, n, p.noise + q.noise)


def _concordance(
    sums: "LatticeSums", units: "Units", n: int, noise: float
) -> Concordance:
    m, apart, by_chance = sums.n_pairs, sums.difference, sums.by_chance(units)
    d = apart / (m * units.common)
    expected = by_chance / (m * m * units.common)
    constant = sums.one_is_constant
    found = assemble(
        d,
        expected,
        n_objects=n,
        method="lattice",
        discordance_error=noise + UNIT_ROUNDOFF * d,
        expected_discordance_error=noise + UNIT_ROUNDOFF * expected,
        constant=constant,
    )
    if constant or by_chance == 0:
        return found
    return replace(found, aci=(by_chance - apart * m) / by_chance)


@dataclass(frozen=True)
class Units:
    """
    Units of dissimilarities of P and of Q, and one that both are multiples of.

    Parameters
    ----------
    common : int
        The least common denominator.
    factor_p, factor_q : int
        How many common units each is.
    wide : bool
        Whether dissimilarities in common units may take more than 16 bits.
    """

    common: int
    factor_p: int
    factor_q: int
    wide: bool

    @classmethod
    def of(cls, p: Lattice, q: Lattice) -> "Units":
        """Find the common unit."""
        common = math.lcm(p.unit, q.unit)
        factor_p, factor_q = common // p.unit, common // q.unit
        largest = max((p.n_distances - 1) * factor_p, (q.n_distances - 1) * factor_q)
        return cls(common, factor_p, factor_q, largest >= 1 << 16)


@dataclass
class LatticeSums:
    """
    What bands of pairs add up to, in integers; grows by merging.

    Parameters
    ----------
    n_pairs : int
        How many pairs there are in them.
    difference : int
        The sum of |x - y|, in common units.
    counts_p, counts_q : ndarray of int
        How many pairs have each dissimilarity, in units of P and of Q.
    """

    n_pairs: int
    difference: int
    counts_p: Counts
    counts_q: Counts

    @classmethod
    def nothing(cls, size_p: int, size_q: int) -> "LatticeSums":
        """Start with no pair."""
        return cls(0, 0, np.zeros(size_p, np.int64), np.zeros(size_q, np.int64))

    @classmethod
    def of(
        cls,
        p: Numerators,
        q: Numerators,
        row_sums: tuple[int, int],
        sizes: tuple[int, int],
        units: Units,
        bands: list[Band],
    ) -> "LatticeSums":
        """Add up some bands of unrolled numerators."""
        from concordant.kernels.integer_visits import MOST_DISTANCES, band_counts

        sums = cls.nothing(*sizes)
        copy_bits = _COPY_BITS if max(sizes) <= _FEW_DISTANCES else 0
        # What is not written to takes no memory.
        counters = np.zeros((2, MOST_DISTANCES << copy_bits), np.uint32)

        def read() -> None:
            for counts, copies in zip(
                (sums.counts_p, sums.counts_q), counters, strict=True
            ):
                used = copies[: counts.size << copy_bits]
                counts += used.reshape(counts.size, -1).sum(axis=1, dtype=np.int64)
                used[:] = 0

        factors = (units.factor_p, units.factor_q, units.wide, copy_bits)
        added = 0
        for band in bands:
            if added + band.n_pairs > _MOST_COUNTED:
                read()
                added = 0
            apart = band_counts(p, q, *band, *row_sums, *factors, *counters)
            sums.difference += int(apart)
            sums.n_pairs += band.n_pairs
            added += band.n_pairs
        read()
        sums._check()
        return sums

    @classmethod
    def by_numpy(
        cls,
        p: Numerators,
        q: Numerators,
        row_sums: tuple[int, int],
        sizes: tuple[int, int],
        units: Units,
        bands: list[Band],
    ) -> "LatticeSums":
        """Do the same without compiled code."""
        sums = cls.nothing(*sizes)
        counts = (sums.counts_p, sums.counts_q)
        for band in bands:
            factors = (units.factor_p, units.factor_q)
            apart = plain_band_counts(p, q, *band, row_sums, factors, counts)
            sums.difference += apart
            sums.n_pairs += band.n_pairs
        sums._check()
        return sums

    def merge(self, other: "LatticeSums") -> None:
        """Take in what other bands add up to."""
        self.n_pairs += other.n_pairs
        self.difference += other.difference
        self.counts_p += other.counts_p
        self.counts_q += other.counts_q

    def _check(self) -> None:
        """Refuse to go on if a dissimilarity was larger than any can be."""
        counted = int(self.counts_p.sum()), int(self.counts_q.sum())
        if counted != (self.n_pairs, self.n_pairs):
            raise RuntimeError(
                f"of {self.n_pairs} pairs {counted[0]} and {counted[1]} were counted, "
                'which is a fault of concordant; please report it; method="binned" '
                "does without a lattice"
            )

    @property
    def one_is_constant(self) -> bool:
        """Whether all pairs are equally dissimilar in P, or in Q."""
        return any(np.count_nonzero(c) == 1 for c in (self.counts_p, self.counts_q))

    def by_chance(self, units: Units) -> int:
        """Sum |x_s - y_t| over all s and t, in common units."""
        x, y = np.flatnonzero(self.counts_p), np.flatnonzero(self.counts_q)
        up_to_x, up_to_y = np.cumsum(self.counts_p[x]), np.cumsum(self.counts_q[y])
        x, y = x * units.factor_p, y * units.factor_q
        both = np.union1d(x, y)
        below_x, below_y = (
            np.concatenate(([0], up_to))[np.searchsorted(values, both[:-1], "right")]
            for values, up_to in ((x, up_to_x), (y, up_to_y))
        )
        return _integral(np.diff(both), below_x, below_y, self.n_pairs)


def _integral(gaps: Counts, below_x: Counts, below_y: Counts, m: int) -> int:
    """Sum gaps times F (m - G) + G (m - F), exactly."""
    if 2 * m * m * int(gaps.sum()) < 1 << 63:
        weights = below_x * (m - below_y) + below_y * (m - below_x)
        return int((gaps * weights).sum())
    rows: Sequence[list[int]] = [a.tolist() for a in (gaps, below_x, below_y)]
    return sum(
        gap * (F * (m - G) + G * (m - F)) for gap, F, G in zip(*rows, strict=True)
    )


@dataclass
class Visit:
    """
    The pass over all pairs, as far as it has come.

    Parameters
    ----------
    n_done : int
        How many tiles are done.
    sums : LatticeSums
        What they add up to.
    """

    n_done: int
    sums: LatticeSums

    def run(
        self,
        p: Lattice,
        q: Lattice,
        units: Units,
        engine: Engine,
        watch: Watch,
        job: Job,
    ) -> None:
        """Visit the tiles that are left."""
        columns = (p.numerators, q.numerators)
        sizes = (p.n_distances, q.n_distances)
        others = ((p.row_sum, q.row_sum), sizes, units)
        n, n_columns = p.numerators.shape[1], len(columns[0]) + len(columns[1])
        per_pair = 12.0 + 0.5 * n_columns  # nanoseconds that NumPy takes
        pays = compiled_pays(per_pair * (n * (n - 1) // 2))
        visit = LatticeSums.of if pays else LatticeSums.by_numpy
        for n_tiles, part in visit_tiles(engine, visit, columns, others, self.n_done):
            with job.changing():
                self.sums.merge(part)
                self.n_done += n_tiles
            job.offer(self.to_archive)
            watch.tell(self.sums.n_pairs, lambda: self._aci(units))

    def _aci(self, units: Units) -> float:
        by_chance = self.sums.by_chance(units)
        apart = self.sums.difference * self.sums.n_pairs
        return 1.0 - apart / by_chance if by_chance else 1.0

    def to_archive(self) -> Archive:
        """Give what a file can keep."""
        facts = {
            "n_done": self.n_done,
            "n_pairs": self.sums.n_pairs,
            "difference": self.sums.difference,
        }
        arrays = {"counts_p": self.sums.counts_p, "counts_q": self.sums.counts_q}
        return Archive(facts, arrays)

    @classmethod
    def from_archive(cls, kept: Archive) -> "Visit":
        """Take up what a file kept."""
        facts = kept.facts
        sums = LatticeSums(facts["n_pairs"], facts["difference"], **kept.arrays)
        return cls(facts["n_done"], sums)
