"""Objects are matched by position or by their ids, with pandas or without."""

import copy
import pickle

import numpy as np
import pandas as pd
import pytest

import concordant as cc
from concordant import Partition
from concordant.partition.alignment import aligned

LABELS = [0, 0, 1, 1, 2]
NAMES = ["a", "b", "c", "d", "e"]


def test_ids_are_kept_as_given_and_copied():
    given = np.array(NAMES)
    partition = Partition(LABELS, ids=given)
    given[0] = "z"
    assert partition.ids.tolist() == NAMES
    assert not partition.ids.flags.writeable
    assert Partition(LABELS).ids is None


@pytest.mark.parametrize(
    "ids",
    [
        NAMES,
        tuple(NAMES),
        np.array(NAMES),
        pd.Index(NAMES),
        pd.Series(NAMES),
        range(5),
        [1, "1", 2, "2", (3, 4)],
        [(1, 2), (1, 3), (2, 2), (2, 3), (3, 3)],
    ],
    ids=lambda ids: type(ids).__name__,
)
def test_ids_may_be_any_sequence(ids):
    partition = Partition(LABELS, ids=ids)
    assert partition.ids.tolist() == list(ids)
    again = pickle.loads(pickle.dumps(partition))
    assert again.ids.tolist() == list(ids)
    assert copy.deepcopy(partition) is partition


def test_given_ids_stand_above_a_pandas_index():
    series = pd.Series(LABELS, index=[5, 6, 7, 8, 9])
    assert Partition(series).ids.tolist() == [5, 6, 7, 8, 9]
    assert Partition(series, ids=NAMES).ids.tolist() == NAMES


def test_the_default_index_of_pandas_takes_no_room():
    assert Partition(pd.Series(LABELS))._ids == range(5)


def test_a_pandas_index_stays_writable_for_its_owner():
    values = np.array([3, 1, 2, 5, 4])
    index = pd.Index(values, copy=False)
    Partition(pd.Series(LABELS, index=index))
    values[0] = 9
    assert values.flags.writeable


@pytest.mark.parametrize("make", ["plain", "pandas"])
def test_match_by_id_matches_objects_by_id(make):
    order = [3, 0, 4, 2, 1]
    labels = np.array(LABELS)
    names = np.array(NAMES)
    if make == "plain":
        P = Partition(labels, ids=names)
        Q = Partition(labels[order], ids=names[order].tolist())
    else:
        P = pd.Series(labels, index=names)
        Q = pd.Series(labels[order], index=names[order])
    with pytest.raises(
        ValueError, match="at position 0: 'a' in .*pass match_by=\"id\""
    ):
        cc.compare(P, Q)
    p, q = aligned(P, Q, match_by="id")
    assert p.ids.tolist() == q.ids.tolist() == NAMES
    assert cc.compare(P, Q, match_by="id").concordance.aci == 1.0


def test_aligning_undoes_a_shuffle_for_every_function():
    P = pd.Series([0, 0, 1, 1], index=["a", "b", "c", "d"])
    Q = pd.Series([0, 1, 1, 1], index=P.index)
    shuffled = Q[["c", "a", "d", "b"]]
    for function in (cc.rand_index, cc.adjusted_concordance_index, cc.concordance):
        assert function(P, shuffled, match_by="id") == function(P, Q)
        assert function(P, Q.to_numpy()) == function(P, Q)  # by position
    frame = pd.get_dummies(shuffled).astype(float) * 0.8 + 0.1
    aligned = cc.compare(P, frame, match_by="id").to_dict()
    assert aligned == cc.compare(P, frame.loc[P.index]).to_dict()


def test_different_lengths_are_refused():
    with pytest.raises(ValueError, match="P has 2 objects and Q has 3"):
        cc.compare([0, 1], [0, 1, 1])
    with pytest.raises(ValueError, match="P has 1 object and Q has 2"):
        cc.compare([0], [0, 1])


def test_plain_ids_and_a_pandas_index_can_be_mixed():
    P = Partition(LABELS, ids=[10, 11, 12, 13, 14])
    Q = pd.Series(LABELS, index=pd.RangeIndex(10, 15))
    assert cc.compare(P, Q).concordance.aci == 1.0
    assert cc.compare(Q[::-1], P, match_by="id").concordance.aci == 1.0


def test_ids_of_different_types_are_different():
    P = Partition([0, 1], ids=[1, 2])
    Q = Partition([0, 1], ids=["1", "2"])
    with pytest.raises(ValueError, match="1 in P and '1' in Q"):
        cc.compare(P, Q)


