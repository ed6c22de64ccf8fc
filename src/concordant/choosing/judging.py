"""How well partitions suit the data that they are of, by many indices."""

import warnings
from collections.abc import Hashable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from concordant.arrays import Matrix, Positions
from concordant.catalogue.validity_indices import VALIDITY
from concordant.choosing import validity_formulas
from concordant.choosing.data import Clustering, taken_in
from concordant.choosing.validity_formulas import Fit, UndefinedError
from concordant.errors import Argument, InputError
from concordant.execution.run import generator
from concordant.many.given import ending
from concordant.many.structureless import REFERENCES, drawn_as
from concordant.partition.alignment import MatchBy
from concordant.partition.estimators import is_estimator, seeds_of
from concordant.printing import Readable, Shown, printed
from concordant.underflow import tiny_is_zero
from concordant.wording import (
    check_choice,
    check_count,
    chosen,
    count,
    pandas_for,
    shown,
)

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MOST = 20_000  # objects of which silhouettes visit all pairs
_SEED = 2**31  # below which scikit-learn takes seeds
_NO_ANSWER = "Indices disagree, and choose even where there are no clusters: "
_NO_ANSWER += "one alone is no answer."


@dataclass(frozen=True, eq=False, repr=False)
class Validity(Readable):
    """
    Indices of partitions and their data, which print as a table.

    ``found["pc"]`` is an index of a single partition, ``found["pc", 3]`` that of the
    partition with the key 3.

    Parameters
    ----------
    indices : tuple of str
        The names of the indices; the page "How many clusters?" defines them.
    keys : tuple
        The keys of the partitions; of a single one, None.
    values : ndarray of shape (number of indices, number of partitions)
        The values; NaN where an index is not defined.
    why_not : mapping
        For each index and key where it is not defined, the reason.
    n_objects : int
        The number of objects.
    n_clusters, fuzzifiers : tuple
        Of each partition.
    n_sampled : int or None
        The number of objects that silhouettes are those of, if these are a sample.
    references : mapping of str to ndarray
        By the name of the reference, the values for data without structure, of shape
        (number of sets, number of indices, number of partitions).
    """

    indices: tuple[str, ...]
    keys: tuple[Hashable, ...]
    values: Matrix
    why_not: Mapping[tuple[str, Hashable], str]
    n_objects: int
    n_clusters: tuple[int, ...]
    fuzzifiers: tuple[float, ...]
    n_sampled: int | None = None
    references: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)

    def __getitem__(self, which: str | tuple[str, Hashable]) -> float:
        """
        Return the value of an index.

        Parameters
        ----------
        which : str or tuple of str and key
            Its name, and the key of the partition if there are several.

        Returns
        -------
        float
            The value; NaN if it is not defined, see `why_not`.
        """
        index, key = which if isinstance(which, tuple) else (which, self.keys[0])
        if index not in self.indices or key not in self.keys:
            raise KeyError(f"no index {index!r} of {key!r}; see .indices and .keys")
        if not isinstance(which, tuple) and len(self.keys) > 1:
            raise KeyError(f"several partitions; take [{index!r}, {self.keys[0]!r}]")
        return float(self.values[self.indices.index(index), self.keys.index(key)])

    @property
    def choices(self) -> dict[str, Hashable]:
        """The key of the partition that each index takes, the first one if tied."""
        found = {}
        for index, row in zip(self.indices, self.values, strict=True):
            if not np.isnan(row).all():
                highest = VALIDITY[index] == "highest"
                found[index] = self.keys[np.nanargmax(row if highest else -row)]
        return found

    def means(self, reference: str) -> Matrix:
        """
        Return the mean values for data without structure.

        Parameters
        ----------
        reference : {"normal", "uniform", "skewed"}
            One of `references`.

        Returns
        -------
        ndarray of shape (number of indices, number of partitions)
            Means over the sets for which an index is defined; NaN if there is none.
        """
        if not isinstance(reference, str) or reference not in self.references:
            known = ", ".join(self.references) or "none; validity(references=) makes it"
            what = f" must be one of those that there are ({known}), found "
            raise InputError(Argument("reference"), what + shown(reference))
        values = self.references[reference]
        there = np.ma.array(values, mask=np.isnan(values))
        return np.asarray(there.mean(axis=0).filled(np.nan))

    def records(self) -> list[dict[str, Any]]:
        """
        List the values.

        Returns
        -------
        list of dict
            With ``index``, ``best`` ("highest" or "lowest"), ``partition`` (its key),
            ``n_clusters``, ``value``, ``taken`` (whether the index takes this one), and
            the mean for each reference.
        """
        choices, found = self.choices, []
        means = {name: self.means(name) for name in self.references}
        for i, index in enumerate(self.indices):
            for j, key in enumerate(self.keys):
                record = {
                    "index": index,
                    "best": VALIDITY[index],
                    "partition": key,
                    "n_clusters": self.n_clusters[j],
                    "value": float(self.values[i, j]),
                    "taken": index in choices and choices[index] == key,
                }
                record |= {name: float(mean[i, j]) for name, mean in means.items()}
                found.append(record)
        return found

    def to_dict(self) -> dict[str, Any]:
        """
        Return everything as numbers and text, for JSON.

        Returns
        -------
        dict
            ``n_objects``, ``n_sampled``, ``fuzzifiers``, ``choices``, ``undefined`` and
            ``values`` (see `records`).
        """
        undefined = [
            {"index": index, "partition": key, "why": why}
            for (index, key), why in self.why_not.items()
        ]
        return {
            "n_objects": self.n_objects,
            "n_sampled": self.n_sampled,
            "fuzzifiers": [*self.fuzzifiers],
            "choices": self.choices,
            "undefined": undefined,
            "values": self.records(),
        }

    def to_frame(self) -> "pandas.DataFrame":
        """
        Return the values as a data frame, one row per index and partition.

        Returns
        -------
        pandas.DataFrame
            With the columns of `records`.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        pd = pandas_for("to_frame()", "; to_dict() does without")
        frame: pandas.DataFrame = pd.DataFrame.from_records(self.records())
        return frame

    def plot(self, ax: "Sequence[Axes] | None" = None) -> "Figure":
        """
        Draw each index by partition, beside what data without structure give.

        Parameters
        ----------
        ax : sequence of matplotlib.axes.Axes, optional
            Where to draw, one for each index. By default those of a new figure.

        Returns
        -------
        matplotlib.figure.Figure
            A panel for each index.
        """
        from concordant.plot.panels import validity_panels

        return validity_panels(self, ax=ax)

    @property
    def names(self) -> tuple[str, ...]:
        """What the partitions are called, in tables."""
        if self.keys == (None,):
            return ("value",)
        return tuple(ending(printed(key)) for key in self.keys)

    def _title(self) -> str:
        sizes = sorted({*self.n_clusters})
        clusters = f"{sizes[0]} to " * (len(sizes) > 1) + count(sizes[-1], "cluster")
        partitions = count(len(self.keys), "partition")
        return f"{partitions} of {count(self.n_objects, 'object')} into {clusters}"

    def _shown(self) -> Shown:
        choices, rows, of_many = self.choices, [], len(self.keys) > 1
        names = dict(zip(self.keys, self.names, strict=True))
        for i, index in enumerate(self.indices):
            taken = names[choices[index]] if index in choices else "-"
            best = [VALIDITY[index]]
            row = [index, *best, *map(_digits, self.values[i])]
            rows.append([*row, taken] if of_many else row)
            for reference in self.references:
                means = map(_digits, self.means(reference)[i])
                rows.append([f"  {reference}", "", *means, *[""] * of_many])
        header = ("index", "best", *self.names, *["takes"] * of_many)
        lines, note = [*self._lines()], _NO_ANSWER * of_many
        return Shown(self._title(), lines, header, rows, note, n_texts=2)

    def _lines(self) -> Iterator[str]:
        """Say what values are of, and why some are missing."""
        if self.n_sampled is not None:
            yield f"silhouettes are those of {self.n_sampled} objects at random"
        for name, values in self.references.items():
            n_undefined = int(np.isnan(values).sum())
            undefined = f"; {n_undefined} of {values.size} values are not defined"
            sets = f"{count(len(values), 'set')} of data without structure"
            yield f"{name}: mean of {sets}{undefined * (n_undefined > 0)}"
        reasons: dict[tuple[str, str], list[str]] = {}
        names = dict(zip(self.keys, self.names, strict=True))
        for (index, key), why in self.why_not.items():
            whose = "" if key is None else f" of {names[key]}"
            reasons.setdefault((whose, why), []).append(index)
        for (whose, why), these in reasons.items():
            yield f"no {', '.join(these)}{whose}: {why}"


def _digits(value: float) -> str:
    return "-" if np.isnan(value) else f"{value:#.5g}".rstrip(".")


@tiny_is_zero
def validity(
    X: ArrayLike,
    P: object,
    *,
    centers: ArrayLike | Mapping[Any, ArrayLike] | None = None,
    fuzzifier: float | None = None,
    indices: Literal["all"] | str | Sequence[str] = "all",
    references: str | Sequence[str] | None = None,
    n_references: int = 10,
    match_by: MatchBy = "position",
    random_state: int | np.random.Generator | None = None,
) -> Validity:
    """
    Measure how well partitions suit the data that they are of.

    Parameters
    ----------
    X : array-like of shape (n, p)
        The data.
    P : partition, estimator, or mapping of these
        Anything that a `Partition` of the n objects can be made from, crisp or fuzzy.
        Of a fitted estimator the memberships, else the labels, the centres and the
        fuzzifier are taken. A mapping, as ``{2: P2, 3: P3}``, makes a table with the
        partition that each index takes.
    centers : array-like of shape (K, p), or mapping of these, optional
        The centres; by default those of the estimator, as its ``cluster_centers_``,
        else the means weighted by the memberships to the power of the fuzzifier.
    fuzzifier : float, optional
        m; by default that of the estimator, else 2. It is without effect on crisp
        partitions, `kwon2` aside.
    indices : "all", str or sequence of str, default="all"
        ``"pc"``, ``"mpc"``, ``"pe"``, ``"xb"``, ``"fs"``, ``"kwon"``, ``"kwon2"``,
        ``"tang"``, ``"pbm"``, ``"pcaes"``, ``"fhv"``, ``"silhouette"``,
        ``"silhouette_squared"``, ``"fuzzy_silhouette"`` or
        ``"fuzzy_silhouette_squared"``.
    references : {"normal", "uniform", "skewed"} or sequence of these, optional
        Data without structure, with the covariance of X, for which the indices are
        computed as well: copies of the estimators are fitted to them, so that P must be
        estimators.
    n_references : int, default=10
        The number of sets of each reference.
    match_by : {"position", "id", "common"}, default="position"
        How objects are matched: by position, by their ids, which data have as their
        pandas index, or those whose ids all have.
    random_state : int, Generator or None, default=None
        Seed of the references, of the estimators fitted to them, and of the sample for
        silhouettes of more than 20 000 objects, which for None is the same each time.

    Returns
    -------
    Validity
        The values, as ``found["pc"]``, ``found["pc", 3]`` of several, ``.choices``,
        ``.to_frame()`` and ``.plot()``; it prints as a table.

    Raises
    ------
    ValueError, TypeError
        If X is no table of finite numbers, or describes other objects than P.

    Notes
    -----
    The values have no errors and no intervals: the memberships were fitted to the very
    objects, and no two of them are independent. An index alone does not tell how many
    clusters there are: `references` show what it is where there are none.

    An index that is not defined is NaN, and the reason is told: where centres coincide
    (``xb``, ``kwon``), where a cluster has no volume (``fhv``), where all objects are
    hardened to one cluster (silhouettes). Of a hardened partition the first of the
    largest memberships counts; clusters that are then empty are passed over, and the
    silhouette of an object alone in a cluster is 0.

    Time is O(n K p), and O(n^2 p) for silhouettes, up to 20 000 objects.

    Examples
    --------
    >>> import concordant as cc
    >>> from concordant.cluster import FuzzyCMeans
    >>> X = [[0.0, 0.0], [0.0, 1.0], [5.0, 5.0], [5.0, 6.0]]
    >>> model = FuzzyCMeans(2, random_state=0).fit(X)
    >>> found = cc.validity(X, model, indices=["pc", "xb", "silhouette"])
    >>> print(found)
    1 partition of 4 objects into 2 clusters
    index       best         value
    ------------------------------
    pc          highest    0.99005
    xb          lowest   0.0049745
    silhouette  highest    0.85859
    """
    wanted = chosen("indices", indices, (*VALIDITY, "all"))
    if "all" in wanted:
        wanted = tuple(VALIDITY)
    named = chosen("references", references, tuple(REFERENCES))
    check_count("n_references", n_references)
    check_choice("match_by", match_by, get_args(MatchBy), optional=False)
    rng = generator(0 if random_state is None else random_state)
    points, given = taken_in(X, P, centers, fuzzifier, match_by)
    for each in given.values() if named else ():
        if not is_estimator(each.estimator):
            raise InputError(
                Argument("references"),
                " are clustered as P was, which only an estimator tells: pass fitted "
                "estimators as P, or leave it out",
            )
    n, sample = len(points), np.arange(len(points))
    if n > _MOST:
        sample = np.sort(rng.choice(n, _MOST, replace=False))
    why_not: dict[tuple[str, Hashable], str] = {}
    columns = []
    for key, each in given.items():
        values, reasons = _values(each.fit_to(points, sample), wanted)
        columns.append(values)
        why_not |= {(index, key): why for index, why in reasons.items()}
    of_references = {}
    for name in named:
        sets = [
            _of_reference(drawn_as(points, name, rng), given, wanted, sample, rng)
            for _ in range(n_references)
        ]
        of_references[name] = np.array(sets)
    return Validity(
        wanted,
        tuple(given),
        np.array(columns).T,
        why_not,
        n,
        tuple(each.partition.n_clusters for each in given.values()),
        tuple(each.fuzzifier for each in given.values()),
        _MOST if n > _MOST and any("silhouette" in name for name in wanted) else None,
        references=of_references,
    )


def _values(fit: Fit, wanted: Sequence[str]) -> tuple[list[float], dict[str, str]]:
    """Return the values of indices, NaN with a reason where one is not defined."""
    values, reasons = [], {}
    for index in wanted:
        try:
            values.append(getattr(validity_formulas, index)(fit))
        except UndefinedError as error:
            values.append(np.nan)
            reasons[index] = str(error)
    return values, reasons


def _of_reference(
    points: Matrix,
    given: Mapping[Hashable, Clustering],
    wanted: Sequence[str],
    sample: Positions,
    rng: np.random.Generator,
) -> Matrix:
    """Cluster data without structure as the data were, and return the indices."""
    columns = []
    for each in given.values():
        model = deepcopy(each.estimator)
        if seeds := seeds_of(model):
            model.set_params(**dict.fromkeys(seeds, int(rng.integers(_SEED))))
        with warnings.catch_warnings():
            # Fits to noise may not converge, and centres may coincide.
            warnings.simplefilter("ignore", category=UserWarning)
            model.fit(points)
        try:
            _, found = taken_in(points, model, fuzzifier=each.fuzzifier)
            values, _ = _values(found[None].fit_to(points, sample), wanted)
        except InputError:  # in noise a cluster may be left empty
            values = [np.nan] * len(wanted)
        columns.append(values)
    return np.array(columns).T
