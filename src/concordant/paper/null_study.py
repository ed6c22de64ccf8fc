"""What chance gives: a null distribution, and how fast permutations find its mean."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

import concordant as cc
from concordant.cluster import PDClustering, distance_partition
from concordant.datasets import load_uci
from concordant.paper.study_rows import Row, spawned, tidy
from concordant.partition.partition import Partition

STUDY = "chance"
EXAMPLE = "Iris"
FIFTH = "every fifth iris"
OBJECTS = "objects permuted"
SIMILARITIES = "similarities permuted"
AS_FOUND = "as found"
EXACT = "exact expectation"
COUNTS = (1, 3, 10, 30, 100, 300, 1000)


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
        rows += tidy(STUDY, EXAMPLE, setting, {"NDC": value}, seed)
    P, Q, exact = _example(5)
    rows += tidy(STUDY, FIFTH, EXACT, {"expected NDC": exact.expected}, seed)
    for h in COUNTS:
        values = {"expected NDC": _estimate(P, Q, h, counts_stream)}
        rows += tidy(STUDY, FIFTH, f"h = {h}", values, seed)
    return rows


def _estimate(P: Partition, Q: Partition, h: int, rng: np.random.Generator) -> float:
    return cc.concordance(
        P, Q, method="permutations", n_permutations=h, random_state=rng
    ).expected


@cache
def _example(step: int) -> tuple[Partition, Partition, cc.Concordance]:
    """Compare the true partition of every `step`-th iris with PD-clustering."""
    dataset = load_uci("iris")
    X: NDArray[np.float64] = dataset.data[::step]
    labels = dataset.target[::step]
    means = np.array([X[labels == k].mean(axis=0) for k in range(labels.max() + 1)])
    model = PDClustering(len(means), init=means, tol=1e-4, max_iter=10_000).fit(X)
    true, found = distance_partition(X, labels), model.memberships_
    return Partition(true), Partition(found), cc.concordance(true, found)
