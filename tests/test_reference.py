"""Every family, the concordance and every index against the naive definitions."""

from fractions import Fraction
from typing import get_args

import numpy as np
import pytest
import reference
from partitions import STYLES, draw, memberships

import concordant as cc
from concordant.catalogue.families import FAMILIES
from concordant.catalogue.indices import INDICES
from concordant.catalogue.lookups import tables_of_family
from concordant.catalogue.values import Similarity

CASES = 100
#: Seeds of cases; of most of them where there is time.
SEEDS = [range(60), pytest.param(range(60, 500), marks=pytest.mark.long)]

TABLES = [
    ("campello", "min"),
    ("campello", "product"),
    ("frigui", None),
    ("brouwer", None),
    ("anderson", None),
    ("huellermeier", "product"),
    ("huellermeier", "min"),
    ("huellermeier", "lukasiewicz"),
]


def expected_table(U, V, family, t_norm):
    options = {} if t_norm is None else {"t_norm": t_norm}
    return getattr(reference, family)(U.tolist(), V.tolist(), **options)


@pytest.mark.parametrize("seeds", SEEDS, ids=str)
@pytest.mark.parametrize(("family", "t_norm"), TABLES)
def test_each_family_agrees_with_its_definition(family, t_norm, seeds):
    for seed in seeds:
        U, V = draw(seed, max_n=40)
        table = cc.pair_table(U, V, family=family, t_norm=t_norm)
        found = (table.a, table.b, table.c, table.d)
        m = len(U) * (len(U) - 1) / 2
        assert found == pytest.approx(
            expected_table(U, V, family, t_norm), rel=1e-12, abs=1e-13 * m
        ), seed


def test_crisp_tables_agree_with_counting_and_hold_integers():
    rng = np.random.default_rng(1)
    for _ in range(CASES):
        n = int(rng.integers(2, 60))
        p = rng.integers(rng.integers(1, 10), size=n)
        q = rng.integers(rng.integers(1, 10), size=n)
        table = cc.pair_table(p, q)
        found = (table.a, table.b, table.c, table.d)
        assert found == reference.crisp(p.tolist(), q.tolist())
        assert all(type(x) is int for x in found)


def test_no_table_and_no_index_is_without_a_definition():
    tables = (tables_of_family(family) for family in FAMILIES if family != "crisp")
    assert {*TABLES} == {(table.of, table.t_norm) for each in tables for table in each}
    assert {*reference.INDICES} == {*INDICES}


@pytest.mark.parametrize("similarity", get_args(Similarity))
def test_the_concordance_agrees_with_its_definition(similarity):
    values = {"l1": reference.dissimilarities, "inner": reference.inner_products}
    for seed in range(CASES):
        U, V = draw(seed, max_n=40)
        result = cc.concordance(U, V, similarity=similarity)
        x, y = (np.array(values[similarity](M.tolist())) for M in (U, V))
        d = np.abs(x - y).mean()
        expected = np.abs(x[:, np.newaxis] - y).mean()
        assert result.discordance == pytest.approx(d, rel=1e-12, abs=1e-15), seed
        assert result.expected_discordance == pytest.approx(
            expected, rel=1e-12, abs=1e-15
        ), seed
        if expected > 1e-14:
            # Inner products are rounded by as much whatever their differences are.
            lost = 1e-11 if similarity == "l1" else 1e-11 + 4e-15 / expected
            assert result.aci == pytest.approx(1 - d / expected, rel=0, abs=lost), seed


def test_memberships_a_trillionth_apart_lose_no_decimals():
    rng = np.random.default_rng(2)
    for _ in range(50):
        steps = rng.integers(-4000, 4000, size=(12, 2))
        U, V = (
            np.stack([0.5 + s * 2.0**-52, 0.5 - s * 2.0**-52], axis=1) for s in steps.T
        )
        # In units of 2^-52 the same partitions are whole numbers, without rounding.
        exact = reference.aci(
            np.stack([steps[:, 0], -steps[:, 0]], axis=1).tolist(),
            np.stack([steps[:, 1], -steps[:, 1]], axis=1).tolist(),
        )
        assert cc.adjusted_concordance_index(U, V) == pytest.approx(exact, abs=1e-13)


#: At most so many objects and clusters, as some definitions try all orders or labels.
MOST = {"ami": (5, 3), "hardened_ari": (3, 2)}
OTHERS = tuple(name for name in INDICES if name not in MOST)


@pytest.mark.parametrize("seeds", SEEDS, ids=str)
@pytest.mark.parametrize("names", [*((name,) for name in MOST), OTHERS])
def test_each_index_is_within_the_stated_error_of_its_definition(names, seeds):
    n_objects, n_clusters = MOST.get(names[0], (6, 4))
    for seed in seeds:
        rng = np.random.default_rng(seed)
        n = rng.integers(2, n_objects + 1)
        P, Q = (
            memberships(rng, n, rng.integers(1, n_clusters + 1), rng.choice(STYLES))
            for _ in range(2)
        )
        scores = cc.compare(P, Q, indices=names).scores
        assert [*scores] == [*names]
        for name, (value, error) in scores.items():
            off = abs(Fraction(value) - reference.index(name, P, Q))
            assert error is not None
            stated = min(error, 1e9)  # infinite if nothing is known
            assert off <= Fraction(stated) + Fraction(2.0**-52), (name, seed)


@pytest.mark.parametrize(
    "statistic",
    ["rand", "adjusted_rand", "jaccard", "fowlkes_mallows", "mirkin", "dice"],
)
def test_each_statistic_agrees_with_its_definition(statistic):
    rng = np.random.default_rng(3)
    for _ in range(CASES):
        a, b, c, d = rng.random(4) * 100
        found = getattr(cc.PairTable(a, b, c, d), statistic)
        assert found == pytest.approx(getattr(reference, statistic)(a, b, c, d))


def test_closed_form_of_a_fuzzy_and_a_crisp_partition_equals_the_sorted_pairs():
    for seed in range(100):
        U, _ = draw(seed)
        labels = np.random.default_rng(seed).integers(4, size=len(U))
        if cc.Partition(U).kind == "crisp":
            continue
        closed = cc.concordance(U, labels, method="fuzzy-crisp")
        pairwise = cc.concordance(U, labels, method="sorted")
        assert closed.ndc == pytest.approx(pairwise.ndc, abs=1e-14)
        assert closed.expected == pytest.approx(pairwise.expected, abs=1e-14)
        assert closed.aci == pytest.approx(pairwise.aci, abs=1e-12)
