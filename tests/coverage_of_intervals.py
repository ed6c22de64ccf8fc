"""How often intervals hold the value of the population, and where differences are."""

import argparse
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import concordant as cc
from concordant.inference import (
    confidence_interval,
    difference_test,
    local_concordance,
    object_discordance,
)

Labels = NDArray[np.int64]
Matrix = NDArray[np.float64]
Pair = tuple[Any, Any]
Make = Callable[[int, np.random.Generator], Pair]

#: Objects of a sample from which the value of the population is computed, and samples.
POPULATION, SAMPLES = 6000, 60
#: How far the score of an object's own cluster exceeds others, where changes are
#: planted, None: crisp; and how many data sets there are of each.
SHARP, PLANTED = (None, 5.0, 3.5, 2.5), 200


def fuzzy(labels: Labels, K: int, rng: np.random.Generator, sharp: float) -> Matrix:
    """Give memberships around labels: a soft maximum of noisy scores."""
    scores = rng.normal(size=(len(labels), K))
    scores[np.arange(len(labels)), labels] += sharp
    weights = np.exp(scores)
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


def relabelled(
    labels: Labels, K: int, rng: np.random.Generator, share: float
) -> Labels:
    """Give some objects a random label."""
    other = rng.random(len(labels)) < share
    return np.where(other, rng.integers(K, size=len(labels)), labels)


def two_fuzzy(n: int, rng: np.random.Generator) -> Pair:
    z = rng.integers(3, size=n)
    return fuzzy(z, 3, rng, 2.5), fuzzy(z, 3, rng, 2.5)


def weakly_related(n: int, rng: np.random.Generator) -> Pair:
    z = rng.integers(2, size=n)
    other = 2 * relabelled(z, 2, rng, 0.2) + rng.integers(2, size=n)
    return fuzzy(z, 2, rng, 1.5), fuzzy(other, 4, rng, 2.0)


def fuzzy_and_crisp(n: int, rng: np.random.Generator) -> Pair:
    z = rng.choice(3, p=[0.5, 0.3, 0.2], size=n)
    return fuzzy(relabelled(z, 3, rng, 0.1), 3, rng, 3.0), z


def two_crisp(n: int, rng: np.random.Generator) -> Pair:
    z = rng.choice(4, p=[0.4, 0.3, 0.2, 0.1], size=n)
    return z, relabelled(z, 4, rng, 0.3)


def few_moved(n: int, rng: np.random.Generator) -> Pair:
    """One object in twenty differs: a sample of 100 has five of them."""
    z = rng.choice(4, p=[0.4, 0.3, 0.2, 0.1], size=n)
    return z, relabelled(z, 4, rng, 0.06)


def unrelated(n: int, rng: np.random.Generator) -> Pair:
    return rng.dirichlet([0.5, 0.5, 0.5], n), rng.dirichlet([1.0, 0.5, 0.3], n)


def unrelated_balanced(n: int, rng: np.random.Generator) -> Pair:
    return rng.integers(3, size=n), rng.integers(3, size=n)


DESIGNS: dict[str, Make] = {
    "two fuzzy": two_fuzzy,
    "two fuzzy, weakly related": weakly_related,
    "fuzzy and crisp": fuzzy_and_crisp,
    "two crisp": two_crisp,
}
#: Where coverage is not what the level says, or only by the scale of the interval.
HARD: dict[str, Make] = {
    "few objects moved": few_moved,
    "unrelated, fuzzy": unrelated,
    "unrelated, crisp, balanced": unrelated_balanced,
}


class Coverage(NamedTuple):
    """What became of the intervals of a design."""

    inside: float
    below: float
    above: float
    truth: float
    bias: float  # in standard deviations of the estimate
    spread: float
    standard_error: float


@cache
def population_value(make: Make, index: str, samples: int = SAMPLES) -> float:
    """Average an index over large samples."""
    rng = np.random.default_rng(7)
    found = [cc.concordance(*make(POPULATION, rng)) for _ in range(samples)]
    return float(np.mean([getattr(one, index) for one in found]))


