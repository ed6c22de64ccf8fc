"""
Whether two versions of the code give the same numbers.

``python tests/same_values.py record FILE`` writes what every public function gives for
random pairs of partitions and for the values of other systems; ``python
tests/same_values.py compare FILE``, run with another version, tells how many values
are the same to the last bit, and how far the others are, in units of what they state
as their error.
"""

import argparse
import csv
import json
import math
import sys
import warnings
from collections import Counter
from pathlib import Path

import numpy as np

import concordant as cc

N_PAIRS = 300
STATISTICS = ("rand", "adjusted_rand", "jaccard", "fowlkes_mallows", "mirkin", "dice")
# What rounding may change in a number that states no error.
ROUNDING = 1e-13
DATA = Path(__file__).parent / "data" / "other_systems"


def random_partition(rng, n, kind):
    """Give memberships, or labels, of some kind."""
    K = int(rng.integers(1, 13))
    if kind == "labels":
        return rng.integers(K, size=n)
    U = rng.dirichlet(np.full(K, float(rng.choice([0.1, 1.0, 10.0]))), n)
    if kind == "votes":
        return rng.multinomial(5, np.full(K, 1 / K), n) / 5
    if kind == "float32":
        return (
            U.astype(np.float32) / U.astype(np.float32).sum(1, keepdims=True)
        ).astype(np.float64)
    if kind == "one-hot with noise":
        U = np.eye(K)[rng.integers(K, size=n)] * (1 - 1e-9) + 1e-9 * U
    if kind == "possibilistic":
        return cc.Partition(rng.random((n, K)), kind="possibilistic")
    return U


def random_pairs():
    """Give numbered pairs of partitions, all kinds, n from 2 to 3000."""
    kinds = (
        "labels",
        "fuzzy",
        "votes",
        "float32",
        "one-hot with noise",
        "possibilistic",
    )
    sizes = [2, 3, 5, 8, 20, 60, 150, 255, 256, 400, 600, 1000, 1448, 1449, 1600, 3000]
    for number in range(N_PAIRS):
        rng = np.random.default_rng([2026, number])
        p, q = rng.choice(len(kinds), 2, p=[0.2, 0.3, 0.15, 0.1, 0.15, 0.1])
        n = int(rng.choice(sizes))
        yield (
            f"random {number}",
            (
                random_partition(rng, n, kinds[p]),
                random_partition(rng, n, kinds[q]),
            ),
        )


def pairs_of_other_systems(folder):
    """Give the pairs of partitions of which other systems gave values."""
    for path in sorted(folder.glob("*_P.csv")):
        name = path.name.removesuffix("_P.csv")
        P, Q = (
            np.loadtxt(folder / f"{name}_{side}.csv", delimiter=",", ndmin=2)
            for side in "PQ"
        )
        yield f"case {name}", (P, Q)


def results(P, Q):
    """Give what every public function says, by name: a value and its stated error."""
    found = {}

    def keep(name, call):
        try:
            found.update({f"{name}{key}": value for key, value in call().items()})
        except (ValueError, TypeError) as error:
            found[name] = [type(error).__name__, None]

    def agreement(result):
        return {
            ".discordance": [result.discordance, result.discordance_error],
            ".expected": [result.expected, result.expected_error],
            ".aci": [result.aci, result.error],
            ".method": [result.method, None],
        }

    def table(result):
        names = ("a", "b", "c", "d", *STATISTICS)
        return {f".{name}": [float(getattr(result, name)), 0.0] for name in names}

    def comparison(result):
        both = {} if result.concordance is None else agreement(result.concordance)
        for name, one in result.tables.items():
            both |= {f".{name}{key}": value for key, value in table(one).items()}
        return both

    keep("concordance", lambda: agreement(cc.concordance(P, Q)))
    keep("two threads", lambda: agreement(cc.concordance(P, Q, n_jobs=2)))
    keep("ndc", lambda: {"": [cc.normalized_degree_of_concordance(P, Q), 0.0]})
    keep("aci", lambda: {"": [cc.adjusted_concordance_index(P, Q), 0.0]})
    keep("compare", lambda: comparison(cc.compare(P, Q, families="all")))
    keep("pair_table", lambda: table(cc.pair_table(P, Q)))
    keep("stream", lambda: comparison(cc.stream([(P, Q)])))
    keep(
        "sampled",
        lambda: agreement(cc.concordance(P, Q, method="sampled", random_state=1)),
    )
    keep(
        "permutations",
        lambda: (
            agreement(
                cc.concordance(
                    P, Q, method="permutations", n_permutations=20, random_state=1
                )
            )
            if len(getattr(P, "memberships", P)) <= 400
            else {}
        ),
    )
    for family in (
        "crisp",
        "campello",
        "frigui",
        "brouwer",
        "anderson",
        "huellermeier",
    ):
        keep(family, lambda: table(cc.pair_table(P, Q, family=family)))  # noqa: B023
    for function in (
        cc.rand_index,
        cc.adjusted_rand_index,
        cc.jaccard_index,
        cc.fowlkes_mallows_index,
        cc.mirkin_metric,
        cc.dice_coefficient,
    ):
        keep(function.__name__, lambda: {"": [function(P, Q), 0.0]})  # noqa: B023
    keep("object_discordance", lambda: _by_object(cc.object_discordance(P, Q)))
    return found


def _by_object(result):
    values = np.asarray(result.values)
    return {
        ".first": [float(values[0]), 0.0],
        ".last": [float(values[-1]), 0.0],
        ".sum": [math.fsum(values), 0.0],
    }


def everything(cases):
    """Give all results, by pair and by name."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, (P, Q) in (*random_pairs(), *pairs_of_other_systems(cases)):
            yield name, results(P, Q)


def record(path, cases):
    """Write all results to a file."""
    path.write_text(json.dumps(dict(everything(cases))))
    print(f"recorded in {path}")


def compare(path, cases):
    """Tell how results differ from those in a file; whether none passes its error."""
    before = json.loads(path.read_text())
    counts, wrong = Counter(), []
    with path.with_suffix(".differences.csv").open("w", newline="") as beside:
        write = csv.writer(beside)
        for name, now in everything(cases):
            for key in before[name].keys() | now.keys():
                verdict = judge(before[name].get(key), now.get(key))
                counts[verdict] += 1
                if verdict == "beyond its error":
                    wrong.append((name, key, before[name].get(key), now.get(key)))
                if verdict != "the same bits":
                    write.writerow(
                        [name, key, verdict, before[name].get(key), now.get(key)]
                    )
    for verdict, number in counts.most_common():
        print(f"{number:8d} {verdict}")
    for line in wrong[:40]:
        print(*line)
    return not wrong


def judge(before, now):
    """Compare a value and its error with those of before."""
    if before is None or now is None:
        return "only before" if now is None else "only now"
    x, y = before[0], now[0]
    if isinstance(x, str) or isinstance(y, str):
        return "the same bits" if x == y else "another method or error"
    if x == y or (math.isnan(x) and math.isnan(y)):
        return "the same bits"
    stated = (before[1] or 0.0) + (now[1] or 0.0)
    if abs(x - y) <= stated:
        return "within its error"
    if abs(x - y) <= ROUNDING * max(1.0, abs(x)):
        return "within rounding"
    return "beyond its error"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("action", choices=["record", "compare"])
    parser.add_argument("file", type=Path)
    parser.add_argument("--cases", type=Path, default=DATA, help="a folder of *_P.csv")
    given = parser.parse_args()
    if given.action == "record":
        record(given.file, given.cases)
    else:
        sys.exit(0 if compare(given.file, given.cases) else 1)
