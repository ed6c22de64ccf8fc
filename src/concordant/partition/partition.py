"""What users hold, checked once, becomes a Partition."""

from collections.abc import Hashable, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Literal, Self, get_args

import numpy as np
from numpy.typing import DTypeLike, NDArray

from concordant.catalogue import FREE_SUMS, Kind
from concordant.errors import (
    Argument,
    InputError,
    InputTypeError,
    Keyword,
    Message,
    Piece,
    Setting,
    Wordings,
)
from concordant.execution.engine import Engine
from concordant.partition.estimators import estimated
from concordant.partition.ids import Ids, as_ids, ids_of, take_ids
from concordant.partition.labels import from_labels, remarks_on, smallest
from concordant.partition.memberships import (
    Memberships,
    check_zeros_and_ones,
    from_memberships,
)
from concordant.partition.naming import shortened
from concordant.partition.noise import settle_noise, warn_of_noise
from concordant.partition.reading import as_array, without_missing
from concordant.printing import html_lines, html_note, html_table, short
from concordant.wording import check_choice, count, either

Noise = Literal["cluster", "singletons", "drop", "column"]

_LABEL_POLICIES = ("cluster", "singletons", "drop")
_COLLAPSED = "all objects have the same memberships: no cluster tells them apart"
_SAME = 1e-6  # the difference of memberships that a failed clustering leaves
_BLOCK = 256  # rows that are looked at at once
_SHOWN_OBJECTS, _SHOWN_CLUSTERS = 5, 10  # in a notebook


