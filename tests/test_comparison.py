"""One object with everything, that prints well."""

import json
import sys
from dataclasses import replace

import numpy as np
import pytest
from partitions import compared_by

import concordant as cc
from concordant.catalogue.indices import INDICES
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
    comparison = cc.compare(U, V, families="all")
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


def test_crisp_partitions_have_one_table_that_is_printed_if_asked_for():
    P, Q = LABELS, RNG.integers(2, size=12)
    comparison = cc.compare(P, Q)
    assert [*comparison.tables] == ["crisp"]
    assert comparison["rand"] == comparison["crisp/rand"]
    assert "Rand" not in str(comparison)
    asked = str(cc.compare(P, Q, families="all"))
    assert "all families agree on crisp partitions" in asked
    assert "adj. Rand" in asked
    assert cc.compare(LABELS, LABELS)["rand"] == 1.0


def test_scores_are_found_by_name():
    comparison = cc.compare(U, V, families="all")
    assert comparison["aci"] == cc.adjusted_concordance_index(U, V)
    assert comparison["frigui/rand"] == cc.rand_index(U, V, family="frigui")
    assert comparison.scores["ndc"].error == comparison.concordance.ndc_error
    assert comparison["campello/min/rand"] == cc.rand_index(
        U, V, family="campello", t_norm="min"
    )


def test_a_name_that_is_not_there_is_answered_by_those_near_it():
    comparison = cc.compare(U, V, families="all")
    for scores in (comparison, comparison.scores):
        with pytest.raises(KeyError) as caught:
            scores["rand"]
        assert str(caught.value) == (
            '\'no score "rand"; did you mean "campello/min/rand", '
            '"campello/product/rand", "frigui/rand", "brouwer/rand" or '
            '"anderson/rand"? '
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


def test_it_is_a_mapping_of_names_to_values():
    comparison = cc.compare(U, V, families="all")
    assert dict(comparison) == {
        name: score.value for name, score in comparison.scores.items()
    }
    assert len(comparison) == len([*comparison]) == 51
    assert "aci" in comparison
    assert comparison.get("nothing") is None
    assert {**comparison}["ndc"] == comparison.ndc


def test_what_is_printed_first_is_what_is_computed():
    comparison = cc.compare(U, V)
    assert [*comparison] == ["aci", "ndc", "expected"]
    assert comparison.tables == {}
    data = comparison.to_dict()
    assert data["tables"] == data["left_out"] == []
    asked = cc.compare(U, V, indices="all", families="all")
    assert {*asked} > {"nmi", "frigui/rand", *comparison}


def test_a_score_that_was_not_computed_says_what_computes_it():
    comparison = cc.compare(U, V)
    for name, how in (
        ("nmi", """indices=["nmi"] or indices="all" computes it"""),
        ("rand", """families="all" computes it"""),
        ("frigui/rand", """families=["frigui"] computes it"""),
        ("campello/min/dice", """families=["campello"] computes it"""),
    ):
        with pytest.raises(KeyError) as caught:
            comparison[name]
        assert how in str(caught.value)
    for name in ("frigui/nothing", "nobody/rand", "a/b/c/rand"):
        with pytest.raises(KeyError, match="no score"):
            comparison[name]


def test_families_are_asked_for_beside_indices():
    comparison = cc.compare(U, V, indices=["aci"], families=["frigui"])
    assert {*comparison.tables} == {"frigui"}
    assert {"aci", "frigui/rand", "frigui/dice"} < {*comparison}
    with pytest.raises(ValueError, match='t_norm is for tables; add families="all"'):
        cc.compare(U, V, t_norm="min")


def test_the_headline_has_attributes():
    comparison = cc.compare(U, V, interval=0.9, test=True, random_state=0)
    assert comparison.aci == comparison["aci"]
    assert comparison.ndc == comparison["ndc"]
    assert comparison.interval == confidence_interval(U, V, level=0.9)
    assert comparison.pvalue == concordance_test(U, V, random_state=0).pvalue
    assert comparison.test is not None
    assert comparison.test.n_permutations <= 9999
    for shown in (str(comparison), comparison._repr_html_()):
        assert f"p = {comparison.pvalue:.4g} (permutation test)" in shown
    assert comparison.to_dict()["test"]["pvalue"] == comparison.pvalue
    of_ndc = cc.compare(U, V, indices=["ndc"], interval=0.9, test=True)
    assert of_ndc.interval.index == "ndc"
    assert of_ndc.test is not None
    assert of_ndc.test.index == "ndc"


def test_a_headline_that_was_not_asked_for_says_how_to_ask():
    comparison = cc.compare(U, V, indices=["nmi"])
    for name, words in (
        ("aci", r'no ACI: indices=\["aci"\] computes it'),
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
        ({"indices": ["acu"]}, ValueError, 'found .acu.; did you mean "aci"'),
        ({"indices": "jacard"}, ValueError, 'did you mean "jaccard"'),
        ({"indices": [1]}, TypeError, "indices must be the name of an index, found 1"),
        ({"indices": 1}, TypeError, "indices must be a list of names or .all."),
        (
            {"families": 1},
            TypeError,
            "families must be a list of names or .all.*found 1",
        ),
        ({"t_norm": "Min"}, ValueError, 't_norm must be "min", "product" or'),
        ({"families": ["rand"]}, ValueError, 'families must be "crisp"'),
        (
            {"families": ["campello"], "t_norm": "lukasiewicz"},
            ValueError,
            "t_norm must be",
        ),
        ({"families": ["frigui"], "t_norm": "min"}, ValueError, "has no t-norm"),
        ({"test": 98}, ValueError, "permutations from 99 up, found 98"),
        ({"test": "yes"}, TypeError, "test must be True, False or a number"),
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
    found = comparison.interval
    low, high = (f"{x:.3f}" for x in (found.low, found.high))
    for shown in (str(comparison), comparison._repr_html_()):
        assert f"90 % interval {low} to {high}" in shown
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
        ({"interval": "0.9"}, TypeError, "interval must be a number, found '0.9'"),
        ({"interval": float("nan")}, ValueError, "interval must lie between 0 and 1"),
        (
            {"interval": 0.9, "indices": ["nmi", "rand"]},
            ValueError,
            'interval is for indices="aci" or "ndc"',
        ),
        ({"interval": 0.9, "tol": 0.1}, ValueError, "leave out tol or the interval"),
    ],
)
def test_intervals_that_make_no_sense_are_refused(options, error, message):
    with pytest.raises(error, match=message):
        cc.compare(U, V, **options)


