"""Degenerate partitions have decided, documented values."""

import math

import numpy as np
import pytest
from registry import STATISTICS, record_of, scores

import concordant as cc

SINGLETONS = list(range(6))
ONE_CLUSTER = [0] * 6
UNIFORM = np.full((6, 3), 1 / 3)


@pytest.mark.parametrize("labels", [SINGLETONS, ONE_CLUSTER, [0, 0, 1, 1, 2, 2]])
def test_equal_crisp_partitions_agree(labels):
    for name, value in scores(labels, labels).items():
        if name != "expected" and math.isfinite(record_of(name).best):
            assert value == pytest.approx(record_of(name).best, abs=1e-15), name


def test_one_object_has_no_pair_to_disagree_on():
    for name, value in scores([0], [5]).items():
        if math.isfinite(record_of(name).best):
            assert value == record_of(name).best, name


def test_one_object_is_told_in_the_singular():
    assert str(cc.concordance([0], [5])).startswith("Concordance of 1 object, 0 pairs")
    assert "1 object, mean" in str(cc.object_discordance([0], [5]))
    half = [[0.5, 0.5], [0.4, 0.6]]
    sampled = cc.concordance(half, half, method="permutations", n_permutations=1)
    assert "2 objects, 1 pair, method permutations, 1 permutation\n" in str(sampled)


@pytest.mark.parametrize("name", ["ndc", "aci"])
def test_one_fuzzy_object(name):
    assert cc.compare([[0.5, 0.5]], [[0.1, 0.9]])[name] == 1.0


def test_singletons_against_one_cluster():
    expected = {"mirkin": 30.0}
    for name, statistic in STATISTICS.items():
        assert statistic(SINGLETONS, ONE_CLUSTER) == expected.get(name, 0.0), name
    result = cc.concordance(SINGLETONS, ONE_CLUSTER)
    assert (result.ndc, result.expected, result.aci) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("other", [SINGLETONS, ONE_CLUSTER, [0, 0, 1, 1, 2, 2]])
def test_all_rows_equal_against_crisp(other):
    result = cc.concordance(UNIFORM, other)
    assert math.isfinite(result.ndc)
    # equal rows say that every pair is wholly similar, as one cluster does
    assert result.aci == (1.0 if other is ONE_CLUSTER else 0.0)


def test_a_constant_partition_gives_0_where_only_sums_of_rows_differ_in_the_other():
    varying = 0.5 + 4e-10 * np.linspace(0.0, 1.0, 30)
    P, Q = np.column_stack([varying, varying]), np.full((30, 2), 0.5)
    found = cc.concordance(P, Q, method="two-clusters")
    assert (found.aci, found.error) == (0.0, 0.0)
    assert cc.concordance(Q, P, method="two-clusters") == found
    assert cc.concordance(Q, Q, method="two-clusters").aci == 1.0


def test_constant_similarities_that_differ_give_0():
    P = np.array([[0.5, 0.5], [0.9, 0.1]])  # one pair: every set is constant
    Q = np.array([[0.5, 0.5], [0.6, 0.4]])
    assert cc.adjusted_concordance_index(P, Q) == 0.0
    assert cc.adjusted_concordance_index(P, P) == 1.0


def test_a_table_without_pairs():
    table = cc.PairTable(0, 0, 0, 0)
    assert table.rand == table.adjusted_rand == table.jaccard == 1.0
    assert table.fowlkes_mallows == table.dice == 1.0
    assert table.mirkin == 0.0


def test_a_table_of_tiny_numbers_has_the_statistics_of_larger_ones():
    table = cc.PairTable(4.0, 1.0, 2.0, 3.0)
    tiny = cc.PairTable(*(number * 2.0**-700 for number in (4.0, 1.0, 2.0, 3.0)))
    assert tiny.adjusted_rand == table.adjusted_rand
    assert tiny.fowlkes_mallows == table.fowlkes_mallows


def test_a_table_of_anderson_without_a_value_is_nan():
    assert math.isnan(cc.PairTable(-1.0, 0.5, 0.5, 0.0).jaccard)
    assert math.isnan(cc.PairTable(-1.0, 3.0, 0.5, 0.0).fowlkes_mallows)


def test_a_table_of_anderson_of_the_least_products_is_that_of_larger_ones():
    rng = np.random.default_rng(0)
    U, V = rng.integers(1, 9, (6, 3)), rng.integers(1, 9, (6, 2))
    tables = [
        cc.pair_table(
            *(cc.Partition(M * 2.0**-power, kind="possibilistic") for M in (U, V)),
            family="anderson",
        )
        for power in (4, 530)
    ]
    assert tables[1].rand == tables[0].rand
    assert tables[1].jaccard == tables[0].jaccard


def test_one_fuzzy_object_has_no_pair_in_tables_of_objects():
    for family in ("frigui", "brouwer", "anderson"):
        table = cc.pair_table([[1 / 3] * 3], [0], family=family)
        assert (table.a, table.b, table.c, table.d) == (0.0, 0.0, 0.0, 0.0)
        assert table.rand == table.adjusted_rand == table.jaccard == 1.0


