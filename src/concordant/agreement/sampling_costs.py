"""Whether a sample of pairs is worth its time, or all pairs are visited sooner."""

from dataclasses import dataclass

from concordant.agreement.pilot import FEWEST, spread_of_pairs
from concordant.pairs.bands import seconds_per_pair
from concordant.pairs.sampling import Z95, looks, shifts_of_group
from concordant.pairs.strata import n_rare
from concordant.partition.partition import Partition

# Seconds, as algorithms were seen to take on one core.
_SORTED = 6e-8  # for each pair that is sorted
_IN_INTEGERS = 0.5  # times the seconds of doubles
_START = 5e-3  # before the first pair of a sample
_GROUP = 1.2e-3  # for each group beside its pairs: reading and keeping its bins
_ROW = 6e-8  # for each object of a group, whose few shifts make short loops,
_ENTRY = 1.5e-8  # and for each membership of it


@dataclass(frozen=True)
class SampleCosts:
    """
    What a sample of pairs costs, and what all pairs do.

    Parameters
    ----------
    n_groups : int
        How many groups of shifts hold them.
    exact : float
        Seconds that all pairs take.
    start : float
        Seconds that a sample takes before its first group.
    group : float
        Seconds for each group.
    """

    n_groups: int
    exact: float
    start: float
    group: float

    @classmethod
    def of(cls, P: Partition, Q: Partition, algorithm: str) -> "SampleCosts":
        """Compare with an algorithm that visits all pairs."""
        n, n_columns = P.n_objects, P.n_clusters + Q.n_clusters
        m = n * (n - 1) // 2
        pair = seconds_per_pair(n_columns)
        width = shifts_of_group(n)
        exact = {"sorted": _SORTED, "lattice": _IN_INTEGERS * pair}.get(algorithm, pair)
        return cls(
            -(-((n - 1) // 2) // width),
            m * exact,
            _START + n_rare(n) * n * pair,
            _GROUP + n * (width * pair + _ROW + n_columns * _ENTRY),
        )

    @property
    def most_groups(self) -> float:
        """How many groups take as long as all pairs."""
        return self.exact / self.group

    def takes_all(self, P: Partition, Q: Partition, tol: float) -> bool:
        """Tell whether a sample seems to need all pairs."""
        return groups_needed(P, Q, tol, self.n_groups) == self.n_groups

    def pays(self, P: Partition, Q: Partition, tol: float) -> bool:
        """Tell whether a sample seems to reach a tolerance before all are visited."""
        first = next(looks(self.n_groups))
        if self.start + first * self.group >= self.exact:
            return False
        needed = max(first, groups_needed(P, Q, tol, self.n_groups))
        return self.start + needed * self.group < self.exact


def groups_needed(P: Partition, Q: Partition, tol: float, n_groups: int) -> int:
    """Predict how many groups of shifts a tolerance takes; 0 for few objects."""
    n = P.n_objects
    if n < FEWEST:
        return 0
    # N pairs of m have a half width of z spread sqrt(1 / N - 1 / m).
    half_width = Z95 * spread_of_pairs(P.columns(), Q.columns())
    share = half_width**2 / (half_width**2 + n * (n - 1) / 2 * tol**2)
    return next(look for look in looks(n_groups) if look >= share * n_groups)
