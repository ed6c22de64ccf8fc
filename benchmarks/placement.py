"""
Who places tasks on Dask workers: Dask, or we by the fewest tasks that are not done.

``python -m benchmarks.placement WORKERS`` prints the tasks of each worker, the data
that went between workers and the time, for tasks that sleep: little depends on how fast
the machine computes.
"""

import sys
import time
from typing import Any

import numpy as np
from distributed import Client, Future, LocalCluster

from concordant.execution.dask_workers import Cluster
from concordant.pairs.bands import Tiles
from concordant.pairs.blocks import blocks_needed, blocks_of, spans_of_tiles

_SECONDS = 0.3  # of a task
_K = 2


class Placing(Client):  # type: ignore[misc]  # which has no types
    """A client that gives each task to the worker with the fewest."""

    given: dict[str, list[Future]]

    def submit(self, *arguments: Any, **options: Any) -> Future:
        """Start a task on that worker."""
        for futures in self.given.values():
            futures[:] = [future for future in futures if not future.done()]
        worker = min(self.given, key=lambda each: len(self.given[each]))
        place = {"workers": [worker], "allow_other_workers": True}
        future = super().submit(*arguments, **options, **place)
        self.given[worker].append(future)
        return future


def sleep(*blocks: object) -> int:
    """Do nothing with some blocks."""
    time.sleep(_SECONDS)
    return len(blocks)


def seen(dask_worker: Any) -> tuple[int, int]:
    """Count the tasks of a worker, and the bytes that it got from others."""
    received = sum(each["total"] for each in dask_worker.transfer_incoming_log)
    return dask_worker.state.executed_count, received


def measure(n: int, n_workers: int, kind: type[Client]) -> str:
    """Run about eight tasks for each worker."""
    columns = np.zeros((_K, n))
    tiles = Tiles(n)
    n_pairs = n * (n - 1) / 2 / (8 * n_workers)
    needs = [blocks_needed(tiles, *span) for span in spans_of_tiles(tiles, 0, n_pairs)]
    with (
        LocalCluster(
            n_workers=n_workers,
            threads_per_worker=1,
            dashboard_address=":0",
            silence_logs=50,
        ) as local,
        kind(local) as client,
    ):
        workers = client.scheduler_info(n_workers=-1)["workers"]
        client.given = {address: [] for address in workers}
        start = time.perf_counter()
        tasks: list[tuple[()]] = [()] * len(needs)
        list(Cluster(client).run(sleep, blocks_of([columns]), tasks, needs=needs))
        seconds = time.perf_counter() - start
        counts, received = zip(*client.run(seen).values(), strict=True)
    least = -(-len(needs) // n_workers) * _SECONDS
    return (
        f"n={n}, {tiles.n_rows} blocks, {kind.__name__}: tasks {sorted(counts)}, "
        f"{sum(received) / columns.nbytes:.1f} times the data between workers, "
        f"{seconds:.1f} s of at least {least:.1f}"
    )


if __name__ == "__main__":
    for n in (16_000, 60_000, 400_000):
        for kind in (Placing, Client) * 2:
            print(measure(n, int(sys.argv[1]), kind), flush=True)
