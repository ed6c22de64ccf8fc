"""How often intervals over groups hold, and how p-values within strata are spread."""

import argparse
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np
from coverage_of_intervals import Labels, Pair, fuzzy
from numpy.typing import NDArray

import concordant as cc
from concordant.inference import concordance_test, confidence_interval

Draw = Callable[[Labels, Labels, np.random.Generator], Pair]

#: Groups of a data set, objects of a group on average, clusters.
GROUPS, OBJECTS, CLUSTERS = 30, 10, 3
#: Families of a data set, each of five objects, and the part of them that is moved.
FAMILIES, MOVED = (20, 40, 100, 400), 0.3
#: Groups of a sample from which the value of the population is computed, and samples.
POPULATION, SAMPLES = 600, 60


def grouped(
    n_groups: int, rng: np.random.Generator, *, unlike: bool
) -> tuple[Labels, Labels, Labels]:
    """
    Draw the groups of objects, and two labels of each object.

    Each group has clusters of its own, mostly one or two of them, and a share of its
    own of objects that have another label in Q. The sizes of groups may be `unlike`.
    """
    sizes = np.full(n_groups, OBJECTS)
    if unlike:
        sizes = rng.integers(3, 2 * OBJECTS - 2, size=n_groups)
    groups = np.repeat(np.arange(n_groups), sizes)
    shares = rng.dirichlet(np.full(CLUSTERS, 0.3), n_groups)
    p = (rng.random(len(groups))[:, None] > np.cumsum(shares, axis=1)[groups]).sum(
        axis=1
    )
    moved = rng.random(len(groups)) < rng.beta(0.3, 0.6, n_groups)[groups]
    others = rng.integers(CLUSTERS, size=n_groups)  # to which a group moves
    return groups, np.minimum(p, CLUSTERS - 1), np.where(moved, others[groups], p)


def families(
    n_families: int, rng: np.random.Generator
) -> tuple[Labels, Labels, Labels]:
    """
    Draw families whose members are mostly alike and go to another cluster together.

    With half of them moved, ACI would be least: its standard error depends on itself.
    """
    groups = np.repeat(np.arange(n_families), 5)
    kinds = rng.integers(CLUSTERS, size=n_families)[groups]
    moved = (rng.random(n_families) < MOVED)[groups]
    n = len(groups)
    p = np.where(rng.random(n) < 0.9, kinds, rng.integers(CLUSTERS, size=n))
    return groups, p, np.where(moved, (p + 1) % CLUSTERS, p)


def two_fuzzy(p: Labels, q: Labels, rng: np.random.Generator) -> Pair:
    return fuzzy(p, CLUSTERS, rng, 4.0), fuzzy(q, CLUSTERS, rng, 4.0)


def fuzzy_and_crisp(p: Labels, q: Labels, rng: np.random.Generator) -> Pair:
    return fuzzy(p, CLUSTERS, rng, 4.0), q


def two_crisp(p: Labels, q: Labels, rng: np.random.Generator) -> Pair:
    return p, q


DRAWS: dict[str, Draw] = {
    "two fuzzy": two_fuzzy,
    "fuzzy and crisp": fuzzy_and_crisp,
    "two crisp": two_crisp,
}


_SIZES = "equal", "unlike"


class Coverage(NamedTuple):
    """How often intervals over groups and over objects hold, and what they tell."""

    over_groups: float
    below: float  # the value of the population, of an interval over groups
    above: float
    over_objects: float
    truth: float
    bias: float  # in standard deviations of the estimate
    spread: float
    of_groups: float  # mean standard errors
    of_objects: float


@cache
def population_value(name: str, unlike: bool, samples: int = SAMPLES) -> float:
    """Average ACI over samples of many groups."""
    rng = np.random.default_rng(7)
    found = []
    for _ in range(samples):
        _, p, q = grouped(POPULATION, rng, unlike=unlike)
        found.append(cc.concordance(*DRAWS[name](p, q, rng)).aci)
    return float(np.mean(found))


def coverage(
    name: str, *, unlike: bool, sets: int = 1000, samples: int = SAMPLES
) -> Coverage:
    """Draw data sets of a design and look where the value of the population lies."""

    def draw(rng: np.random.Generator) -> tuple[Labels, Any, Any]:
        groups, p, q = grouped(GROUPS, rng, unlike=unlike)
        return groups, *DRAWS[name](p, q, rng)

    truth = population_value(name, unlike, samples)
    return _covered(draw, truth, sets, int(unlike))


