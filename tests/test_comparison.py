"""One object with everything, that prints well."""

import json
import sys
from dataclasses import replace

import numpy as np
import pytest

import concordant as cc
from concordant.inference import (
    concordance_test,
    confidence_interval,
    difference_test,
    local_concordance,
    null_moments,
)
from concordant.printing import short

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


def test_crisp_partitions_have_one_table():
    comparison = cc.compare(LABELS, RNG.integers(2, size=12))
    assert [*comparison.tables] == ["crisp"]
    assert comparison["rand"] == comparison["crisp/rand"]
    assert "all families agree on crisp partitions" in str(comparison)
    assert cc.compare(LABELS, LABELS)["rand"] == 1.0


def test_scores_are_found_by_name():
    comparison = cc.compare(U, V)
    assert comparison["aci"] == cc.adjusted_concordance_index(U, V)
    assert comparison["frigui/rand"] == cc.rand_index(U, V, family="frigui")
    assert comparison.scores["ndc"].error == comparison.concordance.ndc_error
    assert comparison["campello/min/rand"] == cc.rand_index(
        U, V, family="campello", t_norm="min"
    )


def test_a_name_that_is_not_there_is_answered_by_those_near_it():
    comparison = cc.compare(U, V)
    for scores in (comparison, comparison.scores):
        with pytest.raises(KeyError) as caught:
            scores["rand"]
        assert str(caught.value) == (
            '\'no score "rand"; did you mean "campello/min/rand", '
            '"campello/product/rand", "frigui/rand", "brouwer/rand", "anderson/rand"? '
            "list(comparison) has all names'"
        )
    with pytest.raises(KeyError, match='did you mean "aci"'):
        comparison["acj"]
    with pytest.raises(KeyError, match="scores have names, found 0"):
        comparison[0]
    with pytest.raises(KeyError, match='no score "XYZ"; list'):
        comparison["XYZ"]
    assert "XYZ" not in comparison
    assert None not in comparison


def test_former_names_are_understood_with_a_warning():
    comparison = cc.compare(U, V)
    new = "campello/min/rand"
    for scores in (comparison, comparison.scores):
        with pytest.warns(DeprecationWarning, match=f'now called "{new}"') as caught:
            assert scores["rand, campello (min)"] == scores[new]
        assert caught[0].filename == __file__
    with pytest.warns(DeprecationWarning, match="frigui/dice"):
        assert comparison["dice, frigui"] == comparison["frigui/dice"]


def test_it_is_a_mapping_of_names_to_values():
    comparison = cc.compare(U, V)
    assert dict(comparison) == {
        name: score.value for name, score in comparison.scores.items()
    }
    assert len(comparison) == len([*comparison]) == 52
    assert "aci" in comparison
    assert comparison.get("nothing") is None
    assert {**comparison}["ndc"] == comparison.ndc


def test_the_headline_has_attributes():
    comparison = cc.compare(U, V, interval=0.9, test=True, random_state=0)
    assert comparison.aci == comparison["aci"]
    assert comparison.ndc == comparison["ndc"]
    assert comparison.interval == confidence_interval(U, V, level=0.9)
    assert comparison.pvalue == concordance_test(U, V, random_state=0).pvalue
    assert comparison.test is not None
    assert comparison.test.n_permutations <= 9999
    for shown in (str(comparison), comparison._repr_html_()):
        assert f"permutation test of ACI: p = {comparison.pvalue:.4g}" in shown
    assert comparison.to_dict()["test"]["pvalue"] == comparison.pvalue
    of_ndc = cc.compare(U, V, indices=["ndc"], interval=0.9, test=True)
    assert of_ndc.interval.index == "ndc"
    assert of_ndc.test is not None
    assert of_ndc.test.index == "ndc"


def test_a_headline_that_was_not_asked_for_says_how_to_ask():
    comparison = cc.compare(U, V, indices=["nmi"])
    for name, words in (
        ("aci", 'no ACI: "aci" is not among indices='),
        ("pvalue", r"compare\(P, Q, test=True\)"),
        ("interval", r"compare\(P, Q, interval=0.95\)"),
    ):
        assert not hasattr(comparison, name)
        with pytest.raises(AttributeError, match=words):
            getattr(comparison, name)
    with pytest.raises(AttributeError, match="not defined for possibilistic"):
        _ = cc.compare(cc.Partition(U * 0.5, kind="possibilistic"), V).ndc
    with pytest.raises(ValueError, match='test is for indices="aci" or "ndc"'):
        cc.compare(U, V, indices=["nmi"], test=True)
    with pytest.raises(ValueError, match="possibilistic partitions, and P is one"):
        cc.compare(cc.Partition(U * 0.5, kind="possibilistic"), V, test=True)


