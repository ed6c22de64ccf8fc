"""Groups of partitions of which any two agree."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue.lookups import heading_of
from concordant.kept import kept
from concordant.many.aligned import AlignedClusters, jointly_aligned
from concordant.many.averaging import averaged
from concordant.many.given import ending, spoken
from concordant.many.linkage import told_range
from concordant.partition.alignment import MatchBy, all_aligned, keys_of
from concordant.partition.partition import Partition
from concordant.printing import Readable, Shown, short, shortened
from concordant.wording import count, pandas_for

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

_LISTED = 60  # characters of the names of a mode


@dataclass(frozen=True, eq=False, repr=False)
class Mode:
    """
    Partitions of which any two agree.

    Parameters
    ----------
    runs : tuple of int
        Their positions.
    names : tuple of str
        What they are called.
    n_clusters : tuple of int
        The number of clusters of each.
    typical : int
        The position of the one that agrees best with the others of the mode.
    agreement, least : float
        The mean index of pairs within the mode, and the least of all; NaN for a single
        partition.
    """

    runs: tuple[int, ...]
    names: tuple[str, ...]
    n_clusters: tuple[int, ...]
    typical: int
    agreement: float
    least: float
    _members: tuple[Partition, ...] = field(repr=False)
    _match_by: MatchBy = field(default="position", repr=False)

    def __len__(self) -> int:
        return len(self.runs)

    @kept
    def partition(self) -> Partition:
        """
        Their memberships, averaged after one joint relabelling.

        Of runs that are matched by common ids it has the objects that all of them have.
        """
        alike, names = np.ones(len(self)), [*map(spoken, self.names)]
        members = all_aligned(self._members, names, self._match_by)
        return averaged(members, self.names, alike).partition

    def __repr__(self) -> str:
        return f"Mode({', '.join(self.names)})"

    @property
    def all_n_clusters(self) -> str:
        """The numbers of clusters that occur, as text."""
        return ", ".join(f"{K}" for K in sorted({*self.n_clusters}))


@dataclass(frozen=True)
class RunsOfK:
    """
    What there is to say of the partitions with one number of clusters.

    Parameters
    ----------
    n_clusters : int
        The number of clusters, K.
    runs : tuple of int
        Their positions.
    n_modes : int
        In how many modes they are.
    agreement, least : float
        The mean index of their pairs, and the least of all.
    mean_similarity : float
        H' of them, as `concordant.align_clusters` gives it. All three are NaN for a
        single partition, and H' where pairs are compared on different objects.
    """

    n_clusters: int
    runs: tuple[int, ...]
    n_modes: int
    agreement: float
    least: float
    mean_similarity: float

    def __len__(self) -> int:
        return len(self.runs)


@dataclass(frozen=True, eq=False, repr=False)
class Modes(Readable):
    """
    Modes, the largest first, which print as a table.

    They are taken by number, counted and gone through as those of a tuple are.

    Parameters
    ----------
    modes : tuple of Mode
        The modes.
    index : str
        The name of the index.
    threshold : float
        How far any two partitions of a mode agree at least.
    above, up_to : float
        Any threshold above the one, up to the other, gives the same modes. Below the
        first there are fewer; it is minus infinity where there is one mode only.
    """

    modes: tuple[Mode, ...]
    index: str
    threshold: float
    above: float
    up_to: float
    _values: NDArray[np.float64] = field(repr=False)

    def __len__(self) -> int:
        return len(self.modes)

    def __iter__(self) -> Iterator[Mode]:
        return iter(self.modes)

    @overload
    def __getitem__(self, number: int) -> Mode: ...

    @overload
    def __getitem__(self, number: slice) -> tuple[Mode, ...]: ...

    def __getitem__(self, number: int | slice) -> Mode | tuple[Mode, ...]:
        return self.modes[number]

    @kept
    def aligned(self) -> AlignedClusters:
        """The averaged memberships, their clusters numbered alike in all modes."""
        titles = [f"mode {place}" for place in range(1, len(self) + 1)]
        means = [mode.partition for mode in self]
        members = all_aligned(means, titles, self[0]._match_by)
        if self[0]._match_by == "common":
            # In the order that objects have in the first run, whatever its mode is.
            home = self[int(self.labels[0])]
            first = keys_of(home._members[home.runs.index(0)])
            places = {key: place for place, key in enumerate(first)}
            order = np.argsort([places[key] for key in keys_of(members[0])])
            members = [member.take(order) for member in members]
        return jointly_aligned(members, self.titles)

    @property
    def partitions(self) -> tuple[Partition, ...]:
        """The averaged memberships of each mode, their clusters in a common order."""
        return self.aligned.partitions

    @property
    def titles(self) -> list[str]:
        """What the modes are called: by number, size and number of clusters."""
        return [
            f"mode {place}: {count(len(mode), 'run')}, K = {mode.all_n_clusters}"
            for place, mode in enumerate(self, start=1)
        ]

    @kept
    def by_n_clusters(self) -> tuple[RunsOfK, ...]:
        """What there is to say of the partitions of each K, the smallest first."""
        numbers, members = np.zeros(self.n_runs, dtype=int), dict[int, Partition]()
        for mode in self:
            numbers[[*mode.runs]] = mode.n_clusters
            members |= zip(mode.runs, mode._members, strict=True)
        found = []
        for K in np.unique(numbers).tolist():
            runs = np.flatnonzero(numbers == K).tolist()
            similarity = math.nan
            if len(runs) > 1 and self[0]._match_by != "common":
                aligned = jointly_aligned([members[run] for run in runs], self.titles)
                similarity = aligned.mean_similarity
            n_modes = np.unique(self.labels[runs]).size
            within = pairs_within(self._values, runs)
            found.append(RunsOfK(K, tuple(runs), n_modes, *within, similarity))
        return tuple(found)

    def records(self) -> list[dict[str, Any]]:
        """Return a record for each partition, in their order."""
        records: list[dict[str, Any]] = [{} for _ in range(self.n_runs)]
        for place, mode in enumerate(self, start=1):
            for run, name, K in zip(
                mode.runs, mode.names, mode.n_clusters, strict=True
            ):
                is_typical = run == mode.typical
                record = {"partition": name, "mode": place, "typical": is_typical}
                records[run] = record | {"n_clusters": K}
        return records

    def to_frame(self) -> "pandas.DataFrame":
        """
        Return the mode of each partition as a data frame.

        Returns
        -------
        pandas.DataFrame
            A row for each partition, by its name: the number of its ``mode``, from 1 on
            as it is printed, whether it is the ``typical`` one, and ``n_clusters``.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        found = pandas_for("to_frame()").DataFrame(self.records())
        frame: pandas.DataFrame = found.set_index("partition")
        return frame

    def plot(self, ax: "Axes | None" = None, **options: Any) -> "Axes":
        """
        Draw the averaged memberships as stacked bars, a row for each mode.

        Parameters
        ----------
        ax : Axes, optional
            Where to draw.
        **options
            As in `concordant.plot.structure`.

        Returns
        -------
        Axes
            With the picture.
        """
        from concordant.plot import structure

        return structure(self, ax=ax, **options)

    @property
    def n_runs(self) -> int:
        """The number of partitions."""
        return sum(map(len, self))

    @property
    def labels(self) -> NDArray[np.intp]:
        """The number of each partition's mode, from 0 on."""
        found = np.empty(self.n_runs, dtype=np.intp)
        for number, mode in enumerate(self):
            found[[*mode.runs]] = number
        return found

    @property
    def meaning(self) -> str:
        """What makes partitions a mode, in words."""
        agree = f"{heading_of(self.index)} of at least {self.threshold}"
        return f"any two partitions of a mode agree with {agree}"

    @property
    def range(self) -> str:
        """Which thresholds give the same modes, in words: rounded such that all do."""
        return told_range(self.above, self.up_to)

    def _title(self) -> str:
        return f"{count(len(self), 'mode')} of {count(self.n_runs, 'partition')}"

    def _shown(self) -> Shown:
        rows = []
        for number, mode in enumerate(self, start=1):
            listed = shortened(", ".join(map(ending, mode.names)), _LISTED)
            typical = mode.names[mode.runs.index(mode.typical)]
            sizes = f"{len(mode)}", mode.all_n_clusters
            within = short(mode.least), short(mode.agreement)
            rows.append([f"{number}", ending(typical), listed, *sizes, *within])
        heading = heading_of(self.index)
        header = ("mode", "typical", "partitions", "size", "K")
        of_index = f"least {heading}", f"mean {heading}"
        rows_of_k = [
            (
                *(f"{of.n_clusters}", f"{len(of)}", f"{of.n_modes}"),
                *map(short, (of.least, of.agreement, of.mean_similarity)),
            )
            for of in self.by_n_clusters
        ]
        of_k = Shown(
            "",
            header=("K", "partitions", "modes", *of_index, "similarity H'"),
            rows=rows_of_k,
        )
        return Shown(
            self._title(),
            [self.meaning, self.range],
            (*header, *of_index),
            rows,
            n_texts=3,
            below=[of_k] if len(rows_of_k) > 1 else [],
        )


def pairs_within(
    values: NDArray[np.float64], runs: Sequence[int]
) -> tuple[float, float]:
    """Return the mean and the least value of pairs of runs; NaN if there are none."""
    pairs = values[np.ix_(runs, runs)][~np.eye(len(runs), dtype=bool)]
    if not pairs.size:
        return math.nan, math.nan
    return float(pairs.mean()), float(pairs.min())
