"""Centres go down, or stay."""

import numpy as np

from concordant.cluster.descent import Sweep, descend
from concordant.cluster.tolerance import FixedTolerance, movements


def halving(centers):
    """Go half the way to 0, where |c| is least."""
    return Sweep(float(np.abs(centers).sum()), centers / 2.0)


def stay(centers):
    return centers


START = np.array([[8.0], [-4.0]])


def test_movements_are_distances_and_their_sum_is_compared():
    before, after = np.zeros((2, 2)), np.array([[3.0, 4.0], [0.0, 1.0]])
    assert movements(before, after).tolist() == [5.0, 1.0]
    assert not FixedTolerance(6.0).is_rest(before, after)
    assert FixedTolerance(6.1).is_rest(before, after)


def test_it_ends_when_the_movement_is_below_the_tolerance():
    run = descend(halving, START, tol=FixedTolerance(1.0), max_iter=100, escape=stay)
    assert run.history == [6.0, 3.0, 1.5, 0.75]  # movements 6, 3, 1.5, 0.75
    assert run.converged
    assert run.centers.tolist() == [[0.5], [-0.25]]


def test_it_ends_unconverged_at_max_iter():
    run = descend(halving, START, tol=FixedTolerance(1.0), max_iter=2, escape=stay)
    assert run.history == [6.0, 3.0]
    assert not run.converged


def test_a_step_up_is_not_taken():
    def away(centers):
        return Sweep(float(np.abs(centers).sum()), centers * 2.0)

    run = descend(away, START, tol=FixedTolerance(1e-3), max_iter=9, escape=stay)
    assert run.history == [12.0]
    assert run.centers is START
    assert run.converged


def test_rounding_is_neither_a_reason_to_stop_nor_shown():
    objectives = iter([3.0, 2.0, 2.0 + 4e-16, 1.0])

    def sweep(centers):
        return Sweep(next(objectives), centers - 1.0)

    run = descend(sweep, START, tol=FixedTolerance(0.0), max_iter=3, escape=stay)
    assert run.history == [2.0, 2.0, 1.0]
    assert run.centers.tolist() == [[5.0], [-7.0]]


def test_centres_that_rest_may_escape_downwards():
    def held(centers):
        """Stay at 8, but go down once off it."""
        if centers[0, 0] == 8.0:
            return Sweep(12.0, centers)
        return halving(centers)

    run = descend(
        held, START, tol=FixedTolerance(1e-3), max_iter=99, escape=lambda c: c * 0.9
    )
    assert run.converged
    assert abs(run.centers).max() < 1e-2


def test_an_escape_upwards_is_not_taken():
    def held(centers):
        return Sweep(float(np.abs(centers).sum()), centers)

    run = descend(
        held, START, tol=FixedTolerance(1e-3), max_iter=99, escape=lambda c: c * 2.0
    )
    assert run.converged
    assert run.centers is START
    cut_short = descend(
        held, START, tol=FixedTolerance(1e-3), max_iter=1, escape=lambda c: c * 2.0
    )
    assert not cut_short.converged
