"""Crisp indices of labels that are drawn from the memberships."""

from itertools import product

import numpy as np
import pytest
from partitions import draw

import concordant as cc


def mean_over_all_labels(index, P, Q):
    """Sum over all labels, each with its probability."""
    total = 0.0
    for p in product(range(P.shape[1]), repeat=len(P)):
        for q in product(range(Q.shape[1]), repeat=len(Q)):
            both = [X[range(len(X)), labels].prod() for X, labels in ((P, p), (Q, q))]
            if (weight := both[0] * both[1]) > 0.0:
                total += weight * index(list(p), list(q))
    return total


@pytest.mark.parametrize(
    ("name", "index"),
    [
        ("rand", cc.rand_index),
        ("adjusted_rand", cc.adjusted_rand_index),
        ("aci", cc.adjusted_concordance_index),
        ("nmi", cc.normalized_mutual_information),
        ("fari", cc.fuzzy_adjusted_rand_index),
        ("matched", lambda p, q: cc.match_clusters(p, q).agreement),
    ],
)
def test_the_mean_is_that_over_all_labels(name, index):
    rng = np.random.default_rng(0)
    P, Q = rng.dirichlet([1, 1], size=4), rng.dirichlet([0.3, 1], size=4)
    found = cc.random_hardenings(P, Q, index=name, random_state=1)
    truth = mean_over_all_labels(index, P, Q)
    assert abs(found.mean - truth) <= found.error
    assert len(found.draws) == 1000
    assert found.error < (1e-11 if name == "rand" else 0.1)


def test_500_means_of_the_rand_index_are_those_of_frigui():
    for seed in range(500):
        P, Q = draw(seed, 12, 4)
        found = cc.random_hardenings(P, Q, index="rand", n_draws=9, random_state=seed)
        expected = cc.rand_index(P, Q, family="frigui")
        assert found.mean == pytest.approx(expected, abs=1e-12)


def test_the_index_states_an_error_that_holds():
    rng = np.random.default_rng(2)
    P, Q = rng.dirichlet([1, 1], size=4), rng.dirichlet([1, 1], size=4)
    truth = mean_over_all_labels(cc.adjusted_rand_index, P, Q)
    for state in (None, 1, 2, 3):
        score = cc.compare(P, Q, indices=["hardened_ari"], random_state=state)
        found = score.scores["hardened_ari"]
        assert abs(found.value - truth) <= found.error
    assert found.error < 0.1


def test_labels_too_rare_to_be_drawn_are_in_the_error():
    P = np.array([[0.9999, 0.0001], [1, 0], [0, 1], [0, 1]])
    Q = np.eye(2)[[0, 0, 1, 1]]
    truth = mean_over_all_labels(cc.adjusted_rand_index, P, Q)
    found = cc.compare(P, Q, indices=["hardened_ari"]).scores["hardened_ari"]
    assert abs(found.value - truth) <= found.error < 0.01


def test_crisp_partitions_stay_as_they_are():
    rng = np.random.default_rng(3)
    p, q = rng.integers(4, size=30), rng.integers(3, size=30)
    found = cc.random_hardenings(p, np.eye(3)[q], n_draws=5)
    assert found.draws == pytest.approx([cc.adjusted_rand_index(p, q)] * 5, abs=1e-14)
    value = cc.compare(p, q, indices=["hardened_ari"])["hardened_ari"]
    assert value == pytest.approx(cc.adjusted_rand_index(p, q), abs=1e-14)
    assert repr(found).startswith("Hardenings(adjusted_rand, 5 draws: mean ")
    title, mean, middle = str(found).splitlines()
    assert title == "adj. Rand of 5 random hardenings"
    assert mean.startswith("  mean ")
    assert middle.startswith("  95 % from ")
    assert f"<b>{title}</b>" in found._repr_html_()


def test_what_is_no_index_or_no_probability_is_refused():
    with pytest.raises(ValueError, match="index must be"):
        cc.random_hardenings([0, 1], [0, 1], index="crisp")
    P = cc.Partition([[0.5, 0.9], [0.1, 0.2]], kind="possibilistic")
    with pytest.raises(ValueError, match="not probabilities of labels"):
        cc.random_hardenings(P, [0, 1])
    with pytest.raises(ValueError, match="n_draws"):
        cc.random_hardenings([0, 1], [0, 1], n_draws=0)


def test_covers_have_no_probabilities_of_labels():
    cover = cc.Partition([[1, 1], [1, 0], [0, 0]], kind="overlapping")
    with pytest.raises(ValueError, match="which are overlapping, are not"):
        cc.random_hardenings(cover, [0, 1, 1])
