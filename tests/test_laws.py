"""Laws that indices obey, searched for exceptions."""

import math
from functools import cache
from typing import get_args

import numpy as np
import pytest
import registry
from hypothesis import given, settings
from hypothesis import strategies as st
from partitions import draw, three_partitions, two_partitions
from registry import SCORES, record_of, scores

import concordant as cc
from concordant.catalogue.families import FAMILIES
from concordant.catalogue.families import STATISTICS as STATISTIC_RECORDS
from concordant.catalogue.indices import INDICES
from concordant.catalogue.lookups import applied, score_name, tables_of_family
from concordant.catalogue.records import Law
from concordant.compute import terms_of_pairs
from concordant.execution.run import Run
from concordant.pairs.pair_terms import WantedTerms

every = settings(max_examples=settings.default.max_examples // 4)


def close(x, y):
    return (math.isnan(x) and math.isnan(y)) or x == pytest.approx(
        y, rel=1e-9, abs=1e-11
    )


def same(x, y):
    return x == y or (math.isnan(x) and math.isnan(y))


def test_every_law_is_declared_for_some_and_there_is_a_test_of_each():
    assert {*get_args(Law)} == {
        "symmetric",
        "reflexive",
        "order of clusters",
        "order of objects",
        "empty clusters",
        "within range",
    }
    assert all(registry.that(law) for law in get_args(Law))
    for records in (INDICES, FAMILIES, STATISTIC_RECORDS):
        for name, record in records.items():
            assert name == record.name
            assert record.laws <= {*get_args(Law)}


@every
@given(pq=two_partitions())
def test_scores_are_symmetric_to_the_last_bit(pq):
    P, Q = pq
    one, other = scores(P, Q), scores(Q, P)
    for name in registry.that("symmetric"):
        assert same(one[name], other[name]), name


@every
@given(pq=two_partitions())
def test_a_partition_agrees_with_itself_to_the_last_bit(pq):
    P, _ = pq
    found = scores(P, P)
    for name in registry.that("reflexive"):
        assert found[name] == record_of(name).best, name


def _exceptions():
    """Give pairs of partitions in which a law that is not declared may fail."""
    rng = np.random.default_rng(1)
    P = rng.dirichlet([1, 1, 1], size=30)
    yield P, P
    for n in (3, 4, 6, 8):
        for _ in range(30):
            yield rng.dirichlet([1.0] * 3, size=n), rng.dirichlet([1.0] * 2, size=n)
    # Nearly crisp: moments are not enough for the chance of mutual information.
    yield rng.dirichlet([0.3] * 3, size=12), rng.dirichlet([0.3] * 4, size=12)


EXCEPTIONS = [*_exceptions()]


@cache
def _compared(which, law=None):
    """Give the scores of a pair, and those of what a law changes."""
    P, Q = EXCEPTIONS[which]
    match law:
        case "reflexive":
            return scores(P, P)
        case "symmetric":
            return scores(Q, P)
        case "order of clusters":
            return scores(P[:, ::-1], Q)
        case "order of objects":
            return scores(P[::-1], Q[::-1])
        case "empty clusters":
            return scores(np.insert(P, 0, 0.0, axis=1), Q)
    return scores(P, Q)


def _fails(law, name, which):
    if law == "within range":
        value, (low, high) = _compared(which)[name], record_of(name).range
        below = low is not None and value < low - 1e-9
        return below or (high is not None and value > high + 1e-9)
    record = record_of(name)
    wanted = record.best if law == "reflexive" else _compared(which)[name]
    return not close(_compared(which, law)[name], wanted)


def _has_an_exception(law, names):
    pairs = range(len(EXCEPTIONS))
    return any(_fails(law, name, which) for which in pairs for name in names)


@pytest.mark.parametrize("law", get_args(Law))
def test_a_law_that_is_not_declared_has_an_exception(law):
    for name, record in INDICES.items():
        if law not in record.laws:
            assert _has_an_exception(law, [name]), name
    for family in registry.FUZZY_FAMILIES:
        if law not in FAMILIES[family].laws:
            names = [x for x in SCORES if x.partition("/")[0] == family]
            assert _has_an_exception(law, names), family
    for statistic, record in STATISTIC_RECORDS.items():
        if law not in record.laws:
            names = [x for x in SCORES if x.endswith(f"/{statistic}")]
            assert _has_an_exception(law, names), statistic


@every
@given(pq=two_partitions(), seed=st.integers(0, 1000))
def test_the_order_of_clusters_does_not_matter(pq, seed):
    P, Q = pq
    order = np.random.default_rng(seed).permutation(P.shape[1])
    one, other = scores(P[:, order], Q), scores(P, Q)
    for name in registry.that("order of clusters"):
        if _well_conditioned(name, P, Q):
            assert close(one[name], other[name]), name


@every
@given(pq=two_partitions(), seed=st.integers(0, 1000))
def test_the_order_of_objects_does_not_matter(pq, seed):
    P, Q = pq
    order = np.random.default_rng(seed).permutation(len(P))
    one, other = scores(P[order], Q[order]), scores(P, Q)
    for name in registry.that("order of objects"):
        if _well_conditioned(name, P, Q):
            assert close(one[name], other[name]), name


@every
@given(pq=two_partitions(), where=st.integers(0, 5))
def test_an_empty_cluster_changes_no_bit(pq, where):
    P, Q = pq
    wider = np.insert(P, min(where, P.shape[1]), 0.0, axis=1)
    one, other = scores(wider, Q), scores(P, Q)
    for name in registry.that("empty clusters"):
        if name in registry.BY_PRODUCTS:
            assert not _well_conditioned(name, P, Q) or close(one[name], other[name]), (
                name
            )
        else:
            assert one[name] == other[name], name


@every
@given(pq=two_partitions())
def test_scores_stay_within_their_range(pq):
    found = scores(*pq)
    for name in registry.that("within range"):
        low, high = record_of(name).range
        assert low is None or found[name] >= low, name
        if high is not None and _well_conditioned(name, *pq):
            assert found[name] <= high + 1e-12, name


@every
@given(seed=st.integers(0, 2**32 - 1))
def test_labels_and_their_matrix_are_the_same_partition(seed):
    rng = np.random.default_rng(seed)
    labels = rng.integers(5, size=20)
    _, Q = draw(seed, 25)
    Q = Q[np.arange(20) % len(Q)]
    one, other = scores(labels, Q), scores(np.eye(5)[labels], Q)
    for name in SCORES:
        assert same(one[name], other[name]), name


@every
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(2, 40))
def test_every_family_gives_the_classical_value_on_crisp_input(seed, n):
    rng = np.random.default_rng(seed)
    p, q = rng.integers(6, size=n), rng.integers(4, size=n)
    found = scores(p, q)
    for name, statistic in registry.CLASSICAL.items():
        classical = registry.STATISTICS[statistic](p, q, family="crisp")
        if name in INDICES:  # 1 - d rounds once more
            assert found[name] == pytest.approx(classical, abs=1e-15), name
        else:
            assert found[name] == classical, name
    for family, t_norms in registry.FUZZY_FAMILIES.items():
        for t_norm in t_norms:
            table = cc.pair_table(p, q, family=family, t_norm=t_norm)
            assert table == cc.pair_table(p, q, family="crisp")


