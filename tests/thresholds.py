"""Sizes at which the library goes another way, set so that small cases do."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

import numpy as np

#: Modules of the library, the names of constants in them, and values that lead there.
LOWER = (
    ("concordant.kernels.worth", "_spent", -math.inf),  # never compiled code
    ("concordant.agreement.plan", "_MANY", 10),
    ("concordant.agreement.lattice_pairs", "_FEW_DISTANCES", 4),
    ("concordant.agreement.lattice_pairs", "_MOST_COUNTED", 1),
    ("concordant.agreement.sparse_rows", "_MUCH", 1),
    ("concordant.agreement.sparse_rows", "_GAIN", 0),
    ("concordant.agreement.spread", "_BLOCK", 4),
    ("concordant.agreement.two_clusters", "_MOST_SUMS", 16),
    ("concordant.agreement.two_clusters", "_GRIDS", (12, 14)),
    ("concordant.partition.memberships", "_LARGE", 10),
    ("concordant.streams.sketch", "MOST_CELLS", 8),
    ("concordant.shortcuts.two_clusters", "_CELLS", (64, 256)),
)


@contextmanager
def lowered(rng: np.random.Generator) -> Iterator[None]:
    """Set about half of them, or none at all."""
    chance = 0.5 * rng.integers(2)
    chosen = [row for row in LOWER if rng.random() < chance]
    before = [getattr(import_module(module), name) for module, name, _ in chosen]
    try:
        for module, name, value in chosen:
            setattr(import_module(module), name, value)
        yield
    finally:
        for (module, name, _), value in zip(chosen, before, strict=True):
            setattr(import_module(module), name, value)
