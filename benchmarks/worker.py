"""Runs one contender in a process of its own, whenever it is told to."""

import json
import math
import resource
import sys
from importlib import import_module
from time import perf_counter
from typing import Any

import psutil

from benchmarks.contenders import CONTENDERS, Run

_TURN = 0.3  # seconds that a turn takes at least


def peak_mb() -> float:
    """Give the largest memory that this process has taken, in MB."""
    unit = 1024 if sys.platform != "darwin" else 1024**2
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def cpu_seconds() -> float:
    """Give the CPU time that this process and its children have taken."""
    me = psutil.Process()
    times = [process.cpu_times() for process in (me, *me.children(recursive=True))]
    return float(sum(time.user + time.system for time in times))


def _turn(run: Run) -> tuple[float, float, Any]:
    """
    Run once, or several times if that is quick.

    Given are the best time, how many cores were busy on average, and the result.
    """
    before = cpu_seconds()
    first = last = perf_counter()
    best = math.inf
    while True:
        result = run()
        now = perf_counter()
        best, last = min(best, now - last), now
        if now - first > _TURN:
            return best, (cpu_seconds() - before) / (now - first), result


def main() -> None:
    """Read one line per turn, write one line of results."""
    name, *arguments = json.loads(sys.argv[1])
    run = CONTENDERS[name](*arguments)
    import_module("numba")  # memory of libraries is none that the work adds
    before = peak_mb()
    print("ready", flush=True)
    for _ in sys.stdin:
        seconds, cores, result = _turn(run)
        outcome = {
            "seconds": seconds,
            "cores": cores,
            "added_mb": peak_mb() - before,
            "answer": result if isinstance(result, float | int) else None,
        }
        print(json.dumps(outcome), flush=True)


if __name__ == "__main__":
    main()
