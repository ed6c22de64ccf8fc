"""The second simulation: fuzzy C-means partitions against each other."""

import numpy as np
from numpy.typing import NDArray

import concordant as cc
from concordant.cluster import FuzzyCMeans
from concordant.datasets import make_second_simulation
from concordant.studies.rows import Row, tidy
from concordant.studies.streams import spawned

STUDY = "simulation-2"
EQUAL = "equal sizes"
RANDOM = "random sizes"


def second_simulation(seed: int, *, concentration: float = 1.0) -> list[Row]:
    """
    Run one repetition of the second simulation.

    Parameters
    ----------
    seed : int
        What chance depends on.
    concentration : float, default=1.0
        Of the Dirichlet distribution that random cluster sizes come from; at 1 all
        proportions are equally likely.

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
            EQUAL: make_second_simulation(n_centers, random_state=rng),
            RANDOM: make_second_simulation(
                n_centers,
                sizes="dirichlet",
                concentration=concentration,
                random_state=rng,
            ),
        }
        for design, sample in samples.items():
            found = {C: _partition(sample.data, C, rng) for C in range(2, 9)}
            for C, partition in found.items():
                result = cc.concordance(found[n_centers], partition)
                values = {"NDC": result.ndc, "ACI": result.aci}
                name = f"data set {n_centers - 1}"
                rows += tidy(STUDY, name, f"C = {C}; {design}", values, seed)
    return rows


def _partition(
    X: NDArray[np.float64], C: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    objects = rng.choice(len(X), C, replace=False)
    model = FuzzyCMeans(C, init=X[objects], tol=1e-4, max_iter=10_000)
    return model.fit(X).memberships_
