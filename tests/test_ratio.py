"""Errors of 1 - d / E[d] hold for all exact numbers that they allow."""

import math
from fractions import Fraction

import numpy as np
import pytest

import concordant as cc
from concordant.bounded import Bounded
from concordant.measures.ratio import error_of_ratio


@pytest.mark.parametrize("lowest", [None, -2.0])
def test_the_error_of_a_ratio_holds_for_the_worst_of_exact_numbers(lowest):
    rng = np.random.default_rng(0)
    for _ in range(3000):
        e = 10.0 ** rng.uniform(-300, 3)
        d = e * 3.0 * rng.random() ** rng.integers(1, 30)
        d_error, e_error = e * 10.0 ** rng.uniform(-18, 0, size=2)
        ratio = max(d, 0.0) / e
        value = 1.0 - ratio if lowest is None else max(1.0 - ratio, lowest)
        error = error_of_ratio(value, d_error, Bounded(e, e_error), lowest)
        if error == math.inf:
            assert e <= e_error
            continue
        steps = [Fraction(x) * y for x in (d_error, -d_error) for y in (1, 0)]
        for step in steps:
            for sign in (-1, 0, 1):
                exact_d = max(Fraction(d) + step, Fraction(0))
                exact_e = Fraction(e) + sign * Fraction(e_error)
                truth = 1 - exact_d / exact_e if exact_e > 0 else None
                if truth is None or (lowest is not None and truth < lowest):
                    continue  # no such numbers
                assert abs(Fraction(value) - truth) <= Fraction(error)


def test_the_error_of_a_ratio_grows_with_no_more_than_it_must():
    found = error_of_ratio(0.5, 1e-6, Bounded(2.0, 1e-6))
    assert found == pytest.approx(1.5e-6 / 2, rel=1e-5)
    assert error_of_ratio(1.0, 0.0, Bounded(0.0, 0.0)) == 0.0
    assert error_of_ratio(1.0, 0.0, Bounded(0.0, 1e-9)) == math.inf
    assert error_of_ratio(0.5, 0.0, Bounded(0.0, 1e-9), -2.0) == 2.5


def test_the_error_of_a_table_whose_sums_are_too_small_for_doubles_is_infinite():
    rng = np.random.default_rng(0)
    P, Q = (
        cc.Partition(1e-100 * rng.random((5, 2)), kind="possibilistic")
        for _ in range(2)
    )
    found = cc.compare(P, Q, families=["campello"], t_norm="product")
    assert found.scores["campello/product/adjusted_rand"].error == math.inf
