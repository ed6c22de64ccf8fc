"""All sums over pairs come from one visit, whatever else is wanted."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
import reference
from hypothesis import given, settings
from hypothesis import strategies as st

import concordant as cc
from concordant.bounded import Bounded
from concordant.catalogue.families import FAMILIES
from concordant.catalogue.lookups import tables_of_family
from concordant.catalogue.terms import CONCORDANCE, DISCORDANCE, Term
from concordant.compute import gather
from concordant.execution.engine import Threads
from concordant.execution.run import Run

TABLES_OF_PAIRS = tuple(
    table
    for family, record in FAMILIES.items()
    if record.values
    for table in tables_of_family(family)
)
TERMS = (*TABLES_OF_PAIRS, Term("table", "frigui"), CONCORDANCE, DISCORDANCE)


def two(n, K=3, L=4, seed=0):
    rng = np.random.default_rng(seed)
    U = rng.dirichlet(np.ones(K), n)
    V = rng.dirichlet(np.ones(L), n)
    V[: n // 2] = 0.5 * (V[: n // 2] + np.roll(V, 3, axis=0)[: n // 2])
    return cc.Partition(U), cc.Partition(V)


def same(one, other):
    if isinstance(one, Bounded):  # beside a concordance, more is known of its rounding
        return one.value == other.value
    return one == other


BINNED = Run(method="binned")
WHOLE = two(301)
ALONE = {name: gather(*WHOLE, [name], BINNED)[name] for name in TERMS}  # type: ignore[call-arg]


@settings(max_examples=25, deadline=None)
@given(wanted=st.lists(st.sampled_from(TERMS), min_size=1, unique=True))
def test_a_term_has_the_same_bits_whatever_else_is_wanted(wanted):
    found = gather(*WHOLE, wanted, BINNED)  # type: ignore[call-arg]
    assert [*found] == wanted
    for name in wanted:
        assert same(found[name], ALONE[name]), name


def test_the_functions_of_one_index_give_the_bits_of_compare():
    P, Q = two(500)  # too many to be sorted
    whole = cc.compare(P, Q, families="all")
    assert whole.concordance == cc.concordance(P, Q)
    assert whole.concordance.method == "binned"
    assert whole.concordance.ndc == cc.normalized_degree_of_concordance(P, Q)
    for name, table in whole.tables.items():
        alone = cc.pair_table(P, Q, family=table.family, t_norm=table.t_norm)
        assert table == alone, name


@pytest.mark.parametrize("term", TABLES_OF_PAIRS, ids=str)
@pytest.mark.parametrize(("n", "K", "L"), [(257, 1, 5), (270, 6, 2), (260, 4, 9)])
def test_tables_of_one_visit_are_those_of_the_definition(term, n, K, L):
    P, Q = two(n, K, L)
    found = gather(P, Q, TABLES_OF_PAIRS, BINNED)[term]
    U, V = P.memberships.tolist(), Q.memberships.tolist()
    truth = getattr(reference, term.of)(U, V, term.t_norm)
    np.testing.assert_allclose(
        [found.a, found.b, found.c, found.d], truth, rtol=1e-12, atol=1e-9
    )


def test_equal_partitions_have_nothing_apart():
    P, _ = two(400)
    found = gather(P, P, TERMS, BINNED)
    for name in tables_of_family("huellermeier"):
        assert found[name].b == found[name].c == 0.0
    assert found[DISCORDANCE].value == 0.0


def test_threads_do_not_change_a_bit():
    P, Q = two(1200)
    one = gather(P, Q, TERMS, BINNED)
    for n_jobs in (2, 3):
        run = Run(method="binned", engine=Threads(n_jobs))
        assert gather(P, Q, TERMS, run) == one


def test_where_several_passes_are_needed_sums_come_from_the_first():
    rng = np.random.default_rng(0)
    U = np.eye(3)[rng.integers(3, size=600)] + 1e-9 * rng.random((600, 3))
    V = np.eye(4)[rng.integers(4, size=600)] + 1e-9 * rng.random((600, 4))
    P, Q = (cc.Partition(X / X.sum(axis=1, keepdims=True)) for X in (U, V))
    found = gather(P, Q, TERMS, BINNED)
    for name in TERMS:
        assert same(found[name], gather(P, Q, [name], BINNED)[name]), name


def many(k, n, K=3):
    rng = np.random.default_rng(1)
    return [cc.Partition(rng.dirichlet(np.ones(K + i % 2), n)) for i in range(k)]


def gather_many(partitions, wanted, run):
    """Give terms of every two of several partitions, as the command matrix does."""
    run = replace(run, store={})
    for i, j in itertools.combinations(range(len(partitions)), 2):
        yield i, j, gather(partitions[i], partitions[j], wanted, run)


@pytest.mark.parametrize("method", ["sorted", "binned"])
def test_many_partitions_have_the_numbers_of_two(method):
    terms = [CONCORDANCE, Term("table", "campello", "min")]
    run = Run(method=method)
    rng = np.random.default_rng(0)
    partitions = many(4, 300)
    for _ in range(2):  # whose grids need a second visit
        U = np.eye(3)[rng.integers(3, size=300)] + 1e-9 * rng.random((300, 3))
        partitions.append(cc.Partition(U / U.sum(axis=1, keepdims=True)))
    for i, j, found in gather_many(partitions, terms, run):
        assert found == gather(partitions[i], partitions[j], terms, run)
