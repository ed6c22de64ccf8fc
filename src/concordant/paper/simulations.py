"""The studies of simulated data: of bias, of fuzzy C-means and of PD-clustering."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np

import concordant as cc
from concordant.cluster import FuzzyCMeans, distance_partition
from concordant.cluster.distance_partition import k_means_labels
from concordant.paper.simulated_data import (
    Sample,
    make_bias_experiment,
    make_first_simulation,
    make_random_set,
    make_second_simulation,
)
from concordant.paper.study_rows import (
    STOP,
    Row,
    class_means,
    eight_indices,
    pd_clustering,
    random_objects,
    small_seed,
    spawned,
    tidy,
)

DESCRIBED: Final = "as described"
SUGGESTED: Final = "as the numbers suggest"
EQUAL_SIZES = "equal sizes"
RANDOM_SIZES = "random sizes"
AGAINST_LABELS = "fuzzy C-means against labels"
AGAINST_CLUSTERS = "K-means against clusters"
TRUE = "true against true"
ESTIMATED = "PD-clustering against true"
MEANS = "started at the means"
BEST = "best of 3 starts"
SINGLE = "one start at random objects"
RANDOM_SETS = "random data sets"
EXACT = "exact expectation"
PERMUTATIONS = "1000 permutations"
DIFFERENCE = "ARI - ACI"


class Drawn(NamedTuple):
    """A sample with its name in the paper's tables and the third cluster's design."""

    name: str
    design: str
    sample: Sample


def bias_experiment(seed: int) -> list[Row]:
    """
    Run one repetition of the bias experiment: one random data set.

    Parameters
    ----------
    seed : int
        What chance depends on.

    Returns
    -------
    list of Row
        The adjusted Rand index between K-means and the known clusters, ACI, and their
        difference; ACI with the exact expectation and with the paper's estimate from
        1000 random permutations.

    References
    ----------
    The paper, end of section "The adjusted concordance index".

    Examples
    --------
    >>> from concordant.paper import bias_experiment
    >>> rows = bias_experiment(1)
    >>> [(row.setting.split("; ")[1], row.index) for row in rows if "-" in row.index]
    [('exact expectation', 'ARI - ACI'), ('1000 permutations', 'ARI - ACI')]
    >>> abs(rows[2].value) < 1e-12
    True
    """
    data_stream, k_means_stream, permutations_stream = spawned(seed, 3)
    sample = make_bias_experiment(random_state=data_stream)
    found = k_means_labels(
        sample.data, len(sample.centers), random_state=small_seed(k_means_stream)
    )
    ari = cc.adjusted_rand_index(found, sample.target)
    exact = cc.concordance(found, sample.target)
    estimated = cc.concordance(
        found,
        sample.target,
        method="permutations",
        n_permutations=1000,
        random_state=permutations_stream,
    )
    rows: list[Row] = []
    for design, aci in ((EXACT, exact.aci), (PERMUTATIONS, estimated.aci)):
        values = {"ARI": ari, "ACI": aci, DIFFERENCE: ari - aci}
        setting = f"{AGAINST_CLUSTERS}; {design}"
        rows += tidy("bias", RANDOM_SETS, setting, values, seed)
    return rows


def first_simulation(seed: int) -> list[Row]:
    """
    Run one repetition of the first simulation.

    Parameters
    ----------
    seed : int
        What chance depends on.

    Returns
    -------
    list of Row
        Eight indices for each of the twelve data sets; those with three centres under
        both designs.

    Notes
    -----
    Fuzzy C-means has fuzzifier 2 and three starts drawn by k-means++, of which the one
    with the lowest objective is kept.

    References
    ----------
    The paper, section "Comparing fuzzy and crisp partitions".

    Examples
    --------
    >>> from concordant.paper import first_simulation
    >>> rows = first_simulation(1)
    >>> len(rows)
    112
    >>> rows[0].data_set, rows[0].index, round(rows[0].value, 3)
    ('2 centres, Sigma 1', 'NDC', 0.999)
    """
    rows: list[Row] = []
    (rng,) = spawned(seed + 1, 1)
    for name, design, sample in first_data_sets(seed):
        C, seed_of_starts = len(sample.centers), small_seed(rng)
        model = FuzzyCMeans(C, n_init=3, random_state=seed_of_starts, **STOP)
        values = eight_indices(model.fit(sample.data).memberships_, sample.target)
        rows += tidy("simulation-1", name, f"{AGAINST_LABELS}; {design}", values, seed)
    return rows


def second_simulation(seed: int) -> list[Row]:
    """
    Run one repetition of the second simulation.

    Parameters
    ----------
    seed : int
        What chance depends on.

    Returns
    -------
    list of Row
        NDC and ACI between the partitions with as many clusters as the data set has
        centres and with C = 2, ..., 8, for seven data sets and two ways to share out
        the objects.

    Notes
    -----
    Fuzzy C-means has fuzzifier 2, starts once, at objects drawn at random, and stops
    when the summed movement of its centres is below 1e-4.

    References
    ----------
    The paper, section "Comparing two fuzzy partitions".
    """
    rows: list[Row] = []
    for n_centers, rng in zip(range(2, 9), spawned(seed, 7), strict=True):
        samples = {
            EQUAL_SIZES: make_second_simulation(n_centers, random_state=rng),
            RANDOM_SIZES: make_second_simulation(
                n_centers, sizes="dirichlet", random_state=rng
            ),
        }
        for design, sample in samples.items():
            found = {}
            for C in range(2, 9):
                start = random_objects(sample.data, C, rng)
                model = FuzzyCMeans(C, init=start, **STOP).fit(sample.data)
                found[C] = model.memberships_
            for C, partition in found.items():
                result = cc.concordance(found[n_centers], partition)
                values = {"NDC": result.ndc, "ACI": result.aci}
                name = f"data set {n_centers - 1}"
                rows += tidy("simulation-2", name, f"C = {C}; {design}", values, seed)
    return rows


def pd_tables(seed: int) -> list[Row]:
    """
    Run one repetition of the comparisons with true fuzzy partitions.

    Parameters
    ----------
    seed : int
        What chance depends on.

    Returns
    -------
    list of Row
        Eight indices for each data set of the first simulation: of the true partition
        with itself, and of PD-clustering with it, started at the means of the known
        clusters and started once at objects drawn at random; for the random sets, which
        have no clusters, also from the best of three starts drawn by k-means++.

    Notes
    -----
    The true partition has memberships proportional to 1/d, by the distances to the
    means of the known clusters. PD-clustering stops when the summed movement of its
    centres is below 1e-4.

    References
    ----------
    The paper, section "Comparing estimated and true fuzzy partitions".
    """
    rows: list[Row] = []
    (rng,) = spawned(seed + 1, 1)
    for name, design, sample in first_data_sets(seed):
        C, X = len(sample.centers), sample.data
        true = distance_partition(X, sample.target)
        starts: dict[str, dict[str, Any]] = {
            MEANS: {"init": class_means(X, sample.target)},
            SINGLE: {"init": random_objects(X, C, rng)},
        }
        if name.startswith("random"):
            starts[BEST] = {"n_init": 3, "random_state": small_seed(rng)}
        found = {f"{TRUE}; {design}": true}
        for start, options in starts.items():
            model = pd_clustering(X, C, **options)
            found[f"{ESTIMATED}; {design}, {start}"] = model.memberships_
        for setting, partition in found.items():
            rows += tidy("pd", name, setting, eight_indices(partition, true), seed)
    return rows


def first_data_sets(seed: int) -> Iterator[Drawn]:
    """Draw the twelve data sets of the first simulation, some under both designs."""
    seeds = iter(np.random.SeedSequence(seed).spawn(12))
    for n_centers in (2, 3, 4):
        for sigma in (1, 2, 3):
            child, name = next(seeds), f"{n_centers} centres, Sigma {sigma}"
            differ = n_centers == 3 and sigma > 1
            for design in (DESCRIBED, SUGGESTED) if differ else (DESCRIBED,):
                rng = np.random.default_rng(child)
                sample = make_first_simulation(
                    n_centers, sigma, third_cluster=design, random_state=rng
                )
                yield Drawn(name, design, sample)
    for n_centers in (2, 3, 4):
        rng = np.random.default_rng(next(seeds))
        sample = make_random_set(n_centers, random_state=rng)
        yield Drawn(f"random, {n_centers} centres", DESCRIBED, sample)
