"""Groups of partitions of which any two agree."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue.lookups import heading_of
from concordant.kept import kept
from concordant.many.averaging import averaged
from concordant.many.given import ending, spoken
from concordant.many.linkage import told_range
from concordant.partition.alignment import MatchBy, all_aligned
from concordant.partition.partition import Partition
from concordant.printing import Readable, Shown, short, shortened
from concordant.wording import count

if TYPE_CHECKING:
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

    def __repr__(self) -> str:
        return f"Modes({self._title()})"

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
            names = dict(zip(mode.runs, mode.names, strict=True))
            listed = shortened(", ".join(map(ending, mode.names)), _LISTED)
            sizes = f"{len(mode)}", mode.all_n_clusters
            within = short(mode.least), short(mode.agreement)
            rows.append(
                [f"{number}", ending(names[mode.typical]), listed, *sizes, *within]
            )
        heading = heading_of(self.index)
        header = ("mode", "typical", "partitions", "size", "K")
        return Shown(
            self._title(),
            [self.meaning, self.range],
            (*header, f"least {heading}", f"mean {heading}"),
            rows,
            n_texts=3,
        )