def test_only_what_is_named_is_computed():
    comparison = cc.compare(U, V, indices=["dice", "ndc"], families=["frigui"])
    assert [*comparison.scores] == ["ndc", "frigui/dice"]
    assert [*cc.compare(U, V, indices=["aci"]).scores] == ["aci"]
    comparison = cc.compare(U, V, indices=["rand"], t_norm="min")
    assert [*comparison.tables] == ["campello (min)", "huellermeier (min)"]


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"indices": ["ari"]}, ValueError, 'indices must be "aci"'),
        ({"indices": "aci"}, TypeError, "indices must be a list of names"),
        ({"indices": 1}, TypeError, "indices must be a list of names or .all."),
        ({"families": 1}, TypeError, "families must be a list of names, found 1"),
        ({"t_norm": "Min"}, ValueError, 't_norm must be "min", "product" or'),
        ({"families": ["rand"]}, ValueError, 'families must be "crisp"'),
        (
            {"families": ["campello"], "t_norm": "lukasiewicz"},
            ValueError,
            "t_norm must be",
        ),
        ({"families": ["frigui"], "t_norm": "min"}, ValueError, "has no t-norm"),
        ({"method": "fast"}, ValueError, "method must be"),
    ],
)
def test_what_there_is_not_is_refused(options, error, message):
    with pytest.raises(error, match=message):
        cc.compare(U, V, **options)


@pytest.mark.parametrize(("P", "Q"), [(U, V), (U, LABELS), (LABELS, LABELS[::-1])])
def test_intervals_are_those_of_their_own_function(P, Q):
    comparison = cc.compare(P, Q, interval=0.9)
    assert [*comparison.intervals] == ["aci", "ndc"]
    for name, interval in comparison.intervals.items():
        assert interval == confidence_interval(P, Q, index=name, level=0.9)
        assert interval.phrase() in str(comparison)
        assert interval.phrase() in comparison._repr_html_()
    assert cc.compare(P, Q).intervals == {}
    assert comparison.scores == cc.compare(P, Q).scores


def test_records_tell_of_intervals_if_there_are_any():
    frame = cc.compare(U, V, indices=["aci", "nmi"], interval=0.95).to_frame()
    assert [*frame.columns[5:]] == ["standard_error", "low", "high", "level"]
    assert frame["low"].isna().tolist() == [False, True]
    assert frame["low"][0] < frame["value"][0] < frame["high"][0]


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"interval": 95}, ValueError, "between 0 and 1.*did you mean 0.95"),
        ({"interval": True}, TypeError, "interval must be a number, found True"),
        ({"interval": "0.9"}, TypeError, "interval must be a number, found '0.9'"),
        ({"interval": float("nan")}, ValueError, "interval must lie between 0 and 1"),
        (
            {"interval": 0.9, "indices": ["nmi", "rand"]},
            ValueError,
            'interval is for indices="aci" or "ndc"',
        ),
        ({"interval": 0.9, "tol": 0.1}, ValueError, "leave out tol or the interval"),
        (
            {"interval": 0.9, "method": "sampled"},
            ValueError,
            'all pairs of objects; leave out method="sampled" or',
        ),
    ],
)
def test_intervals_that_make_no_sense_are_refused(options, error, message):
    with pytest.raises(error, match=message):
        cc.compare(U, V, **options)


def test_intervals_need_a_sample_of_objects():
    with pytest.raises(ValueError, match="needs at least 4 objects, found 3"):
        cc.compare(U[:3], V[:3], interval=0.9)
    P = cc.Partition(U * 0.5, kind="possibilistic")
    with pytest.raises(ValueError, match="possibilistic partitions, and P is one"):
        cc.compare(P, V, interval=0.9)


def test_an_index_that_is_not_defined_is_refused_if_it_is_asked_for():
    P = cc.Partition(U * 0.5, kind="possibilistic")
    with pytest.raises(ValueError, match="not defined for possibilistic"):
        cc.compare(P, V, indices=["aci"])


def test_the_list_of_indices_has_what_compare_gives():
    listed = [index.name for index in cc.indices()]
    found = {name.rpartition("/")[2] for name in cc.compare(U, V, indices="all").scores}
    assert {*listed} == found
    assert str(cc.indices()).count("\n") == len(listed) + 1
    assert cc.indices()._repr_html_().count("<tr>") == len(listed) + 1
    assert "\n" not in repr(cc.indices())
    assert len(cc.indices()[:2]) == 2


