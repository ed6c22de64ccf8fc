"""What studies share: rows of results, random streams, clusterings and indices."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import concordant as cc
from concordant.arrays import Matrix
from concordant.catalogue.families import Family
from concordant.cluster import PDClustering
from concordant.partition.partition import Partition

#: What the values of all repetitions have in common: data set, setting and index.
Key = tuple[str, str, str]

COLUMNS = ("study", "data set", "setting", "index", "value", "seed")

#: When fuzzy C-means and PD-clustering stop: by the summed movement of their centres.
STOP: dict[str, Any] = {"tol": 1e-4, "max_iter": 10_000}

_FAMILIES: tuple[Family, ...] = ("brouwer", "campello", "anderson")


@dataclass(frozen=True, slots=True)
class Row:
    """
    A line of a study's tidy table.

    Parameters
    ----------
    study : str
        The name of the study.
    data_set : str
        Which data set of the design.
    setting : str
        What was compared, and under which design, parted by a semicolon.
    index : str
        The name of the index.
    value : float
        Its value.
    seed : int
        What the study is called with to get this row again.
    """

    study: str
    data_set: str
    setting: str
    index: str
    value: float
    seed: int


def tidy(
    study: str, data_set: str, setting: str, values: Mapping[str, float], seed: int
) -> list[Row]:
    """Make a row of each index."""
    return [
        Row(study, data_set, setting, index, value, seed)
        for index, value in values.items()
    ]


def eight_indices(P: object, Q: object) -> dict[str, float]:
    """Compute NDC, ACI, and the Rand and adjusted Rand index of three families."""
    p, q = Partition(P), Partition(Q)
    agreement = cc.concordance(p, q)
    values = {"NDC": agreement.ndc, "ACI": agreement.aci}
    for family in _FAMILIES:
        table = cc.pair_table(p, q, family=family)
        name = family.capitalize()
        values[f"{name} Rand"] = table.rand
        values[f"{name} adjusted Rand"] = table.adjusted_rand
    return values


def pd_clustering(X: Matrix, C: int, **start: Any) -> PDClustering:
    """Return PD-clustering into C clusters, fitted from this start."""
    return PDClustering(C, **STOP, **start).fit(X)


def class_means(X: Matrix, labels: NDArray[np.intp]) -> Matrix:
    """Return the mean of the objects of each class, numbered from 0."""
    return np.array([X[labels == k].mean(axis=0) for k in range(labels.max() + 1)])


def random_objects(X: Matrix, C: int, rng: np.random.Generator) -> Matrix:
    """Draw C different objects."""
    return X[rng.choice(len(X), C, replace=False)]


def repetition_seeds(seed: int, study: str, n_repetitions: int) -> list[int]:
    """
    Return a seed for each repetition of a study, of which the first stay the same.

    They are below 2^53, so that a reader of numbers as doubles does not change them.
    """
    root = np.random.SeedSequence([seed, *study.encode("ascii")])
    return [
        int(child.generate_state(1, dtype=np.uint64)[0]) >> 11
        for child in root.spawn(n_repetitions)
    ]


def spawned(seed: int, n_streams: int) -> list[np.random.Generator]:
    """Return independent streams that depend on a repetition's seed alone."""
    children = np.random.SeedSequence(seed).spawn(n_streams)
    return [np.random.default_rng(child) for child in children]


def small_seed(rng: np.random.Generator) -> int:
    """Draw a seed of the size that scikit-learn takes."""
    return int(rng.integers(2**32))
