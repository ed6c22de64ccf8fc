"""Times of the indices, next to other packages and to plain NumPy."""

import math
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np

from benchmarks.contest import contest
from benchmarks.row import Row
from concordant.catalogue.indices import INDICES
from concordant.catalogue.terms import Term

TEN_MILLION = 10_000_000


def fuzzy_fuzzy() -> Iterator[Row]:
    for style, target in (("fuzzy", 3.0), ("nearly crisp", 2.5)):
        for K in (3, 8):
            ours, peer = contest(
                ["aci", 12_000, K, style], ["pdist_twice", 12_000, K, style], rounds=8
            )
            text = f"ACI, two {style} partitions, n=12000, K={K} / pdist twice"
            yield Row.faster(text, ours, peer, target, most_mb=150.0)
    h, factor = 20, 50
    ours, peer = contest(
        ["aci", 2000, 3, "fuzzy"], ["paper", 2000, 3, "fuzzy", h], rounds=2
    )
    text = f"ACI, n=2000, K=3 / the paper's 1000 permutations ({h} times {factor})"
    yield Row.faster(text, ours, peer.times(factor), 1000.0)


def one_visit() -> Iterator[Row]:
    for n in (150, 5000, 20_000):
        ours, peer = contest(["compare", n, 5], ["concordance", n, 5], rounds=3)
        text = f"compare / concordance, n={n}, K=5, one thread"
        yield Row.bounded(text, ours.seconds / peer.seconds, 1.1, ours)
    for K, most in ((3, 0.5), (8, 0.7)):
        ours, peer = contest(["ndc", 12_000, K], ["concordance", 12_000, K], rounds=4)
        yield Row.bounded(
            f"NDC / ACI, n=12000, K={K}, one thread",
            ours.seconds / peer.seconds,
            most,
            ours,
        )
    for n in (1000, 5000):
        ours, peer = contest(["many_at_once", 20, n], ["many_by_two", 20, n], rounds=1)
        text = f"all pairs of 20 partitions, n={n} / one call for each"
        yield Row.faster(text, ours, peer, 2.5)
    for kind, name, k, n, most in (
        ("fuzzy", "many_at_once", 100, 200, 0.1),
        ("crisp", "many_of_labels", 200, 300, 0.015),
    ):
        (ours,) = contest([name, k, n], rounds=3)
        text = f"all pairs of {k} {kind} partitions, n={n}: milliseconds a pair"
        yield Row.bounded(text, 1e3 * ours.seconds / math.comb(k, 2), most, ours)


def small() -> Iterator[Row]:
    for n, target in ((150, 1 / 4), (1000, 1 / 2.5), (1400, 1 / 2.5)):
        ours, peer = contest(
            ["aci_on_one_core", n, 3, "fuzzy"],
            ["pdist_and_sort", n, 3, "fuzzy", True],
            rounds=5,
        )
        text = f"ACI, n={n}, K=3, one core / pdist and np.sort twice, a mean"
        yield Row.faster(text, ours, peer, target)


