"""Classes are sorted many at a time, whatever their sizes."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_right_numbers import assert_right

import concordant as cc
from concordant.agreement import spread as spreads
from concordant.agreement.classes import classes_of, sorted_within
from concordant.agreement.spread import SPREAD_ERROR, spread

few = settings(max_examples=60, deadline=None)


@few
@given(st.lists(st.integers(0, 9), min_size=1, max_size=40), st.integers(0, 2**32 - 1))
def test_values_are_sorted_within_every_class(labels, seed):
    labels = np.array(labels, dtype=np.uint8)
    values = np.random.default_rng(seed).integers(5, size=labels.size)
    classes = classes_of(labels)
    assert (classes.sizes > 0).all()
    assert (np.diff(classes.sizes) >= 0).all()
    assert np.bincount(labels)[classes.numbers].tolist() == classes.sizes.tolist()
    rows = [*sorted_within(values, classes.order, classes.sizes)]
    assert {row.shape[1] for row in rows} == {*classes.sizes.tolist()}
    by_class = iter([row for block in rows for row in block.tolist()])
    for number in classes.numbers:
        assert next(by_class) == sorted(values[labels == number].tolist())
    ordered = np.empty_like(values)
    ordered[classes.places()] = np.concatenate([block.ravel() for block in rows])
    assert ordered.tolist() == values[np.lexsort((values, labels))].tolist()


@pytest.mark.parametrize("block", [1, 4, 7, 1 << 16])
@pytest.mark.parametrize("shape", [(1, 1), (5, 1), (1, 2), (9, 2), (3, 7), (4, 20)])
def test_a_spread_of_rows_is_the_sum_of_their_spreads(monkeypatch, block, shape):
    monkeypatch.setattr(spreads, "_BLOCK", block)
    rows = np.sort(np.random.default_rng(0).random(shape), axis=1)
    exact = math.fsum(
        abs(row[i] - row[j]) for row in rows for i in range(len(row)) for j in range(i)
    )
    assert abs(spread(rows) - exact) <= SPREAD_ERROR * exact
    assert spread(rows[0]) == spread(rows[:1])


@pytest.mark.parametrize("n_classes", [2, 7, 60, 150])
@pytest.mark.parametrize("scale", [1.0, 1e-12])
def test_many_classes_of_many_sizes_have_the_right_numbers(n_classes, scale):
    rng = np.random.default_rng(n_classes)
    n = 150
    U = np.array([0.2, 0.3, 0.5]) + scale * (rng.dirichlet(np.ones(3), n) - 1 / 3)
    U = np.maximum(U, 0.0)
    U[:, 2] = 1.0 - U[:, 0] - U[:, 1]
    labels = (n_classes * rng.random(n) ** 2).astype(int)
    if n_classes == n:
        labels = rng.permutation(n)
    if n_classes < 20:
        found = assert_right(U, labels, method="fuzzy-crisp")
    else:
        found = cc.concordance(U, labels, method="fuzzy-crisp")
        other = cc.concordance(U, labels, method="sorted")
        assert abs(found.aci - other.aci) <= found.error + other.error
    assert found.error < 1e-12 / scale
    streamed = cc.stream([(U[:70], labels[:70]), (U[70:], labels[70:])]).concordance
    assert abs(streamed.aci - found.aci) <= streamed.error + found.error


def test_clusters_without_objects_change_nothing():
    rng = np.random.default_rng(3)
    U, labels = rng.dirichlet(np.ones(3), 40), rng.integers(4, size=40)
    matrix = np.zeros((40, 9))
    matrix[np.arange(40), np.array([0, 3, 4, 8])[labels]] = 1.0
    assert cc.concordance(U, matrix) == cc.concordance(U, labels)


def test_more_classes_than_two_bytes_tell_apart():
    rng = np.random.default_rng(4)
    n = 70_000
    U, labels = rng.dirichlet(np.ones(3), n), rng.permutation(n)
    labels[1] = labels[0]
    found = cc.concordance(U, labels)
    m = n * (n - 1) // 2
    T = 0.5 * math.fsum(spread(np.sort(column)) for column in U.T)
    W = 0.5 * np.abs(U[0] - U[1]).sum()
    assert found.discordance == pytest.approx((W + (m - 1) - (T - W)) / m, rel=1e-13)
