"""The report says what the library computes, in one page that is always the same."""

import html
import math
import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest
from partitions import compared_by

import concordant as cc
from concordant.catalogue.families import FAMILIES, STATISTICS
from concordant.catalogue.indices import INDICES
from concordant.catalogue.nulls import NULLS
from concordant.files import FileError
from concordant.inference import (
    concordance_test,
    confidence_interval,
    local_concordance,
    null_moments,
)
from concordant.inference.correspondence import crossing
from concordant.inference.differences import PARTNERS
from concordant.printing import number, printed, shortened
from concordant.report import render_report, write_report
from concordant.report.differing import differences
from concordant.report.page import error_of
from concordant.report.uncertainty import uncertainty_view

RNG = np.random.default_rng(0)
U, V = RNG.dirichlet([1, 1, 1], size=30), RNG.dirichlet([1, 1], size=30)
LABELS = RNG.integers(3, size=30)

#: Names that break what does not escape them.
NASTY = [
    "<script>alert(1)</script>",
    "\"double\" & 'single'",
    "\u05e9\u05dc\u05d5\u05dd \u0639\u0627\u0644\u0645",
    "\U0001f600 \U0001f469\u200d\U0001f469\u200d\U0001f467",
    '$x^2$ id="a" url(#b) #fedcba',
    "</style></svg></title><img src=x onerror=alert(1)>",
    "--> {{ 7 * 7 }} {% raw %}",
]


