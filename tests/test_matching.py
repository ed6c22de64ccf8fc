"""Clusters matched one to one, and the agreement of their memberships."""

import numpy as np
import pytest
import reference
from partitions import draw

import concordant as cc

DISTANCES = ("euclidean", "manhattan", "cosine")


@pytest.mark.parametrize("distance", DISTANCES)
def test_no_other_matching_agrees_better(distance):
    for seed in range(500):
        P, Q = draw(seed, 12, 4)
        found = cc.match_clusters(P, Q, distance=distance)
        truth = reference.matched(P.tolist(), Q.tolist(), distance)
        assert abs(found.agreement - truth) <= found.error + 4e-16 * len(P), seed
        assert found.error < 2e-7
        assert len({*found.clusters_p}) == len({*found.clusters_q})
        assert len(found.clusters_p) == min(P.shape[1], Q.shape[1])


@pytest.mark.parametrize("distance", DISTANCES)
def test_a_relabelled_partition_is_matched_with_itself(distance):
    rng = np.random.default_rng(0)
    P = rng.dirichlet([1, 2, 3, 4], size=40)
    order = rng.permutation(4)
    found = cc.match_clusters(P, P[:, order], distance=distance)
    assert found.agreement == 1.0
    assert (order[found.clusters_q] == found.clusters_p).all()
    assert found.clusters_p.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("distance", DISTANCES)
def test_exchanged_sides_give_the_same_bits_and_the_same_matching(distance):
    for seed in range(60):
        P, Q = draw(seed, 30, 5)
        one, other = (
            cc.match_clusters(*pq, distance=distance) for pq in ((P, Q), (Q, P))
        )
        assert one.agreement == other.agreement
        assert dict(zip(one.clusters_p, one.clusters_q, strict=True)) == dict(
            zip(other.clusters_q, other.clusters_p, strict=True)
        )


def test_a_distance_that_there_is_not_is_refused():
    with pytest.raises(ValueError, match="distance must be"):
        cc.match_clusters([0, 1], [0, 1], distance="angle")


def test_a_matching_prints_as_a_table():
    found = cc.match_clusters([[0.9, 0.1], [0.8, 0.2], [0.2, 0.8]], [1, 1, 0])
    text = "2 clusters matched: agreement 0.826795\ncluster of P  cluster of Q\n"
    assert str(found).startswith(text)
    assert str(found).endswith(f"\n0{1:>25}\n1{0:>25}")
    assert "<b>2 clusters matched: agreement 0.826795</b>" in found._repr_html_()
    named = cc.match_clusters([[0.9, 0.1], [0.8, 0.2], [0.2, 0.8]], ["y", "y", "x"])
    assert str(named).endswith(f"\n0{'y':>25}\n1{'x':>25}")


@pytest.mark.parametrize("distance", ["euclidean", "manhattan", "cosine"])
@pytest.mark.parametrize("kind", ["overlapping", "possibilistic"])
def test_rows_that_may_sum_to_anything_have_no_agreement(distance, kind):
    """It was below 0, or a division by zero."""
    cover = cc.Partition([[1, 1, 1], [1, 1, 0], [0, 0, 0]], kind=kind)
    for P, Q, name in ((cover, [0, 1, 0], "P"), ([0, 1, 0], cover, "Q")):
        with pytest.raises(ValueError, match=f"{kind} partitions, and {name} is one"):
            cc.match_clusters(P, Q, distance=distance)
    found = cc.align_clusters([cover, [0, 1, 0], [1, 0, 1]])
    assert np.isnan(found.mean_similarity)
    assert np.isnan(found.similarity[0]).all()
    assert found.similarity[1, 2] == 1.0
    assert "H'" not in str(found)