def test_true_is_the_usual_level_and_a_number_is_that_of_permutations():
    found = cc.compare(U, V, indices="ACI", interval=True, test=99, random_state=0)
    assert [*found.scores] == ["aci"]
    assert found.interval == cc.compare(U, V, interval=0.95).interval
    assert found.test.n_permutations == 99
    assert cc.compare(U, V, indices="aci", interval=False).intervals == {}


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
    every = cc.compare(U, V, indices="all", families="all")
    found = {name.rpartition("/")[2] for name in every.scores}
    assert {*listed} == found
    assert str(cc.indices()).count("\n") == len(listed) + 1
    assert cc.indices()._repr_html_().count("<tr>") == len(listed) + 1
    assert "\n" not in repr(cc.indices())
    assert len(cc.indices()[:2]) == 2


def test_text_shows_every_family_that_is_asked_for():
    text = str(cc.compare(U, V, families="all"))
    assert repr(cc.compare(U, V)).startswith("Comparison(12 objects, fuzzy and fuzzy, ")
    assert "\n" not in repr(cc.compare(U, V))
    lines = text.splitlines()
    *table, more = lines[lines.index("") + 1 :]
    assert [line.split()[0] for line in table[2:]] == [
        *("campello", "frigui", "brouwer", "anderson", "huellermeier")
    ]
    assert len({len(line) for line in table}) == 1
    assert more == "23 more scores in to_frame()"
    few = cc.compare(U, V, families=["huellermeier"])
    assert str(few).count("huellermeier (") == 3
    assert "Mirkin" in str(few)


