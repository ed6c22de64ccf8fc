"""The PD tables: PD-clustering against the true fuzzy partition of simulated data."""

from typing import Any

import numpy as np

from concordant.cluster import PDClustering, distance_partition
from concordant.studies.eight_indices import eight_indices
from concordant.studies.first_data_sets import first_data_sets
from concordant.studies.rows import Row, tidy
from concordant.studies.streams import small_seed, spawned

STUDY = "pd"
TRUE = "true against true"
ESTIMATED = "PD-clustering against true"
MEANS = "started at the means"
BEST = "best of 3 starts"
SINGLE = "one start at random objects"


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
        means = np.array([X[sample.target == k].mean(axis=0) for k in range(C)])
        starts: dict[str, Any] = {
            MEANS: {"init": means},
            SINGLE: {"init": X[rng.choice(len(X), C, replace=False)]},
        }
        if name.startswith("random"):
            starts[BEST] = {"n_init": 3, "random_state": small_seed(rng)}
        rows += tidy(STUDY, name, f"{TRUE}; {design}", eight_indices(true, true), seed)
        for start, options in starts.items():
            model = PDClustering(C, tol=1e-4, max_iter=10_000, **options).fit(X)
            values = eight_indices(model.memberships_, true)
            setting = f"{ESTIMATED}; {design}, {start}"
            rows += tidy(STUDY, name, setting, values, seed)
    return rows
