"""
The search for a point estimate beside all partitions, and beside what was planted.

Run as ``python tests/planted_draws.py`` it prints in how many of 200 small sets no
partition loses less, and in how many of 100 sets of 10 000 draws what was planted.
"""

import sys
import time
from functools import cache

import numpy as np
from reference import partitions_of

import concordant as cc
from concordant.many.distinct_draws import Losses

LOSSES = ("binder", "vi", "aci")


@cache
def every(n):
    """Return all partitions of n objects, one row each."""
    return np.array([*partitions_of(n)])


def losses_of_all(loss, draws):
    """Return what every partition is expected to lose, by definition."""
    n = len(draws[0])
    labels = every(n)
    pairs = np.triu_indices(n, 1)
    together = (labels[:, :, None] == labels[:, None, :])[(slice(None), *pairs)]
    found = np.zeros(len(labels))
    for U in draws:
        if loss == "binder":
            share = (U @ U.T)[pairs]
            found += 2.0 / n**2 * np.abs(together - share).sum(axis=1)
        elif loss == "aci":
            alike = 1.0 - 0.5 * np.abs(U[:, None] - U[None]).sum(axis=2)[pairs]
            p, q = together.mean(axis=1), alike.mean()
            by_chance = p * (1.0 - q) + q * (1.0 - p)
            apart = np.abs(together - alike).mean(axis=1)
            found += np.where(by_chance > 1e-15, apart / (by_chance + 1e-300), 0.0)
        else:
            ours = np.eye(n)[labels]
            both = np.einsum("pik,il->pkl", ours, U) / n
            found += 2.0 * entropy(both) - entropy(ours.mean(1)) - entropy(U.mean(0))
    return found / len(draws)


def entropy(shares):
    """Return the entropy in bits, of each first index if there are several."""
    flat = shares.reshape(len(shares), -1) if shares.ndim > 1 else shares
    logs = np.log2(flat, out=np.zeros_like(flat), where=flat > 0.0)
    return -(flat * logs).sum(axis=-1)


def some_draws(seed, *, soft, most=8):
    """Draw some partitions of a few objects, near to one or to nothing."""
    rng = np.random.default_rng([seed, 3])
    n, B = int(rng.integers(2, most + 1)), int(rng.integers(2, 30))
    K = int(rng.integers(1, 6))
    if soft:
        return [*rng.dirichlet(np.full(K, 0.4), (B, n))]
    labels = np.tile(rng.integers(0, K, n), (B, 1))
    other = rng.random((B, n)) < rng.random()
    labels[other] = rng.integers(0, K + 1, other.sum())
    return [*np.eye(K + 1)[labels]]


def least_is_found(seed, loss, *, soft=False, most=8):
    """Return whether no partition of a few objects loses less."""
    draws = some_draws(seed, soft=soft, most=most)
    of_all = losses_of_all(loss, draws)
    found = cc.consensus(draws, loss=loss, random_state=seed)
    labels = found.partition.labels
    own = of_all[(every(len(labels)) == labels).all(axis=1)]
    assert abs(own[0] - found.expected_loss) < 1e-9
    return found.expected_loss <= of_all.min() + 1e-9


def planted_draws(seed, n=200, B=10_000):
    """Return 4 to 12 clusters, and draws that differ from them more or less."""
    rng = np.random.default_rng([seed, 5])
    K = int(rng.integers(4, 13))
    truth = rng.integers(0, K, n)
    draws = np.tile(truth, (B, 1))
    level = rng.uniform(0.1, 0.7)
    other = rng.random((B, n)) < level * rng.random((B, 1))
    draws[other] = rng.integers(0, K + 1, other.sum())
    return truth, draws


def truth_is_reached(seed, loss, n=200, B=10_000):
    """Return whether the estimate loses no more than what was planted."""
    truth, draws = planted_draws(seed, n, B)
    found = cc.consensus(draws, loss=loss, draws="rows", random_state=seed)
    losses = Losses(found._draws, loss)
    of_truth = losses.expected(losses.state(truth.astype(np.intp)))
    return found.expected_loss <= of_truth + 1e-12


def _print(title, holds, n_sets):
    start = time.process_time()
    found = sum(holds(seed) for seed in range(n_sets))
    seconds = time.process_time() - start
    print(f"{title:<36} {found:>4} of {n_sets}  {seconds:6.1f} s", flush=True)


def main(n_small, n_planted):
    """Print in how many sets the estimate is as good as it can be."""
    for loss in LOSSES:
        for soft in (False, True)[: 1 + (loss != "vi")]:
            title = f"{loss}, {'soft' if soft else 'crisp'}, of all partitions"
            _print(
                title,
                lambda seed, how=(loss, soft): least_is_found(
                    seed, how[0], soft=how[1]
                ),
                n_small,
            )
    for loss in LOSSES:
        title = f"{loss}, as good as what was planted"
        _print(title, lambda seed, loss=loss: truth_is_reached(seed, loss), n_planted)


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:3] or (200, 100)))