def ordinary_day() -> Iterator[Row]:
    for n, most in ((20, 0.1), (50, 0.14), (150, 0.3), (500, 1.2), (1000, 2.0)):
        (ours,) = contest(["aci_on_one_core", n, 3, "fuzzy"], rounds=5)
        text = f"one call, ACI of two fuzzy partitions, n={n}, K=3: milliseconds"
        yield Row.bounded(text, 1e3 * ours.seconds, most, ours)
    for n, most in ((20, 0.07), (50, 0.11), (150, 0.27)):
        (ours,) = contest(["aci_of_kept", n, 3], rounds=5)
        text = f"one call, ACI of two kept fuzzy partitions, n={n}, K=3: milliseconds"
        yield Row.bounded(text, 1e3 * ours.seconds, most, ours)
    names = "scikit-learn's adjusted Rand", "genieclust's adjusted Rand"
    ours, *peers = contest(
        ["aci_of_labels", 150, 3],
        ["sklearn_ari", 150, 3],
        ["genieclust_ari", 150, 3],
        rounds=5,
    )
    yield Row.bounded(
        "one call, ACI of labels, n=150, K=3: milliseconds", 1e3 * ours.seconds, 0.06
    )
    for name, peer in zip(names, peers, strict=True):
        yield Row.faster(f"one call, ACI of labels, n=150 / {name}", ours, peer, None)
    for text, contender, most in (
        ("soft AMI, n=20, K=3", ["soft_ami", 20, 3], 20.0),
        ("soft AMI, n=250, K=3", ["soft_ami", 250, 3], 1.0),
        ("wallace, n=1000, K=3", ["wallace", 1000, 3], 1.5),
        ("wallace, n=2000, K=3", ["wallace", 2000, 3], 5.9),
        ("1000 random hardenings, n=150, K=3", ["random_hardenings", 150, 3], 2.8),
        ("ACI, Dirichlet fitted, n=150, K=3", ["aci_by_dirichlet", 150, 3], 230.0),
    ):
        (ours,) = contest(contender, rounds=3)
        yield Row.bounded(f"{text}: milliseconds", 1e3 * ours.seconds, most, ours)
    for n, most in ((150, 10.0), (5000, 10.0)):
        ours, itself = contest(["local_parts", n, 3], ["concordance", n, 3], rounds=3)
        text = f"local parts / ACI itself, n={n}, K=3, one thread"
        yield Row.bounded(text, ours.seconds / itself.seconds, most, ours)
    ours, peer = contest(
        ["aci_with_many_labels", 100_000, 3, 4],
        ["sort_columns", 100_000, 3],
        rounds=5,
    )
    text = "ACI, fuzzy and 4 classes, n=1e5, K=3, one core / sorting the columns"
    yield Row.faster(text, ours, peer, 1 / 3)


def lattices() -> Iterator[Row]:
    for K in (3, 5):
        for style in (
            "rounded to 2",
            "rounded to 3",
            "votes of 5",
            "votes of 100",
            "votes of 255",
        ):
            ours, peer = contest(
                ["aci_on_one_core", 9000, K, style],
                ["pdist_and_sort", 9000, K, style, False],
                rounds=2,
            )
            text = f"ACI, {style}, n=9000, K={K}, one core / pdist twice, out= given"
            yield Row.faster(text, ours, peer, 1 / 0.6)


def growth() -> Iterator[Row]:
    small, large = contest(
        ["aci", 8000, 3, "fuzzy"], ["aci", 64_000, 3, "fuzzy"], rounds=2
    )
    per_pair = [o.seconds / (n * n) for o, n in ((small, 8e3), (large, 64e3))]
    yield Row.bounded(
        "growth per pair, ACI of fuzzy partitions, n=8000 to 64000",
        per_pair[1] / per_pair[0],
        1.3,
        large,
    )
    for text, name, arguments in (
        ("fuzzy and crisp, K=3", "aci_with_labels", [3]),
        ("crisp, K=10", "aci_of_labels", [10]),
        ("two clusters", "aci", [2, "fuzzy"]),
    ):
        small, large = contest(
            [name, 100_000, *arguments], [name, TEN_MILLION, *arguments], rounds=3
        )
        yield Row.bounded(
            f"growth per object, ACI, {text}, n=1e5 to 1e7",
            large.seconds / small.seconds / 100,
            1.6,
            large,
        )


def near_linear() -> Iterator[Row]:
    ours, peer = contest(
        ["aci_with_labels", TEN_MILLION, 3], ["sort_columns", TEN_MILLION, 3], rounds=2
    )
    text = "ACI, fuzzy and crisp, n=1e7, K=3 / sorting the columns"
    yield Row.faster(text, ours, peer, 1 / 5)
    ours, peer = contest(
        ["aci", TEN_MILLION, 2, "fuzzy"], ["sort_columns", TEN_MILLION, 2], rounds=2
    )
    text = "ACI, two clusters, n=1e7 / sorting two columns"
    yield Row.faster(text, ours, peer, 1 / 15)
    ours, sklearn, genieclust = contest(
        ["aci_of_labels", TEN_MILLION, 10],
        ["sklearn_ari", TEN_MILLION, 10],
        ["genieclust_ari", TEN_MILLION, 10],
        rounds=2,
    )
    text = "ACI of labels, n=1e7, K=10 / scikit-learn's adjusted Rand"
    yield Row.faster(text, ours, sklearn, 5.0)
    text = "ACI of labels, n=1e7, K=10 / genieclust's adjusted Rand"
    yield Row.faster(text, ours, genieclust, None)
    ours, clusim = contest(
        ["aci_of_labels", 100_000, 10], ["clusim_ari", 100_000, 10], rounds=2
    )
    text = "ACI of labels, n=1e5, K=10 / clusim's adjusted Rand"
    yield Row.faster(text, ours, clusim, None)


