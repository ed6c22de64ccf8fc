"""What users hold, checked once, becomes a Partition."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, Literal, Self, get_args

import numpy as np
from numpy.typing import DTypeLike, NDArray

from concordant.arrays import as_positions
from concordant.catalogue.records import FREE_SUMS, Kind, Noise
from concordant.door import checked
from concordant.errors import (
    InputError,
    InputTypeError,
    Keyword,
    Message,
    Piece,
    Setting,
    Wordings,
)
from concordant.partition.estimators import estimated
from concordant.partition.ids import Ids, as_ids, ids_of, take_ids
from concordant.partition.labels import from_labels, remarks_on, smallest
from concordant.partition.memberships import (
    Matrix,
    check_zeros_and_ones,
    contiguous,
    from_memberships,
)
from concordant.partition.noise import settle_noise, warn_of_noise
from concordant.partition.reading import as_array, without_missing
from concordant.printing import Shown, short, shortened
from concordant.wording import check_choice, check_flag, count, either, several

Change = Callable[[NDArray[Any]], NDArray[Any]]

_LABEL_POLICIES = ("cluster", "singletons", "drop")
_COLLAPSED = "all objects have the same memberships: no cluster tells them apart"
_SAME = 1e-6  # the difference of memberships that a failed clustering leaves
_BLOCK = 256  # rows that are looked at at once
_SHOWN_OBJECTS, _SHOWN_CLUSTERS = 5, 10  # in a notebook


@dataclass(init=False, repr=False, eq=False, slots=True)
class Partition:
    """
    n objects in K clusters, checked once and immutable.

    Parameters
    ----------
    data : array-like, data frame, series, sparse matrix, estimator, path or Partition
        Labels (1-D): integers, text, booleans, or whole numbers held as floats; any
        sequence, NumPy array, pandas or polars series, categorical or not. None, NaN,
        NaT and pandas' NA are missing and refused; text is a label whatever it says.
        Memberships (2-D), one row per object and one column per cluster: anything
        NumPy can read, pandas and polars frames, SciPy sparse matrices. A fitted
        estimator stands for the clusters of the data it was fitted to: for its
        ``memberships_``, as those of `concordant.cluster` have, else for its
        ``labels_``, as clusterings of scikit-learn have. A pipeline stands for its last
        step, a search for its best estimator. For models that do not keep memberships
        (mixtures, topic models), and for other data, see `from_estimator`. A path is
        that of a file; `read_partition` has more options for it.
    kind : {"crisp", "fuzzy", "possibilistic", "overlapping"}, optional
        Found from the data by default: *crisp* for labels and for matrices of zeros
        and ones, *fuzzy* for other matrices whose rows sum to 1. Pass
        ``"possibilistic"`` for memberships in [0, 1] whose rows need not sum to 1, and
        ``"overlapping"`` for zeros and ones, where an object may belong to several
        clusters, or to none; pass one of the others to have it checked.
    noise : {"cluster", "singletons", "drop", "column"}, optional
        What to do with objects that belong to no cluster. For integer labels, where
        -1 marks noise: ``"cluster"`` (default) counts -1 as a cluster like any other,
        as scikit-learn's metrics do, with a `NoiseLabelWarning` unless it is passed
        explicitly; ``"singletons"`` makes each noise object a cluster of its own;
        ``"drop"`` leaves noise objects out, here and in every partition that this one
        is compared with. For memberships whose rows sum to less than 1: ``"column"``
        adds the missing mass as one more cluster, called "noise".
    ids : sequence of n, optional
        What the objects are called; by default their pandas index, if they have one.
    clusters : sequence of K, optional
        What the clusters of a membership matrix are called; by default the columns
        of a data frame, or 0 to K - 1.
    normalize : bool, default=False
        Whether each row of memberships is divided by its sum, for percentages and
        other numbers that are proportional to memberships. `remarks` say by how much
        they changed.
    missing : {"drop"}, optional
        Leave out the objects of which a value is missing, here and in every partition
        that this one is compared with. By default they are refused.
    groups : sequence of n, optional
        The group that each object comes from, such as its population; files of
        STRUCTURE and CLUMPP have them.

    Notes
    -----
    Memberships must lie in [0, 1] and rows must sum to 1, both within 1e-5; beyond
    that they are refused, within it they are used as they are. Nothing is
    renormalized, clipped or hardened unless that is asked for. The clusters of labels
    are in sorted order.

    Memberships that were rounded for a table, to d >= 2 digits, sum to 1 within
    K/2 x 10^-d. If all entries of a matrix are multiples of 10^-d (in double or single
    precision), rows may be as far from 1 as that, but less than 1/2. They are used as
    they are, and `remarks` say so.

    Labels are kept as one small integer per object, so that ten million labels of up
    to 256 clusters take 10 MB; memberships are copied once, as ``float64``.

    When two partitions that both have ids are compared, the ids must be the same in
    the same order, unless ``match_by="id"`` is asked for.

    Examples
    --------
    >>> from concordant import Partition
    >>> Partition(["a", "b", "a"])
    Partition(crisp, 3 objects, 2 clusters)
    >>> fuzzy = Partition([[0.9, 0.1], [0.2, 0.8], [0.5, 0.5]])
    >>> fuzzy.kind
    'fuzzy'
    >>> fuzzy.harden().labels.tolist()
    [0, 1, 0]
    >>> Partition([0, 1, 0], ids=["Ann", "Bob", "Cyd"]).ids.tolist()
    ['Ann', 'Bob', 'Cyd']
    >>> Partition([[1, 1], [0, 1], [0, 0]], kind="overlapping")
    Partition(overlapping, 3 objects, 2 clusters)
    """

    _kind: Kind
    _codes: NDArray[np.unsignedinteger[Any]] | None  # crisp: the cluster of each object
    _matrix: NDArray[Any] | None  # otherwise: K x n, as given while it can be
    _n_clusters: int
    _clusters: NDArray[Any] | None  # None: 0 .. K - 1
    _ids: Ids | None  # of the objects as given
    _n_given: int
    _kept: NDArray[np.intp] | None  # positions left by noise="drop"; None: all
    _remarks: tuple[Piece, ...]
    _groups: Ids | None  # of the objects as given

    def __init__(
        self,
        data: object,
        *,
        kind: Kind | None = None,
        noise: Noise | None = None,
        ids: object = None,
        clusters: Sequence[Hashable] | None = None,
        normalize: bool = False,
        missing: Literal["drop"] | None = None,
        groups: object = None,
    ) -> None:
        asked = _Asked(kind, noise, normalize, missing, ids, clusters, groups)
        if isinstance(data, str | PathLike):
            data, asked = _of_file(data, asked), _Asked()
        self._fill(data, "data", asked)
        self._own()

    @classmethod
    def from_estimator(cls, estimator: object, X: object) -> "Partition":
        """
        Partition data with a fitted estimator.

        Parameters
        ----------
        estimator : object
            With ``predict_proba`` (mixtures, fuzzy clusterings, classifiers),
            ``predict`` (crisp clusterings) or ``transform`` whose rows sum to 1 (topic
            models); the first of these that it has is called.
        X : array-like of shape (n, p)
            The data.

        Returns
        -------
        Partition
            Of the rows of X. The pandas index of X, if it has one, gives the ids.

        Examples
        --------
        >>> import numpy as np
        >>> from sklearn.mixture import GaussianMixture
        >>> from concordant import Partition
        >>> X = np.array([[0.0], [1.0], [2.0], [3.0], [6.0], [7.0]])
        >>> model = GaussianMixture(2, random_state=0).fit(X)
        >>> Partition.from_estimator(model, X)
        Partition(fuzzy, 6 objects, 2 clusters)
        """
        data = estimated(estimator, X)
        return cls._named(data, "the estimate", ids=ids_of(X))._own()

    @classmethod
    def _named(cls, data: object, name: str, **options: Any) -> "Partition":
        """Make a partition for one call, whose errors call the data `name`."""
        if isinstance(data, Partition) and not options:
            return data
        if isinstance(data, str | PathLike) and not options:
            return _of_file(data, _NOTHING)
        partition = cls.__new__(cls)
        partition._fill(data, name, _Asked(**options) if options else _NOTHING)
        return partition

    def _fill(self, data: object, name: str, asked: "_Asked") -> None:
        """Take data in, and warn of labels -1 if nobody said what they mean."""
        kind, noise = asked.kind, asked.noise
        if isinstance(data, Partition):
            asked.check_made(data)
            self.__setstate__(data.__getstate__())
            return
        ids, groups = ids_of(data), None
        left: NDArray[np.intp] | None = None
        taken, n = data, 0
        if asked.missing is not None:
            taken, left, n = without_missing(data, name)
        array, names = as_array(taken, name)
        n = n if left is not None else len(array)
        if asked.ids is not None:
            ids = as_ids(asked.ids, n, name)
        if asked.clusters is not None:
            names = _as_clusters(asked.clusters, array, name)
        is_matrix = array.ndim == 2
        asked.check_meant(name, is_matrix)
        if asked.groups is not None:
            groups = as_ids(asked.groups, n, name, "groups")
        matrix: NDArray[Any] | None = None
        kept = left
        remarks = asked.noticed
        if left is not None:
            n_missing = count(n - len(left), "object")
            remarks += (f"{n_missing} with a missing value left out",)
        if is_matrix:
            given = Matrix(array, name, data)
            codes, matrix, found = from_memberships(
                given,
                must_sum=kind not in FREE_SUMS,
                noise_column=noise == "column",
                normalize=asked.normalize,
            )
            remarks += found
            if kind == "overlapping":
                check_zeros_and_ones(given)
            n_clusters = array.shape[1] if matrix is None else len(matrix)
            if n_clusters > array.shape[1]:
                names = np.arange(array.shape[1]) if names is None else names
                names = np.append(names.astype(object), "noise")
        else:
            settled = settle_noise(*from_labels(array, names, name), name, noise)
            codes, names = settled.codes, settled.clusters
            n_clusters = len(names)
            if settled.kept is not None:
                kept = settled.kept if left is None else left[settled.kept]
            remarks += (*settled.remarks, *remarks_on(names))
        own_kind: Kind = "fuzzy" if codes is None else "crisp"
        if kind is not None and kind in FREE_SUMS:
            own_kind = kind
        elif kind not in (None, own_kind):
            hint: Piece = Message("; leave out ", Keyword("kind"))
            if kind == "crisp":
                harden = "; call .harden() to take each object's largest membership"
                hint = Wordings(harden, "")
            raise InputError(f"{name} is {own_kind}, not {kind}", hint)
        self.__setstate__(
            {
                "_kind": own_kind,
                "_codes": codes,
                "_matrix": matrix,
                "_n_clusters": n_clusters,
                "_clusters": names,
                "_ids": ids,
                "_n_given": n,
                "_kept": kept,
                "_remarks": remarks,
                "_groups": groups,
            }
        )
        if self._is_collapsed():
            self.__setstate__({"_remarks": (*remarks, _COLLAPSED)})
        if not is_matrix and noise is None and settled.remarks:
            if asked.noisy is not None:
                asked.noisy.append(name)
            elif asked.warn:
                warn_of_noise(name)

    def _is_collapsed(self) -> bool:
        """Return whether all of several objects have the same memberships, nearly."""
        n = self.n_objects
        if self._matrix is None:
            return n > 1 and bool((self.labels == self.labels[0]).all())
        columns = self._matrix
        first = columns[:, :1].astype(np.float64)
        # Where rows need not sum to 1, all memberships may be small.
        most = _SAME * (abs(first).max() if self._kind == "possibilistic" else 1.0)
        blocks = (columns[:, i : i + _BLOCK] for i in range(0, n, _BLOCK))
        return n > 1 and all(abs(some - first).max() <= most for some in blocks)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Partition is immutable: cannot set {name!r}")

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False
            object.__setattr__(self, name, value)

    def _replace(self, **changes: Any) -> "Partition":
        """Return the same but for some slots, called without the leading underscore."""
        partition = Partition.__new__(Partition)
        changed = {f"_{name}": value for name, value in changes.items()}
        partition.__setstate__(self.__getstate__() | changed)
        return partition

    def _own(self) -> Self:
        """Be independent of the array that was given."""
        if self._matrix is not None and not self._matrix.flags.owndata:
            self.__setstate__({"_matrix": contiguous(self._matrix)})
        return self

    @property
    def kind(self) -> Kind:
        """``"crisp"``, ``"fuzzy"``, ``"possibilistic"`` or ``"overlapping"``."""
        return self._kind

    @property
    def n_objects(self) -> int:
        """The number of objects."""
        return self._n_given if self._kept is None else len(self._kept)

    @property
    def n_clusters(self) -> int:
        """The number of clusters, empty ones included."""
        return self._n_clusters

    @property
    def shape(self) -> tuple[int, int]:
        """(n, K), the shape of the membership matrix."""
        return self.n_objects, self.n_clusters

    @property
    def clusters(self) -> NDArray[Any]:
        """The clusters' names: sorted labels, or the columns of the matrix."""
        if self._clusters is None:
            return np.arange(self._n_clusters)
        return self._clusters

    @property
    def labels(self) -> NDArray[np.unsignedinteger[Any]]:
        """
        The cluster of each object, as a position in `clusters`; crisp only.

        Raises
        ------
        ValueError
            If the partition is not crisp: `harden` it first.
        """
        if self._codes is None:
            raise InputError(
                f"a {self.kind} partition has no labels",
                Wordings("; .harden() takes each object's largest membership", ""),
            )
        return self._codes

    @property
    def memberships(self) -> NDArray[np.float64]:
        """The n x K memberships, read-only; made anew at each call if crisp."""
        return self.columns().T

    @property
    def ids(self) -> NDArray[Any] | None:
        """The objects' ids, read-only, if they have any."""
        return take_ids(self._ids, self._kept)

    @property
    def groups(self) -> NDArray[Any] | None:
        """The group that each object comes from, read-only, if that is known."""
        return take_ids(self._groups, self._kept)

    @property
    def remarks(self) -> tuple[str, ...]:
        """
        What was decided or noticed when the partition was made, one sentence each.

        Rounded memberships that are used as they are, rows that were divided by their
        sums, objects with the label -1 and what became of them, labels that read
        ``"NA"`` or differ only by white space at their ends, memberships that are the
        same for all objects.
        """
        return tuple(map(str, self._remarks))

    @checked
    def rows(self, start: int, stop: int) -> NDArray[np.float64]:
        """
        Return the memberships of the objects from `start` up to `stop`.

        Parameters
        ----------
        start, stop : int
            Positions.

        Returns
        -------
        ndarray of shape (stop - start, K)
            One row per object.
        """
        if self._matrix is not None:
            return np.asarray(self._matrix[:, start:stop].T, dtype=np.float64)
        labels = self.labels[start:stop]
        rows = np.zeros((len(labels), self.n_clusters))
        rows[np.arange(len(labels)), labels] = 1.0
        return rows

    def columns(self) -> NDArray[np.float64]:
        """
        Return the K x n memberships, one cluster per contiguous row, read-only.

        Returns
        -------
        ndarray of shape (K, n)
            The stored array itself, or for a crisp partition a new one.
        """
        if self._matrix is not None:
            if self._matrix.dtype != np.float64 or not self._matrix.flags.c_contiguous:
                self.__setstate__({"_matrix": contiguous(self._matrix)})
            return self._matrix
        columns = np.zeros((self.n_clusters, self.n_objects))
        columns[self.labels, np.arange(self.n_objects)] = 1.0
        columns.flags.writeable = False
        return columns

    def harden(self) -> "Partition":
        """
        Assign each object to the cluster of its largest membership.

        Returns
        -------
        Partition
            A crisp one with the same clusters. Where several memberships are the
            largest, the first of these clusters gets the object.
        """
        if self._matrix is None:
            return self
        codes = smallest(self.columns().argmax(axis=0), self.n_clusters)
        return self._replace(kind="crisp", codes=codes, matrix=None)

    def take(self, positions: NDArray[np.intp]) -> "Partition":
        """
        Return the partition of the objects at `positions`, in that order.

        Parameters
        ----------
        positions : ndarray of int
            Positions from 0 to n - 1.

        Returns
        -------
        Partition
            With the same clusters; its ids, if any, go along.
        """
        positions = as_positions("positions", positions, self.n_objects)
        where = positions if self._kept is None else self._kept[positions]
        return self._with(
            codes=lambda codes: codes[positions],
            columns=lambda columns: columns[:, positions],
            ids=take_ids(self._ids, where),
            groups=take_ids(self._groups, where),
            n_given=len(positions),
            kept=None,
        )

    def _with_clusters(self, order: NDArray[np.intp]) -> "Partition":
        """Put the clusters in another order, which may leave out empty ones."""
        if np.array_equal(order, np.arange(self.n_clusters)):
            return self
        places = np.zeros(self.n_clusters, dtype=np.intp)
        places[order] = np.arange(len(order))
        codes_of = smallest(places, len(order))
        return self._with(
            codes=lambda codes: codes_of[codes],
            columns=lambda columns: columns[order],
            clusters=self.clusters[order],
            n_clusters=len(order),
        )

    def _permuted(self, order: NDArray[np.intp]) -> "Partition":
        """Give each object the place of another, whose id it takes on."""
        return self.take(order)._replace(ids=self.ids, groups=self.groups)

    def _among(
        self, positions: NDArray[np.intp], n_given: int, ids: object, groups: object
    ) -> "Partition":
        """Say that these are the objects at some positions of more, left out here."""
        return self._replace(
            ids=None if ids is None else as_ids(ids, n_given, "data"),
            groups=None if groups is None else as_ids(groups, n_given, "data"),
            n_given=n_given,
            kept=positions if self._kept is None else positions[self._kept],
        )

    def _with(self, codes: Change, columns: Change, **changes: Any) -> "Partition":
        """Return what two functions make of labels or memberships, and changes."""
        if self._matrix is None:
            return self._replace(codes=codes(self.labels), **changes)
        made = np.ascontiguousarray(columns(self.columns()))
        return self._replace(matrix=made, **changes)

    def __len__(self) -> int:
        return self.n_objects

    def __getitem__(self, which: slice | NDArray[Any] | list[int]) -> "Partition":
        """
        Return the partition of some of the objects.

        Parameters
        ----------
        which : slice, or array of positions or of booleans
            The objects, as for an array.

        Returns
        -------
        Partition
            With the same clusters; ids and groups go along.

        Raises
        ------
        TypeError, IndexError
            If `which` is a single object, or cannot be used as an index.
        ValueError
            If no object is left.
        """
        if isinstance(which, int | np.integer):
            raise InputTypeError(
                f"P[{which}] is one object, not a partition; P[[{which}]] is a "
                f"partition of it alone, P.memberships[{which}] are its memberships"
            )
        positions = np.arange(self.n_objects)[which]
        if positions.ndim != 1:
            raise IndexError(
                "P[...] takes a slice, or an array of positions or of booleans, found "
                f"{which!r}"
            )
        if not positions.size:
            raise InputError("P[...] has no objects: a partition needs at least one")
        return self.take(positions)

    def __array__(
        self, dtype: DTypeLike | None = None, copy: bool | None = None
    ) -> NDArray[Any]:
        """Return the n x K memberships."""
        array = np.asarray(self.memberships, dtype=dtype)
        return array.copy() if copy else array

    def __eq__(self, other: object) -> bool:
        """Return whether memberships and ids are the same, in the same order."""
        if not isinstance(other, Partition):
            return NotImplemented
        ids, others = self.ids, other.ids
        if self.shape != other.shape or (ids is None) != (others is None):
            return False
        if ids is not None and others is not None and not np.array_equal(ids, others):
            return False
        if self._codes is not None and other._codes is not None:
            return np.array_equal(self._codes, other._codes)
        return np.array_equal(self.columns(), other.columns())

    __hash__ = None  # type: ignore[assignment]

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __repr__(self) -> str:
        return (
            f"Partition({self.kind}, {count(self.n_objects, 'object')}, "
            f"{count(self.n_clusters, 'cluster')})"
        )

    def _repr_html_(self) -> str:
        n, k = min(len(self), _SHOWN_OBJECTS), min(self.n_clusters, _SHOWN_CLUSTERS)
        names = np.arange(n) if self.ids is None else self.ids[:n]
        head = ["", *map(shortened, self.clusters[:k])]
        rows = [
            [shortened(name), *map(short, row[:k])]
            for name, row in zip(names, self.rows(0, n), strict=True)
        ]
        shown = [f"{n} of {count(len(self), 'object')}"] if n < len(self) else []
        if k < self.n_clusters:
            shown.append(f"{k} of {count(self.n_clusters, 'cluster')}")
        return Shown(repr(self), self.remarks, head, rows, ", ".join(shown)).html()


