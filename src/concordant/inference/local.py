"""Where two partitions differ: by object, by cluster and by pair of clusters."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from concordant.arrays import Vector
from concordant.catalogue.values import Similarity
from concordant.compute import gathered_concordance
from concordant.door import checked
from concordant.errors import InputError
from concordant.execution.engine import Threads
from concordant.execution.progress import Telling
from concordant.execution.run import Run, generator
from concordant.execution.single_thread import single_blas_thread
from concordant.inference.correspondence import Change, changes_between
from concordant.inference.differences import (
    ObjectDiscordance,
    check_partners,
    discordance_of_objects,
)
from concordant.inference.interval import check_similarity
from concordant.inference.object_means import (
    ClusterMeans,
    Weights,
    cluster_means,
    shares,
)
from concordant.measures.adjusted import said_of_setting
from concordant.partition.alignment import MatchBy, aligned
from concordant.partition.partition import Partition
from concordant.printing import Readable, Shown, shortened
from concordant.underflow import tiny_is_zero
from concordant.wording import count, pandas_for

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes


#: Pairs of clusters, at most.
MOST_CELLS = 10**7

_MOST_LINES = 12  # clusters of a table in print
_MOST_OBJECTS = 5
# What each table is of, and the columns for its names
_TABLES = {
    "objects": ("object", "object"),
    "clusters_p": ("cluster of P", "cluster_p"),
    "clusters_q": ("cluster of Q", "cluster_q"),
    "pairs": ("pair of clusters", "cluster_p", "cluster_q"),
}
_ROUNDING = 1e-12  # of a discordance, in relation to E[d]


@dataclass(frozen=True, eq=False)
class Parts:
    """
    The discordance of some parts, by object, by cluster or by pair of clusters.

    Parameters
    ----------
    names : tuple of arrays
        What the parts are called, one array for each axis.
    weights : ndarray
        The share of each part in d: ``d = sum of weights * discordance``.
    chance_weights : ndarray
        Its share in E[d]: ``E[d] = sum of chance_weights * expected``. They are the
        weights, but for pairs of clusters: by chance, clusters of sizes N_k and N_l
        have N_k N_l / n objects in common.
    discordance : ndarray
        The mean of ``|E_P - E_Q|`` over the pairs of the objects of a part; NaN where
        it is empty.
    expected : ndarray
        The same by chance; NaN for empty clusters.
    standard_errors : ndarray
        Of `discordance`, where pairs were sampled, else 0. Those of clusters are upper
        bounds, as all objects were compared with the same others.
    """

    names: tuple[NDArray[Any], ...]
    weights: Vector
    chance_weights: Vector
    discordance: Vector
    expected: Vector
    standard_errors: Vector

    @property
    def aci(self) -> Vector:
        """
        The local ACI, 1 - discordance / expected.

        1 where both are 0, NaN where a part is empty.
        """
        ratio = np.where(self.discordance == 0.0, 0.0, np.nan)
        np.divide(self.discordance, self.expected, out=ratio, where=self.expected > 0.0)
        return np.asarray(1.0 - ratio)

    def rows(self) -> Iterator[dict[str, Any]]:
        """
        Give the numbers of one part after the other.

        Yields
        ------
        dict
            ``names``, and the fields and `aci` as floats.
        """
        aci = self.aci
        for where in np.ndindex(self.weights.shape):
            named = [names[i] for names, i in zip(self.names, where, strict=True)]
            plain = (x.item() if isinstance(x, np.generic) else x for x in named)
            yield {
                "names": tuple(plain),
                "weight": float(self.weights[where]),
                "chance_weight": float(self.chance_weights[where]),
                "discordance": float(self.discordance[where]),
                "expected": float(self.expected[where]),
                "aci": float(aci[where]),
                "standard_error": float(self.standard_errors[where]),
            }


@dataclass(frozen=True, eq=False, repr=False)
class LocalConcordance(Readable):
    """
    Where two partitions differ.

    Parameters
    ----------
    discordance : float
        d, the mean of ``|E_P - E_Q|`` over all pairs.
    expected_discordance : float
        E[d], its mean over all permutations of the objects.
    objects : Parts
        By object, each with the weight 1 / n.
    clusters_p, clusters_q : Parts
        By cluster of P and of Q: objects have their memberships as weights.
    pairs : Parts
        By pair of a cluster of P and one of Q: objects have the products of their
        memberships as weights; arrays of shape (K, L).
    changes : tuple of Change
        Which clusters are kept, split or merged.
    object_discordance : ObjectDiscordance
        What `concordant.object_discordance` gives: d_i, and with how many others each
        object was compared.
    similarity : {"l1", "inner"}
        The similarity of a pair of objects that it is about.
    names : tuple of two str
        What P and Q are called.
    """

    discordance: float
    expected_discordance: float
    objects: Parts
    clusters_p: Parts
    clusters_q: Parts
    pairs: Parts
    changes: tuple[Change, ...]
    object_discordance: ObjectDiscordance
    similarity: str = "l1"
    names: tuple[str, str] = ("P", "Q")

    @property
    def aci(self) -> float:
        """The ACI of all objects, 1 - d / E[d]."""
        if self.expected_discordance == 0.0:
            return 1.0
        return 1.0 - self.discordance / self.expected_discordance

    @property
    def is_exact(self) -> bool:
        """Whether each object was compared with all the others."""
        return self.object_discordance.is_exact

    def sentences(self) -> list[str]:
        """
        Say in words where the partitions differ.

        Returns
        -------
        list of str
            What became of the clusters of P, the largest first, which of Q are new,
            and which objects are treated most differently.
        """
        told = [change.sentence for change in self.changes]
        values = self.object_discordance.values
        named = [
            f"{shortened(self.objects.names[0][i])} ({values[i]:.3g})"
            for i in self.object_discordance.largest(_MOST_OBJECTS)
            if values[i] > _ROUNDING * self.expected_discordance
        ]
        if not named:
            told.append("No pair of objects is treated differently.")
        else:
            told.append(
                "Objects treated most differently, with their discordance: "
                f"{', '.join(named)}; the mean of all is {self.discordance:.3g}."
            )
        if not self.is_exact:
            told.append(
                f"Each object was compared with {self.object_discordance.n_partners} "
                "others, drawn at random."
            )
        return told

    def to_dict(self) -> dict[str, Any]:
        """
        Return everything as nested dictionaries of plain Python numbers.

        Returns
        -------
        dict
            With the keys ``discordance``, ``expected_discordance``, ``aci``,
            ``similarity``, ``n_partners``, ``objects``, ``clusters_p``,
            ``clusters_q``, ``pairs`` and ``changes``; None where there is no value.
        """
        return {
            "discordance": self.discordance,
            "expected_discordance": self.expected_discordance,
            "aci": self.aci,
            "similarity": self.similarity,
            "n_partners": self.object_discordance.n_partners,
            **{
                name: [_without_nan(row) for row in getattr(self, name).rows()]
                for name in _TABLES
            },
            "changes": [dict(vars(change)) for change in self.changes],
        }

    def to_frame(self) -> "pandas.DataFrame":
        """
        Return all parts as a data frame.

        Returns
        -------
        pandas.DataFrame
            One row per object, cluster and pair of clusters: what it is (``part``), the
            object, the cluster of P and that of Q where there is one, the weights,
            discordance, expectation, local ACI and standard error.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        pd = pandas_for("to_frame()", "; to_dict() does without")
        first = ("part", "object", "cluster_p", "cluster_q")
        rows = [
            dict.fromkeys(first)
            | {"part": part, **dict(zip(columns, row.pop("names"), strict=True)), **row}
            for name, (part, *columns) in _TABLES.items()
            for row in getattr(self, name).rows()
        ]
        # Names stay what they are, though most rows have none.
        frame: pandas.DataFrame = pd.DataFrame(rows, dtype=object)
        return frame.astype(dict.fromkeys(frame.columns.difference([*first]), float))

    def plot(self, ax: "Axes | None" = None, **options: Any) -> "Axes":
        """
        Draw the objects that are treated most differently.

        Parameters
        ----------
        ax : Axes, optional
            Where to draw.
        **options
            As in `concordant.plot.differing_objects`.

        Returns
        -------
        Axes
            With the picture.
        """
        return self.object_discordance.plot(ax, **options)

    def __repr__(self) -> str:
        n = count(len(self.object_discordance.values), "object")
        K, L = self.pairs.weights.shape
        return (
            f"LocalConcordance({n}, {K} and {L} clusters, d {self.discordance:.4f}, "
            f"expected {self.expected_discordance:.4f}, ACI {self.aci:z.4f})"
        )

    def _shown(self) -> Shown:
        return Shown(
            f"Mean difference in similarity {self.discordance:.4f}, expected by chance "
            f"{self.expected_discordance:.4f}: ACI {self.aci:z.4f}"
            f"{said_of_setting(self.similarity, 'permutations')}",
            self.sentences(),
            ("cluster", "share", "discordance", "by chance", "local ACI"),
            self._cells(),
            self._hidden(),
        )

    def _cells(self) -> list[list[str]]:
        """Return a row for each cluster, up to twelve on each side."""
        sides = zip(self.names, (self.clusters_p, self.clusters_q), strict=True)
        return [
            [
                f"{shortened(row['names'][0], 18)} of {name}",
                f"{row['weight']:.3f}",
                *(f"{row[part]:z.4f}" for part in ("discordance", "expected", "aci")),
            ]
            for name, parts in sides
            for row in islice(parts.rows(), _MOST_LINES)
        ]

    def _hidden(self) -> str:
        """Say how many clusters the table leaves out; empty if none."""
        more = [
            f"{k - _MOST_LINES} more clusters of {name}"
            for k, name in zip(self.pairs.weights.shape, self.names, strict=True)
            if k > _MOST_LINES
        ]
        return f"and {' and '.join(more)}" if more else ""


