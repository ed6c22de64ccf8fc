"""The PD tables: PD-clustering against the true fuzzy partition of simulated data."""

from concordant.cluster import PDClustering, distance_partition
from concordant.studies.eight_indices import eight_indices
from concordant.studies.first_data_sets import first_data_sets
from concordant.studies.rows import Row, tidy
from concordant.studies.streams import small_seed, spawned

STUDY = "pd"
TRUE = "true against true"
ESTIMATED = "PD-clustering against true"
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
        with itself, of PD-clustering with it (the lowest objective of three starts
        drawn by k-means++), and of PD-clustering started once, at objects drawn at
        random.

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
        best = PDClustering(
            C, n_init=3, tol=1e-4, max_iter=10_000, random_state=small_seed(rng)
        )
        objects = rng.choice(len(X), C, replace=False)
        single = PDClustering(C, init=X[objects], tol=1e-4, max_iter=10_000)
        for setting, partition in (
            (f"{TRUE}; {design}", true),
            (f"{ESTIMATED}; {design}, {BEST}", best.fit(X).memberships_),
            (f"{ESTIMATED}; {design}, {SINGLE}", single.fit(X).memberships_),
        ):
            rows += tidy(STUDY, name, setting, eight_indices(partition, true), seed)
    return rows
