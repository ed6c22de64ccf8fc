"""Threads run tasks in order, stop when told, and count cores as they should."""

import threading
import time

import numpy as np
import pytest

import concordant as cc
from concordant.execution.engine import (
    Threads,
    effective_n_jobs,
)


@pytest.mark.parametrize("n_jobs", [1, 2, 5])
def test_results_come_in_the_order_of_the_tiles(n_jobs):
    def task(factor, i):
        time.sleep(0.001 * (i % 3))
        return factor * i

    tiles = ((i,) for i in range(50))
    assert list(Threads(n_jobs).run(task, [10], tiles)) == list(range(0, 500, 10))


@pytest.mark.parametrize("n_jobs", [1, 3])
def test_an_error_in_a_task_is_raised_and_leaves_no_threads(n_jobs):
    def task(i):
        if i == 3:
            raise KeyboardInterrupt
        return i

    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        list(Threads(n_jobs).run(task, [], ((i,) for i in range(100))))
    assert threading.active_count() == before


def test_stopping_early_starts_no_more_tasks():
    started = []

    def task(i):
        started.append(i)
        return i

    results = Threads(2).run(task, [], ((i,) for i in range(1000)))
    next(results)
    results.close()  # type: ignore[attr-defined]
    assert len(started) < 20


def test_n_jobs_as_in_scikit_learn():
    import joblib

    assert effective_n_jobs(None) == 1
    assert effective_n_jobs(3) == 3
    assert effective_n_jobs(-1) == joblib.cpu_count()
    assert effective_n_jobs(-1000) == 1
    with pytest.raises(ValueError, match="must not be 0"):
        effective_n_jobs(0)
    for bad in (1.5, "2", True):
        with pytest.raises(TypeError, match="n_jobs must be an integer"):
            effective_n_jobs(bad)


def test_a_surrounding_joblib_config_is_obeyed():
    import joblib

    with joblib.parallel_config(backend="threading", n_jobs=2):
        assert effective_n_jobs(None) == 2
        assert effective_n_jobs(1) == 1


def test_the_estimate_of_a_sample_is_told_with_its_error(monkeypatch):
    monkeypatch.setattr("concordant.execution.progress._INTERVAL", 0.0)
    rng = np.random.default_rng(0)
    U, V = rng.dirichlet([1, 1, 1], size=(2, 1500))
    for function, options in (
        (cc.concordance, {"method": "sampled"}),
        (cc.pair_table, {"family": "campello", "method": "sampled"}),
    ):
        told = []
        found = function(
            U,
            V,
            tol=0.01,
            random_state=0,
            progress=lambda done, total, estimate, told=told: told.append(estimate),
            **options,
        )
        assert told[-1].error == found.error <= 0.01
        assert all(estimate.error > 0.0 for estimate in told[2:])
