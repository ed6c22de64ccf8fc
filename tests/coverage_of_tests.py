"""Whether p-values of unrelated partitions are uniform, and moments are right."""

import argparse
import math
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom, kstest, permutation_test, random_table

from concordant.inference import concordance_test
from concordant.inference import permutation_test as tested

Pair = tuple[NDArray[Any], NDArray[Any]]
Make = Callable[[np.random.Generator, int], Pair]

LEVEL = 0.05
STOP_AFTER = 10
TABLES = 200_000  # of which the null distribution of two crisp partitions is made
SAMPLE = 150  # pairs
MODES: dict[str, dict[str, Any]] = {
    "all pairs": {},
    "sample": {"method": "sampled"},
    "stopping": {"stop_after": STOP_AFTER},
}


def _sizes(rng: np.random.Generator, n: int, shares: list[float]) -> NDArray[np.int64]:
    """Give labels of clusters of fixed sizes, in random order."""
    counts = np.floor(np.array(shares) * n).astype(int)
    counts[0] += n - counts.sum()
    return rng.permutation(np.repeat(np.arange(len(shares)), counts))


def _two_fuzzy(rng: np.random.Generator, n: int) -> Pair:
    return rng.dirichlet([1, 1, 1], n), rng.dirichlet([2, 1, 0.5], n)


def _fuzzy_and_crisp(rng: np.random.Generator, n: int) -> Pair:
    return rng.dirichlet([2, 1, 0.5], n), _sizes(rng, n, [1 / 3] * 3)


def _fuzzy_and_unbalanced(rng: np.random.Generator, n: int) -> Pair:
    return rng.dirichlet([1, 1, 1], n), _sizes(rng, n, [0.7, 0.2, 0.1])


def _two_crisp(rng: np.random.Generator, n: int) -> Pair:
    return _sizes(rng, n, [1 / 3] * 3), _sizes(rng, n, [0.25] * 4)


def _two_unbalanced(rng: np.random.Generator, n: int) -> Pair:
    return _sizes(rng, n, [0.7, 0.2, 0.1]), _sizes(rng, n, [0.6, 0.4])


DESIGNS: dict[str, Make] = {
    "two fuzzy": _two_fuzzy,
    "fuzzy, crisp balanced": _fuzzy_and_crisp,
    "fuzzy, crisp unbalanced": _fuzzy_and_unbalanced,
    "two crisp balanced": _two_crisp,
    "two crisp unbalanced": _two_unbalanced,
}


class Found(NamedTuple):
    """The p-value of a data set, and one that ties are broken at random in."""

    pvalue: float
    without_ties: float


def one(design: str, mode: str, n: int, h: int, seed: int) -> Found:
    """Test one data set of partitions that have nothing to do with each other."""
    tested._Test._has_moments = lambda test: False  # which p-values do not need
    rng = np.random.default_rng([seed, n, [*DESIGNS].index(design)])
    P, Q = DESIGNS[design](rng, n)
    result = concordance_test(P, Q, n_permutations=h, random_state=rng, **MODES[mode])
    u = float(rng.random())
    null, found = result.null_distribution, result.statistic
    drawn = len(null)
    more = int(np.count_nonzero(null > found + 1e-10))
    ties = int(np.count_nonzero(np.abs(null - found) <= 1e-10))
    if mode == "stopping" and more + ties >= STOP_AFTER:
        # The last draw was the one that was enough: l >= k has probability b / k.
        least, most = STOP_AFTER / (drawn + 1), STOP_AFTER / drawn
        return Found(result.pvalue, least + u * (most - least))
    return Found(result.pvalue, (more + u * (ties + 1)) / (drawn + 1))


def _chunk(design: str, mode: str, n: int, h: int, seeds: range) -> list[Found]:
    tested._SAMPLED = SAMPLE
    return [one(design, mode, n, h, seed) for seed in seeds]


