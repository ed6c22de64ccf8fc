"""How often the intervals of samples hold the exact value, design by design."""

import argparse
import math
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple
from unittest import mock

import numpy as np
from numpy.typing import NDArray

import concordant as cc

Matrix = NDArray[np.float64]
Pair = tuple[Matrix, Matrix]


class Design(NamedTuple):
    """Two partitions, and the half width that a sample of their pairs is to reach."""

    make: Callable[[np.random.Generator], Pair]
    tol: float


class Coverage(NamedTuple):
    """What became of the samples of a design."""

    inside: float
    bias: float
    share: float
    all_pairs: float
    miss: float
    width: float


def one_hot(labels: NDArray[np.int64], n_clusters: int) -> Matrix:
    """Give labels as memberships."""
    return np.eye(n_clusters)[labels]


def blurred(U: Matrix, rng: np.random.Generator, amount: float) -> Matrix:
    """Mix memberships with random ones."""
    noise = rng.dirichlet(np.ones(U.shape[1]), len(U))
    return (1.0 - amount) * U + amount * noise


def _unrelated(n: int) -> Callable[[np.random.Generator], Pair]:
    def make(rng: np.random.Generator) -> Pair:
        return rng.dirichlet([1, 1, 1], n), rng.dirichlet([1, 1, 1, 1], n)

    return make


def _related(n: int, amount: float) -> Callable[[np.random.Generator], Pair]:
    def make(rng: np.random.Generator) -> Pair:
        P = rng.dirichlet([0.5, 0.5, 0.5], n)
        return P, blurred(P, rng, amount)

    return make


def _outliers(
    n: int, in_p: list[int], in_q: list[int], noise: float
) -> Callable[[np.random.Generator], Pair]:
    """All objects in cluster 0 but for the first ones, whose clusters are given."""

    def make(rng: np.random.Generator) -> Pair:
        p, q = np.zeros(n, np.int64), np.zeros(n, np.int64)
        p[: len(in_p)], q[: len(in_q)] = in_p, in_q
        return (
            blurred(one_hot(p, 4), rng, noise),
            blurred(one_hot(q, 4), rng, noise),
        )

    return make


