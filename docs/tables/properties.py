"""Properties of all indices, as far as they can be computed."""

import math
from itertools import permutations, product

import numpy as np

import concordant as cc
from concordant.catalogue.indices import INDICES

_OBJECTS = 4  # whose 24 permutations, and 15 crisp partitions, are all visited
_FUZZY = 6


def _scores(P, Q):
    return cc.compare(P, Q, indices=[*INDICES]).scores


def _partitions():
    """Return all crisp partitions of four objects, and some fuzzy ones."""
    labels = product(range(_OBJECTS), repeat=_OBJECTS)
    crisp = {tuple(map(each.index, each)) for each in labels}
    rng = np.random.default_rng(0)
    spreads = 10 ** rng.uniform(-1, 1, size=_FUZZY)
    fuzzy = (rng.dirichlet([a] * rng.integers(2, 4), _OBJECTS) for a in spreads)
    return [*map(list, sorted(crisp)), *fuzzy]


def _triangles():
    """Return the indices whose distance from the best value is shorter by a third."""
    partitions = _partitions()
    found = [[_scores(P, Q) for Q in partitions] for P in partitions]
    broken = set()
    for name, record in INDICES.items():
        away = np.array([[abs(record.best - x[name].value) for x in y] for y in found])
        error = max(x[name].error or 0.0 for y in found for x in y)
        round_about = (away[:, :, None] + away[None, :, :]).min(axis=1)
        if (away > round_about + 3 * min(error, 0.1) + 1e-9).any():
            broken.add(name)
    return broken


def _means():
    """Return the mean of each index over all permutations of four objects."""
    rng = np.random.default_rng(1)
    P, Q = rng.dirichlet([1, 1, 1], _OBJECTS), rng.dirichlet([1, 1], _OBJECTS)
    found = [_scores(P, Q[list(order)]) for order in permutations(range(_OBJECTS))]
    return {
        name: (
            abs(math.fsum(x[name].value for x in found)) / len(found),
            max(x[name].error or 0.0 for x in found),
        )
        for name in INDICES
    }


def _properties():
    yield (
        "| name | best | reached by a fuzzy partition with itself | symmetric "
        "| triangle inequality | corrected for chance |"
    )
    yield "|---|---|---|---|---|---|"
    broken, means = _triangles(), _means()
    for name, record in INDICES.items():
        mean, error = means[name]
        triangle = "no" if name in broken else "yes"
        cells = (
            f"`{name}`",
            f"{record.best:g}" if math.isfinite(record.best) else "-",
            "yes" if "reflexive" in record.laws else "no",
            "yes" if "symmetric" in record.laws else "no",
            triangle if math.isfinite(record.best) else "-",
            "yes" if mean <= error + 1e-9 else "no",
        )
        yield f"| {' | '.join(cells)} |"


TABLES = {"properties": _properties}
