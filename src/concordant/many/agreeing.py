"""How far each two of many partitions agree."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue import (
    FAMILIES,
    INDICES,
    STATISTICS,
    Similarity,
    heading_of,
)
from concordant.comparison import Wanted
from concordant.errors import Argument, InputError, Setting
from concordant.execution.progress import Progress
from concordant.formulas.adjusted import said_of_setting
from concordant.many.averaging import averaged
from concordant.many.every_pair import scores_of_all_pairs
from concordant.many.given import ending, given_partitions, spoken
from concordant.many.mode_groups import Mode, Modes, coherent_groups
from concordant.measures.asked_run import asked_run
from concordant.partition.alignment import Align, all_aligned
from concordant.partition.partition import Partition
from concordant.printing import Readable, Shown, short, size_of_error
from concordant.wording import check_choice, count, pandas_for

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

Square = NDArray[np.float64]

_SHOWN = 1e-9  # an error below is not seen in what is printed


@dataclass(frozen=True, eq=False, repr=False)
class Agreement(Readable):
    """
    An index of all pairs of k partitions.

    It prints as a table, in a terminal and in a notebook.

    Parameters
    ----------
    values : ndarray of shape (k, k)
        The index of each pair. On the diagonal is that of a partition with
        itself, which is 1 for ACI and NDC.
    errors : ndarray of shape (k, k)
        How far each may be from its exact value; NaN where that is not known.
    names : tuple of k str
        What the partitions are called.
    index : str
        The name of the index.
    partitions : tuple of k Partition
        The partitions.
    align : {"position", "index", "common"}
        How their objects are matched.
    similarity : {"l1", "inner"}
        What makes two objects alike in ACI and NDC.
    null : str
        The model of chance that ACI corrects for.
    """

    values: Square
    errors: Square
    names: tuple[str, ...]
    index: str
    partitions: tuple[Partition, ...] = field(repr=False)
    align: Align = "position"
    similarity: Similarity = "l1"
    null: str = "permutations"

    def __len__(self) -> int:
        return len(self.names)

    @property
    def medoid(self) -> int:
        """The position of the partition that agrees best with the others on average."""
        others = self.distances.sum(axis=1) - self.distances.diagonal()
        return int(others.argmin())

    @cached_property
    def order(self) -> NDArray[np.intp]:
        """The positions of the partitions, those that agree next to one another."""
        from scipy.cluster.hierarchy import leaves_list

        if len(self) < 3:
            return np.arange(len(self))
        return np.asarray(leaves_list(self.tree), dtype=np.intp)

    @cached_property
    def tree(self) -> Square:
        """
        The tree of average linkage by `distances`, as SciPy's ``linkage`` gives it.

        Neighbouring leaves are as near to one another as the tree allows.
        """
        from scipy.cluster.hierarchy import linkage
        from scipy.spatial.distance import squareform

        pairs = squareform(self.distances, checks=False)
        return np.asarray(linkage(pairs, "average", optimal_ordering=len(self) > 2))

    @property
    def distances(self) -> Square:
        """
        How far each pair is from the best value: 1 - ACI, for instance.

        An index without a best value has its largest here, and one that is not
        symmetric the mean of both orders.
        """
        best = (INDICES.get(self.index) or STATISTICS[self.index]).best
        most = best if np.isfinite(best) else float(self.values.max())
        away = np.abs(most - 0.5 * (self.values + self.values.T))
        return np.asarray(away - np.diag(away.diagonal()))

    def modes(self) -> Modes:
        """
        Divide the partitions into groups that found the same solution.

        Two branches of the tree (`tree`) are different modes if partitions of different
        branches are farther apart, by 1 - ACI, than those of the same branch: by more
        than the differences between objects explain, at a level of 5 % for all pairs of
        groups that could be compared, and by more than ``1 / sqrt(n)``, the size of a
        share's sampling error. A mode is a branch in which no two branches differ.

        Returns
        -------
        Modes
            A tuple, the largest mode first, that prints as a table. Each has its
            ``.runs``, the ``.typical`` one, the mean ``.agreement`` within and the
            averaged memberships as ``.partition``.

        Raises
        ------
        ValueError
            If the index is not ACI, or it corrects for another model of chance than
            permutations.

        Notes
        -----
        Of two branches A and B, the mean distance between A and B is compared with the
        mean of the mean distances within A and within B (a single partition has none).
        Its standard error is that of a mean over pairs of objects, from at most 300
        objects. What differs less than ``1 / sqrt(n)`` counts as the same however
        regular it is: iterations that stop a little apart are one solution. A single
        partition that is farther from all others than these from one another is a mode
        of its own, be it another solution or the same with more noise.

        Of two single partitions nothing tells how far apart runs of the same solution
        would be. They are different modes if they agree no more than by chance, at a
        level of 5 % for all pairs, by the standard deviation that ACI has over
        permutations (`null_moments`) of at most 300 objects. So two partitions alone,
        and any number that are equally far apart, are one mode as soon as they have
        something in common: its ``.agreement`` says how much.

        Examples
        --------
        >>> import concordant as cc
        >>> a, b = [0, 1, 2] * 40, [0] * 60 + [1] * 60
        >>> modes = cc.agreement({"a": a, "b": b, "c": a, "d": b}).modes()
        >>> [mode.names for mode in modes]
        [('a', 'c'), ('b', 'd')]
        """
        if self.index != "aci":
            raise InputError(
                f"modes are found by ACI, and this is {heading_of(self.index)}; use ",
                Setting("index", "aci"),
            )
        if self.null != "permutations":
            raise InputError(
                f"modes are found by ACI under permutations, not {self.null}; use ",
                Setting("null", "permutations"),
            )
        names = [*map(spoken, self.names)]
        members = all_aligned(self.partitions, names, self.align)
        groups = coherent_groups(members, self.distances, self.tree, self.similarity)
        found = [self._mode(group, members) for group in groups]
        return Modes(sorted(found, key=lambda mode: (-len(mode), mode.runs)))

    def _mode(self, runs: tuple[int, ...], members: Sequence[Partition]) -> Mode:
        own = self.distances[np.ix_(runs, runs)]
        names = tuple(self.names[number] for number in runs)
        within = own[np.triu_indices(len(runs), 1)]
        mean = averaged([members[i] for i in runs], names, np.ones(len(runs)))
        return Mode(
            runs,
            names,
            runs[int(own.sum(axis=1).argmin())],
            1.0 - float(within.mean()) if within.size else math.nan,
            mean.partition,
        )

    def to_frame(self) -> "pandas.DataFrame":
        """
        Return the values as a data frame.

        Returns
        -------
        pandas.DataFrame
            With the names of the partitions as rows and columns.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        names, frame = self.names, pandas_for("to_frame()").DataFrame
        found: pandas.DataFrame = frame(self.values, index=names, columns=names)
        return found

    def plot(self, *, ax: "Axes | None" = None) -> "Axes":
        """
        Draw a heat map with the tree and the modes.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; see `concordant.plot.agreement_heat_map`.

        Returns
        -------
        matplotlib.axes.Axes
            With the picture.
        """
        from concordant.plot.many import agreement_heat_map

        return agreement_heat_map(self, ax=ax)

    def __repr__(self) -> str:
        k = len(self)
        return f"Agreement({self.index} of {k} partitions, {self._range()})"

    def _range(self) -> str:
        pairs = self.values[~np.eye(len(self), dtype=bool)]
        return f"{pairs.min():z.4f} to {pairs.max():z.4f}"

    def _shown(self) -> Shown:
        sizes = sorted({partition.n_objects for partition in self.partitions})
        objects = count(sizes[-1], "object")
        if len(sizes) > 1:
            objects = f"{sizes[0]} to {objects}"
        heading = heading_of(self.index)
        best = spoken(ending(self.names[self.medoid]))
        lines = [f"{best} agrees best with the others on average"]
        largest = float(np.nan_to_num(self.errors).max())
        if largest > _SHOWN:
            lines.append(f"values are within {size_of_error(largest)}")
        setting = said_of_setting(self.similarity, self.null)
        title = f"{len(self)} partitions of {objects}: {heading} from {self._range()}"
        header, rows = [heading], []
        for number, (name, row) in enumerate(zip(self.names, self.values, strict=True)):
            header.append(f"{number + 1}")
            named = "" if name == header[-1] else f" {ending(name)}"
            rows.append([f"{header[-1]}{named}", *map(short, row)])
        return Shown(f"{title}{setting}", lines, header, rows)