def test_times_are_the_same_in_any_unit():
    seconds = np.array(["2020-01-01", "2020-01-02"], dtype="M8[s]")
    P = Partition([0, 1], ids=seconds)
    Q = Partition([0, 1], ids=seconds.astype("M8[ns]"))
    assert cc.compare(P, Q, match_by="id").concordance.aci == 1.0
    assert cc.compare(P, Q).concordance.aci == 1.0


@pytest.mark.parametrize("missing", [np.nan, None, pd.NA, pd.NaT])
def test_a_missing_id_equals_a_missing_id_as_in_pandas(missing):
    index = pd.Index(["a", missing, "b"], dtype=object)
    P, Q = pd.Series([0, 1, 1], index=index), pd.Series([0, 1, 1], index=index.copy())
    assert cc.compare(P, Q).concordance.aci == 1.0
    assert cc.compare(P, Q[::-1], match_by="id").concordance.aci == 1.0


def test_ids_that_only_one_side_has_are_named():
    P = Partition([0, 1, 0, 1, 1], ids=["a", "b", "c", "d", "e"])
    Q = Partition([0, 1, 0, 1, 1], ids=["e", "v", "w", "x", "y"])
    with pytest.raises(ValueError, match="'a', 'b', 'c' and 1 more of P not found in"):
        cc.compare(P, Q, match_by="id")
    with pytest.raises(ValueError, match=r"5 objects and Q has 2.*\('a', 'c', 'd' of"):
        cc.compare(P, Partition([0, 1], ids=["b", "e"]), match_by="id")
    with pytest.raises(ValueError, match=r"objects \('z' of Q not found in P\)"):
        cc.compare(P, Partition([0] * 6, ids=[*"abcdez"]), match_by="id")


def test_duplicate_ids_cannot_be_matched():
    P = Partition([0, 1, 0], ids=["a", "b", "a"])
    assert cc.compare(P, P).concordance.aci == 1.0
    with pytest.raises(ValueError, match="'a' occurs more than once in the index of P"):
        cc.compare(P, P, match_by="id")


def test_align_index_needs_ids_on_both_sides():
    P = Partition(LABELS, ids=NAMES)
    with pytest.raises(ValueError, match="ids= in both, but Q has none"):
        cc.compare(P, LABELS, match_by="id")
    with pytest.raises(ValueError, match="ids= in both, but P has none"):
        cc.compare(LABELS, P, match_by="id")


def test_noise_that_is_dropped_takes_its_ids_along():
    P = Partition([0, -1, 1, 1], noise="drop", ids=["a", "b", "c", "d"])
    assert P.ids.tolist() == ["a", "c", "d"]
    Q = Partition([1, 1, 0, 0], ids=["d", "c", "b", "a"])
    p, q = aligned(P, Q, match_by="id")
    assert p.ids.tolist() == q.ids.tolist() == ["a", "c", "d"]
    assert q.labels.tolist() == [0, 1, 1]


@pytest.mark.parametrize(
    ("ids", "fault", "message"),
    [
        (["a", "b"], ValueError, "ids has 2 ids and data has 5 objects"),
        ("abcde", TypeError, "sequence of one id per object, found str"),
        (7, TypeError, "found int"),
        ([[1], [2], [3], [4], [5]], TypeError, "hashable, found list at position 0"),
        (np.eye(5), ValueError, "one dimension, found 2"),
    ],
)
def test_ids_that_are_none_are_refused(ids, fault, message):
    with pytest.raises(fault, match=message):
        Partition(LABELS, ids=ids)


def test_a_partition_has_its_ids_from_its_making():
    with pytest.raises(ValueError, match="pass ids= when it"):
        Partition(Partition(LABELS), ids=NAMES)


def test_the_clusters_of_a_matrix_can_be_named():
    matrix = [[0.5, 0.5], [0.1, 0.9]]
    assert Partition(matrix, clusters=["x", "y"]).clusters.tolist() == ["x", "y"]
    half = [[0.5, 0.25], [0.1, 0.9]]
    noisy = Partition(half, clusters=["x", "y"], noise="column")
    assert noisy.clusters.tolist() == ["x", "y", "noise"]
    with pytest.raises(ValueError, match="clusters has 1 name and data has 2 clusters"):
        Partition(matrix, clusters=["x"])
    with pytest.raises(ValueError, match="clusters= is for memberships"):
        Partition([0, 1], clusters=["x", "y"])


def test_numbers_that_pandas_gives_are_no_ids_to_have_in_common():
    long, short = pd.Series([0, 1, 1, 0]), pd.Series([0, 1, 1])
    with pytest.raises(ValueError, match=r"4 objects and Q has 3: .* same objects$"):
        cc.compare(long, short)
    with pytest.raises(
        ValueError, match=r"\(3 of P not found in Q\); match_by=.common"
    ):
        cc.compare(long, short.set_axis([2, 1, 0]))