def coverage_of_families(n_families: int, sets: int = 1000) -> Coverage:
    """Do the same for families."""
    # If one of two objects is moved, P and Q differ where P or Q has them together.
    d = 2 * MOVED * (1 - MOVED) * 2 / CLUSTERS
    between = 1 - 1 / CLUSTERS
    truth = 1 - d / (2 * between * (1 - between))
    return _covered(partial(families, n_families), truth, sets, n_families)


def _covered(
    draw: Callable[[np.random.Generator], tuple[Labels, Any, Any]],
    truth: float,
    sets: int,
    seed: int,
) -> Coverage:
    found = []
    for number in range(sets):
        groups, P, Q = draw(np.random.default_rng([number, seed]))
        over_groups = confidence_interval(P, Q, groups=groups)
        found.append((over_groups, confidence_interval(P, Q)))
    inside = [[one.low <= truth <= one.high for one in both] for both in found]
    errors = np.array([[one.standard_error for one in both] for both in found])
    estimates = np.array([both[0].estimate for both in found])
    spread = float(estimates.std(ddof=1))
    over_groups, over_objects = np.mean(inside, axis=0).tolist()
    of_groups, of_objects = errors.mean(axis=0).tolist()
    return Coverage(
        over_groups=over_groups,
        below=float(np.mean([truth < both[0].low for both in found])),
        above=float(np.mean([truth > both[0].high for both in found])),
        over_objects=over_objects,
        truth=truth,
        bias=float(estimates.mean() - truth) / spread,
        spread=spread,
        of_groups=of_groups,
        of_objects=of_objects,
    )


def pvalues(
    name: str, *, sets: int, n: int = 60, n_strata: int = 4
) -> NDArray[np.float64]:
    """
    Return p-values within strata, and without them, of partitions that strata explain.

    Within a stratum P and Q are unrelated, and both have clusters that go with it.
    """
    found = []
    for seed in range(sets):
        rng = np.random.default_rng([seed, n])
        strata = rng.integers(n_strata, size=n)
        p, q = (
            np.where(
                rng.random(n) < 0.5, strata % CLUSTERS, rng.integers(CLUSTERS, size=n)
            )
            for _ in range(2)
        )
        P, Q = DRAWS[name](p, q, rng)
        asked: dict[str, Any] = {"n_permutations": 199, "random_state": seed}
        within = concordance_test(P, Q, strata=strata, stop_after=None, **asked)
        found.append((within.pvalue, concordance_test(P, Q, **asked).pvalue))
    return np.array(found)


def _coverage(arguments: tuple[str, str, int]) -> Coverage:
    name, sizes, sets = arguments
    if name == "families":
        return coverage_of_families(int(sizes), sets)
    return coverage(name, unlike=sizes == "unlike", sets=sets)


def main() -> None:
    """Print the tables."""
    from scipy.stats import kstest

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=1000)
    parser.add_argument("--family-sets", type=int, default=2000)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--families-only", action="store_true")
    options = parser.parse_args()
    listed = [("families", str(number), options.family_sets) for number in FAMILIES]
    if not options.families_only:
        listed += [(name, z, options.sets) for name in DRAWS for z in _SIZES]
    print(
        f"{'design':18}{'sizes':>8}{'groups':>8}{'below':>8}{'above':>8}{'objects':>9}"
        f"{'truth':>8}{'bias/sd':>9}{'sd':>9}{'se groups':>11}{'se objects':>12}"
    )
    with ProcessPoolExecutor(options.jobs) as pool:
        for (name, sizes, _), found in zip(
            listed, pool.map(_coverage, listed), strict=True
        ):
            print(
                f"{name:18}{sizes:>8}{found.over_groups:8.3f}{found.below:8.3f}"
                f"{found.above:8.3f}{found.over_objects:9.3f}"
                f"{found.truth:8.4f}{found.bias:9.2f}{found.spread:9.4f}"
                f"{found.of_groups:11.4f}{found.of_objects:12.4f}",
                flush=True,
            )
    if options.families_only:
        return
    # Ties can only make p-values larger: at no level should there be too many.
    print("\np-values of what strata explain: part up to 0.05, 0.2; too small with p")
    for name in DRAWS:
        for told, p in zip(
            ("strata", "free"), pvalues(name, sets=options.sets).T, strict=True
        ):
            uniform = kstest(p, "uniform", alternative="greater").pvalue
            parts = "".join(f"{np.mean(p <= level):8.3f}" for level in (0.05, 0.2))
            print(f"{name:18}{told:>8}{parts}{uniform:12.2g}", flush=True)


if __name__ == "__main__":
    main()
