"""Rows per second, memory and error of a stream, next to the result in memory."""

import json
import subprocess
import sys
from collections.abc import Iterator
from time import perf_counter, process_time

import numpy as np
from numpy.typing import NDArray

import concordant as cc
from benchmarks.row import Row
from benchmarks.worker import peak_mb

CHUNK = 1 << 17
CLUSTERS = 3
MOST_MB = 500.0
MOST_ERROR = 1e-9
ESTIMATED = 3_000_000  # objects, of whose pairs no pass can see all
#: Clusters, classes and objects, and the memory that they may take.
SIZES = ((4, 6, 3_000_000, 400.0), (20, 100, 1_500_000, 600.0))


def streams(n: int = 10_000_000) -> Iterator[Row]:
    """Measure a stream of n objects in a process of its own."""
    for families in ("tables", "no tables"):
        found = _measured("stream", n, families)
        text = f"stream, fuzzy and crisp, n={n:.0e}, K={CLUSTERS}, {families}"
        yield Row.bounded(f"{text}: seconds", found["seconds"], None)
        yield Row.bounded(f"{text}: CPU seconds", found["cpu_seconds"], None)
        yield Row.bounded(f"{text}: million rows/s", found["rows_per_s"] / 1e6, None)
        yield Row.bounded(f"{text}: peak RSS, MB", found["peak_mb"], MOST_MB)
        yield Row.bounded(f"{text}: certified error", found["error"], MOST_ERROR)
    if n > 10_000_000:
        return
    for K, classes, n_objects, most_mb in SIZES:
        sized = _measured("stream", n_objects, "tables", K, classes)
        text = f"stream, fuzzy and crisp, K={K}, {classes} classes, two threads"
        yield Row.bounded(f"{text}: CPU seconds", sized["cpu_seconds"], None)
        yield Row.bounded(f"{text}: peak RSS, MB", sized["peak_mb"], most_mb)
    drawn = _measured("estimate", ESTIMATED, "no tables")
    text = f"stream, two fuzzy, n={ESTIMATED:.0e}, K={CLUSTERS}, tol=1e-3"
    yield Row.bounded(f"{text}: seconds", drawn["seconds"], None)
    yield Row.bounded(f"{text}: peak RSS, MB", drawn["peak_mb"], None)
    yield Row.bounded(f"{text}: half width of ACI", drawn["error"], 1e-3)
    exact = _measured("in_memory", n, "no tables")
    text = f"stream, fuzzy and crisp, n={n:.0e}, K={CLUSTERS}, no tables"
    yield Row.bounded(
        f"{text}: distance from the ACI in memory / certified error",
        abs(found["aci"] - exact["aci"]) / found["error"],
        1.0,
    )


def chunks(
    n: int, K: int = CLUSTERS, classes: int = CLUSTERS
) -> Iterator[tuple[NDArray[np.float64], NDArray[np.int64]]]:
    """Draw memberships, and labels that often agree with the largest of them."""
    for start in range(0, n, CHUNK):
        size = min(CHUNK, n - start)
        rng = np.random.default_rng(start)
        U = rng.standard_exponential((size, K))
        U /= U.sum(axis=1, keepdims=True)
        labels = np.where(
            rng.random(size) < 0.5, U.argmax(axis=1), rng.integers(classes, size=size)
        )
        yield U, labels


def _measured(
    what: str, n: int, families: str, K: int = CLUSTERS, classes: int = CLUSTERS
) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.streams", what, str(n), families]
    command += [str(K), str(classes)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    result: dict[str, float] = json.loads(done.stdout)
    return result


def _stream(n: int, families: str, K: int, classes: int) -> dict[str, float]:
    drawing = perf_counter()
    for _ in chunks(min(n, 10_000_000), K, classes):
        pass
    drawing = (perf_counter() - drawing) * n / min(n, 10_000_000)
    begin, cpu = perf_counter(), process_time()
    comparison = cc.stream(
        chunks(n, K, classes),
        families=() if families == "no tables" else None,
        n_jobs=2,
    )
    seconds, cpu = perf_counter() - begin, process_time() - cpu
    result = comparison.concordance
    if result is None:
        raise RuntimeError("a fuzzy and a crisp partition have a concordance")
    return {
        "seconds": seconds,
        "cpu_seconds": cpu,
        "seconds_drawing": drawing,
        "rows_per_s": n / seconds,
        "peak_mb": peak_mb(),
        "aci": result.aci,
        "error": result.error,
        "ndc_error": result.ndc_error,
    }


def _estimate(n: int) -> dict[str, float]:
    """Compare memberships with others of the same objects, half of them new."""
    both = (
        (U, 0.5 * (U + np.random.default_rng(i).dirichlet(np.ones(CLUSTERS), len(U))))
        for i, (U, _) in enumerate(chunks(n))
    )
    begin = perf_counter()
    comparison = cc.stream(both, tol=1e-3, random_state=0, families=(), n_jobs=2)
    seconds, found = perf_counter() - begin, comparison.concordance
    if found is None:
        raise RuntimeError("with a tolerance there is an estimate")
    return {"seconds": seconds, "peak_mb": peak_mb(), "error": found.error}


def _in_memory(n: int) -> dict[str, float]:
    drawn = [*chunks(n)]
    U = np.concatenate([u for u, _ in drawn])
    labels = np.concatenate([label for _, label in drawn])
    begin = perf_counter()
    aci = cc.adjusted_concordance_index(U, labels, n_jobs=2)
    return {"seconds": perf_counter() - begin, "aci": aci}


def main(arguments: list[str]) -> None:
    """
    Print the figures for a number of objects, or do one measurement.

    Parameters
    ----------
    arguments : list of str
        The number; or what to do, the number and whether with tables.
    """
    match arguments:
        case ["stream", n, families, K, classes]:
            print(json.dumps(_stream(int(n), families, int(K), int(classes))))
        case ["estimate", n, *_]:
            print(json.dumps(_estimate(int(n))))
        case ["in_memory", n, *_]:
            print(json.dumps(_in_memory(int(n))))
        case [n]:
            for row in streams(int(n)):
                print(f"{row.workload:<70}{row.ratio:>12.4g}  {row.target}", flush=True)
        case _:
            raise SystemExit("usage: python -m benchmarks.streams NUMBER")


if __name__ == "__main__":
    main(sys.argv[1:])
