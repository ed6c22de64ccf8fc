"""Memberships as people and programs make them: every matrix here is valid input."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Rng = np.random.Generator
Matrix = NDArray[Any]
Maker = Callable[[Rng, int, int], Matrix]  # a generator, n, K

_ALMOST = 9e-6  # rows may sum to 1 within 1e-5, and memberships be negative by as much


def soft(rng: Rng, n: int, K: int) -> Matrix:
    return rng.dirichlet(np.full(K, rng.choice([0.05, 0.3, 1.0, 5.0])), n)


def labels(rng: Rng, n: int, K: int) -> Matrix:
    return rng.integers(K, size=n)


def one_hot(rng: Rng, n: int, K: int) -> Matrix:
    return np.eye(K)[labels(rng, n, K)]


def votes(rng: Rng, n: int, K: int) -> Matrix:
    """Shares of k votes, as k neighbours or k trees give them."""
    k = int(rng.choice([1, 2, 3, 5, 7, 10, 15, 30, 49, 100, 500]))
    return rng.multinomial(k, soft(rng, n, K)) / k


def added_votes(rng: Rng, n: int, K: int) -> Matrix:
    """The same, added up vote by vote, as forests do: sums that are rounded."""
    k = int(rng.choice([3, 5, 7, 10, 30]))
    counts = rng.multinomial(k, soft(rng, n, K))
    shares = np.zeros((n, K))
    for vote in range(k):
        shares += np.where(vote < counts, 1 / k, 0.0)
    return shares


def of_a_whole(rng: Rng, n: int, K: int) -> Matrix:
    """Multiples of 1/255 and the like, as images and quantised models have them."""
    D = int(rng.choice([4, 20, 100, 255, 256, 1000, 1024, 4096, 65535]))
    whole = np.floor(soft(rng, n, K) * D)
    whole[:, 0] += D - whole.sum(axis=1)
    return whole / D


def rounded(rng: Rng, n: int, K: int) -> Matrix:
    """Decimals of 1 to 6 digits, the first chosen so that rows sum to one."""
    digits = int(rng.integers(1, 7))
    U = np.floor(soft(rng, n, K) * 10**digits) / 10**digits
    U[:, 0] = np.round(1.0 - U[:, 1:].sum(axis=1), digits)
    return U


def printed(rng: Rng, n: int, K: int) -> Matrix:
    """Rounded to some digits, so that rows sum to .99 or 1.01 as well."""
    return np.round(soft(rng, n, K), int(rng.integers(2, 7)))


def half_precision(rng: Rng, n: int, K: int) -> Matrix:
    U = np.floor(soft(rng, n, K) * 1024)
    U[:, 0] += 1024 - U.sum(axis=1)
    return (U / 1024).astype(np.float16)


def half_precision_scaled(rng: Rng, n: int, K: int) -> Matrix:
    """Half precision, divided by its sum in double or single precision."""
    U = soft(rng, n, K).astype(np.float16).astype(rng.choice([np.float32, np.float64]))
    U[:, 0] += U.sum(axis=1) == 0.0
    return U / U.sum(axis=1, keepdims=True)


def single_precision(rng: Rng, n: int, K: int) -> Matrix:
    scores = rng.normal(size=(n, K)).astype(np.float32) * rng.choice([0.1, 1, 10])
    U = np.exp(scores - scores.max(axis=1, keepdims=True), dtype=np.float32)
    return U / U.sum(axis=1, keepdims=True)


def single_precision_one(rng: Rng, n: int, K: int) -> Matrix:
    """Doubles that were float32 once."""
    return soft(rng, n, K).astype(np.float32).astype(np.float64)


def nearly_crisp(rng: Rng, n: int, K: int) -> Matrix:
    U = one_hot(rng, n, K) + 10.0 ** -rng.integers(2, 17) * rng.random((n, K))
    return U / U.sum(axis=1, keepdims=True)


def nearly_identity(rng: Rng, n: int, K: int) -> Matrix:
    """Each object in a cluster of its own, and noise: at n = K all are 1 apart."""
    U = np.eye(K)[np.arange(n) % K] + 10.0 ** -rng.integers(6, 16) * rng.random((n, K))
    return U / U.sum(axis=1, keepdims=True)


def exchanged(rng: Rng, n: int, K: int) -> Matrix:
    """One-hot rows, a little taken from one cluster and given to the next."""
    e = min(10.0 ** -rng.integers(5, 17), _ALMOST)
    U = one_hot(rng, n, K)
    i, j = np.arange(n), rng.integers(K, size=n)
    U[i, j] -= e
    U[i, (j + 1) % K] += e
    return U


def extrapolated(rng: Rng, n: int, K: int) -> Matrix:
    """Soft rows of which some are a little below 0, as least squares gives them."""
    U = soft(rng, n, K)
    e = _ALMOST * rng.random(n)
    low, high = U.argmin(axis=1), U.argmax(axis=1)
    U[np.arange(n), low] -= e
    U[np.arange(n), high] += e * (low != high) * rng.integers(2, size=n)
    return U


def too_large(rng: Rng, n: int, K: int) -> Matrix:
    return rng.choice([soft, one_hot, votes])(rng, n, K) * (1.0 + _ALMOST)


def too_small(rng: Rng, n: int, K: int) -> Matrix:
    return rng.choice([soft, one_hot, votes])(rng, n, K) * (1.0 - _ALMOST)


def uneven(rng: Rng, n: int, K: int) -> Matrix:
    """Rows whose sums differ by all that is allowed."""
    return soft(rng, n, K) * (1.0 + rng.uniform(-_ALMOST, _ALMOST, (n, 1)))


def uneven_halves(rng: Rng, n: int, K: int) -> Matrix:
    """Rows [1/K + e, ..., 1/K + e]: only their sums differ."""
    e = 10.0 ** -rng.integers(5, 17) * rng.random((n, 1)) * 0.9 / K
    return np.full((n, K), 1.0 / K) + e


def close(rng: Rng, n: int, K: int) -> Matrix:
    """All rows nearly equal, at any place."""
    center = soft(rng, 1, K) if rng.random() < 0.7 else np.full((1, K), 1 / K)
    e = 10.0 ** -rng.integers(3, 17)
    U = np.abs(center + e * (rng.random((n, K)) - 0.5))
    return U / U.sum(axis=1, keepdims=True)


def close_pairs(rng: Rng, n: int, K: int) -> Matrix:
    """Columns in pairs with a constant sum, and all rows within e of each other."""
    e = 10.0 ** -rng.integers(6, 16)
    u = 0.5 * rng.random() + e * (rng.random(n) - 0.5)
    U = np.zeros((n, K))
    U[:, 0], U[:, 1] = u, 1.0 - u
    return np.abs(U)


def outlier(rng: Rng, n: int, K: int) -> Matrix:
    U = close(rng, n, K)
    U[rng.integers(n)] = np.eye(K)[rng.integers(K)]
    return U


def repeated(rng: Rng, n: int, K: int) -> Matrix:
    few = soft(rng, int(rng.integers(1, 6)), K)
    return few[rng.integers(len(few), size=n)]


def nearly_repeated(rng: Rng, n: int, K: int) -> Matrix:
    U = repeated(rng, n, K) + 10.0 ** -rng.integers(9, 17) * rng.random((n, K))
    return U / U.sum(axis=1, keepdims=True)


def rare_cluster(rng: Rng, n: int, K: int) -> Matrix:
    """One cluster that nearly all belong to, and one or two objects elsewhere."""
    y = np.zeros(n, np.int64)
    y[rng.integers(n, size=2)] = rng.integers(K, size=2)
    e = rng.choice([0.0, 1e-9, 1e-3, 0.1])
    return (1.0 - e) * np.eye(K)[y] + e * soft(rng, n, K)


def nearly_one_cluster(rng: Rng, n: int, K: int) -> Matrix:
    """All objects in one cluster but for next to nothing, and as much or not."""
    U = 10.0 ** -rng.integers(6, 19) * rng.random((rng.choice([1, n]), K))
    U[:, rng.integers(K)] = 1.0
    return np.repeat(U / U.sum(axis=1, keepdims=True), n // len(U), axis=0)


def tiny(rng: Rng, n: int, K: int) -> Matrix:
    """All memberships but those of one cluster of any scale down to the least."""
    exponent = rng.choice([20, 77, 79, 85, 90, 120, 154, 165, 200, 300, 308, 311, 323])
    U = 10.0 ** -float(exponent) * rng.random((n, K))
    U[:, rng.integers(K)] = 1.0
    return U


def tiny_column(rng: Rng, n: int, K: int) -> Matrix:
    """Soft, but for one cluster at a tiny scale."""
    U = soft(rng, n, K)
    U[:, 0] += U[:, -1]
    U[:, -1] = 10.0 ** -float(rng.integers(20, 320)) * rng.random(n)
    return U


def underflowed(rng: Rng, n: int, K: int) -> Matrix:
    """A softmax of large scores: memberships of all scales."""
    scores = rng.normal(size=(n, K)) * rng.choice([10.0, 100.0, 400.0])
    U = np.exp(scores - scores.max(axis=1, keepdims=True))
    return U / U.sum(axis=1, keepdims=True)


def with_an_empty_cluster(rng: Rng, n: int, K: int) -> Matrix:
    U = soft(rng, n, K)
    U[:, 0] += U[:, 1]
    U[:, 1] = 0.0
    return U


def mostly_zeros(rng: Rng, n: int, K: int) -> Matrix:
    U = soft(rng, n, K) * (rng.random((n, K)) < 0.3)
    U[np.arange(n), rng.integers(K, size=n)] += 0.1
    return U / U.sum(axis=1, keepdims=True)


def constant(rng: Rng, n: int, K: int) -> Matrix:
    return np.repeat(soft(rng, 1, K), n, axis=0)


#: Memberships that are drawn; those of real programs stand in programs.py.
DRAWN: tuple[Maker, ...] = (
    soft,
    labels,
    one_hot,
    votes,
    added_votes,
    of_a_whole,
    rounded,
    printed,
    half_precision,
    half_precision_scaled,
    single_precision,
    single_precision_one,
    nearly_crisp,
    nearly_identity,
    exchanged,
    extrapolated,
    too_large,
    too_small,
    uneven,
    uneven_halves,
    close,
    close_pairs,
    outlier,
    repeated,
    nearly_repeated,
    rare_cluster,
    nearly_one_cluster,
    tiny,
    tiny_column,
    underflowed,
    with_an_empty_cluster,
    mostly_zeros,
    constant,
)
