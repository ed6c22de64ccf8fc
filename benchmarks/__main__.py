"""Runs workloads, prints one table and writes it as JSON."""

import json
import os
import platform
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks import agreement, clustering, distribution, streams, with_r
from benchmarks.row import Row
from concordant.execution.engine import effective_n_jobs

PARTS: dict[str, Callable[[], Iterator[Row]]] = {
    **{part.__name__: part for part in agreement.PARTS},
    "streams": streams.streams,
    "clustering": clustering.measurements,
    "with_r": with_r.with_r,
    "distribution": distribution.measurements,
}
#: What is not run unless it is named: it takes minutes, and needs Dask.
ON_REQUEST = {"distribution"}


def main(names: list[str]) -> None:
    """
    Run the named parts, or all but those on request.

    Parameters
    ----------
    names : list of str
        Keys of `PARTS`; empty for all. In bench.json parts that are not run stay as
        they are.
    """
    begin = perf_counter()
    print(f"{_machine()}\n")
    print(f"{'workload':<80}{'ours s':>9}{'peer s':>9}{'ratio':>9}  target")
    parts: dict[str, list[Row]] = {}
    ends = [begin]
    for name in names or [part for part in PARTS if part not in ON_REQUEST]:
        parts[name] = []
        for row in PARTS[name]():
            parts[name].append(row)
            print(_line(row), flush=True)
        ends.append(perf_counter())
    _keep(Path("bench.json"), parts)
    missed = sum(row.met is False for rows in parts.values() for row in rows)
    seconds = zip(parts, np.diff(ends), strict=True)
    print(f"\nseconds: {', '.join(f'{name} {taken:.0f}' for name, taken in seconds)}")
    print(f"{ends[-1] - begin:.0f} s; {missed} targets missed; see bench.json")


def _keep(path: Path, parts: dict[str, list[Row]]) -> None:
    """Write rows by part, beside those of other parts that this machine wrote."""
    kept: dict[str, Any] = {}
    if path.exists():
        before = json.loads(path.read_text())
        if before["machine"] == _machine():
            kept = before.get("parts", {})
    kept |= {name: [asdict(row) for row in rows] for name, rows in parts.items()}
    ordered = {name: kept[name] for name in PARTS if name in kept}
    result = {"machine": _machine(), "parts": ordered}
    path.write_text(json.dumps(result, indent=1) + "\n")


def _line(row: Row) -> str:
    def number(value: float | None) -> str:
        return f"{'' if value is None else format(value, '.3g'):>9}"

    verdict = {True: "met", False: "MISSED", None: ""}[row.met]
    memory = "" if row.peak_mb is None else f"  +{row.peak_mb:.0f} MB"
    return (
        f"{row.workload:<80}{number(row.ours_s)}{number(row.peer_s)}"
        f"{number(row.ratio)}  {row.target} {verdict}{memory}"
    )


def _machine() -> str:
    cpu = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [line for line in info.read_text().splitlines() if "model name" in line]
        cpu = names[0].split(":")[1].strip() if names else cpu
    return (
        f"{cpu}, {effective_n_jobs(-1)} of {os.cpu_count()} cores, "
        f"Python {platform.python_version()}, NumPy {np.__version__}"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
