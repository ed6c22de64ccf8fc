"""Sizes at which the library goes another way, set so that small cases do."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

import numpy as np

#: Constants of the library, values that lead there, and all modules that read them.
LOWER: tuple[tuple[str, object, tuple[str, ...]], ...] = (
    (
        "FEW_OBJECTS",
        4,
        (
            "concordant.compute",
            "concordant.many.every_pair",
            "concordant.nulls.dirichlet",
            "concordant.inference.leave_one_out",
            "concordant.inference.object_means",
            "concordant.inference.profiles",
        ),
    ),
    ("_FEW_OF_TWO_CLUSTERS", 4, ("concordant.compute",)),
    ("_FEW_WITH_EXCESS", 4, ("concordant.compute",)),
    ("MOST_ADDED", 1, ("concordant.pairs.folds",)),
    (
        "BLOCK_HEIGHT",
        3,
        ("concordant.compute", "concordant.pairs.bands", "concordant.pairs.folds"),
    ),
    ("_CELLS", (1 << 4, 1 << 7), ("concordant.pairs.two_clusters",)),
    ("_FEWEST_CELLS", 1, ("concordant.pairs.grid",)),
    ("_FINER_GRID", (1 << 6, 16), ("concordant.pairs.side",)),
    ("_GRID", (1 << 4, 4), ("concordant.pairs.side",)),
    ("MOST_CELLS", 8, ("concordant.streams.sketch",)),
)


@contextmanager
def lowered(rng: np.random.Generator) -> Iterator[None]:
    """Set about half of them, or none at all."""
    chance = 0.5 * rng.integers(2)
    chosen = [
        (import_module(module), name, value)
        for name, value, modules in LOWER
        if rng.random() < chance
        for module in modules
    ]
    before = [getattr(module, name) for module, name, _ in chosen]
    try:
        for module, name, value in chosen:
            setattr(module, name, value)
        yield
    finally:
        for (module, name, _), value in zip(chosen, before, strict=True):
            setattr(module, name, value)