def test_the_first_lines_say_how_far_partitions_agree():
    comparison = cc.compare(U, V, interval=0.95, test=True, names=("GMM", "species"))
    first, certain, about, means = str(comparison).splitlines()
    assert first.startswith("GMM and species agree ")
    assert first.endswith(f" chance would give: ACI {comparison.aci:.3f}")
    assert certain.startswith("  95 % interval ")
    assert certain.endswith(f"; p = {comparison.pvalue:.4g} (permutation test)")
    assert about == "  12 objects; fuzzy, 3 clusters against fuzzy, 2 clusters"
    found = comparison.concordance
    assert means == (
        f"  mean difference of similarity {found.discordance:.3f}; unrelated "
        f"partitions would have {found.expected_discordance:.3f}"
    )


@pytest.mark.parametrize(
    ("P", "Q", "options", "first"),
    [
        (U, U, {}, "P and Q are exactly alike for every pair of objects: ACI 1"),
        (
            [[0.5, 0.5], [0.25, 0.75]],
            [[1.0, 0.0], [0.75, 0.25]],
            {},
            "P and Q are exactly alike for every pair of objects: ACI 1",
        ),
        (
            [0, 0, 0, 1, 1, 1, 2, 2, 2],
            [0, 0, 0, 1, 1, 1, 2, 2, 1],
            {"test": True},
            "P and Q agree more than chance would give: ACI 0.643",
        ),
        (
            [0, 0, 1, 1],
            [0, 1, 0, 1],
            {},
            "P and Q agree no more than chance would give: ACI -0.500",
        ),
        (
            [0, 0, 1, 1],
            [0, 0, 1, 2],
            {},
            "P and Q agree more than chance would give on average: ACI 0.571",
        ),
        (
            [0, 0, 1, 1],
            [0, 0, 1, 2],
            {"test": True},
            "P and Q agree no more than chance may give: ACI 0.571",
        ),
        (
            np.repeat([0, 1, 2], 20),
            np.append(np.repeat([0, 1, 2], 20)[:-1], 0),
            {"interval": 0.95},
            "P and Q agree far more than chance would give: ACI 0.950",
        ),
        ([0], [0], {}, "P and Q cannot differ, as one object makes no pair: ACI 1"),
        (U, V, {"indices": ["nmi"]}, "P and Q"),
    ],
)
def test_words_for_agreement_say_no_more_than_is_known(P, Q, options, first):
    comparison = cc.compare(P, Q, **options)
    assert str(comparison).splitlines()[0] == first
    assert first in comparison._repr_html_()


def test_indices_that_are_asked_for_are_a_table():
    asked = str(cc.compare(U, V, indices=["aci", "ndc"], interval=0.9)).splitlines()
    assert asked[asked.index("") + 1].split() == [
        "index",
        "value",
        "90",
        "%",
        "interval",
    ]
    assert [line.split()[0] for line in asked[-2:]] == ["ACI", "NDC"]
    assert "NDC" not in str(cc.compare(U, V))


def test_a_partition_into_one_cluster_is_named():
    text = str(cc.compare(U, [0] * 12, names=("mine", "theirs")))
    assert text.startswith("mine and theirs agree no more than chance would give")
    assert "theirs has one cluster, with which others agree by chance alone" in text


def test_a_value_near_one_is_not_shown_as_one():
    labels = np.arange(40_000) % 2
    other = labels.copy()
    other[0] = 1
    shown = str(cc.compare(labels, other)).splitlines()[0]
    assert shown.endswith("ACI 0.9999")


def test_estimates_have_as_many_digits_as_their_error_supports():
    rng = np.random.default_rng(1)
    P, Q = (rng.dirichlet([0.3] * 3, size=3000) for _ in range(2))
    found = compared_by("sampled", P, P * 0.8 + Q * 0.2, tol=9e-4, random_state=0)
    first, origin, *_ = str(found).splitlines()
    error = found.concordance.error
    assert first.endswith(f"ACI {found.aci:.4f} within {error:.1e}")
    assert 1e-4 <= error < 1e-3
    assert origin.startswith("  estimated from ")
    assert origin.endswith("pairs; the error holds with 95 % confidence")


def test_nothing_is_said_of_a_value_of_which_nothing_is_known():
    # Equal rows of both, and E[d] that may be 0: any value is possible.
    P, Q = np.full((3, 2), 1 / 2), np.full((3, 4), 1 / 4)
    comparison = cc.compare(P, Q, null="dirichlet-fitted")
    assert comparison.scores["aci"].error == np.inf
    first = "P and Q agree, but how far beyond chance cannot be told: ACI 1.000 within"
    assert str(comparison).startswith(first)
    assert "(within inf)" in comparison.sentence()


