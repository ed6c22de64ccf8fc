"""The studies of real data: PD-clustering against the true fuzzy partition."""

import numpy as np

from concordant.cluster import PDClustering, distance_partition
from concordant.datasets import load_uci
from concordant.paper.simulations import ESTIMATED, SINGLE, TRUE
from concordant.paper.study_rows import Row, eight_indices, spawned, tidy

CLASS_MEANS = "raw data, class means"
NAMES = ("vehicle", "sonar", "pima", "iris", "ionosphere", "flags")


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
        dataset = load_uci(name)
        X, labels = dataset.data, dataset.target
        classes = range(len(dataset.target_names))
        means = np.array([X[labels == k].mean(axis=0) for k in classes])
        true = distance_partition(X, labels)
        model = PDClustering(len(means), init=means, tol=1e-4, max_iter=10_000)
        for setting, partition in (
            (f"{TRUE}; {CLASS_MEANS}", true),
            (f"{ESTIMATED}; {CLASS_MEANS}", model.fit(X).memberships_),
        ):
            values = eight_indices(partition, true)
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
        objects = rng.choice(len(X), C, replace=False)
        model = PDClustering(C, init=X[objects], tol=1e-4, max_iter=10_000).fit(X)
        true = distance_partition(X, dataset.target)
        values = eight_indices(model.memberships_, true)
        values["objective"] = model.objective_
        setting = f"{ESTIMATED}; {SINGLE}"
        rows += tidy("starts", name.capitalize(), setting, values, seed)
    return rows