def test_text_shows_every_family():
    text = str(cc.compare(U, V))
    assert repr(cc.compare(U, V)).startswith("Comparison(12 objects, fuzzy and fuzzy, ")
    assert "\n" not in repr(cc.compare(U, V))
    lines = text.splitlines()
    assert lines[0] == (
        "12 objects: fuzzy partition into 3 clusters against "
        "fuzzy partition into 2 clusters"
    )
    aci = f"{cc.adjusted_concordance_index(U, V):.6f}"
    assert lines[1].split()[:2] == ["ACI", aci]
    headlines = lines[1 : lines.index("")]
    ends = {line.index(".") for line in headlines}
    assert len(headlines) == 4, ends
    assert len(ends) == 1
    *table, more = lines[lines.index("") + 1 :]
    assert [line.split()[0] for line in table[2:]] == [
        *("campello", "frigui", "brouwer", "anderson", "huellermeier")
    ]
    assert len({len(line) for line in table}) == 1
    assert more == "23 more scores in to_frame()"
    few = cc.compare(U, V, families=["huellermeier"])
    assert str(few).count("huellermeier (") == 3
    assert "Mirkin" in str(few)


def test_html_is_a_table():
    page = cc.compare(U, LABELS)._repr_html_()
    assert page.count("<tr>") == 1 + 5
    assert "crisp partition into" in page


def test_frame_and_dictionary_hold_the_same():
    comparison = cc.compare(U, V)
    frame = comparison.to_frame()
    data = comparison.to_dict()
    assert [*frame.columns] == ["index", "family", "t_norm", "value", "error"]
    assert frame["value"].tolist() == [record["value"] for record in data["scores"]]
    keys = [(x["index"], x["family"], x["t_norm"]) for x in data["scores"]]
    assert len({*keys}) == len(keys) == len(comparison.scores)
    wide = frame.pivot_table("value", ["family", "t_norm"], "index", dropna=False)
    assert wide.loc[("campello", "min"), "rand"] == comparison["campello/min/rand"]
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
    estimate = cc.compare(U, V, method="permutations")
    assert "within" in str(estimate)
    assert "within" not in str(cc.compare(U, V))


def test_counts_of_pairs_are_shown_in_full():
    P, Q = np.arange(2000) % 7, np.arange(2000) % 5
    table = cc.pair_table(P, Q)
    shown = str(cc.compare(P, Q))
    assert str(2 * (table.b + table.c)) in shown.split()
    assert "e+0" not in shown
    assert [short(x) for x in (1e5 - 0.5, 1e5, -123456.7)] == [
        "99999.5000",
        "100000",
        "-123457",
    ]
    assert short(2.0**60) == "1.153e+18"


def test_nothing_is_shown_without_a_sign():
    assert [short(x) for x in (-1e-5, -0.0, -4.9e-5, -5.1e-5)] == [
        "0.0000",
        "0.0000",
        "0.0000",
        "-0.0001",
    ]
    nearly = replace(cc.concordance(U, V), aci=-1e-9)
    assert "-0.0" not in str(nearly)


def test_every_result_prints_for_people_and_has_a_repr_of_one_line():
    for result, words in (
        (cc.concordance(U, V), ["ACI", "expected NDC", "66 pairs", "method sorted"]),
        (cc.pair_table(U, V), ["huellermeier (product)", "in neither", "Mirkin"]),
        (cc.pair_table(LABELS, LABELS), ["family crisp", "pairs together in both"]),
        (cc.object_discordance(U, V), ["12 objects", "standard error"]),
        (cc.compare(U, V), ["NMI", "frigui"]),
    ):
        for word in words:
            assert word in str(result)
            assert word in result._repr_html_()
        assert "\n" not in repr(result)
        assert len(str(result).splitlines()) > 3


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (confidence_interval(U, V), ["95 % confidence interval", "standard error"]),
        (difference_test(U, V, LABELS), ["with the reference", "paired jackknife"]),
        (local_concordance(U, V), ["local ACI", ';white-space:nowrap">1 of Q']),
        (null_moments(U, V), ["12 objects", "standard deviation", "ACI", "<table>"]),
        (cc.Partition(U), ["fuzzy, 12 objects", "5 of 12 objects", "<table>"]),
        (concordance_test(U, V), ["p-value", "by chance"]),
    ],
    ids=lambda result: type(result).__name__,
)
def test_notebooks_show_every_result(result, words):
    page = result._repr_html_()
    for word in words:
        assert word in page
    assert "<script" not in page


def test_notebooks_show_odd_names_as_they_are():
    P = cc.Partition(U, clusters=["<b>", "&", "c"], ids=["<i>"] * 12)
    assert "<b>1" not in P._repr_html_()
    for page in (P._repr_html_(), local_concordance(P, V)._repr_html_()):
        assert "&lt;b&gt;" in page
