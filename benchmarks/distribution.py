"""Times on the workers of a Dask cluster, next to threads and to the cost model."""

from collections.abc import Iterator

from benchmarks.contest import contest
from benchmarks.row import Row

_N, _K = 60_000, 8


def measurements() -> Iterator[Row]:
    """Measure threads, one worker and two, and what one predicts of two."""
    threads, one, two, small = contest(
        ["aci", _N, _K, "fuzzy"],
        ["aci_on_workers", _N, _K, 1],
        ["aci_on_workers", _N, _K, 2],
        ["aci_on_workers", _N // 2, _K, 1],
        rounds=5,
    )
    text = f"ACI, n={_N}, K={_K}, two workers of one thread / one"
    yield Row.faster(text, two, one, 1.8)
    yield Row.bounded(
        f"time of two workers in relation to two threads, n={_N}, K={_K}",
        two.seconds / threads.seconds,
        1.15,
        two,
    )
    yield Row.bounded(
        f"million pairs per second and core, one worker, n={_N}, K={_K}",
        _pairs(_N) / one.seconds / 1e6,
        None,
        one,
    )
    # The model: time is pairs / (cores * pairs per second and core).
    rate = _pairs(_N // 2) / small.seconds
    yield Row.between(
        f"time of two workers, n={_N}, in relation to the model from n={_N // 2}",
        two.seconds / (_pairs(_N) / (2 * rate)),
        0.8,
        1.25,
    )


def _pairs(n: int) -> float:
    return n * (n - 1) / 2
