"""Laws that indices obey, searched for exceptions."""

import math

import numpy as np
import pytest
import registry
from hypothesis import given, settings
from hypothesis import strategies as st
from partitions import draw, three_partitions, two_partitions
from registry import SCORES

import concordant as cc

every = settings(max_examples=60, deadline=None)


def close(x, y):
    return (math.isnan(x) and math.isnan(y)) or x == pytest.approx(
        y, rel=1e-9, abs=1e-11
    )


def test_the_lists_cover_the_registry():
    assert len(SCORES) == 2 + 8 * 6
    assert {*registry.REFLEXIVE, *registry.NOT_REFLEXIVE} == set(SCORES)
    assert not {*registry.REFLEXIVE} & {*registry.NOT_REFLEXIVE}
    assert set(registry.CLASSICAL) == set(SCORES)
    for law in (
        registry.SYMMETRIC,
        registry.INVARIANT_TO_ORDER_OF_CLUSTERS,
        registry.INVARIANT_TO_ORDER_OF_OBJECTS,
        registry.INVARIANT_TO_EMPTY_CLUSTERS,
    ):
        assert set(law) == set(SCORES)


@every
@given(pq=two_partitions())
def test_scores_are_symmetric_to_the_last_bit(pq):
    P, Q = pq
    for name in registry.SYMMETRIC:
        one, other = SCORES[name](P, Q), SCORES[name](Q, P)
        assert one == other or (math.isnan(one) and math.isnan(other)), name


@every
@given(pq=two_partitions())
def test_a_partition_agrees_with_itself_to_the_last_bit(pq):
    P, _ = pq
    for name in registry.REFLEXIVE:
        assert SCORES[name](P, P) == (0.0 if "mirkin" in name else 1.0), name


def test_the_other_families_are_not_reflexive_on_fuzzy_partitions():
    P = np.random.default_rng(1).dirichlet([1, 1, 1], size=30)
    for name in registry.NOT_REFLEXIVE:
        assert not close(SCORES[name](P, P), 0.0 if "mirkin" in name else 1.0), name


@every
@given(pq=two_partitions(), seed=st.integers(0, 1000))
def test_the_order_of_clusters_does_not_matter(pq, seed):
    P, Q = pq
    order = np.random.default_rng(seed).permutation(P.shape[1])
    for name in registry.INVARIANT_TO_ORDER_OF_CLUSTERS:
        if _well_conditioned(name, P, Q):
            assert close(SCORES[name](P[:, order], Q), SCORES[name](P, Q)), name


@every
@given(pq=two_partitions(), seed=st.integers(0, 1000))
def test_the_order_of_objects_does_not_matter(pq, seed):
    P, Q = pq
    order = np.random.default_rng(seed).permutation(len(P))
    for name in registry.INVARIANT_TO_ORDER_OF_OBJECTS:
        if _well_conditioned(name, P, Q):
            assert close(SCORES[name](P[order], Q[order]), SCORES[name](P, Q)), name


@every
@given(pq=two_partitions(), where=st.integers(0, 5))
def test_an_empty_cluster_changes_no_bit(pq, where):
    P, Q = pq
    wider = np.insert(P, min(where, P.shape[1]), 0.0, axis=1)
    for name in registry.INVARIANT_TO_EMPTY_CLUSTERS:
        one, other = SCORES[name](wider, Q), SCORES[name](P, Q)
        if name in registry.BY_PRODUCTS:
            assert not _well_conditioned(name, P, Q) or close(one, other), name
        else:
            assert one == other, name


@every
@given(seed=st.integers(0, 2**32 - 1))
def test_labels_and_their_matrix_are_the_same_partition(seed):
    rng = np.random.default_rng(seed)
    labels = rng.integers(5, size=20)
    _, Q = draw(seed, 25)
    Q = Q[np.arange(20) % len(Q)]
    for name, score in SCORES.items():
        one, other = score(labels, Q), score(np.eye(5)[labels], Q)
        assert one == other or (math.isnan(one) and math.isnan(other)), name


