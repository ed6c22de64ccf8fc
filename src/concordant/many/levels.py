"""Numbers of clusters at which a clustering is more stable than without structure."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Matrix, Vector
from concordant.errors import Message, Wordings
from concordant.kept import kept
from concordant.partition.partition import Partition
from concordant.printing import Readable, Shown, short
from concordant.wording import count, pandas_for

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

_FEW = 50  # objects, below which clusters are seldom found
_MOST_COINCIDENT = 0.5  # of the fits
_ROUNDING = 1e-12  # in units of l: a difference that tells nothing


@dataclass(frozen=True, eq=False, repr=False)
class Stability(Readable):
    """
    How far clusterings of resamples agree, by the number of clusters.

    It prints as a table, in a terminal and in a notebook. Arrays begin with one entry
    for each number of clusters that was tried; R is the number of sets of a reference.

    Parameters
    ----------
    tried : tuple of int
        The numbers of clusters.
    n_objects : int
        n, the number of objects.
    aci : ndarray of shape (len(tried), n_resamples)
        ACI between the clusterings of two resamples, for each pair of these.
    reference_aci : ndarray of shape (len(tried), len(references), R, 10)
        The same for each set without structure, of five resamples each with each.
    jaccard : tuple of ndarray of shape (n_resamples, K)
        For each pair of resamples and each cluster of `partitions` the Jaccard index of
        its counterparts: the sum of the smaller memberships over that of the larger.
    reference_jaccard : tuple of ndarray of shape (len(references), R, 10, K)
        The same for sets without structure, whose clusters are in no order.
    coincident : ndarray of shape (len(tried),)
        In which share of the clusterings of resamples clusters coincide or are empty.
    references : tuple of str
        How data without structure were drawn.
    alpha : float
        The tuning constant of the decision.
    partitions : tuple of Partition
        The clusterings of all objects.
    """

    tried: tuple[int, ...]
    n_objects: int
    aci: Matrix
    reference_aci: Matrix
    jaccard: tuple[Matrix, ...]
    reference_jaccard: tuple[Matrix, ...]
    coincident: Vector
    references: tuple[str, ...]
    alpha: float
    partitions: tuple[Partition, ...] = field(repr=False)
    _one_start: str = field(default="", repr=False)

    @property
    def mean_aci(self) -> Vector:
        """S_K, the mean ACI between clusterings of resamples, for each K."""
        return np.asarray(self.aci.mean(axis=-1))

    @kept
    def z(self) -> Matrix:
        """
        How far clusterings are more stable than without structure, in standard errors.

        One row for each K, one column for each reference. With l = log(1 - S_K + 1/n)
        it is the mean of l over the R sets of a reference minus that of the data, over
        s sqrt(1 + 1/R), where s is the standard deviation between the sets.
        """
        of_data = self._instability(self.aci)
        of_sets = self._instability(self.reference_aci)
        s = of_sets.std(axis=-1, ddof=1) * math.sqrt(1.0 + 1.0 / of_sets.shape[-1])
        away = of_sets.mean(axis=-1) - of_data[:, None]
        return np.asarray(away / np.hypot(s, _ROUNDING))

    def _instability(self, values: Matrix) -> Matrix:
        """Return log(1 - mean + 1/n) of the last axis."""
        return np.asarray(np.log(1.0 - values.mean(axis=-1) + 1.0 / self.n_objects))

    @property
    def least_jaccard(self) -> Vector:
        """The least mean Jaccard index of a cluster, for each K."""
        return np.array([each.mean(axis=0).min() for each in self.jaccard])

    @property
    def threshold(self) -> float:
        """What z must pass: the 1 - alpha / len(tried) quantile of t with R - 1 df."""
        from scipy.special import stdtrit

        R = self.reference_aci.shape[-2]
        return float(stdtrit(R - 1, 1.0 - self.alpha / len(self.tried)))

    @property
    def admissible(self) -> NDArray[np.bool_]:
        """For which K z passes all references, and clusters do not coincide."""
        distinct = self.coincident <= _MOST_COINCIDENT
        return np.asarray((self.z > self.threshold).all(axis=1) & distinct)

    @kept
    def levels(self) -> tuple[int, ...]:
        """
        The admissible K that are more stable than admissible neighbours, best first.

        Of mean ACI that differ by at most 2/n, that of the larger K counts as larger.
        It is empty if there is none: one cluster.
        """
        S = np.concatenate([[-np.inf], self.mean_aci, [-np.inf]])
        S[1:-1][~self.admissible] = -np.inf
        own, tie = S[1:-1], 2.0 / self.n_objects
        peaks = (own > -np.inf) & (own + tie >= S[:-2]) & (own > S[2:] + tie)
        ordered = sorted(np.flatnonzero(peaks).tolist(), key=lambda x: (-own[x], -x))
        first = [x for x in ordered if own[x] + tie >= own[ordered[0]]]
        first.sort(reverse=True)
        return tuple(self.tried[x] for x in [*first, *ordered[len(first) :]])

    @property
    def n_clusters(self) -> int:
        """The number of clusters: the most stable level, or 1 if there is none."""
        return self.levels[0] if self.levels else 1

    @property
    def partition(self) -> Partition:
        """The clustering of all objects into that many clusters."""
        if not self.levels:
            return Partition(np.zeros(self.n_objects, dtype=int))
        return self.partitions[self.tried.index(self.n_clusters)]

    @property
    def remarks(self) -> tuple[str, ...]:
        """What to know of the decision: whether starts or objects are few."""
        return tuple(map(str, self._remarks))

    @property
    def _remarks(self) -> Iterator[Message]:
        if self._one_start:
            yield Message(
                "each fit has one start",
                Wordings(f" ({self._one_start})", ""),
                ": what it misses counts as instability of the data; ",
                Wordings("n_init=10", "--starts 10"),
                " takes ten",
            )
        if self.n_objects < _FEW:
            yield Message(
                f"{self.n_objects} objects are few: below {_FEW} clusters are seldom "
                "found, and one cluster is no evidence that there are none"
            )
        coincide = np.array(self.tried)[self.coincident > _MOST_COINCIDENT]
        if coincide.size:
            yield Message(
                f"K = {', '.join(map(str, coincide))}: not admissible, because in more "
                "than half of the resamples there are coincident clusters (or empty "
                "ones)"
            )
        if self.levels and self.n_clusters == self.tried[-1] > self.tried[0]:
            what = f"K = {self.n_clusters} is the largest that was tried"
            yield Message(f"{what}; try larger ones")

    def sentence(self) -> str:
        """Return the decision in words."""
        if not self.levels:
            several = f" to {self.tried[-1]}" if len(self.tried) > 1 else ""
            what = f"{self.tried[0]}{several} clusters are not more stable than"
            return f"1 cluster: {what} without structure."
        place = self.tried.index(self.n_clusters)
        means = self.reference_aci[place].mean(axis=(1, 2))
        without = " and ".join(
            f"{short(mean)} ({name})"
            for name, mean in zip(self.references, means, strict=True)
        )
        told = (
            f"{self.n_clusters} clusters: ACI {short(self.mean_aci[place])} from "
            f"resample to resample, without structure {without}"
        )
        others = ", ".join(f"{K}" for K in self.levels[1:])
        return f"{told}; other levels: {others}." if others else f"{told}."

    def to_frame(self) -> "pandas.DataFrame":
        """
        Return a row for each number of clusters as a data frame.

        Returns
        -------
        pandas.DataFrame
            With the mean ACI of the data and of the references, z, the least mean
            Jaccard index of a cluster, the share of clusterings whose clusters
            coincide, and the decision, indexed by K.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        pd = pandas_for("to_frame()")
        of_references = self.reference_aci.mean(axis=(2, 3))
        columns: dict[str, object] = {"aci": self.mean_aci}
        for what, values in (("aci", of_references), ("z", self.z)):
            names = (f"{what}_{name}" for name in self.references)
            columns |= zip(names, values.T, strict=True)
        columns |= {
            "least_jaccard": self.least_jaccard,
            "coincident": self.coincident,
            "admissible": self.admissible,
            "level": [K in self.levels for K in self.tried],
        }
        index = pd.Index([*self.tried], name="K")
        found: pandas.DataFrame = pd.DataFrame(columns, index=index)
        return found

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """
        Draw the mean ACI by the number of clusters, and that without structure.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; see `concordant.plot.stability_curve`.

        Returns
        -------
        matplotlib.axes.Axes
            With the picture.
        """
        from concordant.plot.many import stability_curve

        return stability_curve(self, ax=ax)

    def __repr__(self) -> str:
        return f"Stability({self.sentence().rstrip('.')})"

    def verdict(self, place: int) -> str:
        """Return what is decided of the K at a place, in a few words."""
        K = self.tried[place]
        if K in self.levels:
            return "most stable" if self.n_clusters == K else "level"
        if self.coincident[place] > _MOST_COINCIDENT:
            return "coincident clusters"
        return "admissible" if self.admissible[place] else "-"

    def _shown(self) -> Shown:
        means = self.reference_aci.mean(axis=(2, 3))
        rows = [
            [
                f"{K}",
                short(self.mean_aci[place]),
                *map(short, means[place]),
                *(f"{z:.1f}" for z in self.z[place]),
                short(self.least_jaccard[place]),
                self.verdict(place),
            ]
            for place, K in enumerate(self.tried)
        ]
        B, (S, R, b) = self.aci.shape[1], self.reference_aci.shape[1:]
        title = (
            f"{count(self.n_objects, 'object')}, {B} pairs of resamples; without "
            f"structure {S} x {R} sets, {b} pairs of each"
        )
        header = (
            *("K", "ACI", *self.references),
            *(f"z {name}" for name in self.references),
            *("least Jaccard", "decision"),
        )
        note = f"z must pass {self.threshold:.2f}"
        return Shown(self.sentence(), [title, *self.remarks], header, rows, note)