def attainable(design: str, n: int, h: int) -> float:
    """
    Give the share of p-values of h permutations up to the level that there should be.

    It is the level itself, but where two crisp partitions have few different values of
    the statistic: all that tie with the one found count as at least as large.
    """
    if not design.startswith("two crisp"):
        return LEVEL
    p, q = DESIGNS[design](np.random.default_rng(0), n)
    law = random_table(np.bincount(p), np.bincount(q))
    cells = law.rvs(TABLES, random_state=np.random.default_rng(1))
    joined = (cells * (cells - 1) // 2).sum(axis=(1, 2))
    _, counts = np.unique(joined, return_counts=True)
    shares = counts / TABLES
    at_least = np.cumsum(shares[::-1])[::-1]
    most = math.floor(LEVEL * (h + 1) + 1e-9) - 1
    return float(shares @ binom.cdf(most, h, np.minimum(at_least, 1.0)))


def uniformity(pool: ProcessPoolExecutor, sets: int, h: int) -> None:
    """Print how p-values are distributed, design by design."""
    print(f"{sets} data sets each, {h} permutations")
    print(
        f"{'design':<25}{'mode':<11}{'n':>5}{'KS p':>9}{'p <= .05':>10}"
        f"{'attainable':>12}{'KS >':>9}"
    )
    for design in DESIGNS:
        for mode in MODES:
            if mode == "sample" and design.startswith("two crisp"):
                continue  # they need none
            for n in (30, 200):
                jobs = [
                    pool.submit(_chunk, design, mode, n, h, range(start, start + 100))
                    for start in range(0, sets, 100)
                ]
                found = np.array([f for job in jobs for f in job.result()])
                ties = mode == "stopping" and design.startswith("two crisp")
                uniform = math.nan if ties else kstest(found[:, 1], "uniform").pvalue
                # Ties make the p-value itself larger, never smaller.
                small = kstest(found[:, 0], "uniform", alternative="greater").pvalue
                rejected = (found[:, 0] <= LEVEL).mean()
                print(
                    f"{design:<25}{mode:<11}{n:>5}{uniform:>9.3f}{rejected:>10.4f}"
                    f"{attainable(design, n, h):>12.4f}{small:>9.3f}",
                    flush=True,
                )


def moments(h: int) -> None:
    """Print how far moments in closed form are from those of many permutations."""
    print(f"\nmoments at n = 200 against {h} permutations, in standard errors")
    for design, make in DESIGNS.items():
        P, Q = make(np.random.default_rng(1), 200)
        result = concordance_test(
            P, Q, n_permutations=h, stop_after=None, random_state=2, n_jobs=-1
        )
        null, sd = result.null_distribution, result.null_sd
        kurtosis = float(((null - null.mean()) ** 4).mean() / null.var() ** 2)
        of_mean = (null.mean() - result.null_mean) / (sd / math.sqrt(h))
        of_sd = (null.std() - sd) / (sd * math.sqrt((kurtosis - 1) / (4 * h)))
        skewness = float(((null - null.mean()) ** 3).mean() / null.std() ** 3)
        print(
            f"{design:<25} mean {of_mean:+.2f}  sd {of_sd:+.2f}  "
            f"skewness {skewness:+.2f}  stated error {result.null_sd_error / sd:.1e}",
            flush=True,
        )


def against_scipy(h: int) -> None:
    """Print p-values of crisp partitions beside those of SciPy and scikit-learn."""
    from sklearn.metrics import adjusted_rand_score

    print(f"\np-values of crisp partitions, ours and SciPy's with {h} resamples")
    for seed in range(5):
        rng = np.random.default_rng(seed)
        p = rng.integers(3, size=80)
        q = np.where(rng.random(80) < 0.2, p, rng.integers(3, size=80))
        theirs = permutation_test(
            (q,),
            lambda labels, p=p: adjusted_rand_score(p, labels),
            permutation_type="pairings",
            n_resamples=h,
            alternative="greater",
            rng=rng,
        ).pvalue
        ours = concordance_test(
            p, q, n_permutations=10**5, stop_after=None, random_state=seed
        ).pvalue
        error = math.sqrt(ours * (1 - ours) / h) or 1 / h
        print(
            f"{ours:.5f}  {theirs:.5f}  {(theirs - ours) / error:+.2f} standard errors",
            flush=True,
        )


def main() -> None:
    """Run all of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=2000)
    parser.add_argument("--permutations", type=int, default=99)
    parser.add_argument("--many", type=int, default=10**5)
    parser.add_argument("--resamples", type=int, default=2000)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    given = parser.parse_args()
    moments(given.many)
    against_scipy(given.resamples)
    with ProcessPoolExecutor(given.jobs) as pool:
        uniformity(pool, given.sets, given.permutations)


if __name__ == "__main__":
    main()
