"""Time and memory of the clusterings, next to other packages."""

import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from time import perf_counter, process_time

import numpy as np
from fcmeans import FCM
from numpy.typing import NDArray
from skfuzzy import cmeans
from sklearn.cluster import KMeans
from threadpoolctl import threadpool_limits

from benchmarks.contest import Outcome
from benchmarks.row import Row
from concordant.cluster import FuzzyCMeans, PDClustering

N, P, K = 100_000, 10, 8
ITERATIONS = 20
FEW_ITERATIONS = 4
SEED = 0


def measurements() -> Iterator[Row]:
    """Measure one workload after the other; seconds of these are per iteration."""
    X, start = _data(N, K)
    shape = f"n={N:.0e}, p={P}, K={K}, one thread, an iteration"

    def fuzzy() -> object:
        return FuzzyCMeans(K, init=start, tol=0, max_iter=ITERATIONS).fit(X)

    def probabilistic() -> object:
        return PDClustering(K, init=start, tol=0, max_iter=ITERATIONS).fit(X)

    with threadpool_limits(1):
        ours, scikit_fuzzy, fuzzy_c_means = _best_times(
            fuzzy,
            lambda: cmeans(X.T, K, 2.0, 0.0, ITERATIONS, init=start.T),
            lambda: FCM(K, max_iter=ITERATIONS, error=0.0, random_state=SEED).fit(X),
            rounds=3,
            iterations=ITERATIONS,
        )
    yield Row.faster(f"FuzzyCMeans, {shape} / scikit-fuzzy", ours, scikit_fuzzy, 4.0)
    yield Row.faster(f"FuzzyCMeans, {shape} / fuzzy-c-means", ours, fuzzy_c_means, 4.0)
    with threadpool_limits(1):
        ours, pd = _best_times(fuzzy, probabilistic, rounds=5, iterations=ITERATIONS)
    yield Row.faster(f"PDClustering, {shape} / FuzzyCMeans", pd, ours, 1 / 1.5)
    yield from _a_million_points()
    yield from _few_points()
    yield from _default_fits()
    for name in ("FuzzyCMeans", "PDClustering"):
        seconds, cores, peak = _large_fit(name)
        text = f"MB of {name}, n=1e7, p=2, K=3"
        yield Row.bounded(text, peak, 2000.0, Outcome(seconds, cores, peak))


def _a_million_points() -> Iterator[Row]:
    """Measure what a second thread is good for."""
    X, _ = _data(1_000_000, 5)
    shape = "n=1e6, p=10, K=5"

    def fit(n_jobs: int) -> object:
        model = FuzzyCMeans(5, init=X[:5], tol=0, max_iter=ITERATIONS, n_jobs=n_jobs)
        return model.fit(X)

    two, one = _best_times(lambda: fit(2), lambda: fit(1), rounds=3)
    text = f"FuzzyCMeans, {shape}, {ITERATIONS} iterations, two threads / one"
    yield Row.faster(text, two, one, 1.6)


def _few_points() -> Iterator[Row]:
    """Measure fits until they come to rest."""
    X, start = _data(150, 3)

    def fuzzy() -> object:
        return FuzzyCMeans(3, init=start, tol=1e-6).fit(X)

    with threadpool_limits(1):
        ours, peer = _best_times(
            fuzzy,
            lambda: cmeans(X.T, 3, 2.0, 1e-6, 1000, init=start.T),
            rounds=50,
        )
    yield Row.faster("FuzzyCMeans, n=150, K=3, to rest / scikit-fuzzy", ours, peer, 1.0)
    for n, most in ((150, 0.06), (10_000, 0.42)):
        X, _ = _data(n, K, 6.0)
        model = PDClustering(K, random_state=SEED)
        with threadpool_limits(1):
            (ours,) = _best_times(partial(model.fit, X), rounds=3)
        text = f"PDClustering, ten starts, n={n}, p={P}, K={K}: seconds"
        yield Row.bounded(text, ours.seconds, most, ours)


def _default_fits() -> Iterator[Row]:
    """Compare ten starts, on one thread, with those of K-means."""
    for name, distance in (("apart", 3.0), ("that overlap", 1.5)):
        X, _ = _data(N, 5, distance)
        model = FuzzyCMeans(5, random_state=SEED)
        peer = KMeans(5, n_init=10, random_state=SEED)
        with threadpool_limits(1):
            ours, k_means = _best_times(
                partial(model.fit, X), partial(peer.fit, X), rounds=2
            )
        text = f"FuzzyCMeans, clusters {name}, n=1e5, one thread / KMeans(n_init=10)"
        yield Row.faster(text, ours, k_means, 1 / 4)
        # The iteration in the books, from the same starts.
        plain = FuzzyCMeans(5, random_state=SEED, tol=1e-6, n_jobs=-1).fit(X)
        yield Row.bounded(
            f"FuzzyCMeans, clusters {name}: objective / plain iterations', less 1",
            model.objective_ / plain.objective_ - 1.0,
            1e-8,
        )


def _data(
    n: int, n_clusters: int, distance: float = 3.0
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Make overlapping clusters, and the memberships fuzzy-c-means starts from."""
    rng = np.random.default_rng(SEED)
    centers = distance * rng.normal(size=(n_clusters, P))
    X = centers[rng.integers(n_clusters, size=n)] + rng.normal(size=(n, P))
    start = np.random.RandomState(SEED).rand(n, n_clusters)
    return X, start / start.sum(axis=1, keepdims=True)


def _best_times(
    *tasks: Callable[[], object], rounds: int, iterations: int = 1
) -> list[Outcome]:
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
    return [outcome.times(1 / iterations) for outcome in best]


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
    Estimator(3, n_init=1, tol=0, max_iter=FEW_ITERATIONS, random_state=SEED).fit(X)
    seconds, cpu = perf_counter() - begin, process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(
        seconds / FEW_ITERATIONS,
        cpu / seconds,
        peak / (1024 if sys.platform != "darwin" else 1024**2),
    )


if __name__ == "__main__":
    _fit_ten_million(sys.argv[1])