def test_names_are_those_of_the_caller_or_of_the_data():
    pd = pytest.importorskip("pandas")
    from sklearn.cluster import KMeans

    series = pd.Series(LABELS, name="species")
    model = KMeans(3, n_init=1, random_state=0).fit(U)
    assert cc.compare(model, series).names == ("KMeans", "species")
    assert cc.compare(model, model).names == ("P", "Q")
    assert cc.compare(U, series.rename(0)).names == ("P", "Q")
    assert cc.compare(U, series, names=["a", "b\n"]).names == ("a", "b\u240a")
    for names in (["a"], [1, 2], "ab", ["a", "a"], {"a": 1, "b": 2}, iter("ab")):
        with pytest.raises((ValueError, TypeError), match="names must be"):
            cc.compare(U, V, names=names)


def test_a_sentence_for_a_paper_is_one_line_with_its_source():
    comparison = cc.compare(U, V, interval=0.9, test=True, names=("A", "B"))
    sentence = comparison.sentence()
    found = comparison.interval
    low, high = (f"{x:.3f}" for x in (found.low, found.high))
    assert "\n" not in sentence
    for part in (
        f"The adjusted concordance index of A and B was {comparison.aci:.3f} (",
        f"90 % confidence interval {low} to {high}, jackknife over 12 objects",
        f"p = {comparison.pvalue:.4g}, permutation test "
        f"with {comparison.test.n_permutations} permutations",
        "for 12 objects",
        "2021, doi:10.1007/s00357-020-09367-0",
        "exact, over all 66 pairs",
    ):
        assert part in sentence, part
    inner = cc.compare(U, V, similarity="inner").sentence()
    assert "Horta and Campello 2015" in inner
    assert "similarity inner" in inner
    with pytest.raises(AttributeError, match=r"indices=\["):
        cc.compare(U, V, indices=["nmi"]).sentence()


def test_html_is_a_table():
    page = cc.compare(U, LABELS, families="all")._repr_html_()
    assert page.count("<tr>") == 1 + 5
    assert "against crisp, " in page


def test_frame_and_dictionary_hold_the_same():
    comparison = cc.compare(U, V, families="all")
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
    comparison = cc.compare(P, V, families="all")
    assert comparison.concordance is None
    assert 'indices="all" and families="all" compute what is' in str(cc.compare(P, V))
    assert set(comparison.tables) == {
        "campello (min)",
        "campello (product)",
        "brouwer",
        "anderson",
    }
    assert "not defined for possibilistic" in str(comparison)
    assert comparison.to_dict()["concordance"] is None


def test_an_estimate_shows_its_error():
    estimate = compared_by("permutations", U, V)
    assert "within" in str(estimate)
    assert "within" not in str(cc.compare(U, V))


def test_counts_of_pairs_are_shown_in_full():
    P, Q = np.arange(2000) % 7, np.arange(2000) % 5
    table = cc.pair_table(P, Q)
    shown = str(cc.compare(P, Q, families="all"))
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
        (cc.object_discordance(U, V), ["12 objects", "discordance"]),
        (cc.compare(U, V, indices="all", families="all"), ["NMI", "frigui"]),
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


def test_one_number_is_printed_once_and_kept_by_every_name():
    names = ["gri", "credal_j", "credal_b", "agri", "omega", "nmi", "v_measure"]
    found = cc.compare(U, V, indices=names)
    assert [*found.scores] == [x for x in INDICES if x in names]
    lines = [line.strip() for line in str(found).splitlines()]
    assert sum("also" in line for line in lines) == 3
    assert any("also credal_j, credal_b " in line for line in lines)
    covers = [
        cc.Partition(np.eye(3)[x] + 0.0, kind="overlapping")
        for x in ([0, 1, 2, 0], [0, 1, 1, 2])
    ]
    assert "also" not in str(cc.compare(*covers, indices=["agri", "omega"]))
    assert "also" not in str(cc.compare(U, V, indices=["credal_j"]))