@every
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(2, 40))
def test_every_family_gives_the_classical_value_on_crisp_input(seed, n):
    rng = np.random.default_rng(seed)
    p, q = rng.integers(6, size=n), rng.integers(4, size=n)
    for name, score in SCORES.items():
        classical = registry.STATISTICS[registry.CLASSICAL[name]](p, q, family="crisp")
        if name in ("ndc", "aci"):  # 1 - d rounds once more
            assert score(p, q) == pytest.approx(classical, abs=1e-15), name
        else:
            assert score(p, q) == classical, name


@every
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(2, 40))
def test_the_formulas_of_every_family_count_pairs_on_crisp_matrices(seed, n):
    from concordant.families.anderson import anderson_table
    from concordant.families.brouwer import brouwer_table
    from concordant.families.campello import campello_table
    from concordant.families.crisp import crisp_table
    from concordant.families.frigui import frigui_table
    from concordant.families.huellermeier import huellermeier_table

    rng = np.random.default_rng(seed)
    P = cc.Partition(rng.integers(6, size=n))
    Q = cc.Partition(rng.integers(4, size=n))
    truth = crisp_table(P, Q)
    tables = [
        frigui_table(P, Q),
        brouwer_table(P, Q),
        anderson_table(P, Q),
        *(campello_table(P, Q, t) for t in ("min", "product")),
        *(huellermeier_table(P, Q, t) for t in ("product", "min", "lukasiewicz")),
    ]
    for table in tables:
        for x in "abcd":
            assert getattr(table, x) == pytest.approx(getattr(truth, x), abs=1e-9)


@every
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(2, 60))
def test_aci_is_the_adjusted_rand_index_of_scikit_learn_on_labels(seed, n):
    from sklearn.metrics import adjusted_rand_score

    rng = np.random.default_rng(seed)
    p, q = rng.integers(7, size=n), rng.integers(3, size=n)
    found = cc.adjusted_concordance_index(p, q)
    assert found == pytest.approx(adjusted_rand_score(p, q), abs=1e-12)


@settings(max_examples=300, deadline=None)
@given(pq=two_partitions())
def test_ndc_lies_between_0_and_1_and_aci_is_at_most_1(pq):
    result = cc.concordance(*pq)
    assert 0.0 <= result.ndc <= 1.0
    assert 0.0 <= result.expected <= 1.0
    assert result.aci <= 1.0
    assert math.isfinite(result.aci)


@every
@given(pq=two_partitions())
def test_huellermeiers_table_holds_every_pair_once(pq):
    P, Q = pq
    table = cc.pair_table(P, Q, family="huellermeier")
    m = len(P) * (len(P) - 1) / 2
    assert table.a + table.b + table.c + table.d == pytest.approx(m, rel=1e-12)


@every
@given(pq=two_partitions())
def test_huellermeiers_rand_index_is_the_ndc(pq):
    P, Q = pq
    ndc = cc.normalized_degree_of_concordance(P, Q)
    assert cc.rand_index(P, Q) == pytest.approx(ndc, abs=1e-12)


@settings(max_examples=200, deadline=None)
@given(pqr=three_partitions())
def test_the_discordance_satisfies_the_triangle_inequality(pqr):
    P, Q, R = pqr
    pq, qr, pr = (
        cc.concordance(*pair).discordance for pair in ((P, Q), (Q, R), (P, R))
    )
    assert pr <= pq + qr + 1e-13


@every
@given(pq=two_partitions())
def test_a_constant_side_gives_no_more_than_chance(pq):
    P, _ = pq
    constant = np.full((len(P), 3), 1 / 3)
    if cc.concordance(P, constant).expected_discordance > 0:
        assert cc.adjusted_concordance_index(P, constant) == pytest.approx(0, abs=1e-15)


def _well_conditioned(name, P, Q):
    """Leave out tables whose denominators are all rounding, 1e-12 wide."""
    if name == "ndc":
        return True
    spread = min(np.ptp(P, axis=0).max(), np.ptp(Q, axis=0).max())
    if name == "fowlkes_mallows-anderson":
        # a may be negative, so that a + b and a + c can be small differences.
        table = cc.pair_table(P, Q, family="anderson")
        a, *others = table.a, table.b, table.c
        return spread > 1e-6 and min(a + x for x in others) > 1e-6 * abs(a)
    return spread > 1e-6
