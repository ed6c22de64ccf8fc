"""Runs one contender in a process of its own, whenever it is told to."""

import json
import math
import resource
import sys
from importlib import import_module
from time import perf_counter
from typing import Any

from benchmarks.contenders import CONTENDERS, Run

_TURN = 0.3  # seconds that a turn takes at least


def peak_mb() -> float:
    """Give the largest memory that this process has taken, in MB."""
    unit = 1024 if sys.platform != "darwin" else 1024**2
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def _turn(run: Run) -> tuple[float, Any]:
    """Run once, or several times if that is quick; the best time counts."""
    first = last = perf_counter()
    best = math.inf
    while True:
        result = run()
        now = perf_counter()
        best, last = min(best, now - last), now
        if now - first > _TURN:
            return best, result


def main() -> None:
    """Read one line per turn, write one line of results."""
    name, *arguments = json.loads(sys.argv[1])
    run = CONTENDERS[name](*arguments)
    import_module("numba")  # memory of libraries is none that the work adds
    before = peak_mb()
    print("ready", flush=True)
    for _ in sys.stdin:
        seconds, result = _turn(run)
        answer = result if isinstance(result, float | int) else None
        print(
            json.dumps(
                {"seconds": seconds, "added_mb": peak_mb() - before, "answer": answer}
            ),
            flush=True,
        )


if __name__ == "__main__":
    main()