class Partition:
    """
    n objects in K clusters, checked once and immutable.

    Parameters
    ----------
    data : array-like, data frame, series, sparse matrix, estimator or Partition
        Labels (1-D): integers, text, booleans, or whole numbers held as floats; any
        sequence, NumPy array, pandas or polars series, categorical or not. None, NaN,
        NaT and pandas' NA are missing and refused; text is a label whatever it says.
        Memberships (2-D), one row per object and one column per cluster: anything
        NumPy can read, pandas and polars frames, SciPy sparse matrices. A fitted
        estimator stands for the clusters of the data it was fitted to: for its
        ``memberships_``, as those of `concordant.cluster` have, else for its
        ``labels_``, as clusterings of scikit-learn have. A pipeline stands for its last
        step, a search for its best estimator. For models that do not keep memberships
        (mixtures, topic models), and for other data, see `from_estimator`.
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
    the same order, unless ``align="index"`` is asked for.

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

    __slots__ = (
        "_clusters",
        "_codes",
        "_groups",
        "_ids",
        "_kept",
        "_kind",
        "_matrix",
        "_n_clusters",
        "_n_given",
        "_remarks",
    )

    _kind: Kind
    _codes: NDArray[np.unsignedinteger[Any]] | None  # crisp: the cluster of each object
    _matrix: Memberships | None  # otherwise
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
        check_choice("missing", missing, ("drop",))
        kept, n = None, 0
        if missing is not None:
            everybody = ids_of(data) if ids is None else ids
            data, kept, n = without_missing(data, "data")
        if kept is not None:
            known = [
                None if whole is None else as_ids(whole, n, "data", what)
                for whole, what in ((everybody, "ids"), (groups, "groups"))
            ]
            ids, groups = (take_ids(whole, kept) for whole in known)
        if self._fill(data, "data", kind, noise, ids, clusters, normalize, groups):
            warn_of_noise("data")
        self._own()
        if kept is not None:
            left_out = count(n - len(kept), "object")
            be = (
                "has a missing value and is"
                if n - len(kept) == 1
                else ("have a missing value and are")
            )
            remarks = (f"{left_out} {be} left out", *self._remarks)
            whole = self._among(kept, n, *known)
            whole = whole._replace(
                kind=self.kind, codes=self._codes, matrix=self._matrix, remarks=remarks
            )
            self.__setstate__(whole.__getstate__())

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
        partition = cls.__new__(cls)
        name = "the estimate"
        if partition._fill(estimated(estimator, X), name, ids=ids_of(X)):
            warn_of_noise(name)
        partition._own()
        return partition

    @classmethod
    def _read(
        cls, data: object, *, warn: bool, noticed: tuple[Piece, ...], **options: Any
    ) -> "Partition":
        """Make a partition of what was read, which nobody else has, with remarks."""
        partition = cls.__new__(cls)
        unsettled = partition._fill(data, "data", **options)
        if partition._matrix is not None:
            partition._matrix.adopt()
        partition._own()
        if warn and unsettled:
            warn_of_noise("data")
        object.__setattr__(partition, "_remarks", (*noticed, *partition._remarks))
        return partition

    @classmethod
    def _unannounced(cls, data: object, **options: Any) -> "Partition":
        """Make a partition for one who shows its remarks, and wants no warning."""
        partition = cls.__new__(cls)
        partition._fill(data, "data", **options)
        partition._own()
        return partition

    @classmethod
    def _named(
        cls,
        data: object,
        name: str,
        engine: Engine | None = None,
        *,
        warn: bool = True,
    ) -> "Partition":
        """Make a partition for one call, whose errors call the data `name`."""
        if isinstance(data, Partition):
            return data
        if isinstance(data, str | PathLike):
            from concordant.files.partitions import read_partition

            return read_partition(Path(data))
        partition = cls.__new__(cls)
        if partition._fill(data, name, engine=engine) and warn:
            warn_of_noise(name)
        return partition

    def _fill(
        self,
        data: object,
        name: str,
        kind: Kind | None = None,
        noise: Noise | None = None,
        ids: object = None,
        clusters: Sequence[Hashable] | None = None,
        normalize: bool = False,
        groups: object = None,
        engine: Engine | None = None,
    ) -> bool:
        """Take data in; tell whether labels hold -1 and nobody said what it means."""
        check_choice("kind", kind, get_args(Kind))
        check_choice("noise", noise, get_args(Noise))
        _check_free_sums(normalize, kind, noise)
        if isinstance(data, Partition):
            if any(each is not None for each in (ids, clusters, groups)) or normalize:
                raise InputError(
                    "data is a Partition already; pass ids=, clusters= and ",
                    Keyword("normalize"),
                    " when it is first made",
                )
            self._copy(data, kind, noise)
            return False
        array, names = as_array(data, name)
        given = array.shape[0]
        known = ids_of(data) if ids is None else as_ids(ids, given, name)
        if groups is not None:
            groups = as_ids(groups, given, name, "groups")
        if clusters is not None:
            names = _as_clusters(clusters, array, name)
        kept = None
        unsettled = False
        remarks: tuple[Piece, ...]
        codes: NDArray[np.unsignedinteger[Any]] | None = None
        matrix: Memberships | None = None
        if array.ndim == 1:
            if noise == "column":
                raise InputError(
                    Setting("noise", "column"),
                    f" is for memberships, but {name} holds labels; use "
                    + either(_LABEL_POLICIES),
                )
            if kind in FREE_SUMS:
                raise InputError(
                    f"{name} holds labels, which are crisp; ",
                    Setting("kind", kind),
                    " is for membership matrices",
                )
            if normalize:
                raise InputError(
                    Setting("normalize", True),
                    f" is for memberships, but {name} holds labels",
                )
            settled = settle_noise(*from_labels(array, names, name), name, noise)
            codes, names, kept = settled.codes, settled.clusters, settled.kept
            n_clusters = len(names)
            unsettled = noise is None and settled.n_noise > 0
            remarks = remarks_on(names)
            if settled.remark is not None:
                remarks = (settled.remark, *remarks)
        else:
            if noise is not None and noise != "column":
                raise InputError(
                    Setting("noise", noise),
                    f' is for labels, but {name} holds memberships; use "column"',
                )
            codes, matrix, remarks = from_memberships(
                array,
                name,
                must_sum=kind not in FREE_SUMS,
                noise_column=noise == "column",
                normalize=normalize,
                engine=engine,
            )
            if kind == "overlapping":
                check_zeros_and_ones(array, name)
            n_clusters = array.shape[1] if matrix is None else matrix.n_clusters
            if n_clusters > array.shape[1]:
                names = np.arange(array.shape[1]) if names is None else names
                names = np.append(names.astype(object), "noise")
        found: Kind = "crisp" if codes is not None else "fuzzy"
        if kind is not None and kind in FREE_SUMS:
            found = kind
        elif kind is not None and kind != found:
            raise InputError(
                f"{name} is {found}, not {kind}",
                Wordings(
                    "; call .harden() to take each object's largest membership", ""
                )
                if kind == "crisp"
                else Message("; leave out ", Keyword("kind")),
            )
        self._set(
            found, codes, matrix, n_clusters, names, known, given, kept, remarks, groups
        )
        if self._is_collapsed():
            object.__setattr__(self, "_remarks", (*remarks, _COLLAPSED))
        return unsettled

    def _is_collapsed(self) -> bool:
        """Return whether all of several objects have the same memberships, nearly."""
        n = self.n_objects
        if self._matrix is None:
            return n > 1 and bool((self.labels == self.labels[0]).all())
        first = self.rows(0, 1)
        blocks = (self.rows(i, min(i + _BLOCK, n)) for i in range(0, n, _BLOCK))
        return n > 1 and all(abs(rows - first).max() <= _SAME for rows in blocks)

    def _copy(self, other: "Partition", kind: Kind | None, noise: Noise | None) -> None:
        if noise is not None or kind not in (None, other.kind):
            raise InputError(
                f"data is a Partition ({other.kind}) already; pass ",
                Keyword("kind"),
                " and ",
                Keyword("noise"),
                " when it is first made",
            )
        self.__setstate__(other.__getstate__())

    def _set(
        self,
        kind: Kind,
        codes: NDArray[np.unsignedinteger[Any]] | None,
        matrix: Memberships | None,
        n_clusters: int,
        clusters: NDArray[Any] | None,
        ids: Ids | None,
        n_given: int,
        kept: NDArray[np.intp] | None,
        remarks: tuple[Piece, ...],
        groups: Any = None,
    ) -> None:
        for array in (codes, clusters, kept):
            if array is not None:
                array.flags.writeable = False
        set_attribute = object.__setattr__
        set_attribute(self, "_kind", kind)
        set_attribute(self, "_codes", codes)
        set_attribute(self, "_matrix", matrix)
        set_attribute(self, "_n_clusters", n_clusters)
        set_attribute(self, "_clusters", clusters)
        set_attribute(self, "_ids", ids)
        set_attribute(self, "_n_given", n_given)
        set_attribute(self, "_kept", kept)
        set_attribute(self, "_remarks", remarks)
        set_attribute(self, "_groups", groups)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Partition is immutable: cannot set {name!r}")

    def __getstate__(self) -> tuple[Any, ...]:
        return (
            self._kind,
            self._codes,
            self._matrix,
            self._n_clusters,
            self._clusters,
            self._ids,
            self._n_given,
            self._kept,
            self._remarks,
            self._groups,
        )

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self._set(*state)

    def _own(self) -> None:
        """Be independent of the arrays that were given."""
        if self._matrix is not None:
            self._matrix.columns()

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
        everyone = slice(None) if self._kept is None else self._kept
        return take_ids(self._ids, everyone)

    @property
    def groups(self) -> NDArray[Any] | None:
        """The group that each object comes from, read-only, if that is known."""
        everyone = slice(None) if self._kept is None else self._kept
        return take_ids(self._groups, everyone)

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
            return self._matrix.rows(start, stop)
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
            return self._matrix.columns()
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
        return self._replace(
            kind="crisp",
            codes=smallest(self.columns().argmax(axis=0), self.n_clusters),
        )

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
        where = positions if self._kept is None else self._kept[positions]
        return self._replace(
            kind=self.kind,
            codes=None if self._codes is None else self._codes[positions],
            matrix=(
                None
                if self._matrix is None
                else Memberships.of_columns(
                    np.ascontiguousarray(self.columns()[:, positions])
                )
            ),
            ids=take_ids(self._ids, where),
            groups=take_ids(self._groups, where),
            n_given=len(positions),
            kept=None,
        )

    def _with_clusters(self, order: NDArray[np.intp]) -> "Partition":
        """Put the clusters in another order, which holds each of them once."""
        taken = self._replace(
            kind=self.kind,
            codes=None
            if self._codes is None
            else smallest(np.argsort(order)[self._codes], self.n_clusters),
            matrix=None
            if self._matrix is None
            else Memberships.of_columns(np.ascontiguousarray(self.columns()[order])),
        )
        names = (
            None
            if np.array_equal(order, np.arange(self.n_clusters))
            else (self.clusters[order])
        )
        object.__setattr__(
            taken, "_clusters", self._clusters if names is None else names
        )
        return taken

    def _permuted(self, order: NDArray[np.intp]) -> "Partition":
        """Give each object the place of another, whose id it takes on."""
        taken = self.take(order)
        return taken._replace(
            kind=taken.kind,
            codes=taken._codes,
            matrix=taken._matrix,
            ids=self.ids,
            groups=self.groups,
        )

    def _among(
        self,
        positions: NDArray[np.intp],
        n_given: int,
        ids: object,
        groups: object = None,
    ) -> "Partition":
        """Say that these are the objects at some positions of more, left out here."""
        kept = positions if self._kept is None else positions[self._kept]
        return self._replace(
            kind=self.kind,
            codes=self._codes,
            matrix=self._matrix,
            ids=None if ids is None else as_ids(ids, n_given, "data"),
            groups=None if groups is None else as_ids(groups, n_given, "data"),
            n_given=n_given,
            kept=kept,
        )

    def _replace(
        self,
        *,
        kind: Kind,
        codes: NDArray[np.unsignedinteger[Any]] | None = None,
        matrix: Memberships | None = None,
        **changes: Any,
    ) -> "Partition":
        partition = Partition.__new__(Partition)
        partition._set(
            kind,
            codes,
            matrix,
            self._n_clusters,
            self._clusters,
            changes.get("ids", self._ids),
            changes.get("n_given", self._n_given),
            changes.get("kept", self._kept),
            changes.get("remarks", self._remarks),
            changes.get("groups", self._groups),
        )
        return partition

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
            raise TypeError(
                f"P[{which}] is one object, not a partition; P[[{which}]] is one of it "
                f"alone, P.memberships[{which}] are its memberships"
            )
        positions = np.arange(self.n_objects)[which]
        if positions.ndim != 1:
            raise IndexError(
                "P[...] takes a slice, or an array of positions or of booleans, found "
                f"{which!r}"
            )
        if not positions.size:
            raise ValueError("P[...] has no objects: a partition needs at least one")
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
        head = ["", *(shortened(cluster) for cluster in self.clusters[:k])]
        rows = [
            [shortened(name), *map(short, row[:k])]
            for name, row in zip(names, self.rows(0, n), strict=True)
        ]
        parts = (n, len(self), "object"), (k, self.n_clusters, "cluster")
        shown = [
            f"{some} of {count(n_all, name)}"
            for some, n_all, name in parts
            if some < n_all
        ]
        page = html_lines(repr(self), self.remarks) + html_table(head, rows)
        return page + html_note(", ".join(shown))


def _check_free_sums(normalize: bool, kind: Kind | None, noise: Noise | None) -> None:
    """Refuse what makes rows sum to 1 where they need not, and both at once."""
    if not isinstance(normalize, bool | np.bool_):
        raise InputTypeError(
            Argument("normalize"), f" must be True or False, found {normalize!r}"
        )
    asked = {"normalize": normalize or None, "noise": noise == "column" or None}
    for name, value in (("normalize", True), ("noise", "column")):
        if asked[name] and kind in FREE_SUMS:
            raise InputError(
                Setting(name, value),
                " makes rows sum to 1, and ",
                Setting("kind", kind),
                " is for rows that need not; leave out one of them",
            )
    if normalize and noise == "column":
        raise InputError(
            Setting("normalize", True),
            " and ",
            Setting("noise", "column"),
            " both make rows sum to 1; leave out one of them",
        )


def _as_clusters(
    given: Sequence[Hashable], array: NDArray[Any], name: str
) -> NDArray[Any]:
    """Read the names that somebody gave to the clusters of a matrix."""
    if array.ndim == 1:
        raise ValueError(
            f"clusters= is for memberships, but {name} holds labels, which name their "
            "clusters"
        )
    if len(given) != array.shape[1]:
        raise ValueError(
            f"clusters has {count(len(given), 'name')} and {name} has "
            f"{count(array.shape[1], 'cluster')}: each cluster needs one"
        )
    return np.fromiter(given, dtype=object, count=len(given))