def _without_nan(row: dict[str, Any]) -> dict[str, Any]:
    return {
        name: None if isinstance(value, float) and math.isnan(value) else value
        for name, value in row.items()
    }


@checked
@tiny_is_zero
def local_concordance(
    P: object,
    Q: object,
    *,
    similarity: Similarity = "l1",
    n_partners: int | None = None,
    random_state: int | np.random.Generator | None = None,
    n_jobs: int | None = None,
    match_by: MatchBy = "position",
    names: tuple[str, str] = ("P", "Q"),
    progress: Telling = None,
) -> LocalConcordance:
    """
    Show where two partitions differ: which objects, which clusters, and how.

    d_i is the mean over j of ``|E_P(i, j) - E_Q(i, j)|``. The mean of d_i over the
    objects of a part, weighted by their memberships, is the discordance of the part,
    and d is the mean over all parts. Each has an expectation of its own under the
    permutation of objects that gives E[d], and so a local ACI, 1 - d_part / E[d_part].

    Parameters
    ----------
    P, Q : Partition, or anything one can be made from
        Two partitions of the same n >= 2 objects, crisp or fuzzy.
    similarity : {"l1", "inner"}, default="l1"
        The similarity E of a pair; see `concordance`.
    n_partners : int, optional
        Number of others that each object of two fuzzy partitions is compared with: all
        of them up to 10 000 objects, 2 000 beyond, see `concordant.object_discordance`.
    random_state : int, numpy.random.Generator or None, default=None
        Source of the samples.
    n_jobs : int, optional
        Number of threads; see `concordance`.
    match_by : {"position", "id", "common"}, default="position"
        How objects are matched: by position, by ids, or only those with common ids.
    names : tuple of two str, default=("P", "Q")
        What the partitions are called in the sentences and the table.
    progress : callable or bool, optional
        Called as ``progress(done, total, None)`` now and then; True draws a bar,
        False does not. By default work of more than about ten seconds draws one where
        it is seen.

    Returns
    -------
    LocalConcordance
        Parts by object, by cluster and by pair of clusters, with weights such that they
        add up to d, and sentences that say which clusters are kept, split or merged.

    Raises
    ------
    ValueError
        If a partition is possibilistic, there are fewer than 2 objects, or more than
        10 million pairs of clusters.

    Notes
    -----
    By chance, an object keeps its place in P and meets the similarities of any pair of
    Q, or keeps its place in Q: its expectation is the mean of the two. A cluster of P
    keeps its objects, and those of Q are permuted; and the other way round. For a pair
    of clusters, an object of the one in P stands where a random object of the other
    stands in Q.

    Weights are w_i / n, summed over the objects of a part: w_i is u_ik for cluster k of
    P, v_il for cluster l of Q and u_ik v_il for both, rows being divided by their sums
    where these are not 1. Expectations have the same weights, but for pairs of
    clusters, whose chance weights are N_k N_l / n².

    Two clusters correspond if they share at least half of what they would share if they
    were nested, after subtracting from both what they share by chance; what they share
    is a sum of products of memberships. They are nested if the objects that belong most
    strongly to the one also belong most strongly to the other, with the mean
    memberships that they have. For two fuzzy partitions they must also be correlated
    beyond chance, and one of them with no other more. Groups of one and one are kept,
    of one and several split, of several and one merged. As for the percentages, the
    part of an object of two fuzzy partitions that stays in its cluster is the
    membership it has both in P and in Q, with clusters matched such that they share
    most beyond chance.

    Up to 450 objects, and if a partition is crisp, everything is exact. Beyond that the
    expectations of parts are right to about five digits. If partners are sampled, the
    standard errors are those of the discordance; expectations are from a sample of
    partners of the same size.

    References
    ----------
    Warrens, van der Hoef (2022), Journal of Classification 39: for crisp partitions,
    the adjusted Rand index as a mean over clusters.

    Examples
    --------
    >>> from concordant.inference import local_concordance
    >>> P = ["a"] * 6 + ["b"] * 6
    >>> Q = ["x"] * 6 + ["y"] * 3 + ["z"] * 3
    >>> found = local_concordance(P, Q)
    >>> print(found.sentences()[1])
    Cluster b of P is split into clusters y (50 %) and z (50 %) of Q.
    >>> found.clusters_p.aci.round(3).tolist()
    [1.0, 0.436]
    """
    check_similarity(similarity)
    rng = generator(random_state)
    engine = Threads(n_jobs)
    p, q = aligned(P, Q, match_by=match_by)
    check_partners(p, q, n_partners)
    n = p.n_objects
    if n < 2:
        raise InputError(f"P and Q must have at least 2 objects, found {n}")
    if p.n_clusters * q.n_clusters > MOST_CELLS:
        raise InputError(
            f"P and Q have {p.n_clusters} and {q.n_clusters} clusters, which make more "
            "than 10 million pairs of clusters; object_discordance shows where they "
            "differ by object"
        )
    run = Run(engine=engine, similarity=similarity, progress=progress, store={})
    found, means = objects_seen(p, q, n_partners, rng, run)
    exactly = None
    if found.is_exact:
        exactly = gathered_concordance(p, q, run).expected_discordance
    local = parts_of(p, q, found, means, exactly, names)
    return replace(local, similarity=similarity, names=(names[0], names[1]))