def many_classes() -> Iterator[Row]:
    ours, peer = contest(
        ["aci_with_many_labels", 300_000, 5, 50_000],
        ["sort_columns", 300_000, 5],
        rounds=5,
    )
    text = "ACI, fuzzy and 50000 classes, n=3e5, K=5, one core / sorting the columns"
    yield Row.faster(text, ours, peer, 1 / 10)


def many_zeros() -> Iterator[Row]:
    ours, peer = contest(
        ["aci_on_one_core", 3000, 200, "mostly zeros"],
        ["aci_on_one_core", 3000, 200, "fuzzy"],
        rounds=4,
    )
    text = "ACI, 90 % zeros, n=3000, K=200, one core / the same without zeros"
    yield Row.faster(text, ours, peer, 3.0)


def taking_in() -> Iterator[Row]:
    for K in (10, 50_000):
        for form in ("objects", "fixed width"):
            given = [500_000, K, form]
            ours, peer = contest(
                ["partition_of_text", *given], ["pandas_factorize", *given], rounds=3
            )
            text = f"labels of text, {form}, n=5e5, K={K} / pandas.factorize(sort=True)"
            yield Row.faster(text, ours, peer, 1 / 3)
    for form, n in (
        ("memberships", 300_000),
        ("labels", 1_000_000),
        ("text labels", 1_000_000),
        ("ids and labels", 1_000_000),
        ("ids and memberships", 1_000_000),
    ):
        file = [form, n, 5]
        ours, peer = contest(["read_csv", *file], ["pandas_read_csv", *file], rounds=3)
        text = f"CSV of {form}, n={n:.0e}, K=5 / pandas.read_csv".replace("e+0", "e")
        yield Row.faster(text, ours, peer, 1 / (2 if form == "memberships" else 3))
    size = [300_000, 5]
    ours, peer = contest(["write_csv", *size], ["pandas_to_csv", *size], rounds=3)
    text = "CSV with ids, written and read back, n=3e5, K=5 / pandas' to_csv"
    yield Row.faster(text, ours, peer, None)


def tables() -> Iterator[Row]:
    for name in ("frigui", "brouwer", "anderson"):
        ours, peer = contest(
            ["family", TEN_MILLION, 8, name], ["one_product", TEN_MILLION, 8], rounds=3
        )
        text = f"{name}, n=1e7, K=8 / U.T @ V"
        yield Row.faster(text, ours, peer, 1 / 3)
    for name in ("campello", "huellermeier"):
        for K in (3, 8):
            ours, peer = contest(
                ["family", 8000, K, name], ["pdist_twice", 8000, K, "fuzzy"], rounds=3
            )
            text = f"{name}, n=8000, K={K} / pdist twice"
            yield Row.faster(text, ours, peer, 1.5)
        ours, peer = contest(
            ["family", 2000, 8, name], [f"plain_{name}", 2000, 8], rounds=3
        )
        text = f"{name}, n=2000, K=8 / its definition in NumPy"
        yield Row.faster(text, ours, peer, 100.0)


