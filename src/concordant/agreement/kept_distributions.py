"""Many partitions with each other: what chance gives, from what is kept of each."""

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from concordant.agreement.binned_pairs import Pass, added_up
from concordant.agreement.grid import PLACE_BITS, Grid, Histogram, expected_difference
from concordant.agreement.result import RELATIVE_ERROR, Concordance, assemble
from concordant.agreement.scaling import Scaled, scaled
from concordant.execution.checkpoint import Job
from concordant.execution.engine import Engine
from concordant.execution.progress import Watch
from concordant.partition.partition import Partition
from concordant.terms.table_sums import NO_TABLES, Sums, WantedTables

Counts = NDArray[np.int64]

_CELLS = 1 << 17  # of equal width: they do for 1e-9 where distances do not crowd
_UPPER = 2.0001  # where the widest grid ends, but for rows that sum to more than 1
_MOST_HALVINGS = 12


def from_kept_distributions(
    P: Partition,
    Q: Partition,
    engine: Engine,
    watch: Watch,
    tables: WantedTables = NO_TABLES,
) -> tuple[Concordance, dict[str, Sums]] | None:
    """
    Compute the concordance with the distributions of distances that P and Q keep.

    All partitions share some grids, which do not depend on what one is compared with.
    A pass over all pairs counts the distances of P and Q only if one of them was not
    counted before, and gives d in any case. None if the grid leaves an error of E[d] of
    more than 1e-9 in relation to it, as it does where distances crowd: that takes a
    grid for the two of them.
    """
    data = scaled(P, Q)
    halvings = _halvings(data)
    if halvings is None:
        return None
    grid, name = _grid(halvings), f"distribution {halvings}"
    of_p, of_q = P.kept_terms.kept(name), Q.kept_terms.kept(name)
    found = None
    if of_p is not None and of_q is not None:
        found = _expected_difference(of_p, of_q, grid)
        if found is None:
            return None
    state = Pass.first(grid if found is None else None, tables)
    columns = (data.p, data.q, *tables.columns(P, Q))
    state.run(columns, data.sparse, engine, watch, Job(None, "", ""))
    sums = state.sums
    if found is None:
        of_p = P.kept_terms.get(name, lambda: np.stack((sums.counts_p, sums.places_p)))
        of_q = Q.kept_terms.get(name, lambda: np.stack((sums.counts_q, sums.places_q)))
        found = _expected_difference(of_p, of_q, grid)
        if found is None:
            return None
    expected, error = found
    d = state.discordance
    # Nothing is known of the mean distances, but that none is larger.
    rounding = data.rounding(data.upper, data.upper)
    result = assemble(
        d / 2,
        expected / 2,
        n_objects=P.n_objects,
        method="binned",
        discordance_error=(rounding + added_up(d)) / 2,
        expected_discordance_error=(rounding + error) / 2,
        constant=data.one_is_constant,
    )
    return result, sums.tables


def _halvings(data: Scaled) -> int | None:
    """Tell which of the grids holds all distances, the narrowest that does."""
    if data.exponent != 0 or not 0.0 < data.upper <= _UPPER:
        return None
    return min(int(math.log2(_UPPER / data.upper)), _MOST_HALVINGS)


@lru_cache
def _grid(halvings: int) -> Grid:
    upper = math.ldexp(_UPPER, -halvings)
    return Grid(np.array([0.0, upper]), np.array([_CELLS - 1]))


def _expected_difference(
    of_p: Counts, of_q: Counts, grid: Grid
) -> tuple[float, float] | None:
    """Give E[d] and its error, from counts and places, if that is small enough."""
    unit = 2.0 ** -(PLACE_BITS - grid.cell_bits)
    (counts_p, places_p), (counts_q, places_q) = of_p, of_q
    histogram = Histogram(counts_p, counts_q, places_p * unit, places_q * unit, unit)
    expected, error = expected_difference(grid, histogram)
    return (expected, error) if error <= RELATIVE_ERROR * expected else None