@pytest.mark.parametrize(
    ("n", "K", "L", "statistic"),
    [(2, 3, 4, "jaccard"), (5, 5, 5, "dice"), (4, 3, 7, "adjusted_rand")],
)
def test_anderson_has_no_value_where_a_denominator_is_0_up_to_rounding(
    n, K, L, statistic
):
    U, V = np.full((n, K), 1 / K), np.full((n, L), 1 / L)
    assert math.isnan(getattr(cc.pair_table(U, V, family="anderson"), statistic))


def test_values_are_python_floats():
    rng = np.random.default_rng(0)
    U, V = rng.dirichlet([1, 1], size=9), rng.dirichlet([1, 1, 1], size=9)
    labels = rng.integers(3, size=9)
    for P, Q in ((U, V), (U, labels), (labels, labels)):
        for name, value in scores(P, Q).items():
            assert type(value) is float, name
        for name, statistic in STATISTICS.items():
            assert type(statistic(P, Q)) is float, name
        for name, value in vars(cc.concordance(P, Q)).items():
            assert type(value) in (int, float, str, type(None)), name


def test_clipping_sets_negative_values_to_0():
    P, Q = [0, 0, 1, 1], [0, 1, 0, 1]
    assert cc.adjusted_concordance_index(P, Q) < 0.0
    assert cc.adjusted_concordance_index(P, Q, clip=True) == 0.0
    assert cc.concordance(P, Q, clip=True).aci == 0.0
    assert cc.adjusted_concordance_index(P, P, clip=True) == 1.0


def test_rows_that_sum_to_a_little_more_than_1_do_not_leave_the_range():
    P = np.array([[1.0, 9e-6, 0.0], [0.0, 9e-6, 1.0]] * 3)
    result = cc.concordance(P, [0] * 6)
    assert 0.0 <= result.ndc <= 1.0
    assert result.aci <= 1.0


def test_thousands_of_clusters():
    rng = np.random.default_rng(0)
    p, q = rng.integers(3000, size=20_000), rng.integers(2500, size=20_000)
    from sklearn.metrics import adjusted_rand_score

    assert cc.adjusted_rand_index(p, q) == pytest.approx(adjusted_rand_score(p, q))
    assert cc.adjusted_rand_index(np.arange(10**5), np.arange(10**5)[::-1]) == 1.0


def test_many_crisp_clusters_against_a_fuzzy_partition_need_little_memory():
    n = 50_000
    U = np.random.default_rng(0).dirichlet([1, 1, 1], size=n)
    table = cc.pair_table(U, np.arange(n), family="frigui")
    assert table.a == pytest.approx(0.0, abs=1e-3)
    assert cc.adjusted_concordance_index(U, np.arange(n)) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    "name",
    [
        *("concordance", "compare", "concordance_test", "confidence_interval"),
        *("local_concordance", "match_clusters", "pair_table", "object_discordance"),
        *("normalized_mutual_information", "random_hardenings", "wallace"),
    ],
)
def test_a_caller_who_lets_numpy_raise_gets_the_same_result(name):
    rng = np.random.default_rng(0)
    tiny = 1e-170 * rng.random(12)
    P, Q = np.column_stack((1.0 - tiny, tiny)), rng.dirichlet([1.0, 1.0], 12)
    function = getattr(cc, name)
    drawn = {"random_state": 0} if name == "random_hardenings" else {}
    expected = repr(function(P, Q, **drawn))
    with np.errstate(all="raise"):
        assert repr(function(P, Q, **drawn)) == expected
        assert np.geterr()["under"] == "raise"


@pytest.mark.parametrize(
    "asked",
    [
        lambda runs: cc.agreement(runs).modes(0.5),
        lambda runs: cc.align_clusters(runs).similarity,
        lambda runs: cc.consensus(runs),
        lambda runs: cc.consensus(runs, loss="comembership", random_state=0).alignment,
        lambda runs: cc.consensus(
            runs, loss="binder", random_state=0
        ).similarity_matrix(),
    ],
)
def test_what_many_partitions_are_asked_later_is_the_same_too(asked):
    rng = np.random.default_rng(0)
    tiny = 1e-170 * rng.random((3, 12))
    runs = [np.column_stack((1.0 - each, each)) for each in tiny]
    expected = str(asked(runs))
    with np.errstate(all="raise"):
        assert str(asked(runs)) == expected


@pytest.mark.parametrize("model", ["flat", "symmetric", "fitted"])
def test_dirichlet_models_hold_for_a_caller_who_lets_numpy_raise(model):
    rng = np.random.default_rng(0)
    P, Q = rng.dirichlet([0.01] * 3, 12), rng.dirichlet([1.0, 1.0], 12)
    expected = cc.concordance(P, Q, null=f"dirichlet-{model}")
    with np.errstate(all="raise"):
        assert cc.concordance(P, Q, null=f"dirichlet-{model}") == expected
