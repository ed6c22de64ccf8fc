"""Time and memory of the clusterings, next to other packages."""

import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from time import perf_counter, process_time

import numpy as np
from fcmeans import FCM
from numpy.typing import NDArray
from skfuzzy import cmeans

from benchmarks.contest import Outcome
from benchmarks.row import Row
from concordant.cluster import FuzzyCMeans, PDClustering

N, P, K = 100_000, 10, 8
ITERATIONS = 20
SEED = 0


def measurements() -> Iterator[Row]:
    """Measure one workload after the other; seconds are per iteration."""
    X, start = _data()
    shape = f"n={N:.0e}, p={P}, K={K}, one thread"

    def fuzzy() -> object:
        return FuzzyCMeans(K, init=start, tol=0, max_iter=ITERATIONS).fit(X)

    def probabilistic() -> object:
        return PDClustering(K, init=start, tol=0, max_iter=ITERATIONS).fit(X)

    ours, scikit_fuzzy, fuzzy_c_means = _best_times(
        fuzzy,
        lambda: cmeans(X.T, K, 2.0, 0.0, ITERATIONS, init=start.T),
        lambda: FCM(K, max_iter=ITERATIONS, error=0.0, random_state=SEED).fit(X),
        rounds=3,
    )
    yield Row.faster(f"FuzzyCMeans, {shape} / scikit-fuzzy", ours, scikit_fuzzy, 4.0)
    yield Row.faster(f"FuzzyCMeans, {shape} / fuzzy-c-means", ours, fuzzy_c_means, 4.0)
    ours, pd = _best_times(fuzzy, probabilistic, rounds=8)
    yield Row.faster(f"PDClustering, {shape} / FuzzyCMeans", pd, ours, 1 / 1.5)
    for name in ("FuzzyCMeans", "PDClustering"):
        seconds, cores, peak = _large_fit(name)
        text = f"MB of {name}, n=1e7, p=2, K=3"
        yield Row.bounded(text, peak, 2000.0, Outcome(seconds, cores, peak))


def _data() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Make overlapping clusters, and the memberships fuzzy-c-means starts from."""
    rng = np.random.default_rng(SEED)
    centers = 3.0 * rng.normal(size=(K, P))
    X = centers[rng.integers(K, size=N)] + rng.normal(size=(N, P))
    start = np.random.RandomState(SEED).rand(N, K)
    return X, start / start.sum(axis=1, keepdims=True)


def _best_times(*tasks: Callable[[], object], rounds: int) -> list[Outcome]:
    """Take the tasks by turns, after one that may compile, and each one's best time."""
    for task in tasks:
        task()
    best = [Outcome(np.inf, 0.0)] * len(tasks)
    for _ in range(rounds):
        for number, task in enumerate(tasks):
            begin, cpu = perf_counter(), process_time()
            task()
            seconds, cpu = perf_counter() - begin, process_time() - cpu
            if seconds < best[number].seconds:
                best[number] = Outcome(seconds, cpu / seconds)
    return [outcome.times(1 / ITERATIONS) for outcome in best]


def _large_fit(name: str) -> list[float]:
    """Fit ten million points elsewhere: seconds per iteration, cores and MB."""
    result = subprocess.run(
        [sys.executable, "-m", "benchmarks.clustering", name],
        check=True,
        capture_output=True,
        text=True,
    )
    return [float(number) for number in result.stdout.split()]


def _fit_ten_million(name: str) -> None:
    X = np.random.default_rng(SEED).normal(size=(10_000_000, 2))
    Estimator = {"FuzzyCMeans": FuzzyCMeans, "PDClustering": PDClustering}[name]
    begin, cpu = perf_counter(), process_time()
    Estimator(3, n_init=1, tol=0, max_iter=ITERATIONS, random_state=SEED).fit(X)
    seconds, cpu = perf_counter() - begin, process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(
        seconds / ITERATIONS,
        cpu / seconds,
        peak / (1024 if sys.platform != "darwin" else 1024**2),
    )


if __name__ == "__main__":
    _fit_ten_million(sys.argv[1])
