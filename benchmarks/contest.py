"""Contenders take turns, each in its own process; the best time of each counts."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass, replace
from typing import Any

Spec = list[Any]  # the contender's name and its arguments


@dataclass(frozen=True)
class Outcome:
    """The best of several runs, and how many cores were busy on average."""

    seconds: float
    cores: float
    added_mb: float = 0.0
    answer: float | None = None

    def times(self, factor: float) -> "Outcome":
        """Give what so many times the work takes."""
        return replace(self, seconds=factor * self.seconds)


class Contender:
    """
    A process that runs one contender when told to, and is halted in between.

    Those with a Dask cluster would else take from the others: each of its processes
    uses a thirtieth of a core even when it has nothing to do.
    """

    def __init__(self, spec: Spec) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.worker", json.dumps(spec)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            process_group=0,
        )

    def get_ready(self) -> None:
        """Wait until its data are made, and halt it."""
        self._read()
        self._send(signal.SIGSTOP)

    def run(self) -> Outcome:
        """Run once."""
        stdin = self._process.stdin
        if stdin is None:
            raise RuntimeError("the contender has no standard input")
        self._send(signal.SIGCONT)
        stdin.write("go\n")
        stdin.flush()
        outcome = Outcome(**json.loads(self._read()))
        self._send(signal.SIGSTOP)
        return outcome

    def stop(self) -> None:
        """End the process."""
        self._send(signal.SIGCONT)
        self._process.communicate()

    def _send(self, what: signal.Signals) -> None:
        if self._process.poll() is None:
            os.killpg(self._process.pid, what)

    def _read(self) -> str:
        line = self._process.stdout.readline() if self._process.stdout else ""
        if not line:
            raise RuntimeError(f"a contender ended with code {self._process.wait()}")
        return line


def contest(*specs: Spec, rounds: int, warm_up: bool = True) -> list[Outcome]:
    """
    Let contenders take turns.

    Parameters
    ----------
    *specs : list
        Name and arguments of each contender.
    rounds : int
        How often each runs.
    warm_up : bool, default=True
        Whether each runs once before, uncounted: kernels are loaded then.

    Returns
    -------
    list of Outcome
        The best time of each, and the memory that it added.
    """
    contenders: list[Contender] = []
    runs: list[list[Outcome]] = [[] for _ in specs]
    try:
        for spec in specs:
            contenders.append(Contender(spec))
        for contender in contenders:
            contender.get_ready()
        if warm_up:
            for contender in contenders:
                contender.run()
        for _ in range(rounds):
            for contender, outcomes in zip(contenders, runs, strict=True):
                outcomes.append(contender.run())
    finally:
        for contender in contenders:
            contender.stop()
    return [
        Outcome(
            min(outcome.seconds for outcome in outcomes),
            max(outcome.cores for outcome in outcomes),
            max(outcome.added_mb for outcome in outcomes),
            outcomes[0].answer,
        )
        for outcomes in runs
    ]