@single_blas_thread()
def parts_of(
    p: Partition,
    q: Partition,
    found: ObjectDiscordance,
    seen: ClusterMeans,
    exactly: float | None,
    names: tuple[str, str],
) -> LocalConcordance:
    """Put parts together from what was seen of objects; `exactly` is E[d], if known."""
    n = p.n_objects
    if exactly is not None and seen.expected_discordance > 0.0:
        seen = seen.scaled(exactly / seen.expected_discordance)
    d_i, errors = found.values, found.standard_errors
    of_p, of_q = Weights(p), Weights(q)

    def of_clusters(X: Partition, weights: Weights, by_chance: Vector) -> Parts:
        share = weights.sizes() / n
        of_each = (weights.means(values) for values in (d_i, by_chance, errors))
        return Parts((X.clusters,), share, share, *of_each)

    clusters_p = of_clusters(p, of_p, seen.from_p)
    clusters_q = of_clusters(q, of_q, seen.from_q)
    together = of_p.cross(of_q, np.ones(n))
    objects = np.arange(n) if found.ids is None else found.ids
    alike = np.full(n, 1.0 / n)
    by_chance = 0.5 * (seen.from_p + seen.from_q)
    return LocalConcordance(
        discordance=math.fsum(d_i) / n,
        expected_discordance=seen.expected_discordance,
        objects=Parts((objects,), alike, alike, d_i, by_chance, errors),
        clusters_p=clusters_p,
        clusters_q=clusters_q,
        pairs=Parts(
            (p.clusters, q.clusters),
            together / n,
            np.outer(clusters_p.weights, clusters_q.weights),
            shares(of_p.cross(of_q, d_i), together),
            seen.expected,
            shares(of_p.cross(of_q, errors), together),
        ),
        changes=changes_between(p, q, names),
        object_discordance=found,
    )


def objects_seen(
    P: Partition,
    Q: Partition,
    n_partners: int | None,
    rng: np.random.Generator,
    run: Run,
) -> tuple[ObjectDiscordance, ClusterMeans]:
    """Compare each object with all others or, if these are many, with a sample."""
    found = discordance_of_objects(P, Q, run.similarity, n_partners, rng)
    partners = None
    if not found.is_exact:
        n = P.n_objects
        partners = np.sort(rng.choice(n, found.n_partners, replace=False))
    return found, cluster_means(P, Q, run, partners)
