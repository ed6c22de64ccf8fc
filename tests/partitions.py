"""Partitions to test with: drawn by a seed, or searched by hypothesis."""

import numpy as np
from hypothesis import strategies as st

STYLES = (
    "dirichlet",
    "sparse",
    "near-crisp",
    "near-uniform",
    "duplicated",
    "rounded",
    "close",
    "crisp",
)


def memberships(rng, n, K, style):
    """Draw an n x K membership matrix whose rows sum to 1."""
    if style == "crisp":
        return np.eye(K)[rng.integers(K, size=n)]
    if style == "near-crisp":
        U = np.eye(K)[rng.integers(K, size=n)] + 1e-3 * rng.random((n, K))
    elif style == "near-uniform":
        U = 1.0 + 1e-3 * rng.random((n, K))
    elif style == "close":  # all within about 1e-12 of each other
        U = 1.0 + 1e-12 * rng.random((n, K))
    elif style == "sparse":
        U = rng.dirichlet(np.full(K, 0.1), size=n) + 1e-300
    else:
        U = rng.dirichlet(np.ones(K), size=n)
    if style == "duplicated":
        U = U[rng.integers(max(1, n // 4), size=n)]
    if style == "rounded":
        U = np.round(U, 2) + 1e-9
    return U / U.sum(axis=1, keepdims=True)


def draw(seed, max_n=60, max_K=9):
    """Draw two partitions of the same objects, of any two styles."""
    rng = np.random.default_rng(seed)
    n = int(2 + (max_n - 2) * rng.random() ** 3)
    return tuple(
        memberships(rng, n, int(rng.integers(1, max_K + 1)), str(rng.choice(STYLES)))
        for _ in range(2)
    )


def two_partitions(max_n=25, max_K=5):
    """Let hypothesis choose the seed, so that it reports a case one can repeat."""
    return st.integers(0, 2**32 - 1).map(lambda seed: draw(seed, max_n, max_K))


def three_partitions(max_n=20):
    return st.integers(0, 2**32 - 1).map(_draw_three(max_n))


def _draw_three(max_n):
    def draw_three(seed):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(2, max_n))
        return tuple(
            memberships(rng, n, int(rng.integers(1, 5)), str(rng.choice(STYLES)))
            for _ in range(3)
        )

    return draw_three


def compared_by(method, P, Q, indices=None, families=None, interval=None, **how):
    """Compare by one of the methods of `concordance`, of which `compare` has none."""
    from concordant.comparison import Wanted
    from concordant.measures.comparing import compare_wanted

    names = None if indices is None else tuple(indices)
    wanted = Wanted(names, families, interval=interval)
    return compare_wanted(P, Q, wanted, match_by="position", method=method, **how)