def soft_tables() -> Iterator[Row]:
    one_pass = {*map(Term, ("contingency", "bonds", "expected information"))}
    names = [name for name, x in INDICES.items() if one_pass >= {*x.terms}]
    for text, some, most in (
        ("NMI", ["nmi"], 4.0),
        ("FARI", ["fari"], 4.0),
        ("AMI", ["ami"], 4.0),
        (f"{len(names)} indices of one pass", names, 8.0),
    ):
        ours, peer = contest(
            ["indices_of_partitions", 1_000_000, 8, some],
            ["one_product", 1_000_000, 8],
            rounds=8,
        )
        text += ", n=1e6, K=8, one thread / U.T @ V, in times of that"
        yield Row.bounded(text, ours.seconds / peer.seconds, most, ours)
    names = [
        name
        for name, record in INDICES.items()
        if record.cost == "pairs" and "fuzzy" in record.kinds
    ]
    ours, peer = contest(
        ["indices_of_partitions", 8000, 5, names], ["concordance", 8000, 5], rounds=4
    )
    text = f"{len(names)} indices of pairs / concordance, n=8000, K=5, one thread"
    yield Row.bounded(text, ours.seconds / peer.seconds, 4.0, ours)


def intervals() -> Iterator[Row]:
    ours, itself = contest(
        ["interval", 12_000, 3, "fuzzy"], ["aci", 12_000, 3, "fuzzy"], rounds=2
    )
    text = "interval of ACI, two fuzzy partitions, n=12000, K=3 / ACI itself"
    yield Row.faster(text, ours, itself, None)
    ours, itself = contest(
        ["interval_with_labels", 1_000_000, 3],
        ["aci_with_labels", 1_000_000, 3],
        rounds=2,
    )
    text = "interval of ACI, fuzzy and crisp, n=1e6, K=3 / ACI itself"
    yield Row.faster(text, ours, itself, None)


def by_chance() -> Iterator[Row]:
    ours, peer = contest(
        ["permutation_test", 2000, 5, 999, 1], ["gathers", 2000, 37], rounds=2
    )
    text = "test by 999 permutations, n=2000, K=5, 1 thread / 999 gathers (37 times 27)"
    yield Row.faster(text, ours, peer.times(27), 1.0)
    (large,) = contest(
        ["permutation_test", 100_000, 5, 9999, -1], rounds=1, warm_up=False
    )
    text = "test by 9999 permutations, n=1e5, K=5, all cores: seconds"
    yield Row.bounded(text, large.seconds, 60.0, large)
    for n, style, most in (
        (150, "fuzzy", 0.06),
        (2000, "fuzzy", 1.0),
        (100_000, "crisp", 0.5),
    ):
        (ours,) = contest(["permutation_test_of_related", n, 3, style, 9999], rounds=3)
        text = f"test of related partitions, 9999 permutations, n={n}, {style}: seconds"
        yield Row.bounded(text, ours.seconds, most, ours)
    for K in (3, 5):
        ours, peer = contest(
            ["null_moments_of", 20_000, K], ["aci", 20_000, K, "fuzzy"], rounds=2
        )
        # At most three times the time of ACI, which is part of it.
        text = f"null standard deviation and ACI, n=20000, K={K} / ACI alone"
        yield Row.faster(text, ours, peer, 1 / 4)
    ours, peer = contest(
        ["null_moments_of_labels", TEN_MILLION, 10],
        ["aci_of_labels", TEN_MILLION, 10],
        rounds=3,
    )
    text = "null standard deviation of labels, n=1e7, K=10 / ACI of labels"
    yield Row.faster(text, ours, peer, 0.5)
    ours, peer = contest(
        ["permutation_test_of_labels", TEN_MILLION, 10, 9999],
        ["sklearn_ari", TEN_MILLION, 10],
        rounds=1,
    )
    text = (
        "test by 9999 permutations of labels, n=1e7, K=10 / one of scikit-learn's ARI"
    )
    yield Row.faster(text, ours, peer, None)