def coverage(
    make: Make,
    n: int,
    *,
    index: str = "aci",
    sets: int = 1000,
    samples: int = SAMPLES,
) -> Coverage:
    """Draw data sets of a design and look where the value of the population lies."""
    truth = population_value(make, index, samples)
    found = [
        confidence_interval(*make(n, np.random.default_rng([seed, n])), index=index)
        for seed in range(sets)
    ]
    low, high, estimates, errors = (
        np.array([getattr(one, name) for one in found])
        for name in ("low", "high", "estimate", "standard_error")
    )
    below, above = np.mean(truth < low), np.mean(truth > high)
    spread = float(estimates.std(ddof=1))
    return Coverage(
        inside=float(1.0 - below - above),
        below=float(below),
        above=float(above),
        truth=truth,
        bias=float(estimates.mean() - truth) / spread,
        spread=spread,
        standard_error=float(errors.mean()),
    )


def rejected(
    n: int, shares: tuple[float, float], sharp: float | None, sets: int
) -> float:
    """
    Tell how often a difference is found at a level of 5 %.

    P and Q are the reference with some objects relabelled, crisp, or fuzzy around that.
    """
    n_found = 0
    for seed in range(sets):
        rng = np.random.default_rng([seed, n])
        z = rng.choice(3, p=[0.5, 0.3, 0.2], size=n)
        P, Q = (relabelled(z, 3, rng, share) for share in shares)
        if sharp is not None:
            P, Q = (fuzzy(labels, 3, rng, sharp) for labels in (P, Q))
        n_found += difference_test(P, Q, z).pvalue <= 0.05
    return n_found / sets


def planted_swap(n: int, seed: int, sharp: float | None) -> float:
    """Move a tenth of the objects; what part of them is in the tenth ranked first."""
    P, Q, moved = _with_a_tenth_moved(n, seed, sharp)
    first = object_discordance(P, Q).largest(moved.size)
    return len({*first.tolist()} & {*moved.tolist()}) / moved.size


def best_ranking(n: int, seed: int, sharp: float) -> float:
    """
    Do the same by the probability that an object was moved.

    It takes to know how memberships were made: the label of an object is k with a
    probability that goes as the membership in k to the power `sharp`.
    """
    P, Q, moved = _with_a_tenth_moved(n, seed, sharp)
    one, other = (X**sharp / (X**sharp).sum(axis=1, keepdims=True) for X in (P, Q))
    first = np.argsort((one * other).sum(axis=1), kind="stable")[: moved.size]
    return len({*first.tolist()} & {*moved.tolist()}) / moved.size


def _with_a_tenth_moved(
    n: int, seed: int, sharp: float | None
) -> tuple[Any, Any, Labels]:
    rng = np.random.default_rng([seed, n])
    z = rng.integers(4, size=n)
    moved = rng.choice(n, n // 10, replace=False)
    w = z.copy()
    w[moved] = (z[moved] + rng.integers(1, 4, size=moved.size)) % 4
    return *_both(z, w, 4, 4, rng, sharp), moved


def planted_change(n: int, seed: int, sharp: float | None, fate: str) -> bool:
    """Split a cluster or merge two; tell whether just that is named."""
    rng = np.random.default_rng([seed, n])
    z = rng.choice(4, p=[0.3, 0.3, 0.2, 0.2], size=n)
    if fate == "split":
        w = np.where((z == 1) & (rng.random(n) < 0.4), 4, z)
        expected = {(("1",), ("1", "4")), (("0",), ("0",)), (("2",), ("2",))}
        expected |= {(("3",), ("3",))}
    else:
        w = np.where(z == 3, 2, z)
        expected = {(("2", "3"), ("2",)), (("0",), ("0",)), (("1",), ("1",))}
    L = 5 if fate == "split" else 3
    P, Q = _both(z, relabelled(w, L, rng, 0.05), 4, L, rng, sharp)
    found = local_concordance(P, Q).changes
    named = {
        (tuple(sorted(one.clusters_p)), tuple(sorted(one.clusters_q)))
        for one in found
        if one.fate in ("kept", fate)
    }
    right = sum(one.fate == fate for one in found) == 1
    return right and named == expected


def largest_membership(sharp: float | None) -> float:
    """Average the largest membership of an object in four clusters."""
    if sharp is None:
        return 1.0
    rng = np.random.default_rng(0)
    return float(fuzzy(rng.integers(4, size=4000), 4, rng, sharp).max(axis=1).mean())


def _both(
    z: Labels, w: Labels, K: int, L: int, rng: np.random.Generator, sharp: float | None
) -> Pair:
    if sharp is None:
        return z, w
    return fuzzy(z, K, rng, sharp), fuzzy(w, L, rng, sharp)


def _coverage(arguments: Sequence[Any]) -> Coverage:
    name, n, index, sets = arguments
    return coverage({**DESIGNS, **HARD}[name], n, index=index, sets=sets)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=1000)
    parser.add_argument("--sizes", type=int, nargs="+", default=[30, 100, 200])
    every = [*DESIGNS, *HARD]
    parser.add_argument("--designs", nargs="+", choices=every, default=every)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--planted-only", action="store_true")
    options = parser.parse_args()
    if not options.planted_only:
        print_coverage(options)
    print_planted(options.jobs)


