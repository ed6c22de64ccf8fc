"""Threads run tasks in order, stop when told, and count cores as they should."""

import os
import signal
import threading
import time
import warnings

import numpy as np
import pytest

import concordant as cc
from concordant.errors import InputError
from concordant.execution.engine import (
    Threads,
    effective_n_jobs,
)
from concordant.kept import kept
from concordant.pairs.values.l1 import L1


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


def test_threads_that_the_system_does_not_start_are_told(monkeypatch):
    started = threading.Thread.start

    def start(thread):
        if threading.active_count() > 2:
            raise RuntimeError("can't start new thread")
        started(thread)

    monkeypatch.setattr(threading.Thread, "start", start)
    tasks = ((0.01,) for _ in range(100))
    with pytest.raises(InputError, match=r"^64 threads .* \(can't .*; set n_jobs to f"):
        list(Threads(64).run(time.sleep, [], tasks))


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


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no process is forked here")
def test_a_process_forked_amid_the_work_of_a_thread_works(monkeypatch):
    U, V = np.random.default_rng(0).dirichlet([1, 1, 1], size=(2, 500))
    cc.concordance(U, V)  # nothing is compiled in the child
    at_work, go_on, bounds = threading.Event(), threading.Event(), L1.bounds

    def waiting(columns):
        if threading.current_thread() is not threading.main_thread():
            at_work.set()
            go_on.wait()
        return bounds(columns)

    monkeypatch.setattr(L1, "bounds", staticmethod(waiting))
    thread = threading.Thread(target=cc.concordance, args=(U, V))
    thread.start()
    try:
        at_work.wait()
        with warnings.catch_warnings(action="ignore"):  # of forks beside threads
            child = os.fork()
        if child == 0:
            signal.alarm(20)  # which ends it, should it wait for ever
            try:
                os._exit(0 if cc.concordance(U, V) else 1)
            except BaseException:
                os._exit(2)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    finally:
        go_on.set()
        thread.join()


def test_what_two_threads_compute_at_a_time_is_kept_once():
    both = threading.Barrier(2, timeout=10)

    class Thing:
        @kept
        def found(self) -> object:
            """What is found."""
            both.wait()
            return object()

    thing, seen = Thing(), []
    threads = [threading.Thread(target=lambda: seen.append(thing.found)) for _ in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen[0] is seen[1] is thing.found
    assert Thing.found.__doc__ == "What is found."
