"""Tables of ACI, its interval and its p-value on the paper's data."""

import numpy as np

import concordant as cc
from concordant.cluster import FuzzyCMeans, PDClustering
from concordant.datasets import load_uci
from concordant.inference import concordance_test
from concordant.paper import make_second_simulation
from concordant.paper.simulations import DESCRIBED, first_data_sets

SEED = 0
PERMUTATIONS = 9999


def _clustered(method, data, n_clusters):
    return method(n_clusters, random_state=SEED).fit(data).memberships_


def _iris():
    """Yield what is compared, and the two partitions: of Iris."""
    iris = load_uci("iris")
    fcm, pdc = (
        _clustered(method, iris.data, 3) for method in (FuzzyCMeans, PDClustering)
    )
    yield "fuzzy C-means and the species", fcm, iris.target
    yield "PD-clustering and the species", pdc, iris.target
    yield "fuzzy C-means and PD-clustering", fcm, pdc


def _first():
    """Of the first simulation, the random sets among them: a clustering and labels."""
    for name, design, sample in first_data_sets(SEED):
        if design == DESCRIBED:
            found = _clustered(FuzzyCMeans, sample.data, len(sample.centers))
            yield name.replace("Sigma ", "Σ"), found, sample.target


def _second():
    """Of the second simulation: C clusters and one more."""
    for C in range(2, 9):
        data = make_second_simulation(C, random_state=SEED).data
        found = (_clustered(FuzzyCMeans, data, k) for k in (C, C + 1))
        yield f"data set {C - 1}: {C} clusters and {C + 1}", *found


def rows(compared):
    """Return the rows of a table of comparisons."""
    yield "| compared | n | ACI | 95 % interval | p-value | z |"
    yield "|---|--:|--:|--:|--:|--:|"
    for name, P, Q in compared:
        comparison = cc.compare(P, Q, indices=["aci"], interval=0.95)
        test = concordance_test(P, Q, n_permutations=PERMUTATIONS, random_state=SEED)
        interval = comparison.intervals["aci"]
        cells = (
            name,
            str(len(np.asarray(P))),
            f"{comparison['aci']:.4f}",
            interval.ends(),
            f"{test.pvalue:.4f}",
            f"{test.zscore:.1f}",
        )
        yield f"| {' | '.join(cells)} |"


TABLES = {
    name: lambda compared=compared: rows(compared())
    for name, compared in (
        ("iris", _iris),
        ("first_simulation", _first),
        ("second_simulation", _second),
    )
}
