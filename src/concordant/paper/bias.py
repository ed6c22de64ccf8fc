"""The bias experiment: ACI against the adjusted Rand index on crisp partitions."""

import concordant as cc
from concordant.cluster.k_means import k_means_labels
from concordant.paper.simulated_data import make_bias_experiment
from concordant.paper.study_rows import Row, small_seed, spawned, tidy

STUDY = "bias"
DATA_SET = "random data sets"
COMPARISON = "K-means against clusters"
EXACT = "exact expectation"
PERMUTATIONS = "1000 permutations"
DIFFERENCE = "ARI - ACI"


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
        rows += tidy(STUDY, DATA_SET, f"{COMPARISON}; {design}", values, seed)
    return rows
