"""One index by its name, its options, and functions that are made of records."""

import inspect

import numpy as np
import pytest
from wrong_calls import faults

import concordant as cc
from concordant.catalogue.families import STATISTICS
from concordant.catalogue.index_options import OPTIONS
from concordant.catalogue.indices import INDICES
from concordant.catalogue.lookups import functions, measure
from concordant.naming import index_named

RNG = np.random.default_rng(0)
U, V = RNG.dirichlet([1, 1, 1], 12), RNG.dirichlet([1, 1], 12)
RECORDS = (*INDICES.values(), *STATISTICS.values())


@pytest.mark.parametrize("name", [record.name for record in RECORDS])
def test_a_score_is_what_compare_gives_and_so_is_that_of_a_function(name):
    found = cc.compare(U, V, indices=name, families="huellermeier", t_norm="product")
    assert cc.score(U, V, name.upper()) == found[name]
    function = measure(name).function.rpartition(":")[2]
    if function:
        assert getattr(cc, function)(U, V) == found[name]


def test_each_spelling_means_one_index():
    every = [spelling for record in RECORDS for spelling in record.also]
    assert len({*every}) == len(every)
    assert not {*every} & {*INDICES, *STATISTICS}
    for record in RECORDS:
        for spelling in (record.name, *record.also, record.title):
            assert index_named("index", spelling.upper()) == record.name
    known = {"ari": "adjusted_rand", "ri": "rand", "fm": "fowlkes_mallows"}
    known |= {"fmi": "fowlkes_mallows", "v": "v_measure", "mi": "mutual_information"}
    known |= {"hom": "homogeneity", "com": "completeness", "elsim": "element_centric"}
    assert {name: index_named("index", name) for name in known} == known


def test_indices_are_the_same_where_their_records_say_so():
    for record in INDICES.values():
        if record.same_as:
            for P in (U.argmax(axis=1), U):
                same = cc.score(P, V, record.same_as)
                assert cc.score(P, V, record.name) == same


def test_options_are_those_of_the_functions_that_have_them():
    rand = cc.score(U, V, "ri", family="campello", t_norm="min")
    assert rand == cc.pair_table(U, V, family="campello", t_norm="min").rand
    null = "dirichlet-flat"
    assert cc.score(U, V, null=null) == cc.concordance(U, V, null=null).aci
    assert cc.score(U, V[::-1], clip=True) == max(0.0, cc.score(U, V[::-1]))
    scores = cc.element_centric_scores(U, V, alpha=0.4)
    alike = cc.score(U, V, "elsim", alpha=0.4)
    assert alike == pytest.approx(scores.mean(), abs=1e-14)
    assert alike != cc.score(U, V, "elsim")
    matched = cc.match_clusters(U, V, distance="cosine").agreement
    assert cc.score(U, V, "matched", distance="cosine") == matched


@pytest.mark.parametrize(
    ("index", "options", "message"),
    [
        ("acl", {}, 'found .acl.; did you mean "aci"'),
        ("nothing like it", {}, "concordant.indices"),
        (3, {}, "must be the name of an index, found 3"),
        ("aci", {"family": "crisp"}, "family is no option of the index .aci."),
        ("nmi", {"avrage": "min"}, "did you mean .average"),
        ("nmi", {"average": "mean"}, 'average must be "arithmetic"'),
        ("elsim", {"alpha": 1.0}, "alpha must lie between 0 and 1, found 1.0"),
        ("elsim", {"alpha": "x"}, "alpha must be a number, found .x."),
        ("purity", {"clip": True}, "which has none"),
    ],
)
def test_what_an_index_does_not_take_is_refused(index, options, message):
    with pytest.raises((ValueError, TypeError), match=message):
        cc.score(U, V, index, **options)


def test_functions_take_the_options_of_their_records():
    for name in functions():
        parameters = inspect.signature(getattr(cc, name)).parameters
        record = measure(index_named("index", name))
        assert [*parameters][2 : 2 + len(record.options)] == [*record.options]
        for option in record.options:
            assert parameters[option].default == OPTIONS[option].default
        with pytest.raises(TypeError, match=r"unexpected keyword argument 'x'; it"):
            getattr(cc, name)(U, V, x=1)


def test_signatures_can_be_held_in_the_head():
    readers = {"read_partition", "read_partitions"}
    for name in {*cc.__all__} - readers - {"compare"}:
        function = getattr(cc, name)
        if inspect.isfunction(function):
            assert len(inspect.signature(function).parameters) <= 14, name
    assert len(inspect.signature(cc.compare).parameters) <= 18


def test_positions_that_are_none_reach_no_kernel():
    found = cc.consensus([[0, 0, 1], [0, 1, 1]], loss="vi")
    for wrong in (True, [0.5], [[0, 1], [1, 2]], [3], [-1]):
        with pytest.raises((ValueError, TypeError), match="positions"):
            found.similarities_of(wrong)
        with pytest.raises((ValueError, TypeError), match="positions"):
            cc.Partition([0, 1, 1]).take(wrong)


def test_random_wrong_calls_are_refused_in_words(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # names that are drawn may be those of files
    assert [*faults(4)] == []
