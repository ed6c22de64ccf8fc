"""The first simulation: fuzzy C-means partitions against the labels they came from."""

from concordant.cluster import FuzzyCMeans
from concordant.studies.eight_indices import eight_indices
from concordant.studies.first_data_sets import first_data_sets
from concordant.studies.rows import Row, tidy
from concordant.studies.streams import small_seed, spawned

STUDY = "simulation-1"
COMPARISON = "fuzzy C-means against labels"


def first_simulation(seed: int, *, n_starts: int = 3) -> list[Row]:
    """
    Run one repetition of the first simulation.

    Parameters
    ----------
    seed : int
        What chance depends on.
    n_starts : int, default=3
        Starts of fuzzy C-means with fuzzifier 2, drawn by k-means++; the one with the
        lowest objective is kept.

    Returns
    -------
    list of Row
        Eight indices for each of the twelve data sets; those with three centres under
        both designs.

    References
    ----------
    The paper, section "Comparing fuzzy and crisp partitions".

    Examples
    --------
    >>> from concordant.studies import first_simulation
    >>> rows = first_simulation(1)
    >>> len(rows)
    112
    >>> rows[0].data_set, rows[0].index, round(rows[0].value, 3)
    ('2 centres, Sigma 1', 'NDC', 0.999)
    """
    rows: list[Row] = []
    (rng,) = spawned(seed + 1, 1)
    for name, design, sample in first_data_sets(seed):
        model = FuzzyCMeans(
            len(sample.centers),
            n_init=n_starts,
            tol=1e-4,
            max_iter=10_000,
            random_state=small_seed(rng),
        )
        found = model.fit(sample.data).memberships_
        values = eight_indices(found, sample.target)
        rows += tidy(STUDY, name, f"{COMPARISON}; {design}", values, seed)
    return rows
