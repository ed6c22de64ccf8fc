"""Objects of data frames are matched by position or by id, never by luck."""

import numpy as np
import pandas as pd
import pytest

import concordant as cc

P = pd.Series([0, 0, 1, 1], index=["a", "b", "c", "d"])
Q = pd.Series([0, 1, 1, 1], index=["a", "b", "c", "d"])


def test_the_same_index_is_accepted():
    assert cc.rand_index(P, Q) == cc.rand_index(P.to_numpy(), Q.to_numpy())
    assert cc.Partition(P).ids.tolist() == ["a", "b", "c", "d"]
    assert cc.Partition([0, 1]).ids is None


def test_one_side_without_an_index_is_matched_by_position():
    assert cc.rand_index(P, Q.to_numpy()) == cc.rand_index(P, Q)


def test_different_ids_are_refused_with_the_way_out():
    shuffled = Q[["b", "a", "c", "d"]]
    with pytest.raises(
        ValueError, match="position 0: 'a' in P and 'b' in Q; pass align=\"index\""
    ):
        cc.rand_index(P, shuffled)
    with pytest.raises(ValueError, match="position 0: 0 in P and 3 in Q"):
        cc.rand_index(pd.Series([0, 1]), pd.Series([0, 1], index=[3, 4]))


def test_aligning_by_index_undoes_a_shuffle():
    shuffled = Q[["c", "a", "d", "b"]]
    for score in (cc.rand_index, cc.jaccard_index, cc.adjusted_concordance_index):
        assert score(P, shuffled, align="index") == score(P, Q)
    frame = pd.get_dummies(shuffled).astype(float) * 0.8 + 0.1
    aligned = cc.compare(P, frame, align="index").to_dict()
    assert aligned == cc.compare(P, frame.loc[P.index]).to_dict()
    assert cc.concordance(P, shuffled, align="index") == cc.concordance(P, Q)


def test_aligning_by_index_with_dropped_noise():
    p = cc.Partition(pd.Series([0, -1, 1, 1], index=P.index), noise="drop")
    q = cc.Partition(pd.Series([1, 0, -1, 1], index=["d", "a", "b", "c"]), noise="drop")
    assert cc.rand_index(p, q, align="index") == cc.rand_index([0, 1, 1], [0, 1, 1])
    assert p.ids.tolist() == ["a", "c", "d"]


@pytest.mark.parametrize(
    ("p", "q", "message"),
    [
        (P, Q.rename({"d": "x"}), "ids of P and Q differ: 'd' of P not found in Q"),
        (P, Q.to_numpy(), "needs a pandas index or ids= in both, but Q has none"),
        (P.to_numpy(), Q, "needs a pandas index or ids= in both, but P has none"),
        (P, Q.rename({"d": "a"}), "'a' occurs more than once in the index of Q"),
        (
            pd.Series(np.zeros(5, int), index=range(5)),
            pd.Series(np.zeros(5, int), index=range(10, 15)),
            "0, 1, 2 and 2 more of P not found in Q",
        ),
    ],
)
def test_ids_that_cannot_be_matched_are_refused(p, q, message):
    with pytest.raises(ValueError, match=message):
        cc.rand_index(p, q, align="index")


def test_different_lengths_are_refused():
    with pytest.raises(ValueError, match="P has 2 objects and Q has 3"):
        cc.compare([0, 1], [0, 1, 1])
    with pytest.raises(ValueError, match="P has 1 object and Q has 2"):
        cc.compare([0], [0, 1])