def _split(
    n: int, small: int, large: int, noise: float
) -> Callable[[np.random.Generator], Pair]:
    """Some large clusters and a small one, which Q splits into halves."""

    def make(rng: np.random.Generator) -> Pair:
        p = rng.integers(large, size=n)
        p[:small] = large
        q = p.copy()
        q[: small // 2] = large + 1
        K = large + 2
        return blurred(one_hot(p, K), rng, noise), blurred(one_hot(q, K), rng, noise)

    return make


def _small_groups(
    n: int, outliers: int, groups: int
) -> Callable[[np.random.Generator], Pair]:
    """More outliers than are met by all, in small groups that Q forms anew."""

    def make(rng: np.random.Generator) -> Pair:
        p, q = np.zeros(n, np.int64), np.zeros(n, np.int64)
        p[:outliers] = 1 + np.arange(outliers) % groups
        q[:outliers] = 1 + rng.permutation(np.arange(outliers) % groups)
        K = groups + 1
        return blurred(one_hot(p, K), rng, 1e-6), blurred(one_hot(q, K), rng, 1e-6)

    return make


def _renamed(make: Callable[[np.random.Generator], Pair]) -> Callable[..., Pair]:
    """Put the clusters of Q in another order, and split one of them by chance."""

    def renamed(rng: np.random.Generator) -> Pair:
        P, Q = make(rng)
        Q = Q[:, rng.permutation(Q.shape[1])]
        part = rng.uniform(size=len(Q))
        return P, np.column_stack([Q[:, 0] * part, Q[:, 0] * (1 - part), Q[:, 1:]])

    return renamed


def _moved(n: int, moved: int, alpha: float) -> Callable[[np.random.Generator], Pair]:
    """Two nearly equal partitions, but for some objects that are elsewhere."""

    def make(rng: np.random.Generator) -> Pair:
        P = rng.dirichlet([alpha] * 4, n)
        Q = blurred(P, rng, 1e-3)
        Q[:moved] = P[:moved, ::-1]
        return P, Q

    return make


def _votes(n: int) -> Callable[[np.random.Generator], Pair]:
    """Shares of 5 and of 7 votes, as nearest neighbours give them."""

    def make(rng: np.random.Generator) -> Pair:
        centre = rng.dirichlet([0.3] * 5, n)
        P = np.array([rng.multinomial(5, row) for row in centre]) / 5
        Q = np.array([rng.multinomial(7, row) for row in centre]) / 7
        return P, Q

    return make


def _close(n: int, spread: float) -> Callable[[np.random.Generator], Pair]:
    """Memberships near one half, one object aside."""

    def make(rng: np.random.Generator) -> Pair:
        x, y = 0.5 + spread * rng.uniform(-1, 1, (2, n))
        y[: n // 2] = x[: n // 2]
        x[0] = 0.5 + 20 * spread
        return np.column_stack([x, 1 - x]), np.column_stack([y, 1 - y])

    return make


DESIGNS = {
    "unrelated, n = 200": Design(_unrelated(200), 3e-2),
    "related, n = 1500": Design(_related(1500, 0.5), 2e-3),
    "nearly equal, n = 2000": Design(_related(2000, 1e-3), 1e-3),
    "votes of 5 and 7, n = 1500": Design(_votes(1500), 3e-3),
    "all close to 1/2, n = 800": Design(_close(800, 1e-6), 1e-2),
    "one outlier in P, n = 1000": Design(_outliers(1000, [1], [0], 1e-3), 1e-2),
    "another one in Q, n = 500": Design(_outliers(500, [1, 0], [0, 1], 1e-9), 1e-2),
    "two, apart in Q, n = 200": Design(_outliers(200, [1, 1], [1, 2], 1e-9), 1e-2),
    "two, apart in Q, n = 5000": Design(_outliers(5000, [1, 1], [1, 2], 1e-3), 1e-2),
    "a pair merged, n = 1000": Design(
        _outliers(1000, [1, 2, 3], [1, 1, 3], 1e-6), 3e-3
    ),
    "30 of one cluster split, n = 2000": Design(_split(2000, 30, 1, 1e-3), 3e-3),
    "20 of four clusters split, n = 5000": Design(_split(5000, 20, 3, 1e-2), 1e-3),
    "150 in groups of 5, n = 2000": Design(_small_groups(2000, 150, 30), 1e-2),
    "split, clusters renamed, n = 3000": Design(
        _renamed(_split(3000, 8, 3, 1e-2)), 3e-3
    ),
    "5 objects moved, n = 3000": Design(_moved(3000, 5, 0.05), 1e-3),
}

#: Of so many objects that groups of pairs hold some of them; for ACI and streams.
LONG = {
    "related, n = 30000": Design(_related(30_000, 0.5), 1e-3),
    "votes of 5 and 7, n = 30000": Design(_votes(30_000), 1e-3),
    "300 of four clusters split, n = 30000": Design(_split(30_000, 300, 3, 1e-2), 1e-3),
    "nearly equal, n = 30000": Design(_related(30_000, 1e-3), 1e-2),
    "100 objects moved, n = 30000": Design(_moved(30_000, 100, 0.05), 1e-2),
    "150 in groups of 5, n = 30000": Design(_small_groups(30_000, 150, 30), 1e-1),
}

#: What a sample gives: ACI, or the adjusted Rand index of a family.
MEASURES = ("aci", "campello", "huellermeier")
#: ACI of a stream of which some objects are kept.
STREAM = "stream"

_KEPT = 3  # one of so many objects
_CHUNKS = 7


def measured(
    P: Matrix, Q: Matrix, measure: str, **options: float
) -> tuple[float, float, int]:
    """Give value, half width and number of pairs."""
    if measure == STREAM:
        return streamed(P, Q, **options)
    if measure == "aci":
        found = cc.concordance(P, Q, **options)
        return found.aci, found.error, found.n_pairs
    table = cc.pair_table(P, Q, family=measure, **options)
    return table.adjusted_rand, table.error, table.n_sampled or 0


def streamed(
    P: Matrix, Q: Matrix, tol: float, random_state: int
) -> tuple[float, float, int]:
    """Estimate ACI from a third of the objects, which come in chunks."""
    parts = zip(np.array_split(P, _CHUNKS), np.array_split(Q, _CHUNKS), strict=True)
    with mock.patch("concordant.streams.object_sample._MOST", len(P) // _KEPT):
        found = cc.stream(parts, tol=tol, random_state=random_state).concordance
    assert found is not None
    return found.aci, found.error, found.n_pairs


def coverage(name: str, measure: str, seeds: int, first: int = 0) -> Coverage:
    """Draw samples of one design and look where the exact value lies."""
    design = (DESIGNS | LONG)[name]
    P, Q = design.make(np.random.default_rng(0))
    n = len(P)
    of_table = measure not in ("aci", STREAM)
    exactly = {} if of_table or name in LONG else {"method": "sorted"}
    truth, _, _ = measured(P, Q, measure if of_table else "aci", **exactly)
    how = {} if measure == STREAM else {"method": "sampled"}
    drawn = [
        measured(P, Q, measure, tol=design.tol, random_state=seed, **how)
        for seed in range(first, first + seeds)
    ]
    values, widths, pairs = (np.array(column) for column in zip(*drawn, strict=True))
    misses = values - truth
    m = n * (n - 1) // 2
    # Of samples with next to no error only rounding is left to be seen.
    standard_error = max(float(misses.std(ddof=1)) / math.sqrt(seeds), 1e-12)
    return Coverage(
        float(np.mean(np.abs(misses) <= widths + 1e-12)),
        float(misses.mean()) / standard_error,
        float(pairs.mean()) / m,
        float(np.mean(pairs == m)),
        float(np.abs(misses).max()),
        float(widths.mean()),
    )


def _coverage(arguments: tuple[str, str, int, int]) -> Coverage:
    return coverage(*arguments)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=300)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument(
        "--designs", default="", help="only those with this in the name"
    )
    parser.add_argument("--jobs", type=int, default=1)
    known = (*MEASURES, STREAM)
    parser.add_argument("--measures", nargs="+", default=known, choices=known)
    options = parser.parse_args()
    seeds = options.seeds, options.first
    listed = [
        (name, measure, *seeds)
        for name in DESIGNS
        for measure in options.measures
        if options.designs in name
    ]
    listed += [
        (name, measure, *seeds)
        for name in LONG
        for measure in ("aci", STREAM)
        if measure in options.measures and options.designs in name
    ]
    print(
        f"{'design':36}{'measure':14}{'coverage':>9}{'bias/se':>9}{'pairs':>7}"
        f"{'all':>6}{'largest miss':>14}{'half width':>12}"
    )
    with ProcessPoolExecutor(options.jobs) as pool:
        for (name, measure, *_), found in zip(
            listed, pool.map(_coverage, listed), strict=True
        ):
            print(
                f"{name:36}{measure:14}{found.inside:9.3f}{found.bias:9.2f}"
                f"{found.share:7.2f}{found.all_pairs:6.2f}{found.miss:14.1e}"
                f"{found.width:12.1e}",
                flush=True,
            )


if __name__ == "__main__":
    main()
