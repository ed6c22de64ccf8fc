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
    if name in INDICES:
        return lambda P, Q: compare(P, Q, indices=[name])[name]
    formula = loaded(STATISTICS[name].formula)
    return lambda P, Q: float(formula(pair_table(P, Q)))
