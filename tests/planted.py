"""
Planted solutions that are found again: relabellings and a consensus.

Run as ``python tests/planted.py`` it prints in how many of 100 sets each is found.
"""

import sys
import time

import numpy as np

import concordant as cc
from concordant.many.relabelling import _Search, _total, joint_orders

#: How far memberships are from those that were planted.
LEVELS = (0.2, 0.4, 0.6)
#: The first draws all memberships towards 1 / K, which no mean can undo.
KINDS = ("mixed", "logistic", "dirichlet", "relabelled")


def truth(rng, n, K):
    """Draw memberships that are mostly near to crisp."""
    return rng.dirichlet(np.full(K, 0.3), n)


def copy_of(rng, U, level, kind):
    """Return the memberships with noise, the clusters in a random order."""
    n, K = U.shape
    if kind == "mixed":
        V = (1.0 - level) * U + level * rng.dirichlet(np.ones(K), n)
    elif kind == "logistic":
        V = (U + 1e-3) * np.exp(3.0 * level * rng.standard_normal((n, K)))
    elif kind == "dirichlet":
        V = rng.gamma((U + 1e-3) * (1.0 / level**2)) + 1e-300
    else:  # of some objects, memberships are those of others
        V = U.copy()
        some = rng.random(n) < 0.5 * level
        V[some] = U[rng.integers(n, size=int(some.sum()))]
    return (V / V.sum(axis=1, keepdims=True))[:, rng.permutation(K)]


def consensus_is_nearer(seed, loss, by):
    """Return whether the consensus is nearer to the planted one than any copy."""
    rng = np.random.default_rng([seed, 7])
    n, K = int(rng.integers(60, 300)), int(rng.integers(2, 6))
    U = truth(rng, n, K)
    kind, level = KINDS[1 + seed % 3], LEVELS[seed // 3 % 3]
    runs = [copy_of(rng, U, level, kind) for _ in range(int(rng.integers(10, 51)))]
    found = cc.consensus(runs, loss=loss, random_state=0).partition
    if by == "aci":
        away = [1.0 - cc.adjusted_concordance_index(U, run) for run in (found, *runs)]
    elif loss == "comembership":
        own = U @ U.T
        away = [np.linalg.norm(own - V @ V.T) for V in (found.memberships, *runs)]
    else:
        aligned = cc.align_clusters([found, *runs], reference=U)
        away = [np.linalg.norm(U - P.memberships) for P in aligned.partitions]
    return away[0] < min(away[1:])


def relabelling_is_best(seed, n_starts=200):
    """Return whether no relabelling from random starts has a larger total overlap."""
    rng = np.random.default_rng([seed, 11])
    k, K, n = (int(rng.integers(*ends)) for ends in ((3, 11), (2, 9), (20, 200)))
    U = truth(rng, n, K)
    runs = [
        rng.dirichlet(np.ones(K), n) if seed % 2 else copy_of(rng, U, 0.6, "mixed")
        for _ in range(k)
    ]
    columns = np.concatenate([run.T for run in runs])
    shared = (columns @ columns.T).reshape(k, K, k, K)
    found = _total(shared, joint_orders(shared))
    search = _Search(shared, None)
    for _ in range(n_starts):
        start = np.array([rng.permutation(K) for _ in range(k)])
        if _total(shared, search._ascended(start)) > found * (1.0 + 1e-12):
            return False
    return True


def _print(title, holds, n_sets):
    start = time.perf_counter()
    found = sum(holds(seed) for seed in range(n_sets))
    seconds = time.perf_counter() - start
    print(f"{title:<42} {found:>4} of {n_sets}  {seconds:6.1f} s", flush=True)


def main(n_sets):
    """Print in how many sets each is found."""
    for loss, by in (
        ("euclidean", "distance"),
        ("euclidean", "aci"),
        ("comembership", "distance"),
    ):
        _print(
            f"{loss} consensus nearest, by {by}",
            lambda seed, how=(loss, by): consensus_is_nearer(seed, *how),
            n_sets,
        )
    _print("no better relabelling by 200 starts", relabelling_is_best, n_sets)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
