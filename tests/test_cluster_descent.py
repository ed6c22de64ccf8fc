"""Centres go down, or stay."""

import numpy as np
import pytest
from sklearn.datasets import load_digits

from concordant.cluster import FuzzyCMeans, PDClustering
from concordant.cluster.cloud import Cloud
from concordant.cluster.descent import Descent, Sweep, descend
from concordant.cluster.known_rests import KnownRests
from concordant.cluster.pace import Extrapolation
from concordant.cluster.scale import Scale
from concordant.cluster.tolerance import FixedTolerance, movements
from concordant.datasets import load_uci


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


def slowly(centers):
    """Go a hundredth of the way to 0, and there faster in the second column."""
    return Sweep(float((centers**2).sum()), centers * [0.99, 0.9])


def test_steps_that_become_shorter_are_extrapolated():
    start = np.array([[8.0, 1.0], [-4.0, 3.0]])
    options = {"tol": FixedTolerance(1e-9), "max_iter": 9999, "escape": stay}
    plain = descend(slowly, start, **options)
    run = descend(slowly, start, pace=Extrapolation(), **options)
    assert run.converged
    assert len(plain.history) > 1000
    assert len(run.history) < 20
    assert (np.diff(run.history) <= 0.0).all()


def test_steps_that_become_longer_are_stretched():
    def off_the_saddle(centers):
        return Sweep(100.0 - float((centers**2).sum()), 1.01 * centers)

    start = np.full((1, 2), 1e-3)
    options = {"tol": FixedTolerance(1e-9), "max_iter": 30, "escape": stay}
    plain = descend(off_the_saddle, start, **options)
    run = descend(off_the_saddle, start, pace=Extrapolation(), **options)
    assert np.abs(plain.centers).max() < 2e-3 < 1.0 < np.abs(run.centers).max()


def test_an_aim_beyond_that_is_no_improvement_is_not_taken():
    class Reckless(Extrapolation):
        aims = retreats = 0

        def aim(self, centers, proposal):
            self.aims += 1
            return centers + 100.0 if self.aims % 2 else proposal

        def retreat(self):
            self.retreats += 1

    pace = Reckless()
    tol = FixedTolerance(1.0)
    run = descend(halving, START, tol=tol, max_iter=99, escape=stay, pace=pace)
    assert pace.retreats == 3
    assert run.history == [12.0, 6.0, 6.0, 3.0, 3.0, 1.5, 0.75]
    assert run.converged
    cut_short = descend(
        halving, START, tol=tol, max_iter=1, escape=stay, pace=Reckless()
    )
    assert not cut_short.converged
    assert cut_short.centers is START


def test_centres_on_the_way_to_a_known_place_are_left():
    rng = np.random.default_rng(0)
    scale = Scale(Cloud.of(rng.normal(size=(50, 1)), np.ones(50)))
    known = KnownRests(scale)
    rest = np.array([[0.0], [1.0]])
    known.add(Descent(rest, [1.0], converged=False))
    assert not known.include(rest, 1.0)
    known.add(Descent(rest, [1.0], converged=True))
    assert known.include(rest, 1.0)
    assert known.include(rest[::-1] + 2e-5, 1.0 + 1e-6)
    assert not known.include(rest + 1e-3, 1.0)
    assert not known.include(rest, 1.01)
    assert not known.include(np.zeros((2, 1)), 1.0)
    tol = FixedTolerance(1e-9)
    run = descend(
        halving,
        START,
        tol=tol,
        max_iter=99,
        escape=stay,
        known=lambda centers, objective: objective < 1.0,
    )
    assert run.joined
    assert not run.converged
    assert run.history == [6.0, 3.0, 1.5, 0.75]


IRIS = load_uci("iris").data
HARD = {
    "iris": (IRIS, 3, 2.0),
    "too many clusters": (IRIS, 6, 2.0),
    "nearly crisp": (IRIS, 6, 1.3),
    "without clusters": (np.random.default_rng(0).random((800, 2)), 6, 2.0),
    "centres that coincide": (load_digits().data[::6], 10, 1.5),
}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize(("X", "K", "m"), HARD.values(), ids=HARD)
@pytest.mark.parametrize("seed", range(2))
def test_auto_ends_where_the_plain_iteration_does_and_sooner(X, K, m, seed):
    options = {"m": m, "random_state": seed, "n_init": 1, "max_iter": 9999}
    soon = FuzzyCMeans(K, **options).fit(X)
    plain = FuzzyCMeans(K, tol=1e-8 * np.ptp(X), **options).fit(X)
    assert soon.converged_
    assert soon.n_iter_ <= 0.7 * plain.n_iter_
    assert soon.objective_ <= plain.objective_ * (1 + 1e-9)
    assert (np.diff(soon.history_) <= 0.0).all()


@pytest.mark.parametrize("Estimator", [FuzzyCMeans, PDClustering])
def test_starts_that_join_an_earlier_one_change_nothing(Estimator, capsys):
    one = Estimator(3, random_state=0, n_init=1).fit(IRIS)
    many = Estimator(3, random_state=0, n_init=6, verbose=1).fit(IRIS)
    np.testing.assert_array_equal(many.memberships_, one.memberships_)
    out = capsys.readouterr().out
    assert out.count("goes to where an earlier one ended, left after") == 5
