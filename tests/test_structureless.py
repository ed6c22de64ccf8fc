"""References have the covariance of the data, and no structure."""

import numpy as np
import pytest

from concordant.many.structureless import REFERENCES, drawn_as

rng = np.random.default_rng(5)
#: Two groups, stretched and turned.
GROUPS = np.concatenate([rng.normal(-3, 1, (40, 3)), rng.normal(3, 1, (80, 3))])
SHAPED = GROUPS @ [[2.0, 1.0, 0.0], [0.0, 0.5, 0.3], [0.1, 0.0, 4.0]] + 50.0


@pytest.mark.parametrize("name", REFERENCES)
def test_references_have_the_mean_and_the_covariance_of_the_data(name):
    many = np.random.default_rng(1)
    drawn = [drawn_as(SHAPED, name, many) for _ in range(2000)]
    assert all(points.shape == SHAPED.shape for points in drawn)
    points = np.concatenate(drawn)
    assert points.mean(axis=0) == pytest.approx(SHAPED.mean(axis=0), rel=1e-3)
    expected = np.cov(SHAPED.T)
    assert np.abs(np.cov(points.T) - expected).max() < 0.01 * expected.max()


def test_a_uniform_reference_fills_a_box_along_the_principal_axes():
    points = drawn_as(SHAPED, "uniform", np.random.default_rng(2))
    values, axes = np.linalg.eigh(np.cov(SHAPED.T))
    along = (points - SHAPED.mean(axis=0)) @ axes / np.sqrt(3 * values)
    assert np.abs(along).max() <= 1 + 1e-12
    assert (np.abs(along).max(axis=0) > 0.9).all()


def test_a_skewed_reference_is_as_skewed_as_the_data_along_each_axis():
    X = np.random.default_rng(6).gamma([0.5, 4.0], 1.0, (5000, 2)) * [2, -3]
    drawn = drawn_as(X, "skewed", np.random.default_rng(7))
    for own, points in zip(X.T, drawn.T, strict=True):
        both = [((x - x.mean()) ** 3).mean() / x.std() ** 3 for x in (own, points)]
        assert both[1] == pytest.approx(both[0], rel=0.2)


@pytest.mark.parametrize("name", REFERENCES)
@pytest.mark.parametrize("shape", [(5, 9), (9, 1), (2, 2)])
def test_references_of_wide_and_narrow_data_have_their_shape(name, shape):
    X = np.random.default_rng(3).normal(size=shape)
    drawn = drawn_as(X, name, np.random.default_rng(4))
    assert drawn.shape == shape
    assert np.array_equal(drawn, drawn_as(X, name, np.random.default_rng(4)))


@pytest.mark.parametrize("name", REFERENCES)
def test_a_constant_column_stays_constant(name):
    X = np.column_stack([SHAPED, np.full(len(SHAPED), 7.0)])
    drawn = drawn_as(X, name, np.random.default_rng(4))
    assert drawn[:, 3] == pytest.approx(7.0, abs=1e-12)


@pytest.mark.parametrize("name", REFERENCES)
def test_the_signs_that_a_machine_gives_axes_do_not_matter(name, monkeypatch):
    drawn = drawn_as(SHAPED, name, np.random.default_rng(4))
    svd = np.linalg.svd

    def turned(X, full_matrices):
        left, lengths, axes = svd(X, full_matrices=full_matrices)
        return -left, lengths, -axes

    monkeypatch.setattr(np.linalg, "svd", turned)
    assert np.array_equal(drawn, drawn_as(SHAPED, name, np.random.default_rng(4)))
