"""Centres go down, or stay."""

import numpy as np
import pytest
from sklearn.datasets import load_digits

from concordant.cluster import FuzzyCMeans, PDClustering
from concordant.cluster.fixed_point import Descent, Mixing, Sweep, Tolerance, iterate
from concordant.datasets import load_uci


def halving(centers):
    """Go half the way to 0, where |c| is least."""
    return Sweep(float(np.abs(centers).sum()), centers / 2.0)


START = np.array([[8.0], [-4.0]])


def below(length):
    return Tolerance(1.0, length)


def test_it_ends_when_the_sum_of_movements_is_below_the_tolerance():
    run = iterate(halving, START, below(1.0), 100)
    assert run.history == [6.0, 3.0, 1.5, 0.75]  # movements 6, 3, 1.5, 0.75
    assert run.converged
    assert run.centers.tolist() == [[0.5], [-0.25]]


def test_it_ends_unconverged_at_max_iter():
    run = iterate(halving, START, below(1.0), 2)
    assert run.history == [6.0, 3.0]
    assert not run.converged


def test_a_step_up_is_not_taken():
    def away(centers):
        return Sweep(float(np.abs(centers).sum()), centers * 2.0)

    run = iterate(away, START, below(1e-3), 9)
    assert run.history == [12.0]
    assert run.centers is START
    assert run.converged


def test_rounding_is_neither_a_reason_to_stop_nor_shown():
    objectives = iter([3.0, 2.0, 2.0 + 4e-16, 1.0])

    def sweep(centers):
        return Sweep(next(objectives), centers - 1.0)

    run = iterate(sweep, START, below(0.0), 3)
    assert run.history == [2.0, 2.0, 1.0]
    assert run.centers.tolist() == [[5.0], [-7.0]]


def test_centres_that_rest_may_escape_downwards():
    def held(centers):
        """Stay at 8, but go down once off it."""
        if centers[0, 0] == 8.0:
            return Sweep(12.0, centers)
        return halving(centers)

    run = iterate(held, START, below(1e-3), 99, escape=lambda c: c * 0.9)
    assert run.converged
    assert abs(run.centers).max() < 1e-2


def test_an_escape_upwards_is_not_taken():
    def held(centers):
        return Sweep(float(np.abs(centers).sum()), centers)

    run = iterate(held, START, below(1e-3), 99, escape=lambda c: c * 2.0)
    assert run.converged
    assert run.centers is START
    cut_short = iterate(held, START, below(1e-3), 1, escape=lambda c: c * 2.0)
    assert not cut_short.converged


def slowly(centers):
    """Go a hundredth of the way to 0, and there faster in the second column."""
    return Sweep(float((centers**2).sum()), centers * [0.99, 0.9])


def test_steps_that_become_shorter_are_extrapolated():
    start = np.array([[8.0, 1.0], [-4.0, 3.0]])
    plain = iterate(slowly, start, below(1e-9), 9999)
    run = iterate(slowly, start, below(1e-9), 9999, mixing=Mixing())
    assert run.converged
    assert len(plain.history) > 1000
    assert len(run.history) < 20
    assert (np.diff(run.history) <= 0.0).all()


def test_steps_that_become_longer_are_stretched():
    def off_the_saddle(centers):
        return Sweep(100.0 - float((centers**2).sum()), 1.01 * centers)

    start = np.full((1, 2), 1e-3)
    plain = iterate(off_the_saddle, start, below(1e-9), 30)
    run = iterate(off_the_saddle, start, below(1e-9), 30, mixing=Mixing())
    assert np.abs(plain.centers).max() < 2e-3 < 1.0 < np.abs(run.centers).max()


def test_an_aim_beyond_that_is_no_improvement_is_not_taken():
    class Reckless(Mixing):
        aims = failures = 0

        def aim(self, centers, proposal):
            self.aims += 1
            return centers + 100.0 if self.aims % 2 else proposal

        def learn(self, improved):
            self.failures += not improved

    mixing = Reckless()
    run = iterate(halving, START, below(1.0), 99, mixing=mixing)
    assert mixing.failures == 3
    assert run.history == [12.0, 6.0, 6.0, 3.0, 3.0, 1.5, 0.75]
    assert run.converged
    cut_short = iterate(halving, START, below(1.0), 1, mixing=Reckless())
    assert not cut_short.converged
    assert cut_short.centers is START


def test_centres_on_the_way_to_a_known_place_are_left():
    tolerance = Tolerance(0.7, None)
    rest = np.array([[0.0], [1.0]])
    unknown = Descent(rest, [1.0], converged=False)
    assert not tolerance.is_known(rest, 1.0, [unknown])
    known = [unknown, Descent(rest, [1.0], converged=True)]
    assert tolerance.is_known(rest, 1.0, known)
    assert tolerance.is_known(rest[::-1] + 2e-5, 1.0 + 1e-6, known)
    assert not tolerance.is_known(rest + 1e-3, 1.0, known)
    assert not tolerance.is_known(rest, 1.01, known)
    assert not tolerance.is_known(np.zeros((2, 1)), 1.0, known)
    place = Descent(np.array([[0.5], [-0.25]]), [0.75], converged=True)
    run = iterate(halving, START, below(1e-9), 99, known=[place])
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
    options = {"fuzzifier": m, "random_state": seed, "n_init": 1, "max_iter": 9999}
    soon = FuzzyCMeans(K, **options).fit(X)
    plain = FuzzyCMeans(K, tol=1e-8 * np.ptp(X), **options).fit(X)
    assert soon.converged_
    assert soon.n_iter_ <= 0.7 * plain.n_iter_
    assert soon.objective_ <= plain.objective_ * (1 + 1e-9)
    assert (np.diff(soon.history_) <= 0.0).all()


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("hard", ["iris", "without clusters"])
def test_auto_of_probabilistic_distances_ends_as_low_and_sooner(hard, seed):
    X, K, _ = HARD[hard]
    options = {"random_state": seed, "n_init": 1, "max_iter": 9999}
    soon = PDClustering(K, **options).fit(X)
    plain = PDClustering(K, tol=1e-8 * np.ptp(X), **options).fit(X)
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
