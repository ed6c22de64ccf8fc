"""Crisp indices of labels that are drawn from the memberships."""

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from partitions import draw

import concordant as cc
from concordant.catalogue.families import STATISTICS
from concordant.catalogue.indices import INDICES
from concordant.measures.hardenings import _of_labels, _reach


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
        ("ARI", cc.adjusted_rand_index),
        ("aci", cc.adjusted_concordance_index),
        ("NMI", cc.normalized_mutual_information),
        ("fari", lambda P, Q: cc.score(P, Q, "fari")),
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
    assert found.error < (1e-11 if name == "rand" else 0.15)


def test_500_means_of_the_rand_index_are_those_of_frigui():
    for seed in range(500):
        P, Q = draw(seed, 12, 4)
        found = cc.random_hardenings(P, Q, index="rand", n_draws=9, random_state=seed)
        expected = cc.rand_index(P, Q, family="frigui")
        assert found.mean == pytest.approx(expected, abs=1e-12)


ROUNDED = [
    [0.33, 0.33, 0.33],
    [0.34, 0.34, 0.31],
    [0.66, 0.17, 0.16],
    [0.16, 0.66, 0.17],
]


@pytest.mark.parametrize("index", ["rand", "ndc", "gri", "mirkin"])
def test_rows_that_do_not_sum_to_1_are_divided_for_the_mean_as_for_draws(index):
    P, q = np.array([*ROUNDED, ROUNDED[0]]), [0, 0, 1, 1, 1]
    found = cc.random_hardenings(P, q, index=index, n_draws=9)
    rows = [[Fraction(x) / sum(map(Fraction, row)) for x in row] for row in P.tolist()]
    together = {
        (i, j): sum(x * y for x, y in zip(rows[i], rows[j], strict=True))
        for i, j in combinations(range(5), 2)
    }
    apart = sum(1 - g if q[i] == q[j] else g for (i, j), g in together.items())
    truth = 2 * apart if index == "mirkin" else 1 - apart / 10
    assert abs(Fraction(found.mean) - truth) <= found.error < 1e-11


def test_what_was_not_drawn_is_in_the_error_of_all_means():
    rng = np.random.default_rng(5)
    for state in range(50):
        P = np.array([[1 - 1e-3, 1e-3], [1, 0], [0, 1], [0, 1]])
        Q = np.eye(2)[rng.permutation([0, 0, 1, 1])]
        found = cc.random_hardenings(P, Q, random_state=state)
        truth = mean_over_all_labels(cc.adjusted_rand_index, P, Q)
        assert abs(found.mean - truth) <= found.error < 0.15


@pytest.mark.parametrize("index", [*STATISTICS, *INDICES])
def test_batches_are_what_the_index_is_of_each_draw(index):
    rng = np.random.default_rng(6)
    of_labels = _of_labels(index)
    for n, K in ((1, 1), (2, 2), (5, 2), (12, 4), (12, 500_000)):
        p, q = rng.integers(K, size=(3, n)), rng.integers(3, size=(3, n))
        found = of_labels(p, q)
        pairs = zip(p, q, strict=True)
        expected = [cc.score(*map(cc.Partition, pair), index) for pair in pairs]
        assert found == pytest.approx(expected, abs=1e-14)
        reach = _reach(cc.Partition(np.full((n, 2), 0.5)), cc.Partition(q[0]), index)
        assert np.ptp(found) <= reach


@pytest.mark.parametrize("index", ["adjusted_rand", "ami", "aci"])
def test_no_labels_of_few_objects_are_below_the_least_value(index):
    lowest = 1 - _reach(*[cc.Partition([[0.5, 0.5]])] * 2, index=index)
    all_labels = [
        cc.Partition(labels)
        for labels in product(range(3), repeat=5)
        if [*dict.fromkeys(labels)] == [*range(len({*labels}))]  # but for their names
    ]
    firsts = [[0, 0, 0, 1, 1], [0, 0, 1, 1, 2], [0, 1, 1, 1, 1], [0, 0, 0, 0, 0]]
    for first in map(cc.Partition, firsts):
        assert min(cc.score(first, other, index) for other in all_labels) >= lowest


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


def test_rows_that_are_crisp_once_they_are_divided_are_drawn_from():
    P = [[1.000001, 0.0], [0.0, 0.999999], [1.0, 0.0]]
    found = cc.random_hardenings(P, [0, 1, 1], index="rand", random_state=0)
    assert found.mean == pytest.approx(cc.rand_index([0, 1, 0], [0, 1, 1]))
