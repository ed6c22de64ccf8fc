"""Sizes at which the library goes another way, set so that small cases do."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

import numpy as np

#: Modules of the library, the names of constants in them, and values that lead there.
LOWER = (
    ("concordant.terms.at_once", "FEW_OBJECTS", 4),
    ("concordant.ways", "_FEW_OF_TWO_CLUSTERS", 4),
    ("concordant.ways", "_FEW_WITH_EXCESS", 4),
    ("concordant.kernels.folds", "MOST_ADDED", 1),
    ("concordant.pairs.bands", "BLOCK_HEIGHT", 3),
    ("concordant.shortcuts.two_clusters", "_CELLS", (1 << 4, 1 << 7)),
    ("concordant.terms.grid", "_FEWEST_CELLS", 1),
    ("concordant.terms.side", "_FINER_GRID", (1 << 6, 16)),
    ("concordant.terms.side", "_GRID", (1 << 4, 4)),
    ("concordant.streams.sketch", "MOST_CELLS", 8),
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
