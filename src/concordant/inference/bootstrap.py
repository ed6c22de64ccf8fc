"""Values of an index for objects drawn again, with replacement, and their intervals."""

from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from concordant.execution.run import Run
from concordant.inference.chosen_index import ChosenIndex, collected
from concordant.partition.partition import Partition

Vector = NDArray[np.float64]


def replicates(
    index: ChosenIndex,
    P: Partition,
    Q: Partition,
    n_resamples: int,
    run: Run,
) -> Vector:
    """Compute an index for samples of n of the n objects, with replacement."""
    n, rng = P.n_objects, run.generator()
    # Drawn in order and by one thread: the number of threads changes nothing.
    samples = ((rng.integers(n, size=n),) for _ in range(n_resamples))
    values = run.engine.run(index.resampled, (P, Q), samples)
    return collected(values, n_resamples, run.progress)


def percentile_interval(values: Vector, level: float) -> tuple[float, float]:
    """Return the quantiles of replicates."""
    low, high = np.quantile(values, (0.5 - 0.5 * level, 0.5 + 0.5 * level))
    return float(low), float(high)


def bca_interval(
    values: Vector, estimate: float, changes: Vector, level: float
) -> tuple[float, float]:
    """
    Return the interval of Efron (1987), corrected for bias and acceleration.

    `changes` are those of the estimate where each object is left out; their skewness
    is the acceleration.
    """
    normal = NormalDist()
    n = len(values)
    below = float((values < estimate).sum() + 0.5 * (values == estimate).sum())
    shift = normal.inv_cdf(min(max(below / n, 0.5 / n), 1.0 - 0.5 / n))
    deviations = changes.mean() - changes
    spread = float(np.square(deviations).sum()) ** 1.5
    third = float((deviations**3).sum())
    acceleration = third / (6.0 * spread) if spread > 0.0 else 0.0
    ranks = []
    for probability in (0.5 - 0.5 * level, 0.5 + 0.5 * level):
        z = shift + normal.inv_cdf(probability)
        bend = 1.0 - acceleration * z
        # Where the correction breaks down, the end is the outermost replicate.
        ranks.append(normal.cdf(shift + z / bend) if bend > 0.0 else float(z > 0.0))
    low, high = np.quantile(values, ranks)
    return float(low), float(high)