def print_coverage(options: argparse.Namespace) -> None:
    """Print how often intervals hold, and how often a difference is found."""
    listed = [
        (name, n, index, options.sets)
        for n in options.sizes
        for name in options.designs
        for index in ("aci", "ndc")
    ]
    print(
        f"{'design':28}{'n':>6} {'index':6}{'inside':>8}{'below':>8}"
        f"{'above':>8}{'truth':>9}{'bias/sd':>9}{'sd':>9}{'mean se':>9}"
    )
    with ProcessPoolExecutor(options.jobs) as pool:
        for (name, n, index, _), found in zip(
            listed, pool.map(_coverage, listed), strict=True
        ):
            print(
                f"{name:28}{n:6} {index:6}{found.inside:8.3f}"
                f"{found.below:8.3f}{found.above:8.3f}{found.truth:9.4f}"
                f"{found.bias:9.2f}{found.spread:9.4f}{found.standard_error:9.4f}",
                flush=True,
            )
    print("\ndifference_test: part of data sets in which p <= 0.05")
    for sharp in (None, 3.0):
        for n in (100, 200):
            for shares in ((0.2, 0.2), (0.2, 0.4)):
                found_part = rejected(n, shares, sharp, options.sets)
                kind = "crisp" if sharp is None else "fuzzy"
                print(
                    f"{kind:8}{n:6}  relabelled {shares}: {found_part:.3f}", flush=True
                )


def print_planted(jobs: int) -> None:
    """Print how often planted disagreements are found."""
    print(f"\nplanted disagreements, {PLANTED} data sets each: found in")
    print(
        f"{'largest membership':20}{'n':>5}{'moved':>8}{'at best':>9}"
        f"{'split':>8}{'merged':>8}"
    )
    with ProcessPoolExecutor(jobs) as pool:
        for sharp in SHARP:
            for n in (100, 400):
                parts = [*pool.map(planted_swap, *_cases(n, sharp))]
                top = np.mean([part >= 0.95 for part in parts])
                best = 1.0
                if sharp is not None:
                    parts = [*pool.map(best_ranking, *_cases(n, sharp))]
                    best = float(np.mean([part >= 0.95 for part in parts]))
                shares = []
                for fate in ("split", "merged"):
                    fates = [fate] * PLANTED
                    named = [*pool.map(planted_change, *_cases(n, sharp), fates)]
                    shares.append(np.mean(named))
                told = "".join(f"{share:8.3f}" for share in shares)
                known = f"{largest_membership(sharp):<20.2f}{n:5}{top:8.3f}{best:9.3f}"
                print(f"{known}{told}", flush=True)


def _cases(n: int, sharp: float | None) -> tuple[list[Any], ...]:
    """List the arguments of one data set after the other."""
    return [n] * PLANTED, [*range(PLANTED)], [sharp] * PLANTED


if __name__ == "__main__":
    main()
