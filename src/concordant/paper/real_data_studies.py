"""The studies of real data: PD-clustering against the truth, and against chance."""

from functools import cache

import numpy as np

import concordant as cc
from concordant.arrays import Matrix
from concordant.cluster import distance_partition
from concordant.datasets import load_uci
from concordant.datasets.uci import NAMES
from concordant.paper.simulations import ESTIMATED, EXACT, SINGLE, TRUE
from concordant.paper.study_rows import (
    Row,
    class_means,
    eight_indices,
    pd_clustering,
    random_objects,
    spawned,
    tidy,
)
from concordant.partition.partition import Partition

CLASS_MEANS = "raw data, class means"
EXAMPLE = "Iris"
FIFTH = "every fifth iris"
OBJECTS = "objects permuted"
SIMILARITIES = "similarities permuted"
AS_FOUND = "as found"
COUNTS = (1, 3, 10, 30, 100, 300, 1000)


def real_data(seed: int = 0) -> list[Row]:
    """
    Compare the true fuzzy partitions of six data sets with PD-clustering.

    Parameters
    ----------
    seed : int, default=0
        Nothing here is left to chance; it is only noted in the rows.

    Returns
    -------
    list of Row
        Eight indices of the true partition with itself, and of PD-clustering with it.

    Notes
    -----
    Data are not scaled. The true partition has memberships proportional to 1/d, by the
    distances to the class means. PD-clustering starts at the class means and stops
    when the summed movement of its centres is below 1e-4.

    References
    ----------
    The paper, last table.

    Examples
    --------
    >>> from concordant.paper import real_data
    >>> values = {(row.data_set, row.setting, row.index): row for row in real_data()}
    >>> setting = "PD-clustering against true; raw data, class means"
    >>> round(values["Iris", setting, "ACI"].value, 4)
    0.9298
    """
    rows: list[Row] = []
    for name in NAMES:
        true, found = _true_and_found(name)
        for setting, partition in ((TRUE, true), (ESTIMATED, found)):
            values = eight_indices(partition, true)
            setting = f"{setting}; {CLASS_MEANS}"
            rows += tidy("real-data", name.capitalize(), setting, values, seed)
    return rows


def random_starts(seed: int) -> list[Row]:
    """
    Start PD-clustering of Iris and of Flags once, at objects drawn at random.

    Parameters
    ----------
    seed : int
        What chance depends on.

    Returns
    -------
    list of Row
        Eight indices of where it ended with the true partition, and the objective.

    Examples
    --------
    >>> from concordant.paper import random_starts
    >>> [row.data_set for row in random_starts(1)[::9]]
    ['Iris', 'Flags']
    """
    rows: list[Row] = []
    for name, rng in zip(("iris", "flags"), spawned(seed, 2), strict=True):
        dataset = load_uci(name)
        X, C = dataset.data, len(dataset.target_names)
        model = pd_clustering(X, C, init=random_objects(X, C, rng))
        true = distance_partition(X, dataset.target)
        values = eight_indices(model.memberships_, true)
        values["objective"] = model.objective_
        setting = f"{ESTIMATED}; {SINGLE}"
        rows += tidy("starts", name.capitalize(), setting, values, seed)
    return rows


def chance(seed: int) -> list[Row]:
    """
    Draw from the null distribution of an example, and estimate its expectation.

    Parameters
    ----------
    seed : int
        What chance depends on.

    Returns
    -------
    list of Row
        For the true partition of Iris against PD-clustering, the NDC after one
        permutation of the objects and after one of the similarities, beside the NDC as
        found and its exact expectation. For every fifth iris, the expectation
        estimated from h = 1, ..., 1000 permutations.

    Examples
    --------
    >>> from concordant.paper import chance
    >>> [(row.setting, round(row.value, 3)) for row in chance(1)[:2]]
    [('as found', 0.978), ('exact expectation', 0.687)]
    """
    rows: list[Row] = []
    objects_stream, similarities_stream, counts_stream = spawned(seed, 3)
    P, Q, exact = _example(1)
    order = objects_stream.permutation(len(Q))
    permuted = cc.normalized_degree_of_concordance(P, Q.memberships[order])
    drawn = _estimate(P, Q, 1, similarities_stream)
    for setting, value in (
        (AS_FOUND, exact.ndc),
        (EXACT, exact.expected),
        (OBJECTS, permuted),
        (SIMILARITIES, drawn),
    ):
        rows += tidy("chance", EXAMPLE, setting, {"NDC": value}, seed)
    P, Q, exact = _example(5)
    rows += tidy("chance", FIFTH, EXACT, {"expected NDC": exact.expected}, seed)
    for h in COUNTS:
        values = {"expected NDC": _estimate(P, Q, h, counts_stream)}
        rows += tidy("chance", FIFTH, f"h = {h}", values, seed)
    return rows


def _estimate(P: Partition, Q: Partition, h: int, rng: np.random.Generator) -> float:
    return cc.concordance(
        P, Q, method="permutations", n_permutations=h, random_state=rng
    ).expected


@cache
def _example(step: int) -> tuple[Partition, Partition, cc.Concordance]:
    """Compare the true partition of every `step`-th iris with PD-clustering."""
    true, found = map(Partition, _true_and_found("iris", step))
    return true, found, cc.concordance(true, found)


def _true_and_found(name: str, step: int = 1) -> tuple[Matrix, Matrix]:
    """Return the true partition, and PD-clustering started at the class means."""
    dataset = load_uci(name)
    X, labels = dataset.data[::step], dataset.target[::step]
    means = class_means(X, labels)
    found = pd_clustering(X, len(means), init=means).memberships_
    return distance_partition(X, labels), found
