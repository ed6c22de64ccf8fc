"""Runs one contender in a process of its own, whenever it is told to."""

import json
import resource
import sys
from time import perf_counter

from benchmarks.contenders import CONTENDERS


def peak_mb() -> float:
    """Give the largest memory that this process has taken, in MB."""
    unit = 1024 if sys.platform != "darwin" else 1024**2
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def main() -> None:
    """Read one line per run, write one line of results."""
    name, *arguments = json.loads(sys.argv[1])
    run = CONTENDERS[name](*arguments)
    before = peak_mb()
    print("ready", flush=True)
    for _ in sys.stdin:
        begin = perf_counter()
        result = run()
        seconds = perf_counter() - begin
        answer = result if isinstance(result, float | int) else None
        print(
            json.dumps(
                {"seconds": seconds, "added_mb": peak_mb() - before, "answer": answer}
            ),
            flush=True,
        )


if __name__ == "__main__":
    main()