@every
@given(pq=two_partitions())
def test_functions_give_the_bits_of_the_comparison(pq):
    P, Q = pq
    found = cc.compare(P, Q, indices=["aci", "ndc", "nmi"], families="all")
    assert found["aci"] == cc.adjusted_concordance_index(P, Q)
    assert found["ndc"] == cc.normalized_degree_of_concordance(P, Q)
    assert found["nmi"] == cc.normalized_mutual_information(P, Q)
    for name, statistic in registry.STATISTICS.items():
        for table in found.tables.values():
            value = statistic(P, Q, family=table.family, t_norm=table.t_norm)
            assert same(value, found[score_name(name, table.family, table.t_norm)])


@every
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(2, 40))
def test_the_formulas_of_every_family_count_pairs_on_crisp_matrices(seed, n):
    from concordant.measures.tables.crisp import crisp_table
    from concordant.sums.object_sums import object_terms

    rng = np.random.default_rng(seed)
    P = cc.Partition(rng.integers(6, size=n))
    Q = cc.Partition(rng.integers(4, size=n))
    truth = crisp_table(P, Q)
    records = [FAMILIES[name] for name in ("frigui", "brouwer", "anderson")]
    needs = [term for record in records for term in record.terms]
    terms = object_terms(P, Q, needs, Run())
    tables = [applied(record.formula, record.terms, terms) for record in records]
    of_pairs = (f for f, record in FAMILIES.items() if record.values)
    listed = (table for family in of_pairs for table in tables_of_family(family))
    wanted = WantedTerms("l1", sums=tuple(listed))
    for method in ("sorted", "binned"):
        tables += terms_of_pairs(P, Q, wanted, Run(method=method)).sums.values()
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
    if name in ("fri", "fari", "agri", "omega"):  # which depend on last digits near 1/K
        return cc.compare(P, Q, indices=[name]).scores[name].error < 1e-11
    spread = min(np.ptp(P, axis=0).max(), np.ptp(Q, axis=0).max())
    if name.startswith("anderson/"):
        # a may be negative, so that denominators can be small differences.
        table = cc.pair_table(P, Q, family="anderson")
        a, b, c, d = table.a, table.b, table.c, table.d
        size = abs(a) + abs(b) + abs(c) + abs(d)
        adjusted = (b * b + c * c) + 2 * a * d + (a + d) * (b + c)
        sums = (a + b, a + c, a + b + c, 2 * a + b + c, a + b + c + d, adjusted / size)
        return spread > 1e-6 and min(map(abs, sums)) > 1e-6 * size
    if name == "brouwer/fowlkes_mallows":
        # No pair is joined at all on one side: a and c, or a and b, are rounding.
        table = cc.pair_table(P, Q, family="brouwer")
        least = min(table.a + table.b, table.a + table.c)
        return spread > 1e-6 and least > 1e-12 * len(P) ** 2
    return spread > 1e-6
