"""
Search for wrong numbers: a corpus of memberships, every method, the exact truth.

    python tests/attack.py [--seconds 60] [--seed 1]      as long as one likes
    python tests/attack.py --seed 4711 --cases 1          once more what it found

Each case is drawn from its own seed, the first of which is given, else taken from the
clock. A line is printed for every claim that does not hold, with the seed that repeats
it. The search runs in a process of its own: one that crashes is told with its seed, and
the search goes on behind it. The exit code is 1 if anything was found.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np
from bins import in_bins
from claims import Data, Rng, Tally, broken_claims
from corpus import DRAWN, constant
from programs import PROGRAMS
from thresholds import lowered

import concordant as cc

# Sizes around which the library goes another way: blocks of 256 shifts and 512 objects,
# all pairs at once or cells (450).
_THRESHOLDS = (256, 450, 512, 513, 1024, 1536, 2048)
_SMALL, _SOME = 40, 300
_MOST_LINES = 6  # of one case

# Objects, clusters and concentrations of clean pairs.
_CLEAN = ((2, 2, 1.0), (2, 9, 0.1), (1600, 4, 1.0), (1000, 9, 0.1))


@dataclass(frozen=True)
class Case:
    """Two partitions, and what they are called."""

    name: str
    P: Data
    Q: Data


def drawn(seed: int) -> Case:
    """Draw a case from its seed."""
    rng = np.random.default_rng(seed)
    n = _size(rng)
    makers = DRAWN if rng.random() < 0.85 else PROGRAMS
    f, g = (makers[int(rng.integers(len(makers)))] for _ in range(2))
    if rng.random() < 0.25:
        g = f  # what is hard for one partition alone is harder for two
    elif rng.random() < 0.3:
        g = DRAWN[int(rng.integers(len(DRAWN)))]
    K, L = _clusters(rng, n)
    P = f(rng, n, K)
    relation = str(rng.choice(_RELATIONS, p=_CHANCES))
    if relation == "unrelated":
        name, Q = g.__name__, g(rng, n, L)
    else:
        name, Q = relation, _related(P, relation, rng)
    return Case(f"{f.__name__} {P.shape}, {name} {Q.shape}", P, Q)


def _size(rng: Rng) -> int:
    kind = rng.random()
    if kind < 0.15:
        return int(rng.integers(2, 6))
    if kind < 0.65:
        return int(rng.integers(2, _SMALL))
    if kind < 0.86:
        return int(rng.integers(_SMALL, _SOME))
    return int(rng.choice(_THRESHOLDS) + rng.integers(-1, 2))


def _clusters(rng: Rng, n: int) -> tuple[int, int]:
    kind = rng.random()
    if kind < 0.25:
        return 2, 2
    if kind < 0.35:
        return min(max(n, 2), 12), min(max(n, 2), 12)
    return int(rng.integers(2, 13)), int(rng.integers(2, 13))


_RELATIONS = (
    "unrelated",
    "the same",
    "the same with clusters in another order",
    "its labels",
    "itself rounded",
    "itself as float32",
    "itself but for some objects",
    "itself with noise",
    "alike for all objects",
)
_CHANCES = (0.6, 0.02, 0.08, 0.06, 0.06, 0.04, 0.06, 0.06, 0.02)


def _related(P: Data, relation: str, rng: Rng) -> Data:
    """Make a second partition of the first."""
    n = len(P)
    if P.ndim == 1:
        P = (P[:, np.newaxis] == np.arange(max(2, P.max() + 1))).astype(np.float64)
    K = P.shape[1]
    match relation:
        case "the same with clusters in another order":
            return P[:, rng.permutation(K)]
        case "its labels":
            return np.asarray(P.argmax(axis=1))
        case "itself rounded":
            D = int(rng.choice([10, 255, 1000, 10**6]))
            whole = np.floor(np.maximum(P, 0.0).astype(np.float64) * D)
            whole[:, 0] = np.maximum(D - whole[:, 1:].sum(axis=1), 0.0)
            return whole / np.maximum(whole.sum(axis=1, keepdims=True), 1.0)
        case "itself as float32":
            return P.astype(np.float32)
        case "itself but for some objects":
            others = rng.random(n) < rng.choice([1 / n, 0.1])
            # Rows that were rounded go with such alone.
            return np.where(others[:, np.newaxis], P[rng.permutation(n)], P)
        case "itself with noise":
            noise = 10.0 ** -rng.integers(3, 17) * rng.random((n, K))
            Q = np.maximum(P, 0.0).astype(np.float64) + noise
            return Q / Q.sum(axis=1, keepdims=True)
        case "alike for all objects":
            return constant(rng, n, K)
    return P.copy()


class CleanPairs:
    """Partitions that must give the same bits, whatever was computed in between."""

    def __init__(self) -> None:
        rng = np.random.default_rng(1)
        self._pairs = [
            tuple(rng.dirichlet(np.full(K, alpha), n) for _ in range(2))
            for n, K, alpha in _CLEAN
        ]
        self._before = [self._concordance(i) for i in range(len(_CLEAN))]

    def changed(self, P: Data, Q: Data) -> Iterator[str]:
        """Tell which of them change right after two other partitions."""
        for i, before in enumerate(self._before):
            with suppress(Exception):  # which was told when all methods were tried
                in_bins(P, Q)
            now = self._concordance(i)
            if now != before:
                yield f"a clean pair changes: {before} before, {now} now"
                self._before[i] = now

    def _concordance(self, i: int) -> cc.Concordance:
        return in_bins(*self._pairs[i])


def violations(seed: int, clean: CleanPairs, tally: Tally) -> Iterator[str]:
    """Try one case, and then the clean pairs."""
    case = drawn(seed)
    rng = np.random.default_rng([seed, 1])
    with lowered(rng):
        for what in broken_claims(case.P, case.Q, rng, tally):
            yield f"seed {seed}: {case.name}: {what}"
    for what in clean.changed(case.P, case.Q):
        yield f"seed {seed}: {case.name}: afterwards {what}"


def search(seed: int, seconds: float, n_cases: int) -> int:
    """Try case after case, telling each before it begins; count what was found."""
    clean, tally = CleanPairs(), Tally()
    end = time.monotonic() + seconds
    found = tried = 0
    while tried < n_cases and time.monotonic() < end:
        print("at", seed + tried, flush=True)
        lines = list(violations(seed + tried, clean, tally))
        if len(lines) > _MOST_LINES:
            more = len(lines) - _MOST_LINES + 1
            lines[_MOST_LINES - 1 :] = [f"seed {seed + tried}: and {more} more"]
        for line in lines:
            print(line, flush=True)
        found += len(lines)
        tried += 1
    print(f"samples {tally.covered} {tally.intervals}", flush=True)
    return found


@dataclass
class Search:
    """What a search has come to."""

    seed: int  # of the case that it is at
    found: int = 0
    tally: Tally = field(default_factory=Tally)

    def go_on(self, command: list[str]) -> None:
        """Listen to a process that searches; one that crashes is a find as well."""
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
            for line in child.stdout or ():
                match line.split():
                    case ["at", seed]:
                        self.seed = int(seed)
                    case ["samples", covered, intervals]:
                        self.tally.covered += int(covered)
                        self.tally.intervals += int(intervals)
                    case _:
                        self._tell(line.rstrip())
        if child.returncode not in (0, 1):
            how = f"the interpreter ended with {child.returncode}"
            self._tell(f"seed {self.seed}: {drawn(self.seed).name}: {how}")

    def _tell(self, line: str) -> None:
        print(line, flush=True)
        self.found += 1


def main(arguments: list[str] | None = None) -> int:
    """Search in processes of their own, a new one behind each crash."""
    asked = _asked(arguments)
    if asked.here:
        return 1 if search(asked.seed, asked.seconds, asked.cases) else 0
    end, stop = time.monotonic() + asked.seconds, asked.seed + asked.cases
    state = Search(asked.seed)
    while state.seed < stop and (left := end - time.monotonic()) > 0:
        options = {
            "--seed": state.seed,
            "--cases": stop - state.seed,
            "--seconds": left,
        }
        words = (f"{name}={value}" for name, value in options.items())
        state.go_on([sys.executable, "-X", "faulthandler", __file__, "--here", *words])
        state.seed += 1
    tally = state.tally
    print(
        f"attack: {state.seed - asked.seed} cases from seed {asked.seed}, "
        f"{state.found} violations; {tally.covered} of {tally.intervals} intervals of "
        "samples hold the truth"
    )
    return 1 if state.found else 0


def _asked(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Search for wrong numbers.")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--cases", type=int, default=sys.maxsize)
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