class Reader(HTMLParser):
    """Collects the tags of a page, and the text outside of style and script."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.texts, self._open = [], [], []
        self.feed(page)
        self.text = " ".join(" ".join(self.texts).split())

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag in ("style", "script"):
            self._open.append(tag)

    def handle_endtag(self, tag):
        if tag in ("style", "script"):
            self._open.pop()

    def handle_data(self, data):
        if not self._open:
            self.texts.append(data)

    def named(self, tag):
        return [attributes for name, attributes in self.tags if name == tag]


@pytest.fixture(scope="module")
def plain():
    return Reader(render_report(U, V))


@pytest.fixture(scope="module")
def with_truth():
    return Reader(
        render_report(U, V, truth=LABELS, truth_name="species", names=("A", "B"))
    )


def test_it_shows_the_numbers_of_the_comparison(plain):
    comparison = cc.compare(U, V)
    text = plain.text
    assert f"{comparison.concordance.aci:.4f}".replace("-", "\u2212") in text
    assert f"{comparison.concordance.ndc:.4f}" in text
    assert f"{comparison.concordance.expected:.4f}" in text
    for name, table in comparison.tables.items():
        assert name in text
        assert f"{table.jaccard:.4f}" in text
    shown = [INDICES[name] for name in comparison.scores if name in INDICES]
    for record in (*STATISTICS.values(), *shown):
        assert record.name == "aci" or record.reading in text
    for record in STATISTICS.values():
        assert record.title in text
    for family in {name.split()[0] for name in comparison.tables}:
        assert FAMILIES[family].reading in text


def test_every_family_statistic_and_index_has_its_sentence():
    for records in (FAMILIES, STATISTICS, INDICES):
        for record in records.values():
            assert record.reading.endswith(".")


def test_a_test_of_ndc_is_not_taken_for_one_of_aci():
    comparison = cc.compare(U, V, indices=["ndc", "expected"], test=True)
    assert comparison.test.index == "ndc"
    text = Reader(render_report(U, V, comparison=comparison)).text
    assert f"0.0000 ± {null_moments(U, V).aci_sd:.4f}" in text


def test_the_truth_is_compared_with_both(plain, with_truth):
    text = with_truth.text
    for P in (U, V):
        aci = cc.adjusted_concordance_index(P, LABELS)
        assert f"{aci:.4f}".replace("-", "\u2212") in text
    assert "Against species" in text
    assert "Against species" not in plain.text


def test_the_same_input_gives_the_same_bytes(tmp_path):
    rng = np.random.default_rng(1)
    P, Q = rng.dirichlet([1, 1], 1600), rng.dirichlet([1, 1, 1], 1600)
    write_report(P, Q, tmp_path / "one.html")
    write_report(P.copy(), Q.copy(), tmp_path / "other.html")
    assert (tmp_path / "one.html").read_bytes() == (
        tmp_path / "other.html"
    ).read_bytes()


def test_it_needs_nothing_else():
    page = render_report(U, LABELS, truth=LABELS)
    reader = Reader(page)
    for tag, attributes in reader.tags:
        for name, value in attributes.items():
            if name in ("src", "href", "xlink:href"):
                assert value.startswith(("data:", "#")), (tag, value)
    assert "@import" not in page
    assert not re.search(r"url\((?!#)", page)
    (policy,) = [
        meta["content"] for meta in reader.named("meta") if "http-equiv" in meta
    ]
    assert policy.startswith("default-src 'none'")


def test_ids_are_unique_and_references_lead_somewhere(with_truth):
    ids = [attributes["id"] for _, attributes in with_truth.tags if "id" in attributes]
    assert len(ids) == len({*ids})
    for _, attributes in with_truth.tags:
        for name in ("xlink:href", "aria-labelledby"):
            if attributes.get(name, "").startswith("#") or name == "aria-labelledby":
                target = attributes.get(name)
                assert target is None or target.removeprefix("#") in ids


def test_figures_have_text_alternatives(plain):
    svgs = plain.named("svg")
    assert len(svgs) == 6
    for svg in svgs:
        assert svg["role"] == "img"
        assert len(svg["aria-label"]) > 20


def test_odd_names_come_out_escaped_and_intact():
    P = cc.Partition(
        RNG.dirichlet(np.ones(7), 28),
        ids=[f"{NASTY[i % 7]}{i}" for i in range(28)],
        clusters=NASTY,
    )
    Q = cc.Partition([NASTY[i] for i in np.arange(28) % 7])
    for first in NASTY[:5:2]:
        page = render_report(P, Q, truth=Q, names=(first, "B"), truth_name=first)
        reader = Reader(page)
        assert len(reader.named("script")) == 1
        assert not reader.named("img")
        for name in NASTY:
            assert " ".join(name.split()) in reader.text
        assert f"{NASTY[2]}2" in reader.text
        assert first in reader.texts[reader.texts.index(first)]
        assert "49" not in reader.texts


def test_names_stand_in_elements_that_keep_their_direction():
    page = render_report(U, V, names=(NASTY[2], "B"))
    assert f"<h1><bdi>{NASTY[2]}</bdi>" in page


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("plain", "plain"),
        ("a\x00b\nc\x7f", "a\u2400b\u240ac\u2421"),
        ("\x9b31m", "\ufffd31m"),
        ("\ud800", "\ufffd"),
        ("", "(no name)"),
        (np.int64(3), "3"),
        (np.str_("x"), "x"),
    ],
)
def test_what_cannot_be_seen_is_shown(name, shown):
    assert printed(name) == shown


def test_names_that_cannot_be_seen_leave_a_page_that_can_be_written():
    for one, other in (("a\x00b\nc\x7f", "\x9b31m"), ("\ud800", ""), ("3", "x")):
        page = render_report([0, 1, 1], [0, 0, 1], names=(one, other))
        text = Reader(page.encode("utf-8").decode("utf-8")).text
        assert printed(one) in text
        assert printed(other) in text


def test_long_names_are_shortened_in_pictures():
    assert shortened("x" * 100, 10) == "x" * 9 + "\u2026"
    page = render_report(U, V, names=("y" * 5000, "B"))
    assert len(page) < 1_000_000


def test_long_names_of_one_beginning_are_told_apart():
    names = tuple(f"a rather long name of a data set, {which}" for which in "AB")
    page = Reader(render_report(U, V, names=names)).text
    for which in "AB":
        assert page.count(f"a rather long\u2026 a data set, {which}") > 2


@pytest.mark.parametrize(
    ("P", "Q"),
    [
        ([0], [0]),
        ([0, 1], [0, 0]),
        ([0, 0, 0], [[0.5, 0.5], [0.25, 0.75], [1.0, 0.0]]),
        (np.full((5, 2), 0.5), np.full((5, 4), 0.25)),
        (np.arange(1500), np.arange(1500) % 3),
        (np.arange(30), np.arange(30)),
        (RNG.dirichlet(np.ones(40), 60), RNG.dirichlet(np.ones(13), 60)),
    ],
)
def test_any_two_partitions_have_a_report(P, Q):
    page = render_report(P, Q)
    assert "nan" not in Reader(page).text
    assert len(page) < 3_000_000


def test_equal_partitions_have_no_differing_objects():
    page = render_report(U, U)
    text = Reader(page).text
    assert "There are none" in text
    assert "1.0000" in text
    assert "nan" not in text
    assert len(page) < 3_000_000


def test_possibilistic_partitions_have_a_report_without_similarities():
    P = cc.Partition(0.5 * U, kind="possibilistic")
    text = Reader(render_report(P, V, truth=LABELS)).text
    assert "not defined for possibilistic" in text
    assert "Objects treated most differently" not in text
    assert "Memberships by cluster" in text


@pytest.mark.long
def test_large_partitions_say_what_they_leave_out():
    rng = np.random.default_rng(3)
    P = rng.dirichlet([0.5, 0.5], 10_001)
    Q = rng.dirichlet([0.5, 0.5], 10_001)
    comparison = cc.compare(P, Q, families=["frigui"])
    text = Reader(render_report(P, Q, comparison=comparison)).text
    assert "300 of 10,001 objects, evenly spaced" in text
    assert "1,000,000 of 50,005,000 pairs, drawn at random" in text
    assert f"{PARTNERS:,} others" in text
    assert "a fixed random sample of" in text
    assert "pairs, drawn at random" in text
    assert "The 50 most different of 10,001 objects" in text
    told = f"based on the pairs of each object with {PARTNERS:,} others, drawn"
    assert told in text
    ends = re.search(r"95 % interval (\S+) to (\S+)", text).groups()
    low, high = (float(end.replace("\N{MINUS SIGN}", "-")) for end in ends)
    exact = confidence_interval(P, Q)
    tolerance = 0.1 * (exact.high - exact.low)
    assert low == pytest.approx(exact.low, abs=tolerance)
    assert high == pytest.approx(exact.high, abs=tolerance)


@pytest.mark.parametrize(
    ("P", "Q", "said"),
    [
        (U, V, "NDC is 1 minus the mean vertical distance from it"),
        (U, LABELS, "have a similarity of 0 in one, or that are together there"),
        (LABELS, U, "have a similarity of 0 in other, or that are together there"),
        (LABELS, LABELS[::-1], "NDC is the share of pairs in its two halves"),
    ],
)
def test_pairs_that_agree_are_told_as_they_are_drawn(P, Q, said):
    text = Reader(render_report(P, Q, names=("one", "other"))).text
    assert said in " ".join(text.replace(" ,", ",").split())
    assert ("dashed diagonal" in text) == ("together there" not in said)


def test_the_error_beside_aci_is_told_where_there_is_one(monkeypatch):
    said = "The error beside ACI is different"
    assert said not in render_report(U, V)
    rng = np.random.default_rng(0)
    P, Q = rng.dirichlet([1, 1, 1], (2, 460))
    monkeypatch.setattr("concordant.inference.permutation_test._SAMPLED", 1000)
    test = concordance_test(P, Q, method="sampled", n_permutations=99, random_state=0)
    page = render_report(P, Q, comparison=replace(cc.compare(P, Q), test=test))
    assert said in page
    assert "all of it from one sample of the pairs" in page


def test_an_interval_of_all_pairs_says_nothing_of_a_sample():
    p, q = cc.Partition(U), cc.Partition(V)
    seen = differences(p, q, cc.concordance(p, q), ("P", "Q"), 1)
    assert seen.n_partners is None
    test, seen = concordance_test(p, q, random_state=0), replace(seen, n_partners=20)
    sampled, exact = (
        uncertainty_view(test, cc.compare(p, q, interval=level), seen)
        for level in (None, 0.95)
    )
    assert "with 20 others, drawn at random" in sampled["notes"][-1]
    assert not any("drawn at random" in note for note in exact["notes"])


def test_many_clusters_are_cut_to_the_largest():
    text = Reader(render_report(np.arange(200) % 50, np.arange(200) % 3)).text
    assert "The largest 20 of 50 and 3 of 3 clusters" in text
    assert "and 38 more" in text


def test_it_tells_whether_it_is_chance_and_how_sure_it_is(plain):
    test = concordance_test(U, V, random_state=0)
    interval = confidence_interval(U, V)
    text = plain.text
    assert f"p-value {test.pvalue:.3f}" in text
    assert f"z {number(test.zscore, 1)} " in text
    low, high = (number(end, 4) for end in (interval.low, interval.high))
    assert text.count(f"{low} to {high}") == 2
    assert f"Standard error {interval.standard_error:.4f}" in text
    assert f"from {test.n_permutations} random permutations (all pairs)" in text
    assert "Statistic: all 435 pairs of 30 objects" in text


def test_an_interval_that_was_computed_is_the_one_that_is_shown():
    comparison = cc.compare(U, V, interval=0.8)
    text = Reader(render_report(U, V, comparison=comparison)).text
    assert f"80 % interval {number(comparison.intervals['aci'].low)}" in text


def test_intervals_of_groups_and_of_inner_products_are_told_as_such():
    groups = np.arange(len(U)) % 6
    comparison = cc.compare(U, V, interval=0.8, groups=groups)
    text = Reader(render_report(U, V, comparison=comparison)).text
    assert "For the population these 6 groups are drawn from." in text
    comparison = cc.compare(U, V, similarity="inner")
    text = Reader(render_report(U, V, comparison=comparison)).text
    interval = confidence_interval(U, V, similarity="inner")
    test = concordance_test(U, V, similarity="inner", random_state=0)
    low, high = (number(end, 4) for end in (interval.low, interval.high))
    assert f"{low} to {high}" in text
    assert f"z {number(test.zscore, 1)} " in text
    assert "Similarity of two objects inner product" in text
    assert "NDC is 1 minus the mean vertical distance" not in text


def test_what_has_no_interval_says_why():
    assert "needs at least 4 objects" in Reader(render_report([0, 1], [0, 0])).text
    comparison = compared_by("permutations", U, V, random_state=0)
    text = Reader(render_report(U, V, comparison=comparison)).text
    assert "ACI is an estimate itself" in text


def test_a_model_of_chance_without_permutations_has_no_permutation_test():
    null = "dirichlet-fitted-one-sided"
    comparison = cc.compare(U, V, null=null)
    text = Reader(render_report(U, V, truth=LABELS, comparison=comparison)).text
    assert "p-value" not in text
    assert "over all permutations" not in text
    assert "A test permutes objects, which this model of chance does not." in text
    assert f"Model of chance {NULLS[null].title} {NULLS[null].reading}" in text
    assert "which has another model of chance" in text
    with_truth = cc.concordance(U, LABELS, null=null)
    assert f"P and truth {number(with_truth.aci)}" in text


def test_the_truth_is_compared_by_the_same_similarity():
    comparison = cc.compare(U, V, similarity="inner")
    text = Reader(render_report(U, V, truth=LABELS, comparison=comparison)).text
    with_truth = cc.concordance(V, LABELS, similarity="inner")
    assert f"Q and truth {number(with_truth.aci)}" in text


def test_it_says_where_they_differ():
    P = ["a"] * 20 + ["b"] * 10 + ["c"] * 10
    Q = ["x"] * 12 + ["y"] * 8 + ["z"] * 20
    text = Reader(render_report(P, Q, names=("one", "other"))).text
    assert "Of the 3 clusters of one, 1 is split, 2 are merged." in text
    assert "Cluster a of one is split into clusters x (60 %) and y (40 %) of" in text
    assert "are merged into cluster z of other." in text
    found = local_concordance(P, Q)
    for parts in (found.clusters_p, found.clusters_q):
        for aci in parts.aci:
            assert number(aci, 3) in text
    rows = [f"row {row} (index {row - 1})" for row in range(13, 18)]
    assert f"Objects treated most differently: {', '.join(rows)}" in text.replace(
        " ,", ","
    )


def test_very_many_clusters_are_not_told_of_one_by_one():
    text = Reader(render_report(np.arange(60), np.arange(60) % 30)).text
    assert "And 18 more." in text
    assert "The 20 largest of 60 clusters of P ." in text
    assert "too few objects" in Reader(render_report([0], [0])).text


def test_it_shows_how_files_were_read():
    readings = ("30 objects from <a>", "30 objects from b", "30 labels")
    page = Reader(render_report(U, V, truth=LABELS, readings=readings))
    for reading in readings:
        assert reading in page.texts


def test_the_cross_table_has_its_numbers():
    P, Q = [0, 0, 0, 1], ["a", "b", "b", "b"]
    text = Reader(render_report(P, Q)).text
    assert "b a Sum 0 2 1 3 1 1 0 1 Sum 3 1 4" in text


def test_objects_are_listed_by_id():
    P = cc.Partition([0, 0, 0, 1], ids=["Ann", "Bob", "Cyd", "Dan"])
    text = Reader(render_report(P, [0, 0, 1, 1])).text
    assert re.search(r"1 Cyd 1\.0000 .*2 Ann 0\.3333", text)


def test_objects_are_matched_by_id_if_asked():
    P = cc.Partition([0, 0, 1], ids=["a", "b", "c"])
    Q = cc.Partition([1, 0, 0], ids=["c", "b", "a"])
    truth = cc.Partition([0, 1, 0], ids=["b", "c", "a"])
    text = Reader(render_report(P, Q, truth=truth, match_by="id")).text
    assert "matched by id" in text
    assert text.count("1.0000") > 3


def test_the_page_shows_the_remarks_of_its_partitions():
    P = cc.Partition([0, -1, 1], noise="singletons")
    text = Reader(render_report(P, [[0.33, 0.66], [1.0, 0.0], [0.5, 0.5]])).text
    assert "1 object with the label -1 is a cluster of its own" in text
    assert "memberships are rounded to 2 digits: rows sum to 0.99 to 1 and" in text


def test_a_truth_about_other_objects_is_refused():
    with pytest.raises(ValueError, match="the truth, here called Q: P has 30"):
        render_report(U, V, truth=LABELS[:20])
    noisy = np.where(LABELS == 0, -1, LABELS)
    with pytest.raises(ValueError, match='leave out noise="drop"'):
        render_report(U, V, truth=cc.Partition(noisy, noise="drop"))


def test_a_comparison_of_other_objects_is_refused():
    other = cc.compare(U[:20], V[:20])
    with pytest.raises(ValueError, match="comparison is of 20 objects, but P and Q"):
        render_report(U, V, comparison=other)


def test_a_report_is_written_whole_or_not_at_all(tmp_path):
    with pytest.raises(FileError, match="cannot be written"):
        write_report(U, V, tmp_path / "nowhere" / "report.html")
    path = tmp_path / "report.html"
    path.write_text("before")
    with pytest.raises(ValueError, match="P has 30 objects"):
        write_report(U, V[:5], path)
    assert path.read_text() == "before"
    assert [*tmp_path.iterdir()] == [path]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.25, "0.2500"),
        (-0.25, "\u22120.2500"),
        (-1e-9, "0.0000"),
        (99_999.96, "99999.9600"),
        (2.5e6, "2,500,000"),
        (-2.5e6, "\u22122,500,000"),
        (6.535e12, "6.535 \u00d7 10\u00b9\u00b2"),
        (math.nan, "\u2013"),
    ],
)
def test_numbers_are_written_for_people(value, shown):
    assert number(value) == shown


def test_the_error_is_told():
    assert error_of(cc.concordance(U, V)) == "exact"
    estimate = cc.concordance(U, V, method="permutations", random_state=0)
    assert error_of(estimate).endswith("with 95 % confidence")


def test_the_page_has_a_table_of_contents_and_says_what_exact_means(with_truth):
    text = with_truth.text
    assert text.index("Clusters against clusters") < text.index("Adjusted concordance")
    assert "exact: from all pairs of objects" in text
    assert "Exact values are computed from all pairs" in text


def test_percentages_of_clusters_are_those_of_the_cross_table():
    P = 0.7 * U + 0.3 * np.roll(U, 1, axis=0)
    page = Reader(render_report(P, U[:, [1, 2, 0]])).text
    table = crossing(cc.Partition(P), cc.Partition(U[:, [1, 2, 0]]))
    kept = re.findall(r"Cluster (\d) of P is kept as cluster (\d) .*? (\d+) %", page)
    assert len(kept) == 3
    for k, m, percent in kept:
        row = table[int(k)]
        assert f"{100.0 * row[int(m)] / row.sum():.0f}" == percent
        assert f"{row[int(m)]:,.2f}" in page
    assert "the smaller of its two memberships" in page
    assert "the product of both memberships" not in page


def test_families_that_a_cover_has_no_value_of_are_told():
    cover = cc.Partition([[1, 1], [0, 0], [0, 1], [1, 0]], kind="overlapping")
    page = Reader(render_report(cover, [0, 1, 1, 0])).text
    assert "Brouwer left out: object 1 of P belongs to no cluster" in page


def test_the_report_has_the_sentence_for_a_paper_with_a_button_that_copies_it():
    page = render_report(U, V, names=("A", "B"))
    sentence = re.search(r'<span id="sentence">(.*?)</span>', page)[1]
    said = html.unescape(sentence)
    comparison = cc.compare(U, V, interval=0.95, names=("A", "B"))
    start = comparison.sentence().partition(", jackknife")[0]
    assert said.startswith(start)
    assert "permutation test" in said
    assert 'data-copies="sentence" hidden>' in page


def test_rows_without_ids_are_counted_from_1_and_say_their_index():
    page = render_report(U, V)
    places = re.findall(r"<bdi>(\d+) \(index (\d+)\)</bdi>", page)
    assert places
    assert all(int(row) == int(index) + 1 for row, index in places)


def test_names_are_those_of_the_comparison():
    comparison = cc.compare(U, V, families="all", names=("mine", "yours"))
    assert "<bdi>mine</bdi>" in render_report(U, V, comparison=comparison)