def equivalence(
    P: Partition, i: NDArray[np.intp], j: NDArray[np.intp]
) -> NDArray[np.float64]:
    """
    Return E(i, j) = 1 - |u_i - u_j| / 2, in the L1 norm, for pairs of objects.

    Positions `i` and `j` broadcast against each other. For a crisp partition it is 1
    for two objects of one cluster and 0 for others.
    """
    if P.kind == "crisp":
        return np.asarray(P.labels[i] == P.labels[j], dtype=np.float64)
    distances = np.zeros(np.broadcast_shapes(i.shape, j.shape))
    for column in P.columns():
        distances += np.abs(column[i] - column[j])
    return np.asarray(1.0 - 0.5 * distances)


@dataclass(frozen=True)
class _Asked:
    """What is said of the data of a partition; see there."""

    kind: Kind | None = None
    noise: Noise | None = None
    normalize: bool = False
    missing: Literal["drop"] | None = None
    ids: object = None
    clusters: Sequence[Hashable] | None = None
    groups: object = None
    warn: bool = True  # of labels -1
    noisy: list[str] | None = None  # takes the names of data with these instead
    noticed: tuple[Piece, ...] = ()  # when it was read: the first remarks

    def __post_init__(self) -> None:
        """Refuse what makes rows sum to 1 where they need not, and both at once."""
        check_choice("kind", self.kind, get_args(Kind))
        check_choice("noise", self.noise, get_args(Noise))
        check_choice("missing", self.missing, ("drop",))
        check_flag("normalize", self.normalize)
        asked = [Setting("normalize", True)] if self.normalize else []
        asked += [Setting("noise", "column")] if self.noise == "column" else []
        one = "; leave out one of them"
        if asked and self.kind in FREE_SUMS:
            free = Setting("kind", self.kind), " is for rows that need not"
            raise InputError(asked[0], " makes rows sum to 1, and ", *free, one)
        if len(asked) > 1:
            both = asked[0], " and ", asked[1]
            raise InputError(*both, " both make rows sum to 1", one)

    def check_made(self, made: Partition) -> None:
        """Refuse what can only be said of data that are no Partition yet."""
        other_kind = None if self.kind == made.kind else self.kind
        said = vars(self) | {"normalize": self.normalize or None, "kind": other_kind}
        for name in ("ids", "clusters", "groups", "normalize", "kind", "noise"):
            if said[name] is not None:
                already = f"data is a Partition already ({made.kind}); pass "
                raise InputError(already, Keyword(name), " when it is first made")

    def check_meant(self, name: str, is_matrix: bool) -> None:
        """Refuse what is said of memberships if these are labels, and conversely."""
        if is_matrix:
            if self.noise not in (None, "column"):
                holds = f' is for labels, but {name} holds memberships; use "column"'
                raise InputError(Setting("noise", self.noise), holds)
            return
        holds = f" is for memberships, but {name} holds labels"
        if self.noise == "column":
            remedy = f"; use {either(_LABEL_POLICIES)}"
            raise InputError(Setting("noise", self.noise), holds, remedy)
        if self.kind in FREE_SUMS:
            raise InputError(Setting("kind", self.kind), holds, ", which are crisp")
        if self.normalize:
            raise InputError(Setting("normalize", True), holds)


_NOTHING = _Asked()


def _of_file(path: str | PathLike[str], asked: _Asked) -> Partition:
    """Read a file, as far as what is asked is about reading."""
    from concordant.files.partitions import read_partition

    for name in ("ids", "clusters", "groups"):
        if getattr(asked, name) is not None:
            raise InputError(
                Keyword(name),
                " is for data in memory, and this is the path of a file; leave it out, "
                "or use read_partition, which has options for files",
            )
    return read_partition(
        Path(path),
        kind=asked.kind,
        noise=asked.noise,
        normalize=asked.normalize,
        missing=asked.missing,
    )


def _as_clusters(
    given: Sequence[Hashable], array: NDArray[Any], name: str
) -> NDArray[Any]:
    """Read the names that somebody gave to the clusters of a matrix."""
    if array.ndim == 1:
        raise InputError(
            f"clusters= is for memberships, but {name} holds labels, which name their "
            "clusters"
        )
    names = several("clusters", given) or ()
    if len(names) != array.shape[1]:
        raise InputError(
            f"clusters has {count(len(names), 'name')} and {name} has "
            f"{count(array.shape[1], 'cluster')}: each cluster needs one"
        )
    return np.fromiter(names, dtype=object, count=len(names))