def agreement(
    partitions: object,
    *,
    index: str = "aci",
    family: str | None = None,
    similarity: Similarity = "l1",
    null: str = "permutations",
    names: Sequence[str] | None = None,
    align: Align = "position",
    n_jobs: int | None = None,
    engine: object = None,
    checkpoint: str | PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Agreement:
    """
    Measure how far every two of many partitions agree.

    Parameters
    ----------
    partitions : sequence or mapping of partitions, data frame, or path
        At least two partitions of the same n objects, each anything that a `Partition`
        can be made from: labels of length n, memberships of shape (n, K), the path of a
        file (``"FILE#2"`` is its second run). A mapping names them; a data frame has
        one partition in each column, as labels; a single path is a file of several
        runs.
    index : str, default="aci"
        One of `concordant.indices`, or a statistic of pair tables, as ``"rand"``.
    family : str, optional
        The family of a statistic; see `pair_table`. By default that of Hüllermeier, or
        crisp tables if all partitions are crisp.
    similarity : {"l1", "inner"}, default="l1"
        What makes two objects alike in ACI and NDC: the L1 distance of their
        memberships, or the inner product of these.
    null : str, default="permutations"
        The model of chance that ACI corrects for; see `concordance`. Under a one-sided
        one, the value in row i and column j is that of P = i and Q = j.
    names : sequence of k str, optional
        What the partitions are called; by default their keys, columns or paths, or
        their numbers from 1.
    align : {"position", "index", "common"}, default="position"
        How objects are matched: by position, by their ids, or those whose ids all have.
    n_jobs : int, optional
        Number of threads: None for 1 (or what ``joblib.parallel_config`` says), -1 for
        all cores. The result is the same to the last bit.
    engine : dask.distributed.Client or Engine, optional
        Where the work is done instead; see `concordance`.
    checkpoint : str or path, optional
        A file to which the work is saved: after an interruption, the same call resumes
        from there, with the same result.
    progress : callable, optional
        Called as ``progress(done, total, None)`` with numbers of pairs of partitions.

    Returns
    -------
    Agreement
        With ``.values`` and ``.errors`` as k x k arrays.

    Raises
    ------
    ValueError, TypeError
        If fewer than two partitions are given, they describe different objects, or one
        of them cannot be read; the message names it.

    Notes
    -----
    A pair has the value that `concordance` or `compare` gives it, bit for bit. The
    similarities of a partition are computed and counted once, not for each of its
    pairs: of k fuzzy partitions of n objects these take O(k K n²), and the differences
    O(k² n²) with a small constant. Objects that one partition drops as noise are left
    out of its pairs only.

    Examples
    --------
    >>> import concordant as cc
    >>> runs = {"a": [0, 0, 1, 1], "b": [1, 1, 0, 0], "c": [0, 1, 1, 1]}
    >>> found = cc.agreement(runs)
    >>> found.values.round(4).tolist()
    [[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    >>> found.names[found.medoid]
    'a'
    """
    check_choice("index", index, (*INDICES, *STATISTICS), optional=False)
    check_choice("family", family, tuple(FAMILIES))
    if family is not None and index in INDICES:
        raise InputError(
            Argument("family"),
            " is for ",
            Setting("index", *STATISTICS),
            f", not {index}",
        )
    run = asked_run(
        indices=(index,),
        similarity=similarity,
        null=null,
        n_jobs=n_jobs,
        engine=engine,
        checkpoint=checkpoint,
        progress=progress,
    )
    given = given_partitions(partitions, names, align)
    families = None if family is None else (family,)
    wanted = with_one_table(Wanted((index,), families), given.partitions)
    found = scores_of_all_pairs(*given, wanted, run, align)
    return Agreement(
        found.values[index],
        found.errors[index],
        given.names,
        index,
        tuple(given.partitions),
        align,
        similarity,
        null,
    )


def with_one_table(wanted: Wanted, partitions: Sequence[Partition]) -> Wanted:
    """Settle by which one family and t-norm statistics are computed."""
    all_crisp = all(partition.kind == "crisp" for partition in partitions)
    default = "crisp" if all_crisp else "huellermeier"
    family = wanted.families[0] if wanted.families else default
    t_norms = FAMILIES[family].t_norms
    t_norm = wanted.t_norm or (t_norms[0] if t_norms else None)
    return replace(wanted, families=(family,), t_norm=t_norm)
