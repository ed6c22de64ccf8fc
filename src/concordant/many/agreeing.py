"""How far each two of many partitions agree."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from concordant.catalogue.families import FAMILIES, STATISTICS
from concordant.catalogue.indices import INDICES
from concordant.catalogue.lookups import heading_of, measure
from concordant.catalogue.values import Similarity
from concordant.comparison import Wanted
from concordant.door import checked
from concordant.errors import Argument, InputError, InputTypeError, Setting
from concordant.execution.progress import Telling
from concordant.kept import kept
from concordant.many.every_pair import scores_of_all_pairs
from concordant.many.given import ending, given_partitions, spoken
from concordant.many.linkage import THRESHOLD, cut, ordered_tree
from concordant.many.modes import Mode, Modes, pairs_within
from concordant.measures.adjusted import said_of_setting
from concordant.measures.asked_run import asked_run
from concordant.naming import index_named
from concordant.partition.alignment import MatchBy, all_aligned
from concordant.partition.partition import Partition
from concordant.printing import Readable, Shown, short, size_of_error
from concordant.underflow import tiny_is_zero
from concordant.wording import check_choice, count, is_number, pandas_for, shown

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
    match_by : {"position", "id", "common"}
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
    match_by: MatchBy = "position"
    similarity: Similarity = "l1"
    null: str = "permutations"

    def __len__(self) -> int:
        return len(self.names)

    @property
    def medoid(self) -> int:
        """The position of the partition that agrees best with the others on average."""
        others = self.distances.sum(axis=1) - self.distances.diagonal()
        return int(others.argmin())

    @kept
    def order(self) -> NDArray[np.intp]:
        """The positions of the partitions, those that agree next to one another."""
        from scipy.cluster.hierarchy import leaves_list

        return np.asarray(leaves_list(self.tree), dtype=np.intp)

    @kept
    def tree(self) -> Square:
        """
        The tree of complete linkage by `distances`, as SciPy's ``linkage`` gives it.

        Two branches are as far apart as their farthest partitions, and pairs that are
        equally far apart are joined in the order of the partitions. Neighbouring leaves
        are as near to one another as the tree allows.
        """
        return ordered_tree(self._nearness, self._most)

    @property
    def distances(self) -> Square:
        """
        How far each pair is from the best value: 1 - ACI, for instance.

        An index without a best value has its largest here, and one that is not
        symmetric that of the two orders which is farther. Where it has no value, the
        pair is as far apart as the farthest.
        """
        away = np.maximum(self._most - self._nearness, 0.0)
        np.fill_diagonal(away, 0.0)
        away[np.isnan(away)] = np.nanmax(away)
        return np.asarray(away)

    @property
    def has_modes(self) -> bool:
        """Whether `modes` can divide them: whether the best value of the index is 1."""
        return self._best == 1.0

    @property
    def _best(self) -> float:
        return measure(self.index).best

    @property
    def _nearness(self) -> Square:
        """The values, with a sign that makes the nearest largest; of both orders."""
        values = -self.values if self._best == 0.0 else self.values
        return np.asarray(np.minimum(values, values.T))

    @property
    def _most(self) -> float:
        best = self._best
        return best if np.isfinite(best) else float(np.nanmax(self.values))

    @tiny_is_zero
    def modes(self, threshold: float = THRESHOLD) -> Modes:
        """
        Divide the partitions into groups of which any two agree.

        Partitions are joined by complete linkage: those that agree best first, and two
        groups by how far the two partitions agree that do so least. Groups are modes as
        long as any two of their partitions agree by at least `threshold`.

        Parameters
        ----------
        threshold : float, default=0.95
            The least index of two partitions of a mode, at most 1.

        Returns
        -------
        Modes
            The largest mode first; it prints as a table, with the range of thresholds
            that give the same modes. Each has its ``.runs``, the ``.typical`` one, the
            ``.least`` and the mean ``.agreement`` within and the averaged memberships
            as ``.partition``; ``.partitions`` has those of all modes, their clusters in
            a common order, which ``.plot()`` draws.

        Raises
        ------
        ValueError, TypeError
            If the best value of the index is not 1, or the threshold is no number up
            to 1.

        Notes
        -----
        Of pairs that agree equally the first is joined, in the order of the partitions.
        An index that is not symmetric counts by the smaller value of both orders.
        Numbers of clusters do not matter: partitions that have different ones are of
        the same mode if they agree as all others of it do.

        Examples
        --------
        >>> import concordant as cc
        >>> a, b = [0, 1, 2] * 40, [0] * 60 + [1] * 60
        >>> modes = cc.agreement({"a": a, "b": b, "c": a, "d": b}).modes()
        >>> [mode.names for mode in modes]
        [('a', 'c'), ('b', 'd')]
        >>> modes.range
        'the same modes for any threshold from -0.011 to 1.000'
        """
        if not self.has_modes:
            raise InputError(
                "modes are for an index whose best value is 1, and this is "
                f"{heading_of(self.index)}; use ",
                Setting("index", "aci"),
            )
        what = f" must be a number up to 1, such as {THRESHOLD}, found "
        if not is_number(threshold):
            raise InputTypeError(Argument("threshold"), what, shown(threshold))
        if not -math.inf < threshold <= 1.0:
            raise InputError(Argument("threshold"), what, shown(threshold))
        least = float(threshold)
        groups, above, up_to = cut(self._nearness, least)
        members, match_by = self.partitions, self.match_by
        if match_by != "common":
            names = [*map(spoken, self.names)]
            members = tuple(all_aligned(members, names, match_by))
            match_by = "position"
        found = (self._mode(group, members, match_by) for group in groups)
        ordered = sorted(found, key=lambda mode: (-len(mode), mode.runs))
        return Modes(tuple(ordered), self.index, least, above, up_to, self.values)

    def _mode(
        self, runs: Sequence[int], members: Sequence[Partition], match_by: MatchBy
    ) -> Mode:
        each = np.ix_(runs, runs)
        names = tuple(self.names[number] for number in runs)
        return Mode(
            tuple(runs),
            names,
            tuple(self.partitions[number].n_clusters for number in runs),
            runs[int(self.distances[each].sum(axis=1).argmin())],
            *pairs_within(self.values, runs),
            tuple(members[number] for number in runs),
            match_by,
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

    def plot(
        self, ax: "Axes | None" = None, *, threshold: float = THRESHOLD, title: str = ""
    ) -> "Axes":
        """
        Draw a heat map with the tree and the modes.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; see `concordant.plot.agreement_heat_map`.
        threshold : float, default=0.95
            As for `modes`.
        title : str, optional
            What stands above.

        Returns
        -------
        matplotlib.axes.Axes
            With the picture.
        """
        from concordant.plot import agreement_heat_map

        return agreement_heat_map(self, threshold=threshold, title=title, ax=ax)

    def __repr__(self) -> str:
        k = len(self)
        return f"Agreement({self.index} of {k} partitions, {self._range()})"

    def _range(self) -> str:
        pairs = self.values[~np.eye(len(self), dtype=bool)]
        return f"{np.nanmin(pairs):z.4f} to {np.nanmax(pairs):z.4f}"

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


@checked
@tiny_is_zero
def agreement(
    partitions: object,
    *,
    index: str = "aci",
    family: str | None = None,
    similarity: Similarity = "l1",
    null: str = "permutations",
    names: Sequence[str] | None = None,
    match_by: MatchBy = "position",
    n_jobs: int | None = None,
    engine: object = None,
    checkpoint: str | PathLike[str] | None = None,
    progress: Telling = None,
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
    match_by : {"position", "id", "common"}, default="position"
        How objects are matched: by position or by their ids; with "common", each two
        partitions are compared on the objects whose ids both have.
    n_jobs : int, optional
        Number of threads: None for 1 (or what ``joblib.parallel_config`` says), -1 for
        all cores. The result is the same to the last bit.
    engine : dask.distributed.Client or Engine, optional
        Where the work is done instead; see `concordance`.
    checkpoint : str or path, optional
        A file to which the work is saved: after an interruption, the same call resumes
        from there, with the same result.
    progress : callable or bool, optional
        Called as ``progress(done, total, None)`` with numbers of pairs of partitions;
        True draws a bar, False does not. By default work of more than about ten seconds
        draws one where it is seen.

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
    index = index_named("index", index)
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
    given = given_partitions(partitions, names, match_by)
    families = None if family is None else (family,)
    wanted = with_one_table(Wanted((index,), families), given.partitions)
    found = scores_of_all_pairs(*given, wanted, run, match_by)
    return Agreement(
        found.values[index],
        found.errors[index],
        given.names,
        index,
        tuple(given.partitions),
        match_by,
        similarity,
        null,
    )


def with_one_table(wanted: Wanted, partitions: Sequence[Partition]) -> Wanted:
    """Settle by which one family and t-norm statistics are computed, if there are."""
    if not wanted.statistics:
        return wanted
    all_crisp = all(partition.kind == "crisp" for partition in partitions)
    default = "crisp" if all_crisp else "huellermeier"
    family = wanted.families[0] if wanted.families else default
    t_norms = FAMILIES[family].t_norms
    t_norm = wanted.t_norm or (t_norms[0] if t_norms else None)
    return replace(wanted, families=(family,), t_norm=t_norm)