def samples() -> Iterator[Row]:
    (ours,) = contest(["sampled", 1_000_000, 8, 1e-4], rounds=1, warm_up=False)
    (part,) = contest(["aci", 50_000, 8, "fuzzy"], rounds=1)
    text = "ACI sampled, tol=1e-4, n=1e6, K=8 / all pairs (400 times those of 50000)"
    yield Row.faster(text, ours, part.times(400), 50.0)
    for tol, most in ((1e-2, 0.15), (1e-3, 0.5)):
        (ours,) = contest(["sampled_on_one_core", 1_000_000, 3, tol], rounds=3)
        text = f"ACI sampled, tol={tol:g}, n=1e6, K=3, one core: seconds"
        yield Row.bounded(text, ours.seconds, most, ours)
    for n, tol in ((1000, 1e-2), (5000, 1e-4), (12_000, 1e-3)):
        ours, exact = contest(
            ["sampled_on_one_core", n, 3, tol], ["concordance", n, 3], rounds=5
        )
        text = f"ACI with tol={tol:g}, n={n}, K=3, one core / exact"
        # No slower, but for the few pairs by which that is decided.
        yield Row.faster(text, ours, exact, 0.9)
    (held,) = contest(["coverage", 5000, 300], rounds=1, warm_up=False)
    yield Row.between(
        "share of 95 % intervals that hold the exact ACI, n=5000, 300 seeds",
        held.answer or 0.0,
        0.92,
        0.98,
    )


def cold_starts() -> Iterator[Row]:
    code = (
        "import numpy as np; r = np.random.default_rng(0); {extra}"
        "import concordant as cc; "
        "cc.adjusted_concordance_index(r.dirichlet([1] * 3, {n}), "
        "r.dirichlet([1] * 3, {n}))"
    )
    fresh = _fresh_process(code.format(n=1000, extra=""))
    yield Row.bounded("seconds of a fresh process, ACI, n=1000", fresh, 1.5)
    few = _fresh_process(code.format(n=200, extra=""))
    with_numba = _fresh_process(code.format(n=200, extra="import numba; "))
    yield Row.bounded("seconds of a fresh process, ACI, n=200", few, None)
    text = "seconds of a fresh process that imports Numba, ACI, n=200"
    yield Row.bounded(text, with_numba, None)


def first_use() -> Iterator[Row]:
    """Time the command line from its first call after an installation on."""
    rng = np.random.default_rng(0)
    with TemporaryDirectory() as folder:
        for name, K in (("p", 3), ("q", 3), ("r", 4), ("s", 4)):
            rows = rng.dirichlet(np.full(K, 0.5), 2000)
            np.savetxt(f"{folder}/{name}.csv", rows, delimiter=",", fmt="%.17g")
        labels = rng.integers(5, size=2000)
        np.savetxt(f"{folder}/c.csv", labels, fmt="class%d")
        for text, files in (
            ("two fuzzy, K=3", ("p.csv", "q.csv")),
            ("two fuzzy, K=3, a test", ("p.csv", "q.csv", "--test")),
            ("two fuzzy, K=3, intervals", ("p.csv", "q.csv", "--interval")),
            ("two fuzzy, K=4", ("r.csv", "s.csv")),
            ("fuzzy and crisp, K=4", ("r.csv", "c.csv")),
        ):
            # Nothing is compiled before the first call, neither bytecode nor kernels.
            kept = f"{folder}/{text}"
            cold, *warm = (_command(files, folder, kept) for _ in range(6))
            text = f"concordant compare, {text}, n=2000: CPU seconds"
            yield Row.bounded(f"{text}, first call", cold, 2.5)
            yield Row.bounded(f"{text}, later ones", min(warm), 0.5)


def _command(files: tuple[str, ...], folder: str, kept: str) -> float:
    """Give the CPU time of a comparison in a process of its own."""
    settings = {
        **{name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")},
        "NUMBA_CACHE_DIR": f"{kept}/kernels",
        "PYTHONPYCACHEPREFIX": f"{kept}/bytecode",
    }
    others = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-m", "concordant", "compare", *files],
        check=True,
        capture_output=True,
        cwd=folder,
        env={**others, **settings},
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _fresh_process(code: str) -> float:
    times = []
    for _ in range(4):
        begin = perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        times.append(perf_counter() - begin)
    return min(times)


PARTS = (
    fuzzy_fuzzy,
    one_visit,
    small,
    ordinary_day,
    lattices,
    growth,
    near_linear,
    many_classes,
    many_zeros,
    taking_in,
    tables,
    soft_tables,
    samples,
    intervals,
    by_chance,
    cold_starts,
    first_use,
)
