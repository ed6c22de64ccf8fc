"""Where PD-clustering of real data ends from random starts."""

from concordant.cluster import PDClustering, distance_partition
from concordant.datasets import load_uci
from concordant.studies.eight_indices import eight_indices
from concordant.studies.real_data import ESTIMATED
from concordant.studies.rows import Row, tidy
from concordant.studies.streams import spawned

STUDY = "starts"
DESIGN = "one start at random objects"


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
    >>> from concordant.studies import random_starts
    >>> [row.data_set for row in random_starts(1)[::9]]
    ['Iris', 'Flags']
    """
    rows: list[Row] = []
    for name, rng in zip(("iris", "flags"), spawned(seed, 2), strict=True):
        dataset = load_uci(name)
        X, C = dataset.data, len(dataset.target_names)
        objects = rng.choice(len(X), C, replace=False)
        model = PDClustering(C, init=X[objects], tol=1e-4, max_iter=10_000).fit(X)
        true = distance_partition(X, dataset.target)
        values = eight_indices(model.memberships_, true)
        values["objective"] = model.objective_
        setting = f"{ESTIMATED}; {DESIGN}"
        rows += tidy(STUDY, name.capitalize(), setting, values, seed)
    return rows
