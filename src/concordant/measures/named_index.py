"""Any index of the catalogue, as a function of two partitions."""

from collections.abc import Callable

from concordant.catalogue import INDICES, STATISTICS, loaded
from concordant.measures.comparing import compare
from concordant.measures.pair_tables import pair_table
from concordant.partition.partition import Partition
from concordant.wording import check_choice


def named_index(name: str) -> Callable[[Partition, Partition], float]:
    """Give the function of an index, or of a statistic of the default family."""
    check_choice("index", name, (*INDICES, *STATISTICS), optional=False)

    def of_index(P: Partition, Q: Partition) -> float:
        return compare(P, Q, indices=[name])[name]

    def of_statistic(P: Partition, Q: Partition) -> float:
        return float(loaded(STATISTICS[name].formula)(pair_table(P, Q)))

    function = of_index if name in INDICES else of_statistic
    function.__name__ = name
    return function
