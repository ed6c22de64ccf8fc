"""The second simulation: fuzzy C-means partitions against each other."""

import concordant as cc
from concordant.cluster import FuzzyCMeans
from concordant.datasets import make_second_simulation
from concordant.studies.rows import Row, tidy
from concordant.studies.streams import small_seed, spawned

STUDY = "simulation-2"
EQUAL = "equal sizes"
RANDOM = "random sizes, Dirichlet(2)"


def second_simulation(
    seed: int, *, n_starts: int = 1, concentration: float = 2.0
) -> list[Row]:
    """
    Run one repetition of the second simulation.

    Parameters
    ----------
    seed : int
        What chance depends on.
    n_starts : int, default=1
        Starts of fuzzy C-means with fuzzifier 2, drawn by k-means++; the one with the
        lowest objective is kept.
    concentration : float, default=2.0
        Of the Dirichlet distribution that random cluster sizes come from.

    Returns
    -------
    list of Row
        NDC and ACI between the partitions with as many clusters as the data set has
        centres and with C = 2, ..., 8, for seven data sets and two ways to share out
        the objects.

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
            found = {
                C: FuzzyCMeans(
                    C,
                    n_init=n_starts,
                    max_iter=10_000,
                    tol=1e-5,
                    random_state=small_seed(rng),
                )
                .fit(sample.data)
                .memberships_
                for C in range(2, 9)
            }
            for C, partition in found.items():
                result = cc.concordance(found[n_centers], partition)
                values = {"NDC": result.ndc, "ACI": result.aci}
                name = f"data set {n_centers - 1}"
                rows += tidy(STUDY, name, f"C = {C}; {design}", values, seed)
    return rows
