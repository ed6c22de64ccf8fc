"""One object with everything, that prints well."""

import json
import sys

import numpy as np
import pytest

import concordant as cc

RNG = np.random.default_rng(3)
U, V = RNG.dirichlet([1, 1, 1], size=12), RNG.dirichlet([1, 1], size=12)
LABELS = RNG.integers(3, size=12)


def test_it_shows_the_remarks_of_its_partitions():
    P = cc.Partition([0, -1, 1, 1], noise="cluster")
    comparison = cc.compare(P, [[0.33, 0.66], [0.5, 0.5], [0.2, 0.8], [1.0, 0.0]])
    for shown in (str(comparison), comparison._repr_html_()):
        assert "P: 1 object with the label -1 is counted as a cluster" in shown
        assert "Q: memberships are rounded to 2 digits: rows sum to 0.99 to 1" in shown


def test_it_holds_what_the_functions_give():
    comparison = cc.compare(U, V)
    assert comparison.concordance == cc.concordance(U, V)
    assert comparison.n_objects == 12
    assert comparison.kinds == ("fuzzy", "fuzzy")
    assert comparison.n_clusters == (3, 2)
    assert set(comparison.tables) == {
        "campello (min)",
        "campello (product)",
        "frigui",
        "brouwer",
        "anderson",
        "huellermeier (product)",
        "huellermeier (min)",
        "huellermeier (lukasiewicz)",
    }
    campello = cc.pair_table(U, V, family="campello", t_norm="product")
    assert comparison.tables["campello (product)"] == campello


def test_crisp_partitions_have_the_crisp_family_too():
    assert cc.compare(LABELS, LABELS).tables["crisp"].rand == 1.0


def test_text_shows_every_family():
    text = str(cc.compare(U, V))
    assert repr(cc.compare(U, V)) == text
    lines = text.splitlines()
    assert lines[0] == (
        "12 objects: fuzzy partition into 3 clusters against "
        "fuzzy partition into 2 clusters"
    )
    assert f"ACI {cc.adjusted_concordance_index(U, V):.6f}" in lines[1]
    assert sum(line.startswith("huellermeier") for line in lines) == 3
    table = lines[4:]
    assert len({len(line) for line in table}) == 1


def test_html_is_a_table():
    page = cc.compare(U, LABELS)._repr_html_()
    assert page.count("<tr>") == 1 + 8
    assert "crisp partition into" in page


def test_frame_and_dictionary_hold_the_same():
    comparison = cc.compare(U, V)
    frame = comparison.to_frame()
    data = comparison.to_dict()
    assert list(frame.columns[:4]) == ["a", "b", "c", "d"]
    for family, row in data["tables"].items():
        assert frame.loc[family].to_dict() == pytest.approx(row)
    assert data["concordance"]["aci"] == cc.adjusted_concordance_index(U, V)
    assert json.loads(json.dumps(data)) == data


def test_the_frame_needs_pandas(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pip install pandas"):
        cc.compare(U, V).to_frame()


def test_possibilistic_partitions_have_no_concordance():
    P = cc.Partition(U * 0.5, kind="possibilistic")
    comparison = cc.compare(P, V)
    assert comparison.concordance is None
    assert set(comparison.tables) == {
        "campello (min)",
        "campello (product)",
        "brouwer",
        "anderson",
    }
    assert "not defined for possibilistic" in str(comparison)
    assert comparison.to_dict()["concordance"] is None


def test_an_estimate_shows_its_error():
    from dataclasses import replace

    comparison = cc.compare(U, V)
    estimate = replace(
        comparison, concordance=cc.concordance(U, V, method="permutations")
    )
    assert "within" in str(estimate)
    assert "within" not in str(comparison)


def test_large_mirkin_values_stay_readable():
    labels = np.arange(2000) % 7
    assert "e+0" in str(cc.compare(labels, np.arange(2000) % 5))
