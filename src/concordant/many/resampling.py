"""How many clusters: a clustering of resamples against data without structure."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import combinations, product
from os import PathLike
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias, get_args

import numpy as np

from concordant.arrays import Matrix, Positions
from concordant.compute import gathered_concordance
from concordant.door import checked
from concordant.errors import (
    Argument,
    Data,
    InputError,
    InputTypeError,
    Setting,
)
from concordant.execution.checkpoint import Job, check_repeatable
from concordant.execution.engine import chosen_engine
from concordant.execution.progress import Progress, Watch, visible
from concordant.execution.run import Run, generator
from concordant.execution.single_thread import single_blas_thread
from concordant.many.features import as_features, check_finite, check_size
from concordant.many.kept_rows import kept_rows
from concordant.many.levels import Stability
from concordant.many.structureless import REFERENCES, drawn_as
from concordant.partition.estimators import is_estimator
from concordant.partition.ids import Ids, ids_of, same_ids
from concordant.partition.partition import Partition
from concordant.sums.matching import best_pairs
from concordant.underflow import tiny_is_zero
from concordant.wording import (
    check_choice,
    check_count,
    check_share,
    chosen,
    count,
    first_line,
    is_list,
)

if TYPE_CHECKING:
    from concordant.cluster.refitting import Refitted

Scheme = Literal["bootstrap", "subsample"]

_FITS = 5  # resamples of each set without structure
_PAIRS = 10  # of these
_SHARE = 0.8  # of the objects, or groups, in a subsample
_TRIES = 1000  # to draw a resample with enough distinct objects
_ALIKE = 1e-3  # memberships of clusters that no object tells apart
_DATA = 0  # the number of the data, before those of the references
_ALONE = 2  # entries of a row before its Jaccard indices
_REMEDY = "; try fewer clusters, or an estimator that takes repeated objects"
_OF_SIGN = (
    "; steps that need numbers of some sign, as logarithms, belong before X: data "
    "without structure have any"
)


@dataclass(frozen=True)
class Function:
    """A function f(X, K, random_state) that returns a partition of the rows of X."""

    content: Callable[[Matrix, int, int], object]
    predicts: bool = False
    one_start: str = ""
    quiet: ClassVar = staticmethod(nullcontext)

    def partition(
        self, X: Matrix, K: int, seed: int, others: Matrix | None
    ) -> Partition:
        """Call it."""
        return Partition._named(
            self.content(X.copy(), K, seed), f"the clustering for K = {K}"
        )


#: What clusters data, and may tell the clusters of other objects.
Clusters: TypeAlias = "Function | Refitted"


@dataclass(frozen=True)
class _Resampling:
    """The data, what clusters them, and how they are resampled."""

    X: Matrix
    clusters: Clusters
    scheme: Scheme
    units: Sequence[Positions]  # the objects of each group
    distinct: Positions  # of each object the number of its row in those that differ
    entropy: tuple[int, ...]
    n_entries: int

    @property
    def nbytes(self) -> int:
        """Return the size of the data, which a distant worker is sent once."""
        return self.X.nbytes

    def rng(self, *key: int) -> np.random.Generator:
        """Return the random numbers of a task: children of one seed."""
        seed = np.random.SeedSequence(self.entropy, spawn_key=key)
        return np.random.default_rng(seed)

    def whole(self, K: int) -> Partition:
        """Cluster all objects."""
        return self._clustered(self.X, K, (_DATA, 0, 0, 0, K), None)

    def compared(
        self, wholes: Mapping[int, Matrix], source: int, number: int, K: int
    ) -> Matrix:
        """
        Return a row of ACI, and Jaccard indices of clusters, of pairs of resamples.

        These are two of the data, or some of a set of a reference. In between, how many
        clusterings of data have clusters that coincide. Clusters of the data are in the
        order of `wholes`, the memberships for all objects.
        """
        X, n_fits, key = self.X, 2, (source, number)
        if source != _DATA:
            n_fits = _FITS
            X = drawn_as(X, [*REFERENCES][source - 1], self.rng(*key))
        rng = self.rng(*key, 1)
        rows = [self._sample(K, rng) for _ in range(n_fits)]
        predicted = self.scheme == "bootstrap"
        fits = [
            self._clustered(X[some], K, (*key, 1, which, K), X if predicted else None)
            for which, some in enumerate(rows)
        ]
        out = np.zeros((_PAIRS, self.n_entries))
        for pair, (one, other) in enumerate(combinations(range(n_fits), 2)):
            P, Q = fits[one], fits[other]
            if not predicted:
                common, here, there = np.intersect1d(
                    rows[one], rows[other], return_indices=True
                )
                P, Q = P.take(here), Q.take(there)
            U, V = P.columns(), Q.columns()
            out[pair, 0] = gathered_concordance(P, Q, Run()).aci
            alike = _jaccard(U, V)
            own, others = best_pairs(alike)
            found = alike[own, others]
            if source == _DATA:
                out[pair, 1] = sum(_coincide(each.columns(), K) for each in fits)
                seen = wholes[K] if predicted else wholes[K][:, common]
                places, matched = best_pairs(_jaccard(seen, U))
                alike = np.zeros(len(U))
                alike[own] = found
                own, found = places, alike[matched]
            out[pair, _ALONE + own] = found
        return out.reshape(1, -1)

    def _sample(self, K: int, rng: np.random.Generator) -> Positions:
        """Draw objects, or whole groups, until K of them differ."""
        n = len(self.units)
        for _ in range(_TRIES):
            if self.scheme == "bootstrap":
                chosen = rng.integers(n, size=n)
            else:
                chosen = np.sort(rng.permutation(n)[: max(1, round(_SHARE * n))])
            rows = np.concatenate([self.units[unit] for unit in chosen])
            if np.unique(self.distinct[rows]).size >= K:
                return rows
        raise InputError(
            f"resamples have fewer than {K} distinct objects; lower ",
            Argument("n_clusters"),
        )

    def _clustered(
        self, X: Matrix, K: int, key: tuple[int, ...], others: Matrix | None
    ) -> Partition:
        seed = int(self.rng(*key).integers(2**32))
        try:
            found = self.clusters.partition(X, K, seed, others)
        except ValueError as error:
            if X is self.X or isinstance(error, InputError):
                raise
            what, remedy = "a resample of the data", _REMEDY
            if key[0] != _DATA:
                what, remedy = "data without structure", _REMEDY + _OF_SIGN
            raise InputError(
                Argument("estimator"),
                f" fails for K = {K} on {what} ({first_line(error)}){remedy}",
            ) from error
        n = len(X if others is None else others)
        if len(found) != n:
            raise InputError(
                Argument("estimator"),
                f" returned a partition of {count(len(found), 'object')} for "
                f"{count(n, 'row')} of X; return one cluster or row of memberships for "
                "each row",
            )
        if found.n_clusters > K:
            raise InputError(
                Argument("estimator"),
                f" found {count(found.n_clusters, 'cluster')} where {K} were asked for",
            )
        return found


def _coincide(U: Matrix, K: int) -> bool:
    """Return whether there are fewer than K clusters that differ and are not empty."""
    from scipy.spatial.distance import pdist

    if len(U) < K or (U.max(axis=1) < _ALIKE).any():
        return True
    return bool((pdist(U, "chebyshev") < _ALIKE).any())


def _jaccard(U: Matrix, V: Matrix) -> Matrix:
    """Return the sum of minima over the sum of maxima, for all pairs of clusters."""
    shared = np.array([np.minimum(u, V).sum(axis=1) for u in U])
    joint = U.sum(axis=1)[:, None] + V.sum(axis=1) - shared
    return np.asarray(
        np.divide(shared, joint, out=np.zeros_like(joint), where=joint > 0)
    )


@checked
@tiny_is_zero
def stability(
    estimator: object,
    X: object,
    *,
    n_clusters: int | Iterable[int] = range(2, 9),
    n_resamples: int = 16,
    references: Sequence[str] = ("skewed", "uniform"),
    n_references: int = 12,
    alpha: float = 0.2,
    scheme: Scheme = "bootstrap",
    groups: object = None,
    n_jobs: int | None = None,
    engine: object = None,
    random_state: int | np.random.Generator | None = None,
    checkpoint: str | PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Stability:
    """
    Find how many clusters there are, if any: clusterings of resamples should agree.

    For each K, S_K is the mean ACI between the clusterings of two resamples, over pairs
    of these. It is compared with that of data without structure which have the
    covariance of X. K is admissible if S_K is larger than against every reference, and
    the admissible K with the largest S_K is the number of clusters; if none is
    admissible, it is 1.

    Parameters
    ----------
    estimator : estimator or callable
        Any clusterer or pipeline in the manner of scikit-learn, hard or soft, which has
        a parameter ``n_clusters`` or ``n_components``: ``predict_proba``, else
        ``predict``, tells the clusters of objects. Or ``f(X, K, random_state)``, which
        returns a partition of the rows of X into K clusters.
    X : array-like of shape (n, p)
        The data.
    n_clusters : int or iterable of int, default=range(2, 9)
        The numbers of clusters to try, from 2 on. One cluster is always among the
        answers.
    n_resamples : int, default=16
        B, the number of pairs of resamples for each K.
    references : sequence of str, default=("skewed", "uniform")
        How data without structure are drawn along the principal axes of X, with the
        variances of X there: "uniform", "normal", or "skewed", from gamma distributions
        that are as skewed as X, which are nearly normal ones where X is not skewed.
        Without "uniform" a uniform square has clusters, and without "skewed" lognormal
        data often have.
    n_references : int, default=12
        R, the number of sets of each reference; 5 resamples are taken of each set.
    alpha : float, default=0.2
        A tuning constant of the decision, for all K and one reference together; it is
        no level, as data without structure may be neither normal nor uniform, and both
        references must be passed.
    scheme : {"bootstrap", "subsample"}, default="bootstrap"
        Resamples are as large as the data, drawn with replacement, and both clusterings
        predict the clusters of all n objects; or they are 80 % of the objects, and are
        compared on those in common, which is for what cannot predict.
    groups : array-like of n labels, optional
        The group of each object, such as patient or family, where objects of a group
        are alike: whole groups are resampled.
    n_jobs : int, optional
        Number of threads: None for 1 (or what ``joblib.parallel_config`` says), -1 for
        all cores. The result is the same to the last bit.
    engine : dask.distributed.Client or Engine, optional
        Where the work is done instead; see `concordance`.
    random_state : int, numpy.random.Generator or None, default=None
        Source of resamples, references and random starts. The estimator's own is not
        used.
    checkpoint : str or path, optional
        A file to which the work is saved: after an interruption, the same call resumes
        from there, with the same result. `random_state` must be a whole number.
    progress : callable, optional
        Called as ``progress(done, total, None)`` with numbers of pairs of resamples. By
        default a bar is drawn if standard error is a terminal.

    Returns
    -------
    Stability
        With ``.n_clusters``, ``.levels``, ``.sentence()``, ``.partition`` and the
        values of each resample, reference and cluster.

    Raises
    ------
    ValueError, TypeError
        If X is no matrix of numbers that vary, the estimator has no number of clusters,
        or cannot predict for the bootstrap.

    Notes
    -----
    With l = log(1 - S_K + 1/n), the same is taken of each set without structure, whose
    S_K is the mean ACI of five resamples, each with each. K is admissible if against
    each reference ``z = (m - l) / (s sqrt(1 + 1/R)) > t(1 - alpha/#K, R - 1)``, where m
    is the mean and s the standard deviation over its sets, and if in at least half of
    the clusterings there are K distinct clusters. Among neighbouring numbers that are
    admissible, the more stable one is a level, the larger one if they differ by no more
    than 2/n. How often that finds clusters where there are none is counted in the guide
    ("How many clusters?").

    There are 2 B + 5 R S fits and B + 10 R S values of ACI for each K, where S is the
    number of references. A single start makes the optimiser's instability one of the
    data: let the estimator take several. Fits that do not converge count as they are,
    without a warning.

    References
    ----------
    Fang, Wang (2012), Computational Statistics and Data Analysis 56, 468-477; Hennig
    (2007), Computational Statistics and Data Analysis 52, 258-271.

    Examples
    --------
    >>> import numpy as np
    >>> import concordant as cc
    >>> rng = np.random.default_rng(0)
    >>> places = [0, 0], [6, 0], [0, 9]
    >>> X = np.concatenate([rng.normal(place, 1, (30, 2)) for place in places])
    >>> fcm = cc.cluster.FuzzyCMeans(n_init=2)
    >>> few = {"n_clusters": range(2, 5), "n_resamples": 6, "n_references": 6}
    >>> found = cc.stability(fcm, X, **few, random_state=0)
    >>> found.n_clusters
    3
    """
    data = _features(X)
    clusters = _what_clusters(estimator)
    check_choice("scheme", scheme, get_args(Scheme), optional=False)
    if scheme == "bootstrap" and not clusters.predicts:
        raise InputError(
            Setting("scheme", scheme),
            " needs an estimator with predict_proba or predict, which tells the "
            "clusters of objects it was not fitted to; use ",
            Setting("scheme", "subsample"),
        )
    distinct = np.unique(data, axis=0, return_inverse=True)[1].ravel()
    tried = _numbers(n_clusters, int(distinct.max()) + 1)
    check_count("n_resamples", n_resamples, at_least=2)
    check_count("n_references", n_references, at_least=2)
    names = chosen("references", references, tuple(REFERENCES))
    if not names:
        check_choice("references", None, tuple(REFERENCES), optional=False)
    check_share("alpha", alpha)
    labels = _groups(groups, len(data), ids_of(X))
    ends_of_units = np.cumsum(np.bincount(labels))
    units = np.split(np.argsort(labels, kind="stable"), ends_of_units[:-1])
    said = ""
    if checkpoint is not None:
        check_repeatable(random_state)
        said = (
            f"stability of {_fingerprint(clusters)}, {tried}, {n_resamples}, {names}, "
            f"{n_references}, {scheme}, {random_state}"
        )
    entropy = tuple(generator(random_state).integers(2**32, size=4).tolist())
    width = _ALONE + max(tried)
    work = _Resampling(data, clusters, scheme, units, distinct, entropy, width)
    job = Job(checkpoint, said, [data, labels[:, None].astype(float)])
    of_data = product([_DATA], range(n_resamples), tried)
    # The number of a reference among all, so that each is drawn alike with any others.
    sources = [1 + [*REFERENCES].index(name) for name in names]
    of_sets = product(sources, range(n_references), tried)
    tasks = [*of_data, *of_sets]
    run_by = chosen_engine(engine, n_jobs)
    with (
        visible(progress, seconds=math.inf) as tell,
        single_blas_thread(),
        clusters.quiet(),
    ):
        wholes = [*run_by.run(_Resampling.whole, (work,), [(K,) for K in tried])]
        by_number = {K: P.columns() for K, P in zip(tried, wholes, strict=True)}
        rows = kept_rows(
            job,
            (len(tasks), _PAIRS * width),
            lambda done: run_by.run(
                _Resampling.compared, (work, by_number), tasks[done:]
            ),
            Watch(tell, len(tasks)),
        )
    # In front K, and then the pair of resamples, or the reference, set and pair.
    shape = len(tried), _PAIRS, width
    own, others = np.split(rows, [n_resamples * len(tried)])
    own = np.moveaxis(own.reshape(n_resamples, *shape), 1, 0)[:, :, 0]
    others = np.moveaxis(others.reshape(len(names), n_references, *shape), 2, 0)
    ends = [_ALONE + K for K in tried]
    return Stability(
        tried=tried,
        n_objects=len(data),
        aci=own[..., 0],
        reference_aci=others[..., 0],
        jaccard=tuple(x[..., _ALONE:z] for x, z in zip(own, ends, strict=True)),
        reference_jaccard=tuple(
            x[..., _ALONE:z] for x, z in zip(others, ends, strict=True)
        ),
        coincident=own[..., 1].mean(axis=-1) / 2.0,
        references=names,
        alpha=alpha,
        partitions=tuple(wholes),
        _one_start=clusters.one_start,
    )


def _what_clusters(estimator: Any) -> Clusters:
    """Tell apart estimators and functions."""
    if is_estimator(estimator):
        from concordant.cluster.refitting import refitted

        return refitted(estimator)
    what = f"an object of {type(estimator).__name__}"
    if isinstance(estimator, type):
        what = f"the class {estimator.__name__}; pass {estimator.__name__}()"
    elif callable(estimator):
        return Function(estimator)
    raise InputTypeError(
        Argument("estimator"),
        " must have fit and get_params, as those of scikit-learn have, or be a "
        f"function f(X, K, random_state), found {what}",
    )


def _fingerprint(clusters: Clusters) -> str:
    """Return what an estimator or function has in common with itself, run again."""
    from pickle import PicklingError

    import joblib

    try:
        return str(joblib.hash(clusters.content))
    except PicklingError:
        raise InputError(
            Argument("checkpoint"),
            " needs functions that the next run finds again by their names; define "
            "them in a module, without lambda",
        ) from None


def _features(X: object) -> Matrix:
    """Take in data: at least two objects, and columns of finite numbers that vary."""
    data = as_features(X)
    if len(data) == 1:
        raise InputError(Data("X"), " has one object; there is nothing to cluster")
    remedy = "leave out such objects, or impute the value"
    check_finite(data, np.arange(len(data)), remedy)
    constant = np.flatnonzero(np.ptp(data, axis=0) == 0.0)
    if len(constant):
        raise InputError(
            Data("X"),
            f" has a constant column, number {constant[0]} from 0 on; leave out what "
            "does not vary: X[:, np.ptp(X, axis=0) > 0]",
        )
    check_size(data)
    return data


def _numbers(given: Any, n_distinct: int) -> tuple[int, ...]:
    """Take in the numbers of clusters, in increasing order."""
    numbers = [*given] if is_list(given) and not isinstance(given, str) else [given]
    for K in numbers:
        check_count("n_clusters", K)
    tried = tuple(sorted({*map(int, numbers)}))
    if not tried or tried[0] < 2:
        found = f"found {tried[0]}" if tried else "found none"
        raise InputError(
            Argument("n_clusters"),
            f" must be numbers from 2 on, {found}; one cluster is always among the "
            "answers",
        )
    most = n_distinct // 2
    if tried[-1] > most:
        remedy = f"try up to {most}" if most > 1 else "more objects are needed"
        raise InputError(
            Argument("n_clusters"),
            f" goes up to {tried[-1]}, and there are "
            f"{count(n_distinct, 'distinct object')}, of which resamples have fewer; "
            f"{remedy}",
        )
    return tried


def _groups(given: object, n: int, ids: Ids | None) -> Positions:
    """Return the number of each object's group, by default its own, from 0 on."""
    if given is None:
        return np.arange(n)
    labels = Partition._named(given, "groups", warn=False)
    if labels.kind != "crisp" or len(labels) != n:
        found = f"{count(len(labels), 'object')}; one without a group may have its own"
        raise InputError(
            Argument("groups"),
            f" must have one label for each of {n} objects, found "
            + (found if labels.kind == "crisp" else "a matrix"),
        )
    others = labels._ids
    if ids is not None and others is not None and not same_ids(ids, others):
        raise InputError(
            Argument("groups"),
            " has other ids than ",
            Data("X"),
            ", or in another order; groups.loc[X.index] brings them into the order of "
            "X, and groups.to_numpy() tells them by position",
        )
    codes: Positions = np.unique(labels.labels, return_inverse=True)[1]
    n_groups = int(codes.max()) + 1
    if n_groups < 3:
        raise InputError(
            Argument("groups"),
            f" has {count(n_groups, 'group')}; give three or more, or leave it out",
        )
    return codes
